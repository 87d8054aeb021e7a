"""What an object consists of, for a checkpoint: a graph of named parts, with variables at its ends.

A part is an attribute, an element of a list or tuple, or a value of a dict. Names are TensorFlow's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from symtape.ops.tracking import Trackable
from symtape.tensor.variables.variable import Variable

_CONTAINERS = (list, tuple, Mapping)


class Node(NamedTuple):
    """An object with the numbers of its parts by their names, and the key of a variable's value."""

    thing: Any
    parts: dict[str, int]
    key: str | None


def is_tracked(value: Any) -> bool:
    """Say whether a checkpoint looks at a value."""
    return isinstance(value, (Variable, Trackable, *_CONTAINERS))


def checked(name: str, value: Any) -> Any:
    """Give a value back; raises `ValueError` if a checkpoint cannot look at it."""
    if not is_tracked(value):
        raise ValueError(
            f"`Checkpoint` was expecting {name} to be a trackable object (an object derived from "
            f"`Trackable`), got {value}. If you believe this object should be trackable (i.e. it "
            "is part of the TensorFlow Python API and manages state), please open an issue."
        )
    return value


def parts_of(thing: Any) -> Iterator[tuple[str, Any]]:
    """List the parts of an object by name, in order.

    Raises `ValueError` for a dict that has a variable under a key that is no text and no number.
    """
    if isinstance(thing, Variable):
        return
    if isinstance(thing, (list, tuple)):
        named: Any = ((str(k), value) for k, value in enumerate(thing))
    elif isinstance(thing, Mapping):
        named = ((_text(key), thing[key]) for key in thing if is_tracked(thing[key]))
    elif hasattr(thing, "checkpoint_parts"):
        named = thing.checkpoint_parts().items()
    else:
        named = [pair for pair in vars(thing).items() if not pair[0].startswith("_self_")]
    for name, value in named:
        if is_tracked(value):
            yield name, variable_of(value)


def variable_of(value: Any) -> Any:
    """Give the variable that a variable of Keras' is, once it has one: it has no parts."""
    held = getattr(value, "_value", None) if is_variable(value) else None
    return held if isinstance(held, Variable) else value


def is_variable(value: Any) -> bool:
    """Say whether an object is a variable of Keras', which may have no value yet."""
    return hasattr(value, "_restore_from_tensors")


def _text(key: Any) -> str:
    """Name a value of a dict by its key: a text, or a number in brackets."""
    if isinstance(key, str):
        return key
    if isinstance(key, (int, float, bytes)):
        return f"[{key!r}]"
    raise ValueError(f"a checkpoint names the values of a dict by texts and numbers, not {key!r}")


def identity_of(thing: Any) -> int:
    """Number an object; what an assignment to a variable gives is that variable."""
    return id(thing.handle) if isinstance(thing, Variable) else id(thing)


def graph(root: Any) -> list[Node]:
    """List an object and its parts, each once, by the shortest way to it."""
    found, paths = [root], [""]
    places = {identity_of(root): 0}
    nodes: list[Node] = []
    while len(nodes) < len(found):
        thing, path = found[len(nodes)], paths[len(nodes)]
        parts: dict[str, int] = {}
        for name, value in parts_of(thing):
            place = places.setdefault(identity_of(value), len(found))
            if place == len(found):
                found.append(value)
                paths.append(f"{path}{_escaped(name)}/")
            parts[name] = place
        key = f"{path}.ATTRIBUTES/VARIABLE_VALUE" if isinstance(thing, Variable) else None
        nodes.append(Node(thing, parts, key))
    return nodes


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")
