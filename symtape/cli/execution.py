"""Runs a script as `python FILE` does, or a module, with TensorFlow answered by symtape."""

from __future__ import annotations

import builtins
import linecache
import runpy
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from symtape.cli.children import answered
from symtape.cli.script import STANDARD_INPUT, Script
from symtape.stand_in.takeover import answering

_PACKAGE = __name__.partition(".")[0]
_INTERRUPTED = 130
"""What a shell gives for a program that ctrl-C ended."""


def execute(script: Script, arguments: Sequence[str]) -> Any:
    """Run a script; gives the exit status, as `sys.exit` takes it.

    The script sees its own `sys.argv`, `sys.path` and `__main__`. What it does not catch is printed
    as Python prints it.
    """
    main = _main_module(script)

    def run() -> None:
        for part in script.parts:
            exec(compile(part.source, part.filename, "exec", dont_inherit=True), vars(main))  # noqa: S102 - the very purpose

    directory = Path(script.file).resolve().parent
    with _as_main(main, directory, [script.name, *arguments]):
        return _status(run)


def execute_module(name: str, arguments: Sequence[str]) -> Any:
    """Run a module or package as `python -m NAME` does; gives the exit status."""
    # pytest would warn that it cannot rewrite what is imported already; that says it need not
    package = sys.modules[_PACKAGE]
    package.__doc__ = f"{package.__doc__}\n\nPYTEST_DONT_REWRITE"

    def run() -> None:
        spec = _found(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = _found(f"{name}.__main__")
        if spec is None:
            raise SystemExit(f"symtape: No module named {name} that can be run")
        runpy.run_module(name, run_name="__main__", alter_sys=True)

    with _as_main(sys.modules["__main__"], Path.cwd(), ["-m", *arguments]):
        return _status(run)


def _found(name: str) -> ModuleSpec | None:
    """Look for a module; what a package around it lacks itself is raised."""
    if not name or name.startswith("."):
        return None
    try:
        return find_spec(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):
            raise
        return None


def _status(run: Callable[[], None]) -> Any:
    """Run with TensorFlow answered; gives the exit status, and prints what is not caught."""
    threads = set(threading.enumerate())
    with answering(), answered():
        uncaught = _uncaught(run)
        if isinstance(uncaught, SystemExit):
            status = uncaught.code
        else:
            status = _report(uncaught) if uncaught is not None else 0
        for thread in set(threading.enumerate()) - threads:
            if not thread.daemon:
                thread.join()  # as Python does before it exits
    return status


def _uncaught(run: Callable[[], None]) -> BaseException | None:
    """Run; gives the exception that ends it."""
    try:
        run()
    except BaseException as error:  # noqa: BLE001 - Python reports every one of them
        return error
    return None


def _main_module(script: Script) -> ModuleType:
    """Make the module `__main__` with the names that Python gives it."""
    main = ModuleType("__main__")
    names = vars(main)
    plain = [p.filename for p in script.parts] == [script.file] != [STANDARD_INPUT]
    names["__builtins__"] = builtins
    names["__file__"] = script.file
    names["__loader__"] = SourceFileLoader("__main__", script.file) if plain else None
    if sys.version_info < (3, 15):
        names["__cached__"] = None
    if sys.version_info < (3, 14):
        names["__annotations__"] = {}
    for part in script.parts:
        if not _is_file(part.filename, script):
            text = _text(part.source)
            lines = text.splitlines(keepends=True)
            linecache.cache[part.filename] = (len(text), None, lines, part.filename)
    return main


def _is_file(filename: str, script: Script) -> bool:
    """Say whether source can be read again: that of a cell cannot, nor what came by a pipe."""
    return filename == script.file != STANDARD_INPUT


def _text(source: str | bytes) -> str:
    return source if isinstance(source, str) else source.decode("utf-8-sig", "replace")


@contextmanager
def _as_main(main: ModuleType, directory: Path, arguments: list[str]) -> Iterator[None]:
    """Let the interpreter look as if what is run had been started by itself."""
    modules, argv, path = sys.modules.copy(), sys.argv, sys.path
    sys.modules["__main__"] = main
    sys.argv = arguments
    if not sys.flags.safe_path:
        sys.path = [str(directory), *path[1:]]
    try:
        yield
    finally:
        sys.argv, sys.path = argv, path
        sys.modules["__main__"] = modules["__main__"]
        loaded = sys.modules.keys() - modules.keys()
        own = [n for n in loaded if _lies_in(directory, sys.modules.get(n.partition(".")[0]))]
        for name in own:
            del sys.modules[name]  # it may hold symtape for TensorFlow


def _lies_in(directory: Path, module: Any) -> bool:
    """Say whether a module or package was found in a directory itself, as the script's own are."""
    file = Path(getattr(module, "__file__", None) or "/")
    return directory in {
        file.parent,
        file.parent.parent if file.stem == "__init__" else file.parent,
    }


# --- what the script does not catch ---------------------------------------------------------------


def _report(error: BaseException) -> int:
    """Print an exception as Python does for a script that ends by it; gives the exit status."""
    _hide_own_frames(error)
    hook = sys.excepthook
    if hook is sys.__excepthook__ and any(
        _is_cell(f) for f, _ in traceback.walk_tb(error.__traceback__)
    ):
        hook = _print_with_cells
    try:
        hook(type(error), error, error.__traceback__)
    except BaseException as second:  # noqa: BLE001 - Python reports every one of them
        _hide_own_frames(second)
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(second), second, second.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(error), error, error.__traceback__)
    return _INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def _is_cell(frame: Any) -> bool:
    name = frame.f_code.co_filename
    return name == STANDARD_INPUT or ", cell " in name


def _print_with_cells(_: type[BaseException], error: BaseException, __: Any) -> None:
    """Print with the source of cells, which the built-in hook of Python 3.11 looks for in files."""
    traceback.print_exception(error)


def _hide_own_frames(error: BaseException) -> None:
    """Take symtape's frames out of the traceback of an exception, and of those behind it."""
    pending, seen = [error], set()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = _without_own_frames(one.__traceback__)
        behind = (one.__cause__, one.__context__, *getattr(one, "exceptions", ()))
        pending += [other for other in behind if isinstance(other, BaseException)]


def _without_own_frames(first: TracebackType | None) -> TracebackType | None:
    entries = []
    entry = first
    while entry is not None:
        if not _is_own(entry):
            entries.append(entry)
        entry = entry.tb_next
    following = None
    for entry in reversed(entries):
        entry.tb_next = following
        following = entry
    return following


def _is_own(entry: TracebackType) -> bool:
    frame = entry.tb_frame
    module = str(frame.f_globals.get("__name__", ""))
    if module == "runpy":
        return True
    return module.partition(".")[0] == _PACKAGE or frame.f_code.co_filename == f"<{_PACKAGE}>"
