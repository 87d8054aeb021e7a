"""A program with one result: its values, and words for its steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from symtape.errors import SymtapeError
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.tracing import trace
from symtape.program import operations as ops
from symtape.program.kinds.structural import Cumsum
from symtape.program.operations import AddN, Einsum, Map
from symtape.program.program import Program
from symtape.tensor.readings.readings import Formula
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.provenance import Held, Leaf
from symtape.verify.causes.mistakes import computed
from symtape.verify.running.clock import Clock
from symtape.verify.running.watching import NOBODY, Author

_MOST_STEPS = 150
_LONGEST, _LONGEST_ENTRY = 60, 140
_MOST_NODES = 1_000
"""No formula with more of them becomes a short text, and shortening one may take minutes."""


class Derived(NamedTuple):
    """A program with one result: where inputs are, what they are called, and what else entered.

    The `author` knows names of steps, and lines; formulas are written as long as there is time.
    """

    program: Program
    leaves: tuple[int, ...]
    others: dict[int, Any]
    end: int
    names: Sequence[str]
    clock: Clock
    author: Author = NOBODY

    def values(self, point: Sequence[Any]) -> list[Any]:
        """Compute all steps at a point."""
        given = dict(zip(self.leaves, point, strict=True)) | self.others
        found: list[Any] = []
        for p, (operation, *operands) in enumerate(self.program.steps):
            found.append(
                given[p] if p in given else computed(operation, [found[i] for i in operands])
            )
        return found

    def text(self, p: int) -> str:
        """Write a step by the author's name, as a formula or by its line; else say what it is."""
        if p in self.author.names:
            return self.author.names[p]
        called = dict(zip(self.leaves, self.names, strict=True))
        called |= {q: f"c{n}" for n, q in enumerate(self.others)}
        if p in called:
            return called[p]
        if self.clock.is_over:
            return self.author.made(p) or self._described(p)
        leaves = [Leaf(q, name, Held(None), True) for q, name in sorted(called.items())]
        formula = Formula(self.program, p, leaves)
        return (
            _written(lambda: str(formula.matrix_form(_MOST_NODES).text("plain")), _LONGEST)
            or self.author.made(p)
            or _written(lambda: str(formula.index_expr(max_nodes=_MOST_NODES)), _LONGEST_ENTRY)
            or self._described(p)
        )

    def _described(self, p: int) -> str:
        """Say what a step is that has no short text: what it does, to what, and its shape."""
        operation, *operands = self.program.steps[p]
        what = _WORDS.get(operation) or _KINDS.get(type(operation), "result")
        near = [self.author.names[i] for i in operands if i in self.author.names]
        of = f" of {' and '.join(dict.fromkeys(near))}" if near else ""
        shape = self.program.shapes[p]
        return f"{_UNNAMED} {what}{of}" + (f" {_SHAPE} {shape}" if shape else _SCALAR)


def _written(write: Callable[[], str], longest: int) -> str:
    """Write a formula; empty where there is none, or it is long."""
    try:
        text = write()
    except SymtapeError:
        return ""
    return text if len(text) <= longest else ""


_UNNAMED = "some"
_SHAPE = "of shape"
_SCALAR = " that is a scalar"
_WORDS = {
    ops.multiply: "product",
    ops.divide: "quotient",
    ops.add: "sum",
    ops.subtract: "difference",
}
_KINDS: dict[type, str] = {
    AddN: "sum", Einsum: "product", Map: "function of entries", Cumsum: "running sum"
}  # fmt: skip


def is_readable(words: str) -> bool:
    """Say whether words have no step in them that has neither a name nor a short text.

    Two of one text say nothing, either.
    """
    return not any(dark in words for dark in (f" {_SHAPE} (", _SCALAR, _UNTOLD))


def is_empty(words: str) -> bool:
    """Say whether words tell nothing: that a step without a name is another one.

    >>> is_empty("some result of shape (2, 4) is used instead of some sum of shape (2, 4)")
    True
    >>> is_empty("some result of shape (3, 3) is transposed")
    False
    """
    rest = re.sub(_STEP, "", words)
    return rest != words and rest.strip() in {"is used instead of", _UNTOLD}


_STEP = (
    rf"{_UNNAMED} (?:{'|'.join(_WORDS.values())}|result|function of entries|running sum)"
    rf"( {_SHAPE} \([\d, ]*\)|{_SCALAR})"
)

_UNTOLD = "is another one than the one that belongs there"
"""What is said of two steps that have one text."""


def recorded(
    function: Any, names: Sequence[str], point: Sequence[Any]
) -> tuple[Any, dict[int, Any]] | None:
    """Record a function with one result, and give what entered besides; None if it cannot be."""
    before = THREAD.state.recordings
    try:
        traced = trace(function, Arguments(names, tuple(point), {}), range(len(point)), again=True)
    except Exception:  # noqa: BLE001 - other libraries raise whatever they have for a tensor
        THREAD.state.recordings = before
        return None
    if len(traced.program) > _MOST_STEPS or None in traced.results:
        return None
    return traced, {o.position: o.tensor() for o in traced.others}


class Turn(NamedTuple):
    """A recording at a point: the program is that of the others, and its constants are its own."""

    traced: Any
    others: dict[int, Any]
    seen: Any

    @property
    def arrays(self) -> dict[int, Any]:
        """Give what entered besides the inputs."""
        return {p: t.raw for p, t in self.others.items()}


def recorded_at(
    function: Any, names: Sequence[str], count: int | None, points: Sequence[Any]
) -> list[Turn]:
    """Record a function at the points, by so many of their values; most take one branch.

    Places that values decide are constants of a recording, so each point has one of its own.
    """
    branches: list[list[Turn]] = []
    for s in points:
        found = recorded(function, names, s.point[:count])
        if found is None:
            continue
        own = next((b for b in branches if _is_alike(found[0], b[0].traced)), None)
        if own is None:
            branches.append(own := [])
        own.append(Turn(*found, s))
    return max(reversed(branches), key=len, default=[])


def _is_alike(traced: Any, other: Any) -> bool:
    """Say whether two recordings have the same steps and leaves."""
    own, first = traced.program, other.program
    return (own.steps, traced.arguments, traced.results, own.shapes) == (
        first.steps,
        other.arguments,
        other.results,
        first.shapes,
    )


def _is_one_word(text: str) -> bool:
    """Say whether a text needs no parentheses among operators."""
    return re.fullmatch(r"\w+(\[\w+\])*", text) is not None


def worded(derived: Derived, words: str, about: Sequence[int]) -> str:
    """Write the texts of steps into words; a step that is itself in them is not told twice."""
    texts = [derived.text(p) for p in about]
    if texts and not is_readable(f" {texts[-1]}"):  # a place without a name says nothing
        words = words.replace(" in {-1}", "")
        for place in (" in {}", f" in {{{len(texts) - 1}}}") if len(texts) > 1 else ():
            words = words.removesuffix(place)
    words = words.replace("{-1}", texts[-1] if texts else "")
    for k, text in enumerate(texts):
        if _is_one_word(text):
            words = words.replace(f"({{{k}}})", text)
    found = (
        words.format(*texts)
        .replace("--", "")
        .replace(f"the term {_UNNAMED}", f"{_UNNAMED} term, a")
    )
    if len(texts) > 1 and texts[0] == texts[1] and "instead of" in words:
        return f"{texts[0]} {_UNTOLD}"
    square = r"\1 is used instead of its square"
    found = re.sub(r"^the factor (.+) is missing in \1$", square, found)
    return re.sub(r"^(.+) is used instead of (.+) in \1$", r"\1 is used instead of \2", found)
