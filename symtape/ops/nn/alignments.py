"""Losses over all alignments of a sequence: the connectionist temporal classification."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import plain, tensor
from symtape.ops.elementwise.activation import log_softmax
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions.reduction import reduce_logsumexp
from symtape.ops.shapes.joining import concat, stack
from symtape.ops.shapes.shaping import transpose
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid, misfit
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_NEVER = -1e30
"""The logarithm of the chance of what cannot be: finite, so that no slope is nan."""


def ctc_loss(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: Any = None,
    name: str | None = None,
) -> Tensor:
    """Minus the logarithm of the chance of each row of `labels`, over all of its alignments.

    `logits` have shape (times, batch, classes), or (batch, times, classes) without
    `logits_time_major`; `labels` have shape (batch, longest). `blank_index` is the class that
    stands for nothing, 0 by default. Labels that are a `SparseTensor` say their lengths
    themselves, and need a `blank_index`. A row that has no alignment costs inf. Raises
    `InvalidArgumentError` for another number of rows of labels, or of lengths, than there are of
    logits, and for a row of sparse labels that has fewer times than labels.

    >>> ctc_loss([[1]], [[[0.0, 0.0]]], label_length=[1], logit_length=[1]).numpy()
    array([0.6931472], dtype=float32)
    """
    is_sparse = isinstance(labels, SparseTensor)
    if is_sparse and blank_index is None:
        raise ValueError(
            "Argument `blank_index` must be provided when `labels` is a `SparseTensor`."
        )
    x = tensor(logits)
    x = x if logits_time_major else transpose(x, [1, 0, 2])
    times, batch, classes = shape_of(x)
    blank = int(plain(blank_index) or 0) % classes
    given = _of_sparse(labels) if is_sparse else (plain(labels), plain(tensor(label_length)))
    wanted, lengths = (np.asarray(part, np.int64) for part in given)
    steps = np.asarray(plain(logit_length), np.int64)
    _check_rows(batch, wanted, lengths, steps)
    if is_sparse:
        _check_times(lengths, steps, times)
    if blank > 0:  # the class before takes the place of a blank that moves to the front
        wanted = np.where(wanted == blank, blank - 1, wanted)
    path = np.full((batch, 2 * wanted.shape[1] + 1), blank)
    path[:, 1::2] = wanted
    chances = gather(log_softmax(x), np.broadcast_to(path, (times, *path.shape)), batch_dims=2)
    last = _walked(chances, _skips(path, blank), steps)
    loss = -_ending(last, lengths)
    return where(loss > -_NEVER / 2, np.full(batch, np.inf, dtype_of(x)), loss)


def _of_sparse(labels: SparseTensor) -> tuple[Any, Any]:
    """Give the labels of each row one after another, and how many there are."""
    values = decided_by_look(convert(labels.values, dtypes.int32))
    rows = labels.places[:, 0]
    lengths = np.bincount(rows, minlength=labels.sizes[0])
    wanted = np.zeros((labels.sizes[0], lengths.max(initial=0)), np.int64)
    wanted[np.arange(wanted.shape[1]) < lengths[:, None]] = values
    return wanted, lengths


def _check_times(lengths: Any, steps: Any, times: int) -> None:
    """Refuse a row that has fewer times than labels, or more than there are."""
    wide = np.broadcast_to(steps, lengths.shape)
    for row, (least, most) in enumerate(zip(lengths, wide, strict=True)):
        if most > times:
            raise invalid("CTCLoss", f"sequence_length({row}) <= {times}")
        if most < least:
            raise invalid(
                "CTCLoss",
                f"Not enough time for target transition sequence (required: {least}, available: "
                f"{most}){row}You can turn this error into a warning by using the flag "
                "ignore_longer_outputs_than_inputs",
            )


def _check_rows(batch: int, wanted: Any, lengths: Any, steps: Any) -> None:
    """Refuse what has other rows than logits; one number of times may stand for all rows."""
    fit = wanted.ndim == 2 and len(wanted) == batch and lengths.shape == (batch,)
    if not fit or steps.shape not in {(), (1,), (batch,)}:
        raise misfit(
            "CTCLoss",
            f"labels of shape {wanted.shape}, label_length of {lengths.shape} and logit_length of "
            f"{steps.shape} for {batch} rows of logits: give a row of labels and two lengths each",
        )


def _skips(path: Any, blank: int) -> Any:
    """Say which places of a path can be reached over the one before: not the same class again."""
    can = np.zeros(path.shape, bool)
    can[:, 2:] = (path[:, 2:] != blank) & (path[:, 2:] != path[:, :-2])
    return can


def _walked(chances: Tensor, skips: Any, steps: Any) -> Tensor:
    """Add up the chances of all ways to each place, over as many times as each row has."""
    times, batch, places = shape_of(chances)
    never = Tensor(np.full((batch, 2), _NEVER, dtype_of(chances)))
    start = np.arange(places) < 2
    reached = where(start, chances[0], Tensor(np.full((batch, places), _NEVER, dtype_of(chances))))
    if (steps < 1).any():  # without a time there is but the path of nothing
        nothing = np.where(np.arange(places) < 1, 0.0, _NEVER).astype(dtype_of(chances))
        reached = where((steps > 0)[..., None], reached, nothing)
    for t in range(1, times):
        wide = concat([never, reached], 1)
        over = where(skips, wide[:, :-2], np.asarray(_NEVER, dtype_of(chances)))
        new = chances[t] + reduce_logsumexp(stack([reached, wide[:, 1:-1], over]), 0)
        reached = where((t < steps)[:, None], new, reached)
    return reached


def _ending(reached: Tensor, lengths: Any) -> Tensor:
    """Take the ways that end with the last label, or with the blank behind it."""
    ends = np.stack([2 * lengths, np.maximum(2 * lengths - 1, 0)], 1)
    found = gather(reached, ends, batch_dims=1)
    there = np.stack([np.ones(len(lengths), bool), lengths > 0], 1)
    return reduce_logsumexp(where(there, found, np.asarray(_NEVER, dtype_of(found))), 1)
