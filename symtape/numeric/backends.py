"""Where a compiled formula can run: one row a backend."""

from __future__ import annotations

from symtape.errors import UnsupportedError
from symtape.numeric.compile import Source
from symtape.numeric.interpret import QUIET
from symtape.numeric.task import Backend, Code, Task


def _numpy(task: Task) -> Code:
    source = Source(task.program, task.inputs, task.outputs, task.names)
    function = source.compile()
    return Code(source.text, lambda *values: QUIET.run(function, *values))


BACKENDS: dict[str, Backend] = {
    "numpy": Backend(_numpy),
}


def backend_named(name: str) -> Backend:
    """Find a backend; raises `UnsupportedError` that lists those there are."""
    found = BACKENDS.get(name)
    if found is None:
        raise UnsupportedError(f"there is no backend {name!r}; there are {', '.join(BACKENDS)}")
    return found


__all__ = ["BACKENDS", "Backend", "Code", "Task", "backend_named"]
