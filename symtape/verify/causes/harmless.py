"""Whether a function does nothing but compute, so that a changed one may be run."""

from __future__ import annotations

import ast
import sys
import types
from typing import Any

import numpy as np


def is_harmless(tree: Any, names: dict[str, Any]) -> bool:
    """Say whether a function calls nothing but what computes.

    These are functions of modules of numbers, some builtins, functions that it defines itself,
    methods of arrays that do not write to files, and those of lists that it made.
    """
    own = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    made = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store}
    for node in ast.walk(tree):
        if isinstance(node, _ELSEWHERE):
            return False
        if isinstance(node, ast.Call) and not (
            _computes(node.func, names, own) or _fills(node.func, made)
        ):
            return False
    return True


_ELSEWHERE = (ast.Import, ast.ImportFrom, ast.With, ast.Global, ast.Nonlocal, ast.Delete)
_BUILTINS = frozenset(
    {"abs", "bool", "complex", "divmod", "enumerate", "float", "int", "len", "list", "map", "max",
     "min", "pow", "range", "reversed", "round", "slice", "sorted", "sum", "tuple", "zip"}
)  # fmt: skip
_MODULES = frozenset({"numpy", "math", "scipy", "symtape", "jax", "torch"})
_WRITES = frozenset(
    {"tofile", "dump", "dumps", "setflags", "backward", "register_hook", "share_memory_", "set_"}
)
_FILES = frozenset(
    {"save", "savez", "savez_compressed", "savetxt", "memmap", "load", "loadtxt", "fromfile", "io"}
)
_OF_LISTS = frozenset({"append", "extend", "insert", "pop", "reverse"})


def _computes(func: Any, names: dict[str, Any], own: set[str]) -> bool:
    if isinstance(func, ast.Name):
        return func.id in own or (func.id in _BUILTINS and func.id not in names)
    path = []
    while isinstance(func, ast.Attribute):
        path.append(func.attr)
        func = func.value
    module = names.get(func.id) if isinstance(func, ast.Name) else None
    if isinstance(module, types.ModuleType):
        return module.__name__.split(".")[0] in _MODULES and _FILES.isdisjoint(path)
    return bool(path) and _is_of_arrays(path[0])


def _is_of_arrays(name: str) -> bool:
    """Say whether a method is one of arrays, of any framework that is there."""
    torch = sys.modules.get("torch")
    kinds = [np.ndarray, *([torch.Tensor] if torch is not None else [])]
    of_places = "jax" in sys.modules and name in {"set", "add", "multiply", "divide"}
    return name not in _WRITES and (of_places or any(hasattr(kind, name) for kind in kinds))


def _fills(func: Any, made: set[str]) -> bool:
    """Say whether a call changes a list that the function made."""
    is_own = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name)
    return is_own and func.attr in _OF_LISTS and func.value.id in made


__all__ = ["is_harmless"]
