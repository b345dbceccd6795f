"""The objects under an address."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from typing import Protocol

from pyarrow import fs

#: Seconds without an answer.
_PATIENCE = 60


class Store(Protocol):
    """What a published dataset needs of a store."""

    def has(self, name: str) -> bool:
        """Whether an object exists."""

    def read(self, name: str) -> bytes:
        """The bytes of an object."""


def store_at(address: str) -> Store:
    """The store of an address, with the credentials of the environment."""
    scheme, _, rest = address.partition("://")
    if scheme in ("http", "https"):
        return _Web(address)
    if scheme == "s3":
        variables = os.environ
        endpoint = variables.get("AWS_ENDPOINT_URL")
        region = variables.get("AWS_REGION") or variables.get("AWS_DEFAULT_REGION") or "us-east-1"
        return _Objects(fs.S3FileSystem(region=region, endpoint_override=endpoint), rest)
    return _Objects(*fs.FileSystem.from_uri(address))


class _Objects:
    def __init__(self, system: fs.FileSystem, root: str) -> None:
        self._system, self._root = system, root

    def has(self, name: str) -> bool:
        return bool(self._system.get_file_info(f"{self._root}/{name}").is_file)

    def read(self, name: str) -> bytes:
        with self._system.open_input_file(f"{self._root}/{name}") as file:
            return bytes(file.readall())


class _Web:
    def __init__(self, address: str) -> None:
        self._address = address

    def has(self, name: str) -> bool:
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{self._address}/{name}", method="HEAD"), timeout=_PATIENCE):
                return True
        except urllib.error.HTTPError as error:
            if error.code in (404, 410):
                return False
            raise

    def read(self, name: str) -> bytes:
        with urllib.request.urlopen(f"{self._address}/{name}", timeout=_PATIENCE) as answer:
            return bytes(answer.read())
