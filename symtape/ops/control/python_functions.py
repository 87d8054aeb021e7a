"""`tf.py_function` and `tf.numpy_function`: Python that TensorFlow calls as one operation."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from symtape import errors, nest
from symtape.calculus.derive import is_differentiable, reachable
from symtape.ops.arguments import plain
from symtape.ops.elementwise.arithmetic import add, multiply_no_nan
from symtape.ops.random.scopes import eagerly
from symtape.ops.reductions.reduction import reduce_sum
from symtape.tensor.convert import convert
from symtape.tensor.recording.recorder import THREAD, Recording
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,  # noqa: N803 - TensorFlow's name
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a function of NumPy arrays; no gradient flows through it.

    As TensorFlow run eagerly, it gives what the function gives, whatever `Tout` is. Without `func`
    it is a decorator. Raises `TypeError` for a decorator with `inp`, and without `Tout`.

    >>> numpy_function(np.sort, [[3.0, 1.0]], "float64").numpy()
    array([1., 3.])
    """
    _check("numpy_function", func, inp, Tout)
    if func is None:
        return lambda inner: lambda *given: numpy_function(inner, given, Tout)
    with eagerly():
        found = nest.flatten(func(*[np.array(plain(x)) for x in inp]))
    results = [None if v is None else convert(v) for v in found]
    return results[0] if len(results) == 1 else results


def py_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,  # noqa: N803 - TensorFlow's name
    name: str | None = None,
) -> Any:
    """Call a function of tensors, through which gradients flow.

    As in TensorFlow, it is connected to each of `inp`: the gradient to one that the function does
    not use is 0. Without `func` it is a decorator. What the function raises becomes TensorFlow's:
    `InvalidArgumentError` for a `ValueError`, a `TypeError`, and a result that is not of the dtype
    in `Tout`; `OutOfRangeError`, `ResourceExhaustedError`, `UnimplementedError` and `UnknownError`
    for others. Raises `TypeError` for a decorator with `inp`.

    >>> py_function(lambda x: x * 2, [3.0], "float32").numpy()
    np.float32(6.0)
    """
    _check("py_function", func, inp, Tout)
    if func is None:
        return lambda inner: lambda *given: py_function(inner, given, Tout)
    inputs = [convert(x) for x in inp]
    try:
        with eagerly():
            found = func(*inputs)
        results = _results(found, Tout if isinstance(Tout, (list, tuple)) else [Tout])
    except (errors.SymtapeError, errors.OpError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, TensorFlow has a type for it
        _raise_as_tensorflow(error, len(inputs), len(nest.flatten(Tout)))
    results = [_connected(x, inputs) for x in results]
    return results if isinstance(Tout, (list, tuple)) else results[0]


def _check(name: str, func: Any, inp: Any, tout: Any) -> None:
    if func is None and inp is not None:
        raise TypeError(
            f"Don't set the `inp` argument when using tf.{name} as a decorator (`func=None`)."
        )
    if tout is None:
        raise TypeError(
            f"Missing required argument: 'Tout'\n  If using tf.{name} as a decorator, set `Tout`\n"
            f"  **by name** above the function:\n  `@tf.{name}(Tout=tout)`"
        )


def _results(found: Any, wanted: Sequence[Any]) -> list[Tensor]:
    """Convert what a function gave to the dtypes that were announced."""
    given = list(found) if isinstance(found, (list, tuple)) else [found]
    return [convert(v, t) for v, t in zip(given, wanted, strict=False)]


_TYPES: dict[type[Exception], type[errors.OpError]] = {
    ValueError: errors.InvalidArgumentError,
    TypeError: errors.InvalidArgumentError,
    StopIteration: errors.OutOfRangeError,
    MemoryError: errors.ResourceExhaustedError,
    NotImplementedError: errors.UnimplementedError,
}


def _raise_as_tensorflow(error: Exception, inputs: int, outputs: int) -> NoReturn:
    """Raise what TensorFlow makes of an exception that left a function of Python."""
    kind = next((_TYPES[c] for c in type(error).__mro__ if c in _TYPES), errors.UnknownError)
    trace = "".join(traceback.format_exception(error))
    text = f"{type(error).__name__}: {error}\n{trace}\n"
    raise kind.of(f"EagerPyFunc_Tin_{inputs}_Tout_{outputs}", text) from error


# --- connected to what it does not use ------------------------------------------------------------


def _connected(result: Tensor, inputs: Sequence[Tensor]) -> Tensor:
    """Add zero times each input that does not reach a result, so that its gradient is 0."""
    if not is_differentiable(dtype_of(result)):
        return result
    for x in inputs:
        if dtype_of(x) == dtype_of(result) and any(
            id(x) in recording.known and not _reaches(recording, x, result)
            for recording in THREAD.state.recordings
        ):
            result = add(result, multiply_no_nan(reduce_sum(x), Literal.of(0, dtype_of(x))))
    return result


def _reaches(recording: Recording, x: Tensor, result: Tensor) -> bool:
    """Say whether a derivative flows from one tensor to another in a recording."""
    position = recording.known.get(id(result))
    if position is None:
        return False
    program, places = recording.program()
    return reachable(program, [places[recording.known[id(x)]]])[places[position]]
