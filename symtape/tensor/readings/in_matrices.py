"""A formula in matrix notation: as it was recorded, or with small matrices by their elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from symtape.errors import ExpansionError, NoMatrixFormError, UnsupportedError
from symtape.forms import limits
from symtape.forms.domains import divisors as divisors_of
from symtape.forms.domains import never_zero
from symtape.forms.matrix.form import MatrixForm
from symtape.program.cofactors import with_cofactors
from symtape.program.known import with_known
from symtape.program.program import Program
from symtape.program.sizes.resizing import Resized
from symtape.tensor.derivatives.anew import Anew
from symtape.tensor.readings.named import Named, lazy
from symtape.tensor.recording.provenance import Leaf

_MOST_DIVISORS = 12
"""Of so many divisors it is known that they are zero nowhere."""

_FEW = 8
"""So many numbers of rows are written out where nobody named them."""


class InMatrices(Named):
    """A formula that is read in matrix notation, once for each way that is asked for."""

    if TYPE_CHECKING:  # `Written` has it

        def _expr_of_scalars(self, max_nodes: int) -> Any: ...

    @cached_property
    def _matrix_forms(self) -> dict[Any, MatrixForm | NoMatrixFormError | ExpansionError]:
        """What was read already."""
        return {}

    @property
    def matrix_expr(self) -> sp.Expr:
        """Give a matrix expression; see `Tensor.matrix_expr`."""
        return self.matrix_form().expression()

    def matrix_form(
        self,
        max_nodes: int = limits.MAX_NODES,
        symmetric: Sequence[Any] = (),
        *,
        named: bool = True,
        is_whole: bool = False,
    ) -> MatrixForm:
        """Read it in matrix notation; raises `NoMatrixFormError` where there is none.

        What `is_whole` has small matrices as such, by which one may ask for them, and no cofactors.
        """
        declared = frozenset(self._symmetric(self.leaf_of(x)) for x in symmetric)
        key = (max_nodes, declared, named, is_whole)
        if key not in self._matrix_forms:
            self._matrix_forms[key] = self._read_in_matrices(*key)
        found = self._matrix_forms[key]
        if not isinstance(found, MatrixForm):
            raise type(found)(*found.args)
        return found

    def _read_in_matrices(
        self, max_nodes: int, declared: frozenset[str], named: bool, is_whole: bool
    ) -> MatrixForm | NoMatrixFormError | ExpansionError:
        """Read it in matrix notation, or give the reason why not, which is looked for once."""
        rows, places = self._rows, self._few_places
        known: dict[str, Any] = {"nonzero": self.never_zero, "divisors": self.divisors}
        read: Callable[..., MatrixForm] = partial(
            MatrixForm, named=named, rows=rows, places=places, **known
        )
        if self._by_cofactors is None or is_whole:
            is_open = self._by_cofactors is None
            return self._read_as_recorded(read, max_nodes, declared, is_open=is_open)
        own, below = self._by_cofactors
        try:
            by_elements = read(*own, max_nodes, declared, divisors=below)
        except (NoMatrixFormError, ExpansionError):
            return self._read_as_recorded(read, max_nodes, declared)
        if not by_elements.may_be_shorter:
            return by_elements
        return by_elements.or_other(self._read_as_recorded(read, max_nodes, declared))

    def _read_as_recorded(
        self,
        read: Callable[..., MatrixForm],
        max_nodes: int,
        declared: frozenset[str],
        *,
        is_open: bool = True,
    ) -> MatrixForm | NoMatrixFormError | ExpansionError:
        """Read it with cross products as such; scalars may be opened to what their entries are."""
        own = self.program, self.position, self.names
        if self._whole_vectors != own:
            with suppress(NoMatrixFormError, ExpansionError):
                whole, below = self._with_known
                return read(*whole, max_nodes, declared, divisors=below)
        try:
            form = read(*own, max_nodes, declared)
        except (NoMatrixFormError, ExpansionError) as error:
            return type(error)(*error.args)  # without the frames that it was raised in
        if self.is_scalar and is_open and form.may_be_shorter:
            with suppress(ExpansionError):
                return form.or_shorter(self._expr_of_scalars(max_nodes))
        return form

    @cached_property
    def _by_cofactors(self) -> tuple[tuple[Program, int, Mapping[int, str]], list[int]] | None:
        """The formula with small matrices of scalars by their elements, if there are such.

        And the steps of it that are zero nowhere.
        """
        made = with_cofactors(self.program, self.recipe.positions)
        if made is None:
            return None
        try:
            program, position = self.recipe.result(made)
        except UnsupportedError:  # by what only zeros multiply
            return None
        below = self._divisors(made.program, made.place)
        return (program, position, self._moved(made)), below

    def _moved(self, made: Resized) -> dict[int, str]:
        """Give the names of the leaves in a program that was made again."""
        return {made.place[p]: name for p, name in self.names.items() if p in made.place}

    @cached_property
    def _whole_vectors(self) -> tuple[Program, int, Mapping[int, str]]:
        """The formula with known arrays: ε for cross products that were recorded, Π for rolls."""
        return self._with_known[0]

    @cached_property
    def _with_known(self) -> tuple[tuple[Program, int, Mapping[int, str]], list[int]]:
        """The formula with known arrays, and the steps of it that are zero nowhere."""
        recipe = self.recipe
        known = with_known(self.program, recipe.positions)
        if known is None:
            return (self.program, self.position, self.names), self.divisors
        program, position = recipe.result(known.made)
        below = self._divisors(known.made.program, known.made.place)
        return (program, position, self._moved(known.made) | {**known.names}), below

    @cached_property
    def never_zero(self) -> set[str]:
        """The leaves without zeros wherever the function is defined that was derived."""
        recipe = self.recipe
        if not isinstance(recipe, Anew):
            return set()
        by_entry = recipe.kind == "jacobian"
        found = never_zero(self.program, recipe.targets, by_entry=by_entry)
        return {self.names[p] for p in found if p in self.names}

    @cached_property
    def divisors(self) -> list[int]:
        """The steps that are zero nowhere where the function is defined that was derived."""
        return self._divisors(self.program, {p: p for p in self.recipe.positions})

    def _divisors(self, program: Program, place: Mapping[int, int]) -> list[int]:
        recipe = self.recipe
        targets = [place[p] for p in recipe.targets] if isinstance(recipe, Anew) else ()
        found = divisors_of(program, targets)
        return found if len(found) <= _MOST_DIVISORS else []

    @cached_property
    def _few_places(self) -> dict[str, list[int]]:
        """The values of a few integers that nobody named."""
        leaves = [leaf for leaf in self.used if leaf.label is None]
        few = [
            leaf
            for leaf in leaves
            if self.program.dtypes[leaf.position].kind in "iu"
            and prod(self.program.shapes[leaf.position]) <= _FEW
        ]
        return {self.names[leaf.position]: lazy(leaf)().ravel().tolist() for leaf in few}

    def _symmetric(self, leaf: Leaf) -> str:
        """Give the symbol of a leaf that is said to be symmetric, and may be."""
        shape, name = self.program.shapes[leaf.position], self.names[leaf.position]
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError(f"symmetric=: {name} of shape {shape} is no square matrix")
        if leaf not in self.used:  # whose value may be gone
            return name
        value = lazy(leaf)()
        if not np.array_equal(value, value.T, equal_nan=value.dtype.kind in "fc"):
            raise ValueError(f"symmetric=: {name} is not symmetric where it was recorded")
        return name
