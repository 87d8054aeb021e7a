"""The iteration that runs: what random functions drew belongs to it, and begins anew with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from symtape.ops.random.drawing.philox import Stream
from symtape.ops.random.seeds import SEEDS
from symtape.ops.random.traced.scopes import Scope, Traced
from symtape.tensor.within import WITHIN


class Order(NamedTuple):
    """What an order is drawn from: a stream, and how many of its words were drawn before.

    These words are seeds of orders, unless one order is drawn from it again and again: None.
    """

    stream: Stream
    taken: int | None


class Run:
    """One iteration over a dataset, from its beginning to its end."""

    def __init__(self, again: Sequence[Order] = (), root: Any = None) -> None:
        self.root = root
        """The stage over which is iterated, at the end of the pipeline."""
        self.scopes: WeakKeyDictionary[Scoped, Scope] = WeakKeyDictionary()
        self.drawn: list[Order] = []
        """The orders that were drawn, the first first."""
        self._again = [*again]

    def order(self, order: Order) -> Order:
        """Note an order that is drawn, or give that which was drawn where this run is another's."""
        found = self._again.pop(0) if self._again else order
        self.drawn.append(found)
        return found


class _Current(threading.local):
    run: Run | None = None


_CURRENT = _Current()


class Running:
    """An iterator of a stage, whose elements are made within one run."""

    def __init__(self, begin: Callable[[], Iterator[Any]], again: Sequence[Order] = ()) -> None:
        self._run = Run(again, getattr(begin, "__self__", None))
        self._found: Iterator[Any] = iter(())
        self._found = self._within(begin)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self._within(self._found.__next__)

    @property
    def drawn(self) -> Sequence[Order]:
        """The orders that were drawn."""
        return self._run.drawn

    def _within(self, call: Callable[[], Any]) -> Any:
        before, _CURRENT.run = _CURRENT.run, self._run
        try:
            return call()
        finally:
            _CURRENT.run = before


@contextmanager
def outside() -> Iterator[None]:
    """Run what is inside as in no iteration, so that what it draws is not missing in one."""
    before, _CURRENT.run = _CURRENT.run, None
    try:
        yield
    finally:
        _CURRENT.run = before


def root() -> Any:
    """Give the stage over which the present run iterates, or None."""
    return _CURRENT.run and _CURRENT.run.root


def ordered(order: Order) -> Order:
    """Give the order that is drawn in the present run."""
    run = _CURRENT.run
    return order if run is None else run.order(order)


class Scoped:
    """A function that draws random numbers as TensorFlow's traced functions do."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._seed = SEEDS.seed
        outer = WITHIN.scope
        self._made_within: Scope | None = None if outer is None else outer.inner()

    def __call__(self, *parts: Any) -> Any:
        """Call the function; its operations go on with what they have drawn in this run."""
        return Traced(self._function, self._scope())(*parts)

    def _scope(self) -> Scope:
        if self._made_within is not None:
            return self._made_within
        run = _CURRENT.run
        if run is None:
            return Scope(self._seed)
        found = run.scopes.get(self)
        if found is None:
            found = run.scopes[self] = Scope(self._seed)
        return found
