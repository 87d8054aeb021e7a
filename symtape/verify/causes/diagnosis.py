"""What is wrong, in words: the candidate's numbers are compared with those of known mistakes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.verify.causes.code.repair import Repair, repaired
from symtape.verify.causes.conditions import by_choices
from symtape.verify.causes.derived import is_empty, is_readable
from symtape.verify.causes.edits import edited, left_over
from symtape.verify.causes.evidence import INNER, Evidence, as_rounded
from symtape.verify.causes.mistakes import exchanges
from symtape.verify.causes.neighbours import neighbour
from symtape.verify.causes.passed import passed_on
from symtape.verify.causes.patterns import PATTERNS, constant_along, few_digits, half_precision
from symtape.verify.causes.regions import at_edge, few_places, rarely, sporadic, where_wrong
from symtape.verify.causes.slips import slipped
from symtape.verify.causes.weights import weighted
from symtape.verify.points.domain import ROW_OF_MASK
from symtape.verify.running.clock import Clock


def diagnosed(evidence: Evidence, clock: Clock) -> str:
    """Say in a sentence what is wrong; empty where no known mistake gives these numbers.

    Nothing is searched for when the time is over.
    """
    wrong = [
        k
        for k in range(len(evidence.results))
        if any(s.excess and float(np.max(s.excess[k], initial=0)) > 1 for s in evidence.points)
    ]
    known: dict[str, list[str]] = {}
    unknown, repair = [], None
    rounded = as_rounded(evidence.points)
    with warnings.catch_warnings(), np.errstate(all="ignore"), rounded:
        warnings.simplefilter("ignore")  # mistakes may leave the domain of a function
        if all(s.answers for s in evidence.points):
            repair = repaired(evidence, clock.share(_REPAIR))
        effort = _ALONE if repair is None else _BESIDE
        own = clock.part(effort.seconds)
        for k in wrong:
            found = _of_result(evidence, k, own, effort.longest)
            if found:
                known.setdefault(found, []).append(evidence.results[k])
            else:
                unknown.append(evidence.results[k])
    told = _told([f"{_joined(names)}: {found}" for found, names in known.items()], repair)
    if told and unknown and repair is None:
        told.append(f"{_listed(unknown)} wrong, too")
    return "; ".join(told) or _told_places(evidence, wrong)


def _told(causes: Sequence[str], repair: Repair | None) -> list[str]:
    """Put what was found together: a line that would be right, and no words twice.

    Steps without a name tell little beside causes that need none.
    """
    whole = [c for c in dict.fromkeys(causes) if not is_empty(c.partition(": ")[2])]
    readable = [c for c in whole if is_readable(c)]
    if repair is None:
        return readable or whole
    for n, cause in enumerate(readable):
        if _is_told(repair.words, cause):
            return [*readable[:n], f"{cause}: {repair.where}", *readable[n + 1 :]]
    return [*readable, f"{repair.words}: {repair.where}"]


def _is_told(words: str, cause: str) -> bool:
    """Say whether a cause tells what a change does: the same, or which function is for which."""
    names = words.removeprefix("another function is used: ").split(" instead of ")
    exchanged = r"\(.*instead of .*".join(map(re.escape, names)) + r"\("
    return words in cause or (len(names) == 2 and re.search(exchanged, cause) is not None)


def _told_places(evidence: Evidence, wrong: Sequence[int]) -> str:
    """Say which results and entries are wrong, where nothing else is known."""
    names = [evidence.results[k] for k in wrong]
    right = [name for name in evidence.results if name not in names]
    found = [f"{_listed(names)} wrong"]
    if right:
        found.append(f"{_listed(right)} right")
    parts = [f"{evidence.results[k]} {words}" for k in wrong if (words := few_places(evidence, k))]
    told = "no single mistake that is known gives these numbers: " + ", ".join([*found, *parts])
    return told + _AT_EXAMPLE * evidence.is_right_at_example


_AT_EXAMPLE = '; at the example it is right (if others are not meant: domain="near" for an input)'


def _listed(names: Sequence[str]) -> str:
    """Write names with their verb."""
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"


def _joined(names: Sequence[str]) -> str:
    """Write names.

    >>> _joined(["x"]), _joined(["x", "y", "z"])
    ('x', 'x, y and z')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _of_result(evidence: Evidence, k: int, clock: Clock, longest: int) -> str:
    """Say what is wrong with a result; a search ends with the time, and tells no more at length."""
    pairs = evidence.pairs(k)
    if not pairs:
        return ""
    if any(not np.all(np.isfinite(a)) for _, a in pairs):
        return _not_finite(evidence, k)
    small = few_digits(evidence, k, pairs)
    inner = [s for s in evidence.points if s.words in INNER]
    if small:
        found = _by_search(evidence, k, inner, clock)
        return found if found and is_readable(found) else small
    wrong = [s for s in inner if float(np.max(s.excess[k], initial=0)) > 1]
    if inner and not wrong:
        return at_edge(evidence, k)
    if 0 < len(wrong) <= (len(inner) - 1) / 4:
        return by_choices(evidence, k, clock) or rarely(evidence, k)
    for mistake in PATTERNS:
        words = mistake(evidence, k, pairs)
        if words:
            return str(words)
    narrow = half_precision(evidence, k, pairs)
    if narrow:
        return narrow
    found = _by_search(evidence, k, inner, clock)
    found = found if len(found) <= longest else ""
    where = where_wrong(evidence, k) if not 0 < len(found) <= _LONG else ""
    chosen = "" if where or (found and is_readable(found)) else by_choices(evidence, k, clock)
    told = found if found and is_readable(found) else ""
    same = "" if where or chosen or told else constant_along(evidence, k, pairs)
    return where or chosen or told or same or found or sporadic(evidence, k)


def _by_search(evidence: Evidence, k: int, inner: Sequence[Any], clock: Clock) -> str:
    """Try mistakes until one gives these numbers; one whose steps have no words counts last."""
    dark = ""
    for search in _SEARCHES if inner else ():
        if clock.is_over:
            break
        found = search(evidence.subject, k, inner, clock)
        if found and is_readable(found):
            return found
        dark = dark or found
    return dark


_REPAIR = 0.6
"""Such a part of the time is for lines that would be right."""


_LONG = 120
"""Words that are longer tell less than where it is wrong, as beyond the bounds of a clamp."""


class Effort(NamedTuple):
    """How long mistakes are searched for, in time of the processor, and how long words may be."""

    seconds: float
    longest: int


_ALONE, _BESIDE = Effort(1.2, 10_000), Effort(0.8, 120)
"""Beside a line that would be right, long words tell little."""

_SEARCHES: tuple[Callable[[Any, int, Sequence[Any], Clock], str], ...] = (
    passed_on,
    neighbour,
    weighted,
    edited,
    slipped,
    partial(edited, edits=exchanges),
    left_over,
)
"""The likeliest mistakes first."""


def _not_finite(evidence: Evidence, k: int) -> str:
    seen = next(s for s in evidence.points if s.answers and not np.all(np.isfinite(s.answers[k])))
    kind = "nan" if np.any(np.isnan(seen.answers[k])) else "infinite"
    where = f" ({seen.words})" if seen.words != "random" else ""
    told = f"it is {kind} where the truth is finite{where}: a mask or a limit is missing"
    is_edge = seen.words not in INNER and not seen.words.startswith(ROW_OF_MASK)
    return told + _not_meant(seen) * (evidence.is_right_at_example and is_edge)


def _not_meant(seen: Any) -> str:
    """Say how other inputs are asked for; complex ones are none of them positive."""
    kinds = '"near"' if any(x.dtype.kind == "c" for x in seen.point) else '"positive" or "near"'
    return f" (if such inputs are not meant: domain={kinds} for an input)"
