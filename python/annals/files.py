"""The files of a dataset by its manifest."""

from __future__ import annotations

import json
import os
from typing import Any

from .error import Error
from .stores import Store, store_at


def local_files(dataset: str, table: str) -> list[str]:
    """The files of a table in a folder."""
    path = os.path.join(dataset, "manifest.json")
    try:
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
    except FileNotFoundError:
        raise Error(f"error: there is no dataset in {dataset}\n  hint: `annals ingest FILE...` makes one") from None
    return [os.path.join(dataset, path) for path in _paths(manifest, table)]


def published_files(address: str, table: str) -> list[str]:
    """The files of a table at an address. Published files have names of their own."""
    address = address.rstrip("/")
    store = store_at(address)
    number = _last(store)
    if number == 0:
        raise Error(f"error: there is no dataset at {address}\n  hint: `annals publish {address}` makes one")
    published = json.loads(store.read(_name(number)))
    if table == "events" and (events := published.get("events")):
        # A copy of the log, which the dataset of a home has not.
        return [f"{address}/{events['object']}"]
    objects = published["objects"]
    return [f"{address}/{objects[path]['object']}" for path in _paths(published["manifest"], table)]


def _paths(manifest: dict[str, Any], table: str) -> list[str]:
    files = manifest["files"]
    paths = [file["path"] for file in files if file["table"] == table]
    if not paths:
        tables = ", ".join(sorted({file["table"] for file in files}))
        raise Error(f"error: the dataset has no files of a table `{table}`\n  reason: it has files of {tables}")
    return paths


def _name(number: int) -> str:
    return f"manifest-{number}.json"


def _last(store: Store) -> int:
    """The last number, by doubling, then halving: the numbers have no gaps. 0 without a dataset."""
    present, absent = 0, 1
    while store.has(_name(absent)):
        present, absent = absent, absent * 2
    while absent - present > 1:
        middle = (present + absent) // 2
        if store.has(_name(middle)):
            present = middle
        else:
            absent = middle
    return present
