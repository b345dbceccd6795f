#!/usr/bin/env python3
"""The studies on DataFusion (`annals query`) and on DuckDB, over the same Parquet files.

    python3 analytics/benches/against_duckdb.py --home HOME [--annals target/release/annals] [--runs 5] [--threads 2]

Each engine answers the SQL of each study (`annals study show NAME --sql`) `--runs` times, after one run that warms the caches, in
one process with the dataset open; the best time counts. For DataFusion it is planning + execution as `annals query --timing`
prints them; for DuckDB the time of `execute` and `fetchall`, with the tables as views over the files that the manifest lists.
Time for starting a process and opening the dataset is left out on both sides. With `--first`, each run of either engine has a
process of its own, and its first answer counts. The answers are compared, numbers to six digits. DuckDB gets the
interval of a share and the piece on a square as macros; a study that counts legal turns is left out.

Needs the Python package `duckdb`.
"""

import argparse
import concurrent.futures
import csv
import io
import json
import math
import multiprocessing
import pathlib
import re
import subprocess
import sys
import time

import duckdb

# What no macro can express: the legal turns of a position.
ON_BOARDS = ["distinct_turns(", "first_steps("]
# The piece of Arimaa on a square: one bit of each of four planes of 8 bytes, little-endian (see the column `turns.board`).
PIECE_AT = """
CREATE MACRO bit_at(board, plane, square) AS
    get_bit(CAST(board AS BIT), 64 * plane + 8 * (ascii(substr(square, 2, 1)) - 49) + 7 - (ascii(square) - 97));
CREATE MACRO piece_at(board, square) AS nullif(substr('.RCDHME..rcdhme.', 1 + bit_at(board, 0, square)
    + 2 * bit_at(board, 1, square) + 4 * bit_at(board, 2, square) + 8 * bit_at(board, 3, square), 1), '.');
"""
# The interval of Wilson with 95 % confidence, as Annals' functions give it.
WILSON = """
CREATE MACRO wilson_end(part, whole, sign) AS
    (part / whole + 3.841458820694124 / (2 * whole)
     + sign * 1.959963984540054 * sqrt(part / whole * (1 - part / whole) / whole + 3.841458820694124 / (4 * whole * whole)))
    / (1 + 3.841458820694124 / whole);
CREATE MACRO wilson_low(part, whole) AS CASE WHEN whole > 0 THEN wilson_end(CAST(part AS DOUBLE), whole, -1) END;
CREATE MACRO wilson_high(part, whole) AS CASE WHEN whole > 0 THEN wilson_end(CAST(part AS DOUBLE), whole, 1) END;
"""
TABLES = ["games", "turns", "lookup", "players", "server_log", "rejected_turns", "rejects"]


def open_duckdb(dataset, threads):
    """A connection whose views are the dataset's tables, over exactly the files of the manifest."""
    manifest = json.loads((dataset / "manifest.json").read_text())
    connection = duckdb.connect(config={"threads": threads})
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(WILSON)
    connection.execute(PIECE_AT)
    for table in TABLES:
        files = [str(dataset / f["path"]) for f in manifest["files"] if f["table"] == table]
        if files:
            listed = ", ".join("'" + f.replace("'", "''") + "'" for f in files)
            connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet([{listed}], hive_partitioning = true)")
    return connection


def sql_of(program, study):
    """The SQL of a study."""
    return subprocess.run([program, "study", "show", study, "--sql"], capture_output=True, text=True, check=True).stdout


def ask_annals(program, home, study, sql, threads, runs):
    """Milliseconds of each run, and the rows (as text) of one."""
    sql = sql.strip().rstrip(";")
    command = [program, "--home", str(home), "query", "--file", "-", "--format", "csv", "--no-header",
               "--timing", "--threads", str(threads)]
    done = subprocess.run(command, input=";\n".join([sql] * runs), capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{study} failed:\n{done.stderr}")
    times = re.findall(r"planned in ([\d.]+) ms, executed in ([\d.]+) ms", done.stderr)
    # Several statements write their answers one after the other.
    rows = list(csv.reader(io.StringIO(done.stdout)))
    return [float(planned) + float(executed) for planned, executed in times], rows[:len(rows) // runs]


def ask_duckdb(connection, sql, runs):
    """Milliseconds of each run, and the rows (as text, as Annals also writes text) of one."""
    sql = f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ({sql.strip().rstrip(';')}\n) AS answer"
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        rows = connection.execute(sql).fetchall()
        times.append((time.perf_counter() - begun) * 1e3)
    return times, rows


def first_of_duckdb(dataset, sql, threads):
    """Milliseconds of the first answer of a process that has opened the dataset."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(open_and_ask, dataset, sql, threads).result()


def open_and_ask(dataset, sql, threads):
    return ask_duckdb(open_duckdb(dataset, threads), sql, 1)[0][0]


def same(theirs, ours):
    """Whether a text of DuckDB's and one of ours say the same: numbers to six digits, times in either spelling."""
    if theirs is None:
        return ours == ""
    if theirs == ours:
        return True
    try:
        return math.isclose(float(theirs), float(ours), rel_tol=1e-6, abs_tol=1e-6)
    except ValueError:
        return theirs.replace(" ", "T").removesuffix("+00") == ours.removesuffix("Z")


def difference(theirs, ours):
    """Where two answers differ; None where they do not."""
    if len(theirs) != len(ours):
        return f"{len(theirs)} rows against {len(ours)}"
    for number, (a, b) in enumerate(zip(theirs, ours), 1):
        if len(a) != len(b) or not all(same(x, y) for x, y in zip(a, b)):
            return f"row {number}: {a} against {b}"
    return None


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=pathlib.Path, required=True)
    parser.add_argument("--annals", default=str(here / "target/release/annals"))
    parser.add_argument("--studies", type=pathlib.Path, default=here / "studies")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--first", action="store_true", help="measure the first answer of a process")
    parser.add_argument("--only", nargs="*", help="studies to measure; all where none are named")
    args = parser.parse_args()

    connection = open_duckdb(args.home / "dataset", args.threads)
    turns = connection.execute("SELECT count(*) FROM turns").fetchone()[0]
    print(f"{turns:,} turns, {args.threads} threads, best of {args.runs}, DuckDB {duckdb.__version__}")
    print(f"{'study':<28} {'annals ms':>10} {'duckdb ms':>10} {'ratio':>6}  answers")
    ratios, wrong = [], 0
    for study in sorted(path.stem for path in args.studies.glob("*.sql")):
        if args.only and study not in args.only:
            continue
        sql = sql_of(args.annals, study)
        if any(function in sql for function in ON_BOARDS):
            print(f"{study:<28} left out: it counts legal turns")
            continue
        ours, our_rows = ask_annals(args.annals, args.home, study, sql, args.threads, args.runs + 1)
        theirs, their_rows = ask_duckdb(connection, sql, args.runs + 1)
        differs = difference(their_rows, our_rows)
        wrong += differs is not None
        best_ours, best_theirs = min(ours[1:]), min(theirs[1:])
        if args.first:
            runs = range(args.runs)
            best_ours = min(ask_annals(args.annals, args.home, study, sql, args.threads, 1)[0][0] for _ in runs)
            best_theirs = min(first_of_duckdb(args.home / "dataset", sql, args.threads) for _ in runs)
        ratios.append(best_ours / best_theirs)
        print(f"{study:<28} {best_ours:>10.1f} {best_theirs:>10.1f} {ratios[-1]:>6.2f}  {differs or 'equal'}")
    print(f"geometric mean of the ratios: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
