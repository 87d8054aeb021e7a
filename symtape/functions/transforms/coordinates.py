"""Sparse Jacobians and Hessians: the entries that can differ from zero, in CSR format.

The pattern is known from the formula (`calculus/terms/structure.py`), so no colouring and no dense
array is needed: the compiled code computes the blocks that the matrix is made of, and each entry of
them has its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus.terms.structure import Block, blocks, elements, structured
from symtape.extras import imported
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.paths import Path, Result
from symtape.functions.tracing.tracing import Traced
from symtape.functions.transforms.jacobians import Hessian, Jacobian
from symtape.nest.trees import LEAF, Tree


class Pattern(NamedTuple):
    """Where the entries of blocks stand in a matrix of CSR format; one may stand in several."""

    shape: tuple[int, int]
    indptr: Any
    indices: Any
    counts: tuple[Any, ...]
    places: Any
    is_once: bool

    @classmethod
    def of(cls, shape: tuple[int, int], made: Sequence[Block]) -> Pattern:
        """Sort the places of all entries, row by row."""
        empty = np.zeros(0, np.intp)
        size = [int(np.prod(block.counts)) for block in made]
        parts = [
            np.broadcast_to(b.rows, n) * np.intp(shape[1]) + np.broadcast_to(b.columns, n)
            for b, n in zip(made, size, strict=True)
        ]
        keys, places = np.unique(np.concatenate([empty, *parts]), return_inverse=True)
        rows, columns = np.divmod(keys, max(shape[1], 1))
        indptr = np.searchsorted(rows, np.arange(shape[0] + 1)).astype(np.int32)
        order = np.argsort(places) if len(keys) == len(places) else places
        counts = tuple([block.counts for block in made])
        return cls(shape, indptr, columns.astype(np.int32), counts, order, len(keys) == len(places))

    def matrix(self, values: Sequence[Any]) -> Any:
        """Put the entries of all blocks into a matrix."""
        parts = [
            np.ravel(value) if np.shape(value) == counts else np.broadcast_to(value, counts).ravel()
            for value, counts in zip(values, self.counts, strict=True)
        ]
        entries = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0), *parts])
        if self.is_once:
            data = entries[self.places]
        else:
            data = np.bincount(self.places, entries, len(self.indices))
        return self._csr(data)

    def matrix_of_places(self) -> Any:
        """Give the pattern itself, a matrix of booleans."""
        return self._csr(np.ones(len(self.indices), bool))

    def _csr(self, data: Any) -> Any:
        sparse = imported("scipy.sparse", "a sparse matrix", "scipy")
        made = sparse.csr_array((data, self.indices, self.indptr), self.shape, copy=False)
        made.has_canonical_format = True
        return made


class _Sparse:
    """What sparse derivatives of one result by one argument share."""

    def packed(self, path: Path, results: Sequence[Any]) -> Any:
        """Put blocks into a matrix."""
        pattern: Pattern = path.result.back
        return pattern.matrix(results)

    def packer(self, path: Path) -> Callable[[Sequence[Any]], Any]:
        """Make what puts blocks into a matrix."""
        return partial(self.packed, path)


class SparseJacobian(_Sparse, Jacobian):
    """The Jacobian of a vector by the argument, as a sparse matrix."""

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive the Jacobian, and give its blocks and their places."""
        return _in_blocks(super().result(traced, arguments))


class SparseHessian(_Sparse, Hessian):
    """The Hessian of a scalar by the argument, as a sparse matrix."""

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive the Hessian, and give its blocks and their places."""
        self.scalar(traced, traced.tree)
        return _in_blocks(super().result(traced, arguments))


def _in_blocks(result: Result) -> Result:
    """Take the matrix of a result apart."""
    (position,), (rows,) = result.outputs, result.rows
    structure = structured(result.program, position, rows or 0)
    program, made = blocks(structure)
    shape = elements(structure.shape[0]), elements(structure.shape[1])
    pattern = Pattern.of(shape, made)
    count = len(made)
    tree = Tree(tuple, (), (LEAF,) * count)
    results = tuple([block.position for block in made])
    return Result(program, results, tree, (None,) * count, back=pattern)
