"""Losses with weights, reduced in one of five ways, as `tf.compat.v1.losses` does it."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import tensor
from symtape.ops.elementwise import arithmetic, comparison, conversion
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes import creation, repetition
from symtape.stand_in.inner.weights import assert_broadcastable
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

LOSSES = "losses"
USUAL = "weighted_sum_by_nonzero_weights"


class Reduction:
    """How the losses of elements become one."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS = USUAL

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """List all ways, one of them by its two names.

        >>> Reduction.all()[0]
        'none'
        """
        return (
            *(cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE),
            *(cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS),
        )

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raise `ValueError` unless there is such a way.

        >>> Reduction.validate("none")
        """
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}. Key should be one of {cls.all()}.")


def add_loss(loss: Any, loss_collection: Any = LOSSES) -> None:
    """Keep nothing: no graph is built to which a loss would belong.

    >>> add_loss(1.0)
    """


def get_losses(scope: Any = None, loss_collection: Any = LOSSES) -> list[Any]:
    """List no losses: none are collected.

    >>> get_losses()
    []
    """
    return []


def get_regularization_losses(scope: Any = None) -> list[Any]:
    """List no losses: none are collected.

    >>> get_regularization_losses()
    []
    """
    return []


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: Any = None,
    loss_collection: Any = LOSSES,
    reduction: Any = USUAL,
) -> Tensor:
    """Weigh losses, and reduce them; a mean of nothing is 0.

    Raises `ValueError` for another reduction, and for weights whose axes are neither of size one
    nor those of the losses.

    >>> compute_weighted_loss([1.0, 3.0], [1.0, 0.0]).numpy()
    np.float32(1.0)
    """
    Reduction.validate(reduction)
    given, weight = tensor(losses), tensor(weights)
    assert_broadcastable(weight, given)
    each = conversion.cast(given, dtypes.float32)
    weight = conversion.cast(weight, dtypes.float32)
    weighted = arithmetic.multiply(each, weight)
    if reduction == Reduction.NONE:
        return conversion.cast(weighted, given.dtype)
    total = reduce_sum(weighted)
    if reduction != Reduction.SUM:
        total = arithmetic.divide_no_nan(total, _count(each, weight, reduction))
    return conversion.cast(total, given.dtype)


def _count(losses: Tensor, weights: Tensor, reduction: str) -> Tensor:
    """Say by what a sum is divided: the weights, how many are not zero, or how many there are."""
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        return conversion.cast(creation.size(losses), dtypes.float32)
    if reduction == Reduction.MEAN:
        return reduce_sum(repetition.broadcast_to(weights, shape_of(losses)))
    present = conversion.cast(comparison.not_equal(weights, 0.0), dtypes.float32)
    return reduce_sum(repetition.broadcast_to(present, shape_of(losses)))
