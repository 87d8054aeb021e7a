"""Random numbers within a function that TensorFlow traces: of a dataset, or of `tf.function`.

There, an operation without a seed of its own takes a number for it: how many such operations came
before it in the function. Each operation has a state, which goes on from call to call. A function
that is called within, and a branch or a body of control flow, is numbered by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from symtape.ops.random.drawing.philox import Stream
from symtape.tensor.within import WITHIN


class Scope:
    """What the operations of one function have drawn, and the functions that are made in it.

    `seed` is the global seed of when TensorFlow would have traced the function.
    """

    def __init__(self, seed: Any) -> None:
        self._states: dict[tuple[int, Stream], Stream] = {}
        self._inner: list[Scope] = []
        self._first_seed = seed
        self.begin()

    def begin(self) -> None:
        """Begin a call: operations are numbered from the first on."""
        self.seed = self._first_seed
        self._place = -1
        self._unseeded = -1
        self._functions = -1

    def renewed(self) -> Scope:
        """Give a scope in which nothing was drawn, with the same seed."""
        return Scope(self._first_seed)

    def number(self) -> int:
        """Give the seed of the next operation that has none."""
        self._unseeded += 1
        return self._unseeded

    def state(self, first: Stream, blocks: int) -> Stream:
        """Give the state of the next operation, which begins with `first`, and reserve blocks."""
        self._place += 1
        key = (self._place, first)
        found = self._states.get(key, first)
        self._states[key] = found.skip(blocks)
        return found

    def inner(self, trace: Scope | None = None) -> Scope:
        """Give the scope of the next function that is made, the same in each call.

        The seed is that of the function's `trace`, if it was traced by itself.
        """
        self._functions += 1
        if self._functions == len(self._inner):
            self._inner.append(Scope(self.seed))
        found = self._inner[self._functions]
        if trace is not None:
            found._first_seed = trace._first_seed  # noqa: SLF001 - of the same class
        return found


@contextmanager
def eagerly(*, is_lifted: bool = False) -> Iterator[None]:
    """Run as outside of every function; `is_lifted` if one still surrounds what runs."""
    before = WITHIN.find, WITHIN.is_lifted
    WITHIN.is_lifted = is_lifted and (before[0] is not None or before[1])
    WITHIN.find = None
    try:
        yield
    finally:
        WITHIN.find, WITHIN.is_lifted = before


@contextmanager
def traced(find: Callable[[], Scope]) -> Iterator[None]:
    """Run as a function that TensorFlow traces, whose scope is that which `find` gives."""
    before, WITHIN.find = WITHIN.find, find
    try:
        yield
    finally:
        WITHIN.find = before


class Traced:
    """A function that draws within a scope of its own, which begins anew with each call."""

    __slots__ = ("_function", "_scope")

    def __init__(self, function: Callable[..., Any], scope: Scope) -> None:
        self._function = function
        self._scope = scope

    def _find(self) -> Scope:
        return self._scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function within its scope."""
        self._scope.begin()
        with traced(self._find):
            return self._function(*args, **kwargs)


def parts(*functions: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """Have branches and bodies of control flow numbered by themselves, within a function."""
    scope = WITHIN.scope
    if scope is None:
        return functions
    return tuple([Traced(function, scope.inner()) for function in functions])
