"""Which functions of an object are saved, and for which arguments."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from symtape.errors import UnsupportedError
from symtape.ops.control.concrete import ConcreteFunction
from symtape.ops.control.function import Function
from symtape.ops.control.signatures import Structure, described
from symtape.signatures import read_signature
from symtape.training.saved.functions import KINDS, LoadedFunction, Parameter, Signature, bound
from symtape.training.saved.named import SignatureFunction
from symtape.training.saved.tracing import concrete


class Saved(NamedTuple):
    """A function that is written: for which arguments there are programs, or why for none.

    A signature has names for its tensors.
    """

    name: str
    parameters: tuple[Parameter, ...]
    signatures: tuple[Signature, ...]
    refused: str | None = None
    names: tuple[str, ...] | None = None


def functions_of(thing: Any) -> Iterator[tuple[str, Function | LoadedFunction]]:
    """List the functions that are attributes of an object, or methods of its class, by name."""
    names = dict.fromkeys(name for kind in type(thing).__mro__ for name in vars(kind))
    for name in [*sorted(names), *vars(thing)]:
        held = inspect.getattr_static(thing, name, None)
        if isinstance(held, (Function, LoadedFunction)):
            yield name, getattr(thing, name)


def saved(function: Function | ConcreteFunction | LoadedFunction, name: str) -> Saved:
    """Record a function for its `input_signature`, or for what it was called with.

    Raises `UnsupportedError` where its `input_signature` has no program. What it was called with
    and has none is left out, with a warning.
    """
    if isinstance(function, SignatureFunction):
        return saved(function.loaded, name)._replace(names=function.names)
    if isinstance(function, LoadedFunction):
        return Saved(name, tuple(function.parameters), function.signatures, function.refused)
    if isinstance(function, ConcreteFunction):
        parameters = _parameters(function.function)
        structure = described(bound(parameters, *function.structured_input_signature))
        programs = (_signature(function.function, structure, name),)
        return Saved(name, parameters, programs, names=tuple(function.tensor_names))
    parameters = _parameters(function)
    if function.input_signature is not None:
        given = bound(parameters, tuple(function.input_signature), {})
        structure = described(given)
        names = tuple(function.get_concrete_function().tensor_names)
        return Saved(name, parameters, (_signature(function, structure, name),), names=names)
    found, refused = [], None
    for structure in _called(function, parameters):
        try:
            found.append(_signature(function, structure, name))
        except UnsupportedError as error:
            refused = refused or str(error)
    if refused is not None:
        warnings.warn(
            f"tf.saved_model.save leaves out a signature of {refused}", UserWarning, stacklevel=4
        )
    if not function.calls.is_whole:
        warnings.warn(
            f"tf.saved_model.save keeps the first signatures of {name} alone, which was called "
            "with many: give it an input_signature",
            UserWarning,
            stacklevel=4,
        )
    return Saved(name, parameters, tuple(found), None if found else refused)


def _signature(function: Callable[..., Any], structure: Structure, name: str) -> Signature:
    try:
        return Signature(structure, tuple(concrete(function, structure)))
    except UnsupportedError as error:
        raise UnsupportedError(f"{name}: {error}") from error


def _called(function: Function, parameters: tuple[Parameter, ...]) -> Iterator[Structure]:
    """Give what a function was called with; what was named has its place."""
    known = set()
    for structure in function.calls.found:
        _, positional, named = structure
        args = tuple([_Given(part) for part in positional[1:]])
        kwargs = {key: _Given(part) for key, part in zip(named[1], named[2:], strict=True)}
        args, kwargs = bound(parameters, args, kwargs)
        made = _written((args, kwargs))
        if made not in known:
            known.add(made)
            yield made


class _Given(NamedTuple):
    """An argument of which only the structure is known."""

    structure: Structure


def _written(given: Any) -> Structure:
    args, kwargs = given
    parts = {key: _of(x) for key, x in kwargs.items()}
    keys = tuple(sorted(parts))
    named = "dict", keys, *[parts[key] for key in keys]
    return "tuple", ("tuple", *map(_of, args)), named


def _of(value: Any) -> Structure:
    return value.structure if isinstance(value, _Given) else described(value)


def _parameters(function: Function) -> tuple[Parameter, ...]:
    kinds: dict[Any, str] = {kind: name for name, kind in KINDS.items()}
    kinds[inspect.Parameter.POSITIONAL_ONLY] = "positional"
    return tuple(
        Parameter(p.name, kinds[p.kind], None if p.default is p.empty else described(p.default))
        for p in read_signature(function.python_function).parameters.values()
    )
