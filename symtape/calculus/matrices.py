"""Reverse rules of linear algebra, written in the family, so that they can be derived again.

After Giles, Collected matrix derivative results for forward and reverse mode algorithmic
differentiation (2008), unless a rule says otherwise. X̄ is the cotangent of X, ⟨X, Y⟩ = Re tr XᴴY.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from symtape.calculus.broadcasting import broadcast, full
from symtape.calculus.slopes import Pulled, conjugate
from symtape.errors import UnsupportedError
from symtape.program import operations as ops
from symtape.program import scalar
from symtape.program.matrices import (
    QR,
    SVD,
    Band,
    Cholesky,
    Determinant,
    Eig,
    Eigh,
    Inverse,
    MatrixFunction,
    PseudoInverse,
    Solve,
)
from symtape.program.operations import Cast, Operation, elementwise
from symtape.program.program import Builder
from symtape.program.structural import Concat, Embed, Reshape, Slice

guarded_reciprocal = elementwise("guarded_reciprocal", scalar.guarded_reciprocal)


# --- products of matrices with a batch in front ---------------------------------------------------


def contract(b: Builder, text: str, *operands: int) -> int:
    """Contract the last axes as einsum text says; the axes before them broadcast."""
    head, _, output = text.partition("->")
    terms = head.split(",")
    widths: dict[int, int] = {}
    for term, p in zip(terms, operands, strict=True):
        lead = b.shapes[p][: len(b.shapes[p]) - len(term)]
        for axis, n in zip(range(-len(lead), 0), lead, strict=True):
            widths[axis] = n if widths.get(axis, 1) == 1 else widths[axis]
    inputs = []
    for k, (term, p) in enumerate(zip(terms, operands, strict=True)):
        lead = b.shapes[p][: len(b.shapes[p]) - len(term)]
        own = [
            axis if n == widths[axis] else 10_000 * (k + 1) - axis  # of size one, summed away
            for axis, n in zip(range(-len(lead), 0), lead, strict=True)
        ]
        inputs.append([*own, *map(ord, term)])
    return b.einsum(inputs, [*sorted(widths), *map(ord, output)], operands)


def product(b: Builder, *factors: int) -> int:
    """Multiply matrices from left to right."""
    total = factors[0]
    for factor in factors[1:]:
        total = contract(b, "ij,jk->ik", total, factor)
    return total


def adjoint(b: Builder, x: int) -> int:
    """Turn a matrix round and conjugate it."""
    return contract(b, "ij->ji", conjugate(b, x))


def like(b: Builder, x: int, p: int) -> int:
    """Give a real value the dtype of a complex one."""
    return x if b.dtypes[x] == b.dtypes[p] else b.append(Cast(b.dtypes[p].name), x)


def solved(b: Builder, form: str, adjointly: bool, a: int, y: int) -> int:
    """Solve for right-hand sides with more first axes than A: they become columns."""
    batch, shape = b.shapes[a][:-2], b.shapes[y]
    extra = len(shape) - 2 - len(batch)
    operation = Solve(form, adjointly)
    y = full(b, y, (*batch, *shape[-2:]))
    if extra == 0:
        return b.append(operation, a, y)
    axes = list(range(len(shape)))
    order = [*axes[extra:-1], *axes[:extra], axes[-1]]
    many = (*shape[:extra], shape[-1])
    turned = b.append(Reshape(many, (prod(many),)), b.einsum([axes], order, [y]))
    found = b.append(Reshape((prod(many),), many), b.append(operation, a, turned))
    return b.einsum([order], axes, [found])


def half(b: Builder, x: int) -> int:
    """Keep the lower triangle, with half of the diagonal: Φ of Murray (2016), equation 8."""
    both = b.total([b.append(Band(None, 0), x), b.append(Band(None, -1), x)])
    return b.multiply(both, b.constant(0.5, b.dtypes[x]))


def minus(b: Builder, x: int, y: int) -> int:
    """Subtract."""
    return b.append(ops.subtract, x, y)


# --- inverses and determinants --------------------------------------------------------------------


def pull_inverse(
    b: Builder, _: Inverse, _operands: Sequence[int], out: int, g: int, _wanted: Sequence[int]
) -> Pulled:
    """For X = A⁻¹, Ā = -Xᴴ X̄ Xᴴ."""
    turned = adjoint(b, out)
    yield 0, b.negative(product(b, turned, full(b, g, b.shapes[out]), turned))


def pull_solve(
    b: Builder, operation: Solve, operands: Sequence[int], out: int, g: int, wanted: Sequence[int]
) -> Pulled:
    """For A X = B, B̄ solves Aᴴ B̄ = X̄ and Ā = -B̄ Xᴴ; for Aᴴ X = B, A B̄ = X̄ and Ā = -X B̄ᴴ."""
    turned = solved(
        b, operation.form, not operation.adjoint, operands[0], full(b, g, b.shapes[out])
    )
    if 0 in wanted:
        left, right = (out, turned) if operation.adjoint else (turned, out)
        pulled = b.negative(contract(b, "ik,jk->ij", left, conjugate(b, right)))
        bounds = {"lower": (None, 0), "upper": (0, None)}.get(operation.form)
        yield 0, b.append(Band(*bounds), pulled) if bounds else pulled
    if 1 in wanted:
        yield 1, turned


def pull_determinant(
    b: Builder,
    operation: Determinant,
    operands: Sequence[int],
    out: int,
    g: int,
    _wanted: Sequence[int],
) -> Pulled:
    """For d = det A, Ā = d̄ conj(d) A⁻ᴴ; for log|d|, Ā = g A⁻ᴴ; for s = d/|d|, i Im(s̄ conj(s)) A⁻ᴴ.

    The sign of a real determinant is flat.
    """
    a = operands[0]
    complex_valued = b.dtypes[a].kind == "c"
    if operation.part == "sign" and not complex_valued:
        yield 0, b.constant(0, b.dtypes[a])
        return
    if operation.part == "log":
        factor = like(b, g, a)
    else:
        factor = b.multiply(g, conjugate(b, out))
        if operation.part == "sign":
            turn = b.constant(1j, b.dtypes[a])
            factor = b.multiply(like(b, b.append(ops.imag, factor), a), turn)
    inverse = b.append(Inverse(), a)
    yield 0, contract(b, ",ji->ij", factor, conjugate(b, inverse))


def pull_pseudo_inverse(
    b: Builder, _: PseudoInverse, operands: Sequence[int], out: int, g: int, _wanted: Sequence[int]
) -> Pulled:
    """For P = A⁺, Ā = -Pᴴ P̄ Pᴴ + (1 - A P) P̄ᴴ P Pᴴ + Pᴴ P P̄ᴴ (1 - P A).

    Golub and Pereyra, The differentiation of pseudo-inverses and nonlinear least squares problems
    whose variables separate, SIAM J. Numer. Anal. 10 (1973), equation 4.12.
    """
    a, turned = operands[0], adjoint(b, out)
    g = full(b, g, b.shapes[out])
    back = adjoint(b, g)
    left = product(b, back, product(b, out, turned))
    left = minus(b, left, product(b, a, product(b, out, left)))
    right = product(b, product(b, turned, out), back)
    right = minus(b, right, product(b, product(b, right, out), a))
    inner = b.negative(product(b, turned, g, turned))
    yield 0, b.total([inner, left, right])


def pull_band(
    b: Builder, operation: Band, _: Sequence[int], out: int, g: int, _wanted: Sequence[int]
) -> Pulled:
    """Keep the same diagonals."""
    yield 0, b.append(operation, full(b, g, b.shapes[out]))


def pull_matrix_function(
    b: Builder,
    operation: MatrixFunction,
    operands: Sequence[int],
    out: int,
    g: int,
    _: Sequence[int],
) -> Pulled:
    """For F = f(A), Ā is the upper right block of f of the matrix with the rows (Aᴴ, F̄), (0, Aᴴ).

    Higham, Functions of Matrices (2008), theorem 3.6: that block is the derivative of f at Aᴴ in
    the direction F̄.
    """
    g = full(b, g, b.shapes[out])
    n = b.shapes[out][-1]
    turned = broadcast(b, adjoint(b, operands[0]), b.shapes[g])
    whole, second = (0, 1, n), (n, 1, n)
    above = b.append(Concat(-1), turned, g)
    below = b.append(Embed((whole, second), (n, 2 * n)), turned)
    found = b.append(operation, b.append(Concat(-2), above, below))
    yield 0, b.append(Slice((whole, second)), found)


# --- factorizations -------------------------------------------------------------------------------


def pull_cholesky(
    b: Builder, _: Cholesky, _operands: Sequence[int], out: int, g: int, _wanted: Sequence[int]
) -> Pulled:
    """For A = L Lᴴ, Ā is the self-adjoint part of L⁻ᴴ Φ(Lᴴ L̄) L⁻¹.

    Murray, Differentiation of the Cholesky decomposition, arXiv:1602.07527 (2016), equation 10.
    """
    inner = half(b, product(b, adjoint(b, out), full(b, g, b.shapes[out])))
    turned = adjoint(b, solved(b, "lower", True, out, inner))
    turned = solved(b, "lower", True, out, turned)
    both = b.total([turned, adjoint(b, turned)])
    yield 0, b.multiply(both, b.constant(0.5, b.dtypes[out]))


def pull_qr(
    b: Builder, operation: QR, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """For A = Q R, Ā = (Q̄ - Q QᴴQ̄ + Q Φ(QᴴQ̄ - Q̄ᴴQ)) R⁻ᴴ + Q (R̄ + Φ(R R̄ᴴ - R̄ Rᴴ) R⁻ᴴ).

    Roberts and Roberts, QR and LQ decomposition matrix backpropagation algorithms,
    arXiv:2009.10071 (2020), with the diagonal of Φ halved, which serves complex numbers too.
    """
    rows, columns = b.shapes[operands[0]][-2:]
    if rows < columns or (operation.full and rows > columns):
        raise UnsupportedError(
            f"the derivative of qr of matrices of shape {(rows, columns)} with full_matrices="
            f"{operation.full}: QrGrad not implemented when nrows > ncols and full_matrices is "
            "true; leave full_matrices out, the other columns of Q are not determined"
        )
    g = full(b, g, b.shapes[out])
    q = b.append(operation.other("orthogonal"), operands[0])
    r = b.append(operation.other("triangular"), operands[0])
    if operation.part == "orthogonal":
        inner = product(b, adjoint(b, q), g)
        turn = half(b, minus(b, inner, adjoint(b, inner)))
        yield 0, _over_adjoint(b, b.total([g, product(b, q, minus(b, turn, inner))]), r)
    else:
        inner = product(b, r, adjoint(b, g))
        turn = half(b, minus(b, inner, adjoint(b, inner)))
        yield 0, product(b, q, b.total([g, _over_adjoint(b, turn, r)]))


def _over_adjoint(b: Builder, x: int, r: int) -> int:
    """Give X R⁻ᴴ of an upper triangle R."""
    return adjoint(b, solved(b, "upper", False, r, adjoint(b, x)))


def pull_eigh(
    b: Builder, operation: Eigh, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """For A = V diag(e) Vᴴ, Ā = V (diag(ē) + F ∘ VᴴV̄) Vᴴ with Fᵢⱼ = 1/(eⱼ - eᵢ), folded.

    F is 0 where two eigenvalues are equal. The lower triangle, which is all that is looked at, gets
    the sum of both.
    """
    a = operands[0]
    v = b.append(operation.other("vectors"), a)
    if operation.part == "values":
        inner = contract(b, "ij,j->ij", v, like(b, full(b, g, b.shapes[out]), v))
    else:
        mixed = product(b, adjoint(b, v), full(b, g, b.shapes[out]))
        gaps = _gaps(b, b.append(operation.other("values"), a))
        inner = product(b, v, b.multiply(like(b, gaps, v), mixed))
    whole = product(b, inner, adjoint(b, v))
    yield 0, half(b, b.total([whole, adjoint(b, whole)]))


def _gaps(b: Builder, e: int) -> int:
    """Give 1/(eⱼ - eᵢ), and 0 where the two are equal."""
    rank = len(b.shapes[e])
    lead = list(range(rank - 1))
    row = b.einsum([[*lead, rank]], [*lead, -1, rank], [e], {-1: 1})
    column = b.einsum([[*lead, rank]], [*lead, rank, -1], [e], {-1: 1})
    return b.append(guarded_reciprocal, minus(b, row, column))


def pull_eig(
    b: Builder, operation: Eig, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """For A V = V diag(e), Ā = V⁻ᴴ (diag(ē) + conj(F) ∘ (VᴴV̄ - VᴴV diag(Re VᴴV̄))) Vᴴ.

    Boeddeker et al., On the computation of complex-valued gradients, arXiv:1701.00392 (2017),
    equation 4.77: the columns of V have length one.
    """
    a = operands[0]
    g = full(b, g, b.shapes[out])
    v = b.append(operation.other("vectors"), a)
    turned = adjoint(b, v)
    if operation.part == "values":
        inner = contract(b, "j,ij->ji", g, conjugate(b, v))
    else:
        mixed = product(b, turned, g)
        own = like(b, b.append(ops.real, contract(b, "ii->i", mixed)), v)
        mixed = minus(b, mixed, contract(b, "ij,j->ij", product(b, turned, v), own))
        gaps = _gaps(b, b.append(operation.other("values"), a))
        inner = product(b, b.multiply(conjugate(b, gaps), mixed), turned)
    found = solved(b, "full", True, v, inner)
    if b.dtypes[a].kind != "c":
        found = b.append(ops.real, found)
    yield 0, found


def pull_svd(
    b: Builder, operation: SVD, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """For A = U diag(s) Vᴴ, Ā = U diag(s̄) Vᴴ and what the vectors give.

    Wan and Zhang, Automatic differentiation for complex valued SVD, arXiv:1909.02659 (2019).
    """
    a = operands[0]
    least = min(b.shapes[a][-2:])
    u, v = (_columns(b, b.append(operation.other(p), a), 0, least) for p in ("left", "right"))
    g = full(b, g, b.shapes[out])
    if operation.part == "values":
        yield 0, product(b, contract(b, "ij,j->ij", u, like(b, g, u)), adjoint(b, v))
        return
    s = b.append(operation.other("values"), a)
    if operation.part == "left":
        yield 0, _pull_side(b, operation, out, g, (u, s, v))
    else:
        yield 0, adjoint(b, _pull_side(b, operation, out, g, (v, s, u)))


def _pull_side(b: Builder, operation: SVD, out: int, g: int, factors: tuple[int, int, int]) -> int:
    """Give U ((J + Jᴴ) S + i Im(diag UᴴŪ)/(2 S)) Vᴴ + (1 - U Uᴴ) Ū S⁻¹ Vᴴ with J = F ∘ UᴴŪ.

    Fᵢⱼ = 1/(sⱼ² - sᵢ²), and 0 where the two are equal. The phases of U and V share what only their
    product determines. The columns N of a square U beyond those of s get -N N̄ᴴ U S⁻¹ Vᴴ.
    """
    u, s, v = factors
    rows, least = b.shapes[u][-2:]
    first = _columns(b, g, 0, least)
    mixed = product(b, adjoint(b, u), first)
    gaps = _gaps(b, b.multiply(s, s))
    turn = b.multiply(like(b, gaps, u), mixed)
    inner = contract(b, "ij,j->ij", b.total([turn, adjoint(b, turn)]), like(b, s, u))
    reciprocal = like(b, b.append(guarded_reciprocal, s), u)
    if b.dtypes[u].kind == "c":
        phase = b.append(ops.imag, contract(b, "ii->i", mixed))
        phase = b.multiply(like(b, phase, u), b.constant(0.5j, b.dtypes[u]))
        phase = contract(b, "i->ii", b.multiply(phase, reciprocal))
        inner = b.total([inner, phase])
    whole = product(b, u, inner)
    if rows > least:
        beyond = minus(b, first, product(b, u, mixed))
        if operation.full:
            if rows > least + 1:
                raise UnsupportedError(
                    "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is "
                    f"True: {rows - least} vectors of {b.shapes[out]} belong to no singular value "
                    "and are not determined; leave full_matrices out"
                )
            own, back = (_columns(b, x, least, rows) for x in (out, g))
            beyond = minus(b, beyond, product(b, own, product(b, adjoint(b, back), u)))
        whole = b.total([whole, contract(b, "ij,j->ij", beyond, reciprocal)])
    return product(b, whole, adjoint(b, v))


def _columns(b: Builder, x: int, first: int, end: int) -> int:
    """Take some columns of a matrix."""
    columns = b.shapes[x][-1]
    if (first, end) == (0, columns):
        return x
    return b.append(Slice(((first, 1, end - first),)), x)


Rule = Callable[..., Pulled]

RULES: dict[type[Operation], Rule] = {
    Inverse: pull_inverse,
    Solve: pull_solve,
    Determinant: pull_determinant,
    PseudoInverse: pull_pseudo_inverse,
    Band: pull_band,
    MatrixFunction: pull_matrix_function,
    Cholesky: pull_cholesky,
    QR: pull_qr,
    Eigh: pull_eigh,
    Eig: pull_eig,
    SVD: pull_svd,
}
