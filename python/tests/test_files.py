"""The files of a dataset by its manifest, in a folder and at an address."""

import functools
import http.server
import json
import tempfile
import threading
import unittest
from pathlib import Path

import annals
import pyarrow.dataset
from demonstration import OfDemonstration


class Local(OfDemonstration):
    """The dataset of a home."""

    def test_files_are_those_of_the_manifest(self) -> None:
        """A file that it does not list is not one of them."""
        with tempfile.TemporaryDirectory() as folder:
            dataset = Path(folder, "dataset")
            dataset.mkdir()
            listed = [{"path": f"turns/{name}.parquet", "table": "turns"} for name in "ab"]
            dataset.joinpath("manifest.json").write_text(json.dumps({"files": [*listed, {"path": "games/a", "table": "games"}]}))
            files = annals.open(folder).files("turns")
            self.assertEqual(files, [str(dataset / "turns/a.parquet"), str(dataset / "turns/b.parquet")])

    def test_other_programs_read_the_files(self) -> None:
        """The rows that SQL counts."""
        rows = pyarrow.dataset.dataset(self.home.files("turns"), partitioning=None).count_rows()
        self.assertEqual([{"rows": rows}], self.home.sql('SELECT count(*) AS "rows" FROM turns').rows())


class Published(unittest.TestCase):
    """The last of the numbered manifests counts."""

    def setUp(self) -> None:
        """Publishes five versions into a folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def publish(self, number: int) -> None:
        """Writes a numbered manifest."""
        path = "turns/a.parquet"
        manifest = {
            "objects": {path: {"object": f"turns/{number}.parquet"}},
            "events": {"object": f"events/{number}.parquet"},
            "manifest": {"files": [{"path": path, "table": "turns"}]},
        }
        self.folder.joinpath(f"manifest-{number}.json").write_text(json.dumps(manifest))

    def check(self, address: str) -> None:
        """Publishes and reads."""
        home = annals.open(address)
        with self.assertRaisesRegex(annals.Error, "there is no dataset at"):
            home.files("turns")
        for number in range(1, 12):
            self.publish(number)
            self.assertEqual(home.files("turns"), [f"{address}/turns/{number}.parquet"])
        self.assertEqual(home.files("events"), [f"{address}/events/11.parquet"])
        with self.assertRaisesRegex(annals.Error, "no files of a table `games`\n  reason: it has files of turns"):
            home.files("games")

    def test_in_a_folder(self) -> None:
        """An address of a folder."""
        self.check(f"file://{self.folder}")

    def test_on_a_web_server(self) -> None:
        """Without a list of its files."""
        handler = functools.partial(_Quiet, directory=str(self.folder))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.check(f"http://127.0.0.1:{server.server_port}")
            server.shutdown()

    def test_an_address_is_a_dataset_of_the_program(self) -> None:
        """A folder is a home."""
        self.assertEqual(annals.open("s3://bucket/prefix").command("query")[1:], ["--dataset", "s3://bucket/prefix", "query"])
        self.assertEqual(annals.open(Path("cup")).command("query")[1:], ["--home", "cup", "query"])
        self.assertEqual(annals.open().command("query")[1:], ["query"])


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


if __name__ == "__main__":
    unittest.main()
