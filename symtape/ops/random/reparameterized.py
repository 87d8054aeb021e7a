"""Samples that have a derivative by a parameter with which they were drawn.

Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients" (2018): a sample keeps its place
in its distribution, so that dx/da = -∂F(a, x)/∂a over the density at x.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from symtape.ops.elementwise.special import gamma_slope
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.shaping import reshape
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.custom import Pull, Rule
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of


def _refuse(_: Sequence[Tensor]) -> NoReturn:
    raise LookupError("gradient registry has no entry for: RandomGammaGrad")


def gamma_by_alpha(sample: Tensor, alpha: Tensor, refuse: Pull = _refuse) -> Tensor:
    """Let numbers from gamma distributions of rate 1 have their derivative by `alpha`.

    `alpha` broadcasts to the numbers. The derivative is taken once: there is none of it, and asking
    for one raises what `refuse` does, by default `LookupError`, as in TensorFlow.
    """
    if not any([recording.knows([alpha]) for recording in THREAD.state.recordings]):
        return sample

    def pull(cotangents: Sequence[Tensor]) -> Sequence[Tensor]:
        slope = gamma_slope(Tensor(look_at(alpha)), Tensor(look_at(sample)))
        held = ruled("the slope of a gamma sample", slope, [alpha], refuse)
        return [summed(cotangents[0] * held, alpha)]

    return ruled("gamma", sample, [alpha], pull)


def ruled(name: str, value: Tensor, inputs: Sequence[Tensor], pull: Pull) -> Tensor:
    """Give a value whose derivative by some inputs is what a function says."""
    array = look_at(value)
    out = Tensor(array)
    rule = Rule(name, pull, [(array.shape, array.dtype)])
    for recording in THREAD.state.recordings:
        recording.record_custom(rule, inputs, [value], [out])
    return out


def summed(whole: Tensor, like: Tensor) -> Tensor:
    """Sum over the axes along which something was broadcast."""
    shape, wanted = shape_of(whole), shape_of(like)
    lead = len(shape) - len(wanted)
    axes = [k for k in range(len(shape)) if k < lead or (wanted[k - lead] == 1 and shape[k] != 1)]
    return reshape(reduce_sum(whole, axes), wanted)
