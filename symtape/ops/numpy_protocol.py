"""NumPy's functions on tensors: recorded where a tape watches, else plain NumPy.

An array on the left of an operator leaves the result to the tensor on its right, which is a tensor.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.numpy_dtypes import promoted
from symtape.ops.numpy_functions import FUNCTIONS
from symtape.ops.numpy_ufuncs import ACCUMULATED, REDUCED, REFLECTED, UFUNCS
from symtape.ops.scipy_ufuncs import scipy_ufunc
from symtape.tensor.convert import convert
from symtape.tensor.recorder import THREAD
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, value_of
from symtape.tensor.variable import Variable

_TENSORS: tuple[type[Any], ...] = (Tensor, Variable)


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Answer a NumPy function of elements, an operator of an array on the left, or a reduction."""
    first = inputs[0]
    if method == "__call__" and not kwargs and len(inputs) == 2 and not isinstance(first, _TENSORS):
        reflected = REFLECTED.get(ufunc)
        if reflected is not None:
            return getattr(inputs[1], reflected)(first)
    if not any(map(_is_watched, inputs)) and not any(map(_is_watched, kwargs.get("out", ()))):
        return getattr(ufunc, method)(*_plain(inputs), **_plain(kwargs))
    room = "np" if getattr(np, ufunc.__name__, None) is ufunc else "scipy.special"
    name = f"{room}.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
    if method == "__call__":
        run = UFUNCS.get(ufunc) or scipy_ufunc(ufunc)
        return _recorded(name, run, ufunc, promoted(inputs), kwargs)
    table = {"reduce": REDUCED, "accumulate": ACCUMULATED}.get(method, {})
    return _recorded(name, _along(method, table.get(ufunc)), getattr(ufunc, method), inputs, kwargs)


def _along(method: str, run: Any) -> Any:
    """Give `reduce` and `accumulate` their arguments: without an axis it is the first."""
    if run is None or method == "accumulate":
        return run

    def reduce(array: Any, axis: Any = 0, *, keepdims: bool = False) -> Tensor:
        made: Tensor = run(array, axis, keepdims)
        return made

    return reduce


def array_function(
    self: Any, function: Any, types: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Answer a NumPy function of whole arrays."""
    if not _holds_watched((*args, *kwargs.values())):
        return function(*_plain(args), **_plain(kwargs))
    name = f"np.{function.__module__.removeprefix('numpy').removeprefix('.')}".rstrip(".")
    run = FUNCTIONS.get(function)
    return _recorded(f"{name}.{function.__name__}", run, function, args, dict(kwargs))


def _recorded(
    name: str, run: Any, original: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Record a call, or compute it plainly if its result can have no gradient; else refuse."""
    left_out = np._NoValue  # noqa: SLF001 - NumPy's own default
    kwargs = {
        k: v for k, v in kwargs.items() if v is not left_out and (k == "axis" or v is not None)
    }
    if run is not None and _accepts(run, args, kwargs):
        return run(*args, **kwargs)
    if run is None and "out" not in kwargs and not name.endswith(".at"):
        result = original(*_plain(args), **_plain(kwargs))
        if not _can_have_gradient(result):
            return result
    shapes = ", ".join(str(np.shape(_plain(a))) for a in args if isinstance(a, _TENSORS))
    given = f" with {', '.join(kwargs)}" if kwargs else ""
    raise UnsupportedError(
        f"{name}{given} of a tensor of shape {shapes} that a tape watches has no recorded form, so "
        "its gradient would be lost: use a function of tf, or x.numpy() for the value alone"
    )


def _accepts(run: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Say whether every argument given is one that is honoured."""
    try:
        inspect.signature(run).bind(*args, **kwargs)
    except TypeError:
        return False
    return "name" not in kwargs


def _can_have_gradient(result: Any) -> bool:
    if isinstance(result, (list, tuple)):
        return any(map(_can_have_gradient, result))
    return (
        isinstance(result, (np.ndarray, np.generic, float, complex))
        and np.asarray(result).dtype.kind in "fcV"
    )


def _is_watched(x: Any) -> bool:
    """Say whether an active tape would record what is computed from a tensor."""
    recordings = THREAD.state.recordings
    if not recordings or not isinstance(x, _TENSORS):
        return False
    if isinstance(x, Variable):
        place = id(x.handle.tensor)
        smooth = x.dtype.is_floating or x.dtype.is_complex
        return smooth and any(
            place in r.known or (x.trainable and r.watches_variables) for r in recordings
        )
    place, kind = id(x), dtype_of(x).kind
    if kind == "b":  # what a condition may come from
        return any(place in r.shadows for r in recordings)
    return kind in "fcV" and any(place in r.known for r in recordings)


def _holds_watched(values: Any) -> bool:
    if isinstance(values, (list, tuple)):
        return any(map(_holds_watched, values))
    return _is_watched(values)


def _plain(value: Any) -> Any:
    """Replace tensors by arrays, in lists, tuples and dicts too."""
    if isinstance(value, _TENSORS):
        return np.asarray(value_of(convert(value)))[()]
    if isinstance(value, (list, tuple)):
        made = [_plain(v) for v in value]
        return made if isinstance(value, list) else tuple(made)
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return value


for _kind in _TENSORS:
    _kind.__array_ufunc__ = array_ufunc
    _kind.__array_function__ = array_function
