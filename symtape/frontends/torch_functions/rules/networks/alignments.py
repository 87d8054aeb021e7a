"""The loss of connectionist temporal classification: a recursion over frames, in logarithms.

Graves and others, Connectionist Temporal Classification, ICML 2006. Between the labels of a row
stand blanks; α[t, s] is the logarithm of the probability that t frames end in place s. A place is
entered from itself, from the one before, and over a blank from another label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.frontends.torch_functions.rules.networks.activations import number
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import arithmetic
from symtape.ops.elementwise import functions as maps
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.indexing.gathering import gather
from symtape.ops.shapes.repetition import joined
from symtape.ops.shapes.shaping import with_shape
from symtape.tape import GradientTape
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_LOWEST = -1e30
"""Below all logarithms of probabilities."""


class Rows(NamedTuple):
    """The labels of each row with blanks between, how many places each has, and its frames."""

    places: Any
    counts: Any
    frames: Any

    @classmethod
    def of(cls, labels: Tensor, frames: Any, lengths: Any, blank: int) -> Rows:
        """Read labels, which follow each other or stand in rows."""
        frames, lengths = (
            np.asarray(decided(x, "ctc_loss()") if isinstance(x, Tensor) else x)
            for x in (frames, lengths)
        )
        listed = decided(labels, "ctc_loss()")
        starts = np.r_[0, np.cumsum(lengths)]
        places = np.full((len(lengths), 2 * int(lengths.max(initial=0)) + 1), blank)
        for n, count in enumerate(lengths):
            own = listed[n] if listed.ndim == 2 else listed[starts[n] :]
            places[n, 1 : 2 * count : 2] = own[:count]
        return cls(places, 2 * lengths + 1, frames)

    @property
    def inside(self) -> Any:
        """The places that a row has."""
        return np.arange(self.places.shape[1]) < self.counts[:, None]

    @property
    def skips(self) -> Any:
        """The places that are entered from two places before: labels after another label."""
        before = np.roll(self.places, 2, axis=1)
        at = np.arange(self.places.shape[1])
        return (at % 2 == 1) & (at > 1) & (self.places != before)


def _sum(logs: Sequence[tuple[Tensor, Any]]) -> tuple[Tensor, Any]:
    """Add up numbers whose logarithms are given, with marks where they are not zero."""
    first = logs[0][0]
    ever = np.any([marks for _, marks in logs], axis=0)
    zero, one, lowest = (number(first, n) for n in (0, 1, _LOWEST))
    largest = lowest
    for x, marks in logs:
        largest = arithmetic.maximum(largest, arithmetic.where(marks, x, lowest))
    largest = stop_gradient(arithmetic.where(ever, largest, zero))
    total = zero
    for x, marks in logs:
        power = maps.exp(arithmetic.where(marks, x - largest, zero))
        total = total + arithmetic.where(marks, power, zero)
    return maps.log(arithmetic.where(ever, total, one)) + largest, ever


def _before(x: Tensor, marks: Any, by: int, where: Any = True) -> tuple[Tensor, Any]:
    """Give to each place what stands some places before it."""
    moved = np.roll(marks, by, axis=1)
    moved[:, :by] = False
    return joined([x[:, -by:], x[:, :-by]], 1), moved & where


def loss(x: Tensor, rows: Rows) -> Tensor:
    """-log of the probability of the labels of each row, of log probabilities [frame, row, class].

    Infinite where a row has too few frames.
    """
    count, classes = shape_of(x)[1:]
    flat = with_shape(x, (shape_of(x)[0], count * classes))
    at = rows.places + classes * np.arange(count)[:, None]
    own = gather(flat, Tensor(at), axis=1)
    reached = rows.inside & (np.arange(at.shape[1]) < 2)
    alpha = own[0]
    for t in range(1, int(rows.frames.max(initial=0))):
        near = [(alpha, reached)]
        near += [
            _before(alpha, reached, by, w)
            for by, w in ((1, True), (2, rows.skips))
            if by < at.shape[1]
        ]
        entered, ever = _sum(near)
        going = t < rows.frames[:, None]
        alpha = arithmetic.where(np.broadcast_to(going, ever.shape), entered + own[t], alpha)
        reached = np.where(going, ever & rows.inside, reached)
    return _ended(alpha, reached, rows)


def _ended(alpha: Tensor, reached: Any, rows: Rows) -> Tensor:
    """-log of the probability to end in the last label, or in the blank after it."""
    lines, at = np.arange(len(rows.counts)), shape_of(alpha)[1]
    ends = []
    for place in (rows.counts - 1, rows.counts - 2):
        held = np.maximum(place, 0)
        found = gather(with_shape(alpha, (len(lines) * at,)), Tensor(lines * at + held))
        ends.append((found, reached[lines, held] & (place >= 0)))
    total, ever = _sum(ends)
    return arithmetic.where(ever, maps.negative(total), number(alpha, np.inf))


@rule("_ctc_loss")
def ctc_loss(
    step: Step, x: Tensor, labels: Tensor, frames: Any, lengths: Any, blank: int = 0, *_: Any
) -> Any:
    """The loss, and torch's own table of α, which its backward operation alone reads."""
    return loss(x, Rows.of(labels, frames, lengths, blank)), Tensor(step.result(1))


@rule("_ctc_loss_backward")
def ctc_backward(
    step: Step, g: Tensor, x: Tensor, labels: Tensor, frames: Any, lengths: Any, value: Tensor,
    table: Tensor, blank: int, zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """The derivative, and g·exp(x) more, which log_softmax takes away: torch adds it, too."""
    rows = Rows.of(labels, frames, lengths, blank)
    with GradientTape() as tape:
        tape.watch(x)
        y = loss(x, rows)
    slope = tape.gradient(y, x, output_gradients=g)
    seen = np.arange(shape_of(x)[0])[:, None, None] < rows.frames[:, None]
    more = with_shape(g, (1, shape_of(x)[1], 1)) * maps.exp(x)
    if np.isinf(value.raw).any():
        bad = np.isinf(value.raw)[:, None] & seen
        more = arithmetic.where(bad, number(x, 0 if zero_infinity else np.nan), slope + more)
        return arithmetic.where(np.broadcast_to(seen, shape_of(x)), more, number(x, 0))
    return slope + arithmetic.where(np.broadcast_to(seen, shape_of(x)), more, number(x, 0))
