"""Parts of a formula by the names that the caller's code has for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from symtape.errors import SymtapeError
from symtape.forms.index.parts import IndexForm, IndexPart
from symtape.forms.matrix.form import Candidate, Chosen, MatrixForm
from symtape.forms.tex.latex import Style, scalar
from symtape.program.operations import Shape
from symtape.tensor.names import find, values_at_hand

_MOST_VARIABLES = 60
"""So many variables of the caller are looked at, the latest ones; a notebook has hundreds."""


class Part:
    """The definition of a named part, which prints as a formula.

    >>> import symtape as tf
    >>> x = tf.Variable([1.0, 2.0, 3.0], name="x")
    >>> with tf.GradientTape() as tape:
    ...     c = x - tf.reduce_mean(x)
    ...     y = tf.reduce_sum(tf.exp(c * c))
    >>> tape.gradient(y, x).parts([c])["c"].text()
    'x - (𝟏ᵀ x) 𝟏 / 3'
    """

    def __init__(self, form: MatrixForm, symbols: Mapping[str, str]) -> None:
        self._form, self._symbols = form, symbols

    def text(self, notation: str = "plain") -> str:
        """Write it in matrix notation as text, "plain" or "python"; see `Tensor.text`."""
        return self._form.text(notation)

    def latex(self) -> str:
        """Write it in LaTeX."""
        return " ".join(self._form.latex(self._symbols))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __repr__(self) -> str:
        return self.text()


class EntryOfPart:
    """The definition of a named part in index notation: its entry at some indices.

    >>> import symtape as tf
    >>> x = tf.Variable(tf.ones([2, 3, 4]), name="x")
    >>> with tf.GradientTape() as tape:
    ...     e = tf.exp(x * x)
    ...     y = tf.reduce_sum(e * e)
    >>> part = tape.gradient(y, x).parts([e])["e"]
    >>> part, part.indices, part.expr
    (exp(x[i, j, k]**2), (i, j, k), exp(x[i, j, k]**2))
    """

    def __init__(self, part: IndexPart, latex: str) -> None:
        self._part, self._latex = part, latex

    @property
    def indices(self) -> tuple[Any, ...]:
        """The indices, one for each axis that is longer than one."""
        return self._part.at

    @property
    def expr(self) -> Any:
        """The entry, an expression of SymPy."""
        return self._part.entry

    def text(self) -> str:
        """Write the entry as SymPy does."""
        return str(self.expr)

    def latex(self) -> str:
        """Write the entry in LaTeX."""
        return self._latex

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __repr__(self) -> str:
        return self.text()


def chosen(tensor: Any, style: Style, kind: type) -> Chosen:
    """Give the parts that a style asks for; those it stops at have no definition."""
    asked = () if isinstance(style.parts, str) else tuple(style.parts)
    stopped = [*_named(style.stop_at, "stop_at")]
    stops = [*_candidates(tensor, stopped)]
    for name in {name for name, _ in stopped} - {c.name for c in stops}:
        raise ValueError(f"stop_at=: {name} does not stand in the formula; text() shows it")
    if style.parts == "auto":
        given = [*_candidates(tensor, _others(tensor, values_at_hand(kind)))]
        return Chosen(stops, given, always=False, letters=True)
    return Chosen(stops, [*_candidates(tensor, _named(asked, "parts"))])


def _others(tensor: Any, seen: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Leave out what is no result of a computation, and a second name of one."""
    known = {id(tensor)}
    for name, value in [*seen][-_MOST_VARIABLES:]:
        if value.origin is not None and id(value) not in known:
            known.add(id(value))
            yield name, value


def _named(values: Sequence[Any], option: str) -> Iterator[tuple[str, Any]]:
    """Name tensors as the caller does."""
    for value in values:
        if not hasattr(value, "formula"):
            raise TypeError(f"{option}= takes tensors that were computed, not {value!r}")
        if value.origin is None:
            raise ValueError(f"{option}=: {value.label or 'a tensor'} is a leaf, which has a name")
        name = find(value, getattr(value.origin[0], "opener", None), thorough=True)
        if name is None:
            raise ValueError(f"{option}=: no variable holds one of the tensors, so it has no name")
        yield name, value


def _candidates(tensor: Any, named: Iterable[tuple[str, Any]]) -> Iterator[Candidate]:
    """Give what has the same leaves as a tensor."""
    formula = tensor.formula
    known = {leaf.tensor.identity: formula.names[leaf.position] for leaf in formula.all_leaves}
    for name, value in named:
        try:
            own = value.formula
        except SymtapeError:  # what has no formula is no part of one
            continue
        used = {leaf.position: known.get(leaf.tensor.identity) for leaf in own.used}
        if None not in used.values():
            names = {p: text for p, text in used.items() if text is not None}
            yield Candidate(name, own.program, own.position, names)


def definitions(form: MatrixForm, symbols: Mapping[str, str]) -> Mapping[str, Part]:
    """Give the parts in their order."""
    return {name: Part(own, symbols) for name, own in form.each()}


def entries_of_parts(form: IndexForm, leaves: Mapping[str, Shape]) -> Mapping[str, EntryOfPart]:
    """Give the parts of an entry in their order."""
    names = {**leaves, **{name: (2,) * rank for name, rank in form.ranks.items()}}
    return {part.name: EntryOfPart(part, scalar(part.entry, names)) for part in form.parts}
