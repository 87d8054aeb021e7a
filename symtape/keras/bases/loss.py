"""`tf.keras.losses.Loss`: how one loss a row becomes one number."""

from __future__ import annotations

from math import prod
from typing import Any

from symtape.keras.backend import dtype_of
from symtape.keras.bases.naming import auto_name
from symtape.ops.elementwise.arithmetic import divide_no_nan
from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions.reduction import reduce_mean, reduce_sum
from symtape.ops.shapes.creation import zeros
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_REDUCTIONS = ("sum_over_batch_size", "sum", None, "none", "mean", "mean_with_sample_weight")


class Loss:
    """The base: a subclass gives one loss a row in `call(y_true, y_pred)`.

    `reduction` is "sum_over_batch_size" or "mean" (the default: the mean of all), "sum",
    "mean_with_sample_weight", or None for no reduction. Raises `ValueError` for another one, and
    `UnsupportedError` for a dtype that is "mixed".
    """

    def __init__(
        self,
        name: str | None = None,
        reduction: str | None = "sum_over_batch_size",
        dtype: Any = None,
    ) -> None:
        if reduction not in _REDUCTIONS:
            raise ValueError(
                "Invalid value for argument `reduction`. Expected one of "
                f"{set(_REDUCTIONS)}. Received: reduction={reduction}"
            )
        self.name = auto_name(type(self).__name__) if name is None else name
        self.reduction = reduction
        self._dtype = dtype_of(dtype)

    @property
    def dtype(self) -> str:
        """The name of the dtype that the loss is computed in."""
        return self._dtype.name

    def call(self, y_true: Any, y_pred: Any) -> Tensor:
        """Give one loss a row."""
        raise NotImplementedError(f"{type(self).__name__} needs a method call(y_true, y_pred)")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss, weighted and reduced."""
        predicted, true = (cast(convert(y), self._dtype) for y in (y_pred, y_true))
        losses = cast(self.call(true, predicted), self._dtype)
        weight = None
        if sample_weight is not None:
            weight = cast(convert(sample_weight), self._dtype)
            losses, weight = same_rank(losses, weight)
            losses = losses * weight
        return self._reduced(losses, weight)

    def _reduced(self, losses: Tensor, weight: Tensor | None) -> Tensor:
        shape = shape_of(losses)
        if self.reduction in {None, "none"} or shape in {(), (0,)}:
            return losses
        if self.reduction == "sum":
            return reduce_sum(losses)
        if self.reduction == "mean_with_sample_weight" and weight is not None:
            return divide_no_nan(reduce_sum(losses), reduce_sum(weight))
        return reduce_mean(losses) if prod(shape) else zeros([], losses.dtype)


def same_rank(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Where one has one more axis, of size 1: give it to a rank of 1, else drop it."""
    ranks = len(x.shape), len(y.shape)
    if ranks[0] == ranks[1] + 1 and x.shape[-1] == 1:
        return (x, expand_dims(y, -1)) if ranks[1] == 1 else (squeeze(x, -1), y)
    if ranks[1] == ranks[0] + 1 and y.shape[-1] == 1:
        return (expand_dims(x, -1), y) if ranks[0] == 1 else (x, squeeze(y, -1))
    return x, y
