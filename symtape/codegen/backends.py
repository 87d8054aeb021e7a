"""Where a compiled formula can run: one row a backend."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from symtape.codegen.compile import Source
from symtape.codegen.task import Backend, Code, Task
from symtape.errors import UnsupportedError
from symtape.kernels.interpret import QUIET


def _numpy(task: Task) -> Code:
    source = Source(*task)
    function = source.compile()
    return Code(source.readable, lambda *values: QUIET.run(function, *values))


def _row(module: str, name: str = "BACKEND") -> Callable[[], Backend]:
    """Find a row in the module that writes its code, which is imported when a row is asked for."""
    return cache(lambda: getattr(import_module(f"symtape.codegen.{module}"), name))


_NUMPY = Backend(_numpy)

BACKENDS: dict[str, Callable[[], Backend]] = {
    "numpy": lambda: _NUMPY,
    "math": _row("python_code"),
    "scipy": _row("scipy_words"),
    "jax": _row("libraries.backend", "JAX"),
    "torch": _row("libraries.backend", "TORCH"),
    "cupy": _row("libraries.backend", "CUPY"),
    "dask": _row("libraries.backend", "DASK"),
    "array_api": _row("libraries.backend", "ARRAY_API"),
    "numba": _row("loops.numba_code"),
    "c": _row("loops.c.library"),
}

_OF_NAMESPACE = "array_api:"


def backend_name(backend: Any) -> str:
    """Name a backend: a name of the table, or a namespace of the array API standard."""
    if isinstance(backend, str):
        return backend
    if hasattr(backend, "asarray") and hasattr(backend, "__name__"):
        return f"{_OF_NAMESPACE}{backend.__name__}"
    raise UnsupportedError(
        f"{backend!r} is no backend: it is one of {', '.join(BACKENDS)}, or a module that has the "
        "functions of the array API standard"
    )


def backend_named(name: str) -> Backend:
    """Find a backend; raises `UnsupportedError` that lists those there are."""
    if name in BACKENDS:
        return BACKENDS[name]()
    module = sys.modules.get(name.removeprefix(_OF_NAMESPACE)) if ":" in name else None
    if module is not None:  # nothing is imported because a file or a pickle names it
        libraries = import_module("symtape.codegen.libraries.backend")
        row: Backend = libraries.of_namespace(module)
        return row
    raise UnsupportedError(
        f"there is no backend {name!r}; there are {', '.join(BACKENDS)}, and any module that has "
        "the functions of the array API standard"
    )
