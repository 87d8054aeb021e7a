"""`tf.data.experimental`: names that were here before they had another place, and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.data.dataset import Dataset
from symtape.data.elements.optional import Optional
from symtape.data.files.lines import CsvDatasetV2 as CsvDataset
from symtape.data.files.records import DatasetWriter as TFRecordWriter
from symtape.data.files.tables import make_csv_dataset
from symtape.data.filling import pad_to_cardinality
from symtape.data.held import Held, seed_in, whole
from symtape.data.iterators import Iterator
from symtape.data.listed import at, from_list
from symtape.data.lookups import (
    DatasetInitializer,
    index_table_from_dataset,
    table_from_dataset,
)
from symtape.data.options import (
    AutoShardPolicy,
    AutotuneAlgorithm,
    AutotuneOptions,
    DistributeOptions,
    ExternalStatePolicy,
    OptimizationOptions,
    ThreadingOptions,
)
from symtape.data.reducing import Reducer, group_by_reducer
from symtape.data.stages.base import INFINITE as INFINITE_CARDINALITY
from symtape.data.stages.base import UNKNOWN as UNKNOWN_CARDINALITY
from symtape.data.stages.shuffling import ShuffleAndRepeat
from symtape.namespace import show
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor

AUTOTUNE = -1

Change = Callable[[Any], Any]
"""A function from a dataset to a dataset, for `Dataset.apply`."""


def cardinality(dataset: Any) -> Tensor:
    """Count the elements, as `Dataset.cardinality`.

    >>> cardinality(Dataset.range(3))
    <tf.Tensor: shape=(), dtype=int64, numpy=3>
    """
    found: Tensor = dataset.cardinality()
    return found


def assert_cardinality(expected_cardinality: Any) -> Change:
    """Say how many elements there are; an iteration that finds otherwise raises.

    >>> dataset = Dataset.range(8).filter(lambda n: n % 2 == 0)
    >>> len(dataset.apply(assert_cardinality(4)))
    4
    """
    count = whole(expected_cardinality)

    return lambda dataset: dataset._counted(count)  # noqa: SLF001 - a method of ours alone


def get_structure(dataset_or_iterator: Any) -> Any:
    """Give the spec of the elements; raises `TypeError` for anything else.

    >>> get_structure(Dataset.range(3))
    TensorSpec(shape=(), dtype=tf.int64, name=None)
    """
    if isinstance(dataset_or_iterator, (Held, Iterator)):
        return dataset_or_iterator.element_spec
    raise TypeError(
        "Invalid `dataset_or_iterator`. `dataset_or_iterator` must be a `tf.data.Dataset` or "
        f"tf.data.Iterator object, but got {type(dataset_or_iterator)}."
    )


def get_single_element(dataset: Any) -> Any:
    """Give the one element, as `Dataset.get_single_element`; raises what that raises.

    >>> get_single_element(Dataset.from_tensors(3)).numpy()
    np.int32(3)
    """
    return dataset.get_single_element()


def Counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Dataset:  # noqa: N802 - TensorFlow's name
    """Count without end, as `Dataset.counter`.

    >>> [int(n) for n in Counter(5).take(2)]
    [5, 6]
    """
    return Dataset.counter(start, step, dtype)


def enumerate_dataset(start: Any = 0) -> Change:
    """Put a number before each element, as `Dataset.enumerate`.

    >>> [int(n) for n, _ in Dataset.range(2).apply(enumerate_dataset(5))]
    [5, 6]
    """
    return lambda dataset: dataset.enumerate(start)


def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: Any = False, row_splits_dtype: Any = dtypes.int64
) -> Change:
    """Stack elements whose sizes may differ, as `Dataset.ragged_batch`.

    >>> from symtape.ops.shapes.grids import range
    >>> next(iter(Dataset.range(3).map(range).apply(dense_to_ragged_batch(3))))
    <tf.RaggedTensor [[], [0], [0, 1]]>
    """
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Change:
    """Put elements into sparse tensors, as `Dataset.sparse_batch`.

    >>> next(iter(Dataset.range(3).apply(dense_to_sparse_batch(2, [])))).shape
    TensorShape([2])
    """
    return lambda dataset: dataset.sparse_batch(batch_size, row_shape)


def ignore_errors(log_warning: bool = False) -> Change:
    """Leave out elements for which a function fails, as `Dataset.ignore_errors`.

    >>> len(list(Dataset.range(2).apply(ignore_errors())))
    2
    """
    return lambda dataset: dataset.ignore_errors(log_warning)


def take_while(predicate: Any) -> Change:
    """Give the elements up to the first for which a function is false, as `Dataset.take_while`.

    >>> len(list(Dataset.range(5).apply(take_while(lambda n: n < 3))))
    3
    """
    return lambda dataset: dataset.take_while(predicate)


def unbatch() -> Change:
    """Give the rows of elements, as `Dataset.unbatch`.

    >>> len(list(Dataset.range(5).batch(2).apply(unbatch())))
    5
    """
    return lambda dataset: dataset.unbatch()


def unique() -> Change:
    """Give each element once, as `Dataset.unique`.

    >>> len(list(Dataset.from_tensor_slices([1, 1]).apply(unique())))
    1
    """
    return lambda dataset: dataset.unique()


def bucket_by_sequence_length(*args: Any, **kwargs: Any) -> Change:
    """Batch elements of similar lengths, as `Dataset.bucket_by_sequence_length`.

    >>> short = Dataset.from_tensor_slices([[1, 2]])
    >>> buckets = bucket_by_sequence_length(lambda x: 2, [3], [1, 1])
    >>> next(iter(short.apply(buckets))).numpy().tolist()
    [[1, 2]]
    """
    return lambda dataset: dataset.bucket_by_sequence_length(*args, **kwargs)


def parallel_interleave(
    map_func: Any,
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: Any = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Change:
    """Give elements of several datasets by turns, as `Dataset.interleave`; the rest is of speed.

    >>> turns = parallel_interleave(lambda n: Dataset.from_tensors(n).repeat(2), 2)
    >>> [int(n) for n in Dataset.range(3).apply(turns)]
    [0, 1, 0, 1, 2, 2]
    """
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


def prefetch_to_device(device: Any, buffer_size: Any = None) -> Change:
    """Give the same elements: every device is a name of the one processor.

    >>> [int(n) for n in Dataset.range(2).apply(prefetch_to_device("/gpu:0"))]
    [0, 1]
    """
    return lambda dataset: dataset.prefetch(-1 if buffer_size is None else buffer_size)


def copy_to_device(target_device: Any, source_device: Any = "/cpu:0") -> Change:
    """Give the same elements: every device is a name of the one processor.

    >>> [int(n) for n in Dataset.range(2).apply(copy_to_device("/gpu:0"))]
    [0, 1]
    """
    return lambda dataset: dataset.prefetch(1)


def group_by_window(*args: Any, **kwargs: Any) -> Change:
    """Collect elements by keys, as `Dataset.group_by_window`.

    >>> groups = group_by_window(lambda n: n % 2, lambda _, found: found.batch(2), 2)
    >>> [group.numpy().tolist() for group in Dataset.range(3).apply(groups)]
    [[0, 2], [1]]
    """
    return lambda dataset: dataset.group_by_window(*args, **kwargs)


def snapshot(
    path: Any, compression: Any = "AUTO", reader_func: Any = None, shard_func: Any = None
) -> Change:
    """Keep the elements of an iteration for later ones, as `Dataset.snapshot`.

    >>> import tempfile
    >>> [int(n) for n in Dataset.range(3).apply(snapshot(tempfile.mkdtemp()))]
    [0, 1, 2]
    """
    return lambda dataset: dataset.snapshot(path, compression, reader_func, shard_func)


def rejection_resample(*args: Any, **kwargs: Any) -> Change:
    """Leave out elements at random, as `Dataset.rejection_resample`.

    >>> resample = rejection_resample(lambda n: n % 2, [0.5, 0.5], [0.5, 0.5])
    >>> len(list(Dataset.range(4).apply(resample)))
    4
    """
    return lambda dataset: dataset.rejection_resample(*args, **kwargs)


def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Change:
    """Give the elements in random order, several times, as `shuffle` and then `repeat`.

    Unlike with these, each dataset that is made of this one begins with the same order. Raises
    `InvalidArgumentError` for a buffer without room, and for a `count` of zero.

    >>> dataset = Dataset.range(3).apply(shuffle_and_repeat(3))
    >>> [int(n) for n in dataset.take(9)] == [int(n) for n in dataset.take(9)]
    True
    """

    def apply(dataset: Any) -> Any:
        times = -1 if count is None else whole(count)
        stage = ShuffleAndRepeat(dataset.stage, whole(buffer_size), seed_in(seed), times)
        return dataset._then("_ShuffleAndRepeatDataset", stage)  # noqa: SLF001 - of ours alone

    return apply


def map_and_batch(
    map_func: Any,
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> Change:
    """Apply a function to each element, and stack the results, as `map` and then `batch`.

    >>> [n.numpy().tolist() for n in Dataset.range(3).apply(map_and_batch(lambda n: n * n, 2))]
    [[0, 1], [4]]
    """
    return lambda dataset: dataset.map(map_func).batch(batch_size, drop_remainder)


def scan(initial_state: Any, scan_func: Any) -> Any:
    """Carry a state from element to element, as `Dataset.scan`.

    >>> sums = scan(cardinality(Dataset.range(0)), lambda s, n: (s + n, s + n))
    >>> [int(n) for n in Dataset.range(4).apply(sums)]
    [0, 1, 3, 6]
    """
    return lambda dataset: dataset.scan(initial_state, scan_func)


def choose_from_datasets(
    datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = False
) -> Dataset:
    """Take elements from datasets by number, as `Dataset.choose_from_datasets`.

    >>> [int(n) for n in choose_from_datasets([Dataset.range(3)] * 2, Dataset.range(2))]
    [0, 0]
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def sample_from_datasets(
    datasets: Any, weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False
) -> Dataset:
    """Take elements from datasets at random, as `Dataset.sample_from_datasets`.

    >>> len(list(sample_from_datasets([Dataset.range(3), Dataset.range(2)])))
    5
    """
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


def save(
    dataset: Any,
    path: Any,
    compression: str | None = None,
    shard_func: Any = None,
    checkpoint_args: Any = None,
) -> None:
    """Write elements into a folder, as `Dataset.save`; raises what it raises.

    >>> import tempfile
    >>> save(Dataset.range(2), tempfile.mkdtemp())
    """
    dataset.save(path, compression, shard_func, checkpoint_args)


def load(
    path: Any, element_spec: Any = None, compression: str | None = None, reader_func: Any = None
) -> Dataset:
    """Read what `save` has written, as `Dataset.load`; raises what it raises.

    >>> load("/no/such/folder")
    Traceback (most recent call last):
    symtape.errors.NotFoundError: there is no dataset in /no/such/folder
    """
    return Dataset.load(path, element_spec, compression, reader_func)


def get_next_as_optional(iterator: Any) -> Optional:
    """Give the next element of an iterator, as its `get_next_as_optional`.

    >>> get_next_as_optional(iter(Dataset.range(1))).has_value().numpy()
    np.True_
    """
    found: Optional = iterator.get_next_as_optional()
    return found


__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "Counter",
    "CsvDataset",
    "DatasetInitializer",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "Optional",
    "Reducer",
    "TFRecordWriter",
    "ThreadingOptions",
    "assert_cardinality",
    "at",
    "bucket_by_sequence_length",
    "cardinality",
    "choose_from_datasets",
    "dense_to_ragged_batch",
    "dense_to_sparse_batch",
    "enumerate_dataset",
    "from_list",
    "get_next_as_optional",
    "get_single_element",
    "get_structure",
    "group_by_reducer",
    "group_by_window",
    "ignore_errors",
    "index_table_from_dataset",
    "load",
    "make_csv_dataset",
    "map_and_batch",
    "pad_to_cardinality",
    "rejection_resample",
    "sample_from_datasets",
    "save",
    "scan",
    "shuffle_and_repeat",
    "table_from_dataset",
    "take_while",
    "unbatch",
    "unique",
]

show(__name__, __all__)
