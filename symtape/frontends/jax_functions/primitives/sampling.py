"""Random numbers which have a derivative by a parameter: those of gamma distributions.

The numbers are JAX's, for the parameters of the call: a formula holds for these alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from symtape.errors import UnsupportedError
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.frontends.jax_functions.values import decided
from symtape.ops.elementwise import functions as maps
from symtape.ops.random.reparameterized import gamma_by_alpha
from symtape.tensor.tensor import Tensor


def _refuse(_: Sequence[Tensor]) -> NoReturn:
    raise UnsupportedError(
        "a sample of a gamma distribution has a first derivative by its parameter, and no second "
        "one, as in JAX: take the second derivative of what has no sample in it"
    )


def _gamma(step: Step, _: Tensor, alpha: Tensor) -> Tensor:
    """Numbers from gamma distributions, or their logarithms."""
    decided(alpha)
    sample = Tensor(step.results[0])
    if not step["log_space"]:
        return gamma_by_alpha(sample, alpha, _refuse)
    return maps.log(gamma_by_alpha(maps.exp(sample), alpha, _refuse))


RULES: dict[str, Rule] = {"random_gamma": _gamma}
