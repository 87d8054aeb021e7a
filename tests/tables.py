"""The tables of a folder: each of its files that has one is part of it."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def tables(package: str, name: str) -> dict[str, Any]:
    """Import the files of a folder, and give what each has by a name: by file, in their order."""
    folder = import_module(package).__path__
    files = [m.name for m in iter_modules(folder) if m.name[0] != "_"]
    found = {file: getattr(import_module(f"{package}.{file}"), name, None) for file in files}
    return {file: table for file, table in found.items() if table is not None}
