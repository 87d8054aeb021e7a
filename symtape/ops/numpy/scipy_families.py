"""Special functions of SciPy with orders, degrees and shapes that are numbers, or several results.

`OF_NUMBERS` has how many numbers come first in a call, and what the function is of them and of
tensors. `SEVERAL` are the functions whose results are a tuple.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.elementwise import arithmetic
from symtape.ops.elementwise.conversion import cast
from symtape.program.functions import families
from symtape.program.functions import special as functions
from symtape.program.functions.scalar import Kind
from symtape.program.numbers import decimal_number
from symtape.program.operations import Map, parameter
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of

Run = Callable[[Tensor], Tensor]


def as_float(x: Tensor) -> Tensor:
    """Cast whole numbers to what NumPy casts them to safely, as SciPy does."""
    dtype = dtype_of(x)
    return cast(x, np.result_type(dtype, np.float32)) if dtype.kind in "iub" else x


@lru_cache(maxsize=1024)
def of_number(kind: Kind, *numbers: float) -> Run:
    """Give what a function is of a tensor, after numbers."""
    return partial(apply1, Map.of(kind(*map(decimal_number, numbers), parameter(0)), 1))


def _of_last(run: Run, *tensors: Tensor) -> Tensor:
    return run(as_float(tensors[-1]))


class Numbered(NamedTuple):
    """A function whose first arguments are numbers: how many, what it is, if the first counts."""

    numbers: int
    run: Callable[..., Run]
    are_whole: bool = False

    def at(self, inputs: tuple[Any, ...]) -> Run | None:
        """Give what the function is of its last argument, or None if others are no such numbers."""
        numbers = inputs[: self.numbers]
        if len(inputs) != self.numbers + 1 or not all(map(_is_number, numbers)):
            return None
        if self.are_whole and any(n != int(n) or n < 0 for n in numbers[:1]):
            return None
        plain = [n.item() if isinstance(n, np.ndarray | np.generic) else n for n in numbers]
        return _after(self.run, *plain)


@lru_cache(maxsize=1024)
def _after(run: Callable[..., Run], *numbers: float) -> Callable[..., Tensor]:
    """Give what takes all arguments of a call, the numbers too."""
    return partial(_of_last, run(*numbers))


def _is_number(value: Any) -> bool:
    """Say whether a value is one real number, and no tensor."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iuf" and bool(np.isfinite(value))
    return isinstance(value, Real) and bool(np.isfinite(float(value)))


def _of(kind: Kind, count: int = 1, *, are_whole: bool = False) -> Numbered:
    return Numbered(count, lambda *numbers: of_number(kind, *numbers), are_whole)


def _of_rest(run: Run) -> Run:
    return lambda x: run(arithmetic.subtract(1.0, x))


def _polynomial(kind: Kind, count: int = 1) -> Numbered:
    return _of(kind, count, are_whole=True)


def _of_scaled(kind: Kind, scale: float, shift: float, factor: float = 1.0) -> Numbered:
    """Give a polynomial of scale·x + shift."""

    def run(n: float) -> Run:
        inner = of_number(kind, n)

        def apply(x: Tensor) -> Tensor:
            made = inner(arithmetic.add(arithmetic.multiply(x, scale), shift))
            return arithmetic.multiply(made, factor)

        return apply

    return Numbered(1, run, are_whole=True)


OF_NUMBERS: dict[str, Numbered] = {
    "jv": _of(functions.bessel_j),
    "yv": _of(functions.bessel_y),
    "yn": _of(functions.bessel_y, are_whole=True),
    "iv": _of(functions.bessel_i),
    "kv": _of(functions.bessel_k),
    "kn": _of(functions.bessel_k, are_whole=True),
    "betainc": _of(functions.betainc, 2),
    "betaincc": Numbered(2, lambda a, b: _of_rest(of_number(functions.betainc, b, a))),
    "expn": _of(families.exp_integral, are_whole=True),
    "hyp0f1": _of(families.confluent_limit),
    "hyp1f1": _of(families.confluent, 2),
    "hyp2f1": _of(families.hypergeometric, 3),
    "eval_legendre": _polynomial(families.legendre),
    "eval_chebyt": _polynomial(families.chebyshev_t),
    "eval_chebyu": _polynomial(families.chebyshev_u),
    "eval_chebyc": _of_scaled(families.chebyshev_t, 0.5, 0.0, 2.0),
    "eval_chebys": _of_scaled(families.chebyshev_u, 0.5, 0.0),
    "eval_sh_legendre": _of_scaled(families.legendre, 2.0, -1.0),
    "eval_sh_chebyt": _of_scaled(families.chebyshev_t, 2.0, -1.0),
    "eval_sh_chebyu": _of_scaled(families.chebyshev_u, 2.0, -1.0),
    "eval_gegenbauer": _polynomial(families.gegenbauer, 2),
    "eval_jacobi": _polynomial(families.jacobi, 3),
    "eval_laguerre": Numbered(1, lambda n: of_number(families.laguerre, n, 0), are_whole=True),
    "eval_genlaguerre": _polynomial(families.laguerre, 2),
    "eval_hermite": _polynomial(families.hermite),
    "eval_hermitenorm": _polynomial(families.hermite_of_normal),
}
"""By the names that SciPy's functions say they have."""


def _each(*kinds: Kind) -> Callable[[Tensor], tuple[Tensor, ...]]:
    return lambda x: tuple([of_number(kind)(x) for kind in kinds])


SEVERAL: dict[str, Callable[[Tensor], tuple[Tensor, ...]]] = {
    "fresnel": _each(functions.fresnel_sin, functions.fresnel_cos),
    "sici": _each(families.sine_integral, families.cosine_integral),
    "airy": _each(
        families.airy_ai, families.airy_ai_slope, families.airy_bi, families.airy_bi_slope
    ),
}
"""Functions of several results."""
