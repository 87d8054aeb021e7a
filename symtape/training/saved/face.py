"""`tf.saved_model.save` and `load`: an object with its functions in a folder, and read again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symtape.errors import UnsupportedError
from symtape.ops.control.concrete import ConcreteFunction
from symtape.ops.control.function import Function
from symtape.ops.control.signatures import children
from symtape.ops.tracking import Trackable
from symtape.training.parts import graph
from symtape.training.saved import collecting, reading, writing
from symtape.training.saved.collecting import Saved
from symtape.training.saved.functions import LoadedFunction
from symtape.training.saved.reading import Loaded

PathLike = str | os.PathLike[str]

SERVING = "serving_default"


_LOCAL = (None, "/job:localhost")


class SaveOptions:
    """Options of `save` (`tf.saved_model.SaveOptions`).

    Functions keep gradients of their own, if these are linear, with and without
    `experimental_custom_gradients`. Raises `UnsupportedError` for what would have another effect.
    """

    def __init__(
        self,
        namespace_whitelist: Any = None,
        save_debug_info: bool = False,
        function_aliases: Any = None,
        experimental_debug_stripper: bool = False,
        experimental_io_device: str | None = None,
        experimental_variable_policy: Any = None,
        experimental_custom_gradients: bool = True,
    ) -> None:
        own = {"namespace_whitelist": namespace_whitelist, "function_aliases": function_aliases}
        own |= {"experimental_variable_policy": experimental_variable_policy}
        _refuse("SaveOptions", own, experimental_io_device)
        self.save_debug_info = save_debug_info
        self.experimental_debug_stripper = experimental_debug_stripper
        self.experimental_custom_gradients = experimental_custom_gradients


class LoadOptions:
    """Options of `load` (`tf.saved_model.LoadOptions`).

    Raises `UnsupportedError` for what would have an effect.
    """

    def __init__(
        self,
        allow_partial_checkpoint: bool = False,
        experimental_io_device: str | None = None,
        experimental_skip_checkpoint: bool = False,
        experimental_variable_policy: Any = None,
    ) -> None:
        own = {"allow_partial_checkpoint": allow_partial_checkpoint}
        own |= {"experimental_skip_checkpoint": experimental_skip_checkpoint}
        own |= {"experimental_variable_policy": experimental_variable_policy}
        _refuse("LoadOptions", own, experimental_io_device)


def _refuse(name: str, options: Mapping[str, Any], device: str | None) -> None:
    for key, value in options.items():
        if value:
            raise UnsupportedError(f"{name}({key}={value!r}): no other form is there; leave it out")
    if device not in _LOCAL:
        raise UnsupportedError(f"{name}(experimental_io_device={device!r}): files are local")


def save(
    obj: Any, export_dir: PathLike, signatures: Any = None, options: SaveOptions | None = None
) -> None:
    """Write the variables of an object, and its `tf.function`s as programs, into a folder.

    A function is kept for its `input_signature`, and otherwise for what it was called with, or
    asked for by `get_concrete_function`; its programs hold for all sizes that are None there. The
    files have a form of their own, and `load` runs nothing of them. `signatures` are functions that
    are kept beside, a function or a dict of them.

    Raises `ValueError` for an object without parts, `AssertionError` for a function that reads a
    variable which is no part of the object, and `UnsupportedError` for a model or layer of Keras',
    and for an `input_signature` for which no program stands for the function, as where it assigns,
    draws at random, or decides by values.

    >>> import tempfile
    >>> import symtape as tf
    >>> class Line(tf.Module):
    ...     def __init__(self):
    ...         self.w = tf.Variable(2.0)
    ...
    ...     @tf.function(input_signature=[tf.TensorSpec([None])])
    ...     def __call__(self, x):
    ...         return self.w * x
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Line(), folder)
    ...     line = load(folder)
    >>> with tf.GradientTape() as tape:
    ...     y = line(tf.constant([1.0, 2.0, 3.0]))
    >>> y.numpy().tolist(), tape.gradient(y, line.w).numpy().item()
    ([2.0, 4.0, 6.0], 6.0)
    """
    if not isinstance(obj, Trackable):
        raise ValueError(
            "Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the "
            f"`Trackable` class, for export. Got {obj} with type {type(obj)}."
        )
    if hasattr(obj, "_default_save_signature"):
        raise UnsupportedError(
            "save: a model or layer of Keras has no function of its own to keep; model.save writes "
            "a .keras file, and a tf.Module with a tf.function that calls the model can be saved"
        )
    functions = [
        (k, collecting.saved(function, name))
        for k, node in enumerate(graph(obj))
        if isinstance(node.thing, Trackable)
        for name, function in collecting.functions_of(node.thing)
    ]
    named = _named(obj, signatures)
    writing.write(Path(export_dir), obj, functions, named)


def _named(obj: Any, signatures: Any) -> dict[str, Saved]:
    """Record what is kept as a signature: of its own accord, the only function that can be one."""
    if signatures is None:
        own = [f for _, f in collecting.functions_of(obj) if isinstance(f, Function)]
        kept = [collecting.saved(f, SERVING) for f in own if f.input_signature is not None]
        fit = [function for function in kept if _is_flat(function)]
        return {SERVING: fit[0]} if len(fit) == 1 else {}
    given = signatures if isinstance(signatures, Mapping) else {SERVING: signatures}
    found = {}
    for key, function in given.items():
        if not isinstance(function, (Function, ConcreteFunction, LoadedFunction)):
            raise ValueError(
                "Expected a TensorFlow function for which to generate a signature, but got "
                f"{function}. Only `tf.functions` with an input signature or concrete functions "
                "can be used as a signature."
            )
        found[key] = collecting.saved(function, key)
        if not found[key].signatures:
            raise ValueError(
                f"Expected a TensorFlow function with an input signature as the signature {key!r}: "
                "call it, give it an input_signature, or ask for a concrete function by specs"
            )
    return found


def _is_flat(function: Saved) -> bool:
    """Say whether all arguments are tensors with names, and results one tensor or a row of them."""
    _, positional, _ = function.signatures[0].arguments
    given = function.signatures[0].programs[0].results
    results = [given] if given[0] == "result" else children(given)
    are_tensors = results and all(part[0] == "result" for part in results)
    return bool(are_tensors) and all(part[0] == "tensor" for part in children(positional))


def load(export_dir: PathLike, tags: Any = None, options: LoadOptions | None = None) -> Loaded:
    """Read what `save` wrote: an object with the variables, parts and functions as attributes.

    Functions take what they were saved for, tapes see them step by step, and reading runs nothing.
    `signatures` of the object are functions that take tensors by the names of their specs, else of
    their parameters, and give a dict.

    Raises `OSError` where there is nothing, `FormatError` for files of another form, as those that
    TensorFlow writes, and `UnsupportedError` for `tags`.

    >>> load("no such folder")
    Traceback (most recent call last):
    OSError: SavedModel file does not exist at: no such folder/{saved_model.pbtxt|saved_model.pb}
    """
    if tags is not None and tags not in ("serve", ["serve"]):
        raise UnsupportedError(f"load(tags={tags!r}): one object is saved; leave tags out")
    made, named = reading.read(Path(export_dir))
    made.signatures = named
    return made


def contains_saved_model(export_dir: PathLike) -> bool:
    """Say whether there is something in a folder that `load` reads.

    >>> contains_saved_model("no such folder")
    False
    """
    return reading.is_there(Path(export_dir))
