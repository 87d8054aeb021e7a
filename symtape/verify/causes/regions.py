"""Where a candidate is wrong: at which entries, for which inputs, at which edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from symtape.verify.causes.evidence import Evidence

_FEW = 6
"""So many places are listed."""

_MOST_LABELS = 8

_EDGES = {
    "ties": "where entries are equal (ties)",
    "one large entry": "where an entry is large (saturation)",
    "small inputs": "where inputs are small",
}


def few_places(evidence: Evidence, k: int) -> str:
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


def at_edge(evidence: Evidence, k: int) -> str:
    """Say at which edge it is wrong that is right at random points."""
    words = evidence.points[0].words
    if words.startswith(("near", "beside", "an ordinary")):
        return rarely(evidence, k)
    where = _EDGES.get(words)
    if words in {"all True", "all False"}:
        where = f"where a mask is {words[4:]} everywhere"
    elif where is None and words.startswith("all "):
        value = float(words[4:]) if words[4:].lstrip("-").replace(".", "").isdigit() else 1.0
        where = (
            "where inputs are large (saturation)"
            if abs(value) > 20
            else (f"where all entries are equal (ties, {words[4:]})")
        )
    return f"it is right at random points, and wrong {where or words}: a branch is missing or wrong"


def rarely(evidence: Evidence, k: int, most: str = "at most random points") -> str:
    """Say where it is wrong that is right at most points, or in most entries."""
    seen = next(s for s in evidence.points if float(np.max(s.excess[k], initial=0)) > 1)
    at = np.unravel_index(int(np.argmax(seen.excess[k])), np.shape(seen.excess[k]))
    place = f"[{', '.join(str(int(i)) for i in at)}]" if at else ""
    subject = evidence.subject
    near = [
        f"{name}{place} = {float(np.real(x[at])):.4g}{_ties(x, at)}"
        for name, x in zip(subject.names[: subject.count], seen.point, strict=False)
        if np.shape(x) == np.shape(seen.excess[k]) and x.dtype.kind in "fc"
    ]
    where = f"where {' and '.join(near)}" if near else "at others, as at the one shown"
    if seen.words.startswith("near"):
        where += f" ({seen.words})"
    return (
        f"it is right {most}, and wrong {where}: a branch is taken there that is wrong, or one is "
        "missing"
    )


def _ties(x: Any, at: Any) -> str:
    """Say whether other entries are the same, and not zero; in a mask that says nothing."""
    is_mask = bool(np.all((x == 0) | (x == 1)))
    is_tie = x[at] and not is_mask and np.sum(x == x[at]) > 1
    return ", as other entries are (ties)" if is_tie else ""


def sporadic(evidence: Evidence, k: int) -> str:
    """Say where it is wrong if few entries are, and none always."""
    marks = [
        s.excess[k] > 1
        for s in evidence.points
        if s.excess and np.shape(s.excess[k]) == np.shape(s.truths[k]) != ()
    ]
    if len(marks) < 2 or len({m.shape for m in marks}) > 1:
        return ""
    is_few = float(np.mean(marks)) <= _SPORADIC and not np.all(marks, axis=0).any()
    return rarely(evidence, k, "in most entries") if is_few else ""


_SPORADIC = 0.25


def where_wrong(evidence: Evidence, k: int) -> str:
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
            is_wrong = inside and not outside and inside >= 0.5 * count
            if is_wrong and _has_more(evidence, k, [m for _, m in own]):
                return f"it is wrong {words} alone"
    edges = {s.words for s, w in wrong if w.any()}
    if edges and "random" not in edges and "the example" not in edges:
        return f"it is right at random points, and wrong at an edge ({', '.join(sorted(edges))})"
    return ""


def _has_more(evidence: Evidence, k: int, marks: list[Any]) -> bool:
    """Say whether the truth is something outside of some entries: zeros are right by themselves."""
    truths = [
        np.atleast_1d(s.truths[k])
        for s in evidence.points
        if s.excess and np.shape(s.excess[k]) == np.shape(s.truths[k])
    ]
    return any(np.any(t[~m]) for t, m in zip(truths, marks, strict=True))


def _regions(evidence: Evidence, k: int) -> Iterator[tuple[str, Callable[[Any, Any], Any]]]:
    """List sets of entries, each with words and a function that marks them at a point."""
    rank = np.ndim(evidence.points[0].truths[k])
    if rank >= 2:
        yield (
            "on the diagonal",
            lambda _, w: np.broadcast_to(np.eye(*w.shape[-2:]) == 1, w.shape),
        )
        for words, side in (("above", np.triu), ("below", np.tril)):
            yield f"{words} the diagonal", _beside_diagonal(side, 1 if words == "above" else -1)
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
                yield f"where {name} = {_word(value)}", _having(j, value)
        elif is_choice and x.ndim and shape and x.shape[0] == shape[0]:
            for value in np.unique(x)[:_MOST_LABELS]:
                words = f"where {name} has {_word(value)} in the row (a mask or a branch)"
                yield words, _having_in_row(j, value)


def _word(value: Any) -> str:
    return str(value) if value.dtype.kind == "b" else f"{value:g}"


def _having(j: int, value: Any) -> Callable[[Any, Any], Any]:
    def marks(s: Any, w: Any) -> Any:
        own = np.asarray(s.point[j]) == value
        return np.broadcast_to(own.reshape(own.shape + (1,) * (w.ndim - own.ndim)), w.shape)

    return marks


def _having_in_row(j: int, value: Any) -> Callable[[Any, Any], Any]:
    def marks(s: Any, w: Any) -> Any:
        x = np.asarray(s.point[j])
        own = np.any(x.reshape(len(x), -1) == value, axis=1)
        return np.broadcast_to(own.reshape((-1,) + (1,) * (w.ndim - 1)), w.shape)

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


def _beside_diagonal(side: Callable[..., Any], k: int) -> Callable[[Any, Any], Any]:
    return lambda _, w: np.broadcast_to(side(np.ones(w.shape[-2:]), k) == 1, w.shape)


def _at_place(axis: int, place: int) -> Callable[[Any, Any], Any]:
    def marks(_: Any, w: Any) -> Any:
        found = np.zeros(w.shape, bool)
        found[(slice(None),) * axis + (place,)] = True
        return found

    return marks
