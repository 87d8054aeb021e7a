"""`tf.io.parse_example` and its kin where there are sparse tensors, which they give, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from symtape.ops.indexing.gathering import gather
from symtape.ops.records.features import SparseFeature, keys_of
from symtape.ops.records.parsing import NoSparse, parsed, parsed_single
from symtape.ops.records.sequences import parsed_sequence, parsed_sequences
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of


class AsSparse(NoSparse):
    """What makes sparse tensors."""

    def check(self) -> None:
        """Do nothing: there are sparse tensors."""

    def made(self, places: Any, values: Tensor, sizes: Any) -> SparseTensor:
        """Make one of places, values and a shape."""
        return SparseTensor(places, values, sizes)

    def merged(self, feature: SparseFeature, found: Mapping[str, Any]) -> SparseTensor:
        """Make one whose places are values of others, in order unless they are known to be.

        Raises `ValueError` for places that are not as many as values, and `TypeError` for sizes
        that are not as many as keys.
        """
        keys, values = keys_of(feature), found[feature.value_key]
        is_one = isinstance(feature.index_key, str)
        sizes = [feature.size] if is_one else feature.size
        if not isinstance(sizes, (list, tuple)) or len(sizes) != len(keys):
            raise TypeError(
                f"vocab_size has to be a list of Tensors or Python ints. Found {type(feature.size)}"
            )
        columns = [np.asarray(look_at(found[key].values)) for key in keys]
        for column in columns:
            if column.shape != shape_of(values.values):
                raise ValueError(
                    f"Dimensions {len(column)} and {shape_of(values.values)[0]} are not compatible"
                )
        places = np.column_stack([values.places[:, :-1], *columns]).astype(np.int64)
        merged = SparseTensor(places, values.values, (*values.sizes[:-1], *map(int, sizes)))
        if feature.already_sorted:
            return merged
        order = np.lexsort(places.T[::-1])
        return SparseTensor(places[order], gather(merged.values, order), merged.sizes)


def parse_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """Read messages, as `tf.io.parse_example`; `VarLenFeature` gives a sparse tensor.

    >>> from symtape.ops.records.features import VarLenFeature
    >>> parse_example([b""], {"a": VarLenFeature("int64")})["a"].shape
    TensorShape([1, 0])
    """
    return parsed(serialized, features, example_names, AsSparse())


def parse_single_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """Read one message, as `tf.io.parse_single_example`; `VarLenFeature` gives a sparse tensor.

    >>> from symtape.ops.records.features import VarLenFeature
    >>> parse_single_example(b"", {"a": VarLenFeature("int64")})["a"].shape
    TensorShape([0])
    """
    return parsed_single(serialized, features, example_names, AsSparse())


def parse_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Read messages of sequences, as `tf.io.parse_sequence_example`, with sparse tensors.

    >>> from symtape.ops.records.features import VarLenFeature
    >>> _, found, _ = parse_sequence_example([b""], None, {"a": VarLenFeature("int64")})
    >>> found["a"].shape
    TensorShape([1, 0, 0])
    """
    return parsed_sequences(
        serialized, context_features, sequence_features, example_names, AsSparse()
    )


def parse_single_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read one message of sequences, as `tf.io.parse_single_sequence_example`.

    >>> from symtape.ops.records.features import VarLenFeature
    >>> _, found = parse_single_sequence_example(b"", None, {"a": VarLenFeature("int64")})
    >>> found["a"].shape
    TensorShape([0, 0])
    """
    return parsed_sequence(
        serialized, context_features, sequence_features, example_name, AsSparse()
    )
