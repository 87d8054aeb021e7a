"""What a small program answers, written as JSON, and how two answers are compared.

A program is a function of a module with TensorFlow's names. What TensorFlow answered is kept in
`golden/`, a file for each table, so that it judges where it is not installed; where it is, it is
asked again. `python -m tests.answers` records the tables anew.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from tests.goldens import FOLDER, keep, kept

DIGITS = {"float16": 5, "float32": 9, "complex64": 9}
TOLERANCE = {"float16": 2e-3, "float32": 2e-5, "complex64": 2e-5}
"""Digits that are kept, and relative differences that are allowed, where it is not double."""
ULPS = {"float16": 2.0**-10, "float32": 2.0**-23, "complex64": 2.0**-23}


class Bits(NamedTuple):
    """A result that is compared to the last bit."""

    value: Any


class Program(NamedTuple):
    """A program, and how its answer is compared.

    `says` is what counts of the text of an error: all that is `"plain"`, its `"start"`, or `"type"`
    where the text is an accident of TensorFlow's. `ulps` is how far numbers may lie apart, where
    that is less than usual.
    """

    run: Callable[[Any], Any]
    says: str = "plain"
    ulps: float | None = None


class Table(dict[str, Program]):
    """Programs by name, with a file of answers.

    Seeds are forgotten before and after each; `starts` is called with the module, to forget more.
    """

    def __init__(self, name: str, starts: Callable[[Any], Any] = lambda tf: None) -> None:
        super().__init__()
        self.file = FOLDER / f"{name}.json"
        self.starts = starts

    def add(self, name: str, run: Callable[[Any], Any], **how: Any) -> None:
        """Add a program."""
        assert name not in self, name
        self[name] = Program(run, **how)

    def program(self, run: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Add a function by its name."""
        self.add(run.__name__.strip("_").replace("_", " "), run)
        return run

    def rows(self, name: str, runs: Sequence[Callable[[Any], Any]], **how: Any) -> None:
        """Add functions without names, which are numbered."""
        for k, run in enumerate(runs):
            self.add(f"{name} {k}", run, **how)

    def answers(self) -> dict[str, Any]:
        """Read what TensorFlow answered."""
        return kept(self.file)

    def record(self, tf: Any) -> None:
        """Write what TensorFlow answers, a line for each program."""
        keep(self.file, {name: self.answer(name, tf) for name in sorted(self)})

    def answer(self, name: str, tf: Any) -> Any:
        """Run a program from a fresh start, and describe what it gives or raises."""
        program = self[name]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a peer says of NumPy's newest release
            self._start(tf)
            try:
                return {"gives": describe(program.run(tf))}
            except Exception as error:
                kind = type(error).__name__
                return {"raises": kind} | said(str(error), program.says)
            finally:
                self._start(tf)

    def surroundings(self) -> AbstractContextManager[None]:
        """Give a context in which symtape answers; most programs need none."""
        return nullcontext()

    def _start(self, tf: Any) -> None:
        tf.random.set_seed(None)
        self.starts(tf)


# --- describing -----------------------------------------------------------------------------------


def said(text: str, how: str) -> dict[str, str]:
    """Leave out of a message what is about kernels, devices and files, which machines have."""
    if how == "type":
        return {}
    if how == "start":
        text = text.partition("\nTraceback (most recent call last):")[0]
    text = re.sub(r"\{\{function_node [^}]*\}\} ?", "", text)
    text = re.sub(r"_?_?_Mkl", "", text).partition("\n\t; NodeDef")[0]
    text = re.sub(r" (\[Op:\w+\])( name:.*)?$", "", text.strip())
    return {how: re.sub(r"0x[0-9a-f]{6,}", "0x…", text)}


def describe(value: Any) -> Any:
    """Turn a result into JSON: tensors with dtype, shape and values."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Bits):
        return _bits(np.asarray(value.value.numpy()))
    if isinstance(value, (float, np.floating)):
        return _number(float(value), 15)
    if isinstance(value, (list, tuple)) and not hasattr(value, "as_list"):
        return [type(value).__name__, *map(describe, value)]
    if isinstance(value, dict):
        return {str(k): describe(v) for k, v in value.items()}
    if hasattr(value, "numpy"):
        return _array(np.asarray(value.numpy()))
    return str(value)


def _bits(array: Any) -> Any:
    digest = hashlib.sha256(array.tobytes()).hexdigest()[:16]
    return {"dtype": str(array.dtype), "shape": list(array.shape), "bits": digest}


def _array(array: Any) -> Any:
    digits = DIGITS.get(str(array.dtype), 15)
    values = [_number(v, digits) for v in array.ravel().tolist()]
    return {"dtype": str(array.dtype), "shape": list(array.shape), "values": values}


def _number(value: Any, digits: int) -> Any:
    if isinstance(value, complex):
        return ["complex", _number(value.real, digits), _number(value.imag, digits)]
    if isinstance(value, float) and np.isfinite(value):
        return float(f"{value:.{digits}g}")
    return str(value)


# --- comparing ------------------------------------------------------------------------------------


def difference(found: Any, expected: Any, ulps: float | None = None, at: str = "") -> str | None:
    """Say where two answers differ first, or give None."""
    if isinstance(expected, dict) and isinstance(found, dict) and found.keys() == expected.keys():
        if "values" in expected:
            return None if same_array(found, expected, ulps) else differing(at, found, expected)
        pairs = [(f"{at}.{k}", found[k], expected[k]) for k in expected]
    elif isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        pairs = [(f"{at}[{k}]", *p) for k, p in enumerate(zip(found, expected, strict=True))]
    elif at.endswith(".start") and isinstance(found, str):
        head = start(expected)
        return None if found.startswith(head) else differing(at, found, head)
    elif isinstance(expected, float) and isinstance(found, (int, float)):
        return None if np.isclose(found, expected, 2e-5, 1e-7) else differing(at, found, expected)
    else:
        return None if found == expected else differing(at, found, expected)
    return next((d for place, f, e in pairs if (d := difference(f, e, ulps, place))), None)


def differing(at: str, found: Any, expected: Any) -> str:
    """Say what was found, and what is expected."""
    return f"{at}: found {found!r}, expected {expected!r}"


def start(text: str) -> str:
    """Give the words of a message that come before arguments are listed and printed."""
    for end in ("\n", "{'", "=<keras", "(of type", " [Op:", ": <tf"):
        text = text.partition(end)[0]
    return text.removeprefix("Exception encountered when calling ").strip()


def same_array(found: Any, expected: Any, ulps: float | None) -> bool:
    """Compare arrays: dtype and shape, and numbers to the digits of the dtype."""
    if (found["dtype"], found["shape"]) != (expected["dtype"], expected["shape"]):
        return False
    if not expected["values"] or found["dtype"] not in {*TOLERANCE, "float64", "complex128"}:
        return bool(found["values"] == expected["values"])
    dtype = found["dtype"]
    a, b = (np.array([_read(v) for v in x["values"]]) for x in (found, expected))
    rtol = TOLERANCE.get(dtype, 1e-11) if ulps is None else ulps * ULPS.get(dtype, 2.0**-52)
    scale = np.max(np.abs(b), initial=0, where=np.isfinite(b))
    return bool(np.allclose(a, b, rtol, rtol * min(scale, 1.0) / 4, equal_nan=True))


def _read(value: Any) -> complex:
    if isinstance(value, list):
        return complex(float(value[1]), float(value[2]))
    return float(value)
