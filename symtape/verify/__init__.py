"""The judge: is this the derivative? Proof first, then measurement, each wrong one with a point."""

from __future__ import annotations

from symtape.verify.functions import gradient, hessian, jacobian, jvp, value, vjp
from symtape.verify.report import Report, Row

__all__ = ["Report", "Row", "gradient", "hessian", "jacobian", "jvp", "value", "vjp"]
