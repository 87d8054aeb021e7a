"""The judge: is this the derivative? Proof first, then measurement, each wrong one with a point."""

from __future__ import annotations

from symtape.namespace import show
from symtape.verify.assertions import (
    assert_gradient,
    assert_hessian,
    assert_jacobian,
    assert_jvp,
    assert_value,
    assert_vjp,
)
from symtape.verify.functions import gradient, hessian, jacobian, jvp, value, vjp
from symtape.verify.report import Report, Row

__all__ = [
    "Report",
    "Row",
    "assert_gradient",
    "assert_hessian",
    "assert_jacobian",
    "assert_jvp",
    "assert_value",
    "assert_vjp",
    "gradient",
    "hessian",
    "jacobian",
    "jvp",
    "value",
    "vjp",
]

show(__name__, __all__)
