"""Mistakes that numbers show by themselves: a factor, another result, a convention, lost digits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symtape.verify.answers import CandidateError
from symtape.verify.causes import moved
from symtape.verify.causes.evidence import Evidence, Pairs, close
from symtape.verify.subject import OUTSIDE, values


def _zero(_: Evidence, __: int, pairs: Pairs) -> str:
    return "it is zero" if all(not np.any(a) for _, a in pairs) else ""


def _whole(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether all that comes after the point is cut off, as by an array of integers."""
    cut = all(np.array_equal(a, np.trunc(np.real(g))) for g, a in pairs)
    rounded = all(np.array_equal(a, np.round(np.real(g))) for g, a in pairs)
    is_told = (cut or rounded) and any(np.any(g != a) for g, a in pairs)
    return "it is rounded to whole numbers, as in an array of integers" if is_told else ""


def _constant_function(_: Evidence, __: int, pairs: Pairs) -> str:
    if any(np.any(g) for g, _ in pairs):
        return ""
    return "the derivative is zero, as that of rounding is, and the candidate gives another number"


def _factor(evidence: Evidence, k: int, pairs: Pairs) -> str:
    """Find one number that all entries at all points are off by."""
    above = sum(float(np.sum(np.real(np.conj(g) * a))) for g, a in pairs)
    below = sum(float(np.sum(np.abs(g) ** 2)) for g, _ in pairs)
    if not below or not above:
        return ""
    factor = above / below
    if abs(factor - 1) < 1e-4 or not close([(factor * g, a) for g, a in pairs]):
        return ""
    found = _named_factor(evidence, factor)
    if not found and _are_several(pairs):
        found = f"{factor:.6g}"
    return found and f"it has the factor {found}"


def _are_several(pairs: Pairs) -> bool:
    """Say whether more than one number counts: a single one has some factor whatever it is."""
    sizes = np.concatenate([np.abs(np.ravel(a)) for _, a in pairs])
    return int(np.sum(sizes > _COUNTS * np.max(sizes))) > 1


_COUNTS = 1e-6
"""Beside the largest number, smaller ones are as good as zero."""


def _named_factor(evidence: Evidence, factor: float) -> str:
    """Write a factor that is -1, 2 or a size of an input; "" for another one."""
    if abs(factor + 1) < 1e-6:
        return "-1: the sign is wrong"
    for text, value in {"2": 2, "1/2": 0.5, "-2": -2, "-1/2": -0.5, "3": 3, "1/3": 1 / 3}.items():
        if abs(factor - value) < 1e-6 and value in (2, 0.5, -2, -0.5):
            return text
    for name, x in zip(evidence.subject.names, evidence.points[0].point, strict=True):
        sizes = {int(np.size(x)): f"the number of entries of {name}"}
        sizes |= {n: f"the size {n} of axis {i} of {name}" for i, n in enumerate(np.shape(x))}
        for n, words in sizes.items():
            if n > 1 and abs(factor - n) < 1e-6 * n:
                return f"{n}, {words}: a sum stands for a mean, or 1/{n} is missing"
            if n > 1 and abs(factor * n - 1) < 1e-6:
                return f"1/{n}, {words}: a mean stands for a sum"
    return ""


def _conjugate(evidence: Evidence, k: int, pairs: Pairs) -> str:
    """Compare with the conjugate, and with what has the conjugate of the slope alone."""
    if not any(np.any(np.imag(g)) for g, _ in pairs):
        return ""
    if close([(np.conj(g), a) for g, a in pairs]):
        return "it is the conjugate of what belongs there"
    count = evidence.subject.count
    turned = [[*s.point[:count], *map(np.conj, s.point[count:])] for s in evidence.points]
    try:
        truths = [values(evidence.subject.truth(point))[k] for point in turned]
    except OUTSIDE:
        return ""
    others = [(np.conj(t), a) for t, (_, a) in zip(truths, pairs, strict=False)]
    is_other = len(truths) == len(others) == len(pairs) and close(others)
    return "the derivative in it is the conjugate of what belongs there" if is_other else ""


def _exchanged(evidence: Evidence, k: int, pairs: Pairs) -> str:
    """See whether it is what belongs to another input."""
    for j, name in enumerate(evidence.results):
        others = [s.truths[j] for s in evidence.points if s.answers]
        if j == k or len(others) != len(pairs):
            continue
        if close([(t, a) for t, (_, a) in zip(others, pairs, strict=True)]):
            own = [s.answers[j] for s in evidence.points if s.answers]
            both = [(t, a) for (t, _), a in zip(pairs, own, strict=True)]
            words = f"it is what belongs to {name}"
            return f"{words}: results are exchanged" if close(both) else words
    return ""


def _symmetric(evidence: Evidence, k: int, pairs: Pairs) -> str:
    """Compare with the conventions for symmetric matrices, which count pairs of entries once."""
    square = all(g.ndim >= 2 and g.shape[-1] == g.shape[-2] > 1 for g, _ in pairs)
    if not square:
        return ""
    eye = np.eye(pairs[0][0].shape[-1])
    both = [(g + np.swapaxes(g, -1, -2), a) for g, a in pairs]
    if close([(s - s * eye / 2, a) for s, a in both]):
        return (
            "it is right by another convention: an entry off the diagonal of a symmetric matrix "
            "has the derivative of both"
        )
    if close([(s / 2, a) for s, a in both]):
        return "it is the symmetric part: right where only symmetric matrices are meant"
    if close([(g, (a + np.swapaxes(a, -1, -2)) / 2) for g, a in pairs]):
        return "its symmetric part is right: the matrix is symmetric, and halves are not averaged"
    for words, part in (("lower", np.tril), ("upper", np.triu)):
        if close([(part(g), a) for g, a in pairs]):
            return f"it has the {words} triangle alone"
    return ""


def constant_along(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether the difference is the same number along an axis, as a mean or sum is."""
    rank = max(np.ndim(g) for g, _ in pairs)
    for axis in range(rank):
        if pairs[0][0].shape[axis] < 2:
            continue
        wide = [(a - g) - np.mean(a - g, axis=axis, keepdims=True) for g, a in pairs]
        size = max(float(np.max(np.abs(a - g), initial=0)) for g, a in pairs)
        if size and all(float(np.max(np.abs(w), initial=0)) < 1e-6 * size for w in wide):
            sums = [np.mean(a, axis=axis) for _, a in pairs]
            centred = all(float(np.max(np.abs(s), initial=0)) < 1e-9 * size for s in sums)
            if centred:
                return f"the mean over axis {axis} is subtracted, which does not belong there"
            return (
                f"the difference is the same along axis {axis}: a term with a sum or mean over it "
                "is missing or wrong"
            )
    return ""


def few_digits(evidence: Evidence, k: int, pairs: Pairs) -> str:
    """See whether all differences are as small as those of float32, at random points and edges.

    Roundings change their signs from point to point; a small term, or a constant, does not.
    """
    largest = max(_relative(pairs))
    own = max(_of_entries(pairs))
    if not _is_wide(evidence) or largest >= 1e-5 or own > _WHOLLY:
        return ""
    if _jumps(evidence, k):
        return "it has the digits of float32: an intermediate has single precision"
    if own > _OWN:
        return ""  # what is small is off by much of itself
    rounded = "has the digits of float32" if largest < _SINGLE_DIGITS else "is rounded"
    return (
        f"it is off by {largest:.0e} of the truth and less: a constant {rounded}, or a small "
        "term, as an epsilon, is missing or does not belong there"
    )


def half_precision(evidence: Evidence, k: int, pairs: Pairs) -> str:
    """See whether the differences are the roundings of a narrow dtype."""
    errors = _relative(pairs)
    floats = [x.dtype.itemsize for x in evidence.points[0].point if x.dtype.kind in "fV"]
    if min(floats, default=0) < _SINGLE or max(_of_entries(pairs)) > _WHOLLY:
        return ""
    is_small = max(errors) < 1e-2 and float(np.median(errors)) > 1e-5
    if is_small and _is_noise(pairs) and _jumps(evidence, k):
        return "it has few digits: an intermediate is rounded, as in half precision"
    return ""


def _jumps(evidence: Evidence, k: int) -> bool:
    """Say whether errors change their signs between points that lie close to each other."""
    same = []
    for s in evidence.points:
        errors = []
        for part in (1.0, 1.003):
            point = [x * part if x.dtype.kind == "f" else x for x in s.point]
            point = [np.asarray(x).astype(old.dtype) for x, old in zip(point, s.point, strict=True)]
            try:
                truth = values(evidence.subject.truth(point))[k]
                answer = evidence.subject.answer(point, [np.shape(t) for t in s.truths])[k]
            except (*OUTSIDE, CandidateError):
                return False
            if truth is None or answer is None:
                return False
            errors.append(np.ravel(np.sign(np.asarray(answer, float) - truth)))
        same.append(errors[0] == errors[1])
    return float(np.mean(np.concatenate(same))) < _STEADY


_STEADY = 0.8
"""So many errors keep their signs where they are those of another smooth function."""

_OWN, _WHOLLY = 1e-3, 0.5
"""So far off, beside itself, is no entry for a constant that was rounded, or for roundings."""

_SINGLE_DIGITS = 1e-6
"""So far off is what a few constants of single precision give."""

_SINGLE = 4
"""So many bytes has a number of single precision."""


def _is_wide(evidence: Evidence) -> bool:
    return all(x.dtype.itemsize >= 8 for x in evidence.points[0].point if x.dtype.kind in "fV")


def _relative(pairs: Pairs) -> list[float]:
    return [
        float(np.max(np.abs(a - g), initial=0) / (np.max(np.abs(g), initial=0) or 1.0))
        for g, a in pairs
    ]


def _of_entries(pairs: Pairs) -> list[float]:
    """Give the largest error of an entry beside itself, in each pair."""
    return [
        float(np.max(np.abs(a - g)[g != 0] / np.abs(g[g != 0]), initial=0.0))
        for g, a in ((np.asarray(g), np.asarray(a)) for g, a in pairs)
    ]


def _is_noise(pairs: Pairs) -> bool:
    """Say whether relative errors look like roundings: some up, some down, all entries."""
    signs = np.concatenate([np.ravel(np.sign(a - g)) for g, a in pairs])
    return bool(len(signs) > 8 and 0.2 < np.mean(signs > 0) < 0.8 and np.mean(signs == 0) < 0.2)


def _factor_of_entries(evidence: Evidence, _: int, pairs: Pairs) -> str:
    """Find one number that some entries are off by at all points, where others are right."""
    shapes = {np.shape(g) for g, _ in pairs}
    if len(pairs) < _ENOUGH or len(shapes) > 1 or shapes == {()}:
        return ""
    truths, answers = (np.stack(own) for own in zip(*pairs, strict=True))
    below = np.sum(np.abs(truths) ** 2, axis=0)
    factors = np.sum(np.real(np.conj(truths) * answers), axis=0) / np.where(below == 0, 1.0, below)
    rest = np.max(np.abs(answers - factors * truths), axis=0)
    off = (np.abs(factors - 1) > 1e-4) & (below > 0)
    found = factors[off]
    is_one = len(found) > 0 and np.ptp(found) < 1e-6 and abs(found[0]) > 1e-9
    if not is_one or off.all() or np.any(rest > 1e-6 * (1e-3 + np.max(np.abs(truths)))):
        return ""
    places = [f"[{', '.join(map(str, at))}]" for at in np.argwhere(off)]
    if len(places) > moved.LONGEST_AXIS:
        return ""
    factor = _named_factor(evidence, found[0]) or f"{found[0]:.6g}"
    return f"the entries at {', '.join(places)} have the factor {factor}"


_ENOUGH = 3
"""Of fewer points a number that fits says nothing."""

PATTERNS: tuple[Callable[[Evidence, int, Pairs], str], ...] = (
    _zero,
    _whole,
    _constant_function,
    _factor,
    _conjugate,
    *moved.SIMPLE,
    _symmetric,
    _exchanged,
    *moved.OTHERS,
    _factor_of_entries,
)
"""Each says what is wrong with a result, or nothing."""
