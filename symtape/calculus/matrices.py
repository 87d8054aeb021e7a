"""Reverse rules of linear algebra, written in the family, so that they can be derived again.

After Giles, Collected matrix derivative results for forward and reverse mode algorithmic
differentiation (2008), unless a rule says otherwise. X̄ is the cotangent of X, ⟨X, Y⟩ = Re tr XᴴY.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symtape.calculus import factorizations
from symtape.calculus.matrix_products import adjoint, contract, like, minus, product, solved
from symtape.calculus.slopes import Pull, Pulled, conjugate
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.operations import Operation
from symtape.program.program import Builder


def pull_inverse(b: Builder, s: Pull[kinds.Inverse]) -> Pulled:
    """For X = A⁻¹, Ā = -Xᴴ X̄ Xᴴ."""
    turned = adjoint(b, s.out)
    yield 0, b.negative(product(b, turned, s.full(b), turned))


def pull_solve(b: Builder, s: Pull[kinds.Solve]) -> Pulled:
    """For A X = B, B̄ solves Aᴴ B̄ = X̄ and Ā = -B̄ Xᴴ; for Aᴴ X = B, A B̄ = X̄ and Ā = -X B̄ᴴ."""
    turned = solved(b, s.operation.form, not s.operation.adjoint, s.operands[0], s.full(b))
    left, right = (s.out, turned) if s.operation.adjoint else (turned, s.out)
    if 0 in s.wanted and s.operation.form == "tridiagonal":
        neighbours = _neighbours(b, conjugate(b, right))
        yield 0, b.negative(contract(b, "ik,jik->ji", left, neighbours))
    elif 0 in s.wanted:
        pulled = b.negative(contract(b, "ik,jk->ij", left, conjugate(b, right)))
        bounds = {"lower": (None, 0), "upper": (0, None)}.get(s.operation.form)
        yield 0, b.append(kinds.Band(*bounds), pulled) if bounds else pulled
    if 1 in s.wanted:
        yield 1, turned


def _neighbours(b: Builder, x: int) -> int:
    """Give the rows after, of and before each row, with zeros where there are none."""
    n, k = b.shapes[x][-2:]
    framed = b.append(kinds.Embed(((1, 1, n), (0, 1, k)), (n + 2, k)), x)
    rows = [b.append(kinds.Slice(((first, 1, n), (0, 1, k))), framed) for first in (2, 1, 0)]
    return b.append(
        kinds.Concat(-3), *[b.append(kinds.Reshape((n, k), (1, n, k)), row) for row in rows]
    )


def pull_determinant(b: Builder, s: Pull[kinds.Determinant]) -> Pulled:
    """For d = det A, Ā = d̄ conj(d) A⁻ᴴ; for log|d|, Ā = g A⁻ᴴ; for s = d/|d|, i Im(s̄ conj(s)) A⁻ᴴ.

    The sign of a real determinant is flat.
    """
    a = s.operands[0]
    complex_valued = b.dtypes[a].kind == "c"
    if s.operation.part == "sign" and not complex_valued:
        yield 0, b.constant(0, b.dtypes[a])
        return
    if s.operation.part == "log":
        factor = like(b, s.g, a)
    else:
        factor = b.multiply(s.g, conjugate(b, s.out))
        if s.operation.part == "sign":
            turn = b.constant(1j, b.dtypes[a])
            factor = b.multiply(like(b, b.append(ops.imag, factor), a), turn)
    inverse = b.append(kinds.Inverse(), a)
    yield 0, contract(b, ",ji->ij", factor, conjugate(b, inverse))


def pull_log_determinant(b: Builder, s: Pull[kinds.LogDeterminant]) -> Pulled:
    """For y = log det A, Ā = ȳ A⁻¹, written as the self-adjoint part that it is."""
    a = s.operands[0]
    inverse = b.append(kinds.Inverse(), a)
    both = b.total([inverse, contract(b, "ij->ji", conjugate(b, inverse))])
    factor = like(b, b.multiply(s.g, b.constant(0.5, b.dtypes[s.out])), a)
    yield 0, contract(b, ",ij->ij", factor, both)


def pull_pseudo_inverse(b: Builder, s: Pull[kinds.PseudoInverse]) -> Pulled:
    """For P = A⁺, Ā = -Pᴴ P̄ Pᴴ + (1 - A P) P̄ᴴ P Pᴴ + Pᴴ P P̄ᴴ (1 - P A).

    Golub and Pereyra, The differentiation of pseudo-inverses and nonlinear least squares problems
    whose variables separate, SIAM J. Numer. Anal. 10 (1973), equation 4.12. That is for a matrix
    whose other singular values are zero; what those give that are cut is added.
    """
    (a, bound), turned = s.operands, adjoint(b, s.out)
    g = s.full(b)
    back = adjoint(b, g)
    left = product(b, back, product(b, s.out, turned))
    left = minus(b, left, product(b, a, product(b, s.out, left)))
    right = product(b, product(b, turned, s.out), back)
    right = minus(b, right, product(b, product(b, right, s.out), a))
    inner = b.negative(product(b, turned, g, turned))
    parts = [inner, left, right]
    if s.operation.compares == "values" and not _is_rounding(b, a, bound):
        parts.append(factorizations.cut_values(b, a, bound, g))
    yield 0, b.total(parts)


def _is_rounding(b: Builder, a: int, bound: int) -> bool:
    """Say whether the singular values of A that count as zero are zero up to roundings."""
    operation, size = b.steps[bound][0], max(b.shapes[a][-2:])
    if 0 in b.shapes[a][-2:]:
        return True
    tiny = 100 * size * float(np.finfo(b.dtypes[a]).eps)
    return type(operation) is kinds.Constant and abs(operation.number) <= tiny


def pull_matrix_function(b: Builder, s: Pull[kinds.MatrixFunction]) -> Pulled:
    """For F = f(A), Ā is the upper right block of f of the matrix with the rows (Aᴴ, F̄), (0, Aᴴ).

    Higham, Functions of Matrices (2008), theorem 3.6: that block is the derivative of f at Aᴴ in
    the direction F̄.
    """
    g = s.full(b)
    n = b.shapes[s.out][-1]
    turned = b.broadcast(adjoint(b, s.operands[0]), b.shapes[g])
    whole, second = (0, 1, n), (n, 1, n)
    above = b.append(kinds.Concat(-1), turned, g)
    below = b.append(kinds.Embed((whole, second), (n, 2 * n)), turned)
    found = b.append(s.operation, b.append(kinds.Concat(-2), above, below))
    yield 0, b.append(kinds.Slice((whole, second)), found)


RULES: dict[type[Operation], Callable[..., Pulled]] = {
    kinds.Inverse: pull_inverse,
    kinds.Solve: pull_solve,
    kinds.Determinant: pull_determinant,
    kinds.LogDeterminant: pull_log_determinant,
    kinds.PseudoInverse: pull_pseudo_inverse,
    kinds.MatrixFunction: pull_matrix_function,
    **factorizations.RULES,
}
