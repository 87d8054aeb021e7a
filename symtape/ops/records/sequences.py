"""`tf.io.parse_sequence_example` and its kin: records of sequences become tensors."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.records.features import (
    Dense,
    FixedLenFeature,
    FixedLenSequenceFeature,
    Plan,
    RaggedFeature,
    VarLenFeature,
    open_shape,
)
from symtape.ops.records.parsing import (
    NoSparse,
    combined,
    filled_up,
    names_of,
    resized,
    scalar,
    texts_of,
    wrong,
)
from symtape.ops.records.values import Values, entries, inner, name_of, nothing, values_in
from symtape.ops.records.wire import WireError
from symtape.tensor.dispatch import listed
from symtape.tensor.dtypes import DType
from symtape.tensor.recording.looking import probed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at

_OP = "ParseSequenceExampleV2"
_CONTEXT = (VarLenFeature, FixedLenFeature, RaggedFeature)
_SEQUENCES = (VarLenFeature, FixedLenSequenceFeature, RaggedFeature)


def parse_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Read `tf.train.SequenceExample` messages: tensors of contexts, of sequences, and lengths.

    `serialized` are texts of shape (n,), or one text. `context_features` are `FixedLenFeature` and
    `RaggedFeature` by keys, `sequence_features` `FixedLenSequenceFeature` and `RaggedFeature`, and
    their tensors have shape (n, steps, …), with zeros behind shorter sequences. `VarLenFeature` is
    refused as by `parse_example`. Raises `ValueError` for features that do not fit, and
    `InvalidArgumentError` for messages that lack values, have others, or are none.

    >>> from symtape.ops.records.examples import message
    >>> example = message("SequenceExample")()
    >>> steps = example.feature_lists.feature_list["a"]
    >>> steps.feature.add().float_list.value.append(0.5)
    >>> _, found, lengths = parse_sequence_example(
    ...     [example.SerializeToString()], None, {"a": FixedLenSequenceFeature([], "float32")}
    ... )
    >>> found["a"].numpy(), lengths["a"].numpy()
    (array([[0.5]], dtype=float32), array([1]))
    """
    return parsed_sequences(
        serialized, context_features, sequence_features, example_names, NoSparse()
    )


def parse_single_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read one `tf.train.SequenceExample` message: tensors of its context, and of its sequences.

    It is `parse_sequence_example` of one text, and raises what that does.

    >>> context, _ = parse_single_sequence_example(b"", {"a": FixedLenFeature([], "int64", 3)})
    >>> context["a"].numpy()
    np.int64(3)
    """
    return parsed_sequence(
        serialized, context_features, sequence_features, example_name, NoSparse()
    )


def parsed_sequence(
    serialized: Any, context: Any, sequences: Any, name: Any, sparse: NoSparse
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read one message."""
    if not (context or sequences):
        raise ValueError(
            "Both context_features and sequence_features are None, but at least one should have "
            "values."
        )
    return parsed_sequences(scalar(serialized), context, sequences, name, sparse)[:2]


def parsed_sequences(
    serialized: Any, context: Any, sequences: Any, names: Any, sparse: NoSparse
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Read one message or several, with what makes sparse tensors."""
    if not (context or sequences):
        raise ValueError(
            "Both `context_features` and `sequence_features` argument are None, but at least one "
            "should have values."
        )
    plans = Plan(context, _CONTEXT), Plan(sequences, _SEQUENCES)
    for key, feature in plans[1].dense.items():
        if feature.default_value is not None:
            raise ValueError(f"Value feature_list.dense_defaults[{key}] must be None")
    missing = {key for key, feature in plans[1].dense.items() if feature.allow_missing}
    texts = texts_of(_OP, serialized)
    for plan, start in zip(plans, ("context", "feature_list"), strict=True):
        kinds = f"{start}_sparse_types", f"{start}_dense_types", f"{start}_ragged_value_types"
        plan.checked(_OP, kinds)
        if plan.sparse:
            sparse.check()
    reading = _Reading(plans, missing, texts, names_of(_OP, names, texts))
    found = reading.contexts(sparse)
    steps, lengths = reading.sequences(sparse)
    return (
        combined(context or {}, found, sparse),
        combined(sequences or {}, steps, sparse),
        lengths,
    )


class _Steps(NamedTuple):
    """A sequence: its values, and how many each step has."""

    array: Any
    counts: list[int]


class _Reading:
    """The values of messages under each key of two plans, and the tensors of them."""

    def __init__(
        self, plans: tuple[Plan, Plan], missing: set[str], texts: Any, names: list[str]
    ) -> None:
        self._context, self._sequences = plans
        self._missing = missing
        self._is_one = not texts.ndim
        self._given: dict[str, list[Any]] = {key: [] for key in self._context.keys}
        self._steps: dict[str, list[_Steps]] = {key: [] for key in self._sequences.keys}
        for text, name in zip(texts.ravel(), names, strict=True):
            self._add(text, name)

    def _add(self, text: bytes, name: str) -> None:
        """Read a message; raises `InvalidArgumentError`."""
        try:
            given, lists = entries(text, 1), entries(text, 2)
            for key, rows in self._given.items():
                rows.append(self._of_context(key, given.get(name_of(key)), name))
            for key, sequences in self._steps.items():
                sequences.append(self._of_steps(key, lists.get(name_of(key)), name))
        except (WireError, UnicodeDecodeError):
            raise wrong(_OP, f"Invalid protocol message input, example id: {name}") from None

    def _of_context(self, key: str, feature: bytes | None, name: str) -> Any:
        values = None if feature is None else values_in(feature)
        wanted = self._context.dtype_of(key)
        _check_kind(values, wanted, f"Name: {name}, Context feature: {key}. ")
        dense = self._context.dense.get(key)
        if dense is None:
            return nothing(wanted) if values is None else values.array
        if values is None and dense.default is not None:
            return np.asarray(look_at(dense.default))
        array = nothing(wanted) if values is None else values.array
        size = math.prod(dense.shape)
        if values is None and probed() is not None:
            array = nothing(wanted, size)
        if array.size != size:
            raise wrong(
                _OP,
                f"Inconsistent max number of elements for feature {key}: expected {size}, but "
                f"found {array.size}",
            )
        return array.reshape(dense.shape)

    def _of_steps(self, key: str, listed_steps: bytes | None, name: str) -> _Steps:
        wanted, dense = self._sequences.dtype_of(key), self._sequences.dense.get(key)
        is_required = dense is not None and key not in self._missing and probed() is None
        if listed_steps is None and is_required:
            raise wrong(
                _OP,
                f"Name: {name}, Feature list '{key}' is required but could not be found.  Did you "
                "mean to include it in feature_list_dense_missing_assumed_empty or "
                "feature_list_dense_defaults?",
            )
        steps = []
        for place, feature in enumerate(inner(listed_steps or b"", 1)):
            values = values_in(feature)
            _check_kind(values, wanted, f"Name: {name}, Feature list: {key}, Index: {place}. ")
            steps.append(nothing(wanted) if values is None else values.array)
        counts = [len(step) for step in steps]
        array = np.concatenate([nothing(wanted), *steps])
        if dense is not None:
            _check_counts(key, dense, counts, name)
        if number := probed():
            size = 1 if dense is None else math.prod(dense.shape[1:])
            counts, array = [size] * number, resized(array, dense.shape[1:] if dense else ())
        return _Steps(array, counts)

    def contexts(self, sparse: NoSparse) -> dict[str, Any]:
        """Make the tensors of contexts."""
        made: dict[str, Any] = {}
        for key, rows in self._given.items():
            if key in self._context.dense:
                made[key] = self._one_or_all(rows)
                continue
            values = Tensor(np.concatenate([nothing(self._context.dtype_of(key)), *rows]))
            counts = [len(row) for row in rows]
            if key in self._context.sparse:
                places, most = _within(counts), max(counts, default=0)
                sizes = [most] if self._is_one else [len(rows), most]
                made[key] = sparse.made(places[:, -len(sizes) :], values, sizes)
            elif self._is_one:
                made[key] = values
            else:
                made[key] = _cut(values, counts, self._context.ragged[key].splits)
        return made

    def _one_or_all(self, rows: list[Any]) -> Tensor:
        if self._is_one:
            return Tensor(rows[0] if rows[0].ndim or rows[0].dtype == object else rows[0][()])
        shape = np.shape(rows[0]) if rows else ()
        made = np.empty((len(rows), *shape), rows[0].dtype if rows else None)
        for place, row in enumerate(rows):
            made[place] = row
        return Tensor(made)

    def sequences(self, sparse: NoSparse) -> tuple[dict[str, Any], dict[str, Any]]:
        """Make the tensors of sequences, and their lengths."""
        made: dict[str, Any] = {}
        lengths: dict[str, Any] = {}
        for key, sequences in self._steps.items():
            dtype = self._sequences.dtype_of(key)
            if key in self._sequences.dense:
                shape = self._sequences.dense[key].shape[1:]
                rows = [steps.array.reshape(len(steps.counts), *shape) for steps in sequences]
                counts = np.array([len(row) for row in rows], np.int64)
                around = nothing(dtype, 1)[0]
                whole = rows[0] if self._is_one else filled_up(rows, shape, around, dtype)
                made[key] = Tensor(whole)
                lengths[key] = Tensor(counts[0] if self._is_one else counts)
                continue
            values = Tensor(np.concatenate([nothing(dtype), *[s.array for s in sequences]]))
            if key in self._sequences.sparse:
                made[key] = self._sparse(values, sequences, sparse)
            else:
                splits = self._sequences.ragged[key].splits
                inside = _cut(values, [n for steps in sequences for n in steps.counts], splits)
                outside = [len(steps.counts) for steps in sequences]
                made[key] = inside if self._is_one else _cut(inside, outside, splits)
        return made, lengths

    def _sparse(self, values: Tensor, sequences: list[_Steps], sparse: NoSparse) -> Any:
        counts = [n for steps in sequences for n in steps.counts]
        lengths = [len(steps.counts) for steps in sequences]
        within = _within(counts)
        places = np.column_stack([_within(lengths)[within[:, 0]], within[:, 1]])
        sizes = [len(sequences), max(lengths, default=0), max(counts, default=0)]
        start = 1 if self._is_one else 0
        return sparse.made(places[:, start:], values, sizes[start:])


def _within(counts: list[int]) -> Any:
    """Give the place of each value: the number of its row, and its own in the row."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = [np.arange(count) for count in counts]
    return np.stack([rows, np.concatenate([np.arange(0), *places])], axis=1)


def _cut(values: Any, counts: list[int], dtype: DType) -> RaggedTensor:
    return RaggedTensor.from_row_splits(values, np.cumsum([0, *counts]).astype(dtype.numpy))


def _check_kind(values: Values | None, wanted: DType, where: str) -> None:
    if values is not None and values.dtype is not wanted:
        raise wrong(_OP, f"{where} Data types don't match. Expected type: {wanted.enum_name}")


def _check_counts(key: str, dense: Dense, counts: list[int], name: str) -> None:
    """Raise `InvalidArgumentError` unless each step has the values of its shape."""
    inside = dense.shape[1:]
    size, total = math.prod(inside), sum(counts)
    if size and total % size:
        raise wrong(
            _OP,
            f"Feature list '{key}' has an unexpected number of values.  Total values size: {total} "
            f"is not consistent with output shape: {open_shape(dense.shape)}",
        )
    for place, count in enumerate(counts):
        if count != size:
            raise wrong(
                _OP,
                f"Name: {name}, Key: {key}, Index: {place}.  Number of values != expected.  values "
                f"size: {count} but output shape: {listed(inside)}",
            )
