"""Whether enclosures contain the truth, in random programs and their gradients.

`python -m tests.enclosures 100000` tries so many, and prints what it found. The truth is mpmath's,
at 80 digits and at 110, which also say how far to trust it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import sympy as sp

from symtape.calculus.derive import gradient
from symtape.errors import NoExactFormError
from symtape.exact.balls.numbers import flint, is_unknown
from symtape.exact.digits import HighPrecision, context_of
from symtape.exact.enclosing import (
    Box,
    Question,
    at_point,
    exact_balls,
    has_bits,
    joined,
    over_box,
    precision,
)
from symtape.exact.given import exact_ball
from symtape.program import operations as ops
from symtape.program.evaluation.evaluation import evaluate
from symtape.program.functions import scalar, special
from symtape.program.operations import Map, parameters
from symtape.program.program import Program
from tests.programs import BINARY, UNARY, random_program

BITS = 53
DIGITS = (80, 110)


def of(body: Callable[..., Any], arity: int = 1) -> Map:
    """Make an elementwise operation."""
    return Map.of(body(*parameters(arity)), arity)


UNARIES = [
    *UNARY,
    of(lambda x: sp.exp(-(x**2))),
    of(lambda x: sp.log(1 + x**2)),
    of(lambda x: scalar.sqrt(1 + x**2)),
    of(lambda x: (x / 3) ** 3),
    of(lambda x: 1 / (2 + x**2)),
    of(lambda x: (1 + x**2) ** sp.Rational(3, 2)),
    of(scalar.softplus),
    of(scalar.elu),
    of(scalar.selu),
    of(scalar.asinh),
    of(sp.atan),
    of(sp.cos),
    of(scalar.floor),
    of(scalar.rint),
    of(scalar.sign),
    of(scalar.gelu_tanh),
    of(special.erf),
    of(special.normal_cdf),
    of(lambda x: special.lgamma(1 + x**2)),
    of(lambda x: special.polygamma(0, 1 + x**2)),
    of(lambda x: special.bessel_j(0, x)),
    of(special.bessel_i1e),
    of(lambda x: special.dawson(0, x)),
]
BINARIES = [
    *BINARY,
    of(scalar.minimum, 2),
    of(scalar.logaddexp, 2),
    of(lambda x, y: scalar.xlogy(x, 1 + y**2), 2),
    of(lambda x, y: scalar.power(1 + x**2, y), 2),
    of(lambda x, y: sp.Piecewise((x, x > y), (y**2, True)), 2),
    of(lambda x, y: special.igamma(2, 1 + x**2 + y**2), 2),
    ops.divide,
]


def asked(seed: int) -> tuple[Program, list[int], Mapping[int, Any]]:
    """Write a random program, or its gradient: the positions that are asked for, and the inputs."""
    program, last, inputs, values = random_program(seed, 2 + seed % 6, (1, 2), UNARIES, BINARIES)
    outputs = [last]
    if seed % 2:
        found = gradient(program, [last], [(p,) for p in inputs])
        program, outputs = found.program, [p for p in found.outputs if p is not None]
    return program, outputs, values


def truths(
    program: Program, positions: list[int], values: Mapping[int, Any], digits: int
) -> list[Any]:
    """Compute positions with mpmath, with so many digits."""
    numbers = HighPrecision(context_of(digits))
    given = {}
    for p, value in values.items():
        given[p] = np.empty(np.shape(value), object)
        for at in np.ndindex(*given[p].shape):
            given[p][at] = numbers.number(np.asarray(value)[at])
    return evaluate(program, positions, given, numbers)


def around(coarse: Any, fine: Any) -> Any | None:
    """Make a ball that has the truth in it, of what two precisions gave; None if they differ."""
    with precision(500):
        one, other = exact_ball(coarse), exact_ball(fine)
        off = 10 * abs(other - one) + abs(other) * flint().arb(10) ** -75
        if not off < flint().arb(10) ** -50 * (1 + abs(other)):
            return None
        return flint().arb(other, off.upper())


def judged(seed: int) -> Iterator[str]:
    """Say of each entry of a random program what its enclosure is."""
    program, positions, values = asked(seed)
    if any(max(shape, default=1) > 30 for shape in program.shapes):
        yield "too large"
        return
    every = [truths(program, positions, values, digits) for digits in DIGITS]
    for position, coarse, fine in zip(positions, *every, strict=True):
        try:
            run, _ = at_point(Question(program, position), values, has_bits(BITS), BITS, 3)
        except NoExactFormError as error:
            yield f"refused: {type(error).__name__}"
            continue
        for at in np.ndindex(*run.value.shape):
            yield verdict(run.value[at], around(coarse[at], fine[at]))


def judged_box(seed: int) -> Iterator[str]:
    """Say of each entry whether its enclosure over a random box has the values at points of it."""
    program, positions, values = asked(seed)
    rng = np.random.default_rng(seed)
    width = 10.0 ** rng.integers(-4, 1)
    low = {p: v - width * rng.random(np.shape(v)) for p, v in values.items() if v.dtype.kind == "f"}
    high = {p: values[p] + width * rng.integers(0, 2, np.shape(v)) for p, v in low.items()}
    box = Box({p: (exact_balls(v), exact_balls(high[p])) for p, v in low.items()})
    points = [{p: np.where(rng.random(v.shape) < 0.3, v, high[p]) for p, v in low.items()}]
    points += [{p: rng.uniform(v, high[p]) for p, v in low.items()} for _ in range(2)]
    for position in positions:
        try:
            run = joined(
                over_box(Question(program, position), box, values, lambda _: True, BITS, seed % 4)
            )
        except NoExactFormError as error:
            yield f"refused: {type(error).__name__}"
            continue
        for point in points:
            coarse, fine = (
                truths(program, [position], {**values, **point}, digits)[0] for digits in DIGITS
            )
            for at in np.ndindex(*run.value.shape):
                found = verdict(run.value[at], around(coarse[at], fine[at]))
                yield found.removesuffix(", wide")


def verdict(ball: Any, truth: Any | None) -> str:
    """Say whether a ball has a truth in it."""
    if truth is None:
        return "no truth"
    if is_unknown(ball):
        return "nothing known"
    if not ball.overlaps(truth):
        return "TOO NARROW"
    return "contained" if has_bits(BITS)(ball) else "contained, wide"


def main(count: int, first: int = 0) -> int:
    """Try random programs at points and over boxes, and print whose enclosure lacks the truth."""
    narrow = 0
    for judge, what in ((judged, "at a point"), (judged_box, "over a box")):
        start, found, programs = time.time(), Counter[str](), Counter[str]()
        for seed in range(first, first + count):
            verdicts = list(judge(seed))
            found.update(verdicts)
            programs[of_all(verdicts)] += 1
            if "TOO NARROW" in verdicts:
                print(f"seed {seed} {what}: an enclosure lacks the truth")
        narrow += found["TOO NARROW"]
        seconds = time.time() - start
        print(f"{count} programs {what}, {seconds:.0f} s: {dict(programs)}; entries {dict(found)}")
    return int(narrow > 0)


def of_all(verdicts: list[str]) -> str:
    """Say what holds of a whole program."""
    if not verdicts:
        return "no entries"
    return "contained" if all(v.startswith("contained") for v in verdicts) else "other"


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
