"""What the judge says of a candidate, and how long it takes."""

from __future__ import annotations

import re
import time
import traceback
from typing import Any, NamedTuple

from symtape import verify
from tests.judged.case import Candidate, Case

ALLOWED = 5.0
"""So many seconds may a verdict take."""


_STEPS = re.compile(
    r"\w\S* of shape \(|\b(?:add|addn|concat|einsum|multiply|divide|subtract|reshape|scatter)\b"
)
"""Steps of a program are no words: their author would not know them."""
_CODE = re.compile(r"`[^`]*`")
_REPAIRED = re.compile(r"is right with `([^`]*)`")
"""A line of the candidate as it should be: that of the right one names every cause."""


def _plain(line: str) -> str:
    """Write a line of code without what formatters change."""
    return re.sub(r"[\s()]", "", line)


class Verdict(NamedTuple):
    """A verdict on one candidate; `verdict` is "crash" where the judge raised."""

    case: str
    candidate: str
    is_right: bool
    verdict: str
    cause: str
    asked: str
    seconds: float
    right: str = ""
    counterexample: Any = None

    @property
    def is_accepted(self) -> bool:
        """Whether the candidate was accepted."""
        return self.verdict in {"proved", "equal", "measured"}

    @property
    def holds(self) -> bool:
        """Whether what is right was accepted, and what is wrong refuted."""
        return self.is_accepted if self.is_right else self.verdict == "refuted"

    @property
    def is_named(self) -> bool:
        """Whether the cause has words that its author looks for, or the right line."""
        if self.verdict != "refuted":
            return False
        told = _CODE.sub("", self.cause)
        parts = [s for s in told.split(";") if not _STEPS.search(s)]
        if self.asked and re.search(self.asked, ";".join(parts), re.IGNORECASE):
            return True
        repaired = [_plain(s) for s in _REPAIRED.findall(self.cause)]
        return any(s and s in map(_plain, self.right.splitlines()) for s in repaired)


def verdict(case: Case, candidate: Candidate) -> Verdict:
    """Ask the judge; seconds are those of the processor, of which several threads have one each."""
    start, clock = time.process_time(), time.perf_counter()
    counterexample = None
    try:
        judge = getattr(verify, case.kind)
        report = judge(case.function, candidate.function, *case.example(), **case.options)
        str(report)
        report.to_json()
        told, cause, counterexample = report.verdict, report.cause, report.counterexample
    except Exception:  # noqa: BLE001 - whatever a judge raises is a fault of it
        told, cause = "crash", "".join(traceback.format_exc(limit=-3))
    seconds = min(time.process_time() - start, time.perf_counter() - clock)
    return Verdict(
        case.name,
        candidate.name,
        not candidate.cause,
        told,
        cause,
        candidate.cause,
        seconds,
        candidate.right,
        counterexample,
    )


def verdicts(case: Case) -> list[Verdict]:
    """Judge all candidates of a case."""
    return [verdict(case, c) for c in (*case.rights, *case.wrongs)]
