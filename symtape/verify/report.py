"""What the judge says: a verdict, its cause, and a point at which anybody can see it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from symtape.nest.trees import take_apart

VERDICTS = ("proved", "equal", "measured", "refuted", "undecided")


@dataclass(frozen=True)
class Row:
    """One entry of a table: where, what is true, what the candidate gives, how far it is off."""

    result: str
    place: tuple[int, ...]
    truth: Any
    answer: Any
    error: float
    ulp: float
    condition: float


@dataclass(frozen=True, eq=False)  # arrays have no one truth to compare
class Report:
    """A verdict on a candidate for a derivative.

    Attributes:
        kind: What was judged: "gradient", "vjp", …
        verdict: "proved" (the canonical forms are the same), "equal" (as formulas, but for a chance
            of less than `bound`), "measured" (at all points that were tried, as far as the dtype
            tells), "refuted" (there is a counterexample), or "undecided".
        cause: Why it was refuted or not decided, in words.
        counterexample: The inputs, by name, at which it is wrong; None unless it is refuted.
        table: The worst entries, or those that are wrong.
        domain: Where points were drawn, by the name of the input.
        points: How many points were tried with floats.
        trials: How many points of finite fields agree.
        notes: What else was seen, such as digits that are lost.
        warnings: What floats make of a formula that is right: where it is not finite.
    """

    kind: str
    verdict: str
    cause: str = ""
    counterexample: dict[str, Any] | None = None
    table: Sequence[Row] = ()
    domain: dict[str, str] = field(default_factory=dict)
    points: int = 0
    trials: int = 0
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()

    @property
    def ok(self) -> bool:
        """Whether the candidate is accepted: proved, equal or measured."""
        return self.verdict in VERDICTS[:3]

    def __bool__(self) -> bool:
        return self.ok

    @property
    def bound(self) -> float | None:
        """The chance that formulas of a degree up to a million differ, and were found equal."""
        return (1e6 / 2**30) ** self.trials if self.verdict == "equal" else None

    @property
    def worst(self) -> Row | None:
        """The entry that is furthest from the truth."""
        return max(self.table, key=lambda r: r.error, default=None)

    def __str__(self) -> str:
        lines = [f"{self.kind}: {self.verdict}{self._how()}"]
        if self.cause:
            lines.append(f"  {self.cause}")
        for name, value in (self.counterexample or {}).items():
            leaves, tree = take_apart(value)
            places = zip(tree.paths(name), leaves, strict=True)
            lines += [_shown(f"  at {place} = ", leaf) for place, leaf in places]
        if self.worst is not None:
            lines += [_line(self.worst)] if self.ok else _table(self.table)
        lines += [f"  warning: {words}" for words in self.warnings]
        lines += [f"  {note}" for note in self.notes]
        if self.domain:
            lines.append("  inputs: " + "; ".join(f"{k} {v}" for k, v in self.domain.items()))
        return "\n".join(lines)

    __repr__ = __str__

    def _how(self) -> str:
        if self.verdict == "proved":
            return ", the canonical forms are the same"
        if self.verdict == "equal":
            return f", at {self.trials} random points of finite fields"
        tried = "point" if self.points == 1 else "points"
        return f", at {self.points} {tried}" if self.points else ""

    def to_json(self) -> str:
        """Write the report as JSON: arrays as nested lists, and "nan", "inf" and "-inf" as texts.

        >>> Row("x", (), 1.0, float("nan"), float("inf"), 0.0, 1.0)
        Row(result='x', place=(), truth=1.0, answer=nan, error=inf, ulp=0.0, condition=1.0)
        >>> json.loads(Report("gradient", "refuted", table=[_]).to_json())["table"][0]["answer"]
        'nan'
        """
        own = {
            "kind": self.kind,
            "ok": self.ok,
            "verdict": self.verdict,
            "cause": self.cause,
            "bound": self.bound,
            "counterexample": {k: _plain(v) for k, v in (self.counterexample or {}).items()}
            or None,
            "table": [{k: _plain(v) for k, v in vars(row).items()} for row in self.table],
            "domain": self.domain,
            "points": self.points,
            "trials": self.trials,
            "notes": list(self.notes),
            "warnings": list(self.warnings),
        }
        return json.dumps(own, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else str(float(value))
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)) or value is None:
        return None if value is None else [*map(_plain, value)]
    found = np.asarray(value)
    if found.dtype.kind == "O":
        return repr(value)
    if found.dtype.kind == "c":
        return [_plain(found.real), _plain(found.imag)]
    return _plain(found.astype(float).tolist() if found.dtype.kind == "V" else found.tolist())


def _shown(begin: str, value: Any) -> str:
    """Write an input so that it can be pasted into Python; a large array is at hand as it is.

    >>> _shown("x = ", np.array([0.5, np.inf]))
    'x = np.array([   0.5, np.inf])'
    >>> _shown("x = ", np.array([0.5], "float32")), _shown("x = ", np.array(0.5))
    ("x = np.array([0.5], dtype='float32')", 'x = 0.5')
    """
    if not isinstance(value, (np.ndarray, np.generic)):
        return f"{begin}{value!r}"
    x = np.asarray(value)
    is_plain = x.dtype in (np.float64, np.int64, np.bool_, np.complex128)
    if is_plain and not x.ndim and np.all(np.isfinite(x)):
        return f"{begin}{x.item()!r}"
    begin += "np.array("
    with np.printoptions(nanstr="np.nan", infstr="np.inf"):
        text = np.array2string(x, precision=17, separator=", ", threshold=24, prefix=begin)
    dtype = "" if is_plain and x.size else f", dtype='{x.dtype}'"
    whole = "  # whole in report.counterexample" if "..." in text else ""
    return f"{begin}{text}{dtype}){whole}"


def _line(row: Row) -> str:
    place = f"[{', '.join(map(str, row.place))}]" if row.place else ""
    return f"  the largest error of an entry is {row.ulp:.2g} ULP, of {row.result}{place}"


def _table(rows: Sequence[Row]) -> list[str]:
    cells = [("entry", "true", "candidate", "relative error", "ULP", "condition")]
    for r in rows[:8]:
        place = f"[{', '.join(map(str, r.place))}]" if r.place else ""
        cells.append(
            (
                r.result + place,
                _number(r.truth),
                _number(r.answer),
                f"{r.error:.2g}",
                f"{r.ulp:.2g}",
                f"{r.condition:.2g}",
            )
        )
    widths = [max(len(row[k]) for row in cells) for k in range(6)]
    return [
        "  "
        + "  ".join(
            c.ljust(w) if k == 0 else c.rjust(w)
            for k, (c, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _number(x: Any) -> str:
    return f"{x + 0:.10g}"
