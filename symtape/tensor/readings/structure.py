"""What a person can do with the structure of a Jacobian or Hessian: look, store less, multiply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from symtape.calculus.directional import times_vector
from symtape.calculus.terms import structure as terms
from symtape.calculus.terms.structure import Structured
from symtape.codegen.compile import Source
from symtape.extras import imported
from symtape.forms.index.entry import vanishes
from symtape.kernels.interpret import QUIET
from symtape.program.operations import AddN, Constant
from symtape.program.program import Program, shared
from symtape.tensor.readings.description import Description, described, entries, values_of
from symtape.tensor.recording.travel import Provenance


class Structure(str):
    """The structure of an array of rows and columns: a text, with parts that can be used.

    The text is short: `zero`, `constant`, `diagonal`, `tridiagonal`, `block diagonal`,
    `2 (Vᵀ V) ⊗ I`, `diag(p) - p pᵀ`, `Xᵀ diag(p) X`, `dense`. It is matrix notation as in `text`,
    with the names of the leaves and of the caller's own variables when the derivative was taken,
    and letters for functions of entries. Of a matrix of variables the Kronecker product is that of
    its columns one after another, as books on matrix calculus have it.

    >>> import symtape as tf
    >>> x = tf.constant([1.0, 2.0, 3.0])
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> jacobian = tape.jacobian(y, x)
    >>> jacobian.structure
    'diagonal'
    >>> jacobian.structure.core.numpy()
    array([2., 4., 6.], dtype=float32)
    """

    __slots__ = ("__dict__",)

    _tensor: Any
    _found: Structured
    _kind: type
    _description: Description

    @classmethod
    def of(cls, tensor: Any, rows: int | None, kind: type) -> Structure:
        """Take a tensor apart; its first `rows` axes are the rows, `kind` makes its cores."""
        formula = tensor.formula
        program, position = formula.program, formula.position
        if rows is None:
            known = getattr(tensor.origin and tensor.origin[0], "rows", None)
            rows = _half(program.shapes[position]) if known is None else known
        found = _without_zeros(terms.structured(program, position, rows), formula.names)
        description = described(tensor, found, rows)
        made = cls(description.text)
        made._tensor, made._found, made._kind = tensor, found, kind
        made._description = description
        return made

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns, all axes of each taken together."""
        rows, columns = self._found.shape
        return terms.elements(rows), terms.elements(columns)

    @cached_property
    def cores(self) -> tuple[Any, ...]:
        """The blocks that the array is made of, one a term, each as small as the term allows."""
        program, positions = terms.cores(self._found)
        values = values_of(self._tensor, program, positions)
        pairs = zip(positions, values, strict=True)
        return tuple([self._made(program, *pair) for pair in pairs])

    @property
    def core(self) -> Any:
        """The one block of a structure of one term; raises `ValueError` if there are more."""
        if len(self.cores) != 1:
            raise ValueError(f"{self}: a sum of {len(self.cores)} terms has no one core; see cores")
        return self.cores[0]

    @cached_property
    def where(self) -> dict[str, Any]:
        """What the names in the text stand for that are no leaves, as tensors."""
        _, program, named = self._description
        values = values_of(self._tensor, program, [*named.values()])
        made = [self._made(program, *found) for found in zip(named.values(), values, strict=True)]
        return dict(zip(named, made, strict=True))

    def _made(self, program: Program, position: int, value: Any) -> Any:
        core = self._kind(value)
        core.origin = (_Core(program, self._tensor), position)
        return core

    def to_dense(self) -> Any:
        """Give the whole array, a tensor of the shape of rows and columns."""
        return self._tensor

    def sparsity(self) -> Any:
        """Give the pattern of the entries that can differ from zero, flat rows by flat columns.

        It holds for all values of the watched leaves: constants are zero where they are zero, but
        which element a sort, a maximum or `relu` takes can change. It is a SciPy array in CSR
        format, of booleans. Raises `ExtraNotInstalledError` without SciPy.
        """
        sparse = imported("scipy.sparse", "scipy.sparse", "scipy")
        rows, columns = [], []
        for row, column in entries(self._tensor, self._found):
            rows.append(row)
            columns.append(column)
        if not rows:
            return sparse.csr_array(self.shape, dtype=bool)
        at = np.concatenate(rows), np.concatenate(columns)
        made = sparse.coo_array((np.ones(len(at[0]), bool), at), shape=self.shape).tocsr()
        made.sum_duplicates()
        made.data[:] = True
        return made

    def as_linear_operator(self) -> Any:
        """Give the array as a SciPy `LinearOperator`, which multiplies term by term.

        A product costs what the factors cost: O(n) for a diagonal, a band, or a diagonal and an
        outer product. Where a factor would be as large as the whole, as that of a sort is, nothing
        is multiplied out: a product costs what the function and its gradient cost. Raises
        `ExtraNotInstalledError` without SciPy.
        """
        linalg = imported("scipy.sparse.linalg", "scipy.sparse.linalg", "scipy")
        rows, columns = self._found.shape
        forward, backward = self._product(transposed=False), self._product(transposed=True)

        def back(v: Any) -> Any:
            return np.conj(backward(np.conj(v.reshape(rows)))).ravel()

        return linalg.LinearOperator(
            self.shape,
            matvec=lambda v: forward(v.reshape(columns)).ravel(),
            rmatvec=back,
            dtype=self._found.dtype,
        )

    def _product(self, *, transposed: bool) -> Callable[[Any], Any]:
        """Compile the product with a vector; what does not depend on it is computed once."""
        program, v, out = self._times_vector(transposed=transposed)
        program, first = shared(program)
        v, out = first[v], first[out]
        fixed = _fixed(program, v, out)
        values = values_of(self._tensor, program, fixed)
        function = Source(program, [*fixed, v], [out]).compile()
        dtype = self._found.dtype

        def run(vector: Any) -> Any:
            (found,) = QUIET.run(function, *values, np.asarray(vector, dtype))
            return np.asarray(found)

        return run

    def _times_vector(self, *, transposed: bool) -> tuple[Program, int, int]:
        """Write the product with a vector, term by term, or by sweeps if a factor is too large."""
        found = self._found
        source, place = self._tensor.origin
        known = getattr(source, "linear_map", None)
        asked = known(place) if known and found.dtype.kind == "f" else None
        if asked is None or not self._has_large_factor():
            return terms.product(found, transposed=transposed)
        formula = self._tensor.formula
        target, *group = [formula.moved(source, p) for p in (asked[0], *asked[1])]
        return times_vector(formula.program, target, group, transposed=transposed)

    def _has_large_factor(self) -> bool:
        """Say whether a factor that was derived is as large as the whole array, which is large."""
        shapes = self._found.program.shapes
        whole = terms.elements(shapes[self._found.position])
        derived = [p for p in self._found.factors() if p >= self._found.program.recorded]
        return any(_LARGE <= whole <= terms.elements(shapes[p]) for p in derived)


def _without_zeros(found: Structured, names: Mapping[int, str]) -> Structured:
    """Leave out terms with a factor whose formula is 0; only sums can be without a zero in them."""
    steps = found.program.steps
    sums = [p for p in found.factors() if type(steps[p][0]) is AddN]
    zeros = {p for p in sums if vanishes(found.program, p, names)}
    kept = tuple([t for t in found.terms if zeros.isdisjoint(p for p, _ in t.factors)])
    return found._replace(terms=kept)


def _fixed(program: Program, v: int, out: int) -> list[int]:
    """List what the steps from one position to another take and do not change."""
    moved, taken = {v}, set[int]()
    for p in program.ancestors([out]):
        operands = program.steps[p][1:]
        if not moved.isdisjoint(operands):
            moved.add(p)
            taken.update(operands)
    return sorted(p for p in taken - moved if type(program.steps[p][0]) is not Constant)


_LARGE = 10_000
"""From so many entries on, an array is not formed for the sake of a product."""


class _Core(Provenance):
    """Where a core comes from: a program that continues that of the whole."""

    __slots__ = ("_leaves", "program")
    block = decisions = None

    def __init__(self, program: Program, tensor: Any) -> None:
        self.program = program
        self._leaves = tensor.formula.all_leaves

    def locate(self, position: int) -> tuple[Program, int]:
        """Find the core."""
        return self.program, position

    def leaves(self) -> Any:
        """List the tensors that entered."""
        return self._leaves


def _half(shape: tuple[int, ...]) -> int:
    if len(shape) % 2 or not shape:
        raise ValueError(
            f"an array of shape {shape} does not say which axes are rows and which are columns: "
            "structure is for Jacobians and Hessians; structure_of(rows=...) takes the number of "
            "axes that are rows"
        )
    return len(shape) // 2
