"""Tables whose programs need a process of their own, and one that answers them there.

TensorFlow takes names for its processor only before it is first used, and a program may end it.
`python -m tests.answers.apart TABLE` reads names of programs and writes their answers, a line each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from tests.answers.answer import Table

COUNT = 8
"""How many names the processor has."""
SPOILING = ("scopes at fault", "called at fault")
"""Programs after which TensorFlow does not leave the scope that they failed in."""
_QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
_ROOT = Path(__file__).resolve().parents[2]


class Apart(Table):
    """Programs for a processor of several names."""

    _child: subprocess.Popen[str] | None = None

    def surroundings(self) -> AbstractContextManager[None]:
        """Give the processor its names."""
        return named(COUNT)

    def answer(self, name: str, tf: Any) -> Any:
        """Run a program, with TensorFlow in another process."""
        if tf.__name__ == "symtape":
            with self.surroundings():
                return super().answer(name, tf)
        for _ in range(2):  # a program before may have ended the process
            child = self._running()
            assert child.stdin is not None
            assert child.stdout is not None
            try:
                child.stdin.write(f"{json.dumps(name)}\n")
                child.stdin.flush()
                found = json.loads(child.stdout.readline())
            except (OSError, ValueError):
                self._end()
                continue
            if name.startswith(SPOILING):
                self._end()
            return found
        raise RuntimeError(f"TensorFlow ends where it runs {name!r}")

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def _running(self) -> subprocess.Popen[str]:
        if self._child is None:
            command = [sys.executable, "-m", "tests.answers.apart", self.file.stem]
            self._child = subprocess.Popen(  # noqa: S603 - the same interpreter
                command,
                cwd=_ROOT,
                env=os.environ | _QUIET,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self._child


@contextmanager
def named(count: int) -> Iterator[None]:
    """Give the processor a number of names, and take them away again with who follows them."""
    held = resolve_name("symtape.ops.runtime.devices:_Named")
    followers = [
        resolve_name(f"symtape.{name}:FOLLOWERS")
        for name in (
            "tensor.dispatch",
            "tensor.derivatives.differentiate",
            "ops.control.function",
        )
    ]
    before = held.count, held.used
    held.count = count
    try:
        yield
    finally:
        held.count, held.used = before
        for found in followers:
            found.clear()


def main() -> None:
    """Answer one program after another."""
    import tensorflow as tf  # noqa: PLC0415 - whoever reads a table does without it

    from tests.answers import TABLES  # noqa: PLC0415 - which imports this module

    names = [tf.config.LogicalDeviceConfiguration()] * COUNT
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], names)
    table = TABLES[sys.argv[1]]
    for line in sys.stdin:
        answer = Table.answer(table, json.loads(line), tf)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
