"""The tables that SQL can query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    #: Its type in SQL.
    type: str
    #: The unit of its values; empty if they have none.
    unit: str
    meaning: str


@dataclass(frozen=True)
class Table:
    """A table of the dataset or of the log."""

    name: str
    purpose: str
    columns: tuple[Column, ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(column.name for column in self.columns)})"


def parse(tables: list[dict[str, Any]]) -> tuple[Table, ...]:
    """Reads what `annals schema tables --json` prints."""
    return tuple(
        Table(
            table["name"],
            table["purpose"],
            tuple(Column(*(column[key] for key in ("name", "type", "unit", "meaning"))) for column in table["columns"]),
        )
        for table in tables
    )
