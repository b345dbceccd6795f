"""The files of a dataset by its manifest, in a folder and at an address."""

import contextlib
import functools
import http.server
import json
import socket
import tempfile
import threading
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
        if not any(self.folder.iterdir()):
            with self.assertRaisesRegex(annals.Error, "there is no dataset in"):
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
        with _served(handler) as address:
            self.check(address)

    def test_in_a_folder_without_an_address(self) -> None:
        """A folder that was published."""
        self.publish(1)
        self.check(str(self.folder))

    def test_the_last_number_counts_after_older_ones_were_deleted(self) -> None:
        """Where the store has a list; a web server has none."""
        for number in range(1, 5):
            self.publish(number)
        for number in (2, 1):
            self.folder.joinpath(f"manifest-{number}.json").unlink()
            for address in (f"file://{self.folder}", str(self.folder)):
                self.assertEqual(annals.open(address).files("turns"), [f"{address}/turns/4.parquet"])

    def test_every_failure_is_an_error_in_time(self) -> None:
        """No network, no rights, no ranges, a host with an answer for every name, a manifest that is none."""
        everything = functools.partial(_Answers, status=200)
        forbidden = functools.partial(_Answers, status=403)
        with socket.create_server(("127.0.0.1", 0)) as free:
            closed = f"http://127.0.0.1:{free.getsockname()[1]}"
        began = time.monotonic()
        with _served(everything) as every, _served(forbidden) as denied:
            for address, words in (
                (closed, "cannot be read: .*refused"),
                (every, "cannot be read: its web host has an answer for every name"),
                (denied, "cannot be read: Forbidden"),
                ("ftp://host/games", "is not an address of a dataset"),
                ("http://[::1/games", "cannot be read"),
                ("file://nowhere", "cannot be read|no dataset"),
            ):
                with self.assertRaisesRegex(annals.Error, words):
                    annals.open(address).files("games")
        self.assertLess(time.monotonic() - began, 30)
        for text in ("", "<html>", "{}", "[1]"):
            self.folder.joinpath("manifest-1.json").write_text(text)
            for address in (str(self.folder), f"file://{self.folder}"):
                with self.assertRaisesRegex(annals.Error, "manifest-1.json` is damaged"):
                    annals.open(address).files("games")

    def test_a_password_is_refused_and_not_printed(self) -> None:
        """Before an address is used."""
        for address in ("https://user:secret@host/x", "http://user:sec/ret@host/x", "s3://secret@bucket/x"):
            with self.assertRaises(annals.Error) as caught:
                annals.open(address)
            self.assertIn("has a user or a password", str(caught.exception))
            self.assertNotRegex(str(caught.exception), "sec|ret@")
        self.assertTrue(annals.open("https://host:8080/x@y").is_address)

    def test_an_address_and_a_published_folder_are_datasets_of_the_program(self) -> None:
        """Another folder is a home."""
        self.publish(3)
        for location, option in (
            ("s3://bucket/prefix", "--dataset"),
            (str(self.folder), "--dataset"),
            (Path("cup"), "--home"),
            ("-cup", "--home"),
        ):
            self.assertEqual(annals.open(location).command("query")[1:], [f"{option}={location}", "query"])
        self.assertEqual(annals.open().command("query")[1:], ["query"])


@contextlib.contextmanager
def _served(handler: Callable[..., http.server.BaseHTTPRequestHandler]) -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Answers(http.server.BaseHTTPRequestHandler):
    """One status for every name."""

    def __init__(self, *args: Any, status: int) -> None:
        self.status = status
        super().__init__(*args)

    def do_HEAD(self) -> None:
        """Answers without content."""
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


if __name__ == "__main__":
    unittest.main()
