"""The snippets of the guide run in order, in one interpreter and a folder with the home."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path

from demonstration import FOLDER, OfDemonstration

GUIDE = Path(__file__).parents[2] / "docs/how-to/python.md"


class Guide(OfDemonstration):
    """The guide to this package."""

    def test_the_snippets_print_what_is_expected(self) -> None:
        """And write the pictures that they name."""
        snippets = [part.partition("```")[0] for part in GUIDE.read_text(encoding="utf-8").split("```python\n")[1:]]
        printed = io.StringIO()
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
            Path(folder, "annals-demo").symlink_to(Path(FOLDER).resolve())
            os.chdir(folder)
            try:
                names: dict[str, object] = {}
                for snippet in snippets:
                    exec(snippet, names)
                pictures = sorted(path.name for path in Path(folder).iterdir() if path.is_file())
            finally:
                os.chdir(before)
        lines = ["386 138 138", "['gold', 'silver', 'plies'] 28770", "28770", "did you mean `plies`?"]
        self.assertEqual(printed.getvalue().splitlines(), lines)
        self.assertEqual(pictures, ["growth.svg", "standings.png", "start.svg", "turn.svg"])


if __name__ == "__main__":
    unittest.main()
