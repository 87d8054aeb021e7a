"""ATen operations that make tensors of sizes and numbers, and those that draw them."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.torch_functions.dtypes import torch_module
from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.promotion import as_operand
from symtape.frontends.torch_functions.rules.rules import Step, read, rule
from symtape.ops.shapes import creation
from symtape.ops.shapes.repetition import broadcast_to
from symtape.tensor.tensor import Tensor


def filled(step: Step, value: Any) -> Tensor:
    """Fill the shape of the result with a number or a scalar."""
    number = as_operand(value, step.dtype)
    return broadcast_to(number, step.shape)


@rule("full", "full_like", "new_full")
def full(step: Step, *arguments: Any, fill_value: Any = None, **_: Any) -> Tensor:
    """The same number everywhere; it stands last."""
    return filled(step, arguments[-1] if fill_value is None else fill_value)


@rule("zeros", "zeros_like", "new_zeros", "_efficientzerotensor", "zero")
def zeros(step: Step, *_: Any, **__: Any) -> Tensor:
    """0 everywhere."""
    return creation.zeros(step.shape, step.dtype)


@rule("ones", "ones_like", "new_ones")
def ones(step: Step, *_: Any, **__: Any) -> Tensor:
    """1 everywhere."""
    return creation.ones(step.shape, step.dtype)


@rule("fill")
def fill(step: Step, x: Tensor, value: Any) -> Tensor:
    """The same number everywhere."""
    return filled(step, value)


@rule("scalar_tensor")
def scalar_tensor(step: Step, value: Any, **_: Any) -> Tensor:
    """One number."""
    return as_operand(value, step.dtype)


@rule("eye")
def eye(step: Step, *_: Any, **__: Any) -> Tensor:
    """1 on the diagonal, 0 elsewhere."""
    rows, columns = step.shape
    return creation.eye(rows, columns, dtype=step.dtype)


EMPTY = frozenset("empty empty_like empty_strided new_empty new_empty_strided".split())
"""Operations that make memory, and leave in it what was there."""

OF_SHAPES = frozenset(
    "zeros_like ones_like full_like new_zeros new_ones new_full rand_like randn_like "
    "randint_like".split()
)
"""Operations that take of a tensor what shape it has, and no element."""

read(
    *EMPTY,
    *(
        "arange linspace "
        "logspace tril_indices triu_indices rand rand_like randn randn_like "
        "randint randint_like randperm uniform normal bernoulli exponential "
        "geometric log_normal cauchy random multinomial poisson "
        "_unique2 unique_dim unique_consecutive bincount histc searchsorted bucketize "
        "repeat_interleave.Tensor signbit bitwise_left_shift bitwise_right_shift gcd lcm "
        "_local_scalar_dense equal __lshift__ __rshift__ "
    ).split(),
)


def spoil(tensor: Any) -> None:
    """Put in new memory what nobody computes, so that it is seen whether anybody fills it.

    What was there before can be what a kernel computes, as of an earlier call.
    """
    with torch_module().no_grad():
        if tensor.is_floating_point() or tensor.is_complex():
            tensor.detach().fill_(float("nan"))
        elif tensor.dtype is not torch_module().bool:
            tensor.detach().fill_(torch_module().iinfo(tensor.dtype).max // 3)


@rule("native_dropout")
def dropout(step: Step, x: Tensor, p: float, train: Any) -> Any:
    """x/(1 - p) where a drawn mask holds, and the mask."""
    if train is False or p == 0:
        return x, creation.ones(step.shape, np.dtype(bool))
    mask = Tensor(step.result(1))
    kept = as_dtype(mask, step.dtype)
    return x * kept * as_operand(1 / (1 - p) if p < 1 else 0.0, step.dtype), mask
