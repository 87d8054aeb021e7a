"""Which scope of random numbers a call of a `tf.function` has: that of its trace in TensorFlow.

TensorFlow traces a function for each dtype and shape of its tensors and each value of its other
arguments, with the global seed that there is then; `tf.random.set_seed` has all states begin anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor
from symtape.ops.random.scopes import WITHIN, Scope
from symtape.ops.random.seeds import SEEDS
from symtape.ops.runtime.bound import in_places
from symtape.ops.runtime.devices import functions_run_eagerly
from symtape.tensor.recording.graphs import NeedsGraph
from symtape.tensor.values import dtype_of, shape_of

_MOST_TRACES = 1000


class Draws:
    """What one function has drawn, trace by trace."""

    __slots__ = ("_epoch", "_of_instances", "_scopes")

    def __init__(self) -> None:
        self._epoch = SEEDS.epoch
        self._scopes: dict[Any, Scope] = {}
        self._of_instances: WeakKeyDictionary[Any, Draws] = WeakKeyDictionary()

    def __reduce__(self) -> Any:
        return Draws, ()

    def of(self, instance: Any) -> Draws:
        """Give what a method has drawn of an instance, each of which is traced by itself."""
        try:
            return self._of_instances.setdefault(instance, Draws())
        except TypeError:  # it has no hash, or no weak references
            return Draws()

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
                found.append(self._scope(key) if outer is None else outer().inner())
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

    def _begin_anew(self, scope: Scope, *, is_new: bool) -> None:
        """Forget what was drawn in a call that starts again, with the same numbers."""
        if not is_new:
            raise UnsupportedError(
                "tf.gradients comes after random numbers in a tf.function that drew on earlier "
                "calls without it, and would have to start anew; use tf.GradientTape"
            )
        self._scopes = {key: own for key, own in self._scopes.items() if own is not scope}

    def _scope(self, arguments: Any) -> Scope:
        if self._epoch != SEEDS.epoch:
            self._scopes = {key: scope.renewed() for key, scope in self._scopes.items()}
            self._epoch = SEEDS.epoch
        key = _signature(arguments)
        if key not in self._scopes:
            if len(self._scopes) >= _MOST_TRACES:
                self._scopes.clear()
            self._scopes[key] = Scope(SEEDS.given)
        return self._scopes[key]


def _signature(value: Any) -> Any:
    """Say which trace arguments belong to.

    >>> _signature((1, {"a": [2.5]}))
    ('tuple', 1, ('dict', 'a', ('list', 2.5)))
    """
    if is_tensor(value):
        tensor = value.read()
        return type(value) is type(tensor), dtype_of(tensor), shape_of(tensor)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, *map(_signature, value)
    if isinstance(value, dict):
        return "dict", *(part for k in sorted(value) for part in (k, _signature(value[k])))
    if hasattr(type(value), "element_spec"):  # an iterator or a dataset: of what, not which
        return type(value), _signature(value.element_spec)
    try:
        hash(value)
    except TypeError:
        return type(value), id(value)
    return value  # 1 and True are one trace in TensorFlow, too
