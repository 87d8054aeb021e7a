"""ATen operations that draw numbers which have a derivative by a parameter: `rsample` calls them.

The numbers are torch's, for the parameters of the call: a formula holds for these alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends.torch_functions.dtypes import to_numpy, torch_module
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.random.reparameterized import gamma_by_alpha, ruled
from symtape.ops.reductions.reduction import reduce_sum
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor


def _refuse(_: Sequence[Tensor]) -> NoReturn:
    raise UnsupportedError(
        "a sample of a gamma or Dirichlet distribution has a first derivative by its parameters, "
        "and no second one, as in torch: take the second derivative of what has no sample in it"
    )


@rule("_standard_gamma")
def standard_gamma(step: Step, alpha: Tensor, generator: Any = None) -> Tensor:
    """Numbers from gamma distributions; their slope is computed to all digits, torch's to three."""
    decided(alpha)
    return gamma_by_alpha(Tensor(step.result()), alpha, _refuse)


@rule("_sample_dirichlet")
def dirichlet(step: Step, alpha: Tensor, generator: Any = None) -> Tensor:
    """Rows of numbers that sum to 1: dx = (I - x 𝟏ᵀ) diag(s) dα, with torch's own slopes s."""
    numbers, sample = np.asarray(decided(alpha)), Tensor(step.result())

    def pull(cotangents: Sequence[Tensor]) -> Sequence[Tensor]:
        g = cotangents[0]
        slope = Tensor(_slopes(sample.raw, numbers))
        held = ruled("the slope of a Dirichlet sample", slope, [alpha], _refuse)
        return [held * (g - reduce_sum(sample * g, [-1], keepdims=True))]

    return ruled("Dirichlet", sample, [alpha], pull)


@rule("_standard_gamma_grad", "_dirichlet_grad")
def slopes(step: Step, *operands: Tensor) -> Tensor:
    """What torch's backward of a sample asks for: torch's numbers, of which there is no slope."""
    for operand in operands:
        decided(operand)
    return ruled("the slope of a sample", Tensor(step.result()), operands, _refuse)


def _slopes(sample: Any, alpha: Any) -> Any:
    """Ask torch how each number goes with its own parameter."""
    torch = torch_module()
    x, a = torch.tensor(sample), torch.tensor(alpha, dtype=torch.float64)
    made = torch.ops.aten._dirichlet_grad(x.double(), a, a.sum(-1, True).expand_as(a))  # noqa: SLF001 - its name
    return to_numpy(made).astype(sample.dtype)
