"""Functions of one's own in the place of TensorFlow's, for types of one's own.

A function is registered for a function of TensorFlow's and the types of some of its arguments; who
calls TensorFlow's by its name, or a handler of all functions by element, comes here first.
"""

from __future__ import annotations

import importlib
import inspect
import json
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, wraps
from inspect import Parameter
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, Union

from symtape.ops.composite import Composite
from symtape.ops.control.flow import name_scope_v2
from symtape.signatures import read_signature

Run = Callable[..., Any]
Signature = Mapping[str, Any]
"""The types of some arguments, by their names."""


class Target(NamedTuple):
    """A function, the signatures that it is called for, and whether it takes TensorFlow's, too."""

    function: Run
    signatures: list[Signature]
    handler: Run | None = None
    """What was registered for all functions by element, if it was."""


TARGETS: dict[Run, list[Target]] = {}
"""By each function that answers for one of TensorFlow's, what stands in its place."""
NOTHING = object()
"""What `dispatched` gives where nothing stands in the place of a function."""
BY_ELEMENT = Path(__file__).with_name("by_element.json")
"""Which functions compute by element, as the TensorFlow that was asked has it."""
_FACE = importlib.import_module(__name__.partition(".")[0])


def dispatched(api: Run, function: Run, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Call what stands in the place of a function for such arguments, or give `NOTHING`.

    Raises `ValueError` where several functions do.
    """
    try:
        bound = _signature(function).bind(*args, **kwargs)
    except TypeError:
        return NOTHING  # it says itself which argument it lacks
    bound.apply_defaults()
    found = [t for t in TARGETS[function] if _takes(t.signatures, bound.arguments)]
    if not found:
        return NOTHING
    if len(found) > 1:
        raise ValueError(
            "Multiple dispatch targets that were registered with tf.dispatch_for "
            f"({found[0].function} and {found[1].function}) match the arguments to "
            f"{function.__name__}"
        )
    target = found[0]
    if target.handler is None:
        return target.function(*args, **kwargs)
    return target.function(api, *args, **kwargs)


@lru_cache(maxsize=4096)
def _signature(function: Run) -> inspect.Signature:
    """Read the parameters of a function that answers; TensorFlow's have no annotations."""
    found = read_signature(function)
    plain = [p.replace(annotation=Parameter.empty) for p in found.parameters.values()]
    return inspect.Signature(plain)


def _takes(signatures: Sequence[Signature], given: Mapping[str, Any]) -> bool:
    """Say whether arguments have the types of a signature, and one is made of tensors."""
    return any([_fit(signature, given) == _FITS_BEST for signature in signatures])


_DIFFERS, _FITS, _FITS_BEST = range(3)
"""How a value fits a type: not at all, so far, or as what is made of tensors."""


def _fit(signature: Signature, given: Mapping[str, Any]) -> int:
    found = [fit(annotation, given[name]) for name, annotation in signature.items()]
    return _DIFFERS if _DIFFERS in found else max(found, default=_FITS)


def fit(annotation: Any, value: Any) -> int:
    """Say how a value fits a type, a `List[…]` of types or a `Union[…]`.

    >>> fit(int, 3), fit(typing.List[int], [3, "a"]), fit(Union[int, str], "a")
    (1, 0, 1)
    """
    parts = typing.get_args(annotation)
    origin = typing.get_origin(annotation)
    if origin is Union:
        return max(fit(part, value) for part in parts)
    if origin is list:
        if not isinstance(value, (list, tuple)):
            return _DIFFERS
        found = [fit(parts[0], v) for v in value]
        return _DIFFERS if _DIFFERS in found else max(found, default=_FITS)
    if not isinstance(value, type(None) if annotation is None else annotation):
        return _DIFFERS
    return _FITS_BEST if isinstance(value, Composite) else _FITS


# --- registering ----------------------------------------------------------------------------------


def dispatch_for_api(api: Run, *signatures: Any) -> Callable[[Run], Run]:
    """Make a decorator that puts a function in the place of one of TensorFlow's.

    It is called for arguments that fit one of the signatures, dicts from names or places of
    parameters to types, or its own annotations. Raises `ValueError` and `TypeError` for what is no
    function of TensorFlow's, and for parameters and types that it cannot have.
    """
    function = _answering(api)
    own = _signature(function)
    known = [_checked(signature, own) for signature in signatures]

    def decorate(dispatch_target: Run) -> Run:
        if not callable(dispatch_target):
            raise TypeError(f"Expected dispatch_target to be callable; got {dispatch_target!r}")
        target = _with_name(dispatch_target, own)
        _check_parameters(target, own)
        chosen = known or [_checked(_annotated(target), own)]
        TARGETS.setdefault(function, []).append(Target(target, chosen))
        return target

    return decorate


def _answering(api: Any) -> Run:
    """Give the function that answers for TensorFlow's; raises `ValueError` for all others."""
    function = getattr(api, "__wrapped__", api)
    is_ours = str(getattr(function, "__module__", "")).partition(".")[0] == _FACE.__name__
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    if not is_ours or any(
        [p.kind in several for p in read_signature(function).parameters.values()]
    ):
        raise ValueError(f"{api} does not support dispatch.")
    found: Run = function
    return found


def _checked(signature: Any, own: inspect.Signature) -> Signature:
    """Name the parameters of a signature; raises what TensorFlow raises for those not there."""
    if not isinstance(signature, dict) or not all(isinstance(k, (str, int)) for k in signature):
        raise TypeError(
            "signatures must be dictionaries mapping parameter names to type annotations."
        )
    names, found = list(own.parameters), {}
    for key, annotation in signature.items():
        name = names[key] if isinstance(key, int) and key < len(names) else key
        if name not in own.parameters:
            raise ValueError(f"signature includes annotation for unknown parameter {name!r}.")
        _check_annotation(annotation)
        found[name] = annotation
    return found


def _check_annotation(annotation: Any) -> None:
    if typing.get_origin(annotation) in (Union, list):
        for part in typing.get_args(annotation):
            _check_annotation(part)
    elif annotation is not None and not isinstance(annotation, type):
        raise ValueError(
            f"Type annotation {annotation} is not currently supported by dispatch.  Supported "
            "annotations: type objects,  List[...], and Union[...]"
        )


def _annotated(target: Run) -> Signature:
    parameters = read_signature(target).parameters.values()
    found = {p.name: p.annotation for p in parameters if p.annotation is not Parameter.empty}
    if not found:
        raise ValueError(
            "The dispatch_for_api decorator must be called with at least one signature, or applied "
            "to a function that has type annotations on its parameters."
        )
    return found


def _with_name(target: Run, own: inspect.Signature) -> Run:
    """Have a function take the name that TensorFlow's takes: it becomes a scope around it."""
    signature = read_signature(target)
    kinds = [p.kind for p in signature.parameters.values()]
    if "name" not in own.parameters or "name" in signature.parameters:
        return target
    if Parameter.VAR_KEYWORD in kinds:
        return target
    place = list(own.parameters).index("name")

    @wraps(target)
    def named(*args: Any, **kwargs: Any) -> Any:
        name = args[place] if place < len(args) else kwargs.pop("name", None)
        return within(name, target, (*args[:place], *args[place + 1 :]), kwargs)

    parameters = [*signature.parameters.values(), own.parameters["name"]]
    named.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # as Python reads it
    return named


def within(name: str | None, function: Run, args: Sequence[Any], kwargs: Any) -> Any:
    """Call a function in a scope of a name, if there is one."""
    if name is None:
        return function(*args, **kwargs)
    with name_scope_v2(name):
        return function(*args, **kwargs)


def _check_parameters(target: Run, own: inspect.Signature) -> None:
    """Raise `ValueError` unless a function has the parameters of TensorFlow's."""
    signature = read_signature(target)
    theirs = [(p.name, p.kind) for p in signature.parameters.values()]
    if [kind for _, kind in theirs] == [Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD]:
        return
    if theirs != [(p.name, p.kind) for p in own.parameters.values()]:
        raise ValueError(
            f"Dispatch function's signature {signature} does not match API's signature {own}."
        )


# --- functions by element -------------------------------------------------------------------------

_HANDLERS: dict[tuple[str, tuple[Any, ...]], Run] = {}
"""What was registered for all functions by element of a kind, by the types of their operands."""


def dispatch_for_unary_elementwise_apis(x_type: Any) -> Callable[[Run], Run]:
    """Make a decorator for what stands in the place of all functions of one operand, by element.

    It is called with a function of a tensor, and with the operand. Raises `ValueError` where one is
    there already.
    """
    return _handling("unary", (x_type,))


def dispatch_for_binary_elementwise_apis(x_type: Any, y_type: Any) -> Callable[[Run], Run]:
    """Make a decorator for what stands in the place of all functions of two operands, by element.

    It is called with a function of two tensors, and with the operands. Raises `ValueError` where
    one is there already.
    """
    return _handling("binary", (x_type, y_type))


def dispatch_for_binary_elementwise_assert_apis(x_type: Any, y_type: Any) -> Callable[[Run], Run]:
    """Make a decorator for what stands in the place of all assertions on two operands.

    It is called with an assertion on two tensors, and with the operands. Raises `ValueError` where
    one is there already.
    """
    return _handling("binary assert", (x_type, y_type))


def _handling(kind: str, types: tuple[Any, ...]) -> Callable[[Run], Run]:
    def decorate(handler: Run) -> Run:
        words = kind.split()
        if (kind, types) in _HANDLERS:
            title = " ".join([words[0], "elementwise", *words[1:]])
            shown = types[0] if len(types) == 1 else f"({types[0]}, {types[1]})"
            raise ValueError(
                f"A {title} dispatch handler ({_HANDLERS[kind, types]}) has already been "
                f"registered for {shown}."
            )
        _HANDLERS[kind, types] = handler
        for function in _by_element()[kind]:
            TARGETS.setdefault(function, []).append(_of_handler(function, types, handler))
        return handler

    return decorate


def _of_handler(function: Run, types: tuple[Any, ...], handler: Run) -> Target:
    """Make what calls a handler in the place of a function by element."""
    own = _signature(function)
    names = list(own.parameters)[: len(types)]

    def run(api: Run, *args: Any, **kwargs: Any) -> Any:
        bound = own.bind(*args, **kwargs)
        given = dict(bound.arguments)
        operands = [given.pop(name) for name in names]
        name = given.pop("name", None)
        of_tensors = (lambda *tensors: api(*tensors, **given)) if given else api
        return within(name, handler, [of_tensors, *operands], {})

    run.__name__ = run.__qualname__ = f"elementwise_dispatch_target_for_{function.__name__}"
    return Target(run, [dict(zip(names, types, strict=True))], handler)


@cache
def _by_element() -> dict[str, list[Run]]:
    """Find the functions by element that are here, by the names that TensorFlow's have."""
    names = json.loads(BY_ELEMENT.read_text(encoding="utf-8"))
    return {kind: [*filter(None, map(_found, paths))] for kind, paths in names.items()}


def _found(path: str) -> Run | None:
    try:
        return attrgetter(path)(_FACE)  # type: ignore[no-any-return]  # a function of ours
    except AttributeError:
        return None


def unregister_dispatch_for(dispatch_target: Run) -> None:
    """Forget a function that stands in the place of TensorFlow's.

    Raises `ValueError` for one that does not.
    """
    before = sum(map(len, TARGETS.values()))
    for function, targets in list(TARGETS.items()):
        TARGETS[function] = [t for t in targets if dispatch_target not in (t.function, t.handler)]
        if not TARGETS[function]:
            del TARGETS[function]
    for key, handler in list(_HANDLERS.items()):
        if handler is dispatch_target:
            del _HANDLERS[key]
    if sum(map(len, TARGETS.values())) == before:
        raise ValueError(
            f"Function {dispatch_target} was not registered using a `@dispatch_for_*` decorator."
        )
