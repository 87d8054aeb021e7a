"""Whether two formulas are one: in their canonical form, or in finite fields at random points."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus.terms.canonical import canonical
from symtape.errors import SymtapeError
from symtape.exact.complex_residues import ComplexResidue, ComplexResidues
from symtape.exact.residue_bodies import Residues
from symtape.exact.residues import FIRM, LOST, Residue
from symtape.program.evaluation.evaluation import as_objects, evaluate
from symtape.program.operations import Cast
from symtape.program.program import Program, shared
from symtape.verify.numbers.accuracy import work
from symtape.verify.points.domain import Domain
from symtape.verify.subject import Pair

TRIALS = 40
"""So many points at least, each in another part of the domain."""

MOST_TRIALS = 600
"""So many at most: a point counts for an entry if roots and laws on the way to it hold there."""

ENOUGH = 24
"""So many have to count for each entry: a root of the wrong sign passes half of them."""

_SECONDS = 2.8
"""So long are points tried, in time of the processor."""

_MOST = 400_000
"""How many numbers all trials together compute, at most."""


_LONGEST = 1500
"""Programs of more steps are not brought into canonical form, which takes seconds."""

_PRODUCTS = 4000
"""Nor are those with more products: what is written into an array turn by turn has many."""


class Identity(NamedTuple):
    """What was found: "proved", "equal" or "unknown", the trials that counted, where it ended."""

    verdict: str
    trials: int
    reason: str = ""


def canonically_equal(pair: Pair) -> bool:
    """Say whether the canonical forms are the same steps."""
    outputs = [p for p in (*pair.truths, *pair.answers) if p is not None]
    if len(outputs) != len(pair.truths) * 2 or len(pair.program) > _LONGEST:
        return False
    try:
        program, places = canonical(pair.program, outputs, _PRODUCTS)
        program, moved = shared(program)
    except SymtapeError:
        return False
    ends = [moved[p] for p in places]
    half = len(pair.truths)
    return all(
        a == b and _keeps_digits(program, [a])
        for a, b in zip(ends[:half], ends[half:], strict=True)
    )


def lowered(pair: Pair) -> str | None:
    """Name the dtype that a candidate computes with, if it has fewer digits than its inputs."""
    program = pair.program
    ends = [p for p in pair.answers if p is not None]
    needed = program.schedule(ends, ())[0]
    wide = max((program.dtypes[p].itemsize for p in pair.leaves), default=8)
    for p in needed:
        operation = program.steps[p][0]
        if (
            type(operation) is Cast
            and program.dtypes[p].kind in "fV"
            and (
                program.dtypes[p].itemsize < wide
                and program.dtypes[program.steps[p][1]].kind in "fV"
            )
        ):
            return str(program.dtypes[p])
    return None


def _keeps_digits(program: Program, ends: Sequence[int]) -> bool:
    return all(type(program.steps[p][0]) is not Cast for p in program.schedule(ends, ())[0])


def equal_in_fields(
    pair: Pair,
    domains: Sequence[Domain],
    examples: Sequence[Any],
    seed: int,
    recorded: Callable[[Sequence[Any]], Pair | None],
    parts: Sequence[Domain | None],
) -> Identity:
    """Compare at random points of two finite fields, entry by entry.

    Where control flow decided otherwise at a point, the functions are `recorded` there anew. Of
    each result the part counts that one of `parts` says.
    """
    is_complex = any(d.kind == "c" for d in pair.program.dtypes)
    if is_complex and any(part is not None and part.symmetric for part in parts):
        return Identity("unknown", 0, "Hermitian matrices are not drawn")
    arithmetic = ComplexResidues if is_complex else Residues
    counts: list[Any] = []
    trials = min(MOST_TRIALS, _MOST // max(1, work(pair.program)))
    if trials < ENOUGH:
        return Identity("unknown", 0, "the program is too large for the proof")
    begin = time.process_time()
    for trial in range(trials):
        if time.process_time() - begin > _SECONDS:
            break
        rng = np.random.default_rng([seed, trial])
        point = [d.sample(rng, x) for d, x in zip(domains, examples, strict=True)]
        field = arithmetic(hash((seed, trial)))
        try:
            found = _residues(pair, domains, point, field, rng)
            if found is None:
                anew = recorded(point)
                found = anew and _residues(anew, domains, point, field, rng)
        except (SymtapeError, ZeroDivisionError) as error:
            return Identity("unknown", trial, str(error).splitlines()[0])
        if not found:
            continue
        if not counts:
            counts = [np.zeros((8, *np.shape(a)), int) for a, _ in found]
        for total, part, (a, b) in zip(counts, parts, found, strict=True):
            if total.shape[1:] != np.shape(a):
                return Identity("unknown", trial, "the shape of a result depends on values")
            _count(total, *(_halves(part, x) for x in (a, b)))
        if trial >= TRIALS - 1 and (_least(counts) >= ENOUGH or _differ(counts)):
            break
    least = _least(counts) if counts else 0
    if least < ENOUGH:
        return Identity("unknown", least, _why_unknown(counts))
    return Identity("equal", least)


def _why_unknown(counts: Sequence[Any]) -> str:
    if _differ(counts):
        return "the residues differ, which decides nothing"
    return "too few points of the fields count"


def _residues(
    pair: Pair, domains: Sequence[Domain], point: Sequence[Any], field: Residues, rng: Any
) -> list[tuple[Any, Any]] | None:
    """Compute truths and answers; None where the point takes another branch."""
    program = pair.program
    given = {
        p: d.residues(rng, field, x) for p, d, x in zip(pair.leaves, domains, point, strict=True)
    }
    for p, value in pair.others.items():
        given[p] = as_objects(np.frompyfunc(field.number, 1, 1)(value))
    guards = [g.position for g in program.guards]
    ends = [p for p in (*pair.truths, *pair.answers) if p is not None]
    found = evaluate(program, [*guards, *ends], given, field)
    for guard, value in zip(program.guards, found, strict=False):
        own = np.ravel(value)[0]
        if (bool(own) if isinstance(guard.value, bool) else int(own)) != guard.value:
            return None
    results = iter(found[len(guards) :])
    zero = as_objects(0)
    all_of = [zero if p is None else next(results) for p in (*pair.truths, *pair.answers)]
    all_of = [np.frompyfunc(partial(_as_residue, field), 1, 1)(x) for x in all_of]
    half = len(pair.truths)
    pairs = zip(all_of[:half], all_of[half:], strict=True)
    if isinstance(field, ComplexResidues):
        return [(_parts(field, a), _parts(field, b)) for a, b in starmap(_alike, pairs)]
    return [_alike(a, b) for a, b in pairs]


def _as_residue(field: Residues, x: Any) -> Any:
    return x if isinstance(x, (Residue, ComplexResidue)) else field.integer(int(x))


def _parts(field: ComplexResidues, numbers: Any) -> Any:
    """Give real and imaginary parts along a new axis."""
    pairs = np.frompyfunc(field.pair, 1, 1)(numbers)
    return np.stack(
        [as_objects(np.frompyfunc(part, 1, 1)(pairs)) for part in (field.real, field.imaginary)]
    )


def _alike(a: Any, b: Any) -> tuple[Any, Any]:
    first, second = np.broadcast_arrays(a, b)
    return first, second


def _halves(part: Domain | None, x: Any) -> Any:
    """Add an array to its transpose where only symmetric matrices are meant."""
    if part is None or not part.symmetric or x.ndim < 2:
        return x
    return x + np.swapaxes(x, -1, -2)


def _count(total: Any, a: Any, b: Any) -> None:
    """Count for each entry and field the points that agree and those that do not.

    Those where not all laws hold come after the others.
    """
    for at in np.ndindex(*np.shape(a)):
        x, y = a[at], b[at]
        level = min(x.level, y.level)
        if level == LOST or x.p is None or y.p is None:
            continue
        first = 0 if level == FIRM else 4
        total[(first + (x.p != y.p), *at)] += 1
        total[(first + 2 + (x.q != y.q), *at)] += 1


def _least(counts: Sequence[Any]) -> int:
    """Give the number of points that the entry has that fewest points count for.

    Where not all laws hold a point counts, if no such point of the field differs.
    """
    least = MOST_TRIALS
    for total in counts:
        firm, all_of = total[:4], total[:4] + total[4:]
        ways = [np.where(t[k + 1] == 0, t[k], 0) for t in (firm, all_of) for k in (0, 2)]
        least = min(least, int(np.max(ways, axis=0).min(initial=least)))
    return least


def _differ(counts: Sequence[Any]) -> bool:
    """Say whether an entry differs in both fields, so that no more points can help."""
    return any(bool(np.any((t[1] > 0) & (t[3] > 0))) for t in counts)
