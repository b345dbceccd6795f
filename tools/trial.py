"""What trials on a large dataset share: the program under test, its report, and an S3 server on this machine."""

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
        self.given = given
        self.games, self.folder = given.games, given.folder
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


def answer(home, study):
    """The rows of a study, without what differs by the place; or the error of a study that needs more than synthetic games."""
    try:
        return home.study(study).arrow().replace_schema_metadata(None)
    except annals.Error as error:
        return f"the same error: {error.error}"


def run_parts(parts, document, folder, options=()):
    """Runs the parts that the command line names. `options` are the names and the arguments of more options."""
    arguments = argparse.ArgumentParser(description=document.splitlines()[0])
    arguments.add_argument("parts", nargs="*", metavar="PART", help=f"Parts to run: {', '.join(parts)} [default: all]")
    arguments.add_argument("--games", type=int, default=100_000, metavar="N", help="Games [default: 100000]")
    arguments.add_argument("--program", type=Path, metavar="FILE", help="Program [default: ANNALS_PROGRAM, or in PATH]")
    arguments.add_argument(
        "--folder", type=Path, default=Path(folder), metavar="DIR", help=f"Folder for the dataset [default: {folder}]"
    )
    for name, given in options:
        arguments.add_argument(name, **given)
    given = arguments.parse_args()
    if unknown := set(given.parts) - parts.keys():
        arguments.error(f"no part {', '.join(sorted(unknown))}")
    trial = Trial(given)
    trial.folder.mkdir(parents=True, exist_ok=True)
    for name in given.parts or parts:
        try:
            parts[name](trial)
        except Missing as missing:
            trial.fail(name, missing)
        except (annals.Error, OSError, ImportError, StopIteration, subprocess.CalledProcessError) as error:
            trial.fail(name, error)
    print(f"\n{trial.table()}")
    return 1 if trial.failed else 0
