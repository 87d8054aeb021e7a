"""SymPy's printer, with transposes, ψ, roots, places and factors as in matrix notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import precedence_traditional

from symtape.forms.factors import Factor
from symtape.forms.ranges import chains, is_affine
from symtape.forms.roots import has_roots, quotient, short_decimal


class _Printer(LatexPrinter):
    """SymPy's printer, with transposes, ψ and roots of numbers as in matrix notation."""

    def _print_Transpose(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        return rf"{self.parenthesize(e.arg, precedence_traditional(e), strict=True)}^\top"

    def _print_MatrixElement(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        if not isinstance(e.parent, Factor):
            return str(super()._print_MatrixElement(e))
        places = [e.i] if e.parent.shape[1] == 1 else [e.i, e.j]
        return rf"{{{self._print(e.parent)}}}_{{{','.join(map(self._print, places))}}}"

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

    def _as_ordered_terms(self, e: Any, order: Any = None) -> list[Any]:
        """Write places with what is added first: m - j."""
        terms: list[Any] = super()._as_ordered_terms(e, order=order)
        if not all(s.is_integer for s in e.free_symbols) or not is_affine(e):
            return terms
        return sorted(terms, key=lambda term: bool(term.could_extract_minus_sign()))

    def _print_Mul(self, e: Any) -> str:  # noqa: N802 - SymPy's protocol
        number, rest = e.as_independent(*e.free_symbols, as_Add=False)
        if not number.is_positive or not has_roots(number):
            minus = number.is_negative and has_roots(number)
            if minus:
                return f"- {self._print(-e)}"
            return self._with_slope_last(e) or str(super()._print_Mul(e))
        above, below = quotient(number)
        numerator, denominator = sp.fraction(rest, exact=True)
        top = self._joined([*above, numerator])
        bottom = self._joined([*below, denominator])
        return top if bottom == "1" else rf"\frac{{{top}}}{{{bottom}}}"

    def _with_slope_last(self, e: Any) -> str | None:
        """Write σ(x) (1 - σ(x)), where SymPy has the sum before the function that is in it."""
        bases = [_base(factor) for factor in e.args]
        if not any(b.is_Mul for b in bases) and not any(b.is_Add for b in bases):
            return None
        if e.could_extract_minus_sign():
            inner = None if (-e).is_Add else self._with_slope_last(-e)
            return None if inner is None else f"- {inner}"
        numerator, denominator = sp.fraction(e, exact=True)
        factors = sp.Mul(numerator).as_ordered_factors()
        if not numerator.is_Mul or not all(map(_is_plain, factors)):
            return None
        own = [base for f in factors if isinstance(base := _base(f), sp.Function)]
        slopes = [f for f in factors if _base(f).is_Add and f.has(*own)] if own else []
        if not slopes:
            return None
        top = self._joined([*[f for f in factors if f not in slopes], *slopes])
        return top if denominator == 1 else rf"\frac{{{top}}}{{{self._print(denominator)}}}"

    def _joined(self, factors: Sequence[Any]) -> str:
        """Write factors beside each other, with sums among others in parentheses."""
        found = [f for f in factors if f != 1]
        if len(found) < 2:
            return str(self._print(found[0])) if found else "1"
        level = precedence_traditional(sp.Symbol("x") * sp.Symbol("y"))
        return " ".join(
            str(self._print(f)) if f.is_Mul and f.is_commutative else self.parenthesize(f, level)
            for f in found
        )

    def _print_polygamma(self, e: Any, exp: str | None = None) -> str:
        order, z = map(self._print, e.args)
        above = "" if e.args[0] == 0 else f"^{{({order})}}"
        text = rf"\psi{above}{{\left({z} \right)}}"
        return text if exp is None else rf"{{{text}}}^{{{exp}}}"


def _is_plain(factor: Any) -> bool:
    """Say whether a factor is a number, a symbol, a sum or a function, or a power of one."""
    base = _base(factor)
    is_known = base.is_Number or base.is_Symbol or isinstance(base, (sp.Add, sp.Function))
    return bool(is_known and (base is factor or factor.exp.is_Rational))


def _base(factor: Any) -> Any:
    """Give what a power is one of; an exponential is a function of its own."""
    return factor.base if isinstance(factor, sp.Pow) else factor


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
    return str(_Printer({"symbol_names": names}).doprint(e.xreplace(swap) if swap else e))


__all__ = ["printed"]
