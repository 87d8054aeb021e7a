"""Who answers `import tensorflow` and `import keras`: symtape, from one call on or for a script."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pkgutil import resolve_name
from types import ModuleType

from symtape.errors import UnsupportedError
from symtape.stand_in.finder import ANSWERED, Finder
from symtape.stand_in.training import KERAS, TAKEN, allow_keras, forget_face
from symtape.stand_in.types import move_back, move_home


def for_tensorflow() -> None:
    """Answer `import tensorflow` with symtape in this process from here on, and so Keras' too.

    Where Keras 3 is installed (`symtape[keras]`), `import keras` and `tf.keras` are Keras itself,
    which computes with symtape; without it `tf.keras` is what is built in. Raises
    `UnsupportedError` in a process that has imported TensorFlow or Keras already, and where
    `KERAS_BACKEND` or `keras.json` asks for another backend than TensorFlow. A script begins so:

    >>> import subprocess, sys
    >>> script = (
    ...     "import symtape; symtape.stand_in.for_tensorflow(); import tensorflow as tf;"
    ...     "print(tf.Variable is symtape.Variable)"
    ... )
    >>> subprocess.run([sys.executable, "-c", script], stdout=-1, text=True).stdout.strip()
    'True'
    """
    if TAKEN.whole:
        return
    for name in (ANSWERED, KERAS):
        if name in sys.modules:
            raise UnsupportedError(
                f"tf.stand_in.for_tensorflow(): this process has imported {name} already, and "
                "what was imported keeps it; call it before, in a fresh process"
            )
    if find_spec(KERAS) is not None:
        allow_keras()
    TAKEN.whole = True
    move_home()
    forget_face()
    sys.meta_path.insert(0, Finder())


@contextmanager
def answering() -> Iterator[None]:
    """Answer `import tensorflow` and `import keras` in this block only."""
    if TAKEN.whole:
        yield
        return
    finder = Finder()
    hidden = _forget()
    sys.modules.update(TAKEN.kept)
    sys.meta_path.insert(0, finder)
    before, TAKEN.script = TAKEN.script, True
    homes = move_home()
    forget_face()
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        move_back(homes)
        TAKEN.script = before
        TAKEN.kept = {} if KERAS not in sys.modules else _ours()
        _forget()
        if _BEHAVIOUR in sys.modules:  # a script may have changed what tensors can do
            resolve_name(f"{_BEHAVIOUR}:disable_numpy_behavior")()
        sys.modules.update(hidden)
        forget_face()


_BEHAVIOUR = "symtape.stand_in.numpy.behaviour"


def _ours() -> dict[str, ModuleType]:
    return {n: m for n, m in sys.modules.items() if n.partition(".")[0] in {ANSWERED, KERAS}}


def _forget() -> dict[str, ModuleType]:
    """Take every module of TensorFlow and of Keras out of those that Python has loaded."""
    found = _ours()
    for name in found:
        del sys.modules[name]
    return found
