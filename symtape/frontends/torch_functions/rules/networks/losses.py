"""ATen operations that are losses, and their backward operations where torch has no parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.elementwise import size_of
from symtape.frontends.torch_functions.rules.networks.activations import number
from symtape.frontends.torch_functions.rules.promotion import as_operand, promoted
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise import functions as maps
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions import reduction
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import permuted
from symtape.ops.shapes.shaping import with_shape as reshaped
from symtape.program.functions import frameworks
from symtape.tensor.decided import decided, nowhere
from symtape.tensor.dispatch import apply1, apply2
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

NONE, MEAN, SUM = 0, 1, 2


def reduced(x: Tensor, reduction_kind: int) -> Tensor:
    """The losses themselves, their mean, or their sum."""
    if reduction_kind == NONE:
        return x
    axes = list(range(x.ndim))
    return (reduction.reduce_mean if reduction_kind == MEAN else reduction.reduce_sum)(x, axes)


@rule("mse_loss")
def mse_loss(step: Step, x: Tensor, y: Tensor, kind: int = MEAN) -> Tensor:
    """(x - y)²."""
    x, y = promoted(step, x, y)
    return reduced(maps.square(x - y), kind)


def _half_a_square(x: Tensor, beyond: Tensor) -> Tensor:
    """x²/2, but not beyond, where it may be infinite, and its slope would be no number."""
    if not np.isinf(np.square(x.raw)).any():
        return number(x, 0.5) * maps.square(x)
    return number(x, 0.5) * maps.square(arithmetic.where(beyond, number(x, 0), x))


@rule("huber_loss")
def huber_loss(step: Step, x: Tensor, y: Tensor, kind: int = MEAN, delta: float = 1.0) -> Tensor:
    """z²/2 for z = |x - y| up to δ, and δ(z - δ/2) beyond."""
    x, y = promoted(step, x, y)
    z = size_of(x - y)
    beyond = comparison.greater(z, number(z, delta))
    near = _half_a_square(x - y, beyond)
    far = (z - number(z, delta / 2)) * number(z, delta)
    return reduced(arithmetic.where(beyond, far, near), kind)


@rule("smooth_l1_loss")
def smooth_l1_loss(step: Step, x: Tensor, y: Tensor, kind: int = MEAN, beta: float = 1.0) -> Tensor:
    """z²/(2β) for z = |x - y| below β, and z - β/2 beyond."""
    x, y = promoted(step, x, y)
    z = size_of(x - y)
    if beta == 0:
        return reduced(z, kind)
    beyond = comparison.greater_equal(z, number(z, beta))
    near = _half_a_square(x - y, beyond) / number(z, beta)
    return reduced(arithmetic.where(beyond, z - number(z, beta / 2), near), kind)


@rule("soft_margin_loss")
def soft_margin_loss(step: Step, x: Tensor, y: Tensor, kind: int = MEAN) -> Tensor:
    """log(1 + exp(-yx))."""
    x, y = promoted(step, x, y)
    return reduced(maps.softplus(maps.negative(y * x)), kind)


@rule("binary_cross_entropy")
def binary_cross_entropy(
    step: Step, x: Tensor, y: Tensor, weight: Tensor | None = None, kind: int = MEAN
) -> Tensor:
    """-(y·log(x) + (1 - y)·log(1 - x)), with logarithms of at least -100.

    The slope divides by x(1 - x), or by 1e-12 where that is less.
    """
    x, y = promoted(step, x, y)
    loss = apply2(frameworks.binary_cross_entropy, x, y)
    return reduced(_weighted(step, loss, weight), kind)


def _weighted(step: Step, loss: Tensor, weight: Tensor | None) -> Tensor:
    if weight is None:
        return loss
    loss, weight = promoted(step, loss, weight)
    return loss * weight


@rule("binary_cross_entropy_with_logits")
def with_logits(
    step: Step, x: Tensor, y: Tensor, weight: Tensor | None = None, pos: Tensor | None = None,
    kind: int = MEAN,
) -> Tensor:  # fmt: skip
    """log(1 + exp(x)) - y·x, with weights."""
    x, y = promoted(step, x, y)
    if pos is None and not np.isinf(x.raw).any():  # of which the difference is none
        loss = maps.softplus(x) - y * x
    elif pos is None:
        loss = (number(x, 1) - y) * x + maps.softplus(maps.negative(x))
    else:
        one, share = number(x, 1), as_dtype(pos, step.dtype)
        loss = (one - y) * x + (one + (share - one) * y) * maps.softplus(maps.negative(x))
    return reduced(_weighted(step, loss, weight), kind)


def _margins_to_class(x: Tensor, target: Tensor, margin: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Each row's class as a column, where it stands, and margin - x[class] + x."""
    rows = x if x.ndim == 2 else reshaped(x, (1, *shape_of(x)))
    count, classes = shape_of(rows)
    at = reshaped(target, (count, 1))
    own = comparison.equal(Tensor(np.arange(classes)), at)
    picked = reduction.reduce_sum(arithmetic.where(own, rows, number(x, 0)), 1, True)
    return at, own, number(x, margin) - picked + rows


@rule("multi_margin_loss")
def multi_margin(
    step: Step, x: Tensor, target: Tensor, power: Any = 1, margin: Any = 1,
    weight: Tensor | None = None, kind: int = MEAN,
) -> Tensor:  # fmt: skip
    """Σ w·max(0, margin - x[class] + x[i])ᵖ/C over the other classes i."""
    at, own, z = _margins_to_class(x, target, margin)
    z = apply1(frameworks.relu_or_nan, z)
    z = maps.square(z) if power == 2 else z
    if weight is not None:
        z = z * gather(weight, at)
    parts = arithmetic.where(own, number(x, 0), z / number(x, shape_of(z)[1]))
    return reshaped(reduced(reduction.reduce_sum(parts, 1), kind), step.shape)


@rule("multi_margin_loss_backward")
def multi_margin_backward(
    step: Step, g: Tensor, x: Tensor, target: Tensor, power: Any, margin: Any,
    weight: Tensor | None = None, kind: int = MEAN,
) -> Tensor:  # fmt: skip
    """p·w·zᵖ⁻¹/C where z = margin - x[class] + x is positive, and what makes each row sum to 0."""
    at, own, z = _margins_to_class(x, target, margin)
    count, classes = shape_of(z)
    slope = number(x, 2) * z if power == 2 else broadcast_to(number(x, 1), shape_of(z))
    share = number(x, 1 / classes)
    if weight is not None:
        share = share * gather(weight, at)
    above = comparison.greater(z, number(x, 0))
    inside = comparison.logical_and(comparison.logical_not(own), above)
    parts = arithmetic.where(inside, slope * share, number(x, 0))
    rest = maps.negative(reduction.reduce_sum(parts, 1, True))
    upstream = g if kind != NONE else reshaped(g, (count, 1))
    scale = number(x, 1 / count) if kind == MEAN else number(x, 1)
    return reshaped(arithmetic.where(own, rest, parts) * upstream * scale, shape_of(x))


def _labels(x: Tensor, target: Tensor) -> tuple[Tensor, Any, Any]:
    """The rows, how often each class of a row is listed before -1, and the pairs that count."""
    rows = x if x.ndim == 2 else reshaped(x, (1, *shape_of(x)))
    listed = np.reshape(decided(target, "multilabel_margin_loss()"), shape_of(rows))
    before = np.cumprod(listed >= 0, axis=1).astype(bool)
    times = np.zeros(shape_of(rows))
    np.add.at(times, (np.nonzero(before)[0], listed[before]), 1.0)
    own = times > 0
    return rows, times, own[:, :, None] & ~own[:, None, :]


def _margins(rows: Tensor) -> Tensor:
    """1 - x[j] + x[i] for each two classes of a row."""
    count, classes = shape_of(rows)
    wide, high = (reshaped(rows, shape) for shape in ((count, 1, classes), (count, classes, 1)))
    return number(rows, 1) - high + wide


@rule("multilabel_margin_loss_forward")
def multilabel_margin(step: Step, x: Tensor, target: Tensor, kind: int) -> Any:
    """Σ max(0, 1 - x[j] + x[i])/C for listed classes j and others i, and which are listed."""
    rows, times, pairs = _labels(x, target)
    dtype = dtype_of(x)
    margins = apply1(frameworks.relu_or_nan, _margins(rows))
    parts = arithmetic.where(Tensor(pairs), margins, number(x, 0))
    shares = Tensor((times / times.shape[1])[:, :, None].astype(dtype))
    losses = reduction.reduce_sum(parts * shares, [1, 2])
    found = reduced(losses, kind)
    own = Tensor(np.reshape(times > 0, shape_of(x)).astype(dtype))
    return reshaped(found, step.shape), own


@rule("multilabel_margin_loss_backward")
def multilabel_margin_backward(
    step: Step, g: Tensor, x: Tensor, target: Tensor, kind: int, own: Tensor
) -> Tensor:
    """What pairs within the margin send to their other class, and take from the listed one."""
    rows, times, pairs = _labels(x, target)
    inside = arithmetic.where(
        Tensor(pairs), comparison.greater(_margins(rows), number(x, 0)), Tensor(pairs)
    )
    shares = Tensor((times / times.shape[1])[:, :, None].astype(dtype_of(x)))
    parts = arithmetic.where(inside, broadcast_to(shares, pairs.shape), number(x, 0))
    sent = reduction.reduce_sum(parts, 1) - reduction.reduce_sum(parts, 2)
    count = pairs.shape[0]
    upstream = g if kind != NONE else reshaped(g, (count, 1))
    scale = number(x, 1 / count) if kind == MEAN else number(x, 1)
    return reshaped(sent * upstream * scale, shape_of(x))


# --- the loss of classes that are named by integers -----------------------------------------------


def _classes(x: Tensor, target: Tensor, weight: Tensor | None, ignored: int) -> tuple[Any, ...]:
    """The element of the class of each row, the weight of each, and whether it counts."""
    axis = 0 if x.ndim == 1 else 1
    skip = comparison.equal(target, as_operand(ignored, dtype_of(target)))
    is_class = 0 <= ignored < shape_of(x)[axis]
    skips = is_class or not nowhere(skip)
    first = as_operand(0, dtype_of(target))
    at = arithmetic.where(skip, first, target) if skips and not is_class else target
    order = [k for k in range(x.ndim) if k != axis] + [axis]
    line = permuted(x, order)
    found = gather(line, at, axis=x.ndim - 1, batch_dims=x.ndim - 1)
    share = None if weight is None else gather(weight, at)
    if skips:
        zero = number(x, 0)
        found = arithmetic.where(skip, zero, found)
        one = broadcast_to(number(x, 1), shape_of(found)) if share is None else share
        share = arithmetic.where(skip, zero, one)
    return found, share


@rule("nll_loss_forward", "nll_loss2d_forward")
def nll_loss(
    step: Step, x: Tensor, target: Tensor, weight: Tensor | None, kind: int, ignored: int
) -> Any:
    """-x at the class of each row, and the sum of their weights."""
    found, share = _classes(x, target, weight, ignored)
    losses = maps.negative(found if share is None else share * found)
    axes = list(range(found.ndim))
    total = (
        number(x, float(np.size(found.raw))) if share is None else reduction.reduce_sum(share, axes)
    )
    if kind == NONE:
        return losses, Tensor(step.result(1))
    summed = reduction.reduce_sum(losses, axes)
    if kind == SUM:
        return summed, total
    return (summed / total if share is not None else reduction.reduce_mean(losses, axes)), total
