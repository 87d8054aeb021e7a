"""The iteration that runs: what random functions drew belongs to it, and begins anew with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from symtape.ops.random.scopes import WITHIN, Scope, Traced
from symtape.ops.random.seeds import SEEDS


class Run:
    """One iteration over a dataset, from its beginning to its end."""

    def __init__(self) -> None:
        self.scopes: WeakKeyDictionary[Scoped, Scope] = WeakKeyDictionary()


class _Current(threading.local):
    run: Run | None = None


_CURRENT = _Current()


class Running:
    """An iterator of a stage, whose elements are made within one run."""

    def __init__(self, begin: Callable[[], Iterator[Any]]) -> None:
        self._run = Run()
        self._found: Iterator[Any] = iter(())
        self._found = self._within(begin)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self._within(self._found.__next__)

    def _within(self, call: Callable[[], Any]) -> Any:
        before, _CURRENT.run = _CURRENT.run, self._run
        try:
            return call()
        finally:
            _CURRENT.run = before


class Scoped:
    """A function that draws random numbers as TensorFlow's traced functions do."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._seed = SEEDS.seed
        outer = WITHIN.scope
        self._made_within = None if outer is None else outer.inner()

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
