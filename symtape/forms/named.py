"""Functions that a reader knows by a letter, and SymPy has no name for."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson, done


class _Named(sp.Function):
    """A function that a reader knows by a letter."""

    nargs = 1
    letter: str

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        inner = printer._print(self.args[0])  # noqa: SLF001 - SymPy's protocol
        return rf"{self.letter}{power}{{\left({inner} \right)}}"


class sigmoid(_Named):  # noqa: N801 - SymPy's functions have small letters
    """The logistic function 1/(1 + exp(-z)), by its name."""

    letter = r"\sigma"

    def doit(self, **hints: Any) -> Any:
        """Write what the name stands for."""
        z = done(self.args[0], hints)
        return 1 / (1 + sp.exp(-z))


class normal_cdf(_Named):  # noqa: N801 - SymPy's functions have small letters
    """The distribution function of a standard normal variable, by its name."""

    letter = r"\Phi"

    def doit(self, **hints: Any) -> Any:
        """Write what the name stands for."""
        return (1 + sp.erf(done(self.args[0], hints) / sp.sqrt(2))) / 2


class normal_pdf(_Named):  # noqa: N801 - SymPy's functions have small letters
    """The density of a standard normal variable, by its name."""

    letter = r"\varphi"

    def doit(self, **hints: Any) -> Any:
        """Write what the name stands for."""
        return sp.exp(-(done(self.args[0], hints) ** 2) / 2) / sp.sqrt(2 * sp.pi)


class normal_quantile(_Named):  # noqa: N801 - SymPy's functions have small letters
    """The inverse of the distribution function of a standard normal variable, by its name."""

    letter = r"\Phi^{-1}"

    def doit(self, **hints: Any) -> Any:
        """Write what the name stands for."""
        return sp.sqrt(2) * sp.erfinv(2 * done(self.args[0], hints) - 1)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        made = super()._latex(printer)
        return made if exp is None else rf"\left({made}\right)^{{{exp}}}"


LETTERED = (sigmoid, normal_cdf, normal_pdf, normal_quantile)
"""Functions that readers know by a letter."""

ENTIRE = (sigmoid, normal_cdf, normal_pdf, Iverson)
"""Functions that SymPy has no name for, and that are defined everywhere."""

NAMED = (*ENTIRE, normal_quantile)
"""Functions that SymPy has no name for."""

LETTERS = {f.__name__: f.letter for f in LETTERED}
"""How those that readers know by a letter are written in LaTeX."""


_INVERSES: dict[Any, Any] = {normal_quantile: normal_cdf}
"""Functions that are written by the letter of another one."""


def expanded(e: Any, taken: Collection[str] | None = None) -> Any:
    """Write functions that have a name by what they stand for: all, or those of letters in use."""
    letters = {f: LETTERS.get(_INVERSES.get(f, f).__name__) for f in NAMED}
    chosen = tuple([f for f, letter in letters.items() if taken is None or letter in taken])
    return e.replace(lambda f: isinstance(f, chosen), lambda f: f.doit(deep=False))
