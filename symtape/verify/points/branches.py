"""Points on both sides of where formulas decide: conditions, kinks and control flow.

A condition compares two numbers that a program computes. Where their difference changes its sign
between two points, a bisection finds where; where it never does, a search makes it small first. So
a branch is entered however narrow it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.errors import SymtapeError
from symtape.kernels.interpret import KERNELS
from symtape.program.operations import Map, parameters
from symtape.verify.numbers.decisions import floats_of
from symtape.verify.setting import Setting
from symtape.verify.subject import OUTSIDE, Pair

SECONDS = 1.0
"""So long are branches looked for, in time of the processor."""

_STARTS = 6
_PLACES = 3
_HALVINGS = 30
_ALL_BITS = 60
"""So many halvings find neighbouring floats."""

_NEIGHBOURS = 40
_ATTEMPTS = 120
_MOST_PROGRAMS = 4
_MOST_WORK = 20_000
_BESIDE = (0.0, 1e-4, 2e-2)
"""So far from where it decides are points taken, beside the size of the inputs."""


class Decision(NamedTuple):
    """Two sides that a step compares: `margin` is their difference, of the step's operands."""

    operands: tuple[int, ...]
    margin: Callable[..., Any]
    is_equality: bool = False
    """Whether it asks if both sides are the same number, which few floats make true."""


def beside_branches(setting: Setting) -> Iterator[tuple[str, list[Any]]]:
    """List points beside each place where the truth or the candidate decides."""
    moved = [
        k
        for k, d in enumerate(setting.domains)
        if d.is_free and setting.example[k].dtype.kind == "f"
    ]
    begin, known = time.process_time(), set()
    for _ in range(_MOST_PROGRAMS if moved else 0):
        point = setting.random()
        pair = setting.subject.recorded(point)
        if pair is None or sum(map(_size, pair.program.shapes)) > _MOST_WORK:
            return
        flow = tuple([(g.position, g.value) for g in pair.program.guards])
        if flow in known:
            continue
        known.add(flow)
        for found in _Search(setting, pair, moved, begin).points():
            yield "beside a branch", found
        if not flow:
            return


def decides(pair: Pair) -> bool:
    """Say whether truth or candidate decide anything, by which they may differ elsewhere."""
    program = pair.program
    ends = [p for p in (*pair.truths, *pair.answers) if p is not None]
    for p in program.schedule(ends, ())[0]:
        operation, *operands = program.steps[p]
        if operands and program.dtypes[p].kind in "bui":
            return True
        if type(operation) is Map and _margins(operation):
            return True
    return bool(program.guards)


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape))


class _Search:
    """Looks for the places where one program decides."""

    def __init__(self, setting: Setting, pair: Pair, moved: Sequence[int], begin: float) -> None:
        self.setting, self.pair, self.moved, self.begin = setting, pair, moved, begin
        self.rng = setting.rng

    @property
    def _is_over(self) -> bool:
        return time.process_time() - self.begin > SECONDS

    def points(self) -> Iterator[list[Any]]:
        """List points on both sides of each decision, at a few of its entries."""
        starts = [self.setting.random() for _ in range(_STARTS)]
        tables = [self._values(x) for x in starts]
        for decision in self._decisions:
            margins = [self._margin(decision, v) for v in tables]
            known = [n for n, m in enumerate(margins) if m is not None]
            if len(known) < 2 or self._is_over:
                continue
            count = min(margins[n].size for n in known)
            for at in self.rng.permutation(count)[:_PLACES]:
                own = [(starts[n], float(margins[n].flat[at])) for n in known]
                yield from self._at(decision, int(at), own)

    @cached_property
    def _decisions(self) -> list[Decision]:
        found = []
        ends = [p for p in (*self.pair.truths, *self.pair.answers) if p is not None]
        ends += [g.position for g in self.pair.program.guards]
        for p in self.pair.program.schedule(ends, ())[0]:
            operation, *operands = self.pair.program.steps[p]
            if type(operation) is Map:
                found += [Decision(tuple(operands), *margin) for margin in _margins(operation)]
        return list(dict.fromkeys(found))

    def _at(self, decision: Decision, at: int, own: list[tuple[Any, float]]) -> Iterator[list[Any]]:
        """Find where an entry of a margin is zero, from points with its values there."""
        low = min(own, key=lambda pair: pair[1])
        high = max(own, key=lambda pair: pair[1])
        if low[1] < 0 <= high[1]:
            yield from self._between(decision, at, low[0], high[0])
            return
        nearest = min(own, key=lambda pair: abs(pair[1]))
        found = self._towards(decision, at, *nearest)
        if found is not None:
            ends = (found, nearest[0]) if nearest[1] >= 0 else (nearest[0], found)
            yield from self._between(decision, at, *ends)

    def _towards(self, decision: Decision, at: int, start: Any, value: float) -> Any:
        """Look for a point where a margin has the other sign, by steps that make it small."""
        best, least, step = start, abs(value), 1.0
        for _ in range(_ATTEMPTS):
            if self._is_over or not least:
                return None
            near = self._stepped(best, step)
            found = self._value(decision, at, near)
            if found is None or not np.isfinite(found):
                continue
            if (found < 0) != (value < 0):
                return near
            if abs(found) < least:
                best, least, step = near, abs(found), step * 1.5
            else:
                step = max(step * 0.8, 1e-8)
        return None

    def _stepped(self, point: Any, step: float) -> Any:
        near = list(point)
        for k in self.moved:
            x = near[k]
            near[k] = np.asarray(x + step * self.rng.normal(size=x.shape)).astype(x.dtype)
        return near

    def _between(self, decision: Decision, at: int, low: Any, high: Any) -> Iterator[list[Any]]:
        """Halve the way between two sides; give points on both, near and not so near."""
        a, b = 0.0, 1.0
        for _ in range(_ALL_BITS if decision.is_equality else _HALVINGS):
            middle = (a + b) / 2
            found = self._value(decision, at, self._on_the_way(low, high, middle))
            if found is None or self._is_over:
                return
            a, b = (middle, b) if found < 0 else (a, middle)
        if decision.is_equality:
            yield from self._equal(decision, at, self._on_the_way(low, high, b))
        length = max(
            [float(np.max(np.abs(high[k] - low[k]), initial=0.0)) for k in self.moved] + [1e-6]
        )
        for beside in _BESIDE:
            for t in (a - beside / length, b + beside / length):
                yield self._on_the_way(low, high, t)

    def _equal(self, decision: Decision, at: int, point: Any) -> Iterator[list[Any]]:
        """Find floats, some units in the last place away, at which both sides are equal."""
        for units in sorted(range(-_NEIGHBOURS, _NEIGHBOURS + 1), key=abs):
            near = list(point)
            for k in self.moved:
                near[k] = np.asarray(point[k] + units * np.spacing(point[k])).astype(point[k].dtype)
            if self._value(decision, at, near) == 0:
                yield near
                return

    def _on_the_way(self, low: Any, high: Any, t: float) -> list[Any]:
        near = list(low)
        for k in self.moved:
            near[k] = np.asarray(low[k] + t * (high[k] - low[k])).astype(low[k].dtype)
        return near

    # --- numbers ----------------------------------------------------------------------------------

    def _value(self, decision: Decision, at: int, point: Any) -> float | None:
        values = self._values(point)
        margin = self._margin(decision, values)
        return None if margin is None or at >= margin.size else float(margin.flat[at])

    def _values(self, point: Any) -> list[Any] | None:
        return floats_of(self.pair, point)

    def _margin(self, decision: Decision, values: list[Any] | None) -> Any:
        if values is None:
            return None
        with np.errstate(all="ignore"):
            try:
                own = decision.margin(*[values[i] for i in decision.operands])
            except (*OUTSIDE, TypeError):
                return None
        found = np.asarray(own)
        return found if found.dtype.kind in "fiub" and found.size else None


@lru_cache(maxsize=256)
def _margins(operation: Map) -> tuple[tuple[Callable[..., Any], bool], ...]:
    """Give the differences whose signs an elementwise step looks at, and whether only if zero."""
    symbols, body = operation.formula
    compared = [
        (e.lhs - e.rhs, isinstance(e, (sp.Eq, sp.Ne)))
        for e in sp.preorder_traversal(body)
        if isinstance(e, sp.core.relational.Relational) and e.lhs.is_number + e.rhs.is_number < 2
    ]
    compared += [(a, False) for e in body.atoms(sp.Abs, sp.sign, sp.Heaviside) for a in e.args[:1]]
    for e in body.atoms(sp.Max, sp.Min):
        compared += [(e.args[0] - other, False) for other in e.args[1:]]
    own = dict(zip(symbols, parameters(len(symbols)), strict=True))
    found = []
    for e, is_equality in dict.fromkeys(compared):
        try:
            margin = KERNELS[Map(e.xreplace(own), operation.arity, "same")]
        except (SymtapeError, TypeError):
            continue
        found.append((margin, is_equality))
    return tuple(found)
