"""`tensorflow.python.util.object_identity`: sets and dicts that compare by identity."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, MutableMapping, MutableSet
from typing import Any

from symtape.tensor.references import Reference


class _Weak(Reference):
    """What stands for an object as long as others hold it."""

    __slots__ = ()

    def __init__(self, referred: Any) -> None:
        super().__init__(weakref.ref(referred))
        self._key = id(referred)

    def deref(self) -> Any:
        """Give the object, or None where it is gone."""
        return self._referred()


class ObjectIdentityDictionary(MutableMapping[Any, Any]):
    """A dict whose keys are compared by identity, and need no hash."""

    __slots__ = ("__weakref__", "_held")
    _reference: type[Reference] = Reference

    def __init__(self) -> None:
        self._held: dict[Reference, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        return self._held[self._reference(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._held[self._reference(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._held[self._reference(key)]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Any]:
        for reference in list(self._held):
            key = reference.deref()
            if key is None and isinstance(reference, _Weak):
                del self._held[reference]
            else:
                yield key


class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """Such a dict, which forgets keys that nobody else holds."""

    __slots__ = ()
    _reference = _Weak


class ObjectIdentitySet(MutableSet[Any]):
    """A set whose elements are compared by identity, and need no hash."""

    __slots__ = ("__weakref__", "_held")
    _table: type[ObjectIdentityDictionary] = ObjectIdentityDictionary

    def __init__(self, elements: Iterable[Any] = ()) -> None:
        self._held = self._table()
        self.update(elements)

    def __contains__(self, element: object) -> bool:
        return element in self._held

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def add(self, value: Any) -> None:
        """Add an element."""
        self._held[value] = True

    def discard(self, value: Any) -> None:
        """Take an element out, if it is there."""
        self._held.pop(value, None)

    def update(self, elements: Iterable[Any]) -> None:
        """Add several elements."""
        for element in elements:
            self.add(element)

    def intersection(self, elements: Iterable[Any]) -> ObjectIdentitySet:
        """Give those of some elements that are here."""
        return type(self)([e for e in elements if e in self])

    def difference(self, elements: Iterable[Any]) -> ObjectIdentitySet:
        """Give what is here but for some elements."""
        others = ObjectIdentitySet(elements)
        return type(self)([e for e in self if e not in others])


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """Such a set, which forgets elements that nobody else holds."""

    __slots__ = ()
    _table = ObjectIdentityWeakKeyDictionary
