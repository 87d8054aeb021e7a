"""Functions of a state and an element: what they give in the end, and for each element."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from itertools import islice
from typing import Any

from symtape.data.elements.specs import specs_of
from symtape.data.elements.structures import builder, flatten, mapped, normalized
from symtape.data.stages.applying import Applied, common_spec, kept
from symtape.data.stages.base import Failed, Made, Stage
from symtape.data.stages.resuming import GoesOn
from symtape.data.stages.runs import Running
from symtape.errors import InvalidArgumentError


class State:
    """What a state is at first, to which new ones are compared; `op` says who does it."""

    def __init__(self, initial: Any, prefix: str) -> None:
        self.initial = normalized(initial)
        leaves = flatten(self.initial)
        self._classes, self._dtypes = [*map(type, leaves)], [*map(_dtype, leaves)]
        self._build = builder(self.initial)
        self._prefix = prefix

    def renewed(self, found: Any) -> Any:
        """Give a new state the structure of the first; raises `TypeError` for other dtypes."""
        parts = flatten(found)
        if [*map(type, parts)] != self._classes:
            raise self._changed("classes", mapped(type, self.initial), mapped(type, found))
        if [*map(_dtype, parts)] != self._dtypes:
            raise self._changed("types", mapped(_dtype, self.initial), mapped(_dtype, found))
        return self._build(parts)

    def _changed(self, what: str, expected: Any, got: Any) -> TypeError:
        but = "," if self._prefix else " but"
        return TypeError(
            f"{self._prefix}The element {what} for the new state must match the initial state. "
            f"Expected {expected}{but} got {got}."
        )


def _dtype(leaf: Any) -> Any:
    return getattr(leaf, "dtype", None)


def reduced(stage: Stage, initial: Any, function: Any) -> Any:
    """Give the last state: a function is called with the state and each element in turn."""
    state = State(initial, "")
    apply = Applied(function, "reduce()")
    held = state.initial
    count = len(flatten(held))
    try:
        for element in Running(stage.run):
            found = apply((held, element))
            _check_count(count, len(flatten(found)))
            held = state.renewed(found)
    except Failed as failure:
        output = f"_Targuments_0_Tstate_{count}_output_types_{count}"
        raise failure.framed("ReduceDataset", output) from failure.__cause__
    return held


def _check_count(ours: int, theirs: int) -> None:
    if ours != theirs:
        raise Failed(
            InvalidArgumentError,
            "The number of components of the initial state and the reduce function output does "
            f"not match. (initial_state={ours}, output={theirs}).",
        )


def single(stage: Stage) -> Any:
    """Give the one element; raises `InvalidArgumentError` unless there is just one."""
    output = f"_output_types_{len(flatten(stage.spec))}"
    try:
        found = list(islice(Running(stage.run), 2))
    except Failed as failure:
        raise failure.framed("DatasetToSingleElement", output) from failure.__cause__
    if len(found) == 1:
        return found[0]
    text = "Dataset had more than one element." if found else "Dataset was empty."
    raise Failed(InvalidArgumentError, text).framed("DatasetToSingleElement", output)


class Scan(Made):
    """What a function of a state and an element gives beside the next state."""

    def __init__(self, before: Stage, initial: Any, function: Any) -> None:
        super().__init__(before)
        self._state = State(initial, "Invalid `scan_func`. ")
        self._apply = Applied(function, "Dataset.scan()")

    @cached_property
    def spec(self) -> Any:
        """The spec of what the function gives, for two steps, as the state may grow."""
        with kept():
            found = [
                output
                for number in (2, 3)
                for output in self._steps([self.before.probe(number)] * 2, [self._state.initial])
            ]
        return common_spec(found)

    def run(self) -> Iterator[Any]:
        """Begin with the first state."""
        return GoesOn(partial(self._steps, self.before.run(), [self._state.initial]))

    def _steps(self, found: Any, held: list[Any]) -> Iterator[Any]:
        for element in found:
            pair = self._apply((held[0], element))
            if type(pair) is not tuple or len(pair) != 2:
                raise TypeError(
                    "Invalid `scan_func`. `scan_func` should return a pair consisting of new state "
                    f"and the output value but its return type is {specs_of(pair)}."
                )
            held[0] = self._state.renewed(pair[0])
            yield pair[1]

    def probe(self, number: int) -> Any:
        """Take the first step with an element."""
        return next(self._steps([self.before.probe(number)], [self._state.initial]))
