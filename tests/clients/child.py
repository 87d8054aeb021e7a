"""Runs the parts of a client in a process of its own, and writes down what each of them gives.

It is a script: `python child.py TASKS` runs a list of clients with TensorFlow, and
`symtape run child.py TASKS` the same clients with symtape. A report has a line of JSON for each
part, written when the part ends, so that what a time limit cuts off is known up to there.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import linecache
import os
import random
import shutil
import signal
import sys
import time
import types
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.clients import cases, digests, offline
from tests.clients.digests import failure


class Told(io.StringIO):
    """Standard output that is also on disk, for runs that are cut off."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file.open("w", encoding="utf-8")

    def write(self, text: str) -> int:
        """Write to both."""
        self.file.write(text)
        self.file.flush()
        return super().write(text)

    def take(self) -> str:
        """Give what was printed since the last time."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text


def main() -> None:
    """Run each task of a list in a process of its own, for some time."""
    tasks = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    importlib.import_module("tensorflow")  # once: those that follow are forked
    for task, report, seconds in tasks:
        part = Path(f"{report}.part")
        folder = Path(json.loads(Path(task).read_text(encoding="utf-8"))["directory"])
        before = {*folder.iterdir()}
        begun = time.perf_counter()
        child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                alone(json.loads(Path(task).read_text(encoding="utf-8")), part)
            os._exit(0)
        wait(child, begun + seconds)
        with part.open("a", encoding="utf-8") as file:
            print(json.dumps({"part": "all", "seconds": time.perf_counter() - begun}), file=file)
        part.rename(report)
        print(report, flush=True)
        for left in {*folder.iterdir()} - before:  # or the other library would find it
            shutil.rmtree(left) if left.is_dir() else left.unlink()


def wait(child: int, until: float) -> None:
    """Wait for a process, and end it when its time is over."""
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.perf_counter() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.05)


def alone(task: Any, report: Path) -> None:
    """Run a task in this process."""
    errors = os.open(report.with_suffix(".err"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(errors, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    warnings.simplefilter("ignore")
    os.chdir(task["directory"])
    sys.argv = [task["file"]]
    sys.path[:0] = [str(Path(task["file"]).parent), *task["path"]]
    printed = Told(report.with_suffix(".txt"))
    with report.open("w", encoding="utf-8") as lines, contextlib.redirect_stdout(printed):

        def tell(**found: Any) -> None:
            print(json.dumps(found), file=lines, flush=True)

        offline.install(task["small"])
        sys.modules.pop("tests", None)  # a client may have a package of that name itself
        random.seed(0)
        if task["kind"] == "tests":
            cases.run(task, tell)
        else:
            run_parts(task, tell, printed)


def run_parts(task: Any, tell: Any, printed: Told) -> None:
    """Run parts in order in one namespace, each whatever became of those before."""
    module = types.ModuleType("__main__")
    module.__file__ = task["file"]
    sys.modules["__main__"] = module
    names = vars(module)
    for number, (filename, source) in enumerate(task["parts"], 1):
        begun = time.perf_counter()
        found: dict[str, Any] = {"part": number}
        try:
            stored = execute(source, filename, names)
            found |= {"gives": digests.of_names(stored, names)}
        except (Exception, SystemExit) as error:
            found |= failure(error)
        found["seconds"] = time.perf_counter() - begun
        tell(**found, printed=printed.take())


def execute(source: str, filename: str, names: dict[str, Any]) -> list[str]:
    """Run a part as a notebook does; gives the names that it binds, `_` for its last expression.

    Its source can be asked for, as in a notebook: TensorFlow rewrites functions by it.
    """
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    tree = ast.parse(source, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    try:
        exec(compile(tree, filename, "exec", dont_inherit=True), names)
    except SystemExit as end:
        if end.code:
            raise
        last = None  # the program has ended before
    stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and is_stored(n)]
    if isinstance(last, ast.Expr):
        value = eval(
            compile(ast.Expression(last.value), filename, "eval", dont_inherit=True), names
        )
        names["_"] = value
        stored.append("_")
    return list(dict.fromkeys(stored))


def is_stored(name: ast.Name) -> bool:
    """Say whether a name is bound where it stands."""
    return isinstance(name.ctx, ast.Store)


if __name__ == "__main__":
    main()
