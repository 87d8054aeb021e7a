"""What stands for lists, dicts, modules, classes and objects while a function is traced.

A proxy gives each element and attribute that is asked for, and has whoever traces watch the place
where it was found. It refuses everything else, since it cannot be repeated.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, NoReturn, Protocol

MISSING: Any = object()
"""Stands for what a mapping lacks."""

_MUTABLE = 1 << 9
"""The flag of types that were made by a `class` statement: their attributes can be set."""


class Watcher(Protocol):
    """Who has places watched, and knows what stands for a value."""

    def at(self, get: Callable[..., Any], key: Any, label: str | None) -> Any:
        """Watch a key of a mapping, and give what stands for the value, or MISSING."""

    def read(self, read: Callable[[], Any], label: str | None = None) -> Any:
        """Watch what is read, and give what stands for it."""

    def same(self, read: Callable[[], Any], value: Any) -> None:
        """Have a value compared by identity."""

    def compare(self, read: Callable[[], Any], value: Any) -> None:
        """Have numbers compared."""

    def standin(self, value: Any, label: str | None = None) -> Any:
        """Give what stands for a value whose place is watched."""

    def refuse(self, what: str) -> NoReturn:
        """Give up."""


class Shown:
    """What a proxy shows of a thing; each kind of thing shows what it has."""

    def __init__(self, thing: Any, watcher: Watcher, label: str | None) -> None:
        self.thing, self.watcher, self.label = thing, watcher, label
        self.known: dict[str, Any] = {}

    def refused(self, what: str) -> NoReturn:
        """Say that something cannot be followed."""
        self.watcher.refuse(f"{what} of {type(self.thing).__name__}")

    def attribute(self, name: str) -> Any:
        """Give an attribute, of which Python's own types have always the same."""
        if hasattr(self.thing, name):
            self.refused(f"attribute {name}")
        raise self.absent(name)

    def absent(self, name: str) -> AttributeError:
        """Say what Python says of an attribute that is not there."""
        kind = type(self.thing).__name__
        return AttributeError(f"{kind!r} object has no attribute {name!r}")

    def special(self, name: str) -> None:
        """Check what libraries ask of an object; closed code has no such names."""
        if name == "__dict__" or not hasattr(self.thing, name):
            raise self.absent(name)
        if name not in vars(Proxy):
            self.refused(f"attribute {name}")

    def item(self, key: Any) -> Any:
        """Give an element."""
        self.refused("an element")

    def length(self) -> int:
        """Count the elements."""
        self.refused("the length")

    def elements(self) -> Iterator[Any]:
        """Go through the elements."""
        self.refused("the elements")

    def contains(self, key: Any) -> bool:
        """Say whether something is an element."""
        self.refused("the elements")

    def called(self, *_: Any, **__: Any) -> Any:
        """Call it."""
        self.refused("a call")

    def truth(self) -> bool:
        """Say whether it is true."""
        return self.length() > 0

    def named(self, key: Any) -> str | None:
        """Name an element."""
        return None if self.label is None else f"{self.label}_{key}"


class Proxy:
    """Stands for a thing; `isinstance` sees the thing's own class."""

    __slots__ = ("_symtape_shown",)
    __class__ = property(lambda self: type(_shown(self).thing))

    def __init__(self, shown: Shown) -> None:
        object.__setattr__(self, "_symtape_shown", shown)

    def __getattribute__(self, name: str) -> Any:
        shown = _shown(self)
        if name[:2] == "__":
            shown.special(name)
            return object.__getattribute__(self, name)
        if name not in shown.known:
            shown.known[name] = shown.attribute(name)
        return shown.known[name]

    def __getitem__(self, key: Any) -> Any:
        return _shown(self).item(key)

    def __len__(self) -> int:
        return _shown(self).length()

    def __iter__(self) -> Iterator[Any]:
        return _shown(self).elements()

    def __contains__(self, key: Any) -> bool:
        return _shown(self).contains(key)

    def __bool__(self) -> bool:
        return _shown(self).truth()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call what it stands for."""
        return _shown(self).called(*args, **kwargs)


def _shown(proxy: Proxy) -> Shown:
    shown: Shown = object.__getattribute__(proxy, "_symtape_shown")
    return shown


def _refusal(name: str) -> Callable[..., NoReturn]:
    def method(self: Proxy, *_: Any, **__: Any) -> NoReturn:
        _shown(self).refused(name)

    return method


for _name in (
    "abs add and complex copy deepcopy delattr delitem divmod enter eq exit float "
    "floordiv format ge gt hash iadd iand ifloordiv ilshift imatmul imod imul index int invert "
    "ior ipow irshift isub itruediv ixor le lshift lt matmul mod mul ne neg next or pos pow radd "
    "rand rdivmod reduce_ex repr reversed rfloordiv rlshift rmatmul rmod rmul ror round rpow "
    "rrshift rshift rsub rtruediv rxor setattr setitem str sub truediv trunc xor"
).split():
    setattr(Proxy, f"__{_name}__", _refusal(f"__{_name}__"))


class _List(Shown):
    """The elements of a list, each watched when it is asked for."""

    def __init__(self, thing: Any, watcher: Watcher, label: str | None) -> None:
        super().__init__(thing, watcher, label)
        watcher.compare(partial(len, thing), len(thing))

    def item(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self.item(k) for k in range(len(self.thing))[key]]
        if type(key) is not int:
            self.refused(f"an element {type(key).__name__}")
        k = range(len(self.thing))[key]
        return self.watcher.read(partial(self.thing.__getitem__, k), self.named(k))

    def length(self) -> int:
        return len(self.thing)

    def elements(self) -> Iterator[Any]:
        return (self.item(k) for k in range(len(self.thing)))


class _Dict(Shown):
    """The values of a dict; its keys are watched when they are asked for."""

    def item(self, key: Any) -> Any:
        found = self._get(key)
        if found is MISSING:
            raise KeyError(key)
        return found

    def _get(self, key: Any, default: Any = MISSING) -> Any:
        if type(key) not in {str, int, float, bool}:
            self.refused(f"a key of type {type(key).__name__}")
        found = self.watcher.at(self.thing.get, key, str(key))
        return default if found is MISSING else found

    def contains(self, key: Any) -> bool:
        return self._get(key) is not MISSING

    def _keys(self) -> tuple[Any, ...]:
        keys = tuple(self.thing)
        if not all([type(key) in {str, int, float, bool} for key in keys]):
            self.refused("keys that are neither texts nor numbers")
        self.watcher.same(lambda: tuple(self.thing) == keys, value=True)
        return keys

    def length(self) -> int:
        return len(self._keys())

    def elements(self) -> Iterator[Any]:
        return iter(self._keys())

    def attribute(self, name: str) -> Any:
        if name == "get":
            return lambda key, default=None: self._get(key, default)
        if name == "keys":
            return self._keys
        if name == "values":
            return lambda: [self.item(key) for key in self._keys()]
        if name == "items":
            return lambda: [(key, self.item(key)) for key in self._keys()]
        return super().attribute(name)


class _Module(Shown):
    """The names of a module."""

    def attribute(self, name: str) -> Any:
        found = self.watcher.at(vars(self.thing).get, name, name)
        if found is not MISSING:
            return found
        if self.thing.__name__.partition(".")[0] != "symtape":
            self.refused(f"attribute {name}, which is not there,")
        return self.watcher.standin(getattr(self.thing, name), name)  # ours, imported when used


class _Class(Shown):
    """The attributes of a class, in the order in which Python looks for them."""

    def __init__(self, thing: Any, watcher: Watcher, label: str | None) -> None:
        super().__init__(thing, watcher, label)
        if type(thing) not in {type, ABCMeta}:
            self.refused("attributes")
        watcher.same(lambda: thing.__mro__, thing.__mro__)

    def found(self, name: str) -> Any:
        """Look for an attribute in the classes, and have the places watched; where it is."""
        for base in self.thing.__mro__:
            own = vars(base)
            if name in own:
                self._watched(base, name)
                return base
            self._watched(base, name)
        return None

    def _watched(self, base: Any, name: str) -> None:
        if base.__flags__ & _MUTABLE:
            own = vars(base)
            self.watcher.same(partial(own.get, name, MISSING), own.get(name, MISSING))

    def attribute(self, name: str) -> Any:
        base = self.found(name)
        if hasattr(type(self.thing), name):
            self.refused(f"attribute {name}")
        if base is None:
            raise self.absent(name)
        raw = vars(base)[name]
        if type(raw) is FunctionType:
            return self.watcher.standin(raw)
        if type(raw) is staticmethod:
            return self.watcher.standin(raw.__func__)
        if type(raw) is classmethod:
            own = self.watcher.standin(self.thing)
            return MethodType(self.watcher.standin(raw.__func__), own)
        if hasattr(type(raw), "__get__"):
            self.refused(f"attribute {name}")
        return self.watcher.read(partial(vars(base).get, name), name)


_SETTERS = ("__set__", "__delete__")
"""What makes a descriptor that comes before the attributes of an object."""


class _Object(Shown):
    """The attributes of an object of a class that was written in Python."""

    def __init__(self, thing: Any, watcher: Watcher, label: str | None) -> None:
        super().__init__(thing, watcher, label)
        kind = type(thing)
        watcher.same(lambda: type(thing), kind)
        self.kind = _Class(kind, watcher, None)
        own = getattr(thing, "__dict__", None)
        if own is not None:
            watcher.same(lambda: thing.__dict__, own)
        self.own: Any = {} if own is None else own
        for name in ("__getattribute__", "__getattr__"):
            if self.kind.found(name) not in {None, object}:
                self.refused(f"{name}")

    def attribute(self, name: str) -> Any:
        base = self.kind.found(name)
        raw = MISSING if base is None else vars(base)[name]
        if type(raw) is property:
            return self._property(raw)
        if type(raw) is MemberDescriptorType:
            return self.watcher.read(partial(raw.__get__, self.thing), name)
        if raw is not MISSING and any([hasattr(type(raw), s) for s in _SETTERS]):
            self.refused(f"attribute {name}")
        if type(self.own) is not dict:
            self.refused(f"attribute {name}")
        found = self.watcher.at(self.own.get, name, name)
        if found is not MISSING:
            return found
        if raw is MISSING:
            raise self.absent(name)
        if type(raw) is FunctionType:
            return self._bound(raw)
        return self.kind.attribute(name)

    def _bound(self, function: Any) -> Any:
        return MethodType(self.watcher.standin(function), self.watcher.standin(self.thing))

    def _property(self, raw: property) -> Any:
        if raw.fget is None:
            self.refused("a property that cannot be read")
        return self._bound(raw.fget)()

    def _special(self, name: str) -> Any:
        base = self.kind.found(name)
        raw = MISSING if base is None else vars(base)[name]
        if type(raw) is not FunctionType:
            self.refused(name)
        return self._bound(raw)

    def item(self, key: Any) -> Any:
        return self._special("__getitem__")(key)

    def length(self) -> int:
        count: int = self._special("__len__")()
        return count

    def elements(self) -> Iterator[Any]:
        return iter(self._special("__iter__")())

    def called(self, *args: Any, **kwargs: Any) -> Any:
        return self._special("__call__")(*args, **kwargs)

    def truth(self) -> bool:
        if self.kind.found("__bool__") is not None:
            return bool(self._special("__bool__")())
        return self.kind.found("__len__") is None or self.length() > 0


def proxy_of(thing: Any, watcher: Watcher, label: str | None) -> Proxy | None:
    """Make what stands for a thing; None if nothing can."""
    kind = type(thing)
    if kind is list:
        return Proxy(_List(thing, watcher, label))
    if kind is dict:
        return Proxy(_Dict(thing, watcher, label))
    if kind is ModuleType:
        return Proxy(_Module(thing, watcher, label))
    if isinstance(thing, type):
        return Proxy(_Class(thing, watcher, label))
    if kind.__flags__ & _MUTABLE and getattr(kind, "__new__", None) is object.__new__:
        return Proxy(_Object(thing, watcher, label))
    return None
