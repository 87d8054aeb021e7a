"""Enclosures of a formula: at the recorded point, or over a box of values of its leaves."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence, Sized
from functools import partial
from typing import Any, Protocol

import numpy as np
import sympy as sp

from symtape.errors import ExpansionError, NoExactFormError, PathConditionError
from symtape.exact.balls.numbers import (
    are_equal,
    complexified,
    flint,
    is_complex,
    is_finite,
    is_unknown,
    lifted,
    of_number,
    parts_of,
)
from symtape.exact.enclosing import (
    Box,
    Open,
    Place,
    Question,
    Run,
    at_point,
    has_bits,
    joined,
    over_box,
)
from symtape.exact.enclosure import Enclosure
from symtape.exact.given import exact_ball
from symtape.exact.truth import Undecided
from symtape.program.program import Guard, Program
from symtape.tensor.recording.provenance import Leaf

_MOST_BITS = 100_000
_NODES = 500
"""How many nodes the formula of an entry may have in a relation; else it is named by its step."""


BoxLike = Mapping[Any, Any] | Iterable[tuple[Any, Any]]
"""Pairs of a leaf and its bounds, the lower and the upper one; a dict of names or symbols."""


class Read(Protocol):
    """What is enclosed."""

    program: Program
    position: int

    def leaf_of(self, arg: Any) -> Leaf:
        """Find a leaf."""

    def values_of(self, positions: Sequence[int]) -> dict[int, Any]:
        """Get the arrays of the leaves of some positions."""

    def entries_of(self, position: int, max_nodes: int) -> Any:
        """Write the entries of a position."""

    def relation_of(self, guard: Guard) -> Any:
        """Write what decided the path."""

    @property
    def names(self) -> Mapping[int, str]:
        """The names of the leaves."""


def enclosed(
    formula: Read, bits: Any, box: BoxLike | None, splits: Any, *, check: bool
) -> Enclosure:
    """Give bounds that are certain; see `Tensor.enclose`."""
    flint()
    wanted = _whole(bits, "bits", 2, _MOST_BITS)
    cuts = _whole(splits, "splits", 0, _MOST_BITS)
    if box is None or (isinstance(box, Sized) and not len(box)):
        if cuts:
            raise ValueError(
                "splits= cuts a box in two: enclose(box={'x': (lower, upper)}, splits=9)"
            )
        run = _at_the_point(formula, wanted)
    else:
        run = _over(formula, box, wanted, cuts, check=check)
    is_truth = formula.program.dtypes[formula.position].kind == "b"
    return Enclosure(run.value, partial(_relations, formula, run.opened), of_truth=is_truth)


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"enclose({name}=...) takes a whole number, not {value!r:.40}")
    found = int(operator.index(value))
    if not least <= found <= most:
        raise ValueError(f"enclose({name}=...) takes {least} to {most:,}, not {found:.6g}")
    return found


def _at_the_point(formula: Read, bits: int) -> Run:
    question = Question(formula.program, formula.position)
    values = formula.values_of([formula.position])
    run, working = at_point(question, values, has_bits(bits), bits)
    for at in np.ndindex(*run.value.shape):
        if is_unknown(run.value[at]):
            where = f" at {at}" if at else ""
            raise NoExactFormError(
                f"nothing is known of the value{where} with {working} bits: it divides by zero, "
                "leaves the real numbers, lies on an edge, or is beyond what Arb bounds; "
                "evalf(digits) and numpy() may have a value"
            )
    return run


# --- boxes ----------------------------------------------------------------------------------------


def _over(formula: Read, box: BoxLike, bits: int, splits: int, *, check: bool) -> Run:
    guards = formula.program.guards if check else ()
    question = Question(formula.program, formula.position, tuple(g.position for g in guards))
    values = formula.values_of([formula.position, *question.guards])

    def decided(run: Run) -> bool:
        return all(_holds(g, v) is True for g, v in zip(guards, run.guards, strict=True))

    bounds = _bounds(formula, box)
    runs = over_box(question, bounds, values, decided, bits, splits)
    for run in runs:
        for guard, value in zip(guards, run.guards, strict=True):
            if _holds(guard, value) is not True:
                raise _another_path(formula, guard, fails=_holds(guard, value) is False)
    return joined(runs)


def _holds(guard: Guard, value: Any) -> Any:
    """Say whether what decided the path is as it was: True, False, or undecided."""
    if isinstance(value, (bool, Undecided, np.bool_)):
        return value if isinstance(value, Undecided) else bool(value) == guard.value
    ball = lifted(value)
    expected = guard.value
    if isinstance(expected, bool):
        zero = are_equal(ball, of_number(0))
        return zero if isinstance(zero, Undecided) else zero != expected
    return are_equal(ball, of_number(expected))


def _another_path(formula: Read, guard: Guard, *, fails: bool) -> PathConditionError:
    relation = f"{formula.relation_of(guard)!s:.200}"
    how = "fails in the box" if fails else "is not certain over the box"
    return PathConditionError(
        f"the formula holds where {relation}, which {how}; give a smaller box, splits=..., or "
        "check=False to enclose the formula that was recorded"
    )


def _bounds(formula: Read, box: BoxLike) -> Box:
    """Read the bounds of leaves, from a dict or from pairs: tensors are no keys of dicts."""
    if not isinstance(box, Iterable):
        raise TypeError(f"box: {box!r:.60} is no dict of leaves and their bounds")
    pairs = list(box.items()) if isinstance(box, Mapping) else list(box)
    found: dict[int, tuple[Any, Any]] = {}
    for item in pairs:
        if not isinstance(item, Sequence) or isinstance(item, str) or len(item) != 2:
            raise TypeError(f"box: {item!r:.60} is no pair of a leaf and its bounds")
        key, pair = item
        leaf = formula.leaf_of(key.deref() if hasattr(key, "deref") else key)
        if leaf.position in found:
            raise ValueError(f"box: {formula.names[leaf.position]} stands in it twice")
        found[leaf.position] = _pair(formula, leaf, pair)
    return Box(found)


def _pair(formula: Read, leaf: Leaf, pair: Any) -> tuple[Any, Any]:
    program, position = formula.program, leaf.position
    name, kind = formula.names[position], program.dtypes[position].kind
    if kind in "biu":
        raise ValueError(
            f"box: {name} has the dtype {program.dtypes[position]}, not of real numbers"
        )
    if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
        raise ValueError(f"box: the bounds of {name} are a pair (lower, upper), not {pair!r:.60}")
    low, high = (_balls(end, program.shapes[position], name, kind == "c") for end in pair)
    for at in np.ndindex(*low.shape):
        for one, other in zip(*map(parts_of, (low[at], high[at])), strict=True):
            if not one <= other:
                raise ValueError(
                    f"box: the lower bound of {name} is above the upper one: {pair!r:.60}"
                )
    return low, high


def _balls(end: Any, shape: tuple[int, ...], name: str, of_complex: bool) -> Any:
    """Make exact balls of bounds, of the shape of a leaf."""
    given = np.asarray(getattr(end, "numpy", lambda: end)())
    try:
        wide = np.broadcast_to(given, shape)
    except ValueError:
        raise ValueError(
            f"box: bounds of shape {given.shape} do not fit {name} of shape {shape}"
        ) from None
    out = np.empty(shape, object)
    for at in np.ndindex(*shape):
        try:
            ball = exact_ball(wide[at])
        except TypeError as error:
            raise TypeError(f"box: a bound of {name}: {error}") from None
        ball = complexified(ball) if of_complex else ball
        if not is_finite(ball) or is_complex(ball) != of_complex:
            raise ValueError(f"box: a bound of {name} is {wide[at]}, which is no finite number")
        out[at] = ball
    return out


# --- relations ------------------------------------------------------------------------------------


def _relations(formula: Read, opened: Sequence[Open]) -> tuple[Any, ...]:
    """Write relations that are not decided, each once."""
    entry = _Entries(formula)
    found = [o.relation.xreplace(entry.replacements(o)) for o in opened]
    return tuple(dict.fromkeys(r for r in found if r not in (sp.true, sp.false)))


class _Entries:
    """The formulas of entries of steps, each step written once."""

    def __init__(self, formula: Read) -> None:
        self._formula = formula
        self._written: dict[int, Any] = {}

    def replacements(self, opened: Open) -> dict[Any, Any]:
        """Say what the symbols of operands stand for."""
        return {
            sp.Symbol(f"a{k}"): self._entry(entry) if isinstance(entry, Place) else _number(entry)
            for k, entry in enumerate(opened.entries)
        }

    def _entry(self, place: Place) -> Any:
        if place.position not in self._written:
            self._written[place.position] = self._entries(place.position)
        entries = self._written[place.position]
        if entries is not None:
            return entries[place.at]
        at = ", ".join(map(str, place.at))
        return sp.Symbol(f"v{place.position}[{at}]" if at else f"v{place.position}")

    def _entries(self, position: int) -> Any | None:
        try:
            return self._formula.entries_of(position, _NODES)
        except ExpansionError:
            return None


def _number(x: Any) -> Any:
    return sp.sympify(x) if isinstance(x, (bool, int)) else sp.Symbol(str(x))
