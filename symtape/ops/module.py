"""`tf.Module`: an object that finds its variables and its parts."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, ClassVar, NamedTuple

from symtape.ops.composite import Composite
from symtape.ops.control.flow import name_scope
from symtape.ops.tracking import Trackable
from symtape.tensor.variables.scopes import SCOPES
from symtape.tensor.variables.variable import Variable

Path = tuple[Any, ...]


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

    _TF_MODULE_IGNORED_PROPERTIES: ClassVar[frozenset[str]] = frozenset()

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
        return self._kept(_is_variable)

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """The variables that tapes watch."""
        return self._kept(lambda value: _is_variable(value) and value.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Any, ...]:
        """The variables that tapes do not watch."""
        return self._kept(lambda value: _is_variable(value) and not value.trainable)

    def _kept(self, which: Callable[[Any], bool]) -> tuple[Any, ...]:
        """Give variables by what they are, whatever a class says of `variables`."""
        return tuple(self._flatten(predicate=which, expand_composites=True))

    @property
    def submodules(self) -> tuple[Any, ...]:
        """Every module within this one."""
        return tuple(self._flatten(predicate=lambda value: isinstance(value, Module)))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
        expand_composites: bool = False,
    ) -> Iterator[Any]:
        """Give what is in attributes and of a kind, each once, or with all of its paths.

        Attributes are taken in the order of `attribute_traversal_key`, and those of modules within
        after this one's own, if `recursive`.
        """
        walk = Walk(attribute_traversal_key, expand_composites, with_path, recursive)
        for path, leaf in walk.through(self):
            if predicate is None or predicate(leaf):
                yield (path, leaf) if with_path else leaf

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
    return isinstance(value, Variable)


class Walk(NamedTuple):
    """A way through the attributes of a module and of those within it."""

    order: Callable[[str], Any] | None
    expands: bool
    all_paths: bool
    recursive: bool

    def through(self, whole: Module) -> Iterator[tuple[Path, Any]]:
        """Give what modules hold, behind its path: with all paths, or each once by the first.

        A module's own attributes come before those of modules within, and a module that stands
        within itself is not gone through there.
        """
        queue: deque[tuple[Module, Path, tuple[int, ...]]] = deque([(whole, (), ())])
        seen = {id(whole)}
        while queue:
            module, path, above = queue.popleft()
            goes_on = self.recursive and id(module) not in above
            inner = []
            for end, leaf in self._held(module):
                if not self.all_paths and id(leaf) in seen:
                    continue
                seen.add(id(leaf))
                yield (*path, *end), leaf
                if goes_on and isinstance(leaf, Module):
                    outer = (*above, id(module)) if self.all_paths else ()
                    inner.append((leaf, (*path, *end), outer))
            queue.extendleft(reversed(inner))

    def _held(self, module: Module) -> Iterator[tuple[Path, Any]]:
        ignored = module._TF_MODULE_IGNORED_PROPERTIES  # noqa: SLF001 - TensorFlow's name
        for key in sorted(vars(module).keys() - ignored, key=self.order):
            yield from self.leaves(vars(module)[key], (key,), set())

    def leaves(self, value: Any, path: Path, around: set[int]) -> Iterator[tuple[Path, Any]]:
        """Go through lists, tuples, dicts, and what is made of several tensors."""
        is_apart = self.expands and isinstance(value, Composite) and not _is_variable(value)
        if is_apart:
            spec = value._type_spec  # noqa: SLF001 - TensorFlow's name
            inner = spec._to_components(value)  # noqa: SLF001 - TensorFlow's name
            yield from self.leaves(inner, (*path, spec.value_type.__name__), around)
        elif isinstance(value, (list, tuple, Mapping)) and id(value) not in around:
            keys: Any = _keys(value) if isinstance(value, Mapping) else range(len(value))
            for key in keys:
                yield from self.leaves(value[key], (*path, key), around | {id(value)})
        else:
            yield path, value


def _keys(value: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(value)
    except TypeError:
        return list(value)
