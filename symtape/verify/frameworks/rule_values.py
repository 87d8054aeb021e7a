"""Whether a rule of JAX gives the value of its function beside the derivative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.verify.frameworks.rules_of_jax import of_judged
from symtape.verify.question import Question

OTHER_VALUE = (
    "the value changes where it is derived: its rule gives another one than the function itself"
)

_ROUNDINGS = 0.5
"""Values that agree to such a power of the roundings of their dtype are the same."""


def has_other_value(given: Any, question: Question, inputs: Sequence[Any]) -> bool:
    """Say whether the forward of a rule gives something else than the function.

    It is asked at some inputs, and where those that are judged are 0, which rules often guard.
    """
    from symtape.frontends.jax_functions import framework  # noqa: PLC0415 - an extra

    jax = framework.module()
    with framework.with_bits(True):
        f, judged = of_judged(given, question, inputs)
        zeros = [np.zeros_like(x) for x in judged]
        return any(_differs(jax, f, point, question.kind) for point in (judged, zeros))


def _differs(jax: Any, f: Any, judged: Sequence[Any], kind: str) -> bool:
    """Say whether a finite value is another one beside the derivative."""
    try:
        plain = jax.tree.leaves(f(*judged))
        derived = jax.tree.leaves(_beside_derivative(jax, f, judged, kind))
    except Exception:  # noqa: BLE001 - the candidate raises the same when it is judged
        return False
    return not all(
        _is_same(np.asarray(a), np.asarray(b), _eps(jax, a) ** _ROUNDINGS)
        for a, b in zip(plain, derived, strict=True)
    )


def _beside_derivative(jax: Any, f: Any, judged: Sequence[Any], kind: str) -> Any:
    """Give the value that JAX has beside a derivative."""
    if kind == "jvp":
        return jax.jvp(f, tuple(judged), tuple([np.zeros_like(x) for x in judged]))[0]
    return jax.vjp(f, *judged)[0]


def _eps(jax: Any, x: Any) -> float:
    """Give the roundings of a dtype, 0 of integers."""
    dtype = jax.numpy.result_type(x)
    is_inexact = jax.numpy.issubdtype(dtype, jax.numpy.inexact)
    return float(jax.numpy.finfo(dtype).eps) if is_inexact else 0.0


def _is_same(a: Any, b: Any, allowed: float) -> bool:
    kind = "complex128" if a.dtype.kind == "c" else "float64"
    if a.shape != b.shape:
        return False
    a, b = a.astype(kind), b.astype(kind)
    return bool((np.isclose(a, b, allowed, allowed) | ~np.isfinite(a)).all())
