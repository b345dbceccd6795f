#!/usr/bin/env python3
"""Measures `annals ingest` beside DuckDB on the same file, in the same run.

Annals parses every row, plays every turn with full legality, and writes all its tables with their index. DuckDB only
copies the same text, as 29 columns of text, into one zstd Parquet file. Both get the same number of threads; the
rounds alternate, so that a noisy machine is noisy for both.

    pip install duckdb blake3
    cargo build --release -p annals-ingest --example ingest_archive
    python3 ingest/benches/against_duckdb.py target/release/examples/ingest_archive big.txt --threads 2
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from blake3 import blake3

DUCKDB = """
import duckdb, sys
source, target, threads = sys.argv[1:]
connection = duckdb.connect(config={"threads": int(threads)})
connection.execute("SET enable_progress_bar = false")  # a long COPY draws it on standard output
connection.execute(
    "COPY (SELECT * FROM read_csv(?, delim='\\t', header=true, all_varchar=true, quote='', escape='', "
    "max_line_size=20000000, strict_mode=false)) "
    f"TO '{target}' (FORMAT parquet, COMPRESSION zstd)", [source])
print(connection.execute(f"SELECT count(*) FROM '{target}'").fetchone()[0])
"""


def run(command, environment=None):
    """Wall seconds, CPU seconds, peak resident MiB and standard output of a command."""
    with tempfile.TemporaryFile() as out:
        begun = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        out.seek(0)
        text = out.read().decode()
    if status != 0:
        sys.exit(f"{command[0]} failed with status {os.waitstatus_to_exitcode(status)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def digest(path):
    """Wall seconds of reading a file and digesting it with BLAKE3, in pieces of 256 KiB: the floor of an ingest that finds
    nothing new."""
    begun = time.perf_counter()
    hasher = blake3()
    with open(path, "rb", buffering=0) as file:
        while piece := file.read(256 << 10):
            hasher.update(piece)
    hasher.digest()
    return time.perf_counter() - begun


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="`annals`, or the example `ingest_archive`")
    parser.add_argument("archive", help="an archive file in plain text")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", help="where to write (default: beside the archive)")
    arguments = parser.parse_args()

    folder = tempfile.mkdtemp(prefix="annals-bench-", dir=arguments.folder or os.path.dirname(os.path.abspath(arguments.archive)))
    home, copy = os.path.join(folder, "home"), os.path.join(folder, "copy.parquet")
    dataset, threads = os.path.join(home, "dataset"), str(arguments.threads)
    if os.path.basename(arguments.program).startswith("ingest_archive"):
        annals = [arguments.program, dataset, threads, arguments.archive]
    else:
        annals = [arguments.program, "--home", home, "ingest", "--threads", threads, "--json", arguments.archive]
    duckdb = [sys.executable, "-c", DUCKDB, arguments.archive, copy, threads]
    megabytes = os.path.getsize(arguments.archive) / 1e6
    with open(arguments.archive, "rb") as text:  # both begin with the file in the page cache
        while text.read(1 << 24):
            pass

    ours, theirs, again, reading = [], [], [], []
    try:
        for number in range(arguments.rounds):
            shutil.rmtree(home, ignore_errors=True)
            if os.path.exists(copy):
                os.remove(copy)
            os.sync()
            ours.append(run(annals))
            again.append(run(annals))
            reading.append(digest(arguments.archive))
            os.sync()
            theirs.append(run(duckdb))
            print(f"round {number + 1}: annals {ours[-1][0]:.2f} s, again {again[-1][0]:.2f} s, duckdb {theirs[-1][0]:.2f} s",
                  file=sys.stderr)
        summary = json.loads(ours[-1][3])
        rows = int(theirs[-1][3])
        wall = statistics.median(r[0] for r in ours)
        other = statistics.median(r[0] for r in theirs)
        counts = summary["counts"]
        print(f"archive            {megabytes:10.1f} MB, {counts['rows']} rows (duckdb: {rows}), {summary['turns']} turns")
        print(f"annals             {wall:10.2f} s wall, {statistics.median(r[1] for r in ours):.2f} s CPU, "
              f"peak {max(r[2] for r in ours):.0f} MiB, {size(dataset) / 1e6:.1f} MB written")
        print(f"                   {counts['rows'] / wall:10.0f} games/s, {summary['turns'] / wall:.0f} turns/s, {megabytes / wall:.1f} MB/s")
        print(f"annals, unchanged  {statistics.median(r[0] for r in again):10.2f} s wall; "
              f"reading and BLAKE3 alone {statistics.median(reading):.2f} s")
        print(f"duckdb             {other:10.2f} s wall, {statistics.median(r[1] for r in theirs):.2f} s CPU, "
              f"peak {max(r[2] for r in theirs):.0f} MiB, {size(copy) / 1e6:.1f} MB written")
        print(f"ratio              {wall / other:10.2f} (annals / duckdb; 1 is as fast)")
        for table in sorted(summary["dataset"]["bytes"]):
            rows, size_of = summary["dataset"]["rows"][table], summary["dataset"]["bytes"][table]
            print(f"  {table:<16} {rows:10d} rows, {size_of / 1e6:8.1f} MB, {size_of / max(rows, 1):6.1f} bytes a row")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
