"""What a test says that fails: the words of `tf.test.TestCase`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import symtape as tf
from tests.answers.forward import ASSERTIONS, _case

_NUMPYS = re.compile(
    r"\n(Mismatched elements|\(shapes|nan location|[+-]?inf|x and y|ACTUAL).*", re.DOTALL
)
"""What NumPy adds, which differs between its versions."""


def _told(assertion: Callable[[Any, Any], None]) -> str:
    try:
        assertion(_case(tf), tf)
    except Exception as error:  # noqa: BLE001 - what it says is kept
        return f"{type(error).__name__}: {_NUMPYS.sub('', str(error)).strip()}"
    return "holds"


def _all_told(name: str) -> list[str]:
    return [_told(assertion) for assertion in ASSERTIONS[name]]


MESSAGES = [
    lambda t, tf: t.assertAllClose([1.0, [2.0, 3.0]], [1.0], msg="my words"),
    lambda t, tf: t.assertAllClose({"a": 1.0}, {"b": 1.0}, msg="my words"),
    lambda t, tf: t.assertNear(1.0, 1.5, 0.1, msg="my words"),
    lambda t, tf: t.assertNear(1.0, 1.5, 0.1),
    lambda t, tf: t.assertAllEqual([1, 2], [1, 3], msg="my words"),
    lambda t, tf: t.assertNotAllEqual([1], [1], msg="my words"),
    lambda t, tf: t.assertNotAllClose([1.0], [1.0], msg="my words"),
    lambda t, tf: t.assertStartsWith("abc", "b", msg="my words"),
    lambda t, tf: t.assertLen([1, 2], 3, msg="my words"),
    lambda t, tf: t.assertEmpty([1], msg="my words"),
    lambda t, tf: t.assertNotEmpty([], msg="my words"),
    lambda t, tf: t.assertBetween(3, 1, 2, msg="my words"),
    lambda t, tf: t.assertArrayNear([1.0, 2.0], [1.0, 2.5], 0.1, msg="my words"),
    lambda t, tf: t.assertNDArrayNear(1.0, 2.5, 0.1, msg="my words"),
]
TOLD: dict[str, Callable[[], Any]] = {name: partial(_all_told, name) for name in ASSERTIONS}
TOLD["with a message"] = lambda: [_told(assertion) for assertion in MESSAGES]
