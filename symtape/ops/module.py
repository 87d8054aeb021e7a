"""`tf.Module`: an object that finds its variables and its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import wraps
from typing import Any

from symtape.ops.control.flow import name_scope
from symtape.ops.tracking import Trackable
from symtape.tensor.variables.scopes import SCOPES
from symtape.tensor.variables.variable import Variable


class Module(Trackable):
    """The base of objects that hold variables; lists, dicts and other modules are looked into.

    >>> class Line(Module):
    ...     def __init__(self):
    ...         super().__init__(name="line")
    ...         self.w = Variable(1.0)
    ...         self.b = Variable(0.0)
    >>> [v.numpy().item() for v in Line().trainable_variables]
    [0.0, 1.0]
    """

    def __init__(self, name: str | None = None) -> None:
        if name is not None and not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python "
                "identifiers (e.g. a valid class name)."
            )
        self._name = _snake(type(self).__name__) if name is None else name
        self._name_scope = name_scope(SCOPES.within(self._name))

    @property
    def name(self) -> str:
        """The name given, or that of the class in small letters."""
        return self._name

    @property
    def name_scope(self) -> name_scope:
        """The module's one context, named after it and after the scopes in which it was made."""
        return self._name_scope

    @property
    def variables(self) -> tuple[Any, ...]:
        """Every variable, in the order of the sorted names of attributes, those of parts after."""
        return tuple(_unique(_walk(self, _is_variable)))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """The variables that tapes watch."""
        return tuple([v for v in self.variables if v.trainable])

    @property
    def non_trainable_variables(self) -> tuple[Any, ...]:
        """The variables that tapes do not watch."""
        return tuple([v for v in self.variables if not v.trainable])

    @property
    def submodules(self) -> tuple[Any, ...]:
        """Every module within this one."""
        return tuple(
            [m for m in _unique(_walk(self, lambda v: isinstance(v, Module))) if m is not self]
        )

    @classmethod
    def with_name_scope(cls, method: Any) -> Any:
        """Decorate a method: variables that it makes are named within the module's scope."""

        def method_with_name_scope(self: Module, /, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return wraps(method)(method_with_name_scope)


def _snake(name: str) -> str:
    """Write the name of a class in small letters: `HTTPNet` as `http_net`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<!^)(?=[A-Z][a-z])", "_", name).lower()


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable) or (hasattr(value, "trainable") and hasattr(value, "assign"))


def _unique(found: Iterator[Any]) -> list[Any]:
    return list({id(v): v for v in found}.values())


def _walk(module: Module, wanted: Any) -> Iterator[Any]:
    """Give what is wanted of a module's own attributes, then of the modules within it."""
    queue: list[Module] = [module]
    seen = {id(module)}
    while queue:
        current = queue.pop(0)
        inner: list[Module] = []
        for key in sorted(vars(current)):
            for leaf in _leaves(vars(current)[key], set()):
                if wanted(leaf):
                    yield leaf
                if isinstance(leaf, Module) and id(leaf) not in seen:
                    seen.add(id(leaf))
                    inner.append(leaf)
        queue = inner + queue


def _leaves(value: Any, path: set[int]) -> Iterator[Any]:
    if isinstance(value, (list, tuple, Mapping)) and id(value) not in path:
        members = [value[k] for k in _keys(value)] if isinstance(value, Mapping) else value
        for member in members:
            yield from _leaves(member, path | {id(value)})
    else:
        yield value


def _keys(value: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(value)
    except TypeError:
        return list(value)
