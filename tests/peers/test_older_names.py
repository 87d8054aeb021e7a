"""Names of TensorFlow 1 and of private modules take the arguments that TensorFlow's take."""

from __future__ import annotations

import importlib
import inspect
import json
import types
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import tensorflow as tf

from symtape.stand_in import finder
from symtape.stand_in.naming.private import FILE
from symtape.stand_in.naming.renamed import RENAMED
from tests.insides import private_names

OTHER_WAYS = {
    "autograph.to_code": "what it is traced with is left out",
    "autograph.to_graph": "what it is traced with is left out",
    "device": "a function that chooses devices is called alike",
    "data.experimental.bucket_by_sequence_length": "passes its arguments on",
    "data.experimental.group_by_window": "passes its arguments on",
    "data.experimental.rejection_resample": "passes its arguments on",
    "image.extract_glimpse": "uniform_noise is what version 2 calls noise",
    "io.parse_example": "name and example_names change errors alone",
    "io.parse_single_example": "name and example_names change errors alone",
    "logging.set_verbosity": "Python's own",
    "nn.ctc_beam_search_decoder": "merge_repeated is refused",
    "sparse.add": "thresh is refused",
    "sparse.mask": "passes its arguments on",
    "sparse.reduce_max": "keep_dims is refused",
    "sparse.reduce_sum": "keep_dims is refused",
    "sparse_placeholder": "is refused",
    "test.compute_gradient": "graphs are not there",
    "variable_scope": "is refused",
}
"""Functions of TensorFlow 1 whose arguments differ here, and why that says nothing wrong."""


def functions(module: Any, start: str, seen: set[str]) -> Iterator[tuple[str, Any]]:
    """List the public functions of TensorFlow 1 by their paths."""
    for name in sorted(dir(module)):
        if name.startswith("_") or name in {"keras", "compat", "estimator", "app", "raw_ops"}:
            continue
        thing = getattr(module, name)
        if isinstance(thing, types.ModuleType):
            inner = vars(thing).get("__name__", "")
            if inner.startswith("tensorflow") and inner not in seen:
                seen.add(inner)
                yield from functions(thing, f"{start}{name}.", seen)
        elif isinstance(thing, types.FunctionType):
            yield start + name, thing


def test_names_that_stand_for_one_function_do() -> None:
    """What TensorFlow 1 has by another name is the function of TensorFlow 2, there and here."""
    for old, new in RENAMED.items():
        assert attrgetter(old)(tf.compat.v1) is attrgetter(new)(tf), old
        assert finder.found(f"compat.v1.{old}") is finder.found(new), old


def parameters(function: Any) -> list[str]:
    """List the names of what a function takes."""
    return [*inspect.signature(function).parameters]


def test_functions_of_version_one_take_what_they_took():
    """In the same order: what would be taken for something else is refused by name."""
    wrong = {}
    for path, theirs in functions(tf.compat.v1, "", set()):
        if path in OTHER_WAYS or not finder.answered(f"compat.v1.{path}"):
            continue
        own = parameters(finder.found(f"compat.v1.{path}"))
        wanted = parameters(theirs)
        if own[: len(wanted)] != wanted:
            wrong[path] = (own, wanted)
    assert not wrong


def test_private_modules_have_the_names_that_they_have_in_tensorflow():
    """Each name that is kept is what TensorFlow's module holds, whichever modules are loaded."""
    kept = json.loads(FILE.read_text("utf-8"))
    for module in kept:
        importlib.import_module(f"tensorflow.{module}")
    asked = private_names(tf)
    pairs = [(m, n, way) for m, names in kept.items() for n, way in names.items()]
    assert [p for p in pairs if asked[p[0]].get(p[1]) != p[2]] == []
