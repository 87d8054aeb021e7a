"""Writing an object: a checkpoint of its variables, and a document with its parts and functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from symtape.exchange import arrays, programs
from symtape.exchange.forms import Form
from symtape.exchange.storing import put
from symtape.ops.tracking import Trackable
from symtape.program.excerpt import Excerpt
from symtape.tensor.variables.variable import Variable
from symtape.training import files
from symtape.training.parts import Node, graph, identity_of, is_tracked
from symtape.training.saved.collecting import Saved
from symtape.training.saved.concrete import Concrete, ends

FORM = Form("symtape saved model")
DOCUMENT = "saved_model.json"
VARIABLES = "variables/variables"


def write(
    folder: Path,
    root: Any,
    functions: Sequence[tuple[int, Saved]],
    signatures: Mapping[str, Saved],
) -> None:
    """Write both; `functions` says which object each function is an attribute of.

    Raises `AssertionError` for a variable that is no part of the object, as TensorFlow does,
    `UnsupportedError` for what the form of files does not have, and `OSError`.
    """
    nodes = graph(root)
    places = {identity_of(node.thing): k for k, node in enumerate(nodes)}
    body = {
        "objects": [_object(node) for node in nodes],
        "functions": [{"object": k, **_function(f, places)} for k, f in functions],
        "signatures": [
            {"key": key, "names": f.names, **_function(f, places)} for key, f in signatures.items()
        ],
    }
    text = FORM.written(body)
    folder.mkdir(parents=True, exist_ok=True)
    files.write(str(folder / VARIABLES), nodes)
    put(str(folder / DOCUMENT), text.encode())


def _object(node: Node) -> dict[str, Any]:
    thing = node.thing
    if isinstance(thing, Variable):
        return {"kind": "variable", "trainable": thing.trainable}
    if isinstance(thing, Trackable):
        return {"kind": "object"}
    held = list(thing.values()) if isinstance(thing, Mapping) else list(thing)
    is_whole = bool(held) and all(map(is_tracked, held))
    kind = "dict" if isinstance(thing, Mapping) else "list" if isinstance(thing, list) else "tuple"
    return {"kind": kind if is_whole else "nothing"}


def _function(function: Saved, places: Mapping[int, int]) -> dict[str, Any]:
    name, parameters, signatures, refused, _ = function
    return {
        "name": name,
        "parameters": parameters,
        "refused": refused,
        "programs": [
            {"arguments": s.arguments, "programs": [_program(name, c, places) for c in s.programs]}
            for s in signatures
        ],
    }


def _program(name: str, own: Concrete, places: Mapping[int, int]) -> dict[str, Any]:
    return {
        "sizes": own.sizes,
        **programs.written(Excerpt.of(own.program, ends(own))),
        "inputs": own.arguments,
        "leaves": [_leaf(name, p, thing, places) for p, thing in own.leaves],
        "outputs": own.outputs,
        "results": own.results,
        "authors": [author._asdict() for author in own.authors],
    }


def _leaf(name: str, position: int, thing: Any, places: Mapping[int, int]) -> dict[str, Any]:
    if not isinstance(thing, Variable):
        return {"position": position, "array": arrays.written(thing)}
    place = places.get(identity_of(thing))
    if place is None:
        raise AssertionError(
            "Tried to export a function which references an 'untracked' resource. TensorFlow "
            "objects (e.g. tf.Variable) captured by functions must be 'tracked' by assigning them "
            f"to an attribute of a tracked object or assigned to an attribute of the main object "
            f"directly. {name} reads {thing!r}."
        )
    return {"position": position, "variable": place}
