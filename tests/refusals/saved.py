"""What has no program and is not saved, and files of saved models that are of another form."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import symtape as tf
from tests.refusals.room import Room
from tests.test_saved_models import HOSTILE, ROWS, WITHOUT, clipped, module_with

ROOM = Room("saved model")


def _kept(module: Any, **how: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder, **how)


def _without(function: Callable[..., Any], spec: Any) -> None:
    _kept(module_with(function, spec, w=tf.Variable(np.eye(4, dtype="float32"))))


for _name, (_function, _spec, _) in WITHOUT.items():
    ROOM.refuses(**{_name.replace(" ", "_"): partial(_without, _function, _spec)})


def _untracked() -> None:
    v = tf.Variable(2.0, name="v")
    _kept(module_with(lambda m, x: x * v, ROWS))


def _of_python(result: Any) -> None:
    _kept(module_with(lambda m, x: result, ROWS))


class Point:
    """A thing of a kind of its own."""


def _called_with(value: Any) -> None:
    module = tf.Module()
    module.f = tf.function(lambda x, how=None: 2 * x)
    module.f(tf.zeros([2]), value)
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder)
        tf.saved_model.load(folder).f(tf.zeros([2]), value)


ROOM.refuses(
    a_variable_of_nobody=_untracked,
    a_set_for_a_result=lambda: _of_python({1, 2}),
    a_signature_that_is_no_function=lambda: _kept(tf.Module(), signatures=3),
    a_signature_of_any_arguments=lambda: _kept(tf.Module(), signatures=tf.function(abs)),
    a_call_with_a_thing=lambda: _called_with(Point()),
)
ROOM.allows(
    a_number_for_a_result=lambda: _of_python(3.0), a_call_with_none=lambda: _called_with(None)
)


# --- files ----------------------------------------------------------------------------------------


@cache
def _folder() -> Any:
    """Save a module once, with everything that a document has."""
    folder = tempfile.TemporaryDirectory()
    module = module_with(
        lambda m, x: {"y": clipped(x @ m.w + np.float32([1, 2]))},
        ROWS,
        w=tf.Variable(np.ones((4, 2), "float32")),
        parts=[tf.Variable(1.0)],
        given={"a": (tf.Variable(2.0),)},
    )
    module.g = tf.function(lambda x, k=0.5, how=None: x * k)
    module.g(tf.zeros([2]), 2.5)
    tf.saved_model.save(module, folder.name)
    return folder


def _read(change: Callable[[Any], Any]) -> None:
    """Read the document with a change."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(_folder().name, folder, dirs_exist_ok=True)
        file = Path(folder, "saved_model.json")
        document = json.loads(file.read_text("utf-8"))
        change(document)
        file.write_text(json.dumps(document), "utf-8")
        tf.saved_model.load(folder)


def _parameters(*given: Any) -> Callable[[Any], Any]:
    return lambda d: d["functions"][1].update(parameters=[*given])


def _arguments(given: Any) -> Callable[[Any], Any]:
    return lambda d: d["functions"][1]["programs"][0].update(arguments=given)


def _part(**given: Any) -> Callable[[Any], Any]:
    return lambda d: d["functions"][1]["programs"][0]["programs"][0].update(given)


def _nested(depth: int) -> Any:
    return ["list", _nested(depth - 1)] if depth else ["none", None]


def _author(**given: Any) -> Callable[[Any], Any]:
    return lambda d: d["functions"][0]["programs"][0]["programs"][0]["authors"][0].update(given)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "a parameter of two": _parameters(["x", "positional"]),
    "a default that is empty": _parameters(["x", "positional", []]),
    "a default that is nested too deeply": _parameters(["x", "positional", _nested(52)]),
    "a default of a dict without keys": _parameters(["x", "positional", ["dict"]]),
    "keys that are not sorted": _parameters(
        ["x", "positional", ["dict", ["b", "a"], ["none", None], ["none", None]]]
    ),
    "a key without a value": _parameters(["x", "positional", ["dict", ["a"]]]),
    "none with a value": _parameters(["x", "positional", ["none", 1]]),
    "a float that is no number": _parameters(["x", "positional", ["float", "0x1.8q"]]),
    "a float that is too large": _parameters(["x", "positional", ["float", "0x1p9999"]]),
    "a tensor without a dtype": _parameters(["x", "positional", ["tensor", [2]]]),
    "arguments that are a list": _arguments(["list", ["tuple"], ["dict", []]]),
    "arguments without a dict": _arguments(["tuple", ["tuple"]]),
    "an input twice": _part(inputs=[0, 0]),
    "a result of none": _part(results=["result", -1]),
    "a leaf that is nothing": _part(leaves=[{"position": 0}]),
    "a value for an argument": _part(
        leaves=[
            {"position": 0, "array": {"dtype": "float32", "shape": [2], "data": "AACAPwAAAEA="}}
        ]
    ),
    "a computed step for each result": _author(computed=[]),
    "a cotangent for each result": _author(cotangents=[]),
    "a result that is null": _author(outputs=[None]),
}
ALLOWED = {
    "as it was": lambda d: None,
    "the deepest default": _parameters(["x", "positional", _nested(50)]),
    "a default that is a dict": _parameters(["x", "positional", ["dict", ["a"], ["none", None]]]),
}

for _name, (_change, _) in HOSTILE.items():
    ROOM.refuses(**{_name.replace(" ", "_"): partial(_read, _change)})
ROOM.refuses(**{name.replace(" ", "_"): partial(_read, f) for name, f in CHANGES.items()})
ROOM.allows(**{name.replace(" ", "_"): partial(_read, f) for name, f in ALLOWED.items()})
