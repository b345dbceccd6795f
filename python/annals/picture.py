"""A board or a chart that the program draws."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from .program import StrPath, arranged, run


class Picture:
    """A board or a chart. A notebook shows it."""

    def __init__(self, command: Sequence[str], subjects: Sequence[str], options: Sequence[str]) -> None:
        self._command, self._subjects, self._options = command, subjects, options
        # The error of the command belongs to the call that names the game or the chart.
        self.svg  # noqa: B018

    @cached_property
    def svg(self) -> str:
        """The picture as SVG."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "picture.svg")
            self.save(path)
            return path.read_text(encoding="utf-8")

    def save(self, path: StrPath, *, force: bool = False) -> None:
        """Writes the picture to a file that ends in .svg or .png, which must not exist without `force`."""
        options = [*self._options, f"--output={os.fspath(path)}", *(["--force"] if force else [])]
        run([*self._command, *arranged(self._subjects, options)])

    def __repr__(self) -> str:
        return f"<annals.Picture: {len(self.svg):,} characters of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg
