"""Which elements a dataset gives, in which order, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from symtape.data.elements.specs import compatible
from symtape.data.held import Held, seed_in, text_in, whole
from symtape.data.options import Options
from symtape.data.stages.choosing import Counted, Unfailing, Unique
from symtape.data.stages.files.keeping import CachedInFiles, Place
from symtape.data.stages.joining import Concatenate, Directed, Zip
from symtape.data.stages.passing import Cache, Repeat, Same, Shard, Skip, Take
from symtape.data.stages.shuffling import Seeding, Shuffle
from symtape.data.stages.sources import Range
from symtape.errors import InvalidArgumentError
from symtape.ops.attributes import attributes, boolean
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.convert import convert


class Picking(Held):
    """What takes, leaves, repeats and orders elements."""

    def take(self, count: Any, name: str | None = None) -> Self:
        """Give the first elements, `count` at most; all if it is negative.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(10).take(3)]
        [0, 1, 2]
        """
        return self._then("_TakeDataset", Take(self.stage, whole(count)))

    def skip(self, count: Any, name: str | None = None) -> Self:
        """Leave out the first elements; all if `count` is negative.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(5).skip(3)]
        [3, 4]
        """
        return self._then("_SkipDataset", Skip(self.stage, whole(count)))

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Self:
        """Give each `num_shards`-th element, from the one at `index` on.

        Raises `InvalidArgumentError` unless 0 <= index < num_shards.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(10).shard(3, index=0)]
        [0, 3, 6, 9]
        """
        return self._then("_ShardDataset", Shard(self.stage, whole(num_shards), whole(index)))

    def repeat(self, count: Any = None, name: str | None = None) -> Self:
        """Give the elements `count` times; without end by default, or if it is negative.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(3).repeat(2)]
        [0, 1, 2, 0, 1, 2]
        """
        times = -1 if count is None else whole(count)
        return self._then("_RepeatDataset", Repeat(self.stage, times))

    @attributes(reshuffle_each_iteration=boolean(True))
    def shuffle(
        self,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: bool = True,
        name: str | None = None,
    ) -> Self:
        """Give the elements in random order, drawn from a buffer of `buffer_size` of them.

        The order is TensorFlow's, for the same `seed` and global seed (`tf.random.set_seed`).
        With `reshuffle_each_iteration` each iteration has another order. Raises
        `InvalidArgumentError` for a buffer without room.

        >>> import symtape as tf
        >>> tf.random.set_seed(5)
        >>> [int(n) for n in tf.data.Dataset.range(6).shuffle(6, seed=1)]
        [0, 3, 1, 5, 4, 2]
        """
        seeding = Seeding(seed_in(seed), anew=reshuffle_each_iteration)
        stage = Shuffle(self.stage, whole(buffer_size), seeding)
        return self._then("_ShuffleDataset", stage)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Self:
        """Give the same elements: nothing runs beside, so that nothing is fetched beforehand.

        Raises `InvalidArgumentError` for a `buffer_size` less than -1 (`tf.data.AUTOTUNE`).

        >>> import symtape as tf
        >>> len(tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE))
        3
        """
        if buffer_size is not None and whole(buffer_size) < -1:
            raise InvalidArgumentError.of(
                "PrefetchDataset",
                "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning",
            )
        return self._then("_PrefetchDataset", Same(self.stage))

    def cache(self, filename: Any = "", name: str | None = None) -> Self:
        """Keep the elements of the first iteration that comes to its end, for all later ones.

        They are kept in memory, or in files that begin with a name: what is there already, from
        this process or another one, is read, whatever this dataset is. Raises `UnsupportedError`
        for elements in files that are no tensors.

        >>> import symtape as tf
        >>> dataset = tf.data.Dataset.range(5).shuffle(5).cache()
        >>> [int(n) for n in dataset] == [int(n) for n in dataset]
        True
        """
        path = text_in(convert(filename, dtypes.string))
        stage = CachedInFiles(self.stage, Place.beginning(path)) if path else Cache(self.stage)
        return self._then("CacheDataset", stage)

    def with_options(self, options: Options, name: str | None = None) -> Self:
        """Give the same elements, with options set.

        >>> import symtape as tf
        >>> options = tf.data.Options()
        >>> options.deterministic = False
        >>> tf.data.Dataset.range(3).with_options(options).options().deterministic
        False
        """
        if not isinstance(options, Options):
            raise AttributeError(f"{type(options).__name__!r} object has no attribute '_to_proto'")
        return self._of("_OptionsDataset", Same(self.stage), self.settings.merge(options))

    def options(self) -> Options:
        """Give the options that are set, not to be changed: that raises `ValueError`.

        >>> import symtape as tf
        >>> tf.data.Dataset.range(3).options().deterministic is None
        True
        """
        return self.settings.fixed()

    def unique(self, name: str | None = None) -> Self:
        """Give each element once, where it comes first.

        Raises `TypeError` for dtypes other than int32, int64 and string, and
        `InvalidArgumentError` for elements of several tensors.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.from_tensor_slices([1, 37, 2, 37, 1]).unique()]
        [1, 37, 2]
        """
        return self._then("_UniqueDataset", Unique(self.stage))

    @attributes(log_warning=boolean(False))
    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Self:
        """Leave out the elements for which a step before fails.

        >>> import symtape as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices([1.0, 0.0, 4.0])
        >>> checked = dataset.map(lambda x: tf.debugging.check_numerics(1 / x, "1/x"))
        >>> [float(x) for x in checked.ignore_errors()]
        [1.0, 0.25]
        """
        return self._then("_IgnoreErrorsDataset", Unfailing(self.stage))

    def _counted(self, count: int) -> Self:
        return self._then("_AssertCardinalityDataset", Counted(self.stage, count))

    def enumerate(self, start: Any = 0, name: str | None = None) -> Self:
        """Put a number before each element, from `start` on.

        >>> import symtape as tf
        >>> for number, letter in tf.data.Dataset.from_tensor_slices(["a", "b"]).enumerate(5):
        ...     print(int(number), letter.numpy())
        5 b'a'
        6 b'b'
        """
        numbers = Range(whole(start), np.iinfo(np.int64).max, 1, dtypes.int64)
        return self._then("_ZipDataset", Zip([numbers, self.stage], (0, 0)))

    def concatenate(self, dataset: Any, name: str | None = None) -> Self:
        """Give the elements of this dataset, and then those of another one.

        Raises `TypeError` unless both are of one structure and dtype.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(2))]
        [0, 1, 0, 1]
        """
        made = self._then("_ConcatenateDataset", Concatenate(self.stage, dataset.stage))
        made.settings = self.settings.merge(dataset.settings)
        return made

    @classmethod
    @attributes(stop_on_empty_dataset=boolean(False))
    def choose_from_datasets(
        cls,
        datasets: Sequence[Any],
        choice_dataset: Any,
        stop_on_empty_dataset: bool = True,
    ) -> Self:
        """Take each element from the dataset whose number `choice_dataset` gives.

        Raises `TypeError` unless the numbers are scalars of int64, and the datasets alike.

        >>> import symtape as tf
        >>> datasets = [tf.data.Dataset.from_tensors(letter).repeat() for letter in "ab"]
        >>> chosen = tf.data.Dataset.choose_from_datasets(datasets, tf.data.Dataset.range(2))
        >>> list(chosen.as_numpy_iterator())
        [b'a', b'b']
        """
        if not datasets:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        if not isinstance(choice_dataset, Held):
            raise TypeError(
                "Invalid `choice_dataset`. `choice_dataset` should be a `tf.data.Dataset` but is "
                f"{type(choice_dataset)}."
            )
        if not compatible(choice_dataset.element_spec, TensorSpec([], dtypes.int64)):
            raise TypeError(
                "Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar `tf.int64` "
                f"tensors but are {choice_dataset.element_spec}."
            )
        stages = [dataset.stage for dataset in datasets]
        stage = Directed(choice_dataset.stage, stages, stops=stop_on_empty_dataset)
        return cls._of("_DirectedInterleaveDataset", stage)
