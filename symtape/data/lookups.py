"""Tables whose keys and values are the elements of a dataset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtape.data.elements.structures import array_of
from symtape.data.stages.base import Failed
from symtape.data.stages.runs import Running
from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor, plain
from symtape.ops.spec import TensorSpec
from symtape.ops.tables.contents import Initializer
from symtape.ops.tables.static import StaticHashTable, StaticVocabularyTable
from symtape.tensor import dtypes

_BASE = (
    "Datasets used to initialize lookup tables must produce elements in the form (key, value), "
    "where the keys and values are scalar tensors. However, the given dataset produces "
)


class DatasetInitializer(Initializer):
    """Keys and values of a table, as pairs in a dataset (`tf.data.experimental.…`).

    Raises `ValueError` for a dataset whose elements are no pairs of scalars.

    >>> from symtape.data.dataset import Dataset
    >>> DatasetInitializer(Dataset.range(3).enumerate()).value_dtype
    tf.int64
    """

    op = "InitializeTableFromDataset"

    def __init__(self, dataset: Any) -> None:
        spec = dataset.element_spec
        check_pairs(spec)
        self.dataset = dataset
        super().__init__(spec[0].dtype, spec[1].dtype)

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """Give the pairs."""
        try:
            for key, value in Running(self.dataset.stage.run):
                yield array_of(key).item(), array_of(value).item()
        except Failed as failure:
            raise failure.framed(self.op) from failure.__cause__


def check_pairs(spec: Any) -> None:
    """Raise `ValueError` unless the elements of a dataset are pairs of scalars."""
    if len(spec) != 2:
        raise ValueError(
            f"{_BASE}{len(spec)} components instead of two (key, value) components. Full dataset "
            f"element spec: {spec}."
        )
    for what, part in zip(("keys", "values"), spec, strict=True):
        if not isinstance(part, TensorSpec):
            raise ValueError(f"{_BASE}non-Tensor {what} of type {type(part)}.")
    for what, part in zip(("key", "value"), spec, strict=True):
        if part.shape.rank not in {None, 0}:
            raise ValueError(f"{_BASE}non-scalar {what} Tensors of rank {part.shape.rank}.")


def table_from_dataset(
    dataset: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: Any = None,
    default_value: Any = None,
    hasher_spec: None = None,
    key_dtype: Any = dtypes.string,
    name: str | None = None,
) -> StaticHashTable | StaticVocabularyTable:
    """Make a table of a dataset of pairs of a key and a value.

    Other keys have the `default_value`, -1, or with `num_oov_buckets` a number of their own.
    `vocab_size` is how many pairs there must be at least, and how many are taken. Raises
    `ValueError` and `TypeError` for arguments that do not fit, `FailedPreconditionError` for too
    few pairs, and `UnsupportedError` for another default beside such numbers, and for a
    `hasher_spec`.

    >>> from symtape.data.dataset import Dataset
    >>> squares = Dataset.range(5).map(lambda n: (n, n * n))
    >>> table = table_from_dataset(squares, key_dtype=dtypes.int64)
    >>> [int(n) for n in table.lookup(next(iter(Dataset.range(6).batch(6))))]
    [0, 1, 4, 9, 16, -1]
    """
    spec = dataset.element_spec
    check_pairs(spec)
    kind = spec[1].dtype
    if default_value is None and not (kind.is_integer or kind.is_floating):
        raise ValueError(
            "`default_value` must be specified when creating a table from a dataset that produces "
            f"values of type {kind}."
        )
    wanted = dtypes.as_dtype(key_dtype)
    size = int(plain(vocab_size)) if is_tensor(vocab_size) else vocab_size
    _check(num_oov_buckets, size, wanted)
    if hasher_spec is not None or (num_oov_buckets and default_value not in {None, -1}):
        raise UnsupportedError(
            "tf.data.experimental.table_from_dataset: keys that are not there have numbers by "
            "TensorFlow's fast hash, or a default; leave out hasher_spec=, and default_value= "
            "beside num_oov_buckets="
        )
    if size is not None:
        dataset = dataset.take(size)._counted(size)  # noqa: SLF001 - a method of ours alone
    pairs = DatasetInitializer(dataset)
    if num_oov_buckets:
        return StaticVocabularyTable(pairs, num_oov_buckets, wanted)
    return StaticHashTable(pairs, -1 if default_value is None else default_value)


def _check(buckets: int, size: Any, key_dtype: dtypes.DType) -> None:
    if buckets < 0:
        raise ValueError(f"`num_oov_buckets` must be greater than or equal to 0, got {buckets}.")
    if size is not None and size < 1:
        raise ValueError(f"`vocab_size` must be greater than 0, got {size}.")
    if not key_dtype.is_integer and key_dtype is not dtypes.string:
        raise TypeError(
            f"`key_dtype` must be either an integer or string type, but got {key_dtype}"
        )


def index_table_from_dataset(
    dataset: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: Any = None,
    default_value: Any = -1,
    hasher_spec: None = None,
    key_dtype: Any = dtypes.string,
    name: str | None = None,
) -> StaticHashTable | StaticVocabularyTable:
    """Make a table from the elements of a dataset to their numbers, from 0.

    The other arguments and the errors, `UnsupportedError` among them, are those of
    `table_from_dataset`.

    >>> from symtape.data.dataset import Dataset
    >>> words = Dataset.from_tensor_slices(["a", "b"])
    >>> index_table_from_dataset(words).size().numpy()
    np.int64(2)
    """
    numbered = dataset.enumerate().map(lambda number, key: (key, number))
    return table_from_dataset(
        numbered, num_oov_buckets, vocab_size, default_value, hasher_spec, key_dtype, name
    )
