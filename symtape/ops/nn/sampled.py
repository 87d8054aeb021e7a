"""Losses of very many classes, by a few of them that are drawn: `nce_loss` and its kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import add, multiply, subtract
from symtape.ops.elementwise.conversion import cast, stop_gradient
from symtape.ops.elementwise.functions import log
from symtape.ops.linalg.products import matmul
from symtape.ops.nn.loss import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
)
from symtape.ops.nn.normalization import embedding_lookup
from symtape.ops.random.classes.candidates import (
    compute_accidental_hits,
    log_uniform_candidate_sampler,
)
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.shaping import expand_dims, reshape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of


def nce_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    name: str | None = "nce_loss",
) -> Tensor:
    """The loss of telling true classes from drawn ones, for each row of `inputs`.

    `weights` are a row for each class and `biases` a number; `labels` are a matrix of `num_true`
    columns. Candidates are drawn by `log_uniform_candidate_sampler`, unless `sampled_values` gives
    them with what is expected of them. With `remove_accidental_hits` those that are true count
    nothing.

    >>> drawn = ([1], [[1.0]], [1.0])
    >>> weights, biases = np.zeros((2, 1), np.float32), np.zeros(2, np.float32)
    >>> nce_loss(weights, biases, [[0]], [[1.0]], 1, 2, sampled_values=drawn).numpy()
    array([1.3862944], dtype=float32)
    """
    logits, goal = _logits(
        *(weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values),
        without_hits=remove_accidental_hits,
    )
    return reduce_sum(sigmoid_cross_entropy_with_logits(labels=goal, logits=logits), 1)


def sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    seed: Any = None,
    name: str | None = "sampled_softmax_loss",
) -> Tensor:
    """The cross entropy of a softmax over true and drawn classes, for each row of `inputs`.

    The arguments are those of `nce_loss`; `seed` is for what is drawn.

    >>> drawn = ([1], [[1.0]], [1.0])
    >>> weights, biases = np.zeros((2, 1), np.float32), np.zeros(2, np.float32)
    >>> sampled_softmax_loss(weights, biases, [[0]], [[1.0]], 1, 2, sampled_values=drawn).numpy()
    array([0.6931472], dtype=float32)
    """
    logits, goal = _logits(
        *(weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values),
        without_hits=remove_accidental_hits,
        seed=seed,
    )
    return softmax_cross_entropy_with_logits(labels=stop_gradient(goal), logits=logits)


def _logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int,
    sampled_values: Any,
    *,
    without_hits: bool,
    seed: Any = None,
) -> tuple[Tensor, Tensor]:
    """Give the logits of true and of drawn classes, side by side, and what they should say."""
    x, known = tensor(inputs), cast(labels, dtypes.int64)
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            known, num_true, num_sampled, unique=True, range_max=num_classes, seed=seed
        )
    drawn, *expected = (stop_gradient(convert(s)) for s in sampled_values)
    drawn = cast(drawn, dtypes.int64)
    flat = reshape(known, [-1])
    true_w, true_b, drawn_w, drawn_b = (
        cast(embedding_lookup(of, at), x.dtype) for at in (flat, drawn) for of in (weights, biases)
    )
    rows = reshape(true_w, [-1, num_true, shape_of(true_w)[-1]])
    true = reduce_sum(multiply(expand_dims(x, 1), rows), 2)
    true = add(true, reshape(true_b, [-1, num_true]))
    other = add(matmul(x, drawn_w, transpose_b=True), drawn_b)
    if without_hits:
        other = add(other, _hits(known, drawn, num_true, other))
    true, other = (subtract(t, log(e)) for t, e in zip((true, other), expected, strict=True))
    sizes = [shape_of(t) for t in (true, other)]
    goal = [np.full(s, v, x.dtype.numpy) for s, v in zip(sizes, (1 / num_true, 0), strict=True)]
    return concat([true, other], 1), convert(np.concatenate(goal, 1))


def _hits(known: Tensor, drawn: Tensor, num_true: int, beside: Tensor) -> Tensor:
    """Make numbers that take those candidates out which are true classes of their row."""
    found = np.zeros(shape_of(beside), beside.dtype.numpy)
    rows, places, weights = map(look_at, compute_accidental_hits(known, drawn, num_true))
    with np.errstate(over="ignore"):  # half precision has infinity there
        found[rows, places] = weights
    return Tensor(found)
