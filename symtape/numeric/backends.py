"""Where a compiled formula can run: one row a backend."""

from __future__ import annotations

import sys
from typing import Any

from symtape.errors import UnsupportedError
from symtape.numeric import python_code, scipy_words
from symtape.numeric.c_code import write_c
from symtape.numeric.compile import Source
from symtape.numeric.interpret import QUIET
from symtape.numeric.numba_code import write_numba
from symtape.numeric.portable import backend as portable
from symtape.numeric.task import Backend, Code, Task


def _numpy(task: Task) -> Code:
    source = Source(task.program, task.inputs, task.outputs, task.names)
    function = source.compile()
    return Code(source.text, lambda *values: QUIET.run(function, *values))


BACKENDS: dict[str, Backend] = {
    "numpy": Backend(_numpy),
    "math": python_code.BACKEND,
    "scipy": Backend(scipy_words.write),
    "jax": portable.on_library(portable.jax),
    "torch": portable.on_library(portable.torch),
    "cupy": portable.on_library(portable.cupy),
    "dask": portable.on_library(portable.dask),
    "array_api": portable.anywhere(),
    "numba": Backend(write_numba),
    "c": Backend(write_c),
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
    found = BACKENDS.get(name)
    if found is not None:
        return found
    module = sys.modules.get(name.removeprefix(_OF_NAMESPACE)) if ":" in name else None
    if module is not None:  # nothing is imported because a file or a pickle names it
        return portable.of_namespace(module)
    raise UnsupportedError(
        f"there is no backend {name!r}; there are {', '.join(BACKENDS)}, and any module that has "
        "the functions of the array API standard"
    )


__all__ = ["BACKENDS", "Backend", "Code", "Task", "backend_name", "backend_named"]
