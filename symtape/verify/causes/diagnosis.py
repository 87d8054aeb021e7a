"""What is wrong, in words: the candidate's numbers are compared with those of known mistakes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.verify.causes.derived import is_readable
from symtape.verify.causes.edits import edited, left_over
from symtape.verify.causes.mistakes import exchanges
from symtape.verify.causes.neighbours import neighbour
from symtape.verify.causes.repair import Repair, repaired
from symtape.verify.causes.slips import slipped

_CLOSE = 1e-5
_FEW = 6
"""So many places are listed."""


class Evidence(NamedTuple):
    """The points at which the numbers are known, of which the first is the counterexample."""

    subject: Any
    results: Sequence[str]
    points: Sequence[Any]

    def pairs(self, k: int) -> list[tuple[Any, Any]]:
        """Give truth and answer of one result at all points where both are finite."""
        return [
            (s.truths[k], s.answers[k])
            for s in self.points
            if s.answers and np.shape(s.truths[k]) == np.shape(s.answers[k])
        ]


def diagnosed(evidence: Evidence) -> str:
    """Say in a sentence what is wrong; empty where no known mistake gives these numbers."""
    wrong = [
        k
        for k in range(len(evidence.results))
        if any(s.excess and float(np.max(s.excess[k], initial=0)) > 1 for s in evidence.points)
    ]
    causes = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # mistakes may leave the domain of a function
        for k in wrong:
            found = _of_result(evidence, k)
            if found:
                causes.append(f"{evidence.results[k]}: {found}")
        repair = None
        if all(s.answers for s in evidence.points):
            repair = repaired(evidence.subject, evidence.points)
    return "; ".join(_told(causes, repair)) or _told_places(evidence, wrong)


def _told(causes: Sequence[str], repair: Repair | None) -> list[str]:
    """Put what was found together: a line that would be right, and no words twice.

    Steps without a name tell little beside causes that need none.
    """
    whole = list(dict.fromkeys(causes))
    readable = [c for c in whole if is_readable(c)]
    if repair is None:
        return readable or whole
    for n, cause in enumerate(readable):
        if repair.words in cause:
            return [*readable[:n], f"{cause}: {repair.where}", *readable[n + 1 :]]
    return [*readable, f"{repair.words}: {repair.where}"]


def _told_places(evidence: Evidence, wrong: Sequence[int]) -> str:
    """Say which results and entries are wrong, where nothing else is known."""
    names = [evidence.results[k] for k in wrong]
    right = [name for name in evidence.results if name not in names]
    found = [f"{_listed(names)} wrong"]
    if right:
        found.append(f"{_listed(right)} right")
    parts = [f"{evidence.results[k]} {words}" for k in wrong if (words := _entries(evidence, k))]
    return "no single mistake that is known gives these numbers: " + ", ".join([*found, *parts])


def _listed(names: Sequence[str]) -> str:
    """Write names with their verb."""
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"


def _entries(evidence: Evidence, k: int) -> str:
    """List the places that are wrong at some point, if they are few."""
    marks = [
        np.broadcast_to(s.excess[k] > 1, np.shape(s.truths[k]))
        for s in evidence.points
        if s.excess and np.shape(s.excess[k]) == np.shape(s.truths[k])
    ]
    if not marks or np.ndim(marks[0]) == 0 or any(m.shape != marks[0].shape for m in marks):
        return ""
    ever = np.any(marks, axis=0)
    if ever.all() or int(ever.sum()) > _FEW:
        return ""
    places = [f"[{', '.join(str(int(i)) for i in at)}]" for at in np.argwhere(ever)]
    return f"at {', '.join(places)} alone"


def _of_result(evidence: Evidence, k: int) -> str:
    pairs = evidence.pairs(k)
    if not pairs:
        return ""
    if any(not np.all(np.isfinite(a)) for _, a in pairs):
        return _not_finite(evidence, k)
    inner = [s for s in evidence.points if s.words in INNER]
    wrong = [s for s in inner if float(np.max(s.excess[k], initial=0)) > 1]
    if inner and not wrong:
        return _at_edge(evidence, k)
    if 0 < len(wrong) <= (len(inner) - 1) / 4:
        return _rarely(evidence, k)
    for mistake in _SIMPLE:
        words = mistake(evidence, k, pairs)
        if words:
            return str(words)
    return (
        neighbour(evidence.subject, k, inner)
        or edited(evidence.subject, k, inner)
        or slipped(evidence.subject, k, inner)
        or edited(evidence.subject, k, inner, exchanges)
        or left_over(evidence.subject, k, inner)
        or _half_precision(evidence, pairs)
        or _where(evidence, k)
    )


INNER = ("random", "the example", "given")
"""What points are called that are no edges."""

_EDGES = {
    "ties": "where entries are equal (ties)",
    "one large entry": "where an entry is large (saturation)",
    "small inputs": "where inputs are small",
}


def _at_edge(evidence: Evidence, k: int) -> str:
    """Say at which edge it is wrong that is right at random points."""
    words = evidence.points[0].words
    if words.startswith(("near", "beside", "an ordinary")):
        return _rarely(evidence, k)
    where = _EDGES.get(words)
    if where is None and words.startswith("all "):
        value = float(words[4:]) if words[4:].lstrip("-").replace(".", "").isdigit() else 1.0
        where = (
            "where inputs are large (saturation)"
            if abs(value) > 20
            else (f"where all entries are equal (ties, {words[4:]})")
        )
    return f"it is right at random points, and wrong {where or words}: a branch is missing or wrong"


def _rarely(evidence: Evidence, k: int) -> str:
    """Say where it is wrong that is right at most random points."""
    seen = next(s for s in evidence.points if float(np.max(s.excess[k], initial=0)) > 1)
    at = np.unravel_index(int(np.argmax(seen.excess[k])), np.shape(seen.excess[k]))
    place = f"[{', '.join(str(int(i)) for i in at)}]" if at else ""
    subject = evidence.subject
    near = [
        f"{name}{place} = {float(np.real(x[at])):.4g}"
        for name, x in zip(subject.names[: subject.count], seen.point, strict=False)
        if np.shape(x) == np.shape(seen.excess[k]) and x.dtype.kind in "fc"
    ]
    where = f"where {' and '.join(near)}" if near else "at others, as at the one shown"
    if seen.words.startswith("near"):
        where += f" ({seen.words})"
    return (
        f"it is right at most random points, and wrong {where}: a branch is taken there that is "
        "wrong, or one is missing"
    )


def close(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Say whether all pairs of arrays agree, and are not all zero."""
    size = max([float(np.max(np.abs(a), initial=0)) for a, _ in pairs], default=0.0)
    return size > 0 and all(
        np.shape(a) == np.shape(b)
        and float(np.max(np.abs(a - b), initial=0))
        <= _CLOSE * max(size * 1e-3, float(np.max(np.abs(a), initial=0)))
        for a, b in pairs
    )


Pairs = Sequence[tuple[Any, Any]]


def _zero(_: Evidence, __: int, pairs: Pairs) -> str:
    return "it is zero" if all(not np.any(a) for _, a in pairs) else ""


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
    return f"it has the factor {_named_factor(evidence, factor)}"


def _named_factor(evidence: Evidence, factor: float) -> str:
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
    return f"{factor:.6g}"


def _transposed(_: Evidence, __: int, pairs: Pairs) -> str:
    square = all(g.ndim >= 2 and g.shape[-1] == g.shape[-2] for g, _ in pairs)
    if square and close([(np.swapaxes(g, -1, -2), a) for g, a in pairs]):
        return "it is transposed"
    return ""


def _shifted(_: Evidence, __: int, pairs: Pairs) -> str:
    for axis in range(max(np.ndim(g) for g, _ in pairs)):
        for by in (1, -1):
            cut = (slice(None),) * axis + (slice(1, None) if by > 0 else slice(None, -1),)
            if pairs[0][0].shape[axis] > 2 and close(
                [(np.roll(g, by, axis)[cut], a[cut]) for g, a in pairs]
            ):
                return f"it is off by one along axis {axis}"
        if close([(np.flip(g, axis), a) for g, a in pairs]):
            return f"it is reversed along axis {axis}"
    return ""


def _exchanged(evidence: Evidence, k: int, pairs: Pairs) -> str:
    """See whether it is what belongs to another input."""
    for j, name in enumerate(evidence.results):
        others = [s.truths[j] for s in evidence.points if s.answers]
        if j == k or len(others) != len(pairs):
            continue
        if close([(t, a) for t, (_, a) in zip(others, pairs, strict=True)]):
            return f"it is what belongs to {name}: results are exchanged"
    return ""


def _permuted(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether places along an axis stand in another order."""
    for axis in range(max(np.ndim(g) for g, _ in pairs)):
        moved = [(np.moveaxis(g, axis, 0), np.moveaxis(a, axis, 0)) for g, a in pairs]
        count = len(moved[0][0])
        if not 1 < count <= _LONGEST_AXIS:
            continue
        order = [
            next((i for i in range(count) if close([(g[i], a[n]) for g, a in moved])), None)
            for n in range(count)
        ]
        if None not in order and len(set(order)) == count and order != list(range(count)):
            places = ", ".join(map(str, order))
            return f"places along axis {axis} are in another order: it has those of {places}"
    return ""


_LONGEST_AXIS = 16


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
    for words, part in (("lower", np.tril), ("upper", np.triu)):
        if close([(part(g), a) for g, a in pairs]):
            return f"it has the {words} triangle alone"
    return ""


def _constant_along(_: Evidence, __: int, pairs: Pairs) -> str:
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


def _single_precision(evidence: Evidence, _: int, pairs: Pairs) -> str:
    if _is_wide(evidence) and max(_relative(pairs)) < 1e-5:
        return "it has the digits of float32: an intermediate is computed in single precision"
    return ""


def _half_precision(evidence: Evidence, pairs: Pairs) -> str:
    errors = _relative(pairs)
    if not _is_wide(evidence):
        return ""
    if max(errors) < 1e-2 and float(np.median(errors)) > 1e-5 and _is_noise(pairs):
        return "it has few digits: an intermediate is computed in half precision"
    return ""


def _is_wide(evidence: Evidence) -> bool:
    return all(x.dtype.itemsize >= 8 for x in evidence.points[0].point if x.dtype.kind in "fV")


def _relative(pairs: Pairs) -> list[float]:
    return [
        float(np.max(np.abs(a - g), initial=0) / (np.max(np.abs(g), initial=0) or 1.0))
        for g, a in pairs
    ]


def _is_noise(pairs: Pairs) -> bool:
    """Say whether relative errors look like roundings: some up, some down, all entries."""
    signs = np.concatenate([np.ravel(np.sign(a - g)) for g, a in pairs])
    return bool(len(signs) > 8 and 0.2 < np.mean(signs > 0) < 0.8 and np.mean(signs == 0) < 0.2)


_SIMPLE: tuple[Callable[[Evidence, int, Pairs], str], ...] = (
    _zero,
    _constant_function,
    _single_precision,
    _factor,
    _transposed,
    _shifted,
    _symmetric,
    _exchanged,
    _permuted,
)


def _not_finite(evidence: Evidence, k: int) -> str:
    seen = next(s for s in evidence.points if s.answers and not np.all(np.isfinite(s.answers[k])))
    kind = "nan" if np.any(np.isnan(seen.answers[k])) else "infinite"
    where = f" ({seen.words})" if seen.words != "random" else ""
    return f"it is {kind} where the truth is finite{where}: a mask or a limit is missing"


def _where(evidence: Evidence, k: int) -> str:
    """Say for which entries it is wrong, if that can be said."""
    wrong = [
        (s, np.broadcast_to(np.atleast_1d(s.excess[k]) > 1, np.atleast_1d(s.truths[k]).shape))
        for s in evidence.points
        if s.excess and np.shape(s.excess[k]) == np.shape(s.truths[k])
    ]
    for words, marks in _regions(evidence, k):
        own = [(w, marks(s, w)) for s, w in wrong]
        if all(m is not None and m.shape == w.shape for w, m in own) and any(
            m.any() and not m.all() for _, m in own
        ):
            inside = sum(int(np.sum(w & m)) for w, m in own)
            outside = sum(int(np.sum(w & ~m)) for w, m in own)
            count = sum(int(np.sum(m)) for _, m in own)
            if inside and not outside and inside >= 0.5 * count:
                return f"it is wrong {words} alone"
    found = _constant_along(evidence, k, evidence.pairs(k))
    if found:
        return found
    edges = {s.words for s, w in wrong if w.any()}
    if edges and "random" not in edges and "the example" not in edges:
        return f"it is right at random points, and wrong at an edge ({', '.join(sorted(edges))})"
    return ""


def _regions(evidence: Evidence, k: int) -> Iterator[tuple[str, Callable[[Any, Any], Any]]]:
    """List sets of entries, each with words and a function that marks them at a point."""
    rank = np.ndim(evidence.points[0].truths[k])
    if rank >= 2:
        yield (
            "on the diagonal",
            lambda _, w: np.broadcast_to(np.eye(*w.shape[-2:]) == 1, w.shape),
        )
        yield (
            "off the diagonal",
            lambda _, w: np.broadcast_to(np.eye(*w.shape[-2:]) == 0, w.shape),
        )
    for axis in range(rank):
        for place, words in ((0, "first"), (-1, "last")):
            yield f"at the {words} place of axis {axis}", _at_place(axis, place)
    subject = evidence.subject
    yield from _labelled(evidence, k)
    for j, name in enumerate(subject.names[: subject.count]):
        if np.shape(evidence.points[0].point[j]) != np.shape(evidence.points[0].truths[k]):
            continue
        for words, holds in _SIGNS.items():
            yield words.format(name), _holding(j, holds)


def _labelled(evidence: Evidence, k: int) -> Iterator[tuple[str, Callable[[Any, Any], Any]]]:
    """List the rows that have each of the labels, or each value of a mask."""
    shape = np.shape(evidence.points[0].truths[k])
    subject, first = evidence.subject, evidence.points[0]
    for j, name in enumerate(subject.names[: subject.count]):
        x = np.asarray(first.point[j])
        is_choice = x.dtype.kind in "iub" or (j not in subject.question.wrt and x.size > 1)
        if (
            is_choice
            and x.ndim
            and x.shape == shape[: x.ndim]
            and len(np.unique(x)) <= _MOST_LABELS
        ):
            for value in np.unique(x):
                yield f"where {name} = {value:g}", _having(j, value)


_MOST_LABELS = 8


def _having(j: int, value: Any) -> Callable[[Any, Any], Any]:
    def marks(s: Any, w: Any) -> Any:
        own = np.asarray(s.point[j]) == value
        return np.broadcast_to(own.reshape(own.shape + (1,) * (w.ndim - own.ndim)), w.shape)

    return marks


_SIGNS: dict[str, Callable[[Any], Any]] = {
    "where {0} = 0": lambda x: x == 0,
    "where {0} > 0": lambda x: x > 0,
    "where {0} < 0": lambda x: x < 0,
    "where |{0}| > 1": lambda x: np.abs(x) > 1,
    "where |{0}| < 1": lambda x: np.abs(x) < 1,
    "where {0} is large": lambda x: np.abs(x) > 5,
}


def _holding(j: int, holds: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda s, _: np.atleast_1d(holds(np.asarray(s.point[j]).astype(float)))


def _at_place(axis: int, place: int) -> Callable[[Any, Any], Any]:
    def marks(_: Any, w: Any) -> Any:
        found = np.zeros(w.shape, bool)
        found[(slice(None),) * axis + (place,)] = True
        return found

    return marks


__all__ = ["INNER", "Evidence", "close", "diagnosed"]
