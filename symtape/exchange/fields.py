"""The fields of operations in a file: how a parameter is written, and what it must be to be read.

A field is a pair of functions; each reads exactly what the other one writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from operator import index
from typing import Any, NamedTuple

import sympy as sp

from symtape.exchange.reader import LARGEST, Entry
from symtape.program.kinds.placement import Form, Placement
from symtape.program.kinds.windows import Window
from symtape.program.operations import Shape

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bfloat16", "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
"""The dtypes that a file may name."""

MOST_AXES = 64
"""The axes that an array of NumPy can have."""

LONGEST_AXIS = 2**48


class Field(NamedTuple):
    """How a parameter is written, and how it is read."""

    write: Callable[[Any], Any]
    read: Callable[[Entry], Any]


def integer(low: int = 0, high: int = LARGEST) -> Field:
    """Be an integer of a range."""
    return Field(index, lambda entry: entry.integer(low, high))


def integer_or_none() -> Field:
    """Be an integer, or null."""
    return Field(
        lambda value: None if value is None else index(value),
        lambda entry: None if entry.value is None else entry.integer(-LARGEST),
    )


def choice(*choices: str) -> Field:
    """Be one of some texts."""
    return Field(str, lambda entry: entry.choice(choices))


def integers(low: int = 0, high: int = LARGEST) -> Field:
    """Be a list of integers of a range."""
    return Field(_list, lambda entry: entry.integers(low, high))


def dtype_of(entry: Entry, among: Collection[str] = DTYPES) -> str:
    """Read the name of a dtype."""
    return entry.choice(among)


def shape_of(entry: Entry) -> Shape:
    """Read a shape: at most 64 axes, and no more elements than can be counted."""
    shape = entry.integers(0, LONGEST_AXIS)
    if len(shape) > MOST_AXES:
        entry.refuse(f"{len(shape)} axes are too many")
    count = 1
    for n in shape:
        count *= max(n, 1)
    if count > LARGEST // 64:
        entry.refuse(f"an array of shape {shape} is too large")
    return shape


def _list(values: Any) -> list[int]:
    return [index(v) for v in values]


def _tuples(write: Callable[[Any], Any], read: Callable[[Entry], Any]) -> Field:
    return Field(
        lambda values: [write(value) for value in values],
        lambda entry: tuple([read(part) for part in entry.items()]),
    )


def _range(entry: Entry) -> tuple[int, int, int]:
    found = entry.integers(-LONGEST_AXIS, LONGEST_AXIS)
    if len(found) != 3 or found[1] == 0 or found[2] < 0:
        entry.refuse("a range is a first place, a step that is not zero, and a count")
    return found[0], found[1], found[2]


def _written_ends(ends: tuple[bool, bool] | None) -> list[bool] | None:
    return None if ends is None else list(ends)


def _ends(entry: Entry) -> tuple[bool, bool] | None:
    if entry.value is None:
        return None
    found = [part.boolean() for part in entry.items()]
    if len(found) != 2:
        entry.refuse("the ends of a range are two: is it counted from the end of the axis?")
    return found[0], found[1]


def _window(entry: Entry) -> Window:
    found = entry.integers(1, LONGEST_AXIS)
    if len(found) != 3:
        entry.refuse("a window is a size, a stride and a dilation")
    return Window(*found)


def _part(entry: Entry) -> tuple[int, int]:
    found = entry.integers(-LONGEST_AXIS, LONGEST_AXIS)
    if len(found) != 2:
        entry.refuse("expected two integers")
    return found[0], found[1]


def _form(entry: Entry) -> Form:
    fields = entry.fields(("offset", "parts"))
    offset = fields["offset"].integer(-LONGEST_AXIS, LONGEST_AXIS)
    return Form(offset, tuple([_part(part) for part in fields["parts"].items()]))


def _placement(entry: Entry) -> Placement:
    fields = entry.fields(("counts", "forms"))
    forms = tuple([_form(part) for part in fields["forms"].items()])
    return Placement(shape_of(fields["counts"]), forms)


def _written_form(form: Form) -> dict[str, Any]:
    return {"offset": index(form.offset), "parts": [_list(part) for part in form.parts]}


def _written_placement(placed: Placement) -> dict[str, Any]:
    return {"counts": _list(placed.counts), "forms": [_written_form(f) for f in placed.forms]}


DTYPE = Field(str, dtype_of)
PLACES = Field(str, lambda entry: dtype_of(entry, ("int8", "int16", "int32", "int64")))
BOOLEAN = Field(bool, lambda entry: entry.boolean())
SHAPE = Field(_list, shape_of)
INDEX = integer(0, 1023)
INDICES = integers(0, 1023)
TERMS = _tuples(_list, INDICES.read)
SIZES = _tuples(_list, _part)
RANGES = _tuples(_list, _range)
ENDS = _tuples(_written_ends, _ends)
WINDOWS = _tuples(_list, _window)
PLACEMENTS = _tuples(_written_placement, _placement)
AXIS = integer(-MOST_AXES, -1)
AXES = integers(-MOST_AXES, -1)
COUNT = integer(0, MOST_AXES)
SIGN = Field(lambda sign: "-" if sign < 0 else "+", lambda entry: int(entry.choice("-+") + "1"))
SIZE = integer(0, LONGEST_AXIS)

# --- numbers --------------------------------------------------------------------------------------

_NUMBERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "bool": (r"True|False", lambda text: text == "True"),
    "int": (r"-?[0-9]{1,2000}", int),
    "float": (r"[-+.0-9a-z]{1,40}", float),
    "complex": (r"[-+.0-9a-z()]{1,80}", complex),
    "rational": (r"-?[0-9]{1,2000}(/[0-9]{1,2000})?", sp.Rational),
}
"""For each type of number that an author can write: the texts it has, and how they are read."""

NUMBER_TYPES = tuple(_NUMBERS)


def number_text(entry: Entry, kind: str) -> str:
    """Read the text of a number: the one text that a number of this type has."""
    text = entry.text()
    pattern, make = _NUMBERS[kind]
    if not re.fullmatch(pattern, text, re.ASCII):
        entry.refuse(f"{text!r:.40} is no {kind}")
    try:
        number = make(text)
    except (ValueError, ZeroDivisionError):
        entry.refuse(f"{text!r:.40} is no {kind}")
    if repr(number) != text:
        entry.refuse(f"{text!r:.40} is written {number!r:.40}")
    return text
