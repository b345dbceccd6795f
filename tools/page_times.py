#!/usr/bin/env python3
"""Measures how fast `annals serve` answers, page by page, at a fixed rate of requests.

    tools/page_times.py --home HOME --tournament cup [--rate 200] [--seconds 10] [--annals PROGRAM]

Starts a server of the home and sends requests at fixed times, from 32 connections that stay open. A time is measured from when the request was
due, so a queue counts. The floor is a file of a few kilobytes that the server holds in memory. It prints a Markdown table with the median, the
95th percentile, the peak memory of the server, and the bytes of each page as sent (gzip). Needs Python alone.
"""

import argparse
import gzip
import html
import http.client
import json
import pathlib
import random
import re
import statistics
import subprocess
import threading
import time
import urllib.parse

CONNECTIONS = 32


class Server:
    def __init__(self, annals, home):
        begun = time.perf_counter()
        self.process = subprocess.Popen([annals, "--home", home, "serve", "--listen", "127.0.0.1:0"],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = urllib.parse.urlsplit(self.process.stdout.readline().strip()).netloc
        self.start = time.perf_counter() - begun

    def connect(self):
        return http.client.HTTPConnection(self.address, timeout=60)

    def memory(self):
        """The peak of its resident memory in MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) // 1024

    def json(self, path):
        status, body = get(self.connect(), path)
        if status != 200:
            raise SystemExit(f"{path} is answered with status {status}")
        return json.loads(gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body)


def get(connection, path):
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def measure(server, path_of, rate, seconds):
    """Seconds of each request, bytes of each answer, and the number of answers that were no page."""
    due = [i / rate for i in range(int(rate * seconds))]
    taken, sizes, failed, lock, next_one = [], [], [], threading.Lock(), iter(range(len(due)))
    begun = time.perf_counter() + 0.1

    def work():
        connection = server.connect()
        while True:
            with lock:
                i = next(next_one, None)
                path = path_of() if i is not None else None
            if i is None:
                return
            time.sleep(max(0, begun + due[i] - time.perf_counter()))
            status, body = get(connection, path)
            taken.append(time.perf_counter() - begun - due[i])
            sizes.append(len(body))
            if status != 200:
                failed.append((status, path))

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken, sizes, failed


def cold(server, paths):
    """Seconds of each path, one after the other, asked for the first time."""
    connection = server.connect()
    taken = []
    for path in paths:
        begun = time.perf_counter()
        get(connection, path)
        taken.append(time.perf_counter() - begun)
    return taken


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def links(server, path, part):
    """The addresses in a page that begin with a part of the site."""
    status, body = get(server.connect(), path)
    text = (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode()
    return [html.unescape(link) for link in re.findall(r'href="(/[^"]*)"', text) if link.startswith(part)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", required=True)
    parser.add_argument("--annals", default="target/release/annals")
    parser.add_argument("--tournament", default="cup")
    parser.add_argument("--rate", type=float, default=200, help="requests in a second")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    choose = random.Random(arguments.seed)
    server = Server(arguments.annals, arguments.home)
    try:
        begun = time.perf_counter()
        server.json("/log.json")
        verified = time.perf_counter() - begun
        select = "SELECT game_id FROM games WHERE game_id % 997 = 1 LIMIT 900"
        rows = server.json("/sql.json?" + urllib.parse.urlencode({"q": select}))["rows"]
        games = [f"/game/{row['game_id']}" for row in rows]
        logged = links(server, "/games", "/game/")
        players = links(server, "/players", "/player/")
        turns = [f"{game}?turn={turn}{side}" for game in games[:60] for turn in (3, 9, 15) for side in "gs"]
        # A short game has not all of these turns.
        turns = [turn for turn in turns if get(server.connect(), turn)[0] == 200]
        positions = [link for turn in turns[:200] for link in links(server, turn, "/explore?position=")]
        cup = f"/tournament/{arguments.tournament}"
        views = [cup] + [f"{cup}/{view}" for view in ("crosstable", "rounds", "rulings", "history")]
        work = [
            ("a file in memory (floor)", ["/assets/annals.css"]),
            ("game of the dataset", games + turns),
            ("game of the log", logged),
            ("tournament", views),
            ("player", players),
            ("explorer, warm", positions[:20]),
        ]
        first = cold(server, positions[20:])
        print(f"The server printed its address after {server.start:.2f} s, and verified the log within {verified:.2f} s. "
              f"{arguments.rate:.0f} requests a second for {arguments.seconds:.0f} s each.\n")
        print("| page | median | 95th percentile | of the floor | most bytes |\n| --- | --- | --- | --- | --- |")
        floor = None
        for name, paths in work:
            if not paths:
                print(f"| {name} | none in this home | | | |")
                continue
            for path in paths[:20]:
                get(server.connect(), path)
            taken, sizes, failed = measure(server, lambda: choose.choice(paths), arguments.rate, arguments.seconds)
            if failed:
                raise SystemExit(f"{len(failed)} answers were no page; the first is {failed[0]}")
            middle, high = statistics.median(taken), percentile(taken, 0.95)
            floor = floor or high
            print(f"| {name} | {middle * 1000:.1f} ms | {high * 1000:.1f} ms | {high / floor:.1f} | {max(sizes):,} |", flush=True)
        if first:
            print(f"| explorer, first time, one by one | {statistics.median(first) * 1000:.1f} ms "
                  f"| {percentile(first, 0.95) * 1000:.1f} ms | | |")
        print(f"\nPeak memory of the server: {server.memory()} MiB.")
    finally:
        server.process.terminate()


if __name__ == "__main__":
    main()
