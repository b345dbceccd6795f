"""Errors of the program, and its end with the block that runs it."""

import os
import pickle
import signal
import stat
import tempfile
import threading
import time
import unittest
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import annals
from annals.program import check, find
from demonstration import FOLDER, OfDemonstration

LONG = "SELECT count(*) FROM turns a, turns b, turns c WHERE a.ply + b.ply + c.ply < 0"


class Errors(OfDemonstration):
    """What the program reports."""

    def test_an_error_has_its_parts(self) -> None:
        """Message with its place, hint, status."""
        for ask in (self.home.sql, self.home.stream):
            with self.assertRaises(annals.Error) as caught:
                ask("SELECT plise FROM games")
            error = caught.exception
            self.assertTrue(error.error.startswith("there is no column `plise` (line 1, column 8)\n"), error.error)
            self.assertEqual((error.reason, error.state, error.hint), (None, None, "did you mean `plies`?"))
            self.assertEqual(error.status, 2)
            self.assertTrue(str(error).endswith("\n  hint: did you mean `plies`?"), str(error))

    def test_an_error_after_rows_is_raised_by_the_stream(self) -> None:
        """An integer beyond its type in a late row."""
        rows = self.home.stream("SELECT 9223372036854747038 + CAST(row_number() OVER () AS BIGINT) AS n FROM turns")
        # Any part of the rows can be the first.
        self.assertGreater(rows.read_next_batch().num_rows, 0)
        with self.assertRaisesRegex(annals.Error, "Overflow"):
            rows.read_all()

    def test_every_call_raises_the_error_of_its_command(self) -> None:
        """Boards, charts, studies, standings, files, homes."""
        calls = [
            lambda: annals.board("g [x"),
            lambda: self.home.board("cup r99.1"),
            lambda: self.home.chart("standings", "nocup"),
            lambda: self.home.study("growth", nogame="x"),
            lambda: self.home.standings("no'cup"),
            lambda: self.home.files("turn"),
            lambda: self.home.json("game", "show", "nogame"),
            lambda: annals.open("nohome").sql("SELECT * FROM games"),
            lambda: annals.open("nohome").files("games"),
        ]
        for call in calls:
            with self.assertRaises(annals.Error) as caught:
                call()
            self.assertNotIn("ended with status", caught.exception.error)

    def test_ctrl_c_ends_the_program(self) -> None:
        """The program has no process of its own afterwards."""
        # A shell's background jobs ignore it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with _traced() as (home, pid):
            threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                home.sql(LONG)
            self.assertLess(time.monotonic() - began, 20)
            self.assertRaises(ProcessLookupError, os.kill, int(pid.read_text()), 0)

    def test_a_stream_that_is_dropped_ends_the_program(self) -> None:
        """After its first rows."""
        with _traced() as (home, pid):
            rows = home.stream("SELECT a.ply FROM turns a, turns b")
            rows.read_next_batch()
            os.kill(int(pid.read_text()), 0)
            del rows
            self.assertRaises(ProcessLookupError, os.kill, int(pid.read_text()), 0)

    def test_a_stream_that_is_closed_ends_the_program(self) -> None:
        """By its method, or by the block of `with`; what is read then is an error."""
        for close in ("method", "block"):
            with _traced() as (home, pid):
                rows = home.stream("SELECT a.ply FROM turns a, turns b")
                if close == "block":
                    with rows:
                        rows.read_next_batch()
                        os.kill(int(pid.read_text()), 0)
                else:
                    rows.read_next_batch()
                    rows.close()
                self.assertRaises(ProcessLookupError, os.kill, int(pid.read_text()), 0)
                with self.assertRaisesRegex(annals.Error, "the stream is closed"):
                    rows.read_all()
                rows.close()

    def test_a_text_that_begins_with_a_dash_is_no_option(self) -> None:
        """Positions, studies, charts; a NUL is an error too."""
        for call in (
            lambda: annals.board("--help"),
            lambda: annals.board("-h"),
            lambda: self.home.study("--help"),
            lambda: self.home.study_chart("--help"),
            lambda: self.home.chart("standings", "--help"),
            lambda: self.home.sql("SELECT '\0'"),
            lambda: self.home.stream("SELECT '\0'"),
            lambda: self.home.sql("SELECT * FROM a", tables={"a=b": "x.csv"}),
            lambda: annals.open("--help").sql("SELECT * FROM games"),
        ):
            with self.assertRaises(annals.Error):
                call()


@contextmanager
def _traced() -> Iterator[tuple[annals.Home, Path]]:
    """The home, and the file that has the number of the program's last process."""
    with tempfile.TemporaryDirectory() as folder:
        pid = Path(folder, "pid")
        program = Path(folder, "annals")
        program.write_text(f'#!/bin/sh\necho $$ >"{pid}"\nexec "{find()}" "$@"\n')
        program.chmod(stat.S_IRWXU)
        yield annals.open(FOLDER, program=program), pid


class Texts(unittest.TestCase):
    """Errors without a home."""

    def test_all_fields(self) -> None:
        """Several hints, and notes before the error."""
        text = "note: read\nerror: a.txt:3: no\n  reason: rule\n  state: nothing was changed\n  hint: one\n  hint: two\n"
        with self.assertRaises(annals.Error) as caught:
            check(1, text.encode())
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((error.error, error.reason, error.state), ("a.txt:3: no", "rule", "nothing was changed"))
        self.assertEqual((error.hint, error.status), ("one\ntwo", 1))
        self.assertEqual(str(error), text.removeprefix("note: read\nerror: ").rstrip())

    def test_a_warning_is_a_warning_of_python(self) -> None:
        """A note is not."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            check(0, b"note: read\nwarning: the log is damaged\n")
        self.assertEqual([str(warning.message) for warning in caught], ["the log is damaged"])

    def test_an_end_without_an_error_is_reported(self) -> None:
        """A program that was killed."""
        with self.assertRaisesRegex(annals.Error, "ended with status -9"):
            check(-9, b"")

    def test_a_missing_program_is_an_error(self) -> None:
        """With what to set."""
        with self.assertRaisesRegex(annals.Error, "there is no program `nowhere/annals`") as caught:
            annals.open("home", program="nowhere/annals")
        self.assertIn("ANNALS_PROGRAM", caught.exception.hint or "")


if __name__ == "__main__":
    unittest.main()
