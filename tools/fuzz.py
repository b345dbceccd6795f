#!/usr/bin/env python3
"""Fuzzes readers of Annals by coverage, and prints what each target ran.

    tools/fuzz.py [TARGET...] [--sql] [--runs N] [--seconds N] [--memory MIB] [--timeout N] [--corpus DIR]
    tools/fuzz.py TARGET --replay FILE
    tools/fuzz.py --list

The crate `fuzz` has the targets, and makes the seeds of their corpora. The targets run one after the other. The first
finding ends a target; its input is kept in the folder `findings` next to the corpora. The status is 1 if there is a
finding, and 2 if a target cannot be built or run. Needs a C++ compiler.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CRATE = ROOT / "fuzz"
PLATFORM = "x86_64-unknown-linux-gnu"
# What cargo-fuzz sets with a nightly toolchain, without the sanitizer.
FLAGS = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg fuzzing",
    "-Ccodegen-units=1",
]
BINS = tomllib.loads((CRATE / "Cargo.toml").read_text())["bin"]
TARGETS = [bin["name"] for bin in BINS if bin["path"].startswith("targets/")]
WITH_SQL = {bin["name"] for bin in BINS if "sql" in bin.get("required-features", [])}
LINE = "{:<16} {:>13} {:>9} {:>7} {:>8} {:>9}  {}"


class CannotRun(Exception):
    """A target that cannot be built, or that ends without figures."""


def target_folder():
    """The folder of builds, shared with the workspace unless the caller names one."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()


def build(targets):
    """Builds targets; returns the folder of the programs of each."""
    with_sql = [target for target in targets if target in WITH_SQL]
    others = [target for target in targets if target not in WITH_SQL]
    flags = " ".join(FLAGS)
    programs = {}
    if others:
        programs |= dict.fromkeys(others, compiled("release", others, {"RUSTFLAGS": flags}))
    if with_sql:
        wrapper = {"RUSTC_WRAPPER": str(CRATE / "rustc.sh"), "ANNALS_FUZZ_FLAGS": flags}
        programs |= dict.fromkeys(with_sql, compiled("sql", with_sql, wrapper, "--features", "sql"))
    return programs


def compiled(profile, targets, environment, *options):
    """Compiles targets and the program that writes seeds; returns their folder."""
    folder = target_folder() / "fuzz"
    command = ["cargo", "build", "--profile", profile, "--locked", "--target", PLATFORM, "--target-dir", folder, *options]
    for name in ["seeds", *targets]:
        command += ["--bin", name]
    if subprocess.run(command, cwd=CRATE, env={**os.environ, **environment}, check=False).returncode != 0:
        raise CannotRun("the targets cannot be built")
    return folder / PLATFORM / profile


def last(pattern, text):
    """The number of the last match."""
    found = re.findall(pattern, text)
    return int(found[-1]) if found else None


def run(target, programs, given, scratch):
    """Runs one target; returns whether it found something."""
    kept = (given.corpus or target_folder() / "fuzz").resolve()
    corpus, seeds, findings = kept / "corpus" / target, scratch / target, kept / "findings" / target
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    words = scratch / f"{target}.words"
    environment = {**os.environ, "TMPDIR": str(scratch)}
    subprocess.run([programs / "seeds", target, seeds, words], check=True, env=environment, stdout=subprocess.DEVNULL)
    limits = [f"-rss_limit_mb={given.memory}", f"-timeout={given.timeout}", f"-max_len={given.max_len}"]
    amount = [f"-max_total_time={given.seconds}"] if given.seconds else [f"-runs={given.runs}"]
    options = [f"-artifact_prefix={findings}/", "-print_final_stats=1"]
    if words.stat().st_size > 0:
        options.append(f"-dict={words}")
    command = [programs / target, *limits, *amount, *options, corpus, seeds]
    began = time.monotonic()
    process = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = process.stdout.decode(errors="replace")
    (kept / f"{target}.log").write_text(text)
    seconds = time.monotonic() - began
    inputs = last(r"stat::number_of_executed_units:\s*(\d+)", text)
    if inputs is None:
        raise CannotRun(f"{target} ended without figures; see {kept / f'{target}.log'}")
    figures = [
        inputs,
        round(inputs / seconds),
        last(r"\bcov: (\d+)", text) or 0,
        last(r"\bft: (\d+)", text) or 0,
        last(r"stat::peak_rss_mb:\s*(\d+)", text) or 0,
    ]
    found = re.findall(r"Test unit written to (\S+)", text)
    outcome = "no finding" if process.returncode == 0 else f"FOUND {what_failed(text)}"
    print(LINE.format(target, *(f"{figure:,}" for figure in figures), outcome), flush=True)
    if process.returncode != 0 and found:
        print(f"    replay it: tools/fuzz.py {target} --replay {found[-1]}", flush=True)
    return process.returncode != 0


def what_failed(text):
    """The panic, or what libFuzzer reports."""
    panic = re.search(r"thread .* panicked at (.*):\n(.*)", text)
    if panic:
        return f"panic at {panic[1]}: {panic[2][:160]}"
    error = re.search(r"ERROR: libFuzzer: (.*)", text)
    return error[1] if error else "no reason; see its log"


def main():
    """Builds and runs."""
    description, usage, *more = __doc__.split("\n\n")
    parser = argparse.ArgumentParser(
        description=description, usage=usage.replace("    tools", "tools", 1), epilog="\n\n".join(more),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="target, by default all that do not need DataFusion")
    parser.add_argument("--sql", action="store_true", help="by default also those that need DataFusion, which takes long to build")
    parser.add_argument("--list", action="store_true", help="print the names of the targets")
    parser.add_argument("--runs", type=int, default=100_000, help="inputs per target [default: 100000]")
    parser.add_argument("--seconds", type=int, help="seconds per target, instead of a number of inputs")
    parser.add_argument("--memory", type=int, default=1024, help="largest memory, in MiB [default: 1024]")
    parser.add_argument("--timeout", type=int, default=10, help="longest time of one input, in seconds [default: 10]")
    parser.add_argument("--max-len", type=int, default=8192, help="longest input, in bytes [default: 8192]")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="folder of the corpora and findings [default: target/fuzz]")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="run one input, and print what it does")
    given = parser.parse_args()
    if given.list:
        print("\n".join(TARGETS))
        return 0
    unknown = [target for target in given.targets if target not in TARGETS]
    if unknown:
        parser.error(f"`{unknown[0]}` is not a target; there are {', '.join(TARGETS)}")
    if given.replay and len(given.targets) != 1:
        parser.error("--replay needs one TARGET")
    targets = given.targets or [target for target in TARGETS if given.sql or target not in WITH_SQL]
    programs = build(targets)
    # The files of a target are in memory, where the machine has such a folder.
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="annals-fuzz-", dir=memory if memory.is_dir() else None) as scratch:
        if given.replay:
            command = [programs[targets[0]] / targets[0], f"-timeout={given.timeout}", f"-rss_limit_mb={given.memory}", given.replay]
            status = subprocess.run(command, env={**os.environ, "TMPDIR": scratch}, check=False).returncode
            return 0 if status == 0 else 1
        print(LINE.format("target", "inputs", "per s", "edges", "features", "MiB", "outcome"), flush=True)
        found = [run(target, programs[target], given, Path(scratch)) for target in targets]
    return 1 if any(found) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CannotRun, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
