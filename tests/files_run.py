"""How many files of symtape a call runs: what somebody reads who follows it with a debugger.

`python -m tests.files_run` prints the figures, and which files they are. What runs while a module
is imported for the first time does not count.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import symtape as tf

PACKAGE = Path(tf.__file__).parent


def files_run(call: Callable[[], Any], package: Path = PACKAGE) -> list[str]:
    """Name the files of a package of which a call runs functions, in alphabetical order."""
    found: set[str] = set()
    importing = 0
    folder = str(package) + os.sep

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal importing
        code = frame.f_code
        if code.co_name == "<module>":
            importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing and code.co_filename.startswith(folder):
            found.add(code.co_filename.removeprefix(folder))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return sorted(found)


def tape_step() -> Callable[[], Any]:
    """Make one step with a tape that was taken before: its derivative is planned and compiled."""
    x = tf.Variable(3.0)

    def step() -> Any:
        with tf.GradientTape() as tape:
            y = tf.sin(x * x)
        return tape.gradient(y, x)

    for _ in range(3):
        step()
    return step


def warm_gradient() -> Callable[[], Any]:
    """Make a call of `grad` for arguments like those of calls before."""
    slope = tf.grad(lambda x: np.sum(x**3))
    at = np.array([1.0, 2.0])
    for _ in range(3):
        slope(at)
    return lambda: slope(at)


def first_gradient() -> Callable[[], Any]:
    """Make the first call of `grad` in a process: tracing, deriving, writing, running."""
    return lambda: tf.grad(lambda x: x * x)(2.0)


if __name__ == "__main__":
    for case in (first_gradient, tape_step, warm_gradient):  # the first one while all is new
        found = files_run(case())
        print(f"{case.__name__}: {len(found)} files\n  " + "\n  ".join(found))
