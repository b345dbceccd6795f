"""A home, or a dataset at an address."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import arrow
from .error import Error
from .files import files_of, is_dataset
from .picture import Picture
from .program import StrPath, arranged, find, run
from .result import Result
from .stores import is_address
from .stream import Stream
from .tables import Table, parse

#: What an option accepts: `True` is the option alone, a list is several values, and `None` leaves the option out.
Value = str | int | float | bool | StrPath | list[str] | None


class Home:
    """A record that the program reads: a home with its log and dataset, or a dataset in a folder or at an address.

    A home is never written. Each method runs the program once and returns its answer, or raises `annals.Error`.
    """

    def __init__(self, location: StrPath | None = None, *, program: StrPath | None = None) -> None:
        self.location = None if location is None else os.fspath(location)
        self._is_address = self.location is not None and is_address(self.location)
        self._program = find(program)

    @property
    def is_address(self) -> bool:
        """Whether it is a dataset at an address, such as `s3://bucket/prefix`."""
        return self._is_address

    @property
    def is_dataset(self) -> bool:
        """Whether it is a dataset alone: at an address, or a folder with a manifest, as `annals publish` makes it."""
        return self.location is not None and (self._is_address or is_dataset(self.location))

    def __repr__(self) -> str:
        return f"annals.open({self.location!r})"

    def sql(self, statement: str, *, tables: Mapping[str, StrPath] | None = None) -> Result:
        """Runs one SQL statement.

        Args:
            statement: A query of the tables that `tables()` lists, and of your own.
            tables: Names of your own tables, and their files: CSV, TSV, JSON or Parquet.
        """
        return Result(arrow.table(self._query(statement, tables)))

    def stream(self, statement: str, *, tables: Mapping[str, StrPath] | None = None) -> Stream:
        """Runs one SQL statement, and returns its rows while they are found: for results larger than the disk.

        The stream has the Arrow C stream, which polars, pandas and DuckDB accept. The rows can be read once.

        >>> with home.stream("SELECT game_id, ply FROM turns") as rows:
        ...     first = rows.read_next_batch()
        """
        return Stream(self._query(statement, tables))

    def study(self, name: str, **parameters: str | int | float) -> Result:
        """Runs a study by its name or file; `annals study list` prints the names, the questions and the parameters."""
        options = [*_parameters(parameters), "--format", "arrow"]
        return Result(arrow.table(self.command("study", "run", *arranged([name], options))))

    def study_chart(self, name: str, **parameters: str | int | float) -> Picture:
        """Draws the chart of a study."""
        return Picture(self.command("study", "run"), [name], _parameters(parameters))

    def standings(self, tournament: str, *, as_of: str | None = None, known_at: str | None = None) -> Result:
        """The standings of a tournament as of a point in time, as recorded by a point in time.

        A point is a time, a date (its end), a month, a year, `round:5` or `seq:120`.
        """
        points = ", ".join("NULL" if point is None else _quoted(point) for point in (as_of, known_at))
        return self.sql(f"SELECT * FROM standings({_quoted(tournament)}, {points})")

    def board(self, game: str, **options: Value) -> Picture:
        """Draws a position, a turn or a game, with the options of `annals chart board`.

        >>> home.board("cup r1.1", turn="12w")
        """
        return self.chart("board", game, **options)

    def chart(self, kind: str, *subjects: str, **options: Value) -> Picture:
        """Draws a chart, with the options of `annals chart KIND`.

        >>> home.chart("standings", "cup", as_of="round:3")
        """
        return Picture(self.command("chart", kind), subjects, _options(options))

    def json(self, *words: str, **options: Value) -> Any:
        """Runs any command that has `--json`, and returns what it prints.

        >>> home.json("game", "show", "cup r1.1", as_of="round:3")["termination"]
        """
        return json.loads(run(self.command(*words, *_options(options), "--json")))

    def tables(self) -> tuple[Table, ...]:
        """The tables of the dataset and of the log, with their columns."""
        return parse(self.json("schema", "tables")["tables"])

    def files(self, table: str) -> list[str]:
        """The Parquet files of a table of the dataset, as its manifest lists them: for other programs.

        A folder also has files of the version before or after, so that `*.parquet` there is not the table.
        """
        if self.location is not None and self.is_dataset:
            return files_of(self.location, table)
        home = self.location or os.environ.get("ANNALS_HOME") or "annals-home"
        return files_of(os.path.join(home, "dataset"), table)

    def command(self, *words: str) -> list[str]:
        """The command line of the program for this home."""
        if self.location is None:
            return [self._program, *words]
        return [self._program, f"--{'dataset' if self.is_dataset else 'home'}={self.location}", *words]

    def _query(self, statement: str, tables: Mapping[str, StrPath] | None) -> list[str]:
        for name in tables or {}:
            if "=" in name:
                raise Error(f"error: `{name}` is not a name of a table\n  reason: a name has no `=`")
        own = [word for name, file in (tables or {}).items() for word in ("--table", f"{name}={os.fspath(file)}")]
        return self.command("query", *own, "--format", "arrow", "--", statement)


def open(location: StrPath | None = None, *, program: StrPath | None = None) -> Home:
    """Opens a home, or a dataset in a folder or at an address.

    Args:
        location: The folder of a home, the folder of a dataset, or an address such as `s3://bucket/prefix`. The default is
            the program's: the variable `ANNALS_HOME`, or `annals-home`.
        program: The program. The default is the variable `ANNALS_PROGRAM`, the one of this package, or one in `PATH`.
    """
    return Home(location, program=program)


def board(position: str, **options: Value) -> Picture:
    """Draws a position, without a home: `annals.board("g [rrrrrrrrhdcemcdh…]")`.

    `docs/reference/games.md` has the forms of a position. The options are those of `annals chart board`.
    """
    return open().board(position, **options)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _parameters(parameters: Mapping[str, object]) -> list[str]:
    return [word for name, value in parameters.items() for word in ("--param", f"{name}={value}")]


def _options(options: Mapping[str, Value]) -> list[str]:
    """Options by their names: `known_at` is `--known-at`, and `from_` is `--from`, which is a word of Python."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, list):
            words += [option, *value]
        elif value is not None and value is not False:
            words.append(f"{option}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words
