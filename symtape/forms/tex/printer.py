"""SymPy's printer, with transposes, ψ, roots, places and factors as in matrix notation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE, precedence_traditional

from symtape.forms.factors import Factor
from symtape.forms.index.brackets import Iverson
from symtape.forms.index.ranges import chains
from symtape.forms.index.whole_products import gap
from symtape.forms.scalars.powers.roots import has_roots, quotient, short_decimal
from symtape.forms.tex import order as orders
from symtape.forms.tex.leaf_names import beside


def entry(base: str, at: Sequence[str]) -> str:
    r"""Write an entry of what is written so, at some indices.

    >>> entry("X", "ij"), entry("W_{1}", "ij"), entry("y_{\\mathrm{true}}", "i")
    ('{X}_{i,j}', 'W_{1;i j}', '{y_{\\mathrm{true}}}_{i}')
    """
    if _SUBSCRIPT.fullmatch(base) is None:
        return f"{{{base}}}_{{{','.join(at)}}}"
    return f"{base[:-1]};{' '.join(at)}}}"


class _AllBut(sp.Expr):
    """A product over all places but one: the whole product, and the place."""


def _with_gaps(factors: list[Any]) -> list[Any]:
    """Write one product for two that lack a place between them."""
    found = gap(factors)
    if found is None:
        return factors
    others = [f for f in factors if f not in (found.before, found.behind)]
    return _with_gaps([*others, _AllBut(found.whole, found.place)])


class _Printer(LatexPrinter):
    """SymPy's printer, with transposes, ψ and roots of numbers as in matrix notation."""

    def _print_Transpose(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        return rf"{self.parenthesize(e.arg, precedence_traditional(e), strict=True)}^\top"

    def _print_Indexed(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        """Write x_{0;i} for an entry of x_0, as steps are written, and not x_{0i}."""
        return entry(str(self._print(e.base)), [*map(self._print, e.indices)])

    def _print_NDimArray(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        """Write brackets around nothing, which SymPy's printer looks for."""
        return str(super()._print_NDimArray(e)) if len(e) else r"\left[\;\right]"

    def _print_MatrixElement(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        if not isinstance(e.parent, Factor):
            return str(super()._print_MatrixElement(e))
        places = [e.i] if e.parent.shape[1] == 1 else [e.i, e.j]
        return rf"{{{self._print(e.parent)}}}_{{{','.join(map(self._print, places))}}}"

    def _print_DiagMatrix(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        """Write diag(v) by the name of a column that is a leaf's, and else by its entries."""
        (inner,) = e.args
        entries = list(inner) if isinstance(inner, sp.MatrixBase) else []
        bases = {x.base for x in entries if isinstance(x, sp.Indexed)}
        places = [x.indices for x in entries if isinstance(x, sp.Indexed)]
        is_leaf = len(bases) == 1 and places == [(k,) for k in range(len(entries))]
        text = self._print(bases.pop() if is_leaf else inner)
        return rf"\operatorname{{diag}}\left({text}\right)"

    def _print_ElementwiseApplyFunction(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        """Write a function of the entries of a matrix as one of the matrix, as in its notation."""
        (d,), body = e.function.variables, e.function.expr
        inner = str(self._print(e.expr))
        if body == sp.exp(d):  # which as a power would be that of the matrix
            return rf"\exp\left({inner}\right)"
        return str(self._print(body.xreplace({d: sp.Symbol(inner)})))

    def _print_And(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        """Write 0 ≤ i < n for conditions on one index from both sides."""
        found = chains(e.args)
        if found is None:
            return str(super()._print_And(e))
        signs = {"<=": r"\leq", "<": "<", "==": "="}
        texts = [
            " ".join(
                [
                    signs.get(part, "") if isinstance(part, str) else str(self._print(part))
                    for part in chain
                ]
            )
            for chain in found
        ]
        return r" \wedge ".join(texts)

    def _print_Float(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        return str(super()._print_Float(e)).removeprefix(r"1.0 \cdot ")

    def _print_Inverse(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        inner = str(self._print(e.arg))
        return f"{inner}^{{-1}}" if isinstance(e.arg, Factor) else str(super()._print_MatPow(e))

    def _print_MatMul(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        """Write factors beside each other; that there is a minus sign is seen, not computed."""
        first, *rest = e.args
        if getattr(first, "is_number", False) and first.is_negative:
            factors = [*([] if first == -1 else [-first]), *rest]
            return "- " + beside([*map(self._factor, factors)])
        return beside([*map(self._factor, e.args)])

    def _print_MatAdd(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        texts = [str(self._print(term)) for term in super()._as_ordered_terms(e)]
        first, *rest = sorted(texts, key=lambda text: text.startswith("- "))
        return " ".join([first, *[t if t.startswith("- ") else f"+ {t}" for t in rest]])

    def _factor(self, e: Any) -> str:
        text = str(self._print(e))
        return rf"\left({text}\right)" if isinstance(e, (sp.Add, sp.MatAdd, sp.MatMul)) else text

    def parenthesize(
        self, item: Any, level: int, is_neg: bool = False, strict: bool = False
    ) -> str:
        """Put parentheses around what binds less; of a product of matrices that is known at once.

        SymPy asks such a product for its sign by computing what it is with the other one.
        """
        if not isinstance(item, sp.MatMul):
            return str(super().parenthesize(item, level, is_neg, strict))
        own = PRECEDENCE["Mul"]
        text = str(self._print(item))
        is_loose = own < level or (not strict and own <= level) or text.startswith("-")
        return rf"\left({text}\right)" if is_loose else text

    def _as_ordered_terms(self, e: Any, order: Any = None) -> list[Any]:
        return orders.plus_first(super()._as_ordered_terms(e, order=order))

    def _print_Mul(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        if not e.is_commutative or _is_unevaluated(e):
            return str(super()._print_Mul(e))
        if e.as_coeff_Mul()[0].is_negative:
            inner = str(self._print(-e))
            return rf"- \left({inner}\right)" if (-e).is_Add else f"- {inner}"
        above: Sequence[Any] = []
        below: Sequence[Any] = []
        number, rest = e.as_independent(*e.free_symbols, as_Add=False)
        if number.is_positive and has_roots(number):
            above, below = quotient(number)
            e = rest
        numerator, denominator = sp.fraction(e, exact=True)
        top = self._beside([*above, *orders.factors(numerator)])
        bottom = self._beside([*below, *orders.factors(denominator)])
        return top if bottom == "1" else rf"\frac{{{top}}}{{{bottom}}}"

    def _beside(self, factors: Sequence[Any]) -> str:
        """Write factors beside each other, with sums among others in parentheses."""
        found = _with_gaps([_bracket(f) or f for f in factors if f != 1])
        if len(found) < 2:
            return str(self._print(found[0])) if found else "1"
        texts: list[str] = []
        for k, factor in enumerate(found):
            text = str(self._print(factor))
            if self._needs_mul_brackets(factor, first=k == 0, last=k == len(found) - 1):
                text = rf"\left({text}\right)"
            is_dotted = bool(texts) and _ENDS.search(texts[-1]) and text[0].isdigit()
            texts.append(rf"\cdot {text}" if is_dotted else text)
        return beside(texts)

    def _needs_mul_brackets(self, e: Any, first: bool = False, last: bool = False) -> bool:
        """Say whether a factor needs parentheses: what stands within a function never does."""
        if isinstance(e, (sp.Sum, sp.Product, _AllBut)):
            return not last
        if isinstance(e, sp.Mul):
            return not first and bool(e.could_extract_minus_sign())
        level = precedence_traditional(sp.Symbol("x") * sp.Symbol("y"))
        is_loose = e.is_Relational or isinstance(e, (sp.Piecewise, sp.Mod))
        return is_loose or bool(precedence_traditional(e) < level)

    def _needs_add_brackets(self, e: Any) -> bool:
        return bool(e.is_Relational or isinstance(e, (sp.Add, sp.Mod)))

    def _print_Sum(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        return self._over(r"\sum", e)

    def _print_Product(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        return self._over(r"\prod", e)

    def _print__AllBut(self, e: Any) -> str:  # noqa: N802 - likewise
        whole, place = e.args
        j, first, last = map(self._print, whole.limits[0])
        head = rf"\prod_{{{j}={first},\, {j} \neq {self._print(place)}}}^{{{last}}}"
        return f"{head} {self._within(whole.function)}"

    def _within(self, e: Any) -> str:
        """Write what a sum or a product is of."""
        body = str(self._print(e))
        is_sum = isinstance(e, sp.Add) or e.could_extract_minus_sign()
        return rf"\left({body}\right)" if is_sum else body

    def _over(self, sign: str, e: Any) -> str:
        """Write a sum over the ranges of its indices, one sign for those that are equal."""
        heads = [
            rf"{sign}_{{{','.join(map(self._print, own))}={self._print(a)}}}^{{{self._print(b)}}}"
            for own, a, b in orders.ranges(e.limits)
        ]
        return " ".join([*heads, self._within(e.function)])

    def _print_KroneckerDelta(self, e: Any, exp: str | None = None) -> str:  # noqa: N802 - likewise
        """Write what is no index, as a number, behind the index."""
        places = sorted(e.args, key=lambda place: not place.is_Symbol)
        between = " " if all(p.is_Symbol or p.is_Integer for p in places) else ", "
        text = rf"\delta_{{{between.join(map(self._print, places))}}}"
        return text if exp is None else f"{text}^{{{exp}}}"

    def _print_Identity(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        """Write it as in matrix notation, unless something else is called so."""
        is_taken = "I" in self._settings["symbol_names"].values()
        return str(super()._print_Identity(e)) if is_taken else "I"

    def _print_polygamma(self, e: Any, exp: str | None = None) -> str:
        order, z = map(self._print, e.args)
        above = "" if e.args[0] == 0 else f"^{{({order})}}"
        text = rf"\psi{above}{{\left({z} \right)}}"
        return text if exp is None else rf"{{{text}}}^{{{exp}}}"


_SUBSCRIPT = re.compile(r"[^{}^]*_\{[^{}]*\}")
"""What has a lower index and nothing else."""

_ENDS = re.compile(r"[0-9][} ]*$")
"""What ends with a number, behind which another one needs a dot."""


def _is_unevaluated(e: Any) -> bool:
    """Say whether somebody has put numbers beside each other that are not multiplied."""
    return isinstance(e, sp.Mul) and (e.args[0] == 1 or any(a.is_Number for a in e.args[1:]))


def _bracket(factor: Any) -> Any | None:
    """Give the bracket of a condition for cases that are 1 and 0."""
    if not isinstance(factor, sp.Piecewise) or len(factor.args) != 2:
        return None
    (value, condition), (other, _) = factor.args
    is_bracket = (value, other) == (1, 0) and factor.args[1].cond == sp.true
    return Iverson(condition) if is_bracket else None


def printed(e: Any, symbols: Mapping[Any, str]) -> str:
    r"""Write an expression as LaTeX, with the texts of its symbols.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> print(printed(sp.And(i >= j, i <= j + 2), {}))
    j \leq i \leq j + 2
    """
    found = {r: short_decimal(abs(r)) for r in e.atoms(sp.Rational)} if e.args else {}
    stands = {r: sp.Dummy(text, positive=True) for r, text in found.items() if text is not None}
    names = {**symbols, **{stands[r]: found[r] for r in stands}}
    swap = {r: d if r.is_positive else -d for r, d in stands.items()}
    settings = {"symbol_names": names, "inv_trig_style": "full"}
    if any(s.name == "i" for s in e.atoms(sp.Symbol)):
        settings["imaginary_unit"] = "ri"  # upright beside the index
    return str(_Printer(settings).doprint(e.xreplace(swap) if swap else e))
