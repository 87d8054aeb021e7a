"""`array += tensor`: as in TensorFlow a tensor takes the array's name, and the array stays.

NumPy asks for the same as by `np.add(array, tensor, out=array)`, which writes into the array. What
the caller wrote is in the instruction that it is at.
"""

from __future__ import annotations

import opcode
from collections.abc import Sequence
from types import FrameType
from typing import Any

import numpy as np

from symtape.ops.numpy.ufuncs import REFLECTED
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

_BINARY_OP = opcode.opmap["BINARY_OP"]
_FIRST = next(k for k, (_, sign) in enumerate(opcode._nb_ops) if sign == "+=")  # type: ignore[attr-defined]  # noqa: SLF001 - the one list of them
"""The argument of the first of the operators that assign; the others come after it."""


def is_augmented(frame: FrameType, ufunc: Any, inputs: Sequence[Any], out: Sequence[Any]) -> bool:
    """Say whether a caller assigns to an array by an operator with a tensor on its right.

    What may be a part of an array is none if a recording follows the tensor: the whole would be
    cut from it.
    """
    if ufunc not in REFLECTED or len(inputs) != 2 or len(out) != 1 or out[0] is not inputs[0]:
        return False
    if not isinstance(out[0], np.ndarray):
        return False
    if out[0].base is not None and is_followed(inputs[1]):
        return False
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at] == _BINARY_OP and code[at + 1] >= _FIRST


def is_followed(x: Any, *, by_tapes: bool = False) -> bool:
    """Say whether an active recording would record what is computed from a tensor."""
    if not isinstance(x, (Tensor, Variable)):
        return False
    recordings = [r for r in THREAD.state.recordings if not (by_tapes and r.refuses)]
    if isinstance(x, Variable):
        smooth = x.dtype.is_floating or x.dtype.is_complex
        tensor = x.handle.tensor
        return smooth and any([id(tensor) in r.known or r.watches(x.handle) for r in recordings])
    return any([r.follows(x) for r in recordings])
