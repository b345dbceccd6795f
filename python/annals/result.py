"""The rows of a query."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow

from .html import page_of

if TYPE_CHECKING:
    import pandas
    import polars


class Result:
    """The rows of a query, in the memory of Arrow.

    Every program that accepts the Arrow C stream accepts it: `polars.DataFrame(result)`, `pyarrow.table(result)`,
    `duckdb.from_arrow(result)`.
    """

    def __init__(self, table: pyarrow.Table) -> None:
        self._table = table

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._table.column_names)

    def arrow(self) -> pyarrow.Table:
        """The rows as a table of pyarrow. Its metadata have the query and the version of the data."""
        return self._table

    def pandas(self) -> pandas.DataFrame:
        """The rows as a frame of pandas."""
        return self._table.to_pandas()

    def polars(self) -> polars.DataFrame:
        """The rows as a frame of polars."""
        import polars

        return polars.DataFrame(self._table)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        stream: object = self._table.__arrow_c_stream__(requested_schema)  # type: ignore[no-untyped-call]
        return stream

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        """The rows in batches."""
        return iter(self._table.to_batches())

    def rows(self) -> list[dict[str, Any]]:
        """The rows as values of Python."""
        rows: list[dict[str, Any]] = self._table.to_pylist()
        return rows

    def __repr__(self) -> str:
        return f"<annals.Result: {len(self):,} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        return page_of(self._table)
