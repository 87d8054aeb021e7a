"""Functions of C that are compiled, loaded and called: the c backend."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.loops.c.code import Argument, CSource, c_source
from symtape.codegen.loops.c.words import type_name
from symtape.codegen.task import Backend, Code, Task
from symtape.errors import UnsupportedError
from symtape.extras import imported

FLAGS = (
    "-std=c99",
    "-O3",
    "-march=native",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fPIC",
    "-shared",
)
"""What the compiler is told; nothing in it lets it change what nan or infinity mean."""


class Library(NamedTuple):
    """A compiled file, and the interface of cffi to it."""

    ffi: Any
    lib: Any


def build(sources: Sequence[CSource], flags: Sequence[str] = FLAGS) -> Library:
    """Compile functions into one library and load it.

    Raises `ExtraNotInstalledError` without cffi, `UnsupportedError` without a compiler.
    """
    cffi = imported("cffi", "calling compiled C", "c")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise UnsupportedError(
            "backend 'c' needs a compiler of C99 named cc, gcc or clang to be called; source and "
            "header are written without one: symtape.codegen.loops.c.code.c_source"
        )
    ffi = cffi.FFI()
    with tempfile.TemporaryDirectory(prefix="symtape-") as folder:
        library = Path(folder) / "library.so"
        files = []
        for source in sources:
            ffi.cdef(f"{_declaration(source)};")
            files.append(str(Path(folder) / f"{source.name}.c"))
            Path(files[-1]).write_text(source.text + _forwarded(source), "utf-8")
        command = [compiler, *flags, *files, "-o", str(library), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - no shell, and files that we wrote
        if done.returncode:
            raise UnsupportedError(f"{compiler} refused the code:\n{done.stderr[:2000]}")
        return Library(ffi, ffi.dlopen(str(library)))


def _is_passed_by_address(argument: Argument) -> bool:
    """Say whether an argument is a complex scalar, of which libffi passes no value."""
    return argument.dtype.kind == "c" and not argument.shape and not argument.is_result


def _entry(source: CSource) -> str:
    """Name the function that cffi calls: the source's own, or one that takes addresses."""
    return f"{source.name}_at" if any(map(_is_passed_by_address, source.arguments)) else source.name


def _kind(argument: Argument) -> str:
    by_address = _is_passed_by_address(argument)
    return f"const {type_name(argument.dtype)} *" if by_address else argument.kind


def _declaration(source: CSource) -> str:
    """Write the prototype of the function that cffi calls, without the names of arguments."""
    return f"int {_entry(source)}({', '.join(map(_kind, source.arguments)) or 'void'})"


def _forwarded(source: CSource) -> str:
    """Write the function that takes complex scalars by their addresses, where there are some."""
    if _entry(source) == source.name:
        return ""
    numbered = list(enumerate(source.arguments))
    given = ", ".join([f"{_kind(a)}a{k}" for k, a in numbered])
    passed = ", ".join([f"{'*' if _is_passed_by_address(a) else ''}a{k}" for k, a in numbered])
    return f"\nint {_entry(source)}({given})\n{{\n    return {source.name}({passed});\n}}\n"


def caller(source: CSource, library: Library) -> Callable[..., tuple[Any, ...]]:
    """Give the function that calls a compiled one with arrays of the right shapes."""
    ffi, function = library.ffi, getattr(library.lib, _entry(source))
    given = [a for a in source.arguments if not a.is_result]
    results = [a for a in source.arguments if a.is_result]
    pointers = {a.name: f"{type_name(a.dtype)}[]" for a in source.arguments}
    from_buffer = ffi.from_buffer

    def run(*values: Any) -> tuple[Any, ...]:
        passed = [
            from_buffer(pointers[a.name], np.ascontiguousarray(v))
            if a.shape or _is_passed_by_address(a)
            else v.item()
            for a, v in zip(given, values, strict=True)
        ]
        made = [np.empty(a.shape, a.dtype) for a in results]
        passed += [
            from_buffer(pointers[a.name], array) for a, array in zip(results, made, strict=True)
        ]
        status = function(*passed)
        if status:
            raise _ERRORS[status](_MESSAGES[status])
        return tuple([array[()] for array in made])

    return run


_ERRORS: dict[int, type[Exception]] = {
    1: MemoryError, 2: IndexError, 3: np.linalg.LinAlgError, 4: ZeroDivisionError,
    5: ValueError,
}  # fmt: skip
_MESSAGES = {
    1: "no memory for the results between",
    2: "an index is out of range",
    3: "a matrix is singular, or not positive definite",
    4: "integers are divided by 0",
    5: "Integers to negative integer powers are not allowed.",
}


def write_c(task: Task) -> Code:
    """Write a task in C; it is compiled and loaded when it is first called."""
    source = c_source(task)

    @cache
    def compiled() -> Callable[..., tuple[Any, ...]]:
        return caller(source, build([source]))

    def run(*values: Any) -> tuple[Any, ...]:
        return compiled()(*values)

    return Code(source.text, run, source.header)


BACKEND = Backend(write_c)
