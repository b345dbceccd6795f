"""Boards and charts."""

import os
import tempfile
import unittest
from pathlib import Path

import annals
from annals.home import _options
from demonstration import OfDemonstration

START = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]"


class Pictures(OfDemonstration):
    """Pictures of the home."""

    def test_a_turn_and_a_game(self) -> None:
        """A turn is one board."""
        turn = self.home.board("cup r1.1", turn="12w")
        self.assertTrue(turn._repr_svg_().startswith("<svg"))
        self.assertIn("cup.r1.1", turn.svg)
        several = self.home.board("cup r1.1", from_="12w", to="14b", across=3)
        self.assertGreater(len(several.svg), 2 * len(turn.svg))

    def test_a_chart_at_a_time(self) -> None:
        """An option changes it."""
        self.assertNotEqual(self.home.chart("standings", "cup", as_of="round:3").svg, self.home.chart("standings", "cup").svg)

    def test_a_position_is_saved_by_the_ending(self) -> None:
        """Over another file only with force."""
        board = annals.board(START)
        with tempfile.TemporaryDirectory() as folder:
            svg, png = Path(folder, "start.svg"), Path(folder, "start.png")
            board.save(svg)
            board.save(png)
            self.assertIn("<svg", svg.read_text())
            self.assertTrue(png.read_bytes().startswith(b"\x89PNG"))
            with self.assertRaises(annals.Error):
                board.save(svg)
            board.save(svg, force=True)
            before = os.getcwd()
            self.addCleanup(os.chdir, before)
            os.chdir(folder)
            board.save("-x.svg")
            os.chdir(before)
            self.assertIn("<svg", Path(folder, "-x.svg").read_text())


class Options(unittest.TestCase):
    """Options of the program by their names in Python."""

    def test_names_and_values(self) -> None:
        """Flags, several values, words of Python, values that begin with a dash."""
        words = _options(
            {"known_at": "2015", "flip": True, "from_": 3, "systems": ["whr", "elo"], "to": None, "side": False, "tz": "-1"}
        )
        self.assertEqual(words, ["--known-at=2015", "--flip", "--from=3", "--systems", "whr", "elo", "--tz=-1"])


if __name__ == "__main__":
    unittest.main()
