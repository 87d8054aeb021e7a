"""Functions of elements: how they are called, what they may give, and the spec of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial, reduce
from itertools import takewhile
from typing import Any

from symtape import nest
from symtape.data.elements.specs import DatasetSpec, common, loosened, specs_of
from symtape.data.elements.structures import (
    Holder,
    array_of,
    builder,
    constant,
    flatten,
    holds_records,
    mapped,
    normalized,
)
from symtape.data.stages.base import UNKNOWN, After, Failed, Made, Stage
from symtape.data.stages.resuming import END, GoesOn, flattened
from symtape.data.stages.runs import Scoped, outside
from symtape.errors import InvalidArgumentError
from symtape.ops.composite import CompositeTensor
from symtape.ops.runtime.threads import processors
from symtape.ops.spec import TensorSpec
from symtape.tensor.recording.looking import Looking, looking, probing
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.versions import unassigned

_PROBES = (2, 3, 5)
"""Sizes that vary are these, one after the other; what is equal for all is known."""


class Applied:
    """A function that is called with the parts of elements, and gives elements."""

    def __init__(self, function: Any, name: str) -> None:
        if not callable(function):
            raise ValueError(
                f"Argument `func` must be a callable. Received func={function} (of type "
                f"{type(function)})"
            )
        self._function = Scoped(function)
        self._name = name
        self._given: Any = ()
        self._kinds: Any = None
        self._dtype: Any = None

    def __call__(self, element: Any) -> Any:
        """Call the function; raises `TypeError` for what is no element."""
        if (run := looking()) is not None:
            _forget(run, element, self._given)
        found = self._function(*element) if type(element) is tuple else self._function(element)
        if found.__class__ is Tensor:
            made = constant(found)
            if self._dtype is not made.dtype:
                self._compare(made)
                self._dtype = made.dtype
            return made
        if isinstance(found, list):
            found = tuple(found)
        try:
            made = normalized(found)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Unsupported return value from function passed to {self._name}: {found}."
            ) from error
        self._compare(made)
        return made

    def of_tensors(self, element: Any) -> Any:
        """Call the function; raises `InvalidArgumentError` if it gives nothing but None."""
        made = self(element)
        if made is None:
            raise InvalidArgumentError(
                message="Length for attr 'output_types' of 0 must be at least minimum 1: the "
                f"function passed to {self._name} returns None [Op:MapDataset] name: "
            )
        return made

    def _compare(self, made: Any) -> None:
        """Raise `TypeError` if the function gives another kind of element than before."""
        kinds = mapped(_kind, made)
        if self._kinds is None:
            self._kinds = kinds
        elif kinds != self._kinds:
            raise TypeError(
                f"The function passed to {self._name} gave elements of {self._kinds}, and then one "
                f"of {kinds}. All elements of a dataset are of one structure and "
                "one dtype: convert what the function gives, as by tf.cast."
            )

    def spec(self, probe: Callable[[int], Any], given: Any = ()) -> Any:
        """Give the spec of what the function gives, run for some elements of other sizes.

        The axes whose sizes `given` specs do not tell are followed. A function that works for one
        size alone is run for that, and sizes are then unknown.
        """
        self._given = given
        with kept():
            try:
                found = [self._probed(probe, number) for number in _PROBES]
            except Exception:  # noqa: BLE001 - whatever the user's code does with an odd size
                return mapped(loosened, specs_of(self._probed(probe, 0)))
        return common_spec(found)

    def _probed(self, probe: Callable[[int], Any], number: int) -> Any:
        with probing(number):
            return self.of_tensors(probe(number))


def common_spec(elements: Sequence[Any]) -> Any:
    """Give the spec that elements of one structure have in common."""
    found = [specs_of(element) for element in elements]
    if holds_records(found[0]):
        return nest.map_structure(lambda *specs: _common(specs), *found)
    columns = zip(*map(flatten, found), strict=True)
    return builder(elements[0])([_common(column) for column in columns])


@contextmanager
def kept() -> Iterator[None]:
    """Undo what is done to variables, and draw nothing: to look at a spec changes nothing."""
    with outside(), unassigned():
        yield


def _forget(run: Looking, element: Any, specs: Any) -> None:
    """Let nobody know the values of an element, and the sizes that its spec does not tell."""
    leaves = flatten(element)
    for leaf, spec in zip(leaves, flatten(specs) or [None] * len(leaves), strict=True):
        for part in leaf.components() if isinstance(leaf, CompositeTensor) else [leaf]:
            if isinstance(part, Tensor):
                run.forget(part, _loose(part, spec))


def _loose(part: Tensor, spec: Any) -> list[int]:
    """List the axes whose sizes a spec does not tell."""
    if not isinstance(spec, TensorSpec) or spec.shape.rank != part.ndim:
        return []
    return [axis for axis, n in enumerate(spec.shape) if n is None]


def _kind(leaf: Any) -> str:
    """Tell the dtype of a leaf, or what it is."""
    if isinstance(leaf, Tensor):
        return leaf.dtype.name
    if isinstance(leaf, CompositeTensor):
        return repr(loosened(leaf.type_spec))
    return "None" if leaf is None else "dataset"


def _common(specs: Sequence[Any]) -> Any:
    """Give the spec that all fit, of elements of other sizes."""
    if isinstance(specs[0], DatasetSpec):
        return DatasetSpec(
            nest.map_structure(lambda *s: _common(s), *[s.element_spec for s in specs])
        )
    return reduce(common, specs)


class Map(Made):
    """What a function gives for each element."""

    def __init__(self, before: Stage, function: Any, name: str = "Dataset.map()") -> None:
        super().__init__(before)
        self._apply = Applied(function, name)

    @cached_property
    def spec(self) -> Any:
        """What the function gives for elements as those of the stage before."""
        return self._apply.spec(self.before.probe, self.before.spec)

    def run(self) -> Iterator[Any]:
        """Call the function when an element is asked for."""
        return map(self._apply.of_tensors, self.before.run())

    def probe(self, number: int) -> Any:
        """Call the function with an element."""
        return self._apply.of_tensors(self.before.probe(number))


class Filter(After):
    """The elements for which a function is true; `stops` ends before the first other one."""

    def __init__(self, before: Stage, predicate: Any, name: str, *, stops: bool) -> None:
        super().__init__(before)
        self._apply = Applied(predicate, name)
        self._stops = stops

    cardinality = UNKNOWN

    def run(self) -> Iterator[Any]:
        """Call the function when an element is asked for."""
        keep = takewhile if self._stops else filter
        return keep(self._holds, self.before.run())

    def _holds(self, element: Any) -> bool:
        found = self._apply(element)
        spec = specs_of(found)
        if spec != _TRUTH:
            space = "" if self._stops else " "
            comma = "" if self._stops else ","
            raise ValueError(
                "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor"
                f"{comma} but its return type is{space}{spec}."
            )
        return bool(array_of(found))


_TRUTH = TensorSpec([], "bool")


class OfDatasets(Made):
    """Elements of datasets that a function gives, one after another."""

    _latest: Stage | None = None

    def told(self, element: Any) -> Any:
        """Ask the dataset that was begun last."""
        return super().told(element) if self._latest is None else self._latest.told(element)


class FlatMap(OfDatasets):
    """The elements of the datasets that a function gives, one dataset after the other."""

    def __init__(self, before: Stage, function: Any, name: str) -> None:
        super().__init__(before)
        self._apply = Applied(function, name)

    @cached_property
    def spec(self) -> Any:
        """The spec of the elements of such a dataset."""
        spec = self._apply.spec(self.before.probe, self.before.spec)
        if not isinstance(spec, DatasetSpec):
            raise no_dataset(spec)
        return spec.element_spec

    cardinality = UNKNOWN

    def run(self) -> Iterator[Any]:
        """Call the function when the dataset before is over."""
        return flattened(map(self.inner, self.before.run()))

    def inner(self, element: Any) -> Iterator[Any]:
        """Begin the dataset that the function gives for an element."""
        return self._inner(element).run()

    def _inner(self, element: Any) -> Stage:
        found = self._apply(element)
        if not isinstance(found, Holder):
            raise no_dataset(specs_of(found))
        stage: Stage = found.stage  # type: ignore[attr-defined]  # what holds a dataset has it
        self._latest = stage
        return stage

    def probe(self, number: int) -> Any:
        """Take an element of such a dataset."""
        return self._inner(self.before.probe(number)).probe(number)


def no_dataset(spec: Any) -> TypeError:
    """Say that a function had to give a dataset."""
    kind = Tensor if isinstance(spec, TensorSpec) else type(spec)
    return TypeError(f"The `map_func` argument must return a `Dataset` object. Got {kind!r}.")


class Interleave(FlatMap):
    """The elements of the datasets that a function gives, some datasets in turn."""

    def __init__(self, before: Stage, function: Any, cycle: int, block: int, op: str) -> None:
        super().__init__(before, function, "Dataset.interleave()")
        for name, value in (("cycle_length", cycle), ("block_length", block)):
            if value < 1 and not (name == "cycle_length" and value == -1):
                trouble = Failed(InvalidArgumentError, f"{name} must be greater than zero.")
                raise trouble.framed(op, "_Targuments_0")
        self._cycle = processors() if cycle == -1 else cycle
        self._block = block

    def run(self) -> Iterator[Any]:
        """Begin the first datasets when the first element is asked for."""
        return GoesOn(partial(self._interleaved, self.before.run(), _Cycle(self._cycle)))

    def _interleaved(self, found: Iterator[Any], cycle: _Cycle) -> Iterator[Any]:
        while cycle.is_left or any(cycle.open):
            current = cycle.open[cycle.place]
            if current is not None:
                element = next(current, END)
                if element is END:
                    cycle.open[cycle.place] = None
                    cycle.advance()
                    continue
                cycle.taken += 1
                if cycle.taken == self._block:
                    cycle.advance()
                yield element
            elif cycle.is_left:
                element = next(found, END)
                cycle.is_left = element is not END
                if cycle.is_left:
                    cycle.open[cycle.place] = self.inner(element)
            else:
                cycle.advance()


class _Cycle:
    """Which datasets are open, whose turn it is, and how many elements that has given in it."""

    def __init__(self, count: int) -> None:
        self.open: list[Iterator[Any] | None] = [None] * count
        self.place = self.taken = 0
        self.is_left = True
        """Whether there may be another dataset."""

    def advance(self) -> None:
        """Give the turn to the next one."""
        self.place, self.taken = (self.place + 1) % len(self.open), 0
