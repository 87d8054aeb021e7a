"""Structures of arguments and results in a file: read as strictly as they were written."""

from __future__ import annotations

from typing import Any

from symtape.exchange import fields
from symtape.exchange.reader import LARGEST, Entry
from symtape.ops.control.signatures import Structure

_DEEPEST = 50


def read(entry: Entry, results: int | None = None, depth: int = 0) -> Structure:
    """Read a structure, whose leaves are specs and literals, or the numbers of so many results."""
    parts = list(entry.items())
    if not parts or depth > _DEEPEST:
        entry.refuse("a structure is a list of its kind and what it holds")
    kind, inner = parts[0].text(), parts[1:]
    if kind in {"list", "tuple"}:
        return kind, *[read(part, results, depth + 1) for part in inner]
    if kind == "dict" and inner:
        keys = tuple([key.text() for key in inner[0].items()])
        if list(keys) != sorted(set(keys)) or len(keys) != len(inner) - 1:
            entry.refuse("a dict has sorted keys, and as many values")
        return kind, keys, *[read(part, results, depth + 1) for part in inner[1:]]
    allowed = ("none", "result") if results is not None else tuple(_LEAVES)
    if kind not in allowed or (kind == "tensor") != (len(inner) == 2) or not inner:
        parts[0].refuse(f"it is none of list, tuple, dict, {', '.join(allowed)}")
    if kind == "result":
        return kind, inner[0].integer(0, (results or 0) - 1)
    return kind, *_LEAVES[kind](inner)


def _tensor(parts: list[Entry]) -> Any:
    return sizes(parts[0]), fields.dtype_of(parts[1])


def sizes(entry: Entry) -> Any:
    """Read a shape in which null is any size; null alone is any shape."""
    if entry.value is None:
        return None
    return tuple([None if n.value is None else n.integer() for n in entry.items()])


def _none(parts: list[Entry]) -> Any:
    if parts[0].value is not None:
        parts[0].refuse("it is null")
    return (None,)


def _float(parts: list[Entry]) -> Any:
    text = parts[0].text(40)
    try:
        number = float.fromhex(text)
    except (ValueError, OverflowError):
        parts[0].refuse(f"{text!r} is no hexadecimal number")
    return (number.hex(),)


_LEAVES: dict[str, Any] = {
    "tensor": _tensor,
    "none": _none,
    "bool": lambda parts: (parts[0].boolean(),),
    "int": lambda parts: (parts[0].integer(-LARGEST),),
    "str": lambda parts: (parts[0].text(),),
    "float": _float,
}
