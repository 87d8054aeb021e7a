"""Several elements as one: batches, and windows that are datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from symtape.data.held import Held, truth, whole
from symtape.data.methods.buckets import Buckets
from symtape.data.methods.changing import _warn
from symtape.data.stages.batching.batches import Batch, Rebatch, Unbatch
from symtape.data.stages.batching.padding import PaddedBatch
from symtape.data.stages.batching.unlike import AsRagged, SparseBatch
from symtape.data.stages.batching.windows import GroupByWindow, Window
from symtape.ops.arguments import integers, of_places
from symtape.tensor import dtypes


class Grouping(Held):
    """What puts elements together and takes them apart."""

    def batch(
        self,
        batch_size: Any,
        drop_remainder: Any = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Stack `batch_size` elements into one; the last may have fewer, or is dropped.

        Raises `InvalidArgumentError` for a size less than one, and where shapes differ.

        >>> import symtape as tf
        >>> for batch in tf.data.Dataset.range(5).batch(3):
        ...     print(batch.numpy())
        [0 1 2]
        [3 4]
        """
        size, drops = whole(batch_size), truth(drop_remainder)
        if num_parallel_calls is None:
            _warn(deterministic)
            stage = Batch(self.stage, size, drops=drops, op="BatchDatasetV2")
            return self._then("_BatchDataset", stage)
        whole(num_parallel_calls)  # which is read, and never asked for
        stage = Batch(self.stage, size, drops=drops, op="ParallelBatchDataset")
        return self._then("_ParallelBatchDataset", stage)

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: Any = False,
        name: str | None = None,
    ) -> Self:
        """Stack elements that are filled up at their ends to one size.

        `padded_shapes` is a structure of shapes, in which None is the longest of the batch; by
        default what is not known is. `padding_values`, zero by default, are scalars of the dtypes.
        Raises `ValueError` and `TypeError` where they do not fit, and `DataLossError` for an
        element that is too long.

        >>> import symtape as tf
        >>> dataset = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
        >>> for batch in dataset.padded_batch(3):
        ...     print(batch.numpy())
        [[1 0 0]
         [2 2 0]
         [3 3 3]]
        """
        stage = PaddedBatch(
            self.stage,
            whole(batch_size),
            padded_shapes,
            padding_values,
            drops=truth(drop_remainder),
        )
        return self._then("_PaddedBatchDataset", stage)

    def ragged_batch(
        self,
        batch_size: Any,
        drop_remainder: Any = False,
        row_splits_dtype: Any = dtypes.int64,
        name: str | None = None,
    ) -> Self:
        """Stack elements whose sizes may differ, as rows of ragged tensors.

        Tensors of which `element_spec` knows all sizes are stacked as `batch` does.
        `row_splits_dtype` is that of where rows end. Raises what `batch` raises.

        >>> import symtape as tf
        >>> for batch in tf.data.Dataset.range(4).map(tf.range).ragged_batch(3):
        ...     print(batch)
        <tf.RaggedTensor [[], [0], [0, 1]]>
        <tf.RaggedTensor [[0, 1, 2]]>
        """
        stage = AsRagged(
            self.stage,
            of_places("RaggedTensorToVariant", row_splits_dtype, dtypes.int64, "Tsplits"),
        )
        return self._then("_DenseToRaggedDataset", stage).batch(batch_size, drop_remainder)

    def sparse_batch(self, batch_size: Any, row_shape: Any, name: str | None = None) -> Self:
        """Put elements into sparse tensors, as rows of a shape in which None is the longest.

        Raises `TypeError` for elements that are structures, `InvalidArgumentError` for other
        numbers of axes and a size less than one, and `DataLossError` for elements that are larger
        than the rows.

        >>> import symtape as tf
        >>> for batch in tf.data.Dataset.range(1, 3).map(tf.range).sparse_batch(2, [3]):
        ...     print(batch.to_dense().numpy())
        [[0 0 0]
         [0 1 0]]
        """
        stage = SparseBatch(self.stage, whole(batch_size), row_shape)
        return self._then("_DenseToSparseBatchDataset", stage)

    def unbatch(self, name: str | None = None) -> Self:
        """Give the rows of elements along their first axis.

        Raises `ValueError` for scalars, and for first axes of different sizes.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(5).batch(3).unbatch()]
        [0, 1, 2, 3, 4]
        """
        return self._then("_UnbatchDataset", Unbatch(self.stage))

    def rebatch(
        self, batch_size: Any, drop_remainder: Any = False, name: str | None = None
    ) -> Self:
        """Make batches of another size, or of the sizes of a list in turn.

        >>> import symtape as tf
        >>> batches = tf.data.Dataset.range(6).batch(2).rebatch([3, 1])
        >>> [batch.numpy().tolist() for batch in batches]
        [[0, 1, 2], [3], [4, 5]]
        """
        stage = Rebatch(self.stage, integers(batch_size), drops=truth(drop_remainder))
        return self._then("_RebatchDataset", stage)

    def window(
        self,
        size: Any,
        shift: Any = None,
        stride: Any = 1,
        drop_remainder: Any = False,
        name: str | None = None,
    ) -> Self:
        """Give datasets of `size` neighbours, `stride` apart; each begins `shift` after the last.

        An element that is a structure becomes a structure of datasets.

        >>> import symtape as tf
        >>> windows = tf.data.Dataset.range(4).window(2, shift=1, drop_remainder=True)
        >>> [row.numpy().tolist() for row in windows.flat_map(lambda window: window.batch(2))]
        [[0, 1], [1, 2], [2, 3]]
        """
        stage = Window(
            self.stage,
            whole(size),
            whole(size) if shift is None else whole(shift),
            whole(stride),
            self._inner,
            drops=truth(drop_remainder),
        )
        return self._then("_WindowDataset", stage)

    def group_by_window(
        self,
        key_func: Any,
        reduce_func: Any,
        window_size: Any = None,
        window_size_func: Any = None,
        name: str | None = None,
    ) -> Self:
        """Collect elements by the key that a function gives, and give away what is full.

        `reduce_func` makes a dataset of a key and the dataset of its elements. There are
        `window_size` in one, or as many as `window_size_func` says for a key.

        >>> import symtape as tf
        >>> groups = tf.data.Dataset.range(8).group_by_window(
        ...     lambda n: n % 2, lambda key, numbers: numbers.batch(3), window_size=3
        ... )
        >>> [group.numpy().tolist() for group in groups]
        [[0, 2, 4], [1, 3, 5], [6], [7]]
        """
        if (window_size is None) == (not window_size_func):
            raise ValueError(
                "Either the `window_size` argument or the `window_size_func` argument must be "
                "specified."
            )
        size = window_size_func if window_size is None else lambda _: window_size
        stage = GroupByWindow(self.stage, key_func, reduce_func, size, self._inner)
        return self._then("_GroupByWindowDataset", stage)

    def bucket_by_sequence_length(
        self,
        element_length_func: Any,
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        padded_shapes: Any = None,
        padding_values: Any = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """Batch elements of similar lengths, filled up to one.

        `element_length_func` gives the length of an element, an int32. A bucket takes the lengths
        from one boundary to the next, and gives a batch when it has as many as its batch size.
        Raises `ValueError` unless there is one more batch size than boundaries.

        >>> import symtape as tf
        >>> dataset = tf.data.Dataset.range(1, 5).map(lambda n: tf.fill([n], n))
        >>> batches = dataset.bucket_by_sequence_length(
        ...     lambda x: tf.shape(x)[0], bucket_boundaries=[3], bucket_batch_sizes=[2, 2]
        ... )
        >>> [batch.shape.as_list() for batch in batches]
        [[2, 2], [2, 4]]
        """
        buckets = Buckets(
            element_length_func,
            bucket_boundaries,
            bucket_batch_sizes,
            (padded_shapes, padding_values),
            to_boundary=pad_to_bucket_boundary,
            pads=not no_padding,
            drops=drop_remainder,
        )
        return self.group_by_window(buckets.number, buckets.batch, window_size_func=buckets.size)
