"""`tf.py_function` and `tf.numpy_function`: Python that TensorFlow calls as one operation."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from symtape import errors, nest
from symtape.calculus.derive import is_differentiable, reachable
from symtape.ops.arguments import plain
from symtape.ops.composite import Composite
from symtape.ops.control.flow import executing_eagerly
from symtape.ops.elementwise.arithmetic import add, multiply_no_nan
from symtape.ops.random.traced.scopes import eagerly
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.spec import TensorSpec, TypeSpec
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.looking import looking
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.unknown_sizes import announced
from symtape.tensor.values import dtype_of


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,  # noqa: N803 - TensorFlow's name
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a function of NumPy arrays; no gradient flows through it.

    As in TensorFlow, it gives what the function gives, whatever `Tout` is, but within functions
    that TensorFlow traces: there results have to be arrays of those dtypes, and as many, or an
    `InvalidArgumentError` is raised, and what has no axes is a scalar. Without `func` it is a
    decorator. Raises `TypeError` for a decorator with `inp`, and without `Tout`.

    >>> numpy_function(np.sort, [[3.0, 1.0]], "float64").numpy()
    array([1., 3.])
    """
    _check("numpy_function", func, inp, Tout)
    if func is None:
        return lambda inner: lambda *given: numpy_function(inner, given, Tout)
    if looking() is not None:
        return _announced_alone(Tout)
    is_traced = not executing_eagerly()
    arrays = [np.array(plain(x)) for x in inp]
    with eagerly():
        found = func(*[array[()] if is_traced else array for array in arrays])
    if is_traced:
        return _as_announced(found, Tout)
    results = [None if v is None else convert(v) for v in nest.flatten(found)]
    return results[0] if len(results) == 1 else results


def _as_announced(found: Any, tout: Any) -> Any:
    """Make tensors of arrays, whose dtypes TensorFlow's graphs compare with those in `Tout`."""
    is_list = isinstance(tout, (list, tuple))
    wanted = [dtypes.as_dtype(t) for t in (tout if is_list else [tout])]
    results = [convert(np.asarray(v)) for v in _listed(found)]
    _check_count(len(results), len(wanted))
    for k, (x, dtype) in enumerate(zip(results, wanted, strict=True)):
        if x.dtype is not dtype:
            raise errors.InvalidArgumentError(
                message=f"{k}-th value returned by pyfunc_0 is {x.dtype.enum_name}, but expects "
                f"{dtype.enum_name}"
            )
    return results if is_list else results[0]


def _listed(found: Any) -> list[Any]:
    """List what a function gave: None is nothing."""
    if isinstance(found, (list, tuple)):
        return list(found)
    return [] if found is None else [found]


def _check_count(given: int, wanted: int) -> None:
    if given != wanted:
        raise errors.InvalidArgumentError(
            message=f"pyfunc_0 returns {given} values, but expects to see {wanted} values."
        )


def py_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,  # noqa: N803 - TensorFlow's name
    name: str | None = None,
) -> Any:
    """Call a function of tensors, through which gradients flow.

    `inp` may have ragged and sparse tensors, and `Tout` specs, of which the results have to be. As
    in TensorFlow, it is connected to each of `inp`: the gradient to one that the function does not
    use is 0. Without `func` it is a decorator. What the function raises becomes TensorFlow's:
    `InvalidArgumentError` for a `ValueError`, a `TypeError`, too few results, and one that is not
    as `Tout` says; `OutOfRangeError`, `ResourceExhaustedError`, `UnimplementedError` and
    `UnknownError` for others. Raises `TypeError` for a decorator with `inp`.

    >>> py_function(lambda x: x * 2, [3.0], "float32").numpy()
    np.float32(6.0)
    """
    _check("py_function", func, inp, Tout)
    if func is None:
        return lambda inner: lambda *given: py_function(inner, given, Tout)
    is_list = isinstance(Tout, (list, tuple))
    wanted = [_announced(t) for t in (Tout if is_list else [Tout])]
    if looking() is not None and not any([isinstance(t, TypeSpec) for t in wanted]):
        return _announced_alone(wanted if is_list else wanted[0])
    inputs = [x if isinstance(x, Composite) else convert(x) for x in inp]
    given = nest.flatten(inputs, expand_composites=True)
    try:
        with eagerly():
            found = func(*inputs)
        results = _results(found, wanted)
    except (errors.SymtapeError, errors.OpError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, TensorFlow has a type for it
        count = len(nest.flatten(wanted, expand_composites=True))
        _raise_as_tensorflow(error, len(given), count)
    made = nest.map_structure(lambda x: _connected(x, given), results, expand_composites=True)
    return made if is_list else made[0]


def _announced_alone(tout: Any) -> Any:
    """Give what is announced of results, in a run that is looked at: Python is not called."""
    if isinstance(tout, (list, tuple)):
        return [_announced_alone(t) for t in tout]
    return announced(dtypes.as_dtype(tout), None)


def _announced(t: Any) -> Any:
    """Give the dtype, or the spec of what is made of several tensors, that a result is to have."""
    if isinstance(t, TypeSpec):
        return t.dtype if isinstance(t, TensorSpec) else t
    return dtypes.as_dtype(t)


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


def _results(found: Any, wanted: Sequence[Any]) -> list[Any]:
    """Convert what a function gave to the dtypes that were announced; specs have to fit."""
    given = _listed(found) if wanted else []
    results = [_result(v, t) for v, t in zip(given, wanted, strict=False)]
    _check_count(len(results), len(wanted))
    return results


def _result(value: Any, wanted: Any) -> Any:
    if isinstance(wanted, dtypes.DType):
        return convert(value, wanted)
    if not wanted.is_compatible_with(value):
        raise ValueError(f"py_function: {value!r} is not compatible with {wanted!r}.")
    return value


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
