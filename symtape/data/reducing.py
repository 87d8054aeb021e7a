"""Groups of elements that become one element each: group_by_reducer, Reducer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from operator import attrgetter
from typing import Any

from symtape.data.elements.specs import compatible, specs_of
from symtape.data.elements.structures import array_of, flatten, mapped
from symtape.data.held import Held
from symtape.data.stages.applying import Applied, common_spec, kept
from symtape.data.stages.base import INFINITE, UNKNOWN, Made, Stage
from symtape.data.stages.resuming import GoesOn
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.convert import convert

_NAME = "tf.data.experimental.group_by_reducer()"
_KEY = TensorSpec([], dtypes.int64)


class Reducer:
    """How a group becomes one element (`tf.data.experimental.Reducer`).

    `init_func` gives the first state of a key, `reduce_func` the next one of a state and an
    element, and `finalize_func` the element of the last state.

    >>> Reducer(lambda key: 0, lambda state, _: state + 1, lambda state: state).init_func(5)
    0
    """

    def __init__(self, init_func: Any, reduce_func: Any, finalize_func: Any) -> None:
        self._functions = init_func, reduce_func, finalize_func

    @property
    def init_func(self) -> Any:
        """What gives the first state of a key."""
        return self._functions[0]

    @property
    def reduce_func(self) -> Any:
        """What gives the next state of a state and an element."""
        return self._functions[1]

    @property
    def finalize_func(self) -> Any:
        """What gives the element of the last state."""
        return self._functions[2]


def group_by_reducer(key_func: Any, reducer: Reducer) -> Callable[[Any], Any]:
    """Make one element of all elements that have one key, in the order of the keys.

    `key_func` gives a key, a scalar of int64, for an element. The elements, and what functions give
    that do not fit, are known when the dataset runs: a key of another type raises `ValueError`, and
    a state of another dtype `TypeError`.

    >>> import numpy as np
    >>> from symtape.data.dataset import Dataset
    >>> total = Reducer(lambda key: np.int64(0), lambda s, n: s + n, lambda s: s)
    >>> [int(n) for n in Dataset.range(10).apply(group_by_reducer(lambda n: n % 3, total))]
    [18, 12, 15]
    """

    def apply(dataset: Held) -> Held:
        stage = _Reduced(dataset.stage, key_func, reducer)
        return dataset._then("_GroupByReducerDataset", stage)  # noqa: SLF001 - a method of ours alone

    return apply


class _Reduced(Made):
    """What a reducer makes of the elements of each key."""

    def __init__(self, before: Stage, key_func: Any, reducer: Reducer) -> None:
        super().__init__(before)
        self._key = Applied(key_func, _NAME)
        self._init = Applied(reducer.init_func, _NAME)
        self._reduce = Applied(reducer.reduce_func, _NAME)
        self._finalize = Applied(reducer.finalize_func, _NAME)

    @cached_property
    def spec(self) -> Any:
        """The spec of what is made of groups of one and of two, as the state may grow."""
        with kept():
            found = [
                self.finalized([self.before.probe(number)] * count)
                for number in (2, 3)
                for count in (1, 2)
            ]
        return common_spec(found)

    @property
    def cardinality(self) -> int:
        """Infinite if the stage before is, else unknown."""
        return INFINITE if self.before.cardinality == INFINITE else UNKNOWN

    def run(self) -> Iterator[Any]:
        """Go through all elements, and give what was made of each key, by the order of keys."""
        return GoesOn(partial(self._grouped, self.before.run(), {}))

    def _grouped(self, found: Iterator[Any], states: dict[int, Any]) -> Iterator[Any]:
        for element in found:
            key = self._key_of(element)
            states[key] = self._next(states.get(key), key, element)
        for key in sorted(states):
            yield self._finalize.of_tensors(states.pop(key)[0])

    def _next(self, held: tuple[Any] | None, key: int, element: Any) -> tuple[Any]:
        """Give the state after an element, in a tuple of its own: a state may be None."""
        state = self._init(convert(key, dtypes.int64)) if held is None else held[0]
        made = self._reduce((state, element))
        old, new = mapped(_dtype, state), mapped(_dtype, made)
        if flatten(old) != flatten(new):
            raise TypeError(
                f"Invalid `reducer`. The element types for the new state {new} do not match the "
                f"element types of the old state {old}."
            )
        return (made,)

    def finalized(self, group: list[Any]) -> Any:
        """Make one element of a group."""
        held = None
        for element in group:
            held = self._next(held, self._key_of(element), element)
        return None if held is None else self._finalize.of_tensors(held[0])

    def _key_of(self, element: Any) -> int:
        found = self._key(element)
        spec = specs_of(found)
        if not compatible(spec, _KEY):
            types, shapes = mapped(attrgetter("dtype"), spec), mapped(attrgetter("shape"), spec)
            raise ValueError(
                "Invalid `key_func`. Expected `key_func` to return a scalar tf.int64 tensor, but "
                f"instead `key_func` has output types={types} and shapes={shapes}."
            )
        return int(array_of(found))

    def probe(self, number: int) -> Any:
        """Make an element of a group of some elements."""
        return self.finalized([self.before.probe(number)] * max(1, number))


def _dtype(leaf: Any) -> Any:
    return getattr(leaf, "dtype", None)
