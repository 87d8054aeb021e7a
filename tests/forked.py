"""`python -m symtape`, started from an interpreter that has imported the package already.

To import takes longer than nearly all that is tested. A fork of a process that has imported reads
its own input, writes its own output, runs in its own folder and ends as any interpreter does.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 120

SERVER = """\
import gc, json, os, runpy, sys, warnings
import symtape.cli
gc.freeze()  # else each child copies all of the parent's memory to look for what is unused
requests, answers = map(int, sys.argv[1:])
with open(requests, closefd=False) as lines:
    while request := lines.readline():
        folder, arguments, files = json.loads(request)
        with warnings.catch_warnings(action="ignore"):  # linear algebra keeps threads, asleep
            child = os.fork()
        if child == 0:
            break
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(answers, f"{status}\\n".encode())
    else:
        sys.exit()
    os.chdir(folder)
    for number, path in enumerate(files):
        os.dup2(os.open(path, os.O_RDWR), number)
sys.path[0] = folder
sys.argv[1:] = arguments
os.close(answers)
runpy.run_module("symtape", run_name="__main__", alter_sys=True)
"""


class Server:
    """An interpreter that has imported the package, and forks for each command."""

    def __init__(self, environment: tuple[tuple[str, str], ...]) -> None:
        theirs, self.requests = os.pipe()
        self.answers, answering = os.pipe()
        self.process = subprocess.Popen(  # noqa: S603 - our own text
            [sys.executable, "-c", SERVER, str(theirs), str(answering)],
            env=dict(environment),
            pass_fds=(theirs, answering),
            stdin=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(answering)
        atexit.register(self.close)

    def close(self) -> None:
        """End the interpreter: it reads no further request."""
        os.close(self.requests)
        self.process.wait(SECONDS)

    def run(
        self, folder: Path, arguments: tuple[str, ...], stdin: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder, and give what it wrote and its exit status."""
        with tempfile.TemporaryDirectory() as place:
            files = [Path(place) / name for name in ("in", "out", "error")]
            for path, text in zip(files, (stdin, "", ""), strict=True):
                path.write_text(text, "utf-8")
            request = json.dumps([str(folder), arguments, list(map(str, files))])
            os.write(self.requests, f"{request}\n".encode())
            if not select.select([self.answers], [], [], SECONDS)[0]:
                self.process.kill()
                raise TimeoutError(f"symtape {' '.join(arguments)} did not end")
            status = int(os.read(self.answers, 20))
            out, error = (path.read_text("utf-8") for path in files[1:])
        return subprocess.CompletedProcess(list(arguments), status, out, error)


@functools.cache
def server(environment: tuple[tuple[str, str], ...]) -> Server:
    """Start an interpreter once for each environment; it ends as the tests do."""
    return Server(environment)


def symtape(
    folder: Path, *arguments: str, environment: dict[str, str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run `python -m symtape` in a folder."""
    if not hasattr(os, "fork"):
        return subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "symtape", *arguments],
            cwd=folder, env=environment, input=stdin, capture_output=True, encoding="utf-8",
            timeout=SECONDS, check=False,
        )  # fmt: skip
    return server(tuple(sorted(environment.items()))).run(folder, arguments, stdin)
