#!/usr/bin/env python3
"""Puts faults into a copy of the sources, one at a time, and prints how many seeds of a test find each.

    tools/planted_faults.py [NAME-PART...] [--seeds N] [--timeout N]
    tools/planted_faults.py --check
    tools/planted_faults.py --list

A NAME-PART selects the faults whose name contains it. The copy has the tracked files as they are, with changes that
are not committed. It is built in the folder `planted-faults` of the target folder. The status is 1 if a fault is not
found or does not compile, and 2 if the tests cannot be run. Needs Linux on x86-64, and Python 3.9.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/explanation/safety.md"


@dataclass(frozen=True)
class Suite:
    """A test of many seeds, which fails at the first seed with a finding."""

    package: str
    test: str
    filter: str
    # The folder of the sources that have the faults.
    sources: str


@dataclass(frozen=True)
class Edit:
    """A text that occurs once in a file, and what takes its place."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Fault:
    """Edits that together are one fault. The name is that of the row in the documentation."""

    name: str
    suite: str
    edits: tuple[Edit, ...]


SUITES = {
    "one": Suite("annals-store", "store", "simulation::one", "store/src"),
    "several": Suite("annals-store", "store", "simulation::several", "store/src"),
    "publication": Suite("annals-ingest", "ingest", "publication_faults::", "ingest/src"),
}


def fault(name, *edits, suite="one"):
    """A fault of edits (file in the folder of its suite, old text, new text)."""
    sources = SUITES[suite].sources
    return Fault(name, suite, tuple(Edit(f"{sources}/{file}", old, new) for file, old, new in edits))


FAULTS = [
    fault(
        "the commit is not synced before the anchor",
        ("connection.rs", '"synchronous", "FULL"', '"synchronous", "NORMAL"'),
    ),
    fault(
        "the anchor is not synced",
        ("anchor.rs", 'self.file.sync_data().map_err(|e| Fault::sync(&self.path, "syncing the anchor", &e))?;', ""),
    ),
    fault(
        "a stored tree with a flipped bit is accepted, and anchored by the next append",
        ("tail.rs", "if tree == tail.tree {", "if tree.size() == tail.tree.size() {"),
        ("verify/mod.rs", "Some(tree) if *tree == tail.tree => {}", "Some(tree) if tree.size() == tail.tree.size() => {}"),
    ),
    fault(
        "a clock that is 400 days ahead is accepted",
        ("confirm.rs", "LONGEST_PAUSE: Micros = 366 * 86_400_000_000;", "LONGEST_PAUSE: Micros = 500 * 86_400_000_000;"),
    ),
    fault(
        "any earlier confirmation of the clock counts for a clock that is behind",
        ("confirm.rs", "let is_confirmed = confirmed.is_some_and(", "let is_confirmed = confirmed.is_some() || confirmed.is_some_and("),
    ),
    fault(
        "receipts after the end of the log are not compared after an accepted loss",
        (
            "verify/witnesses.rs",
            "for receipt in kept {",
            """let losses = crate::outside::recorded_losses(&self.connection);
        kept.retain(|receipt| receipt.seq <= last || losses.as_ref().is_ok_and(Vec::is_empty));
        for receipt in kept {""",
        ),
    ),
    fault(
        "a repeated append is acknowledged in another place",
        (
            "place.rs",
            "Ok(Placed { first_seq, last_seq, recorded_at, repeated: true })",
            "Ok(Placed { first_seq: first_seq - 1, last_seq: last_seq - 1, recorded_at, repeated: true })",
        ),
    ),
    fault(
        "the digest of a backup is not compared",
        ("comparison.rs", 'Ok((digest, _)) if stated == format!("{digest}  {name}\\n") => None,', "Ok(_) => None,"),
    ),
    fault(
        "an accepted loss is not recorded",
        (
            "loss.rs",
            "let appended = log.append(&Transaction::of(events))?;",
            """drop(Transaction::of(events));
        if let Some(writing) = &mut log.writing {
            writing.anchor.advance(&tail.line(id, epoch))?;
        }""",
        ),
        ("loss.rs", "(appended.last_seq, known.seq(), tail.seq)", "(tail.seq, known.seq(), tail.seq)"),
    ),
    fault(
        "`verify` does not compare the hash of every fifth event",
        (
            "verify/chunk.rs",
            "let mut good = follows_stored == Some(event.hash);",
            "let mut good = follows_stored == Some(event.hash) || event.seq.is_multiple_of(5);",
        ),
    ),
    fault(
        "salvage leaves out an event",
        ("salvage/mod.rs", "next = link.seq + 1;", "next = link.seq + 1;\n            if link.seq == 3 {\n                continue;\n            }"),
    ),
    fault(
        "a failure to write, to sync or to find the anchor is ignored",
        ("append.rs", "if let Err(fault) = anchored {", "if let Err(fault) = anchored.or(Ok::<(), Fault>(())) {"),
    ),
    fault(
        "the line that another process left in the anchor is not synced before it counts",
        (
            "anchor.rs",
            """            anchor.make_newest_safe()?;
            match anchor.content.newest() {
                Some(newest) if newest.epoch > line.epoch => Err(anchor.replaced("a loss was accepted")),
                Some(newest) if newest.order() >= line.order() => Ok(()),
                _ => anchor.write_other(line),
            }""",
            """            match anchor.content.newest() {
                Some(newest) if newest.epoch > line.epoch => Err(anchor.replaced("a loss was accepted")),
                Some(newest) if newest.order() >= line.order() => Ok(()),
                _ => anchor.make_newest_safe().and_then(|()| anchor.write_other(line)),
            }""",
        ),
    ),
    fault(
        "a repeated append is acknowledged without a sync",
        ("append.rs", "} else if placed.iter().any(Result::is_ok) {", "} else if false {"),
    ),
    fault(
        "a backup can get its name on the disk before its digest has one",
        (
            "sealing.rs",
            "        // The copy's name must not be durable before the others.\n        sync_folder_of(&self.to)?;\n",
            "",
        ),
    ),
    fault(
        "the anchor of an open writer may be replaced (mended here)",
        ("anchor.rs", "if !has_name(&self.file, &self.path) {", "if false && !has_name(&self.file, &self.path) {"),
        ("anchor.rs", "Some(newest) if newest.epoch > line.epoch =>", "Some(newest) if false && newest.epoch > line.epoch =>"),
    ),
    fault(
        "an interrupted acceptance counts no loss (mended here)",
        ("loss.rs", "AnchorLine { epoch: next, log: id", "AnchorLine { epoch: 0, log: id"),
    ),
    fault(
        "the names of new files are not synced",
        ("fault.rs", "if cfg!(unix) {", "if cfg!(not(unix)) {"),
    ),
    fault(
        "missing acknowledged events are not reported",
        ("outside.rs", "if newest.seq() > inside.last {", "if false {"),
    ),
    fault(
        "the newest line of the anchor is overwritten in its place",
        ("anchor.rs", "map_or(0, |newest| 1 - newest)", "unwrap_or(0)"),
    ),
    fault(
        "a writer writes over a line of the anchor while the newest one, of another process, is not synced",
        (
            "anchor.rs",
            "anchor.make_newest_safe()?;\n            match anchor.content.newest() {\n                Some(newest) if newest.epoch",
            "match anchor.content.newest() {\n                Some(newest) if newest.epoch",
        ),
        ("anchor.rs", "Some(newest) if newest.order() >= line.order() => Ok(())", "Some(newest) if newest.order() >= line.order() => anchor.make_newest_safe()"),
        suite="several",
    ),
    fault(
        "a process writes a line of the anchor without the lock",
        (
            "anchor.rs",
            "wait_for(&self.path, || self.file.try_lock())?;\n        let result = self.look()",
            "let result = self.look()",
        ),
        suite="several",
    ),
    fault(
        "a writer does not notice that another process has appended",
        ("append.rs", "if writing.seen_in == Some(version) {", "if writing.seen_in.is_some() {"),
        suite="several",
    ),
    fault(
        "two processes refuse each other that open a backup which was put back (mended here)",
        ("connection.rs", "Err(error) if is_busy(&error) && since", "Err(error) if false && is_busy(&error) && since"),
        suite="several",
    ),
    fault(
        "a publisher takes the manifest of another for its own",
        ("location/publish.rs", "Ok(found) if found.commit == published.commit => Ok(()),", "Ok(_) => Ok(()),"),
        suite="publication",
    ),
    fault(
        "a publisher writes the manifest before the files",
        ("location/publish.rs", "let (copied, present) = copy(to, &uploads, &progress)?;", "let copied_now = || copy(to, &uploads, &progress);"),
        ("location/publish.rs", "    {\n        return Ok(Publication { number: last_number", "    {\n        let (copied, present) = copied_now()?;\n        return Ok(Publication { number: last_number"),
        ("location/publish.rs", "create(to, &published)?;\n    Ok(", "create(to, &published)?;\n    let (copied, present) = copied_now()?;\n    Ok("),
        suite="publication",
    ),
    fault(
        "a publisher writes over an earlier manifest",
        ("location/objects.rs", "PutMode::Create.into()", "PutMode::Overwrite.into()"),
        suite="publication",
    ),
    fault(
        "a publisher counts a shortened file as present",
        ("location/upload.rs", "let is_there = to.size(&upload.entry.object).await? == Some(upload.bytes);", "let is_there = to.size(&upload.entry.object).await?.is_some();"),
        suite="publication",
    ),
    fault(
        "the last manifest is overlooked",
        ("location/newest.rs", ".max().unwrap_or(0)))", ".max().unwrap_or(0).saturating_sub(1)))"),
        suite="publication",
    ),
]


class Stale(Exception):
    """A fault that no longer fits the sources."""


class CannotRun(Exception):
    """Tests that cannot be built or run, whatever the fault."""


def planted(fault, root):
    """The files of a fault with its edits."""
    texts = {}
    for edit in fault.edits:
        text = texts.get(edit.file)
        if text is None:
            path = root / edit.file
            text = path.read_text() if path.is_file() else ""
        count = text.count(edit.old)
        if count != 1:
            first = edit.old.strip().splitlines()[0]
            raise Stale(
                f"{edit.file}: expected the text of the fault `{fault.name}` once, found it {count} times\n"
                f"  reason: the file has changed since; the text begins with `{first}`\n"
                f"  hint: change the fault in tools/planted_faults.py, and run `tools/planted_faults.py {shlex.quote(fault.name)}`"
            )
        texts[edit.file] = text.replace(edit.old, edit.new)
    return texts


def check():
    """Whether every fault can be put into the sources, and has its row in the documentation."""
    problems = []
    page = (ROOT / PAGE).read_text()
    for fault in FAULTS:
        try:
            planted(fault, ROOT)
        except Stale as problem:
            problems.append(str(problem))
        if f"\n| {fault.name} | " not in page:
            problems.append(
                f"{PAGE}: expected a row of the fault `{fault.name}`, found none\n"
                "  hint: `tools/planted_faults.py --list` prints the names"
            )
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return not problems


def copy_of_sources(to):
    """Copies the tracked files. Their times are those of the copy, so that no build of an earlier copy counts."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)


def folder():
    """Where the copy is built."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "planted-faults"


def cargo(suite, copy, seeds, timeout, *options):
    """Runs `cargo test`; returns its status, none after the time, and its output."""
    environment = {name: value for name, value in os.environ.items() if name not in ("ANNALS_SEED", "ANNALS_FIRST_SEED")}
    environment |= {"CARGO_TARGET_DIR": str(folder()), "ANNALS_SEEDS": str(seeds)}
    command = ["cargo", "test", "--quiet", "--locked", "-p", suite.package, "--test", suite.test, *options]
    # A process group of its own, so that the test and its processes end with it.
    process = subprocess.Popen(
        command, cwd=copy, env=environment, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def outcome(fault, copy, given):
    """Puts a fault into the copy; returns whether it is found, and what came of it."""
    suite = SUITES[fault.suite]
    before = {}
    try:
        for file, text in planted(fault, copy).items():
            before[file] = (copy / file).read_text()
            (copy / file).write_text(text)
        status, output = cargo(suite, copy, given.seeds, None, "--no-run")
        if status != 0:
            return False, f"does NOT compile\n{output}"
        status, output = cargo(suite, copy, given.seeds, given.timeout, "--", suite.filter, "--nocapture")
    finally:
        for file, text in before.items():
            (copy / file).write_text(text)
    if status is None:
        return False, f"NOT found within {given.timeout} s"
    # Two threads run seeds. Both may print one.
    found = [int(count) for count in re.findall(r"after (\d+) seeds, seed \d+: ", output)]
    if found:
        return True, f"found after {min(found)} {'seed' if min(found) == 1 else 'seeds'}"
    if status == 0 and f"{given.seeds} seeds, " in output:
        return False, f"NOT found by {given.seeds} seeds"
    raise CannotRun(f"the test `{suite.filter}` of {suite.package} printed no count of seeds:\n{output}")


def main():
    """Reads the command line, and checks or runs."""
    description, usage, *more = __doc__.split("\n\n")
    parser = argparse.ArgumentParser(
        description=description, usage=usage.replace("    tools", "tools", 1), epilog="\n\n".join(more),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="NAME-PART", help="part of a fault's name, by default all faults")
    parser.add_argument("--list", action="store_true", help="print the names of the faults")
    parser.add_argument("--check", action="store_true", help="check that each fault fits the sources, without a build")
    parser.add_argument("--seeds", type=int, default=1000, metavar="N", help="seeds per fault [default: 1000]")
    parser.add_argument("--timeout", type=int, default=900, metavar="N", help="longest time of a test, in seconds [default: 900]")
    given = parser.parse_args()
    unknown = [part for part in given.parts if not any(part in fault.name for fault in FAULTS)]
    if unknown:
        parser.error(f"no fault has `{unknown[0]}` in its name\n  hint: `tools/planted_faults.py --list` prints the names")
    faults = [fault for fault in FAULTS if not given.parts or any(part in fault.name for part in given.parts)]
    if given.list:
        print("\n".join(fault.name for fault in faults))
        return 0
    if given.check:
        return 0 if check() else 1
    copy = folder() / "sources"
    shutil.rmtree(copy, ignore_errors=True)
    copy_of_sources(copy)
    are_found = True
    for fault in faults:
        is_found, what = outcome(fault, copy, given)
        are_found &= is_found
        print(f"{fault.name}: {what}", flush=True)
    return 0 if are_found else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CannotRun, Stale, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
