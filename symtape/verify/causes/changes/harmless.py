"""Whether a function does nothing but compute, so that a changed one may be run."""

from __future__ import annotations

import ast
import sys
import types
import weakref
from typing import Any

import numpy as np

from symtape.verify.causes.code.sources import source_of


def is_harmless(tree: Any, names: dict[str, Any]) -> bool:
    """Say whether a function calls nothing but what computes.

    These are functions of modules of numbers, some builtins, functions that it defines itself or
    finds beside it that do no more, methods of arrays that do not write to files, and those of
    lists that it made.
    """
    own = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    own |= _aliases(tree, names)
    made = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store}
    for node in ast.walk(tree):
        if isinstance(node, _ELSEWHERE) and not _is_mode(node):
            return False
        if isinstance(node, ast.Call) and not (
            _computes(node.func, names, own) or _fills(node.func, made)
        ):
            return False
    return True


_ELSEWHERE = (ast.Import, ast.ImportFrom, ast.With, ast.Global, ast.Nonlocal, ast.Delete)
_BUILTINS = frozenset(
    {"abs", "all", "any", "bool", "complex", "dict", "divmod", "enumerate", "float", "int",
     "isinstance", "iter", "len", "list", "map", "max", "min", "next", "pow", "range", "reversed",
     "round", "set", "slice", "sorted", "sum", "tuple", "zip"}
)  # fmt: skip
_MODULES = frozenset(
    {"numpy", "math", "cmath", "itertools", "functools", "scipy", "symtape", "jax", "torch"}
)
_WRITES = frozenset(
    {"tofile", "dump", "dumps", "setflags", "backward", "register_hook", "share_memory_", "set_"}
)
_FILES = frozenset(
    {"save", "savez", "savez_compressed", "savetxt", "memmap", "load", "loadtxt", "fromfile", "io"}
)
_OF_LISTS = frozenset({"append", "extend", "insert", "pop", "reverse"})
_OF_DICTS = frozenset({"items", "keys", "values", "get"})
_MODES = frozenset({"errstate", "no_grad", "enable_grad", "inference_mode"})
"""What a block is run with that says how numbers are computed."""


def _is_mode(node: Any) -> bool:
    """Say whether a block is run with nothing but modes of a module of numbers."""
    return isinstance(node, ast.With) and all(
        isinstance(item.context_expr, ast.Call)
        and isinstance(item.context_expr.func, ast.Attribute)
        and item.context_expr.func.attr in _MODES
        for item in node.items
    )


def _aliases(tree: Any, names: dict[str, Any]) -> set[str]:
    """List names that a function gives to functions of modules, or of its own, and nothing else."""
    found: dict[str, bool] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            for target, value in _pairs(node.targets[0], node.value):
                if isinstance(target, ast.Name):
                    is_known = isinstance(value, ast.Lambda) or (
                        isinstance(value, ast.Attribute) and _computes(value, names, set())
                    )
                    found[target.id] = found.get(target.id, True) and is_known
    return {name for name, is_known in found.items() if is_known}


def _pairs(target: Any, value: Any) -> list[tuple[Any, Any]]:
    both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
    if both and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _computes(func: Any, names: dict[str, Any], own: set[str]) -> bool:
    if isinstance(func, ast.Name):
        given = names.get(func.id)
        is_known = isinstance(given, np.ufunc) or _is_of_modules(given) or _is_helper(given)
        return func.id in own or is_known or (func.id in _BUILTINS and func.id not in names)
    path = []
    while isinstance(func, ast.Attribute):
        path.append(func.attr)
        func = func.value
    module = names.get(func.id) if isinstance(func, ast.Name) else None
    if isinstance(module, types.ModuleType):
        return module.__name__.split(".")[0] in _MODULES and _FILES.isdisjoint(path)
    return bool(path) and (_is_of_arrays(path[0]) or path[:2] == ["type", "dtype"])


def _is_of_modules(given: Any) -> bool:
    """Say whether a function is one of a module of numbers, imported by its name."""
    module = getattr(given, "__module__", None) if callable(given) else None
    name = getattr(given, "__name__", "")
    return str(module).split(".")[0] in _MODULES and name not in _FILES


_HELPERS: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()
"""Which functions are harmless; one that calls itself is not."""


def _is_helper(given: Any) -> bool:
    """Say whether something is a plain function that is harmless itself, or made of one by JAX."""
    given = _made_of(given)
    if type(given) is not types.FunctionType or given.__closure__:
        return False
    if given not in _HELPERS:
        _HELPERS[given] = False
        source = source_of(given)
        _HELPERS[given] = source is not None and is_harmless(source.tree, given.__globals__)
    return _HELPERS[given]


def _made_of(given: Any) -> Any:
    """Give the function that has a rule of its own in JAX, or is compiled there, or what it is."""
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(given, (jax.custom_jvp, jax.custom_vjp)):
        given = given.fun
    return given.__wrapped__ if jax is not None and isinstance(given, jax.stages.Wrapped) else given


def _is_of_arrays(name: str) -> bool:
    """Say whether a method is one of arrays, of any framework that is there."""
    torch = sys.modules.get("torch")
    kinds = [np.ndarray, *([torch.Tensor] if torch is not None else [])]
    of_places = "jax" in sys.modules and name in {"set", "add", "multiply", "divide"}
    is_known = of_places or name in _OF_DICTS or any(hasattr(kind, name) for kind in kinds)
    return name not in _WRITES and is_known


def _fills(func: Any, made: set[str]) -> bool:
    """Say whether a call changes a list that the function made."""
    is_own = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name)
    return is_own and func.attr in _OF_LISTS and func.value.id in made
