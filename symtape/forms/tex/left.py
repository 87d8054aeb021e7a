"""What stands to the left of a formula: a name, or the derivative that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from symtape.forms.tex.printer import entry as printed_entry

Write = Callable[[str], str]
"""How a name is written."""


class Name(NamedTuple):
    """Something that is called so, with its number of axes."""

    text: str
    rank: int


class Total(NamedTuple):
    """The sum of all entries of some arrays, which is what a gradient of arrays derives."""

    terms: tuple[Left, ...]
    rank: int = 0


class Slope(NamedTuple):
    """A derivative: its first axes are those of what is derived, the others of the variable."""

    of: Left
    by: Name

    @property
    def rank(self) -> int:
        """The number of axes."""
        return self.of.rank + self.by.rank


Left = Name | Total | Slope


def names(left: Left) -> Iterator[Name]:
    """List the names in it."""
    stack: list[Left] = [left]
    while stack:
        top = stack.pop()
        if isinstance(top, Name):
            yield top
        else:
            stack.extend(top.terms if isinstance(top, Total) else top)


def latex(left: Left, write: Write, *, turned: bool = False) -> str:
    r"""Write it; `turned` says that the right side is the transpose.

    >>> w = Name("w", 1)
    >>> latex(Slope(Name("L", 0), w), str), latex(Slope(Slope(Name("L", 0), w), w), str)
    ('\\nabla_{w} L', '\\nabla^{2}_{w} L')
    >>> latex(Slope(Name("y", 1), w), str), latex(Slope(Name("y", 1), w), str, turned=True)
    ('\\frac{\\partial y}{\\partial w}', '\\frac{\\partial y^\\top}{\\partial w}')
    """
    if not isinstance(left, Slope):
        return _function(left, write)
    function, variables = _chain(left)
    if turned:
        up = rf"{_function(function, write)}^\top" if function.rank else _function(function, write)
        return rf"\frac{{\partial {up}}}{{\partial {write(left.by.text)}}}"
    if all(v.rank == 0 for v in variables):
        return _fraction(_function(function, write), [write(v.text) for v in variables[::-1]])
    if function.rank == 0 and len(variables) <= 2 and len(set(variables)) == 1:
        order = "^{2}" if len(variables) == 2 else ""
        return rf"\nabla{order}_{{{write(left.by.text)}}} {_function(function, write)}"
    if left.of.rank == 0:
        return rf"\nabla_{{{write(left.by.text)}}} {latex(left.of, write)}"
    if isinstance(left.of, Slope):
        return rf"\frac{{\partial}}{{\partial {write(left.by.text)}}} {latex(left.of, write)}"
    return _fraction(_function(function, write), [write(left.by.text)])


def by_vec(left: Left, write: Write) -> str:
    r"""Write it with one axis of rows and one of columns, of which vec makes them.

    >>> print(by_vec(Slope(Name("Y", 2), Name("X", 2)), str))
    \frac{\partial \operatorname{vec}(Y)}{\partial \operatorname{vec}(X)^\top}
    >>> x = Name("X", 2)
    >>> print(by_vec(Slope(Slope(Name("L", 0), x), x), str))
    \frac{\partial^{2} L}{\partial \operatorname{vec}(X) \, \partial \operatorname{vec}(X)^\top}
    """
    function, variables = _chain(left)
    *rows, columns = [_column(write(v.text), v.rank) for v in variables]
    order = f"^{{{len(variables)}}}" if rows else ""
    above = _column(_function(function, write), function.rank)
    below = r" \, ".join([rf"\partial {v}" for v in rows] + [rf"\partial {columns}^\top"])
    return rf"\frac{{\partial{order} {above}}}{{{below}}}"


def _column(text: str, rank: int) -> str:
    return rf"\operatorname{{vec}}({text})" if rank == 2 else text


def entry(left: Left, write: Write, at: Sequence[Any]) -> str:
    r"""Write its entry at some indices.

    >>> entry(Slope(Name("y", 1), Name("X", 2)), str, "ijk")
    '\\frac{\\partial y_{i}}{\\partial X_{j,k}}'
    >>> entry(Slope(Name("y", 1), Name("W_{1}", 2)), str, "ijk")
    '\\frac{\\partial y_{i}}{\\partial W_{1;j k}}'
    """
    function, variables = _chain(left)
    head = _function(function, write)
    head = head if isinstance(function, Total) else _at(head, at[: function.rank])
    at = at[function.rank :]
    below = []
    for v in variables:
        below.append(_at(write(v.text), at[: v.rank]))
        at = at[v.rank :]
    return _fraction(head, below[::-1]) if below else head


def _chain(left: Left) -> tuple[Name | Total, list[Name]]:
    """Give what is derived, and the variables by which it is, the first one first."""
    variables = []
    while isinstance(left, Slope):
        variables.append(left.by)
        left = left.of
    return left, variables[::-1]


def _function(function: Name | Total, write: Write) -> str:
    if isinstance(function, Name):
        return write(function.text)
    terms = [_total(term, latex(term, write)) for term in function.terms]
    is_one = len(terms) == 1 and isinstance(function.terms[0], Name) and not function.terms[0].rank
    return terms[0] if is_one else rf"\left({' + '.join(terms)}\right)"


def _total(term: Left, text: str) -> str:
    """Write the sum of all entries."""
    if term.rank > 2:
        return rf"\sum {text}"
    before = r"\mathbf{1}^\top " if term.rank else ""
    return f"{before}{text}" + (r" \mathbf{1}" if term.rank == 2 else "")


def _fraction(function: str, variables: Sequence[str]) -> str:
    order = f"^{{{len(variables)}}}" if len(variables) > 1 else ""
    powers = [(text, len(list(run))) for text, run in groupby(variables)]
    below = " ".join([rf"\partial {v}" + (f"^{{{k}}}" if k > 1 else "") for v, k in powers])
    if function.startswith(r"\left("):
        return rf"\frac{{\partial{order}}}{{{below}}} {function}"
    return rf"\frac{{\partial{order} {function}}}{{{below}}}"


def _at(name: str, at: Sequence[Any]) -> str:
    """Write the entry of an array as the right side does."""
    if not at or "_" in name:
        return printed_entry(name, [*map(str, at)]) if at else name
    return f"{name}_{{{','.join(map(str, at))}}}"
