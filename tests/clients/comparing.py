"""Whether a part gave the same with symtape as with TensorFlow."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

_RELATIVE = {"float64": 1e-6, "complex128": 1e-6, "float16": 2e-2}
_NOISE = {"float32": 1e-6, "float16": 1e-3, "complex64": 1e-6}
_SINGLE = 2e-3
"""Single precision, after the steps of a training."""
_ADDRESS = 10**13
"""What `id` gives is above it, and differs between processes."""
_CLOCK, _WEEKS = (1.6e9, 1e10), 3e6
"""Between which seconds clocks are, and how far apart they may be."""
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_KERNELS = re.compile(r"\{\{function_node [^}]*\}\} ?| \[Op:\w+\](?: name: ?\w*)?|/tmp/tmp\w{8}")
"""What an error says of kernels, which machines have, and folders that are made with any name."""
_TIMED = re.compile(r"(?i)\b(time|seconds?|secs?|elapsed|took|duration|ms|\d+m?s)\b|s/step|it/s")
_ELSEWHERE = {"OSError", "ModuleNotFoundError", "FileNotFoundError", "InternalError", "SkipTest"}
"""What TensorFlow's process raises where a file, a package, a device or an old name is missing."""


class Verdict(NamedTuple):
    """`agrees`, `differs`, `fails`, or `not` where TensorFlow itself cannot run the part."""

    word: str
    reason: str = ""


_IS = {"MisfitError": {"ValueError", "InvalidArgumentError"}}
"""What an error of ours is that is of two types at once."""


def verdict(here: Any, there: Any, kind: str = "cells") -> Verdict:
    """Compare what a part gave here with what TensorFlow gave."""
    if there is None:
        return Verdict("not", "TensorFlow did not come so far in its time")
    if "raises" in there and kind != "cells":
        return Verdict("not", f"TensorFlow raises {there['raises']}: {there['says'][:120]}")
    if "raises" in there:
        return _both_raise(here, there)
    if here is None:
        return Verdict("fails", "time limit")
    if here.get("raises") in {"InternalError", "SkipTest"}:
        return Verdict("not", here["says"])
    if "raises" in here:
        return Verdict("fails", f"{here['raises']}: {here['says']}")
    for name, expected in there.get("gives", {}).items():
        if different := difference(here["gives"].get(name), expected, name):
            return Verdict("differs", different)
    if different := printed_difference(here.get("printed", ""), there.get("printed", "")):
        return Verdict("differs", f"printed {different}")
    return Verdict("agrees")


def _both_raise(here: Any, there: Any) -> Verdict:
    if there["raises"] in _ELSEWHERE | {"NameError"} or "tensorflow.python" in there["says"]:
        return Verdict("not", f"{there['raises']}: {there['says'][:120]}")
    if here is None or "raises" not in here:
        return Verdict("not", f"TensorFlow raises {there['raises']}: {there['says'][:120]}")
    if there["raises"] not in _IS.get(here["raises"], {here["raises"]}):
        return Verdict("differs", f"raises {here['raises']}, not {there['raises']}: {here['says']}")
    return Verdict("agrees")


def difference(found: Any, expected: Any, at: str) -> str | None:
    """Say where two values differ, or give None."""
    if isinstance(expected, dict) and "dtype" in expected and "shape" in expected:
        if not isinstance(found, dict) or "dtype" not in found:
            return f"{at} is {str(found)[:60]}, not an array"
        return _array_difference(found, expected, at)
    if isinstance(expected, list) and isinstance(found, list):
        if len(found) != len(expected):
            return f"{at} has {len(found)} items, not {len(expected)}"
        pairs = zip(found, expected, strict=True)
        return next((d for f, e in pairs if (d := difference(f, e, at))), None)
    if isinstance(expected, dict) and isinstance(found, dict):
        return next(
            (d for k, e in expected.items() if (d := difference(found.get(k), e, f"{at}.{k}"))),
            None,
        )
    if isinstance(expected, str) and isinstance(found, str):
        return printed_difference(found, expected)
    if isinstance(found, int) and isinstance(expected, int) and min(found, expected) > _ADDRESS:
        return None
    return None if found == expected else f"{at} is {str(found)[:80]}, not {str(expected)[:80]}"


def _array_difference(found: Any, expected: Any, at: str) -> str | None:
    for what in ("dtype", "shape"):
        if found[what] != expected[what]:
            return f"{at} has {what} {found[what]}, not {expected[what]}"
    if expected["dtype"] not in {"float16", "float32", "float64", "complex64", "complex128"}:
        same = found["values"] == expected["values"]
        return None if same else f"{at} is {found['values'][:4]}, not {expected['values'][:4]}"
    a, b = (_numbers(x) for x in (found, expected))
    if not expected["shape"] and _CLOCK[0] < a[0] < _CLOCK[1] and abs(a[0] - b[0]) < _WEEKS:
        return None
    scale = np.max(np.abs(b), initial=0, where=np.isfinite(b))
    rtol = _SINGLE if _was_single(a, b) else _RELATIVE.get(expected["dtype"], _SINGLE)
    if np.allclose(
        a, b, rtol, rtol * scale * 1e-2 + _NOISE.get(expected["dtype"], 1e-12), equal_nan=True
    ):
        return None
    return f"{at} is {a.ravel()[:3].tolist()}, not {b.ravel()[:3].tolist()}"


def _numbers(told: Any) -> Any:
    """Give the numbers of an array, and their sums; of a complex one both parts of each."""
    parts = [p for n in (*told["values"], *told["sums"]) for p in (n if type(n) is list else [n])]
    return np.array(parts, dtype=float)


def _was_single(*numbers: Any) -> bool:
    """Say whether numbers of Python's were taken from arrays of single precision."""
    with np.errstate(over="ignore"):
        return all(np.array_equal(n, n.astype(np.float32), equal_nan=True) for n in numbers)


def printed_difference(found: str, expected: str) -> str | None:
    """Compare printed lines: words exactly, numbers nearly; lines about time are left out."""
    ours, theirs = (_lines(text) for text in (found, expected))
    for a, b in zip(ours, theirs, strict=False):
        if _NUMBER.sub("#", a) != _NUMBER.sub("#", b) or not _close(a, b):
            return f"{a[:100]!r}, not {b[:100]!r}"
    if len(ours) != len(theirs):
        return f"{len(ours)} lines, not {len(theirs)}"
    return None


def _lines(text: str) -> list[str]:
    text = _KERNELS.sub("", text.replace("\r", "\n"))
    text = re.sub(r"0x[0-9a-f]+|\x1b\[[0-9;]*m|\x08", "", text)
    text = re.sub(r" *([\[\]]) *", r"\1", text)
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [line for line in lines if line and not _TIMED.search(line)]


def _close(a: str, b: str) -> bool:
    x, y = (np.array([float(n) for n in _NUMBER.findall(t)]) for t in (a, b))
    far = np.minimum(x, y) <= _ADDRESS
    return bool(np.allclose(x[far], y[far], _SINGLE, 2e-3))
