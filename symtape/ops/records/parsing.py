"""`tf.io.parse_example` and `parse_single_example`: records become tensors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtape.calls import Call
from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.records.features import (
    Dense,
    FixedLenFeature,
    FixedLenSequenceFeature,
    Plan,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
    open_shape,
)
from symtape.ops.records.partitions import in_rows
from symtape.ops.records.values import Values, entries, name_of, nothing, values_in
from symtape.ops.records.wire import WireError
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import listed
from symtape.tensor.dtypes import DType
from symtape.tensor.recording.looking import probed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at


class NoSparse:
    """What makes sparse tensors where there are none: it refuses to."""

    def check(self) -> None:
        """Raise `UnsupportedError` unless there are sparse tensors."""
        raise UnsupportedError(
            "tf.io.VarLenFeature and SparseFeature, which give sparse tensors; use "
            "FixedLenSequenceFeature with allow_missing=True, or RaggedFeature, or run the script "
            "by `symtape run`, where there are sparse tensors"
        )

    def made(self, places: Any, values: Tensor, sizes: Sequence[int]) -> Any:
        """Make one of places, values and a shape."""
        raise NotImplementedError

    def merged(self, feature: SparseFeature, found: Mapping[str, Any]) -> Any:
        """Make one whose places are values of others."""
        raise NotImplementedError


_OP = "ParseExampleV2"
_KINDS = (
    *(VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature),
    RaggedFeature,
)


def parse_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """Read `tf.train.Example` messages: a dict of a tensor for each feature.

    `serialized` are texts of shape (n,), and tensors have shape (n, …) of the feature; or it is one
    text. `features` are `FixedLenFeature`, `FixedLenSequenceFeature` and `RaggedFeature` by keys;
    `VarLenFeature` and `SparseFeature`, which give sparse tensors, are refused with an
    `UnsupportedError`, and taken where `import tensorflow` is answered. Raises `ValueError` for
    features that do not fit, and `InvalidArgumentError` for messages that lack values, have others,
    or are none.

    >>> from symtape.ops.records.examples import message
    >>> example = message("Example")()
    >>> example.features.feature["a"].float_list.value.extend([1.5, 2.5])
    >>> found = parse_example(
    ...     [example.SerializeToString()],
    ...     {"a": FixedLenFeature([2], "float32"), "b": FixedLenFeature([], "int64", 7)},
    ... )
    >>> found["a"].numpy(), found["b"].numpy()
    (array([[1.5, 2.5]], dtype=float32), array([7]))
    """
    return parsed(serialized, features, example_names, NoSparse())


def parse_single_example(
    serialized: Any, features: Any, example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """Read one `tf.train.Example` message: a dict of a tensor for each feature, of its shape.

    It is `parse_example` of one text, and raises what that does.

    >>> found = parse_single_example(b"", {"a": FixedLenSequenceFeature([], "int64", True)})
    >>> found["a"].shape
    TensorShape([0])
    """
    return parsed_single(serialized, features, example_names, NoSparse())


def parsed_single(serialized: Any, features: Any, names: Any, sparse: NoSparse) -> dict[str, Any]:
    """Read one message."""
    if not features:
        what = "None" if features is None else "empty"
        raise ValueError(f"Invalid argument: features cannot be {what}.")
    return parsed(scalar(serialized), features, names, sparse)


def scalar(serialized: Any) -> Any:
    """Be one text; raises `ValueError` for several."""
    if np.ndim(look_at(convert(serialized))):
        raise ValueError("Input serialized must be a scalar")
    return serialized


def parsed(serialized: Any, features: Any, names: Any, sparse: NoSparse) -> dict[str, Any]:
    """Read one message or several, with what makes sparse tensors."""
    if not features:
        raise ValueError(f"Argument `features` cannot be None or falsy. Got {features}")
    features = dict(features)
    for feature in features.values():
        if isinstance(feature, FixedLenSequenceFeature) and not feature.allow_missing:
            raise ValueError(
                "Unsupported: FixedLenSequenceFeature requires allow_missing to be True."
            )
    plan = Plan(features, _KINDS)
    texts = texts_of(_OP, serialized)
    plan.checked(_OP, ("sparse_types", "Tdense", "ragged_value_types"))
    if plan.sparse:
        sparse.check()
    reading = _Reading(plan, texts, names_of(_OP, names, texts))
    found = reading.tensors(sparse)
    return combined(features, found, sparse)


def texts_of(op: str, serialized: Any) -> Any:
    """Read a text or a list of them; raises `ValueError` for numbers."""
    given = convert(serialized, dtypes.string) if isinstance(serialized, list) else serialized
    found = convert(given)
    if found.dtype is not dtypes.string:
        raise ValueError(
            f"Tensor conversion requested dtype string for Tensor with dtype {found.dtype.name}: "
            f"{found!r}"
        )
    texts = np.asarray(decided_by_look(found), object)
    if texts.ndim > 1:
        raise InvalidArgumentError.of(
            op, f"Expected serialized to be a scalar or vector, got shape: {listed(texts.shape)}"
        )
    return texts


def names_of(op: str, names: Any, texts: Any) -> list[str]:
    """Read the names of messages, which errors tell; raises `InvalidArgumentError`."""
    if names is None or np.size(names) == 0:
        return ["<unknown>"] * texts.size
    found = texts_of(op, names)
    if found.shape != texts.shape:
        raise InvalidArgumentError.of(
            op,
            "Expected names have the same shape as serialized: "
            f"name.shape={listed(found.shape)}, serialized.shape={listed(texts.shape)}",
        )
    return [text.decode(errors="replace") for text in found.ravel()]


class _Reading:
    """The values of messages under each key of a plan, and the tensors of them."""

    def __init__(self, plan: Plan, texts: Any, names: list[str]) -> None:
        self._plan = plan
        self._is_one = not texts.ndim
        self._rows: dict[str, list[Any]] = {key: [] for key in plan.keys}
        for place, text in enumerate(texts.ravel()):
            where = "" if self._is_one else f"Name: {names[place]}, "
            self._add(text, where, "" if self._is_one else f", Index: {place}")

    def _add(self, text: bytes, where: str, index: str) -> None:
        """Read a message; raises `InvalidArgumentError`."""
        found = _features(text)
        for key, rows in self._rows.items():
            values = _values(key, found.get(name_of(key)), f"{where}Key: {key}{index}. ")
            wanted = self._plan.dtype_of(key)
            if values is not None and values.dtype is not wanted:
                raise _other_kind(self._plan, key, values.dtype, f"{where}Key: {key}{index}. ")
            rows.append(values)
        for key, dense in self._plan.dense.items():
            self._rows[key][-1] = self._row(key, dense, self._rows[key][-1], where, index)

    def _row(self, key: str, dense: Dense, values: Values | None, where: str, index: str) -> Any:
        """Give the values of a dense tensor in the shape of the feature."""
        if dense.shape[:1] == (None,):
            return self._sequence(key, dense, values, where, index)
        if values is None:
            if dense.default is not None:
                return np.asarray(look_at(dense.default))
            if probed() is not None:
                return nothing(dense.dtype, math.prod(dense.shape)).reshape(dense.shape)
            raise wrong(
                _OP,
                f"{where}Feature: {key} (data type: {dense.dtype.enum_name}) is required but could "
                "not be found.",
            )
        if values.array.size != math.prod(dense.shape):
            there = f"{where}Key: {key}{index}. "
            raise _unequal(there, dense, values.array.size, self._is_one)
        return values.array.reshape(dense.shape)

    def _sequence(
        self, key: str, dense: Dense, values: Values | None, where: str, index: str
    ) -> Any:
        inner = dense.shape[1:]
        array = resized(nothing(dense.dtype) if values is None else values.array, inner)
        size = math.prod(inner)
        if array.size % size if size else array.size:
            if self._is_one:
                raise wrong(
                    _OP,
                    f"Error while parsing feature with key {key}: number of elements should be "
                    f"divisible by {size}, found {array.size} instead",
                )
            raise wrong(
                _OP,
                f"{where}Key: {key}{index}.  Number of {_kind(dense.dtype)} values is not a "
                f"multiple of stride length. Saw {array.size} values but output shape is: "
                f"{open_shape(dense.shape)}",
            )
        return array.reshape(array.size // size if size else 0, *inner)

    def tensors(self, sparse: NoSparse) -> dict[str, Any]:
        """Make the tensors, by the keys of the plan."""
        made: dict[str, Any] = {}
        for key in self._plan.keys:
            if key in self._plan.dense:
                made[key] = Tensor(self._dense(self._plan.dense[key], self._rows[key]))
                continue
            dtype = self._plan.dtype_of(key)
            rows = [
                resized(nothing(dtype) if row is None else row.array, ()) for row in self._rows[key]
            ]
            if key in self._plan.sparse:
                made[key] = self._sparse(dtype, rows, sparse)
            else:
                made[key] = self._ragged(key, rows)
        return made

    def _dense(self, dense: Dense, rows: list[Any]) -> Any:
        if self._is_one:
            return rows[0] if rows[0].ndim or dense.dtype is dtypes.string else rows[0][()]
        if dense.shape[:1] == (None,):
            return filled_up(rows, dense.shape[1:], look_at(dense.default), dense.dtype)
        made = np.empty((len(rows), *dense.shape), dense.dtype.numpy)
        for place, row in enumerate(rows):
            made[place] = row
        return made

    def _sparse(self, dtype: DType, rows: list[Any], sparse: NoSparse) -> Any:
        values = np.concatenate([nothing(dtype), *rows])
        within = [np.arange(len(row)) for row in rows]
        if self._is_one:
            return sparse.made(within[0][:, None], Tensor(values), within[0].shape)
        numbers = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        places = np.stack([numbers, np.concatenate([np.arange(0), *within])], axis=1)
        return sparse.made(places, Tensor(values), (len(rows), max(map(len, rows), default=0)))

    def _ragged(self, key: str, rows: list[Any]) -> Any:
        wanted = self._plan.ragged[key]
        if self._is_one:
            return Tensor(rows[0])
        values = np.concatenate([nothing(wanted.dtype), *rows])
        splits = np.cumsum([0, *map(len, rows)]).astype(wanted.splits.numpy)
        return RaggedTensor.from_row_splits(Tensor(values), splits)


def filled_up(rows: list[Any], inner: Sequence[int], around: Any, dtype: DType) -> Any:
    """Put sequences into one array, as long as the longest, with a value behind the others."""
    most = max(map(len, rows), default=0)
    made = np.empty((len(rows), most, *inner), dtype.numpy)
    made[...] = around
    for place, row in enumerate(rows):
        made[place, : len(row)] = row
    return made


def _features(text: bytes) -> dict[str, bytes]:
    try:
        return entries(text, 1)
    except (WireError, UnicodeDecodeError):
        if probed() is not None:
            return {}
        raise wrong(
            _OP, f"Could not parse example input, value: '{text.decode(errors='replace')}'"
        ) from None


def _values(key: str, feature: bytes | None, where: str) -> Values | None:
    try:
        return None if feature is None else values_in(feature)
    except WireError:
        raise wrong(_OP, f"{where} Can't parse serialized Example.") from None


def resized(array: Any, inner: Sequence[Any]) -> Any:
    """Give as many values as are looked for where only the spec is wanted, else all."""
    number = probed()
    return np.resize(_some(array), number * math.prod(inner)) if number else array


def _some(array: Any) -> Any:
    return array if array.size else nothing(dtypes.as_dtype(array.dtype), 1)


def wrong(op: str, text: str) -> InvalidArgumentError:
    """Make the error of an operation without a name."""
    return InvalidArgumentError.of(Call(op, name=None), text)


def _unequal(where: str, dense: Dense, size: int, is_one: bool) -> InvalidArgumentError:
    """Make the error for another number of values, of which TensorFlow has four."""
    kind = _kind(dense.dtype)
    too_many = kind == "bytes" and size > math.prod(dense.shape)
    if is_one:
        why = (
            f"Parsing {kind}_list failed" if too_many else f"Some {kind}_list slice was not parsed"
        )
        return wrong(_OP, f"{where} Can't parse serialized Example: {why}.")
    if too_many:
        return wrong(_OP, f"{where} Can't parse serialized Example.")
    return wrong(
        _OP,
        f"{where} Number of {kind} values != expected.  Values size: {size} but output shape: "
        f"{listed(dense.shape)}",
    )


def _kind(dtype: DType) -> str:
    return "bytes" if dtype is dtypes.string else dtype.enum_name


def _other_kind(plan: Plan, key: str, dtype: DType, where: str) -> InvalidArgumentError:
    wanted = plan.dtype_of(key).enum_name
    if key in plan.dense:
        what = f"Data type: {dtype.enum_name} but expected type: {wanted}"
    else:
        what = f"Expected type: {wanted}, Actual type: {dtype.enum_name}"
    return wrong(_OP, f"{where} Data types don't match. {what}")


def combined(
    features: Mapping[str, Any], found: dict[str, Any], sparse: NoSparse
) -> dict[str, Any]:
    """Put together what features are made of, and leave out what only they have."""
    made = dict(found)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, RaggedFeature):
            made[key] = in_rows(key, feature, found)
        elif isinstance(feature, SparseFeature):
            made[key] = sparse.merged(feature, found)
    return {key: value for key, value in made.items() if key in features}
