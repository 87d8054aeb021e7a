"""The judge: is this the derivative? Proof first, then measurement, each wrong one with a point."""

from symtape.namespace import show
from symtape.verify.assertions import (
    assert_gradient as assert_gradient,
    assert_hessian as assert_hessian,
    assert_jacobian as assert_jacobian,
    assert_jvp as assert_jvp,
    assert_value as assert_value,
    assert_vjp as assert_vjp,
)
from symtape.verify.functions import (
    gradient as gradient,
    hessian as hessian,
    jacobian as jacobian,
    jvp as jvp,
    value as value,
    vjp as vjp,
)
from symtape.verify.report import Report as Report, Row as Row

show(__name__)
