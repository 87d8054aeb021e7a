"""What loops say in C and for numba: functions, bodies and whole texts, which were read and kept.

`golden/loop_words.json` has a line for each; `python -m tests.loop_words` writes the file anew, and
what changed in it is to be read, and to be compiled by `pytest tests/peers`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

import symtape as tf
from symtape.codegen.loops.bodies import Body
from symtape.codegen.loops.c.code import c_source
from symtape.codegen.loops.c.words import C
from symtape.codegen.loops.numba_words import NUMBA
from symtape.codegen.loops.scalars import FORMS, Form, Language
from symtape.errors import UnsupportedError
from symtape.kernels.nodes import Variable
from symtape.program.functions import scalar
from tests.goldens import FOLDER, keep
from tests.loop_tasks import OPEN, of_formula

FILE = FOLDER / "loop_words.json"
LANGUAGES = {"c": C, "numba": NUMBA}
DTYPES = ["float32", "float64", "complex64", "complex128", "int32", "uint8", "bool"]

x, y, z = sp.symbols("x y z")
BODIES: dict[str, Any] = {
    "sum": x + y - z + 2,
    "multiple of a sum": 3 * x + 3 * y,
    "tenth of a sum": x / 10 - y / 10,
    "sum twice": (x + y) * sp.sin(x + y),
    "minus a product": -x * y,
    "quotient": x / (y * z),
    "half": x / 2,
    "two thirds": sp.Rational(2, 3) * x,
    "over a square": x / y**2,
    "inverse square": 1 / x**2,
    "inverse": 1 / x,
    "inverse cube": x**-3,
    "cube": x**3,
    "eighth power": x**8,
    "ninth power": x**9,
    "root": sp.sqrt(x),
    "inverse root": 1 / sp.sqrt(x),
    "power": x**y,
    "real power": x ** sp.Rational(5, 2),
    "pi": sp.pi * x,
    "two irrational numbers": sp.sqrt(2) * x / sp.sqrt(sp.pi),
    "three irrational numbers": sp.sqrt(2) * sp.E * x * y / sp.sqrt(sp.pi),
    "one irrational number": 2 * sp.sqrt(2) * x,
    "imaginary": sp.I * x,
    "number": sp.Integer(7),
    "true": sp.Piecewise((x, sp.true)),
    "cases": sp.Piecewise((x, x > y), (y, sp.Eq(y, z)), (2, True)),
    "all": sp.Piecewise((x, sp.And(x > y, y < z)), (y, True)),
    "any": sp.Piecewise((x, sp.Or(x >= y, y <= z)), (y, True)),
    "one of": sp.Piecewise((x, sp.Xor(x > y, y > z, x > z, evaluate=False)), (y, True)),
    "none": sp.Piecewise((x, sp.Not(sp.And(x > y, y > z), evaluate=False)), (y, True)),
    "unlike": sp.Piecewise((x, sp.Ne(x, y)), (y, True)),
    "function twice": sp.exp(x) + y * sp.exp(x),
    "size": scalar.absolute(x) + y,
    "is nan": scalar.is_nan(x + y),
    "complex of two": scalar.to_complex(x, y) * z,
}


def _named() -> tuple[list[str], Callable[..., Any]]:
    """Give a list of what is named, and what names it."""
    lines: list[str] = []

    def let(node: Any, _: Any) -> Any:
        lines.append(node)
        return Variable(f"t{len(lines)}")

    return lines, let


def _text(language: Language, write: Callable[[Callable[..., Any]], Any]) -> str:
    lines, let = _named()
    try:
        found = write(let)
    except UnsupportedError as error:
        return f"refused: {str(error).partition(';')[0]}"
    return "; ".join(node.write(language.spelling) for node in [*lines, found])


def _form(language: Language, kind: Any, dtype: Any) -> str:
    definition = getattr(kind, "definition", None)
    arity = definition.__code__.co_argcount if definition else 1 + (kind is sp.atan2)
    operands = map(Variable, "xyzw"[:arity])
    return _text(
        language, lambda let: FORMS[kind](Form(language, dtype, let, str(kind)), *operands)
    )


def _body(language: Language, body: Any, dtypes: str) -> str:
    given = map(np.dtype, dtypes.split())
    named = {s: (Variable(str(s)), d) for s, d in zip((x, y, z), given, strict=True)}
    dtype = np.result_type(*[d for _, d in named.values()])
    return _text(language, lambda let: Body(language, named, dtype, let).write(body))


V, M = np.array([1.0, 2.0, 3.0]), np.arange(12.0).reshape(3, 4) + 1
TASKS: dict[str, Callable[..., Any]] = {
    "elements": lambda v, m: tf.sin(v) * v + tf.where(v > 1.5, v, tf.exp(-v)),
    "sum": lambda v, m: tf.reduce_sum(m * m, 1),
    "product of matrices": lambda v, m: tf.linalg.matvec(m, v, transpose_a=True),
    "outer": lambda v, m: v[:, None] * m,
    "running": lambda v, m: tf.cumsum(m, 1) * tf.math.cumprod(m, 0, reverse=True),
    "largest": lambda v, m: tf.reduce_max(m, 0) + tf.cast(tf.argmax(m, 0), m.dtype),
    "sorted": lambda v, m: tf.sort(m, 1),
    "chosen": lambda v, m: tf.gather(m, [2, 0], axis=0) * tf.gather(v, [1, 1])[:, None],
    "scattered": lambda v, m: tf.scatter_nd([[1], [1], [3]], v, [5]),
    "joined": lambda v, m: tf.concat([m, m[:, :1] * 2.0], 1),
    "padded": lambda v, m: tf.pad(m, [[1, 0], [0, 2]]),
    "parts": lambda v, m: m[::2, 1:] + tf.transpose(tf.reshape(m, [4, 3]))[:2, 1:],
    "windows": lambda v, m: tf.nn.conv1d(m[None], tf.reshape(m, [3, 4, 1]), 1, "VALID"),
    "solved": lambda v, m: tf.linalg.solve(m[:, :3] + tf.eye(3, dtype=m.dtype), v[:, None]),
    "decomposed": lambda v, m: tf.linalg.cholesky(tf.matmul(m, m, transpose_b=True)) * v,
    "determinants": lambda v, m: tf.linalg.det(tf.stack([m[:, :3], m[:, 1:]])) * 2.0,
    "normalised": lambda v, m: tf.nn.softmax(m) * tf.nn.log_softmax(v)[:, None],
    "truths": lambda v, m: tf.reduce_any(m > v[:, None], 1),
    "integers": lambda v, m: tf.cast(m, tf.int32) // 2 % 3,
    "written out": lambda v, m: tf.einsum("ij,ik,k->j", m, m[:, 1:], v),
}


def _task(name: str, dtype: str) -> list[str]:
    leaves = [tf.constant(a.astype(dtype), name=n) for n, a in (("v", V), ("m", M))]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(leaves)
        made = TASKS[name](*leaves)
    limits = OPEN if name == "written out" else None
    try:
        text = c_source(of_formula(name, made.formula).task, "f", limits).text
    except UnsupportedError as error:
        return [f"refused: {error}"]
    return text.splitlines()


TYPED = ["float64 float64 float64", "float32 float64 float32", "complex128 float64 complex64"]
SAID: dict[str, Callable[[], Any]] = {}
for _language, _own in LANGUAGES.items():
    for _kind in FORMS:
        for _dtype in DTYPES:
            SAID[f"{_language}, {_dtype}: {getattr(_kind, '__name__', _kind)}"] = (
                lambda o=_own, k=_kind, d=_dtype: _form(o, k, np.dtype(d))
            )
    for _name, _body_of in BODIES.items():
        is_whole = not _body_of.atoms(sp.Pow, sp.Rational) - _body_of.atoms(sp.Integer)
        for _dtypes in (*TYPED, *["int32 int32 int32"] * is_whole):
            SAID[f"{_language}, {_dtypes}: {_name}"] = lambda o=_own, n=_name, d=_dtypes: _body(
                o, BODIES[n], d
            )
for _name in TASKS:
    for _dtype in ("float64", "float32"):
        SAID[f"{_dtype}: {_name}"] = lambda n=_name, d=_dtype: _task(n, d)


if __name__ == "__main__":
    keep(FILE, {name: SAID[name]() for name in sorted(SAID)})
