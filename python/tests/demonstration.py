"""The home that the tests read: the one that `annals demo` writes. `ANNALS_TEST_HOME` names it."""

import os
import unittest

import annals

FOLDER = os.environ.get("ANNALS_TEST_HOME", "")


@unittest.skipUnless(FOLDER, "ANNALS_TEST_HOME names no home that `annals demo` wrote")
class OfDemonstration(unittest.TestCase):
    """A test that reads the demonstration."""

    @classmethod
    def setUpClass(cls) -> None:
        """Opens the home."""
        cls.home = annals.open(FOLDER)
