"""`tensorflow.python.util.tf_decorator`: functions around functions, which say so."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from symtape.signatures import read_signature

Function = TypeVar("Function", bound=Callable[..., Any])
_KEPT = ("__name__", "__qualname__", "__module__")


class TFDecorator:
    """What a function stands around, and by which decorator."""

    def __init__(
        self,
        decorator_name: str,
        target: Any,
        decorator_doc: str = "",
        decorator_argspec: inspect.FullArgSpec | None = None,
    ) -> None:
        self.decorated_target = target
        self.decorator_name = decorator_name
        self.decorator_doc = decorator_doc
        self.decorator_argspec = decorator_argspec
        for name in _KEPT[:2]:
            if hasattr(target, name):
                setattr(self, name, getattr(target, name))
        self.__doc__ = decorator_doc or getattr(target, "__doc__", None) or ""

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self.decorated_target.__get__(instance, owner)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call what is within."""
        return self.decorated_target(*args, **kwargs)


def make_decorator(
    target: Any,
    decorator_func: Function,
    decorator_name: str | None = None,
    decorator_doc: str = "",
    decorator_argspec: inspect.FullArgSpec | None = None,
) -> Function:
    """Give a function that stands around another one its name, its text and its signature.

    >>> def around(*args): return 2 * plus(*args)
    >>> def plus(x, y): return x + y
    >>> made = make_decorator(plus, around, "twice")
    >>> made.__name__, made(1, 2), made._tf_decorator.decorator_name
    ('plus', 6, 'twice')
    """
    if decorator_name is None:
        frame = inspect.currentframe()
        caller = frame.f_back if frame is not None else None
        decorator_name = caller.f_code.co_name if caller is not None else ""
    made: Any = decorator_func
    around = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    made._tf_decorator = around  # noqa: SLF001 - TensorFlow's name for it
    for name in _KEPT:
        if hasattr(target, name):
            setattr(made, name, getattr(target, name))
    for name, value in getattr(target, "__dict__", {}).items():
        made.__dict__.setdefault(name, value)
    made.__doc__ = around.__doc__
    made.__wrapped__ = made.__original_wrapped__ = target
    made.__signature__ = _signature(target, decorator_argspec)
    return decorator_func


def _signature(target: Any, spec: inspect.FullArgSpec | None) -> inspect.Signature:
    if spec is None:
        return read_signature(target)
    kind = inspect.Parameter
    plain = dict(zip(spec.args[::-1], (spec.defaults or ())[::-1], strict=False))
    named = spec.kwonlydefaults or {}
    found = [
        kind(n, kind.POSITIONAL_OR_KEYWORD, default=plain.get(n, kind.empty)) for n in spec.args
    ]
    if spec.varargs is not None:
        found.append(kind(spec.varargs, kind.VAR_POSITIONAL))
    found += [kind(n, kind.KEYWORD_ONLY, default=named.get(n, kind.empty)) for n in spec.kwonlyargs]
    if spec.varkw is not None:
        found.append(kind(spec.varkw, kind.VAR_KEYWORD))
    return inspect.Signature(found)


def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """List what stands around a function, from without to within, and give the function.

    >>> unwrap(abs)
    ([], <built-in function abs>)
    """
    found: list[TFDecorator] = []
    inner = maybe_tf_decorator
    while True:
        around = inner if isinstance(inner, TFDecorator) else getattr(inner, "_tf_decorator", None)
        if not isinstance(around, TFDecorator):
            return found, inner
        found.append(around)
        inner = around.decorated_target
