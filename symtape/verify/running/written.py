"""The function that an author wrote for a candidate, whose source is read, followed and changed."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple

from symtape.signatures import read_signature


class Written(NamedTuple):
    """A plain function, and the candidate with another one in its place.

    One that `is_joint` has other results than the candidate, as a rule of `jax.custom_jvp` has.
    """

    function: Any
    rebuilt: Callable[[Any], Callable[..., Any]]
    is_joint: bool = False


def written_of(candidate: Any) -> Written | None:
    """Give what was written for a candidate: itself, or the backward of a framework's function.

    Of a function that Numba compiles it is the one that it was made of.

    >>> written_of(lambda x: x).rebuilt(abs)(-1.0)
    1.0
    >>> written_of(abs) is None
    True
    """
    plain = uncompiled(candidate)
    if isinstance(plain, types.FunctionType):
        return Written(plain, lambda function: function)
    found = getattr(candidate, "written", None)
    return found if isinstance(found, Written) else None


def uncompiled(thing: Any) -> Any:
    """Give the plain function of one that Numba compiles; anything else is given as it is."""
    plain = getattr(thing, "py_func", None)
    return plain if isinstance(plain, types.FunctionType) else thing


def signed(thing: Any) -> Any:
    """Give what has the parameters of a function, or of a layer, which passes anything on.

    A layer of Keras has a `call`, and a module of PyTorch a `forward`.

    >>> class Layer:
    ...     def __call__(self, *args):
    ...         return self.call(*args)
    ...     def call(self, x):
    ...         return x
    >>> str(read_signature(signed(Layer())))
    '(x)'
    """
    if isinstance(thing, (type, types.FunctionType)):
        return thing
    try:
        parameters = read_signature(thing).parameters.values()
    except (TypeError, ValueError):
        return thing
    if all(p.kind is not p.VAR_POSITIONAL for p in parameters):
        return thing
    inner = (getattr(thing, name, None) for name in ("call", "forward"))
    return next(filter(callable, inner), thing)
