"""Windows: datasets of neighbours, or of elements with one key, as elements."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import Any

from symtape.data.elements.specs import DatasetSpec, common, compatible, specs_of
from symtape.data.elements.structures import (
    Holder,
    array_of,
    builder,
    flatten,
    mapped,
    refuse_records,
)
from symtape.data.stages.applying import Applied, OfDatasets, common_spec
from symtape.data.stages.base import INFINITE, UNKNOWN, After, Failed, Rows, Stage
from symtape.data.stages.resuming import GoesOn, attempts, flattened
from symtape.errors import InvalidArgumentError
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.convert import convert

Wrap = Callable[[Stage], Any]
"""Makes the dataset of a stage, for who is to see it."""
_KEY = TensorSpec([], dtypes.int64)


class Listed(Stage):
    """Elements that are there already; where their spec is not certain, it is what they are."""

    def __init__(self, elements: Sequence[Any], spec: Any, *, certain: bool) -> None:
        self._elements = elements
        self._given = spec
        self._certain = certain

    @cached_property
    def spec(self) -> Any:
        """The spec that is given, or what it has in common with these elements."""
        if self._certain or not self._elements:
            return self._given
        found = [flatten(common_spec(self._elements)), flatten(self._given)]
        return builder(self._given)(list(map(common, *found)))

    @property
    def is_certain(self) -> bool:
        """Whether it is given, or that of the elements of a function."""
        return self._certain

    @property
    def cardinality(self) -> int:
        """How many they are."""
        return len(self._elements)

    def run(self) -> Iterator[Any]:
        """Give one after the other."""
        return iter(self._elements)

    def told(self, element: Any) -> Any:
        """Give the spec that is given."""
        return self._given

    def probe(self, number: int) -> Any:
        """Give one of them."""
        return self._elements[number % len(self._elements)]


class Picked(Stage):
    """Rows of one column."""

    def __init__(self, column: Any, order: range, spec: Any) -> None:
        self._rows = Rows((column,), order)
        self.spec = spec

    @property
    def cardinality(self) -> int:
        """How many they are."""
        return len(self._rows.places())  # type: ignore[arg-type]  # a range

    @property
    def rows(self) -> Rows:
        """These rows."""
        return self._rows


class Window(After):
    """Neighbours, `stride` apart, as a dataset for each component; the next begin `shift` later."""

    def __init__(
        self, before: Stage, size: int, shift: int, stride: int, wrap: Wrap, *, drops: bool
    ) -> None:
        super().__init__(before)
        for name, value in (("size", size), ("shift", shift), ("stride", stride)):
            if value < 1:
                raise InvalidArgumentError.of(
                    "WindowDataset", f"Window {name} must be greater than zero."
                )
        self._size = size
        self._shift = shift
        self._stride = stride
        self._span = (size - 1) * stride + 1
        self._drops = drops
        self._wrap = wrap

    @cached_property
    def spec(self) -> Any:
        """A dataset for each component."""
        refuse_records(self.before.spec, "window")
        return mapped(DatasetSpec, self.before.spec)

    def told(self, element: Any) -> Any:
        """Give the spec of a window."""
        return specs_of(element)

    @property
    def cardinality(self) -> int:
        """The number of windows."""
        whole = self.before.cardinality
        if whole < 0:
            return whole
        if self._drops:
            return max(0, (whole - self._span) // self._shift + 1)
        return -(-whole // self._shift)

    def run(self) -> Iterator[Any]:
        """Take windows of rows without copying them, and of other elements as they are."""
        rows = self.before.rows
        if rows is not None and isinstance(rows.order, range):
            return self._cut(rows.columns, rows.order)
        return GoesOn(partial(self._gathered, attempts(self.before.run()), deque()))

    def _cut(self, columns: Sequence[Any], order: range) -> Iterator[Any]:
        build = builder(self.before.spec)
        specs = flatten(self.before.spec)
        for start in range(0, len(order), self._shift):
            part = order[start : start + self._span]
            if self._drops and len(part) < self._span:
                return
            places = part[:: self._stride]
            yield build(
                [
                    self._wrap(Picked(column, places, spec))
                    for column, spec in zip(columns, specs, strict=True)
                ]
            )

    def _gathered(self, found: Iterator[Any], buffer: deque[Any]) -> Iterator[Any]:
        """Take windows of what was tried: one with an error in it raises that."""
        while True:
            buffer.extend(islice(found, self._span - len(buffer)))
            if not buffer or (self._drops and len(buffer) < self._span):
                return
            window = list(buffer)[:: self._stride]
            for _ in range(min(self._shift, len(buffer))):
                buffer.popleft()
            for _ in islice(found, max(0, self._shift - self._span)):
                pass
            yield self._window([element() for element in window])

    def _window(self, elements: Sequence[Any]) -> Any:
        columns = zip(*map(flatten, elements), strict=True)
        specs = flatten(self.before.spec)
        return builder(elements[0])(
            [
                self._wrap(Listed(column, spec, certain=self.before.is_certain))
                for column, spec in zip(columns, specs, strict=True)
            ]
        )

    def probe(self, number: int) -> Any:
        """Make a window of some elements."""
        return self._window([self.before.probe(number)] * min(number or 1, self._size))


class GroupByWindow(OfDatasets):
    """What a function gives for datasets of elements with one key; they are as long as it says."""

    def __init__(self, before: Stage, key: Any, reduce: Any, size: Any, wrap: Wrap) -> None:
        super().__init__(before)
        name = "Dataset.group_by_window()"
        self._key = Applied(_integer(key), name)
        self._reduce = Applied(reduce, name)
        self._size = Applied(_integer(size), name)
        self._wrap = wrap

    @cached_property
    def spec(self) -> Any:
        """The spec of the elements of what the function gives."""
        found = self._reduce.spec(self._group)
        if not isinstance(found, DatasetSpec):
            raise _no_dataset(found)
        return found.element_spec

    def _group(self, number: int) -> Any:
        element = self.before.probe(number)
        return self._key(element), self._listed([element] * max(1, number))

    @property
    def cardinality(self) -> int:
        """Infinite if the stage before is, else unknown."""
        return INFINITE if self.before.cardinality == INFINITE else UNKNOWN

    def run(self) -> Iterator[Any]:
        """Give a group away when it is full, and what is left in the order of keys."""
        return flattened(GoesOn(partial(self._grouped, self.before.run(), {}, {})))

    def _grouped(
        self, found: Iterator[Any], groups: dict[int, list[Any]], sizes: dict[int, int]
    ) -> Iterator[Iterator[Any]]:
        for element in found:
            key = _whole(self._key(element), "key_func")
            if key not in sizes:
                sizes[key] = self._size_of(key)
            group = groups.setdefault(key, [])
            group.append(element)
            if len(group) == sizes[key]:
                yield self._reduced(key, groups.pop(key))
        for key in sorted(groups):
            yield self._reduced(key, groups.pop(key))

    def _size_of(self, key: int) -> int:
        size = _whole(self._size(convert(key, dtypes.int64)), "window_size_func")
        if size < 1:
            raise Failed(
                InvalidArgumentError, f"Window size must be greater than zero, but got {size}."
            )
        return size

    def _reduced(self, key: int, group: list[Any]) -> Iterator[Any]:
        return self._stage((convert(key, dtypes.int64), self._listed(group))).run()

    def _listed(self, group: list[Any]) -> Any:
        spec, certain = self.before.spec, self.before.is_certain
        return self._wrap(Listed(group, spec, certain=certain))

    def _stage(self, pair: tuple[Any, Any]) -> Stage:
        found = self._reduce(pair)
        if not isinstance(found, Holder):
            raise _no_dataset(specs_of(found))
        stage: Stage = found.stage  # type: ignore[attr-defined]  # what holds a dataset has it
        self._latest = stage
        return stage

    def probe(self, number: int) -> Any:
        """Take an element of what the function gives for a group."""
        return self._stage(self._group(number)).probe(number)


def _integer(function: Any) -> Any:
    """Have a function give a tensor of int64."""
    return lambda *parts: convert(function(*parts), dtypes.int64)


def _whole(found: Any, name: str) -> int:
    spec = specs_of(found)
    if not compatible(spec, _KEY):
        raise ValueError(
            f"Invalid `{name}`. `{name}` must return a single `tf.int64` scalar tensor but its "
            f"return type is {spec}."
        )
    return int(array_of(found))


def _no_dataset(spec: Any) -> TypeError:
    return TypeError(
        "Invalid `reduce_func`. `reduce_func` must return a single `tf.data.Dataset` object but "
        f"its return type is {spec}."
    )
