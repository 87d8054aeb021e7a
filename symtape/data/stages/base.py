"""The stage: one step of a pipeline, which can be run again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from symtape.data.elements.specs import NoneTensorSpec, specs_of
from symtape.data.elements.structures import builder, flatten, mapped
from symtape.errors import OpError
from symtape.ops.composite import CompositeSpec, CompositeTensor
from symtape.ops.composite_elements import home_of, row_of
from symtape.ops.spec import TensorSpec
from symtape.tensor.tensor import Tensor

INFINITE = -1
"""The cardinality of a dataset without end."""
UNKNOWN = -2
"""The cardinality of a dataset whose elements must be counted."""


class Failed(Exception):  # noqa: N818 - it becomes the error that it holds
    """What went wrong in a pipeline; who takes an element puts the call into its text."""

    def __init__(self, kind: type[OpError], text: str) -> None:
        super().__init__(kind, text)
        self.kind = kind
        self.text = text

    def framed(self, op: str, output: str = "") -> OpError:
        """Make the error, with the frame that TensorFlow puts around it."""
        made = self.kind.of(op + output, self.text)
        return self.kind(message=made.message.replace(f"[Op:{op}{output}]", f"[Op:{op}]"))


class Rows(NamedTuple):
    """Elements that are rows of columns: the columns, and the places of the rows in order.

    The order is a range, or a function that begins it anew. Columns have sizes, a dtype and rows.
    """

    columns: tuple[Any, ...]
    order: range | Callable[[], Iterator[int]]

    def places(self) -> range | Iterator[int]:
        """Begin the order."""
        return self.order if isinstance(self.order, range) else self.order()


class Stage:
    """One step of a pipeline: its elements, their spec, and how many they are."""

    spec: Any
    """The spec of the elements; a function may have to be run to know it."""

    @property
    def cardinality(self) -> int:
        """The number of elements, `INFINITE` or `UNKNOWN`; no function is run to know it."""
        raise NotImplementedError

    def run(self) -> Iterator[Any]:
        """Begin anew; what is drawn for this run is drawn now."""
        rows = self.rows
        if rows is None:
            raise NotImplementedError(f"{type(self).__name__} has no rows, and says how it runs")
        return elements(rows, self.spec)

    @property
    def rows(self) -> Rows | None:
        """The rows that the elements are, where they are rows; else None."""
        return None

    @property
    def is_certain(self) -> bool:
        """Whether the spec is known without running a function."""
        return True

    def told(self, element: Any) -> Any:
        """Give the spec by which an element is batched: a row of ragged rows is a tensor, too.

        Where functions make elements it is what an element is, but for ragged and sparse ones:
        functions are then run for elements of other sizes, to know which of their sizes vary.
        """
        if self.is_certain or any([isinstance(x, CompositeTensor) for x in flatten(element)]):
            return self.spec
        return specs_of(element)

    def probe(self, number: int) -> Any:
        """Make an element as one of this pipeline, the sizes that vary being those of a number.

        They are those of the first element for zero. No state changes: this stands for an element
        where only its spec is asked for.
        """
        return mapped(lambda spec: filled(spec, number), self.spec)


class After(Stage):
    """A stage whose elements are those of another one, or fewer, or in another order."""

    def __init__(self, before: Stage) -> None:
        self.before = before

    @cached_property
    def spec(self) -> Any:
        """The spec of the stage before."""
        return self.before.spec

    @property
    def cardinality(self) -> int:
        """That of the stage before."""
        return self.before.cardinality

    @property
    def is_certain(self) -> bool:
        """Whether the stage before is certain."""
        return self.before.is_certain

    def probe(self, number: int) -> Any:
        """Take the element of the stage before."""
        return self.before.probe(number)

    def told(self, element: Any) -> Any:
        """Ask the stage before."""
        return self.before.told(element)


class Made(After):
    """A stage whose elements functions make of those of another one; its spec is theirs."""

    is_certain = False

    def told(self, element: Any) -> Any:
        """Give what is known of an element, whatever the stage before says."""
        return Stage.told(self, element)


def row(column: Any, place: int) -> Any:
    """Read one row of a column as a tensor holds it; text keeps its array."""
    found = column[place]
    if isinstance(found, bytes):
        return np.array(found, object)
    return found


def leaf_at(column: Any, place: int) -> Any:
    """Take one row of a column, which may be ragged or sparse, as a leaf of an element."""
    if isinstance(column, CompositeTensor):
        return row_of(column, place)
    return Tensor(row(column, place))


def likened(spec: Any, leaf: Any, number: int) -> Any:
    """Have the sizes of a leaf that vary be those of a number, where rows are ragged."""
    return home_of(spec).probed(spec, leaf, number) if isinstance(spec, CompositeSpec) else leaf


def elements(rows: Rows, spec: Any) -> Iterator[Any]:
    """Make the elements of rows."""
    columns, places = rows.columns, rows.places()
    if len(columns) == 1 and spec.__class__ is TensorSpec:
        column = columns[0]
        return (Tensor(row(column, place)) for place in places)
    build = builder(spec)
    return (build([Tensor(row(column, place)) for column in columns]) for place in places)


def filled(spec: Any, number: int) -> Any:
    """Make a leaf of zeros for a spec; raises `ValueError` for an unknown rank."""
    if isinstance(spec, NoneTensorSpec):
        return None
    if isinstance(spec, CompositeSpec):
        return home_of(spec).zeros(spec, number)
    sizes = tuple([number or 1 if n is None else n for n in spec.shape])
    if spec.dtype.numpy.kind == "O":
        made = np.empty(sizes, object)
        made[...] = b""
        return Tensor(made)
    return Tensor(np.zeros(sizes, spec.dtype.numpy)[()])
