"""Numbers of a program that may be sizes which Python read: `len(x)` leaves no trace of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from math import isclose, sqrt
from typing import Any

from symtape.program.kinds.structural import Embed, Slice
from symtape.program.operations import Constant, power
from symtape.program.program import Program

Lengths = Mapping[int, str]
"""What axes that may be longer are called, by how long they are."""


def coincidences(
    program: Program, positions: Sequence[int], lengths: Lengths, others: Lengths
) -> dict[str, str]:
    """Give numbers that a formula has, and the size that each of them is, or follows from.

    Those are numbers of the author's, but for exponents, and places of slices. `lengths` are those
    of leaves, `others` those of what is computed.

    >>> from symtape.program.program import Builder, Program
    >>> from symtape.program.operations import Input, multiply
    >>> b = Builder()
    >>> x = b.enter(Input("float64", (3,), True))
    >>> y = b.append(multiply, x, b.constant(0.5, b.dtypes[x]))
    >>> coincidences(Program(b.steps, b.shapes, b.dtypes), [y], {3: "n"}, {})
    {'0.5': '1/(n - 1)'}
    """
    computed = program.ancestors(positions)
    written = _values(lengths, others)
    found = {}
    for p in _factors(program, computed):
        number = program.steps[p][0].number
        for value, text in written:
            if _is(number, value):
                found[str(number)] = text
                break
    for p in computed:
        found |= dict(_places(program, p, {**others, **lengths}))
    return found


def _factors(program: Program, computed: Sequence[int]) -> list[int]:
    """List the numbers that are not exponents alone."""
    recorded = program.steps[: program.recorded]
    others = {
        i
        for operation, *operands in recorded
        for k, i in enumerate(operands)
        if not (operation is power and k == 1)
    }
    return [p for p in computed if p in others and type(program.steps[p][0]) is Constant]


def _is(number: Any, value: float) -> bool:
    """Say whether a number is what Python computes of a size, of either sign."""
    if isinstance(number, (bool, complex)):
        return False
    return abs(number) != 1 and isclose(abs(float(number)), value, rel_tol=1e-7)


def _values(lengths: Lengths, others: Lengths) -> list[tuple[float, str]]:
    """Write what people compute of sizes, the simplest first."""
    counts = [(n, text) for n, text in lengths.items()]
    counts += [(n, f"({text})") for n, text in others.items() if n not in lengths]
    counts += [(n - 1, f"({text} - 1)") for n, text in lengths.items()]
    counts += [(n + 1, f"({text} + 1)") for n, text in lengths.items()]
    pairs = [*combinations(lengths.items(), 2), *[(own, own) for own in lengths.items()]]
    counts += [(a * b, f"({first} {second})") for (a, first), (b, second) in pairs]
    triples = combinations_with_replacement(lengths.items(), 3)
    counts += [(a * b * c, f"({x} {y} {z})") for (a, x), (b, y), (c, z) in triples]
    counts = [(n, text) for n, text in counts if n > 1]
    found = [(float(n), text.strip("()")) for n, text in counts]
    found += [(1 / n, f"1/{text}") for n, text in counts]
    found += [(2 / n, f"2/{text}") for n, text in counts]
    found += [(sqrt(n), f"√{text}") for n, text in counts]
    return found + [(1 / sqrt(n), f"1/√{text}") for n, text in counts]


def _places(program: Program, p: int, lengths: Lengths) -> Iterator[tuple[str, str]]:
    """Give the numbers in a slice that are at the end of the axis, or in its middle."""
    operation, *operands = program.steps[p]
    if not isinstance(operation, (Slice, Embed)) or not operation.ends:
        return
    shape = program.shapes[p if type(operation) is Embed else operands[0]]
    own = shape[len(shape) - len(operation.ranges) :]
    for (first, step, count), ends, n in zip(operation.ranges, operation.ends, own, strict=True):
        if n not in lengths or ends is None or not count:
            continue
        text = lengths[n] if " " not in lengths[n] else f"({lengths[n]})"
        named = {n: lengths[n], n - 1: f"{text} - 1", n - 2: f"{text} - 2", n // 2: f"{text}/2"}
        last = first + step * (count - 1)
        stop = last + 1 if step > 0 and count > 1 else last
        numbers = [place for place, moves in ((first, ends[0]), (stop, ends[1])) if not moves]
        yield from ((str(k), named[k]) for k in numbers if k > 1 and k in named)
