#!/usr/bin/env python3
"""Publishes a large dataset to an S3 server on this machine, and reads it there with the clients of an analyst.

    tools/address_trial.py [PART...] [--games N] [--program FILE] [--folder DIR] [--wheel FILE]

Parts, by default all in this order:
    ingest    synthesizes the games and stores them as a dataset in the folder
    studies   publishes the dataset to a fresh S3 server, and compares every study there with the same on the folder
    flight    reads `turns` by Flight SQL into polars
    notebook  runs the tests and the notebook of the Python package from its wheel in a fresh environment

It prints a table of times, and ends with status 1 if a part failed. A part whose commands the program lacks is named.
Needs moto[server], pyarrow, polars, adbc-driver-flightsql and adbc-driver-manager.
"""

import argparse
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))

import annals  # noqa: E402
from annals.program import find  # noqa: E402

BUCKET = "annals"
ADDRESS = f"s3://{BUCKET}/trial"


class Missing(Exception):
    """The program lacks a command or an option."""


class Trial:
    """The program under test, its home, and the lines of the report."""

    def __init__(self, given):
        self.program = find(given.program)
        self.games, self.folder, self.wheel = given.games, given.folder, given.wheel
        self.lines = []
        self.failed = False

    @property
    def home(self):
        """The home with the dataset."""
        return annals.open(self.folder / "home", program=self.program)

    def run(self, *words):
        """Runs the program on the home."""
        command = [self.program, "--home", str(self.folder / "home"), *map(str, words)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def needs(self, option, *command):
        """Raises if the help of a command does not list an option or a command."""
        printed = subprocess.run([self.program, *command, "--help"], capture_output=True, text=True, check=False)
        if printed.returncode != 0 or not re.search(rf"^\s+{re.escape(option)}\b", printed.stdout, re.MULTILINE):
            raise Missing(f"{' '.join(['annals', *command])} has no {option}")

    def time(self, what, work):
        """Runs and times one step; the figure is what the step returns."""
        began = time.monotonic()
        figure = work()
        self.report(what, time.monotonic() - began, figure)

    def report(self, what, seconds=None, figure=None):
        """Adds a line to the report and prints it."""
        line = (what, "" if seconds is None else f"{seconds:.2f}", figure or "")
        self.lines.append(line)
        print("  ".join(line), flush=True)

    def fail(self, what, why):
        """Adds a failure to the report."""
        self.failed = True
        self.report(what, figure=f"FAILED: {why}")

    def table(self):
        """The report in Markdown."""
        rows = ["| step | seconds | figure |", "| --- | ---: | --- |"]
        return "\n".join(rows + [f"| {' | '.join(line)} |" for line in self.lines])


def ingest(trial):
    """A dataset of synthetic games."""
    archive = trial.folder / "games.txt"
    trial.folder.mkdir(parents=True, exist_ok=True)

    def synthesize():
        trial.run("synthesize", "--games", trial.games, "--seed", 1, "--force", "-o", archive)
        return f"{trial.games:,} games, {archive.stat().st_size / 1e6:,.0f} MB"

    def store():
        trial.run("ingest", archive)
        tables = ("games", "turns", "lookup", "players")
        sizes = [Path(file).stat().st_size for table in tables for file in trial.home.files(table)]
        return f"{turns(trial.home):,} turns, {len(sizes)} files of {sum(sizes) / 1e6:,.0f} MB"

    trial.time("synthesize", synthesize)
    trial.time("ingest", store)


def turns(home):
    """The number of turns."""
    return home.sql("SELECT count(*) AS turns FROM turns").rows()[0]["turns"]


@contextmanager
def s3_server(folder):
    """A fresh S3 server with a bucket, for the programs that this one starts."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    endpoint = f"http://127.0.0.1:{port}"
    server = Path(sys.executable).with_name("moto_server")
    variables = {"AWS_ENDPOINT_URL": endpoint, "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1"}
    variables |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
    with open(folder / "moto.log", "wb") as log:
        process = subprocess.Popen([server, "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
    try:
        request = urllib.request.Request(f"{endpoint}/{BUCKET}", method="PUT")
        for _ in range(100):
            try:
                urllib.request.urlopen(request).close()
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        os.environ.update(variables)
        yield endpoint
    finally:
        for name in variables:
            os.environ.pop(name, None)
        process.terminate()
        process.wait()


def studies(trial):
    """Every study at the address has the answer of the folder."""
    trial.needs("publish")
    names = [study["name"] for study in trial.home.json("study", "list")]
    with s3_server(trial.folder):
        trial.time("publish", lambda: trial.run("publish", ADDRESS))
        there = annals.open(ADDRESS, program=trial.program)
        objects = there.files("turns")
        trial.report("files of turns at the address", figure=f"{len(objects)}, such as {objects[0]}")
        total = [0.0, 0.0]
        for name in names:
            answers, seconds = [], []
            for home in (trial.home, there):
                began = time.monotonic()
                answers.append(answer(home, name))
                seconds.append(time.monotonic() - began)
            total = [sum(pair) for pair in zip(total, seconds, strict=True)]
            if answers[0] == answers[1]:
                size = answers[0] if isinstance(answers[0], str) else f"{answers[0].num_rows} equal rows"
                trial.report(f"study {name}", seconds[1], f"{size}; {seconds[0]:.2f} s in the folder")
            else:
                trial.fail(f"study {name}", "the answers differ")
        trial.report(f"all {len(names)} studies", total[1], f"{total[0]:.2f} s in the folder")


def answer(home, study):
    """The rows of a study, without what differs by the place; or the error of a study that needs more than synthetic games."""
    try:
        return home.study(study).arrow().replace_schema_metadata(None)
    except annals.Error as error:
        return f"the same error: {error.error}"


def flight(trial):
    """`turns` in polars, by Flight SQL."""
    trial.needs("--flight-sql", "serve")
    import polars
    from adbc_driver_flightsql import dbapi

    command = trial.home.command("serve", "--listen", "127.0.0.1:0", "--flight-sql", "127.0.0.1:0")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            address = next(found for line in server.stdout for found in re.findall(r"grpc(?:\+tcp)?://[\w.:]+", line))
            with dbapi.connect(address, autocommit=True) as connection, connection.cursor() as cursor:
                began = time.monotonic()
                cursor.execute("SELECT * FROM turns")
                frame = polars.from_arrow(cursor.fetch_arrow_table())
                seconds = time.monotonic() - began
        finally:
            server.terminate()
    expected = turns(trial.home)
    if frame.height == expected:
        trial.report("turns by Flight SQL", seconds, f"{frame.height:,} rows, {frame.height / seconds / 1e6:.2f} million rows/s")
    else:
        trial.fail("turns by Flight SQL", f"{frame.height:,} rows, expected {expected:,}")


def notebook(trial):
    """The wheel in a fresh environment."""
    environment = {**os.environ, "WHEEL": str(trial.wheel.resolve())} if trial.wheel else None

    def test_wheel():
        subprocess.run([ROOT / "tools/test_wheel.sh"], check=True, env=environment, stdout=sys.stderr)

    trial.time("tests and notebook of the wheel", test_wheel)


PARTS = {part.__name__: part for part in (ingest, studies, flight, notebook)}


def main():
    """Runs the parts."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("parts", nargs="*", metavar="PART", help=f"Parts to run: {', '.join(PARTS)} [default: all]")
    arguments.add_argument("--games", type=int, default=100_000, metavar="N", help="Games [default: 100000]")
    arguments.add_argument("--program", type=Path, metavar="FILE", help="Program [default: ANNALS_PROGRAM, or in PATH]")
    folder = Path("target/address-trial")
    arguments.add_argument(
        "--folder", type=Path, default=folder, metavar="DIR", help=f"Folder for the dataset [default: {folder}]"
    )
    arguments.add_argument("--wheel", type=Path, metavar="FILE", help="Wheel to test [default: builds one]")
    given = arguments.parse_args()
    if unknown := set(given.parts) - PARTS.keys():
        arguments.error(f"no part {', '.join(sorted(unknown))}")
    trial = Trial(given)
    for name in given.parts or PARTS:
        try:
            PARTS[name](trial)
        except Missing as missing:
            trial.fail(name, missing)
        except (annals.Error, OSError, ImportError, StopIteration, subprocess.CalledProcessError) as error:
            trial.fail(name, error)
    print(f"\n{trial.table()}")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
