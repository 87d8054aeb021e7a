"""SymPy's functions as mpmath computes them, and bodies of operations compiled to calls of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from symtape.errors import NoExactFormError
from symtape.program.operations import Map

_NAMES = {
    "conjugate": "conj",
    "Ei": "ei",
    "Si": "si",
    "Ci": "ci",
    "Shi": "shi",
    "Chi": "chi",
    "LambertW": "lambertw",
    "dirichlet_eta": "altzeta",
    "elliptic_k": "ellipk",
    "elliptic_e": "ellipe",
    "chebyshevt": "chebyt",
    "chebyshevu": "chebyu",
    "assoc_laguerre": "laguerre",
    **{
        name: name
        for name in (
            "re", "im", "arg", "erfinv", "erfi", "polygamma", "polylog", "zeta", "li", "expint",
            "airyai", "airybi", "hyper", "legendre", "gegenbauer", "jacobi", "hermite",
        )
    },
}  # fmt: skip
"""Functions that mpmath has, and SymPy's printer does not know: their names there."""


def _spherical(context: Any, kind: str, n: Any, x: Any) -> Any:
    """Give a spherical Bessel function (DLMF 10.47.3), and its limit at 0."""
    if x == 0 and kind == "besselj":
        return context.mpf(n == 0)
    return context.sqrt(context.pi / (2 * x)) * getattr(context, kind)(n + context.mpf(0.5), x)


def _hermite_of_normal(context: Any, n: Any, x: Any) -> Any:
    """Give the polynomial of probabilists (DLMF 18.7.12)."""
    root = context.sqrt(2)
    return root**-n * context.hermite(n, x / root)


_WORDS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "betainc_regularized": lambda context: partial(context.betainc, regularized=True),
    "erfcinv": lambda context: lambda x: context.erfinv(1 - x),
    "airyaiprime": lambda context: partial(context.airyai, derivative=1),
    "airybiprime": lambda context: partial(context.airybi, derivative=1),
    "jn": lambda context: partial(_spherical, context, "besselj"),
    "yn": lambda context: partial(_spherical, context, "bessely"),
    "hermite_prob": lambda context: partial(_hermite_of_normal, context),
}
"""Functions that are made of what mpmath has, in a context of it."""

_PRINTED = {name: f"mpmath.{own}" for name, own in _NAMES.items()}
_PRINTED |= {name: f"{name}(mpmath)" for name in _WORDS}
_KNOWN = {"abs": abs, "max": max, "min": min, **_WORDS}


@lru_cache(maxsize=4096)
def compiled(operation: Map) -> Callable[[Any], Callable[..., Any]]:
    """Compile the body of an elementwise operation to a function of a context of mpmath.

    Raises `NoExactFormError` for a function that mpmath has not.
    """
    symbols, body = operation.at_points
    names = ", ".join(str(s) for s in symbols)
    text = f"lambda mpmath: lambda {names}: {_text(body)}"
    return eval(text, {"__builtins__": _KNOWN})  # type: ignore[no-any-return]  # noqa: S307 - of a body we made


def _text(body: Any) -> str:
    from sympy.printing.codeprinter import PrintMethodNotImplementedError  # noqa: PLC0415 - slow
    from sympy.printing.pycode import MpmathPrinter  # noqa: PLC0415 - slow to import

    settings = {"fully_qualified_modules": True, "inline": True, "user_functions": _PRINTED}
    try:
        text: str = MpmathPrinter(settings).doprint(body)
    except PrintMethodNotImplementedError:
        raise NoExactFormError(
            f"mpmath has not all functions of {body!s:.60}, so that there are no more digits than "
            "floats have; numpy() has those"
        ) from None
    return text
