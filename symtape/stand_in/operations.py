"""Operations that Keras and other packages take from TensorFlow's insides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np

from symtape.differentiation.custom_gradient import custom_gradient
from symtape.ops.arguments import integers, is_tensor, like, tensor
from symtape.ops.control.flow import cond
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.comparison import less, logical_not
from symtape.ops.elementwise.conversion import cast, identity
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.joining import pad, stack
from symtape.ops.shapes.shaping import expand_dims
from symtape.stand_in.devices.runtime import inside_function
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.recording.looking import forgotten
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import shape_of
from symtape.tensor.variables.variable import Variable


def smart_cond(
    pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None
) -> Any:
    """Call one of two functions, by a boolean, by 1 or 0, or by a tensor.

    Raises `TypeError` for anything else, a variable too, and for functions that are not called.

    >>> smart_cond(1, lambda: "yes", lambda: "no")
    'yes'
    """
    for word, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"Argument `{word}` must be callable. Received {function}")
    if is_tensor(pred) and not isinstance(pred, Variable):
        return cond(pred, true_fn=true_fn, false_fn=false_fn)
    if pred not in {0, 1}:
        raise TypeError(
            "Argument `pred` must be a Tensor, or a Python bool, or 1 or 0. "
            f"Received: pred={pred} of type {type(pred).__name__}"
        )
    return true_fn() if pred else false_fn()


def guarantee_const(input: Any, name: str | None = None) -> Tensor:
    """Give the value that this has, which is no variable any more.

    A gradient through it is refused with a `LookupError`, as by TensorFlow.

    >>> guarantee_const(3.0).numpy()
    np.float32(3.0)
    """
    x = tensor(input)

    @custom_gradient
    def keep(x: Any) -> Any:
        def refuse(cotangent: Any) -> NoReturn:
            raise LookupError("gradient registry has no entry for: GuaranteeConst")

        return identity(x), refuse

    made: Tensor = keep(x)
    return made


def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Stack tensors within a `tf.function`; elsewhere raises `RuntimeError`, as TensorFlow does.

    >>> parallel_stack([1, 2])
    Traceback (most recent call last):
    RuntimeError: tf.parallel_stack() is not compatible with eager execution.
    """
    if not inside_function():
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution.")
    return stack(values)


def dynamic_update_slice(x: Any, update: Any, start_indices: Any) -> Tensor:
    """A tensor with a block put where it starts; one that would reach beyond the end is moved in.

    >>> dynamic_update_slice([1.0, 2.0, 3.0], [9.0, 9.0], [2]).numpy()
    array([1., 9., 9.], dtype=float32)
    """
    old = tensor(x)
    new = like(update, old)
    sizes, block = shape_of(old), shape_of(new)
    starts = [
        min(max(first, 0), n - m)
        for first, n, m in zip(integers(start_indices), sizes, block, strict=True)
    ]
    within = np.zeros(sizes, bool)
    within[tuple(slice(first, first + m) for first, m in zip(starts, block, strict=True))] = True
    around = [[f, n - m - f] for f, n, m in zip(starts, sizes, block, strict=True)]
    return where(within, pad(new, around), old)


def bucketize(input: Any, boundaries: Sequence[float], name: str | None = None) -> Tensor:
    """The number of boundaries that are not above each element.

    >>> bucketize(input=[0.5, 2.0], boundaries=[1.0, 2.0]).numpy()
    array([0, 2], dtype=int32)
    """
    x = tensor(input)
    x = x if x.dtype.is_floating else cast(x, dtypes.float64)
    bounds = cast(np.asarray(boundaries, np.float32), x.dtype)
    is_below = less(expand_dims(x, -1), bounds)
    return reduce_sum(cast(logical_not(is_below), dtypes.int32), axis=-1)


class UniqueV2(NamedTuple):
    """The different slices as they first come, and for each place which of them is there."""

    y: Tensor
    idx: Tensor


class UniqueWithCountsV2(NamedTuple):
    """Likewise, and how often each of them is there."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # a method of tuples


def unique_v2(x: Any, axis: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> UniqueV2:
    """The different slices along an axis as they first come, and which of them each one is.

    `axis` is a list of one axis, or of none for a vector. Raises `InvalidArgumentError` for others.

    >>> unique_v2([[1, 2], [1, 2]], axis=[0]).y.numpy()
    array([[1, 2]], dtype=int32)
    """
    return UniqueV2(*_distinct("UniqueV2", x, axis, out_idx)[:2])


def unique_with_counts_v2(
    x: Any, axis: Any, out_idx: Any = dtypes.int32, name: str | None = None
) -> UniqueWithCountsV2:
    """What `unique_v2` gives, and how often each of the slices is there.

    >>> unique_with_counts_v2([3, 1, 3], axis=[0]).count.numpy()
    array([2, 1], dtype=int32)
    """
    return UniqueWithCountsV2(*_distinct("UniqueWithCountsV2", x, axis, out_idx))


def _distinct(op: str, x: Any, axis: Any, out_idx: Any) -> tuple[Tensor, Tensor, Tensor]:
    whole = tensor(x)
    along = _the_axis(op, axis, whole.ndim)
    _, first, inverse, counts = np.unique(
        decided_by_look(whole),
        return_index=True,
        return_inverse=True,
        return_counts=True,
        axis=along,
    )
    order = np.argsort(first, kind="stable")
    rank = np.argsort(order, kind="stable")
    kind = dtypes.as_dtype(out_idx).numpy
    index, count = rank[inverse.ravel()].astype(kind), counts[order].astype(kind)
    y = unsized(gather(whole, first[order], axis=along), along)
    return y, forgotten(Tensor(index)), unsized(Tensor(count), 0)


def _the_axis(op: str, axis: Any, rank: int) -> int:
    """Read a list of one axis, or of none, which is that of a vector."""
    found = integers(axis)
    if tensor(axis).ndim != 1:
        raise invalid(op, "axis expects a 1D vector.")
    if not found and rank != 1:
        raise invalid(op, "unique expects a 1D vector.")
    if len(found) > 1:
        raise invalid(op, "axis does not support input tensors larger than 1 elements")
    along = found[0] if found else 0
    if not -rank <= along < rank:
        raise invalid(op, f"axis has to be between [0, {rank})")
    return along % rank


def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Tensor:
    """Give a tensor as it is, of which no derivative is taken: that raises `LookupError`.

    >>> prevent_gradient([1.0]).numpy()
    array([1.], dtype=float32)
    """

    def refuse(*_: Any) -> NoReturn:
        raise LookupError(f"Gradient explicitly disabled. Reason: b{message!r}")

    made: Tensor = custom_gradient(lambda x: (identity(x), refuse))(tensor(input))
    return made


Kind = TypeVar("Kind", bound=type)


def make_composite_tensor(cls: Kind, module_name: str = "tf.linalg") -> Kind:
    """Give a class of linear operators as it is; these are no composites here."""
    return cls
