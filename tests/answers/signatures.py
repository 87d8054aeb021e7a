"""Signatures: the names, order and defaults of arguments, of functions and of methods."""

from __future__ import annotations

import inspect
from operator import attrgetter
from types import ModuleType
from typing import Any

import symtape
from tests.answers.answer import Table
from tests.answers.stand_ins import wide
from tests.names import listed, namespaces, value_of

TABLE = Table("signatures")
NAMESPACES = [
    "",
    "math",
    "math.special",
    "audio",
    "io",
    "io.gfile",
    "image",
    "linalg",
    "nn",
    "quantization",
    "dtypes",
    "debugging",
    "autodiff",
    "config",
    "config.experimental",
    "config.threading",
    "distribute",
    "random",
    "signal",
    "strings",
    "bitwise",
    "summary",
    "summary.experimental",
    "nest",
    "test",
]
BEYOND = listed("## Beyond TensorFlow")
"""Functions that TensorFlow does not have."""


def space_of(module: ModuleType, path: str) -> Any:
    """Look a namespace up."""
    return attrgetter(path)(module) if path else module


def names() -> list[tuple[str, str]]:
    """List every function of every namespace."""
    found = []
    for space in NAMESPACES:
        module = space_of(symtape, space)
        own = [n for n in module.__all__ if f"{space}.{n}".lstrip(".") not in BEYOND]
        found += [(space, n) for n in own if _computes(value_of(module, n))]
    return found


def _computes(value: Any) -> bool:
    """Say whether a name is a function that does not always refuse."""
    refuses = (value.__doc__ or "").startswith("Raise `UnsupportedError`: ")
    return inspect.isfunction(value) and not refuses


def arguments(function: Any) -> list[tuple[str, str]]:
    """List the arguments of a function and their defaults as text, functions by their names."""
    defaults = [(p.name, p.default) for p in inspect.signature(function).parameters.values()]
    return [(name, d.__name__ if inspect.isfunction(d) else str(d)) for name, d in defaults]


for _space, _name in names():
    TABLE.add(
        f"{_space}.{_name}".lstrip("."),
        lambda tf, space=_space, name=_name: arguments(getattr(space_of(tf, space), name)),
    )


# --- functions that are there where `import tensorflow` is answered -----------------------------

for _space in ("experimental.numpy", "ragged", "sparse"):
    for _name in dir(space_of(wide(symtape), _space)._holder):
        if inspect.isfunction(getattr(space_of(wide(symtape), _space), _name)):
            TABLE.add(
                f"the words of {_space}.{_name}",
                lambda tf, space=_space, name=_name: [
                    word for word, _ in arguments(getattr(space_of(wide(tf), space), name))
                ],
            )


# --- methods --------------------------------------------------------------------------------------

OTHERS = {
    "DType.__init__", "Tensor.__init__", "RaggedTensor.__init__", "data.Iterator.__init__",
    "data.NumpyIterator.__init__", "data.experimental.Optional.__init__",
    "linalg.LinearOperator.__init__",  # objects that other functions make
    "Variable.__init__",  # None stands for AUTO and NONE
    "RaggedTensor.from_sparse",  # None stands for the dtype of the places
    "lookup.experimental.DenseHashTable.lookup",  # takes what other tables take, too
    "test.TestCase.assertDictEqual",  # unittest's names
}  # fmt: skip
"""Methods whose arguments are called otherwise here, or are more."""
BEYOND_METHODS = set(
    "changed converted enclose entering evalf exact fill find_label hessian index_expr "
    "is_initialized lambdify latex leaf_step parts put scatter_nd_max scatter_nd_min set_shape "
    "structure_of text to_entries to_expr why_none written".split()
)
"""Methods that TensorFlow's classes do not have."""


def methods() -> dict[str, tuple[str, str, list[str]]]:
    """List the methods of every class by their paths: where each is, and its arguments here."""
    found, seen = {}, set()
    for path in namespaces():
        space = path.removeprefix("tf").removeprefix(".")
        if space.partition(".")[0] in {"keras", "errors", "initializers", "verify"}:
            continue
        for owner in namespaces()[path]:
            made, whole = value_of(space_of(symtape, space), owner), f"{space}.{owner}".lstrip(".")
            is_theirs = inspect.isclass(made) and whole not in BEYOND
            is_theirs &= not hasattr(made, "DESCRIPTOR")  # Protocol Buffers tell no signatures
            for name in sorted({*dir(made)} - BEYOND_METHODS) if is_theirs else ():
                method = inspect.getattr_static(made, name)
                own = own_arguments(method)
                is_said = name[0] != "_" or name in {"__init__", "__call__"}
                if own and is_said and method not in seen:
                    seen.add(method)
                    found[f"{whole}.{name}"] = (whole, name, own)
    return {path: row for path, row in found.items() if path not in OTHERS}


def own_arguments(method: Any) -> list[str]:
    """List the arguments that a method names; what takes any refuses, or hands them on."""
    function = method.__func__ if isinstance(method, (classmethod, staticmethod)) else method
    if not inspect.isfunction(function) or not function.__module__.startswith("symtape."):
        return []
    any_kind = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    given = inspect.signature(function).parameters.values()
    return [p.name for p in given if p.kind not in any_kind and p.name != "self"]


def of_method(tf: Any, owner: str, name: str, own: list[str]) -> list[tuple[str, str]]:
    """List those of some arguments that a method takes, and their defaults."""
    given = inspect.signature(attrgetter(f"{owner}.{name}")(tf)).parameters.values()
    defaults = [(p.name, p.default) for p in given if p.name in own]
    return [(name, getattr(d, "name", None) or _shown(d)) for name, d in defaults]


def _shown(default: Any) -> str:
    """Give the text of a default; an error by its name, whoever's it is."""
    is_error = inspect.isclass(default) and issubclass(default, Exception)
    return default.__name__ if is_error else str(default)


for _whole, (_owner, _name, _own) in methods().items():
    TABLE.add(
        f"method {_whole}",
        lambda tf, owner=_owner, name=_name, own=_own: of_method(tf, owner, name, own),
    )
