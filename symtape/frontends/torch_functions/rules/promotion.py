"""Operands of one dtype, as torch promotes them, and their truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.frontends.torch_functions.memory.views import as_dtype
from symtape.frontends.torch_functions.rules.rules import Step
from symtape.ops.elementwise import comparison
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of


def promoted(step: Step, *values: Any) -> list[Tensor]:
    """Give operands of one dtype: that of the result, or for truth values that of the operands."""
    dtype = step.dtype
    if dtype.kind == "b":
        dtype = common_dtype(values)
    return [as_operand(value, dtype) for value in values]


def as_operand(value: Any, dtype: Any) -> Tensor:
    """Give a tensor or a number of a dtype; a number stays one in the formula."""
    if isinstance(value, Tensor):
        return as_dtype(value, dtype)
    dtype = np.dtype(dtype)
    if dtype.kind in "biu" and not isinstance(value, bool):
        value = int(value)
    return (
        Literal.of(int(value) if value is True or value is False else value, dtype)
        if (dtype.kind != "b")
        else Literal.of(bool(value), dtype)
    )


def common_dtype(values: Any) -> np.dtype[Any]:
    """Give the dtype that tensors and numbers have in common."""
    tensors = [dtype_of(x) for x in values if isinstance(x, Tensor)]
    dtype: np.dtype[Any] = tensors[0]
    for other in tensors[1:]:
        dtype = np.promote_types(dtype, other) if other != dtype else dtype
    kinds = {type(x) for x in values if not isinstance(x, Tensor)}
    if float in kinds and dtype.kind in "biu":
        return np.dtype(np.float64)
    if int in kinds and dtype.kind == "b":
        return np.dtype(np.int64)
    return dtype


def inexact(step: Step, x: Tensor) -> Tensor:
    """Give an operand as floats, where it has integers and the result has floats."""
    return as_dtype(x, step.dtype) if dtype_of(x).kind in "biu" else x


def truth(x: Tensor) -> Tensor:
    """Say of each element whether it is not 0."""
    return x if dtype_of(x).kind == "b" else comparison.not_equal(x, as_operand(0, dtype_of(x)))
