"""What is wanted of records: `tf.io.FixedLenFeature` and its kin, and a plan of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import is_tensor
from symtape.ops.shapes.shaping import reshape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import listed
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at


class VarLenFeature(NamedTuple):
    """Values of any number, as a sparse tensor (`tf.io.VarLenFeature`).

    >>> VarLenFeature(dtypes.int64)
    VarLenFeature(dtype=tf.int64)
    """

    dtype: Any


class SparseFeature(NamedTuple):
    """A sparse tensor whose places are values of other features (`tf.io.SparseFeature`).

    >>> SparseFeature("places", "values", dtypes.float32, 100).size
    100
    """

    index_key: Any
    value_key: Any
    dtype: Any
    size: Any
    already_sorted: bool = False


class FixedLenFeature(NamedTuple):
    """Values of a shape, with a default if they may be missing (`tf.io.FixedLenFeature`).

    >>> FixedLenFeature([2], dtypes.float32)
    FixedLenFeature(shape=[2], dtype=tf.float32, default_value=None)
    """

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """Any number of values of a shape, filled up in a batch (`tf.io.FixedLenSequenceFeature`).

    >>> FixedLenSequenceFeature([], dtypes.int64, allow_missing=True).allow_missing
    True
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class Dense(NamedTuple):
    """A tensor that is wanted: its shape, of which the first size may be None, and a default."""

    shape: tuple[Any, ...]
    dtype: DType
    default: Tensor | None


class Ragged(NamedTuple):
    """Values of any number that are wanted: their dtype, and that of what tells the rows."""

    dtype: DType
    splits: DType


class Plan:
    """What is wanted under each key, keys in order; raises `ValueError` for what does not fit.

    `kinds` are the types of features that are taken.
    """

    def __init__(self, features: Mapping[str, Any] | None, kinds: tuple[type, ...]) -> None:
        self.sparse: dict[str, DType] = {}
        self.dense: dict[str, Any] = {}
        self.ragged: dict[str, Ragged] = {}
        for key in sorted(features or ()):
            feature = (features or {})[key]
            if not isinstance(feature, kinds):
                raise ValueError(
                    f"Unsupported {type(feature).__name__} {feature!s} for key '{key}'"
                )
            self._add(key, feature)
        self._check_apart()

    def _add(self, key: str, feature: Any) -> None:
        if not isinstance(key, (str, bytes)):
            raise TypeError(f"Cannot convert [{key!r}] to EagerTensor of dtype string")
        if isinstance(feature, SparseFeature):
            for name in ("index_key", "value_key"):
                if not getattr(feature, name):
                    raise ValueError(f"Missing {name} for SparseFeature {feature}.")
        if not feature.dtype:
            dot = "" if isinstance(feature, VarLenFeature) else "."
            raise ValueError(f"Missing type for feature {key}. Received feature={feature}{dot}")
        if isinstance(feature, VarLenFeature):
            self._add_sparse(key, feature.dtype)
        elif isinstance(feature, SparseFeature):
            for name in sorted(keys_of(feature)):
                self._add_sparse(name, dtypes.int64)
            self._add_sparse(feature.value_key, feature.dtype)
        elif isinstance(feature, RaggedFeature):
            self._add_ragged(key, feature)
        else:
            if feature.shape is None:
                raise ValueError(f"Missing shape for feature {key}. Received feature={feature}.")
            if isinstance(feature, FixedLenFeature):
                _check_known(key, feature)
            self.dense[key] = feature

    def _add_sparse(self, key: str, dtype: Any) -> None:
        made = dtypes.as_dtype(dtype)
        before = self.sparse.setdefault(key, made)
        if before is not made:
            raise ValueError(f"Conflicting type {before} vs {made} for feature {key}.")

    def _add_ragged(self, key: str, feature: RaggedFeature) -> None:
        keys = {feature.value_key or key: feature.dtype} | {
            part.key: dtypes.int64
            for part in feature.partitions
            if not isinstance(part, UniformRowLength)
        }
        for name, dtype in keys.items():
            before = self.ragged.setdefault(name, Ragged(dtype, feature.row_splits_dtype))
            for what, old, new in (
                ("type", before.dtype, dtype),
                ("partition type", before.splits, feature.row_splits_dtype),
            ):
                if old is not new:
                    raise ValueError(f"Conflicting {what} {old} vs {new} for feature {name}.")

    def _check_apart(self) -> None:
        kinds = {"dense": self.dense, "sparse": self.sparse, "ragged": self.ragged}
        for one, other in (("dense", "sparse"), ("dense", "ragged"), ("ragged", "sparse")):
            both = set(kinds[one]) & set(kinds[other])
            if both:
                raise ValueError(
                    f"{one.capitalize()} and {other} keys must not intersect; {one}_keys: "
                    f"{[*kinds[one]]}, {other}_keys: {[*kinds[other]]}, intersection: {both}"
                )

    @property
    def keys(self) -> list[str]:
        """The keys under which there are values, in the order of results."""
        return [*self.sparse, *self.dense, *self.ragged]

    def checked(self, op: str, names: tuple[str, str, str]) -> Self:
        """Read defaults, and raise `InvalidArgumentError` for dtypes that records do not have."""
        for place, (key, feature) in enumerate(self.dense.items()):
            dense = _dense(feature)
            _check_dtype(op, names[1], dense.dtype)
            _check_default(op, names[1], place, dense)
            self.dense[key] = dense
        for dtype in self.sparse.values():
            _check_dtype(op, names[0], dtype)
        for ragged in self.ragged.values():
            _check_dtype(op, names[2], ragged.dtype)
        return self

    def dtype_of(self, key: str) -> DType:
        """Give the dtype that is wanted under a key."""
        found = self.sparse.get(key) or self.dense.get(key) or self.ragged[key]
        return found if isinstance(found, DType) else found.dtype


def keys_of(feature: SparseFeature) -> list[str]:
    """List the keys of places."""
    keys = feature.index_key
    return [keys] if isinstance(keys, str) else [*keys]


def _check_known(key: str, feature: FixedLenFeature) -> None:
    shape = TensorShape(feature.shape)
    if shape.rank and shape[0] is None:
        raise ValueError(
            f"First dimension of shape for feature {key} unknown. Consider using "
            f"FixedLenSequenceFeature. Received feature={feature}."
        )
    if not shape.is_fully_defined():
        raise ValueError(
            f"All dimensions of shape for feature {key} need to be known but received "
            f"{feature.shape!s}."
        )


def _dense(feature: Any) -> Dense:
    shape, dtype = tuple(TensorShape(feature.shape)), dtypes.as_dtype(feature.dtype)
    default = feature.default_value
    if isinstance(feature, FixedLenSequenceFeature):
        shape = (None, *shape)
        if default is None:
            default = "" if dtype is dtypes.string else 0
        return Dense(shape, dtype, reshape(convert(default, dtype), []))
    if default is not None and not is_tensor(default):
        default = reshape(convert(default, dtype), shape)
    return Dense(shape, dtype, default)


def open_shape(shape: tuple[Any, ...]) -> str:
    """Write a shape as TensorFlow's kernels do, with question marks for what is not known.

    >>> open_shape((None, 2))
    '[?,2]'
    """
    return "[" + ",".join(["?" if n is None else str(n) for n in shape]) + "]"


_KINDS = ("float", "int64", "string")


def _check_dtype(op: str, attribute: str, dtype: DType) -> None:
    if dtype.enum_name not in _KINDS:
        raise InvalidArgumentError(
            message=f"Value for attr '{attribute}' of {dtype.enum_name} is not in the list of "
            f"allowed values: {', '.join(_KINDS)}\n\t; NodeDef: {{{{node {op}}}}} [Op:{op}]"
        )


def _check_default(op: str, attribute: str, place: int, dense: Dense) -> None:
    default = dense.default
    if None in dense.shape[1:]:
        raise InvalidArgumentError(
            message=f"dense_shapes[{place}] has unknown rank or unknown inner dimensions: "
            f"{open_shape(dense.shape)} [Op:{op}]"
        )
    if default is None or dense.shape[:1] == (None,):
        return
    _check_dtype(op, attribute, default.dtype)
    if tuple(look_at(default).shape) != dense.shape:
        raise InvalidArgumentError.of(
            op,
            f"def_value[{place}].shape() == {listed(look_at(default).shape)} is not compatible "
            f"with dense_shapes_[{place}] == {listed(dense.shape)}",
        )


# --- rows of unlike lengths -----------------------------------------------------------------------


class RowSplits(NamedTuple):
    """Where rows begin, and the last ends, are values of another feature."""

    key: str


class RowLengths(NamedTuple):
    """The lengths of rows are values of another feature."""

    key: str


class RowStarts(NamedTuple):
    """Where rows begin are values of another feature."""

    key: str


class RowLimits(NamedTuple):
    """Where rows end are values of another feature."""

    key: str


class ValueRowIds(NamedTuple):
    """The number of the row of each value is a value of another feature."""

    key: str


class UniformRowLength(NamedTuple):
    """All rows are of one length."""

    length: int


_PARTITIONS = (RowSplits, RowLengths, RowStarts, RowLimits, ValueRowIds, UniformRowLength)


class _RaggedFeature(NamedTuple):
    dtype: Any
    value_key: Any
    partitions: Any
    row_splits_dtype: Any
    validate: Any


class RaggedFeature(_RaggedFeature):
    """Values of any number, in rows that other features tell (`tf.io.RaggedFeature`).

    Without `partitions`, which go from the outside to the inside, a record gives a tensor of one
    axis, and a batch a ragged one. Raises `ValueError` and `TypeError` for what does not fit.

    >>> RaggedFeature("int64", partitions=[RaggedFeature.RowSplits("ends")]).partitions
    (RowSplits(key='ends'),)
    """

    __slots__ = ()
    RowSplits = RowSplits
    RowLengths = RowLengths
    RowStarts = RowStarts
    RowLimits = RowLimits
    ValueRowIds = ValueRowIds
    UniformRowLength = UniformRowLength

    def __new__(
        cls,
        dtype: Any,
        value_key: str | None = None,
        partitions: Any = (),
        row_splits_dtype: Any = dtypes.int32,
        validate: bool = False,
    ) -> Self:
        """Check what is given."""
        if value_key is not None and not isinstance(value_key, str):
            raise ValueError(f"Argument `value_key` must be a string; got {value_key}")
        if value_key is not None and not value_key:
            raise ValueError("Argument `value_key` must not be empty")
        kind, splits = dtypes.as_dtype(dtype), dtypes.as_dtype(row_splits_dtype)
        if kind.enum_name not in _KINDS:
            raise ValueError(f"Argument `dtype` must be int64, float32, or bytes; got {kind!r}")
        if splits.name not in {"int32", "int64"}:
            raise ValueError(f"Argument `row_splits_dtype` must be int32 or int64; got{splits!r}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(
                "Argument `partitions` must be a list or tuple. Receivedpartitions="
                f"{partitions} of type {type(partitions).__name__}."
            )
        for part in partitions:
            if not isinstance(part, _PARTITIONS):
                raise TypeError(
                    "Argument `partitions` cannot be cast to any of the partition types in "
                    f"{_PARTITIONS}; got: {part!r} with type {type(part)}"
                )
        if not isinstance(validate, bool):
            raise TypeError(f"Argument `validate` must be a bool; got {validate!r}")
        return super().__new__(cls, kind, value_key, tuple(partitions), splits, validate)
