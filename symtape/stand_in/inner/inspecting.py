"""`tensorflow.python.util.tf_inspect`: Python's `inspect`, which sees through decorators."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from symtape.stand_in.inner.decorating import TFDecorator, unwrap

FullArgSpec = inspect.FullArgSpec
Parameter = inspect.Parameter
Signature = inspect.Signature
getdoc = inspect.getdoc
getmembers = inspect.getmembers
getmodule = inspect.getmodule
getmro = inspect.getmro


class ArgSpec(NamedTuple):
    """The arguments of a function, as Python 2 told them."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def getfullargspec(obj: Any) -> inspect.FullArgSpec:
    """Tell the arguments of a function, or what its decorator says they are.

    >>> getfullargspec(lambda x, y=1: x).args
    ['x', 'y']
    """
    around, target = unwrap(obj)
    return _told(around) or _plain(target)


def _plain(target: Any) -> inspect.FullArgSpec:
    """Tell the arguments of a function; of ours what is within, which takes TensorFlow's."""
    while _is_ours(target) and hasattr(target, "__wrapped__"):
        target = target.__wrapped__
    told = inspect.getfullargspec(target)
    return told._replace(annotations={}) if _is_ours(target) else told


def _is_ours(target: Any) -> bool:
    """Say where what is within stands: a function that TensorFlow's name answers is told as its."""
    home = getattr(inspect.unwrap(target), "__module__", None) or ""
    return home.partition(".")[0] == __name__.partition(".")[0]


def _told(around: list[TFDecorator]) -> inspect.FullArgSpec | None:
    """Give the arguments that a decorator says a function has."""
    return next((d.decorator_argspec for d in around if d.decorator_argspec is not None), None)


def getargspec(obj: Any) -> Any:
    """Tell the arguments of a function, of a class's `__init__`, or of an object that is called.

    Raises `ValueError` for a `partial` that has words which its function has not, and for one after
    whose words others have no default.

    >>> getargspec(lambda x, *rest, y=1: x)
    ArgSpec(args=['x', 'y'], varargs='rest', keywords=None, defaults=(1,))
    """
    if isinstance(obj, partial):
        return _of_partial(obj)
    around, target = unwrap(obj)
    if told := _told(around):
        return told
    ways = [target]
    if isinstance(target, type):
        ways += [getattr(target, name) for name in ("__init__", "__new__")]
    for way in ways:
        try:
            return _of_function(way)
        except TypeError:
            continue
    return _of_function(type(target).__call__)


def _of_function(target: Any) -> ArgSpec:
    """Tell those that are given by words alone behind the others."""
    told = getfullargspec(target)
    defaults = (*(told.defaults or ()), *(told.kwonlydefaults or {}).values())
    return ArgSpec([*told.args, *told.kwonlyargs], told.varargs, told.varkw, defaults or None)


def _of_partial(obj: partial[Any]) -> ArgSpec:
    args, varargs, keywords, defaults = getargspec(obj.func)
    args, given = args[len(obj.args) :], dict(obj.keywords)
    if not keywords and (unknown := next((word for word in given if word not in args), None)):
        raise ValueError(
            f"{obj} does not have a **kwargs parameter, but contains an unknown partial keyword "
            f"{unknown}."
        )
    known = dict(zip(args[::-1], (defaults or ())[::-1], strict=False)) | given
    first = next((k for k, name in enumerate(args) if name in known), None)
    if first is None:
        return ArgSpec(args, varargs, keywords, None)
    if without := [name for name in args[first:] if name not in known]:
        raise ValueError(
            f"{obj} has some keyword-only arguments, which are not supported: {without}."
        )
    return ArgSpec(args, varargs, keywords, tuple(known[name] for name in args[first:]))


def getcallargs(*func_and_positional: Any, **named: Any) -> dict[str, Any]:
    """Say which argument has which value in a call; those that it leaves out have their defaults.

    >>> getcallargs(lambda x, y=1: x, 5)
    {'x': 5, 'y': 1}
    """
    function, *positional = func_and_positional
    told = getfullargspec(function)
    given = dict(named)
    owner = getattr(function, "__self__", None)
    if ismethod(function) and owner is not None:
        positional = [owner, *positional]
    given |= dict(zip([n for n in told.args if n not in given], positional, strict=False))
    plain = dict(zip(told.args[::-1], (told.defaults or ())[::-1], strict=False))
    for name, value in {**dict([*plain.items()][::-1]), **(told.kwonlydefaults or {})}.items():
        given.setdefault(name, value)
    return given


def isanytargetmethod(object: Any) -> bool:
    """Say whether what is called at last, or on the way, is a method.

    >>> isanytargetmethod([].append), isanytargetmethod(lambda: 0)
    (True, False)
    """
    around, target = unwrap(object)
    if any(inspect.ismethod(d.decorated_target) for d in around):
        return True
    while isinstance(target, partial):
        target = target.func
    return callable(target) and not inspect.isfunction(target)


def _through(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of `inspect` that looks at what decorators stand around."""

    def looked(object: Any, **kwargs: Any) -> Any:
        return function(unwrap(object)[1], **kwargs)

    looked.__name__ = looked.__qualname__ = function.__name__
    looked.__doc__ = function.__doc__
    return looked


signature = _through(inspect.signature)
getfile = _through(inspect.getfile)
getsource = _through(inspect.getsource)
getsourcefile = _through(inspect.getsourcefile)
getsourcelines = _through(inspect.getsourcelines)
isbuiltin = _through(inspect.isbuiltin)
isclass = _through(inspect.isclass)
isfunction = _through(inspect.isfunction)
isgenerator = _through(inspect.isgenerator)
isgeneratorfunction = _through(inspect.isgeneratorfunction)
ismethod = _through(inspect.ismethod)
ismodule = _through(inspect.ismodule)
isroutine = _through(inspect.isroutine)
