"""Mistakes: which exception they raise, and its text."""

from __future__ import annotations

from tests import errors, errors_matrices, errors_places, errors_windows
from tests.answers.answer import Table

TABLE = Table("misuse")

for _module in (errors, errors_matrices, errors_windows, errors_places):
    for _misuse in _module.ERRORS:
        _says = "plain" if _misuse.same_text else "type"
        TABLE.add(f"{_module.__name__.partition('.')[2]}: {_misuse.name}", _misuse.run, says=_says)
