"""Datasets of random numbers, and random choices among datasets and their elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from symtape.data.held import Held, seed_in
from symtape.data.methods.rejecting import acceptance, estimated
from symtape.data.stages.applying import Map
from symtape.data.stages.base import Stage
from symtape.data.stages.joining import Directed
from symtape.data.stages.sampling import Chosen, Random
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing.gathering import gather
from symtape.ops.random.drawn import uniform
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of


class Sampling(Held):
    """What is drawn at random, with TensorFlow's numbers for a seed."""

    @classmethod
    def random(
        cls, seed: Any = None, rerandomize_each_iteration: Any = None, name: str | None = None
    ) -> Self:
        """Draw numbers of 32 bits, as int64, without end.

        They are the same in each iteration, unless `rerandomize_each_iteration`.

        >>> import symtape as tf
        >>> tf.random.set_seed(None)
        >>> [int(n) for n in tf.data.Dataset.random(seed=4).take(2)]
        [3128586565, 2023892699]
        """
        anew = _is_anew(rerandomize_each_iteration)
        return cls._of("_RandomDataset", Random(seed_in(seed), anew=anew))

    @classmethod
    @attributes(stop_on_empty_dataset=boolean(False))
    def sample_from_datasets(
        cls,
        datasets: Sequence[Any],
        weights: Any = None,
        seed: Any = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: Any = None,
    ) -> Self:
        """Take each element from a dataset that is drawn with weights, equal ones by default.

        `weights` is a list of floats, or a dataset of such. Raises `TypeError` for integers, and
        for datasets that are not alike.

        >>> import symtape as tf
        >>> tf.random.set_seed(None)
        >>> halves = [tf.data.Dataset.range(5), tf.data.Dataset.range(10, 15)]
        >>> [int(n) for n in tf.data.Dataset.sample_from_datasets(halves, seed=3)]
        [10, 11, 12, 0, 13, 14, 1, 2, 3, 4]
        """
        if not datasets:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        logits: Any
        if isinstance(weights, Held):
            logits = Map(weights.stage, _logarithm)
        else:
            datasets, found = _weighted(datasets, weights)
            if len(datasets) == 1:
                single: Self = datasets[0]
                return single
            logits = np.log(found)
        anew = _is_anew(rerandomize_each_iteration)
        choices: Stage = Chosen(logits, seed_in(seed), anew=anew)
        stages = [dataset.stage for dataset in datasets]
        stage = Directed(choices, stages, stops=stop_on_empty_dataset)
        return cls._of("_DirectedInterleaveDataset", stage)

    def rejection_resample(
        self: Any,
        class_func: Any,
        target_dist: Any,
        initial_dist: Any = None,
        seed: Any = None,
        name: str | None = None,
    ) -> Any:
        """Leave out elements at random so that their classes come as often as `target_dist` says.

        Gives pairs of the class, which `class_func` says, and the element. What comes is estimated
        from the elements, unless `initial_dist` says it.

        >>> import symtape as tf
        >>> tf.random.set_seed(None)
        >>> dataset = tf.data.Dataset.range(6).rejection_resample(
        ...     lambda n: n % 2, target_dist=[0.2, 0.8], initial_dist=[0.5, 0.5], seed=3
        ... )
        >>> [int(n) for _, n in dataset]
        [1, 3, 5, 0]
        """
        target = cast(convert(target_dist), dtypes.float32)
        if initial_dist is None:
            initial = estimated(self.map(class_func), target)
            both = initial.map(lambda known: acceptance(known, target))
            accepted = both.map(lambda accept, _: accept)
            original = both.map(lambda _, share: share)
            share = None
        else:
            known = cast(convert(initial_dist), dtypes.float32)
            accept, least = acceptance(known, target)
            accepted = self.from_tensors(accept).repeat()
            original = self.from_tensors(least).repeat()
            share = float(value_of(least))
        filtered = self._accepted(accepted, class_func, seed)

        def add_class(*parts: Any) -> Any:
            return class_func(*parts), parts[0] if len(parts) == 1 else parts

        if share == 1:
            return self.map(add_class)
        if share == 0:
            return filtered
        return self.sample_from_datasets(
            [self.map(add_class), filtered],
            weights=original.map(lambda p: [(p, 1.0 - p)]),
            seed=seed,
            stop_on_empty_dataset=True,
        )

    def _accepted(self: Any, accepted: Any, class_func: Any, seed: Any) -> Any:
        """Leave out elements with the probability that is given for their class."""

        def of_class(accept: Tensor, data: Any) -> Any:
            kind = class_func(*data) if isinstance(data, tuple) else class_func(data)
            return kind, gather(accept, kind), data

        return (
            self.zip((accepted, self))
            .map(of_class)
            .filter(lambda _, share, __: uniform([], seed=seed, dtype=share.dtype) < share)
            .map(lambda kind, _, data: (kind, data))
            .prefetch(3)
        )


def _is_anew(rerandomize: Any) -> bool:
    """Read whether each iteration draws anew: a kernel reads what counts as true."""
    return bool(rerandomize) and boolean().of("rerandomize_each_iteration", rerandomize)


def _logarithm(*parts: Any) -> Any:
    found = convert(list(parts) if len(parts) > 1 else parts[0])
    return convert(np.log(value_of(found)))


def _weighted(datasets: Sequence[Any], weights: Any) -> tuple[Sequence[Any], Any]:
    """Read weights, and leave out datasets without weight; equal weights are those of None."""
    if weights is None:
        return datasets, np.full(len(datasets), np.e, np.float32)
    if isinstance(weights, Tensor):
        if not weights.shape.is_compatible_with([len(datasets)]):
            raise ValueError(
                "Invalid `weights`. The shape of `weights` should be compatible with "
                f"`[len(datasets)]` but is {weights.shape}."
            )
    else:
        if len(datasets) != len(weights):
            raise ValueError(
                "Invalid `weights`. `weights` should have the same length as `datasets` but got "
                f"`len(weights)={len(weights)}` vs. `len(datasets)={len(datasets)}`."
            )
        pairs = [(d, w) for d, w in zip(datasets, weights, strict=True) if w > 0]
        datasets = [d for d, _ in pairs] or [datasets[0].take(0)]
        weights = [w for _, w in pairs] or [1.0]
    found = convert(weights)
    if found.dtype not in {dtypes.float32, dtypes.float64}:
        raise TypeError(
            "Invalid `weights`. `weights` type must be either `tf.float32` or `tf.float64` but is "
            f"{found.dtype}."
        )
    return datasets, value_of(found)
