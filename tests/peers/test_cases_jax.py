"""Every operation of the table, differentiated once and twice, against JAX.

JAX gets the recorded program of the value, and differentiates it along a line itself.
"""

from __future__ import annotations

from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.cases import CASES, Case
from tests.peers.jax_words import JaxWords
from tests.peers.translate import run
from tests.sampling import some
from tests.test_case_digits import along, along_a_line

NOT_JUDGED = {
    "stop_gradient": "JAX would have to be told that there is no derivative",
    "acosh of complex": "JAX takes another root of z² - 1 where the real part is negative",
    "sign of complex": "JAX has no slope for it",
    "det of nothing": "JAX refuses matrices of no elements",
    "sqrtm": "JAX has no derivative of it",
    "logm": "JAX has no such function",
    "math.nextafter": "JAX has no slope for it",
    "math.special.bessel_k": "JAX has no such function",
    "math.special.bessel_y": "JAX has no such function",
    "math.special.bessel_j": "JAX has no slope for it",
}
"""Why JAX is no judge of a case, by how its name begins."""

ONCE = {
    "math.igamma": "JAX has no second derivative in the shape",
}
"""Cases of which JAX has one derivative, by how their names begin."""

NO_WORDS = {"Eig", "Eigh", "QR", "SVD"}
"""Kinds of operations that are not translated: their results are unique up to signs and phases."""


def reason(case: Case) -> str:
    """Say why JAX is no judge of a case."""
    return next((why for name, why in NOT_JUDGED.items() if case.name.startswith(name)), "")


def judged(case: Case) -> bool:
    """Say whether a case has derivatives at points that were not chosen for being special."""
    points = any(x.points is not None for x in case.inputs)
    return bool(case.inputs) and case.order > 0 and not points and not reason(case)


class Line:
    """A recorded scalar on a line through the recorded point, as a function of JAX's."""

    def __init__(self, target: Any, xs: list[Any], directions: list[Any], jax: Any) -> None:
        self.formula, self.jax = target.formula, jax
        self.at = {p: jax.numpy.asarray(v) for p, v in self.formula.values().items()}
        inside = {id(x): d for x, d in zip(xs, directions, strict=True)}
        self.moving = {
            leaf.position: jax.numpy.asarray(inside[id(leaf.tensor())].numpy())
            for leaf in self.formula.all_leaves
            if leaf.position in self.at and id(leaf.tensor()) in inside
        }
        self.peer = JaxWords(jax)

    @property
    def kinds(self) -> set[str]:
        """The kinds of operations of the program."""
        program = self.formula.program
        own = program.ancestors([self.formula.position])
        return {type(program.steps[p][0]).__name__ for p in own}

    def __call__(self, t: Any) -> Any:
        """Compute the value some way along."""
        given = {p: v + t * self.moving[p] if p in self.moving else v for p, v in self.at.items()}
        return run(self.formula.program, given, self.formula.position, self.peer).real

    def derivatives(self, order: int) -> list[float]:
        """Give the value and one or two derivatives."""
        once = self.jax.jit(partial(self._with_slope, self))
        if order == 1:
            return [float(x) for x in once(0.0)]
        twice = self.jax.jit(partial(self._with_slope, partial(self._with_slope, self)))
        (value, first), (_, second) = twice(0.0)
        return [float(value), float(first), float(second)]

    def _with_slope(self, f: Any, t: Any) -> Any:
        return self.jax.jvp(f, (t,), (1.0,))


def total_along(gradients: list[Any], directions: list[Any]) -> float:
    """Contract gradients with directions; what is not connected counts as zero."""
    pairs = zip(gradients, directions, strict=True)
    return sum(float(along(g, d)) for g, d in pairs if g is not None)


@pytest.mark.parametrize("case", some([c for c in CASES if judged(c)], 12, 1), ids=lambda c: c.name)
def test_operation_agrees_with_jax(case: Case, jax: ModuleType) -> None:
    """Value, first and second derivative along a random line are JAX's."""
    found = along_a_line(case, 2)
    if found is None:
        return
    total, movable, directions, slopes, bends, _ = found
    ours = [float(total), total_along(slopes, directions), total_along(bends, directions)]
    line = Line(total, movable, directions, jax)
    if line.kinds & NO_WORDS:
        return
    theirs = line.derivatives(1 if case.name.startswith(tuple(ONCE)) else 2)
    np.testing.assert_allclose(ours[: len(theirs)], theirs, rtol=1e-8, atol=1e-9, err_msg=case.name)
