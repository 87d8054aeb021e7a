"""Forms of files that are JSON: the head by which one is known, in one place."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from symtape.exchange.reader import Entry, Fields, lines
from symtape.version import __version__

_HEAD = ("format", "version", "written_by")


class Form(NamedTuple):
    """The name and the version of a form; files of other versions are refused.

    >>> form = Form("symtape example", 1)
    >>> print(form.written({"size": 3}).replace(__version__, "1.0"), end="")
    {
      "format": "symtape example",
      "version": 1,
      "written_by": "1.0",
      "size": 3
    }
    """

    name: str
    version: int = 1

    def written(self, body: Mapping[str, Any]) -> str:
        """Write a document of this form."""
        head = {"format": self.name, "version": self.version, "written_by": __version__}
        return lines({**head, **body})

    def read(self, entry: Entry, keys: Collection[str]) -> Fields:
        """Check the head, and that there are the keys and no others; raises `FormatError`."""
        found = entry.fields((*_HEAD, *keys))
        if found["format"].text() != self.name:
            found["format"].refuse(f"it is not {json.dumps(self.name)}")
        if found["version"].integer() != self.version:
            found["version"].refuse(f"this symtape reads version {self.version}")
        found["written_by"].text()
        return found
