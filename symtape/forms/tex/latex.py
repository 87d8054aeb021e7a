"""LaTeX of formulas, of expressions as SymPy prints them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.index.parts import IndexForm
from symtape.forms.limits import MAX_NODES, MAX_STEPS
from symtape.forms.matrix.nodes import taken_from_numbers, with_sign
from symtape.forms.matrix.writing.size import Length
from symtape.forms.named import expanded
from symtape.forms.scalars.cases.signs import with_joined_signs
from symtape.forms.scalars.decimals import apart, valued, with_divisors
from symtape.forms.scalars.elements import Shortener, shorter, shortest
from symtape.forms.tex.cases import terms_with_cases
from symtape.forms.tex.leaf_names import english_name, name_text
from symtape.forms.tex.letters import with_names
from symtape.forms.tex.order import plus_first
from symtape.forms.tex.printer import printed

Leaves = Mapping[str, tuple[int, ...]]
"""The symbols of the leaves of a program, and their shapes."""


class Style(NamedTuple):
    """How a formula is written; see `Tensor.latex`."""

    form: str = "auto"
    max_nodes: int = MAX_NODES
    max_steps: int = MAX_STEPS
    symmetric: Sequence[Any] = ()
    functions: str = "named"
    layout: str | None = None
    environment: str | None = None
    width: int = 80
    lhs: bool | str = False
    left: str = ""
    parts: Any = "none"
    stop_at: Sequence[Any] = ()
    sizes: str = "recorded"
    spaces: bool = False

    @property
    def has_parts(self) -> bool:
        """Say whether parts of the formula have names."""
        return not (isinstance(self.parts, str) and self.parts == "none") or bool(self.stop_at)

    def check(self) -> None:
        """Raise `ValueError` for an option that is not known, or that another one leaves out."""
        for option, given in zip(self._fields, self, strict=True):
            known = _KNOWN.get(option)
            if known is not None and given not in known:
                names = ", ".join(map(repr, known))
                raise ValueError(f"unknown {option} {given!r}: it is one of {names}")
        if isinstance(self.parts, str) and self.parts not in ("auto", "none"):
            raise ValueError(f"parts= is 'auto', 'none', or tensors, and not {self.parts!r}")
        if self.has_parts and self.form not in _ANY_SIZE:
            raise ValueError(
                f"parts= and stop_at= are for the forms 'matrix' and 'index', not {self.form!r}"
            )
        if self.sizes == "symbolic" and self.form not in _ANY_SIZE:
            raise ValueError("sizes='symbolic' is for the forms 'matrix' and 'index'")
        if self.spaces and self.form not in _ANY_SIZE:
            raise ValueError("spaces=True is for the forms 'matrix' and 'index'")
        if self.symmetric and self.form not in ("auto", "matrix"):
            raise ValueError(f"symmetric= is for the form 'matrix', and not for {self.form!r}")
        if self.environment is not None and self.form in ("entries", "steps"):
            raise ValueError(f"environment= is not for the form {self.form!r}, which has its own")
        if not isinstance(self.lhs, bool) and not _is_name(self.lhs):
            raise ValueError(f"lhs= is True, False, or a name such as 'L', and not {self.lhs!r}")
        if self.lhs and self.form == "steps":
            raise ValueError("lhs= is not for the form 'steps', whose steps have names")
        if not isinstance(self.width, int) or self.width < 1:
            raise ValueError(f"width= counts characters, and {self.width!r} leave no room")


_ANY_SIZE = ("auto", "matrix", "index")

_KNOWN: dict[str, tuple[str | None, ...]] = {
    "form": ("auto", "scalar", "matrix", "index", "entries", "steps"),
    "functions": ("named", "expanded"),
    "layout": (None, "denominator", "numerator"),
    "environment": (None, "equation", "align"),
    "sizes": ("recorded", "symbolic"),
}


_WHERE = r",\quad "


def _is_name(given: Any) -> bool:
    return isinstance(given, str) and given.isidentifier()


class Term(NamedTuple):
    """A term of a sum with its sign, and about how many characters of a page it takes."""

    tex: str
    width: int


def composed(terms: Sequence[Term], style: Style, where: Sequence[str] = ()) -> str:
    """Put the terms of a sum into an environment, with breaks before signs.

    Definitions of its parts stand behind it, and in an environment on lines of their own.
    """
    if style.environment is None:
        whole = _equation(style.left, " ".join([term.tex for term in terms]))
        return whole + (rf" \quad\text{{where}}\quad {_WHERE.join(where)}" if where else "")
    lines = _lines(terms, style.width)
    if style.environment == "equation" and len(lines) == 1 and not where:
        whole = _equation(style.left, lines[0])
        return f"\\begin{{equation*}}\n{whole}\n\\end{{equation*}}"
    first = f"{style.left} &= {lines[0]}" if style.left else f"&{lines[0]}"
    further = [rf"&\quad {line}" for line in lines[1:]]
    heads = [r"&\text{where}\quad ", *len(where) * [r"&\phantom{\text{where}}\quad "]]
    below = [head + text for head, text in zip(heads, where, strict=False)]
    body = " \\\\\n".join([first, *further, *below])
    if style.environment == "align":
        return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"
    inner = f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
    return f"\\begin{{equation*}}\n{inner}\n\\end{{equation*}}"


def _equation(left: str, right: str) -> str:
    return f"{left} = {right}" if left else right


def _lines(terms: Sequence[Term], width: int) -> list[str]:
    """Fill lines while they are shorter than a width."""
    lines: list[str] = []
    used = 0
    for tex, own in terms:
        if lines and used + own < width:
            lines[-1] += f" {tex}"
            used += own
        else:
            lines.append(tex)
            used = own
    return lines


WriteNumbers = Callable[[Any, Mapping[Any, Any]], str]
"""Writes an expression, in which decimals have the place of some symbols."""


def named(
    expression: Any,
    leaves: Leaves,
    style: Style,
    *,
    is_real: bool,
    write: WriteNumbers | None = None,
) -> str:
    """Write an expression of scalars in its shortest form, with σ, Φ and φ by their letters.

    A letter that a leaf has stands for the leaf alone. `is_real` says that all leaves are; `write`
    writes the values of cases, and their conditions.
    """
    if not isinstance(expression, sp.Expr):
        return scalar(expression, leaves, style)
    expression = with_joined_signs(expression, is_real=is_real)
    if style.functions == "expanded":
        plain, numbers = apart(expression)
        found = valued(Shortener(Length({}).of, joins=True, named=False).of(plain), numbers)
        return scalar(_without_minus(found), leaves, style)
    length = Length({}).of
    plain, numbers = apart(expression)
    found = shortest(plain, length, is_real=is_real)
    if found == plain:  # which may be too long for names, and shorter in SymPy's functions
        found = shortest(shorter(plain), length, is_real=is_real)
    if write is not None and expression.has(sp.Piecewise):
        terms = terms_with_cases(found, lambda e: write(e, numbers))
        if terms is not None:
            return composed([Term(text, len(text)) for text in terms], style)
    found, divisors = with_divisors(found, numbers)
    found = expanded(found, set(leaf_symbols(leaves, expression).values()))
    return scalar(_without_minus(found), leaves, style, divisors)


def _without_minus(e: Any) -> Any:
    """Write a minus sign in front of a product within a sum of it: 1/(x(1 - x)) for -1/(x(x - 1)).

    So `Length` counts it.
    """

    def turned(*factors: Any) -> Any:
        number, rest = _with_sign_in_front(sp.Mul(*factors)).as_coeff_Mul()
        found = with_sign(rest) if number.is_negative else None
        rest = taken_from_numbers(rest)
        return number * rest if found is None or _begins_with_minus(found) else -number * found

    return e.replace(sp.Mul, turned)


def _with_sign_in_front(e: Any) -> Any:
    """Take the sign out of a sum in a product of which all terms have one."""
    factors = sp.Mul.make_args(e)
    turned = [f for f in factors if f.is_Add and all(t.could_extract_minus_sign() for t in f.args)]
    if not turned or len(factors) == 1:
        return e
    swap = {f: sp.Add(*[-t for t in f.args]) for f in turned}
    return sp.Mul((-1) ** len(turned), *[swap.get(f, f) for f in factors])


def _begins_with_minus(e: Any) -> bool:
    """Say whether all terms of a sum in a product are taken away."""
    sums = [f.as_base_exp()[0] for f in sp.Mul.make_args(e)]
    return any(s.is_Add and all(t.could_extract_minus_sign() for t in s.args) for s in sums)


def scalar(
    expression: Any,
    leaves: Leaves,
    style: Style | None = None,
    numbers: Mapping[Any, Any] = MappingProxyType({}),
) -> str:
    """Write an ordinary expression, with decimals in the place of some symbols."""
    symbols = leaf_symbols(leaves, expression)
    symbols |= {symbol: printed(number, {}) for symbol, number in numbers.items()}
    return printed(expression, symbols) if style is None else _broken(expression, symbols, style)


def space(symbol: str, kind: str, sizes: Sequence[str | int]) -> str:
    r"""Write where an array of some kind and shape lies.

    >>> space("X", "f", ("m", "n - 1"))
    'X \\in \\mathbb{R}^{m \\times (n - 1)}'
    """
    texts = [re.sub(r"([a-z])(\d+)", r"\1_{\2}", str(n)) for n in sizes]
    texts = [f"({n})" if " " in n and len(texts) > 1 else n for n in texts]
    raised = "^{" + r" \times ".join(texts) + "}" if texts else ""
    return rf"{symbol} \in {_FIELDS[kind]}{raised}"


_FIELDS = {
    "f": r"\mathbb{R}", "V": r"\mathbb{R}", "c": r"\mathbb{C}", "i": r"\mathbb{Z}",
    "u": r"\mathbb{N}", "b": r"\{0, 1\}",
}  # fmt: skip


def indexed(form: IndexForm, leaves: Leaves, style: Style, further: Sequence[str] = ()) -> str:
    """Write a generic entry, and behind it the entries of its parts, and what is `further` said."""
    names = {**leaves, **{name: (2,) * rank for name, rank in form.ranks.items()}}
    if style.functions == "named":
        form = form.map(lambda e: expanded(with_names(e), set(_wanted(names).values())))
    symbols = leaf_symbols(names, sp.Tuple(form.entry, *[part.entry for part in form.parts]))
    where = [
        f"{printed(part.left, symbols)} = {printed(part.entry, symbols)}" for part in form.parts
    ]
    return _broken(form.entry, symbols, style, [*where, *further])


def _broken(
    expression: Any, symbols: Mapping[Any, str], style: Style, where: Sequence[str] = ()
) -> str:
    """Write the terms of a sum so that lines can end between them."""
    if style.environment is None or not isinstance(expression, sp.Expr):
        return composed([Term(printed(expression, symbols), 0)], style, where)  # nothing is broken
    terms: list[Term] = []
    for term in plus_first(expression.as_ordered_terms()):
        minus = term.could_extract_minus_sign()
        own = printed(-term if minus else term, symbols)
        sign = "- " if minus else "+ " if terms else ""
        tex = rf"\left({own}\right)" if minus and (-term).is_Add else own
        terms.append(_term(sign + tex, term))
    return composed(terms, style, where)


def _term(tex: str, e: Any) -> Term:
    """Take the width of what SymPy writes on one line."""
    return Term(tex, len(str(e)))


def entries(array: Any, leaves: Leaves, style: Style) -> str:
    """Write an array of expressions as a matrix, or a matrix of matrices."""
    return _equation(style.left, scalar(array if array.rank() else array[()], leaves))


def letter_of(leaves: Leaves) -> str:
    """Choose the letter of the steps: v, unless the entries of a leaf or a leaf print so."""
    looks = {name: _look(text) for name, text in _wanted(leaves).items()}
    taken = {look[:1] for name, look in looks.items() if "_" in look or leaves[name]}
    return next(c for c in "vuwabcdefghijklmnopqrstxyz" if c not in taken)


# --- what leaves are called -----------------------------------------------------------------------

_CONSTANTS = (sp.pi, sp.E, sp.I)
_OPERATIONS = ("^", "|", r"\langle")


def leaf_symbols(leaves: Leaves, expression: Any) -> dict[Any, str]:
    r"""Write each leaf by its name, and in typewriter type what prints like something else.

    That is another leaf, an entry of one, an index, a number such as π, or a power or a lone
    subscript, which SymPy makes of `x__2` and `_x`.

    >>> for text in leaf_symbols({"x": (), "x1": (), "x_1": (), "pi_": ()}, sp.S.Zero).values():
    ...     print(text)
    x
    \mathtt{x1}
    \mathtt{x\_1}
    \mathtt{pi\_}
    """
    symbols = {name: sp.Symbol(name) for name in leaves}
    wanted = _wanted(leaves)
    whole = sp.sympify(expression)
    others = whole.atoms(sp.Symbol, sp.NumberSymbol) - set(symbols.values())
    looks = Counter([_look(text) for text in wanted.values()])
    looks.update([_look_alone(e) for e in (*_CONSTANTS, *others)])
    entries = tuple(f"{wanted[n]}_{{" for n, shape in leaves.items() if len(shape) == 1)
    found = {
        name: text
        if looks[_look(text)] == 1
        and not text.startswith("_")
        and not any(sign in text for sign in _OPERATIONS)
        and not (leaves[name] == () and text.startswith(entries))
        else _typewriter(name)
        for name, text in wanted.items()
    }
    matrices = {m: found.get(m.name, m.name) for m in whole.atoms(sp.MatrixSymbol)}
    return {symbol: found[name] for name, symbol in symbols.items()} | matrices


def _typewriter(name: str) -> str:
    return "\\mathtt{" + name.replace("_", "\\_") + "}"


def _wanted(leaves: Leaves) -> dict[str, str]:
    return {name: name_text(name) for name in leaves}


@lru_cache(1024)
def _look_alone(symbol: Any) -> str:
    """Say how a symbol or a number looks where SymPy's own printer writes it."""
    return _look(sp.latex(symbol))


@lru_cache(1024)
def _look(text: str) -> str:
    """Reduce LaTeX to what a reader sees: without spaces, and Greek letters as commands."""
    names = [(c, english_name(c)) for c in text.replace(" ", "")]
    return "".join([f"\\{name}" if name else c for c, name in names])
