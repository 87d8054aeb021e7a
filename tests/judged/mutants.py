"""Right candidates with one token changed: each is refuted, or shown to change nothing.

A mutant changes nothing if it gives what the right candidate gives at a hundred random points. One
that is refuted although it does must differ at the counterexample, an edge that random points miss.
"""

from __future__ import annotations

import io
import keyword
import random
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.judged.case import CASES, Candidate, Case, compiled, source
from tests.judged.numbers import answered, error, passes_differences, upstream
from tests.judged.verdicts import ALLOWED, verdict

POINTS = 100
SAME = 1e-9
"""So far apart are answers that floats alone explain, and constants that were rounded."""

OPERATORS = {
    "+": "-*",
    "-": "+",
    "*": "/+",
    "/": "*",
    "**": "*",
    "@": "*",
    "<": ["<=", ">"],
    "<=": ["<", ">="],
    ">": [">=", "<"],
    ">=": [">", "<="],
    "==": ["!="],
    "!=": ["=="],
    "&": "|",
    "|": "&",
    "+=": ["-=", "="],
    "-=": ["+=", "="],
    "*=": ["/=", "="],
    "/=": ["*=", "="],
    "~": [" "],
}
WORDS = {
    "exp": "log",
    "log": "exp",
    "sin": "cos",
    "cos": "sin",
    "tanh": "sinh",
    "sum": "mean",
    "mean": "sum",
    "max": "min",
    "min": "max",
    "maximum": "minimum",
    "minimum": "maximum",
    "argmax": "argmin",
    "zeros_like": "ones_like",
    "zeros": "ones",
    "ones": "zeros",
    "cumsum": "cumprod",
    "tril": "triu",
    "True": "False",
    "inv": "transpose",
    "cosh": "sinh",
    "sqrt": "square",
    "abs": "sign",
    "sign": "abs",
    "and": "or",
    "or": "and",
    "expm1": "exp",
}


class Mutant(NamedTuple):
    """A right candidate of a case, and its text with one token changed."""

    case: str
    right: int
    words: str
    text: str


def mutants(case: Case) -> Iterator[Mutant]:
    """List the mutants of what is right in a case."""
    for number, right in enumerate(case.rights):
        text = source(right.function)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        body = next(k for k, t in enumerate(tokens) if t.type == tokenize.INDENT)
        names = _names(tokens)
        for k in range(body, len(tokens) - 1):
            for new in _changes(tokens, k, names):
                changed = _replaced(text, tokens[k], new)
                if _compiles(changed):
                    line = tokens[k].line.strip()
                    words = (
                        f"{right.name}: {tokens[k].string} → {new.strip() or 'nothing'} in {line}"
                    )
                    yield Mutant(case.name, number, words, changed)


def _names(tokens: Sequence[Any]) -> list[str]:
    """List the parameters and variables of a function, as they appear."""
    found = [
        t.string
        for before, t, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if t.type == tokenize.NAME
        and not keyword.iskeyword(t.string)
        and before.string not in {".", "def"}
        and after.string != "("
        and t.string not in {"np", "tf", "math"}
    ]
    return list(dict.fromkeys(found))


def _changes(tokens: Sequence[Any], k: int, names: Sequence[str]) -> list[str]:
    """List what may stand in the place of a token."""
    token, text = tokens[k], tokens[k].string
    if token.type == tokenize.OP:
        return list(OPERATORS.get(text, []))
    if token.type == tokenize.NUMBER and not text.endswith("j"):
        number = float(text)
        if text.isdigit():
            return [str(int(text) + 1), str(max(int(text) - 1, 0)) if number else "2"]
        return [repr(number * 2), repr(number * 1.001), f"-{text}"]
    if token.type == tokenize.NAME and text in WORDS:
        return [WORDS[text]]
    is_keyword = tokens[k + 1].string == "=" and tokens[k - 1].string in {"(", ","}
    if token.type == tokenize.NAME and text in names and not is_keyword:
        n = names.index(text)
        return [names[m] for m in (n - 1, (n + 1) % len(names)) if names[m] != text]
    return []


def _replaced(text: str, token: Any, new: str) -> str:
    lines = text.splitlines(keepends=True)
    row, start = token.start
    line = lines[row - 1]
    lines[row - 1] = line[:start] + new + line[token.end[1] :]
    return "".join(lines)


def _compiles(text: str) -> bool:
    try:
        compile(text, "mutant", "exec")
    except SyntaxError:
        return False
    return True


class Outcome(NamedTuple):
    """What became of a mutant: the judge's verdict, how far it is off, and what differences say."""

    mutant: Mutant
    verdict: str
    cause: str
    seconds: float
    off: float
    edge: float
    passes: bool

    @property
    def state(self) -> str:
        """Put the outcome into a word."""
        if self.verdict not in {"refuted", "proved", "equal", "measured"}:
            return self.verdict
        is_same = self.off <= SAME
        if self.verdict == "refuted":
            return "refuted" if not is_same or self.edge > SAME else "refused though the same"
        return "the same" if is_same else "missed"


def tried(mutant: Mutant) -> Outcome:
    """Try one mutant, in a process of a pool."""
    case = CASES[mutant.case]
    right = case.rights[mutant.right].function
    function = compiled(mutant.text, right)
    told = verdict(case, Candidate(mutant.words, function, "mutant"))
    rng = np.random.default_rng(1)
    off = 0.0
    for _ in range(POINTS):
        point = [np.asarray(x) for x in case.draw(rng)]
        off = max(off, _apart(right, function, point, upstream(case, point, rng)))
        if off > SAME:
            break
    edge = 0.0
    if told.counterexample is not None:
        edge = _apart(right, function, [*told.counterexample.values()], [])
    passes = passes_differences(case, function, rng)
    return Outcome(mutant, told.verdict, told.cause, told.seconds, off, edge, passes)


def _apart(right: Any, function: Any, point: Sequence[Any], more: Sequence[Any]) -> float:
    """Say how far answers are apart; infinitely if the mutant gives none.

    The mutant runs first, so that memory that it does not fill holds no right answers.
    """
    try:
        found = answered(function, point, more)
        return error(answered(right, point, more), found)
    except Exception:  # noqa: BLE001 - whatever a mutant raises
        return np.inf


def chosen(names: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Choose mutants of the cases of some names."""
    every = [m for n in names if CASES[n].has_numbers for m in mutants(CASES[n])]
    return random.Random(seed).sample(every, min(count, len(every)))


def summary(found: Sequence[Outcome]) -> str:
    """Sum up."""
    states = [o.state for o in found]
    real = [o for o in found if o.off > SAME or o.state == "refuted"]
    lines = [f"{word}: {states.count(word)}" for word in dict.fromkeys(sorted(states))]
    lines.append(f"of {len(real)} that are wrong, differences accept {sum(o.passes for o in real)}")
    slowest = max(found, key=lambda o: o.seconds)
    slow = sum(o.seconds > ALLOWED for o in found)
    lines.append(f"above {ALLOWED:g} s: {slow}; slowest {slowest.seconds:.1f} s")
    return "\n".join(lines)


def attempt(
    names: Sequence[str], count: int, seed: int, pool: Any, failures: Path | None = None
) -> list[Outcome]:
    """Try mutants, and print those that the judge gets wrong."""
    found: list[Outcome] = []
    bad: list[str] = []
    for outcome in pool.imap(tried, chosen(names, count, seed)):
        found.append(outcome)
        if outcome.state in {"refuted", "the same"} and outcome.seconds <= ALLOWED:
            continue
        text = f"{outcome.state}: {outcome.mutant.case}: {outcome.mutant.words}\n"
        text += f"    off {outcome.off:.2g}, edge {outcome.edge:.2g}, {outcome.seconds:.1f} s; "
        text += outcome.cause.strip().replace("\n", "\n    ")
        bad.append(text)
        print(text, flush=True)
    print(summary(found))
    if failures:
        failures.write_text("\n".join([summary(found), "", *bad]), encoding="utf-8")
    return found
