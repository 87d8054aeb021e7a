"""Linear algebra through a library's `linalg`."""

from __future__ import annotations

import math
from typing import Any

from symtape.codegen.libraries.arrays import Arrays
from symtape.kernels.linalg.matrix_functions import LARGEST, PADE
from symtape.program.evaluation.column_pivots import column_pivots

Array = Any


class Matrices(Arrays):
    """Operations on the matrices in the last two axes; a singular one gets the library's answer."""

    def _adjoint(self, a: Array) -> Array:
        rank = len(a.shape)
        turned = self.xp.transpose(a, (*range(rank - 2), rank - 1, rank - 2))
        return self.xp.conjugate(turned) if self.is_complex(a) else turned

    def inverse(self, a: Array) -> Array:
        """Invert."""
        return self.xp.linalg.inv(a)

    def solve(self, a: Array, b: Array, form: str, adjointly: bool) -> Array:
        """Solve A X = B or Aᴴ X = B; see `Solve`."""
        if form == "tridiagonal":
            a, form = self._of_diagonals(a), "full"
        if adjointly:
            a, form = self._adjoint(a), {"lower": "upper", "upper": "lower"}.get(form, form)
        if form == "full":
            return self.xp.linalg.solve(a, b)
        return self._substitute(a, b, form == "lower")

    def _of_diagonals(self, lines: Array) -> Array:
        """Write out the matrices of three diagonals: each from rows that have one number."""
        *batch, _, n = lines.shape
        rows = [self.xp.broadcast_to(lines[..., k, :, None], (*batch, n, n)) for k in range(3)]
        above, middle, below = (
            self.xp.tril(self.xp.triu(row, k=k), k=k)
            for row, k in zip(rows, (1, 0, -1), strict=True)
        )
        return above + middle + below

    def _substitute(self, a: Array, b: Array, lower: bool) -> Array:
        """Solve a triangle; nothing else of A is looked at."""
        return self.xp.linalg.solve(self.xp.tril(a) if lower else self.xp.triu(a), b)

    def determinant(self, a: Array) -> Array:
        """Give the determinant."""
        return self.xp.linalg.det(a)

    def signed_log(self, a: Array) -> tuple[Array, Array]:
        """Give the sign of the determinant, and the logarithm of its size."""
        sign, size = self.xp.linalg.slogdet(a)
        return sign, size

    def cholesky(self, a: Array) -> Array:
        """Give the lower triangle L of A = L Lᴴ; of A, only the lower triangle is looked at."""
        return self.xp.linalg.cholesky(self._from_lower(a))

    def _from_lower(self, a: Array) -> Array:
        """Make a self-adjoint matrix of a lower triangle."""
        return self.xp.tril(a) + self._adjoint(self.xp.tril(a, k=-1))

    def log_determinant(self, a: Array) -> Array:
        """Give log det A of a positive definite matrix."""
        return 2 * self.signed_log(self.cholesky(a))[1]

    def eliminated(self, a: Array) -> Array:
        """Give L and U of A = L U, packed; rows are not interchanged."""
        lower = a * 0
        identity = self.xp.tril(self.xp.triu(lower + 1))
        for k in range(a.shape[-1] - 1):
            column = a[..., :, k : k + 1] / a[..., k : k + 1, k : k + 1]
            multiples = self.xp.tril(column * identity[..., k : k + 1, :], k=-1)
            lower = lower + multiples
            a = a - multiples[..., :, k : k + 1] * a[..., k : k + 1, :]
        return self.xp.triu(a) + lower

    def qr(self, a: Array, full: bool) -> tuple[Array, Array]:
        """Give Q and R."""
        q, r = self.xp.linalg.qr(a, mode="complete" if full else "reduced")
        return q, r

    def eigh(self, a: Array) -> tuple[Array, Array]:
        """Give the eigenvalues and eigenvectors of a self-adjoint matrix."""
        values, vectors = self.xp.linalg.eigh(self._from_lower(a))
        return values, vectors

    def eigvalsh(self, a: Array) -> Array:
        """Give the eigenvalues of a self-adjoint matrix."""
        return self.xp.linalg.eigvalsh(self._from_lower(a))

    def eig(self, a: Array) -> tuple[Array, Array]:
        """Give the eigenvalues and eigenvectors of a square matrix, as complex numbers."""
        values, vectors = self.xp.linalg.eig(a)
        return values, vectors

    def svd(self, a: Array, full: bool) -> tuple[Array, Array, Array]:
        """Give s, U and V of A = U diag(s) Vᴴ."""
        u, s, vh = self.xp.linalg.svd(a, full_matrices=full)
        return s, u, self._adjoint(vh)

    def singular_values(self, a: Array) -> Array:
        """Give the singular values."""
        return self.svd(a, False)[0]

    def pseudo_inverse(self, a: Array, bound: Array, compares: str = "values") -> Array:
        """Invert what is not zero: singular values up to a bound times the largest one are."""
        s, u, v = self.svd(a, False)
        if 0 in s.shape:
            return v @ self._adjoint(u)
        if compares == "pivots":
            places = self._arange(s.shape[-1], s)
            kept = places < self._as(self._rank(a, bound), places.dtype)[..., None]
        else:
            kept = (s > bound[..., None] * s[..., :1]) | (s != s)  # noqa: PLR0124 - nan
        inverted = self.xp.where(kept, 1 / self.xp.where(kept, s, 1.0), 0.0)
        return (v * self._as(inverted, v.dtype)[..., None, :]) @ self._adjoint(u)

    def _rank(self, a: Array, bound: Array) -> Array:
        """Count the pivots above a bound times the first one."""
        sizes = column_pivots(a, self._arange(a.shape[-1], a), self.xp)
        is_larger = sizes > bound[..., None] * sizes[..., :1]
        return self.xp.sum(self._as(is_larger, sizes.dtype), axis=-1)

    def band(self, a: Array, low: int | None, high: int | None) -> Array:
        """Keep some diagonals; see `Band`."""
        if low is not None:
            a = self.xp.triu(a, k=low)
        return a if high is None else self.xp.tril(a, k=high)

    def expm(self, a: Array) -> Array:
        """Give eᴬ by scaling and squaring; see `kernels/linalg/matrix_functions.py`."""
        n = a.shape[-1]
        if not math.prod(a.shape):
            return a
        one = self._identity(n, a)
        size = self.xp.max(self.xp.sum(self.xp.abs(a), axis=-2), axis=-1)
        largest = float(self.xp.max(size, axis=tuple(range(len(size.shape)))))
        if not math.isfinite(largest):
            return a * math.nan
        squarings = max(math.ceil(math.log2(max(largest, 1e-30) / LARGEST)), 0)
        a = a * 0.5**squarings
        a2 = a @ a
        a4 = a2 @ a2
        powers = (one, a2, a4, a4 @ a2)

        def part(k: int) -> Array:
            high = powers[3] @ sum(PADE[k + 6 + 2 * i] * powers[i] for i in (3, 2, 1))
            return high + sum(PADE[k + 2 * i] * powers[i] for i in (3, 2, 1, 0))

        odd, even = a @ part(1), part(0)
        found = self.xp.linalg.solve(even - odd, even + odd)
        for _ in range(squarings):
            found = found @ found
        return found

    def _identity(self, n: int, a: Array) -> Array:
        """Make the identity."""
        line = self._arange(n, a)
        return self._as(line[:, None] == line[None, :], a.dtype)

    def sqrtm(self, a: Array) -> Array:
        """Give the square root of a matrix."""
        raise NotImplementedError

    def logm(self, a: Array) -> Array:
        """Give the logarithm of a matrix."""
        raise NotImplementedError

    matrix_functions: frozenset[str] = frozenset({"expm"})
    """Which functions of matrices the library has."""

    no_steps: frozenset[str] = frozenset({"eig"})
    """Which other functions it lacks."""
