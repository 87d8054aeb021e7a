"""JSON that is read strictly: every value is of one type and in one range, and errors say where."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NoReturn

from symtape.errors import FormatError

LONGEST_INTEGER = 19
"""How many characters an integer of a file may have; longer numbers are texts of their own."""

LARGEST = 2**62
"""Beyond this no size, count or place can be."""


def parse(text: str | bytes) -> Entry:
    """Read JSON: no key twice, no fractions, no NaN, no number that is longer than an index."""
    try:
        text = text if isinstance(text, str) else text.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error}") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"not JSON in UTF-8: {error}") from None
    except RecursionError:
        raise FormatError("the file is nested too deeply") from None
    return Entry(value, "")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FormatError(f"the key {_short(twice)} is there twice in one object")
    return found


def _refuse_number(text: str) -> NoReturn:
    raise FormatError(f"{_short(text)} is no integer; a file has no other numbers outside of texts")


def _integer(text: str) -> int:
    if len(text) > LONGEST_INTEGER:
        raise FormatError(f"{_short(text)} is too large: an integer has 64 bits")
    return int(text)


class Entry:
    """A value of a file, and where it stands: `steps[3].operands[0]`."""

    __slots__ = ("value", "where")

    def __init__(self, value: Any, where: str) -> None:
        self.value, self.where = value, where

    def refuse(self, reason: str) -> NoReturn:
        """Raise `FormatError` that says where."""
        raise FormatError(f"{self.where or 'the file'}: {reason}")

    def fields(self, required: Collection[str], optional: Collection[str] = ()) -> Fields:
        """Be an object with some keys and no others."""
        if type(self.value) is not dict:
            self.refuse(f"expected an object, not {_short(self.value)}")
        for name in required:
            if name not in self.value:
                self.refuse(f"the key {name!r} is missing")
        for name in self.value:
            if name not in required and name not in optional:
                self.refuse(f"unknown key {_short(name)}")
        return Fields(self)

    def items(self) -> Iterator[Entry]:
        """Be a list."""
        if type(self.value) is not list:
            self.refuse(f"expected a list, not {_short(self.value)}")
        for k, value in enumerate(self.value):
            yield Entry(value, f"{self.where}[{k}]")

    def integer(self, low: int = 0, high: int = LARGEST) -> int:
        """Be an integer from `low` to `high`; true and false are none."""
        if type(self.value) is not int:
            self.refuse(f"expected an integer, not {_short(self.value)}")
        if not low <= self.value <= high:
            self.refuse(f"{self.value} is not between {low} and {high}")
        return self.value

    def integers(self, low: int = 0, high: int = LARGEST) -> tuple[int, ...]:
        """Be a list of integers."""
        return tuple([entry.integer(low, high) for entry in self.items()])

    def boolean(self) -> bool:
        """Be true or false."""
        if type(self.value) is not bool:
            self.refuse(f"expected true or false, not {_short(self.value)}")
        return self.value

    def text(self, longest: int = 4096) -> str:
        """Be a text."""
        if type(self.value) is not str:
            self.refuse(f"expected a text, not {_short(self.value)}")
        if len(self.value) > longest:
            self.refuse(f"a text of {len(self.value)} characters is too long")
        return self.value

    def choice(self, choices: Collection[str]) -> str:
        """Be one of some texts."""
        found = self.text()
        if found not in choices:
            near = ", ".join(list(choices)[:40])
            self.refuse(f"unknown {_short(found)}; it is one of {near}")
        return found


class Fields:
    """The fields of an object."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def __getitem__(self, name: str) -> Entry:
        where = self.entry.where
        return Entry(self.entry.value[name], f"{where}.{name}" if where else name)

    def __contains__(self, name: str) -> bool:
        return name in self.entry.value


def _short(value: Any) -> str:
    text = repr(value) if not isinstance(value, (dict, list)) else type(value).__name__
    return text if len(text) <= 40 else f"{text[:37]}…"


def lines(document: dict[str, Any]) -> str:
    """Write JSON with a line for each key, and for each element of a list of lists or objects."""
    parts = []
    for name, value in document.items():
        head = json.dumps(name)
        if isinstance(value, Sequence) and value and not isinstance(value[0], (str, int)):
            inner = ",\n    ".join([_dumps(element) for element in value])
            parts.append(f"  {head}: [\n    {inner}\n  ]")
        else:
            parts.append(f"  {head}: {_dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _dumps(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
