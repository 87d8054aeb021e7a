"""What `from_sympy` refuses: nodes that it does not know, and arguments that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy.matrices.expressions.fourier import DFT

import symtape as tf
from tests.refusals.room import Call, Room

ROOM = Room("expression")

x, y = sp.symbols("x y", real=True)
i = sp.Symbol("i", integer=True)
X, Y = sp.IndexedBase("X"), sp.IndexedBase("Y")
M, N = sp.MatrixSymbol("M", 3, 3), sp.MatrixSymbol("N", 3, 3)
HALF = sp.Rational(1, 2)
UNKNOWN = sp.Function("g")
ROW = np.arange(3.0)
SQUARE = np.eye(3) + 1


def read(e: Any, *values: Any, of: Any = None) -> Call:
    """Read an expression and compute it."""
    return lambda: tf.from_sympy(e, of)(*values)


ROOM.refuses(
    an_unknown_function=read(UNKNOWN(x), 1.0),
    an_integral=read(sp.Integral(x * y, (x, 0, 1)), 1.0),
    a_derivative_that_stays=read(sp.Derivative(UNKNOWN(x), x), 1.0),
    an_infinite_sum=read(sp.Sum(x**i, (i, 0, sp.oo)), 0.5),
    a_series_by_its_exponent=read(sp.zeta(x, 2), 2.0),
    a_broken_order=read(sp.jn(sp.Rational(1, 2), x), 2.0),
    an_incomplete_beta_function_from_above=read(sp.betainc_regularized(2, 3, HALF, x), 0.5),
    an_incomplete_beta_function_of_x=read(sp.betainc_regularized(x, 3, 0, HALF), 0.5),
    an_unknown_condition=read(sp.Piecewise((x, sp.Symbol("b")), (1, True)), 1.0, 1.0),
    a_place_that_is_a_cosine=read(sp.Sum(X[sp.cos(i)], (i, 0, 1)), ROW),
    outside=read(sp.Sum(X[i + 1], (i, 0, 2)), ROW),
    an_unknown_matrix=read(M * DFT(3), SQUARE),
    a_root_of_a_matrix=read(sp.MatPow(M, sp.Rational(1, 3)), SQUARE),
    a_matrix_for_a_vector=read(sp.Sum(X[i], (i, 0, 2)), SQUARE),
    an_index_alone=read(X[i] + sp.Symbol("j", integer=True), ROW, of=[X]),
    two_counts_of_one_index=read(X[i] * Y[i], ROW, np.ones(2)),
)
ROOM.allows(
    an_incomplete_beta_function=read(sp.betainc_regularized(2, 3, 0, x), 0.5),
    an_order_of_0=read(sp.besselj(0, x), 2.0),
    a_sum_inside=read(sp.Sum(X[i], (i, 0, 2)), ROW),
    two_equal_counts=read(X[i] * Y[i], ROW, ROW),
    a_square_of_a_matrix=read(sp.MatPow(M, 2), SQUARE),
)

ROOM.refuses(
    variables_that_lack_one=lambda: tf.from_sympy(x + y, [x]),
    what_is_no_variable=lambda: tf.from_sympy(x + y, [x, y, 3]),
    an_argument_too_few=read(x + y, 1.0),
    two_floating_dtypes=read(x + y, np.float32(1), np.ones(2)),
    another_shape_of_a_matrix=read(M * N, np.ones((2, 2)), np.ones((3, 3))),
)
