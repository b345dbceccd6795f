"""The first rows of a result as a table of HTML."""

from __future__ import annotations

from html import escape

import pyarrow

#: Rows that a notebook shows.
FIRST = 20


def page_of(table: pyarrow.Table) -> str:
    """The first rows, and the number of all."""
    numbers = [_is_number(field.type) for field in table.schema]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.column_names)
    body = "".join(
        "<tr>" + "".join(map(_cell, row, numbers)) + "</tr>" for row in zip(*_columns(table.slice(0, FIRST)), strict=True)
    )
    count = f"{table.num_rows:,} row{'' if table.num_rows == 1 else 's'}"
    if table.num_rows > FIRST:
        count += f", of which the first {FIRST} are shown"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{count}</p>"


def _columns(table: pyarrow.Table) -> list[list[object]]:
    return [column.to_pylist() for column in table.columns]


def _is_number(kind: pyarrow.DataType) -> bool:
    return bool(pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind) or pyarrow.types.is_decimal(kind))


def _cell(value: object, is_number: bool) -> str:
    if value is None:
        return "<td></td>"
    text = escape(value.hex() if isinstance(value, bytes) else str(value))
    return f'<td style="text-align: {"right" if is_number else "left"}">{text}</td>'
