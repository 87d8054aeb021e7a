"""How long a formula in plain matrix notation is, counted on what is written.

Operators, functions, symbols and numbers count once each, a transpose by half; brackets count
nothing. Two factors side by side have an operator between them.
"""

from __future__ import annotations

import re

_LETTER = "[A-Za-z\u0391-\u03c9]"  # Greek ones, too
_KINDS = {
    "call": rf"{_LETTER}[A-Za-z0-9_₀-₉]*(?=\()",
    "name": rf"{_LETTER}[A-Za-z0-9_]*|𝟏|𝕀",
    "number": r"\d+(?:\.\d+)?",
    "inverse": r"⁻¹|⁻(?=ᵀ)",
    "root": "√",
    "power": r"⁻?[¹²³⁴⁵⁶⁷⁸⁹]+",
    "turn": r"ᵀ|⁺",
    "sign": r"\^⊙|[-+×/⊙⊘^<>≥≤=≠¬∧∨]",
    "norm": "‖",
    "open": r"[(\[|]",
    "close": r"[)\]]",
    "rest": r"_F|[,;:\s]",
}
_TOKEN = re.compile("|".join(f"(?P<{kind}>{text})" for kind, text in _KINDS.items()))
_COUNTS = {
    "call": 1,
    "name": 1,
    "root": 1,
    "number": 1,
    "inverse": 1,
    "power": 2,
    "turn": 0.5,
    "sign": 1,
}


def measure(text: str) -> float:
    """Count a formula.

    >>> measure("2 Aᵀ (A x - b)")
    9.5
    >>> measure("‖x - a‖³"), measure("X⁻ᵀ"), measure("exp(x)"), measure("x[1]")
    (6, 2.5, 2, 2)
    """
    total: float = 0
    ended, is_open = False, False
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"{text!r}: what is {text[at:]!r}?")
        kind = str(found.lastgroup)
        at = found.end()
        total += _COUNTS.get(kind, 0)
        if kind == "norm":
            kind = "close" if is_open else "open"
            total += is_open
            is_open = not is_open
        starts = kind in {"call", "name", "number", "root"} or (kind == "open" and found[0] != "[")
        if ended and starts:
            total += 1
        if kind != "rest":
            ended = kind in {"name", "number", "close", "turn", "inverse", "power"}
    return total
