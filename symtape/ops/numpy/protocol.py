"""NumPy's functions on tensors: recorded where a tape watches, else plain NumPy.

An array on the left of an operator leaves the result to the tensor on its right, which is a tensor.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.nest.trees import take_apart
from symtape.ops.numpy.arrays.creation import CREATED
from symtape.ops.numpy.arrays.functions import FUNCTIONS, VIEWS
from symtape.ops.numpy.arrays.reduced import OF_UFUNCS
from symtape.ops.numpy.asked import KINDS, caller_of_ufunc
from symtape.ops.numpy.augmented import is_augmented, is_followed
from symtape.ops.numpy.dtypes import promoted
from symtape.ops.numpy.scipy_ufuncs import scipy_ufunc
from symtape.ops.numpy.ufuncs import ACCUMULATED, PARTED, REDUCED, REFLECTED, UFUNCS
from symtape.ops.numpy.writing import (
    accumulated,
    at_ends,
    folded,
    no_writing,
    outer,
    writes_elsewhere,
)
from symtape.program.operations import identity
from symtape.signatures import read_signature
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_as_it_is
from symtape.tensor.dispatch import apply1
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of, value_of

_QUESTIONS = {
    np.shape, np.ndim, np.size, np.iscomplexobj, np.isrealobj, np.result_type, np.can_cast,
    np.common_type, np.tril_indices_from, np.triu_indices_from, np.diag_indices_from,
}  # fmt: skip
"""NumPy's functions that ask for shapes and dtypes alone."""


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Answer a NumPy function of elements, an operator of an array on the left, or a reduction."""
    first = inputs[0]
    out = kwargs.get("out", ())
    if out and is_augmented(caller_of_ufunc(), ufunc, inputs, out):
        return getattr(inputs[1], REFLECTED[ufunc])(first)
    if method == "__call__" and not kwargs and len(inputs) == 2 and not isinstance(first, KINDS):
        reflected = REFLECTED.get(ufunc)
        if reflected is not None:
            return getattr(inputs[1], reflected)(first)
    is_recorded = any(map(is_followed, (*inputs, *out)))
    name = _ufunc_name(ufunc) + ("" if method == "__call__" else f".{method}")
    if _is_written(out):
        del kwargs["out"]
    if method == "at" and isinstance(first, KINDS):
        raise no_writing(name)  # NumPy's own writes into arrays that are locked, too
    if not is_recorded:
        made = _plainly(Call(name, getattr(ufunc, method), inputs, kwargs), value_of)
    elif method == "__call__":
        run = UFUNCS.get(ufunc) or PARTED.get(ufunc) or scipy_ufunc(ufunc, inputs)
        made = _recorded(Call(name, ufunc, promoted(inputs) if run else inputs, kwargs), run)
    else:
        call = Call(name, getattr(ufunc, method), inputs, kwargs)
        made = _recorded(call, _method(ufunc, method))
    if _is_written(out):
        out[0][...] = made
        return out[0]
    return made


def _ufunc_name(ufunc: Any) -> str:
    """Name an elementwise function as its caller does: those of `np.frompyfunc` are nobody's."""
    name: str = ufunc.__name__
    for room, title in (("numpy", "np"), ("scipy.special", "scipy.special")):
        if getattr(sys.modules.get(room), name, None) is ufunc:
            return f"{title}.{name}"
    return f"the ufunc {name}"


def _is_written(out: Sequence[Any]) -> bool:
    """Say whether a result goes to a tensor that can be written into."""
    return len(out) == 1 and isinstance(out[0], Tensor) and hasattr(out[0], "fill")


def _method(ufunc: Any, method: str) -> Any:
    """Give what a method of a ufunc is; `reduce` without an axis is along the first."""
    if method == "outer":
        return partial(outer, ufunc)
    if method == "at":
        return None
    is_binary = ufunc in UFUNCS and ufunc.nin == 2 and ufunc.signature is None
    if method == "accumulate":
        return ACCUMULATED.get(ufunc) or (partial(accumulated, ufunc) if is_binary else None)
    run = REDUCED.get(ufunc) or (partial(folded, ufunc) if is_binary else None)
    if run is None or method == "reduceat":
        return run and partial(at_ends, run)
    named = FUNCTIONS.get(OF_UFUNCS.get(ufunc))
    if named is not None:
        return partial(_along_first, named)

    def reduce(array: Any, axis: Any = 0, *, keepdims: bool = False) -> Tensor:
        made: Tensor = run(array, axis, keepdims)
        return made

    return reduce


def _along_first(run: Any, array: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
    return run(array, axis, *args, **kwargs)


def array_function(
    self: Any, function: Any, types: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Answer a NumPy function of whole arrays."""
    if function in _QUESTIONS:
        return function(*_plain(args, _hollow), **_plain(kwargs, _hollow))
    name = f"np.{function.__module__.removeprefix('numpy').removeprefix('.')}".rstrip(".")
    call = Call(f"{name}.{function.__name__}", function, args, dict(kwargs))
    is_like = function in CREATED and is_followed(self)
    if not is_like and not any(map(is_followed, take_apart((*args, *kwargs.values()))[0])):
        return _plainly(call, value_of)
    run = CREATED.get(function) or FUNCTIONS.get(function)
    return _recorded(call, None if writes_elsewhere(function, args, kwargs) else run)


class Call(NamedTuple):
    """A call of a function of NumPy's, and its name in errors."""

    name: str
    function: Any
    args: Sequence[Any]
    kwargs: dict[str, Any]


def _recorded(call: Call, run: Any) -> Any:
    """Record a call, or compute it plainly if its result can have no gradient; else refuse."""
    args = call.args
    left_out = np._NoValue  # noqa: SLF001 - NumPy's own default
    kwargs = {
        k: v
        for k, v in call.kwargs.items()
        if v is not left_out and (k == "axis" or v is not None) and (k, v) != ("order", "C")
    }  # np.full and np.ones pass on the order of rows, which is that of tensors
    if run is not None and _accepts(run, args, kwargs):
        return _announced(call._replace(kwargs=kwargs), run(*args, **kwargs))
    if run is None or not kwargs:
        result = _discrete(call)
        if result is not None:
            return result
    tensors = [a for a in take_apart((*args, *kwargs.values()))[0] if isinstance(a, KINDS)]
    given = call.name + (f" with {', '.join(kwargs)}" if kwargs else "")
    if not any(is_followed(x, by_tapes=True) for x in tensors):
        way = given if run is not None else f"{given}, which has no recorded form,"
        read = partial(value_of, way=way)  # which raises where a derivative would be lost
        return _plainly(call, read)
    shapes = ", ".join(str(shape_of(convert(x))) for x in tensors)
    hint = ", A = np.zeros_like(x) for np.zeros(...)" if "out" in kwargs else ""
    raise UnsupportedError(
        f"{given} of a tensor of shape {shapes} that a tape watches has no recorded form, so its "
        f"gradient would be lost: use a function of tf{hint}, or x.numpy() for the value alone"
    )


def _plainly(call: Call, read: Callable[[Any], Any]) -> Any:
    """Compute with arrays that cannot be written into, since they are what tensors are."""

    def locked(value: Any) -> Any:
        array = np.asarray(read(value)).view()
        array.flags.writeable = False
        return array

    if any(isinstance(x, KINDS) for x in take_apart([_out(call)])[0]):
        raise no_writing(call.name)  # accumulate of NumPy 2.2 writes into arrays that are locked
    try:
        made = call.function(*_plain(call.args, locked), **_plain(call.kwargs, locked))
    except ValueError as error:
        if not _runs(call, lambda value: np.array(read(value))):
            raise
        raise no_writing(call.name) from error
    return _unlocked(made)


def _out(call: Call) -> Any:
    """Give what a call names as the place of its result; ufuncs have it in their words."""
    if "out" in call.kwargs or isinstance(call.function, np.ufunc):
        return call.kwargs.get("out")
    try:
        return _signature(call.function).bind_partial(*call.args).arguments.get("out")
    except (TypeError, ValueError):  # of no signature, or other arguments, as NumPy will say
        return None


def _runs(call: Call, copied: Callable[[Any], Any]) -> bool:
    """Say whether a call runs with copies, which can be written into."""
    try:
        call.function(*_plain(call.args, copied), **_plain(call.kwargs, copied))
    except ValueError:
        return False
    return True


def _unlocked(made: Any) -> Any:
    """Copy what is a view of an array that cannot be written into."""
    if isinstance(made, (list, tuple)) and type(made) in {list, tuple}:
        return type(made)(map(_unlocked, made))
    is_locked = type(made) is np.ndarray and not made.flags.writeable
    return made.copy() if is_locked else made


def _discrete(call: Call) -> Any:
    """Compute what can have no gradient, with copies of arrays; give None for others."""
    try:
        result = call.function(*_plain(call.args, _copied), **_plain(call.kwargs, _copied))
    except (TypeError, ValueError):
        return None
    if not _is_discrete(result):
        return None
    for x in take_apart((*call.args, *call.kwargs.values()))[0]:
        if isinstance(x, KINDS):  # a formula with what came of it holds for these values
            decided_as_it_is(convert(x))
    return result


def _copied(value: Any) -> Any:
    """Give an array that a function may write into, and nobody sees it."""
    array = look_at(convert(value)) if isinstance(value, KINDS) else value
    return array.copy() if isinstance(array, np.ndarray) else array


def _announced(call: Call, result: Any) -> Any:
    """Tell recordings what NumPy's function made, and what it may be a view of."""
    if isinstance(result, (list, tuple)):
        for k, part in enumerate(result):
            _announce(call, part, partial(_part_again, call, k))
        return result
    is_view = call.function in VIEWS
    if isinstance(result, Tensor) and not is_view and any(result is arg for arg in call.args):
        result = apply1(identity, result)
    return _announce(call, result, partial(_again, call))


def _announce(call: Call, made: Any, make: Callable[[Any], Any]) -> Any:
    if isinstance(made, Tensor):
        base = _base(call)
        for recording in THREAD.state.recordings:
            recording.from_numpy(made, make, base)
    return made


def _base(call: Call) -> Any:
    """Give the array that a result may be a view of, which one of several operands is not."""
    place = VIEWS.get(call.function, len(call.args))
    if call.function is np.einsum and len(call.args) > place + 1:
        return None
    return call.args[place] if place < len(call.args) else None


def _again(call: Call, base: Any) -> Any:
    arrays = (*KINDS, np.ndarray)
    args = [_hollow(convert(a)) if isinstance(a, arrays) else a for a in call.args]
    args[VIEWS[call.function]] = base
    return call.function(*args, **call.kwargs)


def _part_again(call: Call, k: int, base: Any) -> Any:
    return _again(call, base)[k]


def _accepts(run: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Say whether every argument given is one that is honoured."""
    try:
        _signature(run).bind(*args, **kwargs)
    except TypeError:
        return False
    return "name" not in kwargs


_signature = lru_cache(4096)(read_signature)


def _is_discrete(result: Any) -> bool:
    """Say whether nothing in a result can have a gradient: whole numbers, truth, and text."""
    if isinstance(result, (list, tuple)):
        return all(map(_is_discrete, result))
    if isinstance(result, (np.ndarray, np.generic)):
        return result.dtype.kind in "biuSU"
    return isinstance(result, (int, str, np.dtype))


def _hollow(tensor: Tensor) -> Any:
    """Make an array of the shape and dtype of a tensor, and of no memory."""
    return np.broadcast_to(np.zeros((), dtype_of(tensor)), shape_of(tensor))


def _plain(value: Any, read: Callable[[Any], Any]) -> Any:
    """Replace tensors by arrays, in lists, tuples and dicts too."""
    if isinstance(value, KINDS):
        return np.asarray(read(convert(value)))[()]
    if isinstance(value, (list, tuple)):
        made = [_plain(v, read) for v in value]
        return made if isinstance(value, list) else tuple(made)
    if isinstance(value, dict):
        return {k: _plain(v, read) for k, v in value.items()}
    return read(value) if read is _copied else value


for _kind in KINDS:
    _kind.__array_ufunc__ = array_ufunc
    _kind.__array_function__ = array_function
