"""One process: runs files of Keras' tests on symtape or TensorFlow, and writes how each test ended.

`python -m tests.keras_suite.inside symtape OUT FILE…` appends a line of JSON to OUT for each test;
a file may be followed by `::` and the name of a test in it.
The repository of Keras has a conftest that its wheel has not; what it does is done here.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SECONDS = int(os.environ.get("KERAS_SUITE_SECONDS", "60"))
"""How long one test may take."""


class TooLongError(Exception):
    """A test took longer than it may."""


class Notes:
    """Writes down how each test ended, and ends those that take too long."""

    def __init__(self, out: Path, root: Path) -> None:
        self._out, self._root = out, root
        self._ends: dict[str, tuple[str, str, float]] = {}

    def _write(self, **entry: Any) -> None:
        with self._out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def pytest_configure(self, config: Any) -> None:
        """Know the mark that Keras' tests have."""
        config.addinivalue_line("markers", "requires_trainable_backend: a backend that trains")

    def pytest_collectreport(self, report: Any) -> None:
        """Note a file that cannot be imported."""
        if report.failed:
            self._write(test=self._name(report.nodeid), end="failed", why=_why(report), seconds=0)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        """Run a test for as long as it may take."""
        self._write(test=self._name(item.nodeid), end="begun")
        signal.signal(signal.SIGALRM, _stop)
        signal.alarm(SECONDS)
        try:
            return (yield)
        finally:
            signal.alarm(0)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note how a test ended."""
        if report.when == "call" or report.outcome != "passed":
            self._write(
                test=self._name(report.nodeid),
                end=report.outcome,
                why=_why(report) if report.outcome == "failed" else "",
                seconds=round(report.duration, 2),
            )

    def _name(self, nodeid: str) -> str:
        file, mark, rest = nodeid.partition("::")
        return f"{(Path('/') / file).relative_to(self._root).as_posix()}{mark}{rest}"


def _stop(*_: object) -> None:
    raise TooLongError(f"takes more than {SECONDS} s")


def _why(report: Any) -> str:
    """Take the last line of what a failing test says."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return text.strip()[:600]


def _conftest(backend: str) -> ModuleType:
    """Make what files of tests import of the conftest that the wheel leaves out."""

    def skip_if_backend(given_backend: str, reason: str) -> Any:
        return pytest.mark.skipif(backend == given_backend, reason=reason)

    module = ModuleType("conftest")
    vars(module)["skip_if_backend"] = skip_if_backend
    return module


def run(engine: str, out: Path, files: list[str]) -> None:
    """Run files with one engine."""
    if engine == "symtape":
        import symtape  # noqa: PLC0415 - TensorFlow's process has none of it

        symtape.stand_in.for_tensorflow()
    import keras  # noqa: PLC0415 - after who answers `import tensorflow`

    sys.modules["conftest"] = _conftest(keras.backend.backend())
    warnings.resetwarnings()
    root = Path(keras.__file__).parent / "src"
    os.chdir(tempfile.mkdtemp())
    pytest.main(
        [
            *(
                "-q",
                "--no-header",
                "--continue-on-collection-errors",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:xdist",
                "-p",
                "no:symtape",
            ),
            *("-c", os.devnull, "--rootdir", "/", "--import-mode=importlib", "-W", "ignore"),
            *[str(root / file) for file in files],
        ],
        plugins=[Notes(out, root)],
    )


if __name__ == "__main__":
    run(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
