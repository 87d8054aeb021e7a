"""Tensors put together and taken apart: concat, stack, split, pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.calls import Call
from symtape.ops.arguments import (
    PLACES,
    allowed,
    attribute,
    called,
    counted,
    is_tensor,
    like,
    listed,
    of_kernel,
    plain,
    scalar,
    tensor,
    whole,
)
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.shapes.repetition import flipped, joined, part_of
from symtape.ops.shapes.shaping import with_shape
from symtape.program import operations as ops
from symtape.program.kinds.structural import WHOLE, Embed
from symtape.tensor import convert as conversion
from symtape.tensor import dtypes
from symtape.tensor.convert import convert, holds_tensor
from symtape.tensor.dispatch import apply1, follow, invalid, misfit, mismatch
from symtape.tensor.indexing.unknown_places import unknown_in
from symtape.tensor.recording.looking import looking
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import made_up, unsized
from symtape.tensor.values import dtype_of, shape_of

_LENGTHS = allowed("int8, int32, int64")


def _parts(values: Any) -> list[Tensor]:
    """Convert a list to tensors of the dtype of its first tensor, or else of its first item."""
    if _is_of_objects(values):
        values = list(values)
    if isinstance(values, (list, tuple)):  # objects of an array are those of a list
        values = [v.tolist() if _is_of_objects(v) else v for v in values]
    if is_tensor(values) or isinstance(values, np.ndarray):
        x = convert(values)
        return list(x) if x.ndim else [x]
    known = next((convert(v) for v in values if is_tensor(v)), None)
    if known is None:
        known = next((convert(v) for v in values), None)
    return [
        v if v.__class__ is Tensor else like(v, known) if known is not None else convert(v)
        for v in values
    ]


def _is_of_objects(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "O"


def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Put tensors one after another along an axis that they have.

    Raises `InvalidArgumentError` for scalars, and where ranks or other sizes differ.

    >>> concat([[1, 2], [3]], 0).numpy()
    array([1, 2, 3], dtype=int32)
    """
    if is_tensor(values) or not isinstance(values, (list, tuple)):
        values = [values]
    if len(values) == 1:
        _check_lone(axis)
    parts = _parts(values)
    at = convert(axis) if axis is None else plain(axis)
    place = scalar(np.ravel(at)[0].item() if np.size(at) == 1 else at)
    if len(parts) == 1:
        return apply1(ops.identity, parts[0])
    _check_concat(Call("ConcatV2", many=f"N_{len(parts)}", name=name), parts, place)
    along = place % parts[0].ndim
    made = joined(parts, along)
    run = looking()
    return unsized(made, along) if run and any([along in run.loose(p) for p in parts]) else made


def _check_lone(axis: Any) -> None:
    """Refuse what is no axis, where there is nothing to join and no kernel reads it."""
    found = convert(axis, dtypes.int32)
    if found.ndim:
        raise ValueError(f"Shape {found.shape} must have rank 0")


def _check_concat(kernel: str, parts: list[Tensor], axis: int) -> None:
    if not parts:
        raise invalid(kernel, "ConcatOp : Expected at least one tensor, but got an empty list")
    first = shape_of(parts[0])
    for k, part in enumerate(parts):
        shape = shape_of(part)
        if dtype_of(part) != dtype_of(parts[0]):
            raise mismatch(kernel, parts[0], part, k)
        both = f"shape[0] = {listed(first)} vs. shape[{k}] = {listed(shape)}"
        if not shape and not first:
            raise invalid(kernel, "ConcatOp : Can't concatenate scalars (use tf.stack instead)")
        if not -len(first) <= axis < len(first):
            raise misfit(
                kernel,
                f"ConcatOp : Expected concatenating dimensions in the range [{-len(first)}, "
                f"{len(first)}), but got {axis}",
            )
        if len(shape) != len(first):
            if not shape:
                raise invalid(kernel, "ConcatOp : Can't concatenate scalars (use tf.stack instead)")
            raise invalid(kernel, f"ConcatOp : Ranks of all input tensors should match: {both}")
        for place, (a, b) in enumerate(zip(first, shape, strict=True)):
            if a != b and place != axis % len(first):
                raise misfit(
                    kernel, f"ConcatOp : Dimension {place} in both shapes must be equal: {both}"
                )


def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Join tensors of one shape along a new axis.

    >>> stack([[1, 2], [3, 4]], axis=-1).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    if axis == 0 and is_tensor(values):
        return apply1(ops.identity, convert(values))
    if axis == 0 and not holds_tensor(values) and not _is_of_objects(values):
        try:
            return convert(values)
        except (TypeError, ValueError):
            pass  # what is no array by itself may be joined part by part
    parts, axis = _parts(values), attribute(axis, "axis")
    if not parts and is_tensor(values):
        raise invalid("Pack", "Length for attr 'N' of 0 must be at least minimum 1")
    rank = parts[0].ndim + 1
    _check_axis(axis, rank)
    made = conversion.stack(parts, axis, name)
    return follow("Pack", (made, *parts), made)


def _check_axis(axis: int, rank: int) -> None:
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")


def unstack(
    value: Any, num: int | None = None, axis: int = 0, name: str = "unstack"
) -> list[Tensor]:
    """The parts of a tensor along an axis, which they lack; `num` is how many, if given.

    >>> [x.numpy().tolist() for x in unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]
    """
    x = tensor(value)
    axis = attribute(axis, "axis") if axis is None else scalar(axis)
    shape = shape_of(x)
    _check_axis(axis, len(shape))
    axis = axis % len(shape)
    if num is not None and num != shape[axis]:
        call = Call("Unpack", many=f"num_{num}", name=name)
        raise misfit(call, f"Input shape axis {axis} must equal {num}, got shape {listed(shape)}")
    rest = shape[:axis] + shape[axis + 1 :]
    return [with_shape(part_of(x, axis, k, 1), rest) for k in range(shape[axis])]


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """Cut a tensor along an axis: into equal parts, or into parts of given sizes, one maybe -1.

    Raises `InvalidArgumentError` where the sizes do not fit, `ValueError` for a number that is a
    tensor.

    >>> [x.numpy().tolist() for x in split([1, 2, 3, 4], [1, -1])]
    [[1], [2, 3, 4]]
    """
    x = tensor(value)
    shape = shape_of(x)
    if is_tensor(num_or_size_splits) and not convert(num_or_size_splits).ndim:
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            f"Argument provided: {num_or_size_splits}"
        )
    kernel = "Split" if np.ndim(plain(num_or_size_splits)) == 0 else "SplitV"
    alone = kernel == "SplitV" and np.shape(plain(axis)) == (1,)
    place = scalar(axis[0] if alone else axis)
    if not -len(shape) <= place < len(shape):
        raise invalid(
            kernel,
            f"-input rank(-{len(shape)}) <= split_dim < input rank ({len(shape)}), but got {place}",
        )
    place = place % len(shape)
    total = shape[place]
    if kernel == "SplitV" and any(unknown := unknown_in(num_or_size_splits)):
        return [unsized(x, place) for _ in unknown]
    sizes = _split_sizes(num_or_size_splits, total, place, name)
    if kernel == "SplitV" and num not in {None, len(sizes)}:
        raise invalid(kernel, _NOT_AS_MANY.format(1, len(sizes)))
    starts = [sum(sizes[:k]) for k in range(len(sizes))]
    return [part_of(x, place, first, n) for first, n in zip(starts, sizes, strict=True)]


_NOT_AS_MANY = (
    "size of the split_tensor must be 1-D and have the same elements as outputs got {} -D and {} "
    "elements"
)


def _split_sizes(given: Any, total: int, axis: int, name: str) -> list[int]:
    if np.ndim(plain(given)) == 0:
        return _equal_sizes(given, total, axis, name)
    return _given_sizes(given, total, name)


def _equal_sizes(given: Any, total: int, axis: int, name: str) -> list[int]:
    if not isinstance(plain(given), (int, np.integer)) and not is_tensor(given):
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            f"Argument provided: {given}"
        )
    count = scalar(given)
    if count <= 0:
        raise invalid("Split", f"Value for attr 'num_split' of {count} must be at least minimum 1")
    if total % count:
        raise misfit(
            Call("Split", many=f"num_split_{count}", name=name),
            "Number of ways to split should evenly divide the split dimension, but got "
            f"split_dim {axis} (size = {total}) and num_split {count}",
        )
    return [total // count] * count


def _given_sizes(given: Any, total: int, name: str) -> list[int]:
    """Read a list of sizes; -1 stands for what the others leave."""
    found = whole("SplitV", given, "Tlen", _LENGTHS)
    call = Call("SplitV", many=f"num_split_{len(found)}", name=name)
    if found.ndim > 1:
        raise invalid(call, _NOT_AS_MANY.format(found.ndim, len(found)))
    sizes = found.tolist()
    for k, n in enumerate(sizes):
        if n < -1:
            raise invalid(call, f"Split size at index {k} must be >= 0. Got: {n}")
    if sizes.count(-1) > 1:
        raise invalid(call, "There can only be one -1 in the input.")
    known = sum(n for n in sizes if n != -1)
    if known > total or (-1 not in sizes and known != total):
        raise misfit(
            call,
            "Determined shape must either match input shape along split_dim exactly if fully "
            "specified, or be less than the size of the input along split_dim if not fully "
            f"specified.  Got: {known}",
        )
    return [n if n != -1 else total - known for n in sizes]


def pad(
    tensor: Any,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Tensor:
    """Put elements before and after those of each axis: one row of `paddings` for each axis.

    `mode` is CONSTANT (`constant_values` are put), REFLECT (the elements mirrored, the outermost
    not repeated) or SYMMETRIC (mirrored, the outermost repeated), in capitals or not.

    >>> pad([1, 2], [[1, 2]]).numpy()
    array([0, 1, 2, 0, 0], dtype=int32)
    """
    x = convert(tensor)
    kind = mode.upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". '
            f"Received `mode` = {kind}"
        )
    kernel = "Pad" if kind == "CONSTANT" else "MirrorPad"
    pairs = _pairs(called(kernel, name, paddings), paddings, shape_of(x))
    if (run := looking()) is not None and run.loose(x):
        return made_up(x, _padded(x, pairs), run.loose(x))
    if kind == "CONSTANT":
        return _pad_constant(x, pairs, constant_values)
    for axis, (before, after) in enumerate(pairs):
        x = _mirrored(x, axis, before, after, 1 if kind == "REFLECT" else 0)
    return apply1(ops.identity, x)


def _padded(x: Tensor, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Give the sizes of what is padded; an unknown one is padded by as much as nobody knows."""
    run, sizes = looking(), shape_of(x)
    loose = run.loose(x) if run else ()
    return [
        n if k in loose else n + sum(pair)
        for k, (n, pair) in enumerate(zip(sizes, pairs, strict=True))
    ]


def _pairs(kernel: str, paddings: Any, shape: tuple[int, ...]) -> list[tuple[int, int]]:
    """Read one pair of numbers for each axis."""
    if isinstance(paddings, (list, tuple)):
        paddings = [counted(pair) for pair in paddings]
    rows = whole(kernel, of_kernel(counted(paddings), dtypes.int32, PLACES), "Tpaddings")
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise invalid(kernel, f"paddings must be a matrix with 2 columns: {listed(rows.shape)}")
    if len(rows) != len(shape):
        comma = "," if kernel == "MirrorPad" else ""
        raise misfit(
            kernel,
            "The first dimension of paddings must be the rank of inputs"
            f"{listed(rows.shape)}{comma} {listed(shape)}",
        )
    for before, after in rows:
        if before < 0 or after < 0:
            start = "paddings" if kernel == "MirrorPad" else "Paddings"
            raise invalid(kernel, f"{start} must be non-negative: {before} {after}")
    return [(int(a), int(b)) for a, b in rows]


def _pad_constant(x: Tensor, pairs: list[tuple[int, int]], value: Any) -> Tensor:
    shape = shape_of(x)
    ranges = tuple([(before, 1, n) for (before, _), n in zip(pairs, shape, strict=True)])
    sizes = tuple([a + n + b for (a, b), n in zip(pairs, shape, strict=True)])
    if sizes == shape:
        return apply1(ops.identity, x)
    wide = apply1(Embed(ranges, sizes, (WHOLE,) * len(shape)), x)
    if np.ndim(plain(value)):
        raise invalid(
            "PadV2", f"constant_values must be a scalar. Found: {listed(np.shape(plain(value)))}"
        )
    if dtype_of(x).kind == "O":
        value = b"" if not is_tensor(value) and value == 0 else value
    elif not is_tensor(value) and value == 0:
        return wide
    inside = np.zeros(sizes, bool)
    inside[tuple([slice(first, first + n) for first, _, n in ranges])] = True
    return where(inside, wide, like(value, x))


def _mirrored(x: Tensor, axis: int, before: int, after: int, skipped: int) -> Tensor:
    """Mirror at both ends of an axis, leaving out the outermost element or not."""
    n = shape_of(x)[axis]
    if max(before, after) > n - skipped:
        words = "less than" if skipped else "no greater than"
        said = "not less than" if skipped else "greater than"
        raise invalid(
            "MirrorPad",
            f"paddings must be {words} the dimension size: {before}, {after} {said} {n}",
        )
    parts = [x]
    if before:
        parts.insert(0, flipped(part_of(x, axis, skipped, before, (False, False)), [axis]))
    if after:
        end = part_of(x, axis, n - skipped - after, after, (True, True))
        parts.append(flipped(end, [axis]))
    return joined(parts, axis) if len(parts) > 1 else x
