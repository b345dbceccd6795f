#!/usr/bin/env python3
"""Measures how fast `annals serve --flight-sql` sends rows of `turns` into pyarrow on this machine.

    tools/flight_speed.py --home HOME --year 2015 [--year YEAR ...] [--rounds 5] [--annals PROGRAM]

Starts a server of the home and reads the turns of the years through the ADBC driver into one table of pyarrow: all columns, and six of them.
The floor is the same columns of the same Parquet files, which pyarrow reads alone. Both alternate; it prints a Markdown table with the best
and the slowest round. Needs the packages adbc-driver-flightsql, adbc-driver-manager and pyarrow.
"""

import argparse
import json
import pathlib
import subprocess
import time

import adbc_driver_flightsql.dbapi as flightsql
import pyarrow
import pyarrow.parquet

SIX = ["game_id", "ply", "to_move", "hash_after", "g_rabbits", "s_rabbits"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", required=True)
    parser.add_argument("--year", type=int, action="append", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--annals", default="target/release/annals")
    options = parser.parse_args()
    dataset = pathlib.Path(options.home, "dataset")
    listed = json.loads((dataset / "manifest.json").read_text())["files"]
    paths = [dataset / file["path"] for file in listed if file["table"] == "turns" and file["year"] in options.year]
    command = [options.annals, "--home", options.home, "serve", "--listen", "127.0.0.1:0", "--flight-sql", "127.0.0.1:0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        server.stdout.readline()
        connection = flightsql.connect(server.stdout.readline().strip(), autocommit=True)
        print("| columns | rows | MB in Arrow | Flight SQL, million rows/s (slowest) | Parquet alone (slowest) | ratio |")
        print("| --- | --- | --- | --- | --- | --- |")
        for words, columns in [("all", None), ("six", SIX)]:
            measure(words, columns, connection, paths, options)
        connection.close()
    finally:
        server.terminate()
        server.wait()


def measure(words, columns, connection, paths, options):
    years = ", ".join(map(str, options.year))
    sql = f"SELECT {', '.join(columns) if columns else '*'} FROM turns WHERE year IN ({years})"
    sent, alone = [], []
    for _ in range(options.rounds):
        begun = time.perf_counter()
        with connection.cursor() as cursor:
            cursor.execute(sql)
            table = cursor.fetch_arrow_table()
        sent.append(table.num_rows / (time.perf_counter() - begun))
        rows, size = table.num_rows, table.nbytes
        del table
        begun = time.perf_counter()
        tables = [pyarrow.parquet.read_table(path, columns=columns, partitioning=None) for path in paths]
        table = pyarrow.concat_tables(tables)
        alone.append(table.num_rows / (time.perf_counter() - begun))
        assert table.num_rows == rows, (table.num_rows, rows)
        del table, tables
    figures = [f"{max(all) / 1e6:.2f} ({min(all) / 1e6:.2f})" for all in (sent, alone)]
    print(f"| {words} | {rows:,} | {size / 1e6:,.0f} | {figures[0]} | {figures[1]} | {max(sent) / max(alone):.2f} |")


if __name__ == "__main__":
    main()
