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

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from trial import ADDRESS, ROOT, answer, run_parts, s3_server, turns

import annals

def ingest(trial):
    """A dataset of synthetic games."""
    archive = trial.folder / "games.txt"

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
    environment = {**os.environ, "WHEEL": str(trial.given.wheel.resolve())} if trial.given.wheel else None

    def test_wheel():
        subprocess.run([ROOT / "tools/test_wheel.sh"], check=True, env=environment, stdout=sys.stderr)

    trial.time("tests and notebook of the wheel", test_wheel)


PARTS = {part.__name__: part for part in (ingest, studies, flight, notebook)}

if __name__ == "__main__":
    wheel = ("--wheel", {"type": Path, "metavar": "FILE", "help": "Wheel to test [default: builds one]"})
    sys.exit(run_parts(PARTS, __doc__, "target/address-trial", [wheel]))
