"""The objects under an address. What fails is an `Error`."""

from __future__ import annotations

import http.client
import os
import textwrap
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Protocol

import pyarrow
from pyarrow import fs

from .error import Error

#: Seconds for a connection, for an answer, and for all tries of a request.
_CONNECTION, _ANSWER, _TRIES = 5, 30, 10


class Store(Protocol):
    """What a published dataset needs of a store."""

    def names(self) -> list[str] | None:
        """The names of the objects, without those in folders; none if the store has no list."""

    def has(self, name: str) -> bool:
        """Whether an object exists."""

    def read(self, name: str) -> bytes:
        """The bytes of an object."""


def is_address(location: str) -> bool:
    """Whether it is the address of a dataset, not a folder.

    Raises:
        Error: If it has a user or a password, which would be printed.
    """
    scheme, separator, rest = location.partition("://")
    authority = rest.partition("/")[0]
    port = authority.partition(":")[2]
    if separator and ("@" in authority or ("@" in rest and port and not port.isdigit())):
        raise Error(f"error: `{scheme}://…@{rest.rpartition('@')[2]}` has a user or a password, which an address cannot have")
    return bool(separator)


def store_at(location: str) -> Store:
    """The store of an address or a folder, with the credentials of the environment."""
    if not is_address(location):
        return _Objects(fs.LocalFileSystem(), location, location)
    scheme, _, rest = location.partition("://")
    if scheme in ("http", "https"):
        return _Web(location)
    with _failing(location):
        if scheme == "s3":
            variables = os.environ
            endpoint = variables.get("AWS_ENDPOINT_URL")
            region = variables.get("AWS_REGION") or variables.get("AWS_DEFAULT_REGION") or "us-east-1"
            system = fs.S3FileSystem(
                region=region, endpoint_override=endpoint, connect_timeout=_CONNECTION, request_timeout=_ANSWER
            )
            return _Objects(system, rest, location)
        if scheme == "gs":
            return _Objects(fs.GcsFileSystem(retry_time_limit=timedelta(seconds=_TRIES)), rest, location)
        if scheme == "file":
            return _Objects(*fs.FileSystem.from_uri(location), location)
    raise Error(
        f"error: `{location}` is not an address of a dataset\n"
        "  reason: expected s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, https://HOST/PATH or file:///FOLDER"
    )


@contextmanager
def _failing(what: str) -> Iterator[None]:
    """A failure of the network, of a store or of its answer as an `Error`."""
    try:
        yield
    except (OSError, pyarrow.ArrowException, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        why = textwrap.shorten(str(reason), 300, placeholder="…") or type(error).__name__
        raise Error(f"error: `{what}` cannot be read: {why}\n  hint: check the address, the network and the credentials") from None


class _Objects:
    def __init__(self, system: fs.FileSystem, root: str, location: str) -> None:
        self._system, self._root, self._location = system, root.rstrip("/"), location

    def names(self) -> list[str] | None:
        try:
            found = self._system.get_file_info(fs.FileSelector(self._root or "/", allow_not_found=True))
        except (OSError, pyarrow.ArrowException):
            # Without the right to list objects, and where the reason is another one, `has` has the answer.
            return None
        return [info.base_name for info in found if info.is_file]

    def has(self, name: str) -> bool:
        with _failing(f"{self._location}/{name}"):
            return bool(self._system.get_file_info(f"{self._root}/{name}").is_file)

    def read(self, name: str) -> bytes:
        with _failing(f"{self._location}/{name}"), self._system.open_input_file(f"{self._root}/{name}") as file:
            return bytes(file.readall())


class _Web:
    def __init__(self, address: str) -> None:
        self._address = address

    def names(self) -> list[str] | None:
        return None

    def has(self, name: str) -> bool:
        url = f"{self._address}/{name}"
        with _failing(url):
            try:
                with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=_ANSWER):
                    return True
            except urllib.error.HTTPError as error:
                if error.code in (404, 410):
                    return False
                raise

    def read(self, name: str) -> bytes:
        url = f"{self._address}/{name}"
        with _failing(url), urllib.request.urlopen(url, timeout=_ANSWER) as answer:
            return bytes(answer.read())
