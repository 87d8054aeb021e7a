"""A copy of a function in which NumPy, math and TensorFlow make what a recording follows.

NumPy hands over `np.zeros_like(x)`, and neither `np.zeros(3)` nor `np.array([x[0], 1.0])`, and what
`math.sin(x)` gives is no array at all. A copy of the function has other things under these names,
and so have the functions and classes of its file that it calls. NumPy itself stays as it is.
"""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from symtape.differentiation.custom_gradient import CustomGradient
from symtape.errors import EscapedValueError
from symtape.ops.arguments import is_tensor, plain
from symtape.ops.indexing.scattering import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
)
from symtape.ops.numpy.arrays.creation import CREATED
from symtape.ops.numpy.dtypes import stacked
from symtape.verify.frameworks.called_rules import calling, named, names_in
from symtape.verify.frameworks.scipy_functions import FUNCTIONS, of_scipy
from symtape.verify.running.written import uncompiled, written_of

_DEEPEST = 3
"""So many calls away is a function at most that is copied, too."""


def followable(given: Any) -> Callable[..., Any] | None:
    """Copy a plain function for a recording; None where nothing in it would be another thing.

    A function that Numba compiles is followed as the one that it was made of.

    >>> import symtape as tf
    >>> def turned(x):
    ...     return np.array([math.exp(x), math.sin(x)])
    >>> tf.jacobian(followable(turned))(np.array(0.0))
    array([1., 1.])
    """
    own = written_of(given)
    if own is None:
        return None
    compiled = uncompiled(given)
    copy = _copied(own.function, _DEEPEST) or (None if compiled is given else compiled)
    return None if copy is None else own.rebuilt(copy)


def ours(given: Any) -> Any:
    """Give what has a gradient of its own by TensorFlow itself as a `tf.custom_gradient` of ours.

    So is a plain function that calls one, or makes one. Anything else is given as it is.
    """
    if _has_their_gradient(given):
        return _other(given, given.__wrapped__, _DEEPEST)
    if not isinstance(given, types.FunctionType):
        return given
    things = [*named(given).values()]
    does_make = "custom_gradient" in names_in(given.__code__) and any(map(_is_tensorflow, things))
    does_call = any(map(_has_their_gradient, things))
    return _copied(given, _DEEPEST) if does_make or does_call else given


def _is_tensorflow(thing: Any) -> bool:
    return isinstance(thing, types.ModuleType) and thing.__name__ == "tensorflow"


def _has_their_gradient(thing: Any) -> bool:
    return type(thing).__module__ == "tensorflow.python.ops.custom_gradient"


def _copied(function: Any, depth: int) -> Any:
    """Copy a function with other things under the names that it uses; None for none of them."""
    new = {name: _other(thing, function, depth) for name, thing in named(function).items()}
    new = {name: thing for name, thing in new.items() if thing is not None}
    return calling(function, new) if new else None


def _other(thing: Any, user: Any, depth: int) -> Any:
    """Give what stands for a thing that a function uses; None for the thing itself."""
    if _has_their_gradient(thing):
        return CustomGradient(_copied(thing.__wrapped__, depth) or thing.__wrapped__)
    if _is_tensorflow(thing):
        return sys.modules["symtape"]
    if isinstance(thing, types.ModuleType):
        return _Module(thing) if _is_theirs(thing.__name__) else None
    plain = uncompiled(thing)
    if plain is not thing:
        return (_copied(plain, depth - 1) if depth > 1 else None) or plain
    if isinstance(thing, types.FunctionType) and thing is not user and depth > 1:
        is_near = thing.__code__.co_filename == user.__code__.co_filename
        return _copied(thing, depth - 1) if is_near else _made(thing)
    if isinstance(thing, type) and thing.__module__ == user.__module__ and depth > 1:
        return _class(thing, user, depth - 1)
    return _made(thing)


def _class(given: type, user: Any, depth: int) -> Any:
    """Derive a class whose methods are copies; None where none of them would be another one."""
    new = {}
    for name, method in vars(given).items():
        is_bound = isinstance(method, (staticmethod, classmethod))
        plain = method.__func__ if is_bound else method
        is_near = isinstance(plain, types.FunctionType)
        if is_near and plain.__code__.co_filename == user.__code__.co_filename:
            copy = _copied(plain, depth)
            if copy is not None:
                new[name] = type(method)(copy) if is_bound else copy
    return type(given)(given.__name__, (given,), new) if new else None


def _made(thing: Any) -> Any:
    """Give what stands for a function of NumPy or of math; None for what is none of these."""
    if not callable(thing) or isinstance(thing, (type, np.ufunc)):
        return _THEIRS.get(id(thing))
    return _followed(thing) if _is_theirs(getattr(thing, "__module__", None) or "") else None


def _is_theirs(module: str) -> bool:
    """Say whether a module is NumPy, math, or what is followed of SciPy, or a part of these."""
    first, _, rest = module.partition(".")
    return first in {"math", "numpy"} or (first == "scipy" and rest.partition(".")[0] in _OF_SCIPY)


_OF_SCIPY = {"", *(room for room, _ in FUNCTIONS)}


class _Module:
    """A module whose functions take and make tensors."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        thing = getattr(self._module, name)
        if isinstance(thing, types.ModuleType):
            return _Module(thing)
        made = _made(thing)
        return thing if made is None else made


def _followed(function: Any) -> Callable[..., Any]:
    """Let a function make what can be written into, and take what a recording follows."""
    if function in _FOR_WRITING:
        return _filling(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (
            EscapedValueError,
            TypeError,
        ) as error:  # NumPy 2.2 asks a tensor's dtype for its own
            theirs = of_scipy(function)
            if theirs is not None:
                return theirs(*args, **kwargs)
            if isinstance(error, TypeError):
                raise
            return _of_tensors(function)(*map(stacked, args), **kwargs)

    return call


def _of_tensors(function: Any) -> Any:
    """Give the function of NumPy that does what a function does with floats, or with lists."""
    is_plain = getattr(math, function.__name__, None) is function
    found = getattr(np, function.__name__, function) if is_plain else function
    return partial(found, like=_like()) if found in CREATED else found


def _like() -> Any:
    """Give a tensor by which NumPy makes others."""
    return CREATED[np.zeros](())


_FOR_WRITING = (np.zeros, np.ones, np.empty, np.full, np.eye, np.identity)
"""What makes arrays of numbers, into which a function may write."""


def _filling(function: Any) -> Callable[..., Any]:
    """Make an array of a shape; of floats one that is followed when it is written into."""

    def call(*args: Any, **kwargs: Any) -> Any:
        plain = function(*args, **kwargs)
        if plain.dtype.kind not in "fc":
            return plain
        made = np.zeros(plain.shape, plain.dtype, like=_like())
        return made if function in {np.zeros, np.empty} else made + plain

    return call


class _Joining:
    """What `np.r_` and `np.c_` do with arrays and numbers, without ranges and texts."""

    def __init__(self, own: Any, join: Callable[..., Any]) -> None:
        self._own, self._join = own, join

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if any(isinstance(x, (slice, str)) for x in parts):
            return self._own[key]
        return self._join([np.atleast_1d(stacked(x)) for x in parts])


class _At:
    """A function as `np.add`, whose `at` writes into tensors, too."""

    def __init__(self, own: Any, scatter: Callable[..., Any]) -> None:
        self._own, self._scatter = own, scatter

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._own(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def at(self, a: Any, indices: Any, b: Any) -> None:
        """Join what is given to what is there, as often as a place is named."""
        if not is_tensor(a):
            self._own.at(a, indices, b)
            return
        at = tuple(plain(indices)) if isinstance(indices, tuple) else plain(indices)
        places = np.arange(a.size).reshape(a.shape)[at]
        more = np.reshape(np.zeros(places.shape, like=a) + b, -1)
        flat = self._scatter(np.reshape(a, -1), places.reshape(-1, 1), more)
        a[...] = np.reshape(flat, a.shape)


_SCATTERED = {
    np.add: tensor_scatter_nd_add,
    np.subtract: tensor_scatter_nd_sub,
    np.maximum: tensor_scatter_nd_max,
    np.minimum: tensor_scatter_nd_min,
}

_THEIRS = {
    id(np.r_): _Joining(np.r_, np.concatenate),
    id(np.c_): _Joining(np.c_, np.column_stack),
    **{id(own): _At(own, scatter) for own, scatter in _SCATTERED.items()},
}
