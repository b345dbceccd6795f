#!/usr/bin/env python3
"""Measures how fast `annals serve` answers, page by page, at a fixed rate of requests.

    tools/page_times.py --home HOME --tournament cup [--rate 200] [--seconds 10] [--annals PROGRAM]

Starts a server of the home and sends requests at fixed times, from 32 connections that stay open. A time is measured from when the request was
due, so a queue counts. The floor is a file of a few kilobytes that the server holds in memory. "First" are pages of which hardly one is requested
twice; "again" are a few pages that the server has made before. It prints a Markdown table with the median, the 95th percentile, the peak memory of
the server, and the bytes of the heaviest page with its assets as sent (gzip). Needs Python alone.
"""

import argparse
import gzip
import html
import http.client
import json
import os
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

    def used(self):
        """Seconds of processor."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def wait(self):
        """Until it has read in the background what it keeps: it uses no processor for a second."""
        begun, before = time.perf_counter(), -1
        while (now := self.used()) > before + 0.02:
            before = now
            time.sleep(1)
        return time.perf_counter() - begun

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


def text_of(server, path):
    status, body = get(server.connect(), path)
    return (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode()


def links(server, path, part):
    """The addresses in a page that begin with a part of the site."""
    found = re.findall(r'(?:href|src)="(/[^"]*)"', text_of(server, path))
    return [html.unescape(link) for link in found if link.startswith(part)]


def assets(server, path):
    """Bytes of the files that a page loads, as sent."""
    return sum(len(get(server.connect(), link)[1]) for link in set(links(server, path, "/assets/")))


def rows(server, select):
    return server.json("/sql.json?" + urllib.parse.urlencode({"q": select}))["rows"]


def quoted(name):
    return urllib.parse.quote(str(name), safe="")


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
        head = server.json("/log.json")["head"]["seq"]
        verified = time.perf_counter() - begun
        begun = time.perf_counter()
        setups = get(server.connect(), "/explore")
        started = time.perf_counter() - begun
        prepared = server.wait() + started + verified
        idle = server.memory()
        games = [f"/game/{row['game_id']}" for row in rows(server, "SELECT game_id FROM games WHERE game_id % 53 = 1 LIMIT 20000")]
        logged = rows(server, "SELECT DISTINCT stream FROM events WHERE type = 'game.started' LIMIT 20000")
        logged = [f"/game/{quoted(row['stream'].removeprefix('game/'))}" for row in logged]
        players = [f"/player/{quoted(row['name'])}" for row in rows(server, "SELECT name FROM players ORDER BY games DESC LIMIT 20000")]
        for paths in (games, logged, players):
            choose.shuffle(paths)
        turns = [f"{game}?turn={turn}{side}" for game in games[:60] for turn in (3, 9, 15) for side in "gs"]
        # A short game has not all of these turns.
        turns = [turn for turn in turns if get(server.connect(), turn)[0] == 200]
        positions = [link for turn in turns for link in links(server, turn, "/explore?position=")]
        fresh = positions[len(positions) // 2:]
        cup = f"/tournament/{arguments.tournament}"
        views = [cup] + [f"{cup}/{view}" for view in ("crosstable", "rounds", "rulings", "history")]
        times = [f"2015-03-{day:02}T{hour:02}:{minute:02}" for day in range(1, 8) for hour in range(24) for minute in range(0, 60, 5)]
        earlier = [f"{cup}?as_of={time}" for time in times]
        choose.shuffle(earlier)
        work = [
            ("a file in memory (floor)", ["/assets/annals.css"]),
            ("game of the dataset, first", games),
            ("game of the dataset, again", turns[:20]),
            ("game of the log, first", logged),
            ("standings at any time, first", earlier),
            ("five views of a tournament, again", views),
            ("player, first", players),
            ("player, again", players[:20]),
            ("explorer, first", fresh),
            ("explorer, again", ["/explore"] + positions[:20]),
        ]
        used = server.used()
        one_by_one = cold(server, positions[20:len(positions) // 2])
        used_cold = (server.used() - used) / max(1, len(one_by_one))
        print(f"The server printed its address after {server.start:.2f} s, verified the log of {head:,} events within {verified:.1f} s, and was "
              f"prepared after {prepared:.0f} s; the explorer's first page (status {setups[0]}) came after {started:.1f} s. "
              f"{arguments.rate:.0f} requests a second for {arguments.seconds:.0f} s each.\n")
        print("| page | median | 95th percentile | of the floor | processor time of one | most bytes with assets |\n"
              "| --- | --- | --- | --- | --- | --- |")
        floor = None
        for name, paths in work:
            if not paths:
                print(f"| {name} | none in this home | | | | |")
                continue
            if not name.endswith("first"):
                for path in paths:
                    get(server.connect(), path)
            order = iter(paths) if name.endswith("first") and len(paths) >= arguments.rate * arguments.seconds else None
            used = server.used()
            taken, sizes, failed = measure(server, lambda: next(order) if order else choose.choice(paths), arguments.rate, arguments.seconds)
            if failed:
                raise SystemExit(f"{len(failed)} answers were no page; the first is {failed[0]}")
            used = (server.used() - used) / len(taken)
            middle, high = statistics.median(taken), percentile(taken, 0.95)
            floor = floor or high
            most = max(sizes) + (assets(server, paths[0]) if not paths[0].startswith("/assets/") else 0)
            print(f"| {name} | {middle * 1000:.1f} ms | {high * 1000:.1f} ms | {high / floor:.1f} "
                  f"| {used * 1000:.1f} ms | {most:,} |", flush=True)
        if one_by_one:
            print(f"| explorer, first, one by one | {statistics.median(one_by_one) * 1000:.1f} ms "
                  f"| {percentile(one_by_one, 0.95) * 1000:.1f} ms (longest {max(one_by_one) * 1000:.1f} ms) | | {used_cold * 1000:.1f} ms | |")
        print(f"\nMemory of the server: {idle} MiB after preparing, at most {server.memory()} MiB.")
    finally:
        server.process.terminate()


if __name__ == "__main__":
    main()
