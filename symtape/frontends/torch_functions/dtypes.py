"""Values that cross between torch and NumPy, element by element as they are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.extras import imported
from symtape.program.operations import dtype_named

_NAMES = frozenset(
    "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 "
    "complex128".split()
)


@cache
def torch_module(part: str = "") -> Any:
    """Import torch, or a part of it such as `func`; the error without it names the extra."""
    return imported(f"torch.{part}" if part else "torch", "tf.from_torch", "torch")


@lru_cache(maxsize=64)
def numpy_dtype(dtype: Any) -> np.dtype[Any]:
    """Give NumPy's dtype of the same elements; raises `UnsupportedError` where there is none."""
    name = str(dtype).removeprefix("torch.")
    if name not in _NAMES:
        raise UnsupportedError(f"tensors of {dtype} have no counterpart: cast them in the function")
    return dtype_named(name)


def to_numpy(tensor: Any) -> Any:
    """Copy the elements of a torch tensor into an array, or a scalar where there are no axes.

    Raises `UnsupportedError` for a tensor that is sparse, quantized, or on no device.
    """
    dtype = numpy_dtype(tensor.dtype)
    torch = torch_module()
    if tensor.layout is not torch.strided or tensor.device.type == "meta":
        raise UnsupportedError(
            f"a tensor of layout {tensor.layout} on device {tensor.device} has no elements to "
            "read: give from_torch dense tensors"
        )
    if tensor._is_zerotensor():  # noqa: SLF001 - zeros that torch has no memory for
        return np.zeros(tuple(tensor.shape), dtype)[()]
    # of a copy: a storage that NumPy has seen cannot grow any more, as `out` must
    dense = tensor.detach().resolve_conj().resolve_neg().cpu().clone()
    try:
        if dtype.kind == "V":
            return dense.contiguous().view(torch.int16).numpy().view(dtype)[()]
        return dense.numpy()[()]
    except RuntimeError as error:
        raise UnsupportedError(
            f"a {type(tensor).__name__}, as torch makes to trace a function, has no elements to "
            "read: call what is traced itself, as torch.func.jvp in place of linearize"
        ) from error


def to_torch(array: Any, device: Any = None) -> Any:
    """Copy an array or a scalar into a torch tensor of the same dtype."""
    torch = torch_module()
    whole = np.array(array, order="C")
    if whole.dtype.kind == "V":
        made = torch.from_numpy(whole.view(np.int16)).view(torch.bfloat16)
    elif str(whole.dtype) in _NAMES:
        made = torch.from_numpy(whole)
    else:
        raise UnsupportedError(f"torch has no tensors of dtype {whole.dtype}: cast it before")
    return made if device is None else made.to(device)


def device_of(values: Iterable[Any]) -> Any:
    """Give the device of the tensors among some values, or None where all are the processor's.

    Where some are on a device and others are not, as numbers may be, it is that device.
    """
    kind = torch_module().Tensor
    devices = [x.device for x in values if isinstance(x, kind) and x.device.type != "cpu"]
    return devices[0] if devices else None
