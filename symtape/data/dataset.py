"""`tf.data.Dataset`: what can be iterated over again and again, and what can be made of it."""

from __future__ import annotations

import numpy as np

from symtape.data.held import Held
from symtape.data.methods.changing import Changing
from symtape.data.methods.folding import Folding
from symtape.data.methods.grouping import Grouping
from symtape.data.methods.keeping import Keeping
from symtape.data.methods.making import Making
from symtape.data.methods.picking import Picking
from symtape.data.methods.refusing import Refusing
from symtape.data.methods.sampling import Sampling
from symtape.data.stages.batching.batches import Batch
from symtape.data.stages.batching.padding import PaddedBatch
from symtape.tensor.tensor import Tensor

_NAMES = """
    _AssertCardinalityDataset CacheDataset _ConcatenateDataset
    _DenseToRaggedDataset _DenseToSparseBatchDataset _DirectedInterleaveDataset _FilterDataset
    _FlatMapDataset _GroupByReducerDataset _GroupByWindowDataset _IgnoreErrorsDataset
    _InterleaveDataset _ListDataset _LoadDataset _MapDataset _OptionsDataset
    _ParallelInterleaveDataset _ParallelMapDataset
    _PrefetchDataset _RandomDataset _RangeDataset _RebatchDataset _RepeatDataset _ScanDataset
    _ShardDataset _ShuffleAndRepeatDataset _ShuffleDataset _SkipDataset _TakeDataset
    _TakeWhileDataset _TensorDataset
    _TensorSliceDataset _UnbatchDataset _UniqueDataset _VariantDataset _WindowDataset
    _ZipDataset
"""
"""TensorFlow's names for the types of datasets, which `repr` shows."""


class _Known:
    """A base by whose name, and by that of its module, Keras knows a dataset of TensorFlow's."""

    __slots__ = ()


_Known.__name__ = _Known.__qualname__ = "DatasetV2"
_Known.__module__ = "tensorflow.python.data.ops.dataset_ops"


class Dataset(_Known, Making, Keeping, Picking, Changing, Grouping, Folding, Sampling, Refusing):
    """Elements that can be iterated over again and again (`tf.data.Dataset`).

    It is made by `from_tensor_slices` and its kin, never by its name: that raises `TypeError`.
    Elements are constants to every tape.

    >>> dataset = Dataset.from_tensor_slices([1, 2, 3]).map(lambda x: x * 2).batch(2)
    >>> dataset
    <_BatchDataset element_spec=TensorSpec(shape=(None,), dtype=tf.int32, name=None)>
    >>> for batch in dataset:
    ...     print(batch.numpy())
    [2 4]
    [6]
    """


Dataset.__name__ = Dataset.__qualname__ = "DatasetV2"


class Batches(Dataset):
    """A dataset of batches: it has the names by which scripts ask whether one is batched."""

    stage: Batch | PaddedBatch

    @property
    def _batch_size(self) -> Tensor:
        return Tensor(np.int64(self.stage.size))

    @property
    def _drop_remainder(self) -> Tensor:
        return Tensor(np.bool_(self.stage.drops))


_BATCHES = ("_BatchDataset", "_ParallelBatchDataset", "_PaddedBatchDataset")

Held._kinds.update({name: type(name, (Dataset,), {}) for name in _NAMES.split()})  # noqa: SLF001 - filled here, where all methods are known
Held._kinds.update({name: type(name, (Batches,), {}) for name in _BATCHES})  # noqa: SLF001 - likewise
Held._kinds["DatasetV2"] = Dataset  # noqa: SLF001 - likewise
