"""Answers `import tensorflow` with symtape, while a script runs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_ANSWERED = "tensorflow"
_FACE = importlib.import_module(__name__.partition(".")[0])
"""What answers: the public face, to which no module of a lower room may bind itself by name."""

_VERSION = "2.21.0"
"""The TensorFlow whose behaviour is kept, for scripts that ask."""


@contextmanager
def answering() -> Iterator[None]:
    """Answer `import tensorflow` and imports of what it holds, in this block only."""
    finder = Finder()
    hidden = _forget()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        _forget()
        sys.modules.update(hidden)


def _forget() -> dict[str, ModuleType]:
    """Take every module of TensorFlow out of those that Python has loaded."""
    names = [n for n in sys.modules if n == _ANSWERED or n.startswith(f"{_ANSWERED}.")]
    return {name: sys.modules.pop(name) for name in names}


class Finder(MetaPathFinder, Loader):
    """Finds `tensorflow` and its modules, such as `tensorflow.keras.layers`, in symtape."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - Python's signature
        target: ModuleType | None = None,  # noqa: ARG002 - Python's signature
    ) -> ModuleSpec | None:
        """Find what a name of TensorFlow's stands for; leave all other names to Python."""
        root, _, rest = fullname.partition(".")
        if root != _ANSWERED:
            return None
        holder: Any = _FACE
        for name in rest.split(".") if rest else ():
            try:
                inner = getattr(holder, name)
            except AttributeError as error:
                raise ModuleNotFoundError(f"No module named {fullname!r}: {error}") from None
            if callable(inner):
                raise ModuleNotFoundError(f"No module named {fullname!r}; it is not a module")
            holder = inner
        spec = ModuleSpec(fullname, self, is_package=True)
        spec.loader_state = holder
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make the module that a script receives."""
        return Answer(spec.name, spec.loader_state)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: an answer holds nothing of its own."""


class Answer(ModuleType):
    """A module of TensorFlow's name that has what a part of symtape has."""

    def __init__(self, name: str, holder: Any) -> None:
        super().__init__(name, holder.__doc__)
        self._holder = holder
        if name == _ANSWERED:
            self.__version__ = _VERSION

    def __getattr__(self, name: str) -> Any:
        holder = self.__dict__["_holder"]
        if name == "__all__":
            return [n for n in dir(holder) if not n.startswith("_")]
        return getattr(holder, name)

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["_holder"])
