"""Ragged and sparse tensors as elements: what is done with them by their specs."""

from __future__ import annotations

from typing import Any

from symtape.ops.composite import CompositeSpec, CompositeTensor
from symtape.ops.ragged import elements as ragged
from symtape.ops.ragged.spec import RaggedTensorSpec
from symtape.ops.sparse import elements as sparse
from symtape.ops.sparse.spec import SparseTensorSpec

_HOMES: dict[type, Any] = {RaggedTensorSpec: ragged, SparseTensorSpec: sparse}


def home_of(spec: CompositeSpec) -> Any:
    """Give what knows how elements of a spec are stacked, taken apart and made."""
    return _HOMES[type(spec)]


def count_of(leaf: Any) -> int:
    """Count the rows of an array, or of a ragged or sparse tensor."""
    if isinstance(leaf, CompositeTensor):
        count: int = home_of(leaf.type_spec).count(leaf)
        return count
    return len(leaf)


def row_of(leaf: CompositeTensor, place: int) -> Any:
    """Take one row of a ragged or sparse tensor that no tape follows."""
    return home_of(leaf.type_spec).row(leaf, place)


def check_rows(leaf: Any) -> None:
    """Raise what TensorFlow raises where a ragged or sparse tensor has no rows."""
    if isinstance(leaf, CompositeTensor):
        home_of(leaf.type_spec).check_rows(leaf)
