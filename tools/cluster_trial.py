#!/usr/bin/env python3
"""Ingests a large archive in four shards into an S3 server on this machine, and asks every study on two workers.

    tools/cluster_trial.py [PART...] [--games N] [--program FILE] [--folder DIR]

Parts, by default all in this order:
    ingest      synthesizes an archive of eight files, and ingests it at once into the folder, to compare with
    shards      ingests it in four shards into a fresh S3 server, two at a time, and finishes; the dataset must be the same.
                Then two workers answer every study there, and one of them is killed during a query
    efficiency  times the heaviest studies of the dataset in the folder on one core and on two workers with a core each, in turn

It prints a table of times, and ends with status 1 if a part failed or an answer differs. Needs moto[server] and pyarrow.
"""

import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pyarrow
from trial import ADDRESS, answer, run_parts, s3_server, turns

import annals
from annals import arrow

FILES = 8
SHARDS = 4
TOKEN = "0123456789abcdef-trial"
HEAVY = """
SELECT count(*) AS games, sum(g.turns) AS turns, sum(g.letters) AS letters
FROM (SELECT game_id, count(*) AS turns, sum(length(steps)) AS letters FROM turns GROUP BY game_id) AS g
"""


def archive(trial):
    """The folder of the files of games."""
    return trial.folder / "archive"


def ingest(trial):
    """One dataset of all files."""
    archive(trial).mkdir(exist_ok=True)
    each = trial.games // FILES

    def synthesize():
        for file in range(FILES):
            name, first = archive(trial) / f"games{file}.txt", 1_000_000 + file * each
            trial.run("synthesize", "--games", each, "--seed", file + 1, "--first-id", first, "--force", "-o", name)
        size = sum(file.stat().st_size for file in archive(trial).iterdir())
        return f"{each * FILES:,} games, {size / 1e6:,.0f} MB"

    def store():
        _, memory = measured(trial.home.command("ingest", str(archive(trial))))
        return f"{turns(trial.home):,} turns, {memory} MiB"

    trial.time(f"synthesize {FILES} files", synthesize)
    trial.time("ingest at once", store)


def shards(trial):
    """The same dataset by shards at an address, and its studies on workers."""
    trial.needs("--shard", "ingest")
    plan = trial.folder / "plan.json"
    plan.unlink(missing_ok=True)
    with s3_server(trial.folder):
        trial.time("plan", lambda: trial.run("ingest", archive(trial), "--plan", plan, "--address", ADDRESS))
        begun = time.monotonic()
        for first in range(1, SHARDS + 1, 2):
            numbers = range(first, min(first + 2, SHARDS + 1))
            running = [threading.Thread(target=shard, args=(trial, plan, number)) for number in numbers]
            for thread in running:
                thread.start()
            for thread in running:
                thread.join()
        trial.report(f"{SHARDS} shards, two at a time", time.monotonic() - begun)
        begun = time.monotonic()
        printed, memory = measured(trial.home.command("ingest", "--finish", str(plan), "--json"))
        finished = json.loads(printed)
        trial.report("finish", time.monotonic() - begun, f"{memory} MiB")
        whole = json.loads((trial.folder / "home/dataset/manifest.json").read_text())["checksum"]
        if finished["digest"] != whole:
            trial.fail("digest of the dataset", f"{finished['digest']}, expected {whole}")
        trial.report("digest of the dataset", figure=f"{whole[:16]}…, as ingested at once")
        on_workers(trial)


def shard(trial, plan, number):
    """Runs one shard with one thread, in a home of its own."""
    home = annals.open(trial.folder / f"shard-{number}", program=trial.program)
    words = ["ingest", "--plan", str(plan), "--shard", f"{number}/{SHARDS}", "--threads", "1", "--json"]
    begun = time.monotonic()
    try:
        printed, memory = measured(home.command(*words))
        figure = f"{json.loads(printed)['turns']:,} turns, {memory} MiB"
        trial.report(f"shard {number}/{SHARDS}", time.monotonic() - begun, figure)
    except subprocess.CalledProcessError as error:
        trial.fail(f"shard {number}/{SHARDS}", error)


def measured(command):
    """Runs a command; returns what it prints, and its peak of memory in MiB."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return printed, used.ru_maxrss // 1024


@contextmanager
def workers(trial, count, cores=False, options=()):
    """Worker processes, and their addresses."""
    os.environ["ANNALS_TOKEN"] = TOKEN
    processes, addresses = [], []
    try:
        for number in range(count):
            pinned = ["taskset", "-c", str(number)] if cores else []
            command = [*pinned, trial.program, "--home", str(trial.folder / f"worker-{number}"), "worker"]
            process = subprocess.Popen([*command, "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE, text=True)
            processes.append(process)
            addresses.append(process.stdout.readline().strip())
        yield processes, addresses
    finally:
        for process in processes:
            process.kill()
            process.wait()
        os.environ.pop("ANNALS_TOKEN")


class Distributed(annals.Home):
    """A home whose queries and studies run on workers."""

    def __init__(self, home, addresses):
        super().__init__(home.location, program=home._program)
        self.addresses = ",".join(addresses)

    def command(self, *words):
        """The command line, with the workers."""
        first = 2 if words[0] == "study" else 1
        return super().command(*words[:first], "--workers", self.addresses, *words[first:])


def same(one, other):
    """Whether two answers are equal; sums of floating-point numbers depend on their order, and differ in the last digits."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    if one.schema.names != other.schema.names or one.num_rows != other.num_rows:
        return False
    return all(map(same_column, one.columns, other.columns))


def same_column(one, other):
    """Whether two columns are equal, but for the last digits."""
    if not pyarrow.types.is_floating(one.type):
        return one.equals(other)
    pairs = zip(one.to_pylist(), other.to_pylist(), strict=True)
    return all(a == b or None not in (a, b) and math.isclose(a, b, rel_tol=1e-9) for a, b in pairs)


def on_workers(trial):
    """Every study of the dataset at the address on two workers; then a query of which one worker is killed."""
    here, there = trial.home, annals.open(ADDRESS, program=trial.program)
    names = [study["name"] for study in here.json("study", "list")]
    with workers(trial, 2) as (processes, addresses):
        begun = time.monotonic()
        for name in names:
            if not same(answer(here, name), answer(Distributed(there, addresses), name)):
                trial.fail(f"study {name}", "the answers differ")
        trial.report(f"{len(names)} studies on two workers, and here", time.monotonic() - begun, "equal answers")
        query = Distributed(there, addresses).command("query", "--format", "arrow", HEAVY)
        begun = time.monotonic()
        alone = arrow.table(query).to_pylist()
        whole = time.monotonic() - begun
        trial.report("a heavy query on two workers", whole)
        if alone != here.sql(HEAVY).arrow().to_pylist():
            trial.fail("a heavy query on two workers", "the answers differ")
        timer = threading.Timer(whole / 2, processes[1].send_signal, [signal.SIGKILL])
        timer.start()
        begun = time.monotonic()
        try:
            outcome = "the right answer" if arrow.table(query).to_pylist() == alone else "WRONG"
        except annals.Error as error:
            outcome = f"a clean error: {error.error}"
        if outcome == "WRONG":
            trial.fail("one of two workers killed during it", "another answer")
        trial.report("one of two workers killed during it", time.monotonic() - begun, outcome)


def efficiency(trial):
    """The heaviest studies on one core, which a query with one worker has too, and on two workers of a core each: three runs of both in
    turn, of which the medians count. Two cores of a machine can be slower than one twice, so the same study on both cores at once, in two
    programs that share nothing, gives the most that can be had."""
    here = trial.home
    alone, beside = Pinned(here, 0), Pinned(here, 1)
    names = [study["name"] for study in here.json("study", "list")]
    seconds = {name: timed(alone, name) for name in names}
    heavy = sorted(names, key=seconds.get, reverse=True)[:4]
    one, two, both, used = ({name: [] for name in heavy} for _ in range(4))
    with workers(trial, 2, cores=True) as (processes, addresses):
        home = Distributed(here, addresses)
        for _, name in itertools.product(range(3), heavy):
            one[name].append(timed(alone, name))
            before = processor(processes)
            two[name].append(timed(home, name))
            used[name].append(processor(processes) - before)
            with concurrent.futures.ThreadPoolExecutor() as pool:
                both[name].append(max(pool.map(timed, (alone, beside), (name, name))))
    for name in heavy:
        core, pair, shared = (statistics.median(times[name]) for times in (one, two, both))
        where = f"{statistics.median(used[name]):.1f} s of processor in the workers"
        most = f"of {2 * core / shared:.2f} that two separate programs give"
        trial.report(f"study {name}", pair, f"{core:.2f} s on one core, {core / pair:.2f} times as fast, {most}; {where}")


def processor(processes):
    """The seconds of processor that processes have used."""
    fields = (pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split() for process in processes)
    return sum(int(user) + int(system) for *_, user, system in (words[:13] for words in fields)) / os.sysconf("SC_CLK_TCK")


class Pinned(annals.Home):
    """A home whose studies run on one core."""

    def __init__(self, home, core):
        super().__init__(home.location, program=home._program)
        self.core = core

    def command(self, *words):
        """The command line, on the core with one thread."""
        return ["taskset", "-c", str(self.core), *super().command(*words, "--threads", "1")]


def timed(home, name):
    """The seconds of a study."""
    begun = time.monotonic()
    answer(home, name)
    return time.monotonic() - begun


PARTS = {part.__name__: part for part in (ingest, shards, efficiency)}

if __name__ == "__main__":
    sys.exit(run_parts(PARTS, __doc__, "target/cluster-trial"))
