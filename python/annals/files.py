"""The files of a dataset by its manifest."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any

from .error import Error
from .stores import Store, store_at

#: No dataset has a manifest of this number: such a host has an answer for every name.
_MOST = 1 << 40

_NUMBERED = re.compile(r"manifest-([1-9][0-9]*)\.json")


def is_dataset(folder: str) -> bool:
    """Whether a folder is itself a dataset, as that of a home or one that was published, and not a home."""
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    return "manifest.json" in names or bool(_numbers(names))


def files_of(location: str, table: str) -> list[str]:
    """The files of a table of a dataset in a folder or at an address."""
    location = location.rstrip("/") or location
    path = os.path.join(location, "manifest.json")
    if os.path.isfile(path):
        manifest = _parsed(path, lambda: _local(path))
        return [os.path.join(location, file) for file in _read(path, lambda: _paths(manifest, table))]
    return _published_files(location, table)


def _local(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Error(f"error: `{path}` cannot be read: {error.strerror}") from None


def _published_files(location: str, table: str) -> list[str]:
    """Published files have names of their own."""
    store = store_at(location)
    number = _last(store, location)
    if number == 0:
        made = "`annals ingest FILE...` makes one" if "://" not in location else f"`annals publish {location}` makes one"
        raise Error(f"error: there is no dataset in {location}\n  hint: {made}")
    name = _name(number)
    published = _parsed(f"{location}/{name}", lambda: store.read(name))

    def objects() -> list[str]:
        if table == "events" and (events := published.get("events")):
            # A copy of the log, which the dataset of a home has not.
            return [events["object"]]
        return [published["objects"][path]["object"] for path in _paths(published["manifest"], table)]

    return [f"{location}/{found}" for found in _read(f"{location}/{name}", objects)]


def _parsed(name: str, text: Callable[[], bytes]) -> Any:
    return _read(name, lambda: json.loads(text()))


def _read(name: str, read: Callable[[], Any]) -> Any:
    """What is read of a manifest, unless it is none."""
    try:
        return read()
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Error(f"error: the manifest `{name}` is damaged\n  hint: `annals doctor --dataset ADDRESS` checks a dataset") from None


def _paths(manifest: dict[str, Any], table: str) -> list[str]:
    files = manifest["files"]
    paths = [file["path"] for file in files if file["table"] == table]
    if not paths:
        tables = ", ".join(sorted({file["table"] for file in files}))
        raise Error(f"error: the dataset has no files of a table `{table}`\n  reason: it has files of {tables}")
    return paths


def _name(number: int) -> str:
    return f"manifest-{number}.json"


def _numbers(names: list[str]) -> list[int]:
    return [int(found[1]) for found in map(_NUMBERED.fullmatch, names) if found]


def _last(store: Store, location: str) -> int:
    """The last number; 0 without a dataset. Without a list, by doubling, then halving: there the numbers have no gaps."""
    names = store.names()
    if names is not None:
        return max(_numbers(names), default=0)
    present, absent = 0, 1
    while store.has(_name(absent)):
        if absent >= _MOST:
            raise Error(
                f"error: `{location}` cannot be read: its web host has an answer for every name\n"
                "  hint: name the folder of the host that has the numbered manifests"
            )
        present, absent = absent, absent * 2
    while absent - present > 1:
        middle = (present + absent) // 2
        if store.has(_name(middle)):
            present = middle
        else:
            absent = middle
    return present
