"""What is judged: a function, right candidates for its derivative, and wrong ones with causes.

Nothing here knows how the judge works. A wrong candidate is a function of its own, or a right one
with an edit of its text, which reads as the slip that it is; why it is wrong is said by a regular
expression for the words that its author would want to read.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np

CASES: dict[str, Case] = {}
"""All cases by name."""

_FILES = count()


class Candidate(NamedTuple):
    """Something that is handed to the judge; `cause` is empty for what is right."""

    name: str
    function: Callable[..., Any]
    cause: str = ""
    witness: Callable[[Any], Sequence[Any]] | None = None
    """Draws inputs at which it is wrong, where that is seen at few points."""
    right: str = ""
    """The text of the right candidate of which it is an edit."""


@dataclass
class Case:
    """A function, how its inputs are drawn, and what is asked about it."""

    name: str
    function: Callable[..., Any]
    draw: Callable[[Any], Sequence[Any]]
    kind: str = "vjp"
    options: dict[str, Any] = field(default_factory=dict)
    """What the judge is told: `wrt`, `domain`, `seconds`."""
    has_numbers: bool = True
    """Whether NumPy can compare candidates; they may be wrong in form, or take other arrays."""
    given: Callable[[Any], Any] = np.asarray
    """Makes of an input what the judge is given."""
    symmetric: tuple[int, ...] = ()
    """Positions of inputs that are symmetric matrices: of them only symmetric ones are near."""
    rights: list[Candidate] = field(default_factory=list)
    wrongs: list[Candidate] = field(default_factory=list)

    def __post_init__(self) -> None:
        assert self.name not in CASES, self.name
        CASES[self.name] = self

    def example(self) -> list[Any]:
        """Draw the inputs that the judge is shown; they depend on the name alone."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return [self.given(x) for x in self.draw(rng)]

    def right(self, function: Any) -> Any:
        """Add a right candidate; used as a decorator."""
        self.rights.append(Candidate(function.__name__, function))
        return function

    def wrong(self, cause: str, witness: Any = None) -> Any:
        """Add a wrong candidate; used as a decorator."""

        def added(function: Any) -> Any:
            self.wrongs.append(Candidate(function.__name__, function, cause, witness))
            return function

        return added

    def but(self, function: Any, cause: str, *edits: tuple[str, str], witness: Any = None) -> None:
        """Add a wrong candidate: the text of another one, where pieces are replaced."""
        right = text = source(function)
        for old, new in edits:
            assert text.count(old) == 1, (self.name, function.__name__, old, text.count(old))
            text = text.replace(old, new)
        words = "; ".join(f"{old.strip()} → {new.strip() or 'nothing'}" for old, new in edits)
        name = f"{function.__name__}: {' '.join(words.split())}"
        self.wrongs.append(Candidate(name, compiled(text, function), cause, witness, right))


def source(function: Any) -> str:
    """Give the text of a function without its decorators."""
    text = textwrap.dedent(inspect.getsource(function))
    first = ast.parse(text).body[0].lineno
    return "".join(text.splitlines(keepends=True)[first - 1 :])


def compiled(text: str, like: Any) -> Any:
    """Make a function of a text, in the module of another one; tracebacks show its lines."""
    file = f"<edited {next(_FILES)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = dict(vars(sys.modules[like.__module__]))
    exec(compile(text, file, "exec"), scope)  # noqa: S102 - our own text
    return scope[like.__name__]
