"""A formula as it is written: SymPy expressions, matrix and index notation, LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

import numpy as np
import sympy as sp

from symtape.errors import ExpansionError, NoMatrixFormError, UnsupportedError
from symtape.forms import choices, expression, limits
from symtape.forms.index import entry as index
from symtape.forms.index.generic import entry_of_matrix, generic_entry, generic_form
from symtape.forms.index.parts import IndexForm
from symtape.forms.index.unrolled import shorter_entries
from symtape.forms.limits import Size
from symtape.forms.matrix.form import Chosen, MatrixForm
from symtape.forms.scalars.elements import shorter
from symtape.forms.tex import latex
from symtape.forms.tex.latex import Style, WriteNumbers
from symtape.forms.tex.left import Left, Slope, by_vec, names
from symtape.forms.tex.left import entry as left_entry
from symtape.forms.tex.left import latex as left_latex
from symtape.forms.tex.steps import steps as program_steps
from symtape.program.program import Guard
from symtape.tensor.readings.any_size import AnySize
from symtape.tensor.readings.in_matrices import InMatrices
from symtape.tensor.readings.parts import EntryOfPart, Part, definitions, entries_of_parts

_MOST_READ = 10**12
"""How long a formula may be, written out, of which letters may make a short one."""


Choose = Callable[[Style], Chosen]
"""Says what parts of a formula are to have names, as a style asks for it."""


def nothing(_: Style) -> Chosen:
    """Name nothing."""
    return Chosen()


class Written(InMatrices):
    """A formula in every form, with names for its parts where a style asks for them."""

    @property
    def expr(self) -> sp.Expr:
        """One SymPy expression; see `Tensor.expr`."""
        return self.to_expr()

    def to_expr(self, max_nodes: int = limits.MAX_NODES) -> sp.Expr:
        """Give one SymPy expression; see `Tensor.to_expr`."""
        if self.is_scalar:
            return shorter(self._expr_of_scalars(max_nodes))
        if self.shape:
            return self.matrix_form(max_nodes).expression()
        return self.index_expr(max_nodes=max_nodes)

    def _expr_of_scalars(self, max_nodes: int) -> Any:
        """Write what is made of scalars as the program computes it."""
        check = Size(max_nodes, "to_expr()")
        return expression.tidied(self._entries(self.position, check=check)[()])

    def to_entries(
        self, max_entries: int = limits.MAX_ENTRIES, max_nodes: int = limits.MAX_NODES
    ) -> sp.ImmutableDenseNDimArray:
        """Give every entry; see `Tensor.entries`."""
        check = Size(max_nodes, "to_entries()")
        found = self._entries(self.position, max_entries, check)
        at = self._at()
        read = partial(self.matrix_form, max_nodes)
        own = self.program, self.position, self.names
        generic = entry_of_matrix(*own, at, read) if found.size else None
        return array(found if generic is None else shorter_entries(found, generic, at))

    def _entries(
        self, position: int, max_entries: int = limits.MAX_ENTRIES, check: Size | None = None
    ) -> Any:
        return expression.entries(
            self.program, position, self.names, max_entries, self._value, check
        )

    def entries_of(self, position: int, max_nodes: int) -> Any:
        """Write the entries of any position of the program."""
        return self._entries(position, check=Size(max_nodes, "it"))

    def relation_of(self, guard: Guard) -> Any:
        """Write a relation that decided the path; of an order that was found, all of them."""
        found = self._relation(guard.position, guard.value)
        return sp.And(*self.conditions) if found is sp.true else found

    def _check_ranks(self, position: int) -> None:
        expression.check_ranks(self.program, self.program.ancestors([position]), self._value)

    def index_expr(
        self, *symbols: Any, max_nodes: int = limits.MAX_NODES, sizes: str = "recorded"
    ) -> sp.Expr:
        """Give a generic entry; see `Tensor.index_expr`."""
        self._check_ranks(self.position)
        at = self._at(symbols, sizes)
        if sizes == "symbolic":
            return self.any_size.index_form(at, max_nodes, None).entry
        read = partial(self.matrix_form, max_nodes)
        return generic_entry(*self._whole_vectors, at, read, max_nodes)

    def index_form(self, style: Style, choose: Choose, *, turned: bool = False) -> IndexForm:
        """Give the generic entry with names for its parts, as a style asks."""
        at = self._at(sizes=style.sizes)[:: -1 if turned else 1]
        if not style.has_parts:
            return IndexForm(self.index_expr(*at, max_nodes=style.max_nodes, sizes=style.sizes))
        self._check_ranks(self.position)
        if style.sizes == "symbolic":
            return self.any_size.index_form(at, style.max_nodes, choose(style))
        chosen = choose(style)
        read = partial(self.matrix_form, style.max_nodes, is_whole=bool(chosen.stops))
        return generic_form(*self._whole_vectors, at, read, chosen, style.max_nodes)

    def sizes(self) -> dict[str, tuple[str | int, ...]]:
        """Give the shapes of the leaves in letters; see `Tensor.sizes`."""
        return self.any_size.shapes()

    @cached_property
    def any_size(self) -> AnySize:
        """The formula for leaves of any size; raises `UnsupportedError` where it has none."""
        return AnySize(self)

    @cached_property
    def has_differences_of_rows(self) -> bool:
        """Say whether it is made of sums of three axes, as xᵢₖ - yⱼₖ, and best read by indices.

        An entry of an inverse has none: the matrix would stand there with all of its entries.
        """
        with suppress(NoMatrixFormError, ExpansionError, UnsupportedError):
            if self.matrix_form().is_multiplied_out:
                return not self.index_expr().has(sp.ImmutableDenseMatrix)
        return False

    def _is_best_by_index(self, style: Style) -> bool:
        return len(self.shape) > 2 or (self.has_differences_of_rows and not style.symmetric)

    def text(self, notation: str, style: Style, choose: Choose = nothing) -> str:
        """Write matrix notation as text; see `Tensor.text`."""
        return self.form(style, choose).text(notation)

    def form(self, style: Style, choose: Choose) -> MatrixForm:
        """Read it in matrix notation, as a style asks, with names for its parts."""
        style.check()
        if style.sizes == "symbolic":
            declared = frozenset(self._symmetric(self.leaf_of(x)) for x in style.symmetric)
            try:
                return self.any_size.form(style, declared, self._rows, choose(style))
            except UnsupportedError as error:
                raise NoMatrixFormError(str(error)) from None
        read = partial(
            self.matrix_form, symmetric=style.symmetric, named=style.functions == "named"
        )
        if not style.has_parts:
            return read(style.max_nodes)
        chosen = choose(style)
        read = partial(read, is_whole=bool(chosen.stops))
        try:
            return read(style.max_nodes).naming(chosen)
        except ExpansionError:
            if not chosen.letters:
                raise
        return read(_MOST_READ).naming(chosen, style.max_nodes)  # with letters it may be short

    def parts(self, style: Style, choose: Choose) -> Mapping[str, Part] | Mapping[str, EntryOfPart]:
        """Give the definitions of named parts; see `Tensor.parts`."""
        style.check()
        if style.form == "index" or (style.form == "auto" and self._is_best_by_index(style)):
            found = self.index_form(style._replace(form="index"), choose)
            return entries_of_parts(found, self._shapes)
        try:
            form = self.form(style._replace(form="matrix"), choose)
        except NoMatrixFormError:
            if style.form == "matrix" or style.symmetric:
                raise
            return self.parts(style._replace(form="index"), choose)
        return definitions(form, self.symbols_of(form))

    def symbols_of(self, form: MatrixForm) -> dict[str, str]:
        """Say how leaves, and parts, are written in LaTeX."""
        shapes = self._shapes | {name: (2,) * rank for name, rank in form.others.items()}
        symbols = latex.leaf_symbols(shapes, sp.S.Zero)
        return {str(symbol): text for symbol, text in symbols.items()}

    def latex(self, style: Style, left: Left | None = None, choose: Choose = nothing) -> str:
        """Write LaTeX, with what stands to the left of it; see `Tensor.latex`."""
        style.check()
        if style.form == "auto":
            return self._latex_of_the_best_form(style, left, choose)
        turned = self._turns(style)
        if left is not None:
            style = style._replace(left=self._left(left, style, turned=turned))
        if style.form == "scalar":
            if self.shape:
                raise NoMatrixFormError("an array is no scalar; latex('matrix') writes it as it is")
            if self.is_scalar:
                is_real = all(self.program.dtypes[p].kind != "c" for p in self.names)
                found = self._expr_of_scalars(style.max_nodes)
                write = self._in_order(style)
                return latex.named(found, self._shapes, style, is_real=is_real, write=write)
            return latex.scalar(self.to_expr(style.max_nodes), self._shapes, style)
        if style.form == "index":
            found = self.index_form(style, choose, turned=turned)
            return latex.indexed(found, self._shapes, style, self._spaces(style))
        if style.form == "matrix":
            form = self.form(style, choose)
            known = self.symbols_of(form)
            pairs = zip(form.latex(known, turned=turned), form.widths(turned=turned), strict=True)
            terms = [latex.Term(*pair) for pair in pairs]
            where = [*form.latex_of_parts(known), *self._spaces(style)]
            return latex.composed(terms, style, where)
        if turned:
            raise ValueError(f"layout={style.layout!r} is not for the form {style.form!r}")
        if style.form == "entries":
            return latex.entries(self.to_entries(max_nodes=style.max_nodes), self._shapes, style)
        self._check_ranks(self.position)
        return program_steps(self.program, self.position, self.names, style.max_steps)

    def _at(self, symbols: Sequence[Any] = (), sizes: str = "recorded") -> Sequence[Any]:
        """Read the indices that are given, or choose some that are no letters of sizes."""
        taken = self.any_size.letters.values() if sizes == "symbolic" else ()
        return index.indices(self.program, self.position, self.names, symbols, [*taken])

    def _left(self, left: Left, style: Style, *, turned: bool) -> str:
        """Write the left side, whose names are no leaf's in the way that the right side is."""
        shapes = {**{n.text: (1,) * n.rank for n in names(left)}, **self._shapes}
        texts = {str(s): t for s, t in latex.leaf_symbols(shapes, sp.S.Zero).items()}
        if style.form == "index":
            at = self._at(sizes=style.sizes)[:: -1 if turned else 1]
            return left_entry(left, texts.__getitem__, at)
        if style.form == "matrix" and isinstance(left, Slope) and left.rank > 2:
            return by_vec(left, texts.__getitem__)
        return left_latex(left, texts.__getitem__, turned=turned)

    def _latex_of_the_best_form(self, style: Style, left: Left | None, choose: Choose) -> str:
        if self.is_scalar and not (style.symmetric or style.has_parts or style.spaces):
            return self.latex(style._replace(form=self._form_of_scalars(style)), left)
        if self._is_best_by_index(style) and not style.symmetric:
            return self.latex(style._replace(form="index"), left, choose)
        try:
            return self.latex(style._replace(form="matrix"), left, choose)
        except NoMatrixFormError:
            if style.symmetric:
                raise
            return self.latex(style._replace(form="index"), left, choose)

    def _form_of_scalars(self, style: Style) -> str:
        """Say by which form scalars are written: as text is, but for cases and what has no form."""
        try:
            has_cases = self.form(style, nothing).has_brackets
        except (NoMatrixFormError, ExpansionError):
            return "scalar"
        return "scalar" if has_cases else "matrix"

    def _in_order(self, style: Style) -> WriteNumbers | None:
        """Give what writes an expression of scalars as text is written, if that can be read."""
        try:
            form = self.form(style._replace(form="matrix"), nothing)
        except (NoMatrixFormError, ExpansionError):
            return None
        return partial(form.latex_of, symbols=self.symbols_of(form))

    def _spaces(self, style: Style) -> list[str]:
        """Say where the leaves lie, if a style asks for it."""
        if not style.spaces:
            return []
        symbols = {str(s): t for s, t in latex.leaf_symbols(self._shapes, sp.S.Zero).items()}
        own = {name: p for p, name in self.names.items()}
        used = {name: self.program.shapes[own[name]] for name in map(str, self.leaves)}
        shapes = self.any_size.shapes() if style.sizes == "symbolic" else used
        return [
            latex.space(symbols[name], self.program.dtypes[own[name]].kind, shape)
            for name, shape in shapes.items()
        ]

    def _turns(self, style: Style) -> bool:
        """Say whether a derivative is written in the other layout than that of its array."""
        if style.layout is None:
            return False
        own = None if self._opened is None else self._opened.layout
        if own is None or len(self.shape) > (2 if own == "numerator" else 1):
            raise ValueError(
                f"layout= is for gradients by vectors and for Jacobians of vectors by vectors, not "
                f"for a result of shape {self.shape}"
            )
        return bool(own != style.layout)

    @property
    def conditions(self) -> tuple[sp.Basic, ...]:
        """Give the relations that control flow decided; see `Tensor.conditions`.

        All that the tape saw count: what a loop ended on decides its result after the last step.
        So does the order in which a sort or a maximum found the elements that it chose.
        """
        relations = [self._relation(g.position, g.value) for g in self.program.guards]
        relations += choices.chosen(self.program, self._met(), self.names, self._value)
        return tuple(dict.fromkeys(r for r in relations if r is not sp.true))

    def _relation(self, position: int, value: bool | int) -> Any:
        shape = self.program.shapes[position]
        try:
            found = self._entries(position).flat[0]
        except ExpansionError:
            self._check_ranks(position)
            at = [0] * len(shape)
            found = index.index_expression(self.program, position, self.names, at)
        if isinstance(value, bool) and self.program.dtypes[position].kind == "b":
            return found if value else sp.Not(found)
        return (
            sp.Eq(found, value)
            if not isinstance(value, bool)
            else sp.Ne(found, 0)
            if value
            else sp.Eq(found, 0)
        )


def array(found: Any) -> Any:
    """Give an array of SymPy expressions."""
    flat = [sp.sympify(e) for e in np.ravel(found)]
    return sp.ImmutableDenseNDimArray(flat, found.shape)
