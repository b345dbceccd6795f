"""The rows of a query while the program finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow

from .arrow import batches
from .error import Error

if TYPE_CHECKING:
    import pandas


class _Batches:
    """The schema, then the batches, until it is closed: then each further one is an error, not the end of the rows."""

    def __init__(self, command: Sequence[str]) -> None:
        self._found = batches(command)
        self._is_closed = False

    def __iter__(self) -> _Batches:
        return self

    def __next__(self) -> Any:
        if self._is_closed:
            raise Error("error: the stream is closed")
        return next(self._found)

    def close(self) -> None:
        self._is_closed = True
        self._found.close()


class Stream:
    """Rows in batches. They can be read once, and the program ends with the stream: read to its end, closed or dropped.

    It has the Arrow C stream, as a `pyarrow.RecordBatchReader` has it, and the methods of one.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._batches = _Batches(command)
        self._reader = pyarrow.RecordBatchReader.from_batches(next(self._batches), self._batches)

    @property
    def schema(self) -> pyarrow.Schema:
        """The names and the types of the columns."""
        return self._reader.schema

    def read_next_batch(self) -> pyarrow.RecordBatch:
        """The next rows; StopIteration after the last ones."""
        return self._reader.read_next_batch()

    def read_all(self) -> pyarrow.Table:
        """All further rows as a table."""
        return self._reader.read_all()

    def read_pandas(self) -> pandas.DataFrame:
        """All further rows as a frame of pandas."""
        return self._reader.read_pandas()

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        return iter(self._reader)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        stream: object = self._reader.__arrow_c_stream__(requested_schema)  # type: ignore[no-untyped-call]
        return stream

    def close(self) -> None:
        """Ends the program. Rows that were not read are lost."""
        self._batches.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
