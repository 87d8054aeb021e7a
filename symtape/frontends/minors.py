"""The determinant, whose slope a singular matrix has by its minors: it has no inverse."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg import solving
from symtape.ops.reductions.reduction import reduce_sum
from symtape.tensor.indexing.slices import Places
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_MOST = 12
"""The minors of larger matrices are too many."""


def det(a: Tensor) -> Tensor:
    """det A of each of some matrices."""
    return _by_minors(a) if _is_singular(a) else solving.det(a)


def _is_singular(a: Tensor) -> bool:
    """Say whether one of some matrices has no inverse, and is small enough for its minors."""
    n = shape_of(a)[-1]
    if not 0 < n <= _MOST or not a.raw.size or not np.isfinite(a.raw).all():
        return False
    return bool((np.linalg.matrix_rank(a.raw) < n).any())


def _by_minors(a: Tensor) -> Tensor:
    """Go row by row: of the minors of the first rows, those of one row more, by expansion along it.

    For columns S, det A[:r+1, S] = Σ_{j ∈ S} ±A[r, j] det A[:r, S without j].
    """
    n = shape_of(a)[-1]
    minors = a[..., 0, :]
    for r in range(1, n):
        known = {columns: k for k, columns in enumerate(combinations(range(n), r))}
        chosen = [*combinations(range(n), r + 1)]
        others = [[known[s[:k] + s[k + 1 :]] for k in range(r + 1)] for s in chosen]
        signs = np.array([(-1) ** (r + k) for k in range(r + 1)], dtype_of(a))
        entries = gather(a[..., r, :], Places(np.array(chosen)), axis=-1)
        rest = gather(minors, Places(np.array(others)), axis=-1)
        minors = reduce_sum(entries * rest * Tensor(signs), [-1])
    return minors[..., 0]
