"""Finding the program, and running it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from .error import Error

StrPath = str | os.PathLike[str]

#: Seconds that an interrupted program has to delete its temporary files.
_TO_END = 10.0


def find(program: StrPath | None = None) -> str:
    """The path of the program.

    The first of: the argument, the variable `ANNALS_PROGRAM`, the scripts of this Python, `PATH`.

    Raises:
        Error: If there is no program.
    """
    named = program or os.environ.get("ANNALS_PROGRAM")
    scripts = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))]
    folders = os.pathsep.join([*scripts, os.environ.get("PATH", os.defpath)])
    found = shutil.which(named) if named else shutil.which("annals", path=folders)
    if found is None:
        searched = f"`{os.fspath(named)}`" if named else "`annals` in the scripts of this Python and in PATH"
        raise Error(f"error: there is no program {searched}\n  hint: set ANNALS_PROGRAM to the path of the program")
    return found


def arranged(subjects: Sequence[str], options: Sequence[str]) -> list[str]:
    """What a command works on, and its options. A subject that begins with a dash follows `--`, so that it is not an option."""
    if any(subject.startswith("-") for subject in subjects):
        return [*options, "--", *subjects]
    return [*subjects, *options]


@contextmanager
def started(command: Sequence[str], output: IO[bytes] | int, errors: IO[bytes] | int) -> Iterator[subprocess.Popen[bytes]]:
    """A running program, which ends with the block: an exception, such as that of Ctrl-C, ends it too."""
    try:
        begun = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
    except (OSError, ValueError) as error:
        # Such as a text with a NUL, or a text that is too long for an argument.
        raise Error(f"error: `{command[0]}` cannot be run: {error}") from None
    with begun as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(_TO_END)
                except subprocess.TimeoutExpired:
                    process.kill()


def run(command: Sequence[str], output: IO[bytes] | int = subprocess.PIPE) -> bytes:
    """Runs the program to its end, and returns its standard output if that is a pipe.

    Raises:
        Error: If its exit status is not 0.
    """
    with started(command, output, subprocess.PIPE) as process:
        printed, errors = process.communicate()
    check(process.returncode, errors)
    return printed or b""


def check(status: int, errors: bytes) -> None:
    """Raises the program's error; its warnings become warnings of Python, and its notes are left out."""
    lines = errors.decode(errors="replace").splitlines()
    if status != 0:
        begins = [number for number, line in enumerate(lines) if line.startswith("error: ")]
        text = lines[begins[-1] :] if begins else [f"error: the program ended with status {status}", *lines]
        raise Error("\n".join(text), status)
    for line in lines:
        if line.startswith("warning: "):
            warnings.warn(line.removeprefix("warning: "), stacklevel=4)
