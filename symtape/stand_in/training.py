"""Which Keras `tf.keras` is: the installed one where symtape stands in, or what is built in.

Keras asks `import tensorflow` for its backend when it is imported, and cannot be asked twice.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError

KERAS = "keras"
_LIKE_TENSORFLOW = "keras._tf_keras.keras"
"""Keras as TensorFlow shows it: with its older names besides, such as `losses.MSE`."""
_VERSIONS = "3.15."
"""How the versions begin whose own tests symtape runs; pyproject.toml has the same."""
_WANTED = "tensorflow"
_FACE = importlib.import_module(__name__.partition(".")[0])
NAMES = ("keras", "initializers", "losses", "metrics", "optimizers")
"""What the public face has of Keras."""


class Taken:
    """For whom symtape answers `import tensorflow` at present."""

    def __init__(self) -> None:
        self.whole = False
        """For the whole process, from a call on."""
        self.script = False
        """For the script that runs."""
        self.kept: dict[str, ModuleType] = {}
        """Keras as scripts have loaded it: it can be loaded once."""


TAKEN = Taken()


def allow_keras() -> None:
    """Raise `UnsupportedError` unless the Keras that is installed runs on symtape."""
    try:
        found = version(KERAS)
    except PackageNotFoundError:  # the import says so itself
        return
    if not found.startswith(_VERSIONS):
        raise UnsupportedError(
            f"Keras {found} is installed, and symtape stands in for TensorFlow below Keras "
            f'{_VERSIONS}*: pip install "symtape[keras]"'
        )
    wanted, where = _backend()
    if wanted != _WANTED:
        raise UnsupportedError(
            f"{where} asks Keras for the backend {wanted!r}, and symtape stands in for "
            f"{_WANTED!r} alone: change it to {_WANTED!r}, or leave it out"
        )


def _backend() -> tuple[str, str]:
    """Say which backend Keras will take, and who asks for it."""
    asked = os.environ.get("KERAS_BACKEND")
    if asked:
        return asked, "the environment variable KERAS_BACKEND"
    home = os.environ.get("KERAS_HOME")
    file = (Path(home) if home else Path.home() / ".keras") / "keras.json"
    try:
        found = json.loads(file.read_text("utf-8")).get("backend", _WANTED)
    except (OSError, ValueError, AttributeError):
        return _WANTED, "nobody"
    return str(found), str(file)


def keras() -> Any:
    """Give Keras itself where symtape stands in for TensorFlow and it is installed."""
    if (TAKEN.whole or TAKEN.script) and (KERAS in sys.modules or find_spec(KERAS) is not None):
        with _undrawn():
            return importlib.import_module(_LIKE_TENSORFLOW)
    return importlib.import_module("symtape.keras")


@contextmanager
def _undrawn() -> Iterator[None]:
    """Keep the states of Python's and NumPy's random numbers.

    TensorFlow loads Keras when it is imported, before a script sets seeds; here it is loaded when a
    script first asks for it, and some of what it imports, as JAX, draws numbers.
    """
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 - the user's state
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002 - the user's state


def shown(name: str) -> Any:
    """Give Keras, or a module of it that TensorFlow shows at the top."""
    return keras() if name == KERAS else getattr(keras(), name)


def forget_face() -> None:
    """Have the public face ask anew which Keras its names are of."""
    for name in NAMES:
        vars(_FACE).pop(name, None)
