"""What is refused as in TensorFlow: its words are kept there, and here all that is said.

That is the operation and its signature, too, and our own words where they are others.
"""

from __future__ import annotations

import symtape
from tests.answers import TABLES
from tests.answers.answer import Table
from tests.refusals.room import Call, Room

ROOM = Room("answer")


def refused(programs: Table, name: str) -> Call:
    """Run a program that raises."""

    def run() -> None:
        programs.starts(symtape)
        try:
            with programs.surroundings():
                found = programs[name].run(symtape)
            if hasattr(found, "element_spec"):
                list(found)  # a data set computes when its elements are asked for
        finally:
            programs.starts(symtape)

    return run


_DRAWN = {("randomness", "mistake 6")}
"""What tells a number that was drawn without a seed."""

for _table, _programs in TABLES.items():
    _expected = _programs.answers()
    ROOM.refuses(
        **{
            f"{_table}, {name}": refused(_programs, name)
            for name in _programs
            if (_table, name) not in _DRAWN and "raises" in _expected.get(name, {})
        }
    )
