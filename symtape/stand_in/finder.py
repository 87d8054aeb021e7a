"""Finds `tensorflow` and its modules in symtape, and what Keras reads of TensorFlow's insides."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pkgutil import resolve_name
from types import FunctionType, ModuleType
from typing import Any

from symtape.absent import ABSENT
from symtape.stand_in.devices.runtime import VERSION
from symtape.stand_in.naming.nameable import OLDER_KERAS, Nameable, reason_of
from symtape.stand_in.naming.names import STAND_INS, WIDER
from symtape.stand_in.naming.private import KERNELS, names_of, public_name
from symtape.stand_in.naming.renamed import RENAMED, SPACES
from symtape.stand_in.older.by_name import APART, OLDER, older_form
from symtape.stand_in.older.programs.sessions import INSTEAD, OTHERWISE
from symtape.stand_in.raw.calling import inner_kernel
from symtape.stand_in.symbolic.lifting import lifted
from symtape.stand_in.training import KERAS, NAMES, allow_keras

ANSWERED = "tensorflow"
_FACE = importlib.import_module(__name__.partition(".")[0])
"""What answers: the public face, to which no module of a lower room may bind itself by name."""


class Finder(MetaPathFinder, Loader):
    """Finds `tensorflow` and its modules, such as `tensorflow.keras.layers`, in symtape."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find what a name of TensorFlow's stands for; leave all other names to Python.

        Of Keras 2, where it is installed, names are there that cannot be used. Raises
        `ModuleNotFoundError` for a name that TensorFlow has not.
        """
        root, _, rest = fullname.partition(".")
        if fullname == KERAS:
            allow_keras()
        if root == OLDER_KERAS and PathFinder.find_spec(root):
            return self._spec(fullname, Nameable(fullname))
        if root != ANSWERED:
            return None
        try:
            holder = found(rest)
        except AttributeError as error:
            raise ModuleNotFoundError(f"No module named {fullname!r}: {error}") from None
        if callable(holder) and not isinstance(holder, Nameable):
            raise ModuleNotFoundError(f"No module named {fullname!r}; it is not a module")
        return self._spec(fullname, holder)

    def _spec(self, fullname: str, holder: Any) -> ModuleSpec:
        spec = ModuleSpec(fullname, self, is_package=True)
        spec.loader_state = holder
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make the module that a script receives."""
        holder = spec.loader_state
        return holder if isinstance(holder, Nameable) else Answer(spec.name, holder)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: an answer holds nothing of its own."""


def found(path: str) -> Any:
    """Look a dotted name up, part by part; a part of TensorFlow's insides is a namespace."""
    holder: Any = _FACE
    done = ""
    for name in path.split(".") if path else ():
        holder = _part(done, holder, name)
        done = f"{done}.{name}" if done else name
    return holder


def answered(path: str) -> bool:
    """Say whether a name of TensorFlow's, without `tensorflow.` before it, can be used.

    >>> answered("math.reduce_sum"), answered("no.such.name"), answered("lite.Interpreter")
    (True, False, False)
    """
    try:
        return not isinstance(found(path), Nameable)
    except AttributeError:
        return False


def _part(path: str, holder: Any, name: str) -> Any:
    """Take a part: what the public face has, or what stands in for TensorFlow's insides."""
    full = f"{path}.{name}" if path else name
    if full in WIDER:
        return resolve_name(STAND_INS[full])
    if full.startswith(_NESTED) and full not in STAND_INS:  # each version has both
        return found(full.split(".", 2)[2])
    if form := older_form(full):
        return form
    try:
        return getattr(_NOTHING if full in OTHERWISE else holder, name)
    except AttributeError:
        if full in STAND_INS:
            return resolve_name(STAND_INS[full])
        if full == _SECOND:
            return _FACE
        if public := public_name(path, name):
            return _inside(public)
        if full in APART or full.removeprefix(OLDER) in SPACES or _holds_names(full):
            return Insides(full, "Names of TensorFlow's insides that are public elsewhere.")
        if reason_of(f"tf.{full}") and not name.startswith("_"):
            return Nameable(f"tf.{full}")
        if full.startswith(_VERSIONS):
            return _of_version_two(full)
        if isinstance(holder, Insides):
            raise AttributeError(f"symtape has no tf.{full}") from None
        raise


def _holds_names(full: str) -> bool:
    """Say whether a name is that of a private module, or of one of which there are stand-ins."""
    return bool(names_of(full)) or any(n.startswith(f"{full}.") for n in STAND_INS)


def _inside(public: str) -> Any:
    """Give what a private name stands for: a kernel takes arguments by their places, too."""
    kernel = public.removeprefix(f"{KERNELS}.")
    return found(public) if kernel == public else inner_kernel(kernel)


_LIFTED = cache(lifted)
"""A function is one object by all of its names: `tf.math.add` is `tf.add`."""
_NOTHING = object()
_SECOND = "compat.v2"
_NESTED = ("compat.v1.compat.v", "compat.v2.")
_OF_A_VERSION = ("compat.v1", _SECOND)
_VERSIONS = tuple(f"{name}." for name in _OF_A_VERSION)


def _of_version_two(full: str) -> Any:
    """Take what TensorFlow 2 has by the same name, unless that means something else."""
    name = full.split(".", 2)[2]
    newer = RENAMED.get(name, name)
    is_same = full not in OTHERWISE or name in RENAMED
    if is_same and answered(newer):
        return found(newer)
    reason = INSTEAD.get(newer) or ABSENT.get(f"tf.{newer}")
    if not is_same and answered(newer):
        reason = reason or f"use tf.{newer}"
    said = f"symtape has no tf.{full}{f': {reason}' if reason else ''}"
    raise AttributeError(said, name=name) from None


class Insides(ModuleType):
    """A private namespace: its public names, and what Keras reads."""


class Answer(ModuleType):
    """A module of TensorFlow's name that has what a part of symtape has."""

    def __init__(self, name: str, holder: Any) -> None:
        super().__init__(name, holder.__doc__)
        self._holder = holder
        self._within = name.removeprefix(ANSWERED).removeprefix(".")
        if self._within in ("", *_OF_A_VERSION):
            self.__version__ = VERSION

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__
        holder = names["_holder"]
        if name == "__all__":
            return [n for n in dir(self) if not n.startswith("_")]
        found = _part(names["_within"], holder, name)
        if name in NAMES and not names["_within"]:
            return found
        if isinstance(found, ModuleType) and not isinstance(found, Nameable):
            found = importlib.import_module(f"{self.__name__}.{name}")
        # Keras' own take tensors of a graph, and are compared with what its layers hold
        elif type(found) is FunctionType and found.__module__.partition(".")[0] == _FACE.__name__:
            found = self._at_home(name, found)
        names[name] = found  # Keras asks for the same names in every step
        return found

    def _at_home(self, name: str, function: FunctionType) -> Any:
        """Lift a function, which says where it was found first: `pickle` looks for it there."""
        made = _LIFTED(function)
        if made is not function and made.__module__ == function.__module__:
            made.__module__, made.__qualname__ = self.__name__, name
        return made

    def __dir__(self) -> list[str]:
        names = self.__dict__
        start = f"{names['_within']}." if names["_within"] else ""
        own = {n.removeprefix(start).partition(".")[0] for n in STAND_INS if n.startswith(start)}
        return sorted({*dir(names["_holder"]), *own, *names_of(names["_within"])})
