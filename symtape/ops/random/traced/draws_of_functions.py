"""Which scope of random numbers a call of a `tf.function` has: that of its trace in TensorFlow.

TensorFlow traces a function for each dtype and shape of its tensors and each value of its other
arguments, with the global seed that there is then; `tf.random.set_seed` has all states begin anew.
Within another function it has states of its own for each call, and the seed of its trace still.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from symtape.errors import UnsupportedError
from symtape.ops.random.seeds import SEEDS
from symtape.ops.random.traced import traces
from symtape.ops.random.traced.scopes import Scope
from symtape.ops.runtime.bound import in_places
from symtape.ops.runtime.devices import functions_run_eagerly
from symtape.tensor.recording.graphs import NeedsGraph
from symtape.tensor.within import WITHIN

_MOST_TRACES = 1000


class Draws:
    """What one function has drawn, trace by trace."""

    __slots__ = ("_epoch", "_of_instances", "_relaxes", "_scopes")

    def __init__(self, relaxes: bool = False) -> None:
        self._relaxes = relaxes
        self._epoch = SEEDS.epoch
        self._scopes: dict[Any, Scope] = {}
        self._of_instances: WeakKeyDictionary[Any, Draws] = WeakKeyDictionary()

    def __reduce__(self) -> Any:
        return Draws, (self._relaxes,)

    def of(self, instance: Any) -> Draws:
        """Give what a method has drawn of an instance, each of which is traced by itself."""
        try:
            return self._of_instances.setdefault(instance, Draws(self._relaxes))
        except TypeError:  # it has no hash, or no weak references
            return Draws(self._relaxes)

    def call(
        self, function: Callable[..., Any], args: Any, kwargs: Any, signature: Any = None
    ) -> Any:
        """Call a function; a scope is looked for where it draws.

        With a `signature` there is one trace for all arguments.
        """
        if functions_run_eagerly():
            return function(*args, **kwargs)
        found: list[Scope] = []
        outer = WITHIN.find
        known = len(self._scopes)

        def find() -> Scope:
            if not found:
                key = in_places(function, args, kwargs) if signature is None else ()
                own = self._scope(key, SEEDS.given if outer is None else outer().seed)
                found.append(own if outer is None else outer().inner(own))
                found[0].begin()
            return found[0]

        WITHIN.find = find
        try:
            return function(*args, **kwargs)
        except NeedsGraph:
            if found and outer is None:
                self._begin_anew(found[0], is_new=len(self._scopes) > known)
            raise
        finally:
            WITHIN.find = outer

    def trace(self, function: Callable[..., Any], args: Any, kwargs: Any) -> None:
        """Note that a function is asked for by the types of its arguments, with the seed of now."""
        self._scope(in_places(function, args, kwargs), SEEDS.given)

    def _begin_anew(self, scope: Scope, *, is_new: bool) -> None:
        """Forget what was drawn in a call that starts again, with the same numbers."""
        if not is_new:
            raise UnsupportedError(
                "tf.gradients comes after random numbers in a tf.function that drew on earlier "
                "calls without it, and would have to start anew; use tf.GradientTape"
            )
        self._scopes = {key: own for key, own in self._scopes.items() if own is not scope}

    def _scope(self, arguments: Any, seed: Any) -> Scope:
        """Give the scope of a trace; a new one keeps the seed that holds where it is made."""
        if self._epoch != SEEDS.epoch:
            self._scopes = {key: scope.renewed() for key, scope in self._scopes.items()}
            self._epoch = SEEDS.epoch
        call = traces.signature(arguments)
        key = traces.taken(call, self._scopes)
        if key is None:
            if len(self._scopes) >= _MOST_TRACES:
                self._scopes.clear()
            key = traces.relaxed(call, self._scopes) if self._relaxes else call
            self._scopes[key] = Scope(seed)
        return self._scopes[key]
