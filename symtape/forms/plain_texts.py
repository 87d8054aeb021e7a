"""SymPy's text of expressions, of what several of them share once: by it terms are sorted."""

from __future__ import annotations

from typing import Any

from sympy.printing.str import StrPrinter


class PlainTexts(StrPrinter):
    """Writes expressions as `str` does, and remembers the text of each part of them."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[Any, str] = {}

    def of(self, e: Any) -> str:
        """Write an expression.

        >>> import sympy as sp
        >>> x = sp.Symbol("x")
        >>> PlainTexts().of(sp.log(x + 1) / x)
        'log(x + 1)/x'
        """
        return self._print(e)

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if expr not in self._texts:
            self._texts[expr] = str(super()._print(expr, **kwargs))
        return self._texts[expr]
