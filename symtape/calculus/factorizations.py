"""Reverse rules of factorizations and spectra, written in the family.

X̄ is the cotangent of X; F ∘ X is the product element by element.
"""

from __future__ import annotations

from collections.abc import Callable

from symtape.calculus.matrix_products import adjoint, contract, half, like, minus, product, solved
from symtape.calculus.slopes import Pull, Pulled, conjugate
from symtape.errors import UnsupportedError
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.kinds.matrices import QR, SVD, Band, Cholesky, Eig, Eigh, Elimination
from symtape.program.kinds.structural import Extremum, Slice
from symtape.program.operations import Cast, Einsum, Operation, dtype_name, elementwise
from symtape.program.program import Builder

guarded_reciprocal = elementwise("guarded_reciprocal", scalar.guarded_reciprocal)


def pull_cholesky(b: Builder, s: Pull[Cholesky]) -> Pulled:
    """For A = L Lᴴ, Ā is the self-adjoint part of L⁻ᴴ Φ(Lᴴ L̄) L⁻¹.

    Murray, Differentiation of the Cholesky decomposition, arXiv:1602.07527 (2016), equation 10.
    """
    inner = half(b, product(b, adjoint(b, s.out), s.full(b)))
    turned = adjoint(b, solved(b, "lower", True, s.out, inner))
    turned = solved(b, "lower", True, s.out, turned)
    both = b.total([turned, adjoint(b, turned)])
    yield 0, b.multiply(both, b.constant(0.5, b.dtypes[s.out]))


def pull_elimination(b: Builder, s: Pull[Elimination]) -> Pulled:
    """For A = L U, Ā = L⁻ᴴ (Φ(Lᴴ L̄) + Ψ(Ū Uᴴ)) U⁻ᴴ: Φ is what is below the diagonal, Ψ the rest.

    de Hoog, Anderssen, Lukas, Differentiation of matrix functionals using triangular factorization,
    Mathematics of Computation 80 (2011).
    """
    n = b.shapes[s.out][-1]
    g = s.full(b)
    one = b.constant(1, b.dtypes[s.out])
    identity = b.append(Einsum.of([()], [0, 0], {0: n}), one)
    lower = b.append(ops.add, b.append(_BELOW, s.out), identity)
    upper = b.append(_ABOVE, s.out)
    of_lower = b.append(_BELOW, product(b, adjoint(b, lower), b.append(_BELOW, g)))
    of_upper = b.append(_ABOVE, product(b, b.append(_ABOVE, g), adjoint(b, upper)))
    inner = solved(b, "lower", True, lower, b.total([of_lower, of_upper]))
    yield 0, _over_adjoint(b, inner, upper)


_BELOW, _ABOVE = Band(None, -1), Band(0, None)


def pull_qr(b: Builder, s: Pull[QR]) -> Pulled:
    """For A = Q R, Ā = (Q̄ - Q QᴴQ̄ + Q Φ(QᴴQ̄ - Q̄ᴴQ)) R⁻ᴴ + Q (R̄ + Φ(R R̄ᴴ - R̄ Rᴴ) R⁻ᴴ).

    Roberts and Roberts, QR and LQ decomposition matrix backpropagation algorithms,
    arXiv:2009.10071 (2020), with the diagonal of Φ halved, which serves complex numbers too.
    """
    rows, columns = b.shapes[s.operands[0]][-2:]
    if rows < columns or (s.operation.full and rows > columns):
        raise UnsupportedError(
            f"the derivative of qr of matrices of shape {(rows, columns)} with full_matrices="
            f"{s.operation.full}: QrGrad not implemented when nrows > ncols and full_matrices is "
            "true; leave full_matrices out, the other columns of Q are not determined"
        )
    g = s.full(b)
    q = b.append(s.operation.other("orthogonal"), s.operands[0])
    r = b.append(s.operation.other("triangular"), s.operands[0])
    if s.operation.part == "orthogonal":
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


def pull_eigh(b: Builder, s: Pull[Eigh]) -> Pulled:
    """For A = V diag(e) Vᴴ, Ā = V (diag(ē) + F ∘ VᴴV̄) Vᴴ with Fᵢⱼ = 1/(eⱼ - eᵢ), folded.

    F is 0 where two eigenvalues are equal. The lower triangle, which is all that is looked at, gets
    the sum of both.
    """
    a = s.operands[0]
    v = b.append(s.operation.other("vectors"), a)
    if s.operation.part == "values":
        inner = contract(b, "ij,j->ij", v, like(b, s.full(b), v))
    else:
        mixed = product(b, adjoint(b, v), s.full(b))
        gaps = _gaps(b, b.append(s.operation.other("values"), a))
        inner = product(b, v, b.multiply(like(b, gaps, v), mixed))
    whole = product(b, inner, adjoint(b, v))
    yield 0, half(b, b.total([whole, adjoint(b, whole)]))


def _gaps(b: Builder, e: int, *, of_squares: bool = False) -> int:
    """Give 1/(eⱼ - eᵢ), or 1/(eⱼ² - eᵢ²), and 0 where the two are equal.

    Squares are not subtracted: a fused multiply-add would leave a rest where they are equal.
    """
    rank = len(b.shapes[e])
    lead = list(range(rank - 1))
    row = b.einsum([[*lead, rank]], [*lead, -1, rank], [e], {-1: 1})
    column = b.einsum([[*lead, rank]], [*lead, rank, -1], [e], {-1: 1})
    gap = minus(b, row, column)
    if of_squares:
        gap = b.multiply(gap, b.total([row, column]))
    return b.append(guarded_reciprocal, gap)


def pull_eig(b: Builder, s: Pull[Eig]) -> Pulled:
    """For A V = V diag(e), Ā = V⁻ᴴ (diag(ē) + conj(F) ∘ (VᴴV̄ - VᴴV diag(Re VᴴV̄))) Vᴴ.

    Boeddeker et al., On the computation of complex-valued gradients, arXiv:1701.00392 (2017),
    equation 4.77: the columns of V have length one.
    """
    a = s.operands[0]
    g = s.full(b)
    v = b.append(s.operation.other("vectors"), a)
    turned = adjoint(b, v)
    if s.operation.part == "values":
        inner = contract(b, "j,ij->ji", g, conjugate(b, v))
    else:
        mixed = product(b, turned, g)
        own = like(b, b.append(ops.real, contract(b, "ii->i", mixed)), v)
        mixed = minus(b, mixed, contract(b, "ij,j->ij", product(b, turned, v), own))
        gaps = _gaps(b, b.append(s.operation.other("values"), a))
        inner = product(b, b.multiply(conjugate(b, gaps), mixed), turned)
    found = solved(b, "full", True, v, inner)
    if b.dtypes[a].kind != "c":
        found = b.append(ops.real, found)
    yield 0, found


def pull_svd(b: Builder, s: Pull[SVD]) -> Pulled:
    """For A = U diag(s) Vᴴ, Ā = U diag(s̄) Vᴴ and what the vectors give.

    Wan and Zhang, Automatic differentiation for complex valued SVD, arXiv:1909.02659 (2019).
    """
    a = s.operands[0]
    least = min(b.shapes[a][-2:])
    u, v = (_columns(b, b.append(s.operation.other(p), a), 0, least) for p in ("left", "right"))
    g = s.full(b)
    if s.operation.part == "values":
        yield 0, product(b, contract(b, "ij,j->ij", u, like(b, g, u)), adjoint(b, v))
        return
    values = b.append(s.operation.other("values"), a)
    if s.operation.part == "left":
        yield 0, _pull_side(b, s.operation, s.out, g, (u, values, v))
    else:
        yield 0, adjoint(b, _pull_side(b, s.operation, s.out, g, (v, values, u)))


def cut_values(b: Builder, a: int, bound: int, g: int) -> int:
    """Give what the singular values of a real A add to Ā that its pseudo-inverse P counts as zero.

    For A = U diag(s) Vᵀ let H = Vᵀ P̄ U, and Mₖᵢ = sₖ/(sᵢ (sᵢ² - sₖ²)) where sₖ is cut and sᵢ kept,
    else 0. Vectors of both turn into each other, so it is U (X + Yᵀ) Vᵀ with
    Xₖᵢ = Mₖᵢ (sₖ/sᵢ Hᵢₖ + Hₖᵢ) and Yₖᵢ = Mₖᵢ (sₖ/sᵢ Hₖᵢ + Hᵢₖ): the slopes of the singular vectors
    (Wan and Zhang, arXiv:1909.02659), without what P̄ gives at sₖ = 0.
    """
    u, s, v = (b.append(SVD(part), a) for part in ("left", "values", "right"))
    is_kept = b.append(ops.greater, s, _bounds(b, s, bound))
    kept = b.append(Cast(dtype_name(b.dtypes[s])), is_kept)
    cut = minus(b, b.constant(1, b.dtypes[s]), kept)
    ratio = contract(b, "k,i->ki", s, b.append(guarded_reciprocal, s))
    weight = b.multiply(
        contract(b, "k,i->ki", cut, kept), b.multiply(ratio, _gaps(b, s, of_squares=True))
    )
    h = product(b, adjoint(b, v), g, u)
    turned = adjoint(b, h)
    x = b.multiply(weight, b.total([b.multiply(ratio, turned), h]))
    y = b.multiply(weight, b.total([b.multiply(ratio, h), turned]))
    return product(b, u, b.total([x, adjoint(b, y)]), adjoint(b, v))


def _bounds(b: Builder, s: int, bound: int) -> int:
    """Give for each singular value the one up to which all count as zero."""
    largest = b.multiply(b.append(Extremum("max", (-1,)), s), bound)
    return contract(b, ",i->i", largest, b.broadcast(b.constant(1, b.dtypes[s]), b.shapes[s]))


def _pull_side(b: Builder, operation: SVD, out: int, g: int, factors: tuple[int, int, int]) -> int:
    """Give U ((J + Jᴴ) S + i Im(diag UᴴŪ)/(2 S)) Vᴴ + (1 - U Uᴴ) Ū S⁻¹ Vᴴ with J = F ∘ UᴴŪ.

    Fᵢⱼ = 1/(sⱼ² - sᵢ²), and 0 where the two are equal. The phases of U and V share what only their
    product determines. The columns N of a square U beyond those of s get -N N̄ᴴ U S⁻¹ Vᴴ.
    """
    u, s, v = factors
    rows, least = b.shapes[u][-2:]
    first = _columns(b, g, 0, least)
    mixed = product(b, adjoint(b, u), first)
    gaps = _gaps(b, s, of_squares=True)
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


RULES: dict[type[Operation], Callable[..., Pulled]] = {
    Cholesky: pull_cholesky,
    Elimination: pull_elimination,
    QR: pull_qr,
    Eigh: pull_eigh,
    Eig: pull_eig,
    SVD: pull_svd,
}
