"""What a function was called with: structures of arguments, with shapes and dtypes for tensors.

A structure is nested tuples, which can be compared, and written into a file as they are.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from symtape.ops.composite import Composite
from symtape.ops.random.traced import traces
from symtape.ops.runtime.bound import in_places
from symtape.ops.spec import TensorSpec
from symtape.program.operations import dtype_name
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of
from symtape.tensor.variables.variable import Variable

Structure = tuple[Any, ...]
"""``("tensor", shape, dtype)``, ``("list", …)``, ``("dict", (key, …), …)``, ``("int", 3)``, …"""

MOST_CALLS = 64
"""So many signatures of a function are remembered."""

MOST_TRACES = 4096
"""So many calls of unlike signatures are counted."""


class _Unnoted(threading.local):
    """Whether calls are not remembered in this thread."""

    now = False


_UNNOTED = _Unnoted()


@contextmanager
def unnoted() -> Iterator[None]:
    """Remember no calls: they are made to find out what a function computes."""
    before, _UNNOTED.now = _UNNOTED.now, True
    try:
        yield
    finally:
        _UNNOTED.now = before


_PLAIN = {type(None): "none", bool: "bool", int: "int", str: "str"}


def described(value: Any) -> Structure:
    """Give the structure of a value; what is neither tensor, number, text, list nor dict is other.

    >>> described((TensorSpec([None, 2]), {"training": True}))
    ('tuple', ('tensor', (None, 2), 'float32'), ('dict', ('training',), ('bool', True)))
    """
    kind = type(value)
    if isinstance(value, TensorSpec):
        shape = None if value.shape.rank is None else tuple(value.shape.as_list())
        return "tensor", shape, value.dtype.name
    if isinstance(value, (Tensor, Variable)):
        tensor = value.handle.tensor if isinstance(value, Variable) else value  # not read: told
        return "tensor", tuple(shape_of(tensor)), dtype_name(dtype_of(tensor))
    if kind in _PLAIN:
        return _PLAIN[kind], value
    if kind is float:
        return "float", value.hex()
    if kind is list or kind is tuple:
        return kind.__name__, *map(described, value)
    if kind is dict and all(type(key) is str for key in value):
        keys = sorted(value)
        return "dict", tuple(keys), *[described(value[key]) for key in keys]
    return "other", kind.__name__


def traced(value: Any, variables: dict[int, int]) -> Structure:
    """Tell values apart for which TensorFlow would trace a function anew.

    Variables are told from tensors, by which of them are one variable; what is made of several
    tensors by its spec, and objects by who they are.

    >>> traced([1, TensorSpec([2])], {})
    ('list', ('literal', 1), Given(is_variable=False, dtype=tf.float32, shape=(2,)))
    """
    if isinstance(value, Variable):
        place = variables.setdefault(id(value.handle), len(variables))
        return "variable", described(value), value.trainable, place
    if isinstance(value, Composite):
        return "spec", repr(getattr(value, "_type_spec", None) or id(value))
    kind = type(value)
    if kind in _PLAIN or kind is float:
        return "literal", value  # 1, 1.0 and True are alike to TensorFlow as they are to Python
    if kind is list or kind is tuple:
        return kind.__name__, *[traced(x, variables) for x in value]
    if isinstance(value, Mapping):
        pairs = [(key, traced(x, variables)) for key, x in value.items()]
        return "dict", *sorted(pairs, key=repr)
    if isinstance(value, (Tensor, TensorSpec)):
        given: Structure = traces.signature(value)
        return given
    return "other", kind.__name__, id(value)


def children(structure: Structure) -> Structure:
    """Give the structures within one."""
    first = {"list": 1, "tuple": 1, "dict": 2}.get(structure[0])
    return () if first is None else structure[first:]


def leaves(structure: Structure) -> Iterator[Structure]:
    """List what a structure holds, in order, and is no list, tuple or dict.

    >>> [*leaves(described([2, {"b": (), "a": None}]))]
    [('int', 2), ('none', None)]
    """
    if structure[0] not in {"list", "tuple", "dict"}:
        yield structure
    for child in children(structure):
        yield from leaves(child)


def rebuilt(structure: Structure, fill: Callable[[Structure], Any]) -> Any:
    """Make a value of a structure; `fill` gives each tensor, and what is of no other type here.

    >>> rebuilt(described({"b": 2.5, "a": [1]}), repr)
    {'a': [1], 'b': 2.5}
    """
    kind = structure[0]
    parts = [rebuilt(child, fill) for child in children(structure)]
    if kind == "dict":
        return dict(zip(structure[1], parts, strict=True))
    if kind in {"list", "tuple"}:
        return parts if kind == "list" else tuple(parts)
    if kind == "float":
        return float.fromhex(structure[1])
    return structure[1] if kind in _PLAIN.values() else fill(structure)


class Calls:
    """The signatures with which one function was called, or asked for by specs."""

    __slots__ = ("_keys", "_of_instances", "_open", "_relaxes", "found", "is_whole", "traces")

    def __init__(self, relaxes: bool = False) -> None:
        self._relaxes = relaxes
        self.found: dict[Structure, None] = {}
        self.is_whole = True
        """Whether none had to be left out."""
        self.traces: set[Any] = set()
        """What TensorFlow would have traced the function for."""
        self._open: set[Any] = set()
        """Those that calls of several sizes take."""
        self._keys: set[Any] = set()
        self._of_instances: WeakKeyDictionary[Any, Calls] = WeakKeyDictionary()

    def __reduce__(self) -> Any:
        return Calls, (self._relaxes,)

    def of(self, instance: Any) -> Calls:
        """Give what a method was called with of an instance."""
        try:
            return self._of_instances.setdefault(instance, Calls(self._relaxes))
        except TypeError:  # it has no hash, or no weak references
            return Calls(self._relaxes)

    def note(self, args: Any, kwargs: Any, function: Callable[..., Any] | None = None) -> None:
        """Remember a call of a function, or one like all others."""
        if _UNNOTED.now:
            return
        key = _key(args, kwargs)
        if key not in self._keys:
            if len(self.traces) <= MOST_TRACES:
                self._trace(_key(*in_places(function, args, kwargs)) if function else key)
            self._add(described((args, kwargs)), key)

    def _trace(self, call: Any) -> None:
        """Count a trace, unless a call takes one that there is."""
        if call in self.traces or traces.taken(call, self._open) is not None:
            return
        made = traces.relaxed(call, self.traces) if self._relaxes else call
        self.traces.add(made)
        if traces.is_open(made):
            self._open.add(made)

    def _add(self, structure: Structure, key: Any) -> None:
        if structure not in self.found and len(self.found) >= MOST_CALLS:
            self.is_whole = False
            return
        self.found[structure] = None
        self._keys.add(key)


def _key(args: Any, kwargs: Any) -> Any:
    """Tell calls apart for which TensorFlow would trace a function anew."""
    variables: dict[int, int] = {}
    key = tuple([_key_of(x, variables) for x in args])
    return (key, traced(kwargs, variables)) if kwargs else key


def _key_of(value: Any, variables: dict[int, int]) -> Any:
    """Tell quickly what is most often given apart."""
    if value.__class__ is Tensor:
        return traces.Given(False, dtype_of(value), shape_of(value))
    return traced(value, variables)
