"""Datasets of the elements of a list, and elements by their numbers: from_list, at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from symtape import nest
from symtape.data.dataset import Dataset
from symtape.data.elements.specs import specs_of
from symtape.data.elements.structures import again, flatten, mapped, normalized
from symtape.data.held import whole
from symtape.data.stages.applying import Filter, FlatMap, Interleave, Map, common_spec
from symtape.data.stages.base import INFINITE, Failed, Stage
from symtape.data.stages.batching.batches import Batch, Unbatch
from symtape.data.stages.batching.windows import Listed
from symtape.data.stages.generating import Generated
from symtape.data.stages.joining import Concatenate, Zip
from symtape.data.stages.passing import Cache, Repeat, Same, Shard, Skip, Take
from symtape.data.stages.runs import Running
from symtape.data.stages.sources import Range, Slices, Whole
from symtape.errors import (
    FailedPreconditionError,
    OpError,
    OutOfRangeError,
    UnimplementedError,
    UnsupportedError,
)


def from_list(elements: Any, name: str | None = None) -> Dataset:
    """Make a dataset of the elements of a list, whose tensors may differ in their sizes.

    Raises `ValueError` for an empty list, for what is no list, and for elements of unlike
    structures, and `TypeError` for unlike dtypes.

    >>> from_list([([1], "a"), ([2, 3], "b")]).element_spec[0]
    TensorSpec(shape=(None,), dtype=tf.int32, name=None)
    """
    if not elements:
        raise ValueError(
            "Invalid `elements`. `elements` should not be empty. If you want an empty dataset, use "
            "`tf.data.Dataset.range(0)`."
        )
    if not isinstance(elements, list):
        raise ValueError("Invalid `elements`. `elements` must be a list.")
    found = [normalized(element) for element in elements]
    first, *others = map(specs_of, found)
    for spec in others:
        nest.assert_same_structure(first, spec)
    return Dataset._of("_ListDataset", _Kept(found, common_spec(found)))  # noqa: SLF001 - a method of ours alone


class _Kept(Listed):
    """Elements of a list, given as new tensors each time, so that a tape follows each alone."""

    def __init__(self, elements: list[Any], spec: Any) -> None:
        super().__init__(elements, spec, certain=True)

    def run(self) -> Iterator[Any]:
        """Give one after the other."""
        return (mapped(again, element) for element in super().run())


def at(dataset: Any, index: Any) -> Any:
    """Give the element of a number, from 0, of a dataset that knows where its elements are.

    They do where elements come from tensors, lists or ranges, and are mapped, batched, zipped,
    repeated, concatenated, or left out by number. Raises `OutOfRangeError` for a number that there
    is not, `FailedPreconditionError` for a dataset without end, `UnimplementedError` where
    functions decide which elements there are, and `UnsupportedError` for other datasets.

    >>> at(Dataset.range(10).map(lambda n: n * n), 3).numpy()
    np.int64(9)
    """
    spec, place = dataset.element_spec, whole(index)
    stage: Stage = dataset.stage
    output = f"_output_types_{len(flatten(spec))}"
    _check_placed(stage, output)
    count = stage.cardinality
    if not 0 <= place < count:
        text = f"Index out of range [0, {count}):{place}"
        raise Failed(OutOfRangeError, text).framed(_OP, output)
    for other in _before(stage):
        _check_placed(other, output)
    try:
        return next(islice(Running(stage.run), place, None))
    except Failed as failure:
        raise failure.framed(_OP, output) from failure.__cause__


_OP = "GetElementAtIndex"
_PLACED = (
    *(Slices, Whole, Range, Listed, Map, Batch, Take, Skip, Shard, Repeat, Cache, Same, Zip),
    Concatenate,
)
"""The kinds of stages that know where their elements are."""
_UNPLACED: dict[type[Stage], str] = {
    Filter: "FilterDatasetOp",
    Interleave: "InterleaveDatasetOp",
    FlatMap: "FlatMapDatasetOp",
    Generated: "FlatMapDatasetOp",
}
_ENDLESS = {Range: "RangeDatasetOp(0, 9223372036854775807, 1)", Repeat: "RepeatDatasetOp"}


def _check_placed(stage: Stage, output: str) -> None:
    """Raise unless a stage knows where its elements are."""
    kind = type(stage)
    if kind in _UNPLACED:
        text = f"Random access is not implemented for dataset {_UNPLACED[kind]}::Dataset"
        raise Failed(UnimplementedError, text).framed(_OP, output)
    if stage.cardinality == INFINITE and kind in _ENDLESS:
        raise _uncounted(_ENDLESS[kind], "infinite", output)
    if isinstance(stage, Unbatch):
        raise _uncounted("UnbatchDatasetOp", "unknown", output)
    if not isinstance(stage, _PLACED):
        raise UnsupportedError(
            "tf.data.experimental.at of a dataset that does not know where its elements are "
            f"({kind.__name__.lower()}); use `dataset.skip(index).take(1)`"
        )


def _before(stage: Stage) -> Iterator[Stage]:
    """List all stages of which a stage is made."""
    made_of = getattr(stage, "stages", [stage.before] if hasattr(stage, "before") else [])
    for other in made_of:
        yield other
        yield from _before(other)


def _uncounted(name: str, what: str, output: str) -> OpError:
    text = (
        f"Dataset of type {name}::Dataset has {what} cardinality, which does not support random "
        "access."
    )
    return Failed(FailedPreconditionError, text).framed(_OP, output)
