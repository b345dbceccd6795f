"""The Arrow files that the program writes, read whole or as a stream."""

from __future__ import annotations

import io
import mmap
import tempfile
from collections.abc import Generator, Sequence
from subprocess import PIPE
from typing import IO, Any

import pyarrow
import pyarrow.ipc

from .program import check, run, started


def table(command: Sequence[str]) -> pyarrow.Table:
    """The rows that the program writes. They are in a temporary file without a name, which is mapped into memory."""
    with tempfile.TemporaryFile() as file:
        run(command, file)
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return pyarrow.ipc.open_file(pyarrow.py_buffer(mapped)).read_all()


def batches(command: Sequence[str]) -> Generator[Any, None, None]:
    """The schema, then the batches. The program ends when the iterator is closed."""
    with tempfile.TemporaryFile() as errors, started(command, PIPE, errors) as process:
        assert process.stdout is not None
        try:
            reader = pyarrow.ipc.open_stream(_StreamOfFile(process.stdout))
            yield reader.schema
            yield from reader
            # What follows the stream is the index of the file.
            process.stdout.read()
        except (pyarrow.ArrowInvalid, OSError):
            # The output ended too early: the program has an error.
            check(process.wait(), _all(errors))
            raise
        check(process.wait(), _all(errors))


def _all(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


class _StreamOfFile(io.RawIOBase):
    """An Arrow file without the characters and zeros at its start, after which it is an Arrow stream."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._first = file.read(8)
        while self._first in (b"ARROW1\0\0", bytes(8)):
            self._first = file.read(8)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if not self._first:
            return self._file.read(size)
        first, self._first = self._first[:size], self._first[size:]
        return first + self._file.read(size - len(first))
