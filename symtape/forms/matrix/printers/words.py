"""The vocabularies of matrix notation: plain text for a terminal, Python, and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.named import LETTERS
from symtape.forms.tex.leaf_names import beside


class Words(NamedTuple):
    """How a notation writes what formulas are made of."""

    is_stacked: bool
    is_code: bool
    leaf: Callable[[str], str]
    turned: Callable[[str], str]
    inverted: Callable[[str], str]
    inverted_turned: Callable[[str], str]
    pseudo_inverted: Callable[[str], str]
    places: Callable[[str], str]
    times: str
    scaled: str
    kronecker: Callable[[str, str], str]
    commutation: Callable[[Any, Any], str]
    cycle: Callable[[Any, int], str]
    fourier: Callable[[Any], str]
    by_element: str
    over_element: str
    ones: Callable[[Any], str]
    identity: Callable[[Any], str]
    brackets: Callable[[str], str]
    fraction: Callable[[str, str], str]
    function: Callable[[str, str], str]
    power: Callable[[str, str, bool], str]
    matrix_power: Callable[[str, int], str]
    root: Callable[[str], str]
    constants: Mapping[Any, str]
    polygamma: Callable[[int, str], str]
    indexed: Callable[[str, str, str], str]
    hypergeometric: Callable[[int, int, str], str]
    beta_integral: Callable[[str, str], str]
    norm: Callable[[str, str], str]
    size: Callable[[str], str]
    bracket: Callable[[str], str]
    guarded: Callable[[str, str], str] | None
    negation: Callable[[str], str]
    block: Callable[[Sequence[Sequence[str]]], str]
    cross: Callable[[str, str], str]
    skew: Callable[[str], str]
    relations: Mapping[str, str]
    number: Callable[[int], str] = str
    beside: Callable[[str, Sequence[str]], str] = str.join
    is_of_scalars: bool = False

    def renamed(self, word: str, text: str) -> Words:
        """Write a known matrix, whatever its size, as some text."""
        changed: dict[str, Any] = {word: lambda *_: text}
        return self._replace(**changed)


_RELATIONS = {name: name for name in ("<", ">", "<=", ">=", "==", "!=")}

PLAIN_NAMES = {
    "sigmoid": "σ", "normal_cdf": "Φ", "normal_pdf": "φ", "Abs": "abs", "Max": "max", "Min": "min",
    "normal_quantile": "Φ⁻¹", "gamma": "Γ", "uppergamma": "Γ", "zeta": "ζ",
    "lowergamma": "\N{GREEK SMALL LETTER GAMMA}",
    "loggamma": "lgamma", "eigvals": "λ", "eigvecs": "U", "svd_left": "U", "svd_values": "s",
    "svd_right": "V", "qr_orthogonal": "Q", "qr_triangular": "R",
    "airyai": "Ai", "airybi": "Bi", "airyaiprime": "Ai\N{PRIME}", "airybiprime": "Bi\N{PRIME}",
    "elliptic_k": "K", "elliptic_e": "E", "LambertW": "W", "fresnels": "S", "fresnelc": "C",
    "unvec": "vec⁻¹", "expm_frechet": "L_exp", "logm_frechet": "L_log", "sqrtm_frechet": "L_sqrt",
}  # fmt: skip

PLAIN_APART = {
    "identity": ("I", "𝕀"), "commutation": ("K", "\N{MATHEMATICAL DOUBLE-STRUCK CAPITAL K}"),
    "cycle": ("Π", "\N{DOUBLE-STRUCK CAPITAL PI}"),
    "fourier": ("F", "\N{MATHEMATICAL DOUBLE-STRUCK CAPITAL F}"),
}  # fmt: skip
"""How known matrices are written where a leaf has their letter."""

LATEX_APART = {
    "identity": ("I", r"\mathbb{I}"), "commutation": ("K", r"\mathbb{K}"),
    "cycle": (r"\Pi", r"\mathbf{\Pi}"), "fourier": ("F", r"\mathbb{F}"),
}  # fmt: skip

LATEX_NAMES = {
    name: rf"\{name}"
    for name in "sin cos tan sinh cosh tanh exp log max min det".split()
} | {
    "asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan",
    "tr": r"\operatorname{tr}", "eigvals": r"\lambda", "eigvecs": "U", "svd_left": "U",
    "svd_values": "s", "svd_right": "V", "qr_orthogonal": "Q", "qr_triangular": "R",
    "unvec": r"\operatorname{vec}^{-1}", "Max": r"\max", "Min": r"\min", "gamma": r"\Gamma",
    "airyai": r"\operatorname{Ai}", "airybi": r"\operatorname{Bi}", "LambertW": "W",
    "airyaiprime": r"\operatorname{Ai}'", "airybiprime": r"\operatorname{Bi}'",
    "elliptic_k": "K", "elliptic_e": "E", "fresnels": "S", "fresnelc": "C",
    "zeta": r"\zeta", "lowergamma": r"\gamma", "uppergamma": r"\Gamma",
    "expm_frechet": r"L_{\exp}",
    "logm_frechet": r"L_{\log}", "sqrtm_frechet": r"L_{\mathrm{sqrt}}",
} | LETTERS  # fmt: skip

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _plain_index(n: str) -> str:
    return n.translate(_LOWERED) if n.isdigit() else f"_({n})"


def _plain_fraction(above: str, below: str) -> str:
    """Write 1/3, and 2 x / (1 + y)."""
    return f"{above} / {below}" if " " in above + below else f"{above}/{below}"


def _plain_power(base: str, exponent: str, array: bool) -> str:
    if array:
        return f"{base}^⊙{exponent}"
    is_whole = exponent.lstrip("-").isdigit()
    return base + (exponent.translate(_RAISED) if is_whole else f"^{exponent}")


PLAIN = Words(
    is_stacked=False, is_code=False, leaf=lambda name: name,
    turned=lambda base: f"{base}ᵀ", inverted=lambda base: f"{base}⁻¹",
    inverted_turned=lambda base: f"{base}⁻ᵀ",
    pseudo_inverted=lambda base: f"{base}⁺", places=lambda inner: inner,
    kronecker=lambda a, b: f"{a} ⊗ {b}", commutation=lambda *_: "K",
    cycle=lambda *_: "Π", fourier=lambda _: "F", times=" ", scaled=" ",
    by_element=" ⊙ ", over_element=" ⊘ ",
    ones=lambda _: "𝟏", identity=lambda _: "I",
    brackets=lambda inner: f"({inner})",
    fraction=_plain_fraction,
    function=lambda name, inner: f"{PLAIN_NAMES.get(name, name)}({inner})",
    power=_plain_power, matrix_power=lambda base, n: _plain_power(base, str(n), False),
    root=lambda inner: f"√{inner}" if inner.isalnum() else f"√({inner})",
    constants={sp.pi: "π", sp.E: "exp(1)", sp.I: "\N{DOUBLE-STRUCK ITALIC SMALL I}"},
    polygamma=lambda n, inner: f"ψ{str(n).translate(_LOWERED) if n else ''}({inner})",
    indexed=lambda letter, n, inner: f"{letter}{_plain_index(n)}({inner})",
    hypergeometric=lambda p, q, inner: (
        f"{str(p).translate(_LOWERED)}F{str(q).translate(_LOWERED)}({inner})"
    ),
    beta_integral=lambda x, shapes: f"I({x}; {shapes})",
    norm=lambda inner, kind: f"‖{inner}‖{kind}",
    size=lambda inner: f"|{inner}|", bracket=lambda inner: f"[{inner}]", guarded=None,
    negation=lambda inner: f"¬{inner}",
    block=lambda rows: f"[{'; '.join(map(', '.join, rows))}]",
    cross=lambda a, b: f"{a} × {b}", skew=lambda inner: f"[{inner}]×",
    relations=_RELATIONS | {"<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "And": "∧", "Or": "∨"},
)  # fmt: skip


def _lists(rows: Sequence[Sequence[str]]) -> str:
    return ", ".join(f"[{', '.join(row)}]" for row in rows)


_PYTHON_NAMES = {"Max": "maximum", "Min": "minimum", "Abs": "abs"}


def _python_function(name: str, inner: str) -> str:
    if name == "range":  # a column, as ones are
        return f"arange({inner})[:, None]"
    return f"{_PYTHON_NAMES.get(name, name)}({inner})"


PYTHON = Words(
    is_stacked=False, is_code=True, leaf=lambda name: name,
    turned=lambda base: f"{base}.T", inverted=lambda base: f"inv({base})",
    inverted_turned=lambda base: f"inv({base}).T",
    pseudo_inverted=lambda base: f"pinv({base})", places=lambda inner: f"ravel({inner})",
    kronecker=lambda a, b: f"kron({a}, {b})", commutation=lambda m, n: f"commutation({m}, {n})",
    cycle=lambda n, by: f"roll(eye({n}), {by}, 0)", fourier=lambda n: f"fft(eye({n}))",
    times=" @ ", scaled=" * ", by_element=" * ",
    over_element=" / ", ones=lambda n: f"ones(({n}, 1))", identity=lambda n: f"eye({n})",
    brackets=lambda inner: f"({inner})",
    fraction=lambda above, below: f"{above}/{below}",
    function=_python_function,
    power=lambda base, exponent, _: f"{base}**{exponent}",
    matrix_power=lambda base, n: f"matrix_power({base}, {n})",
    root=lambda inner: f"sqrt({inner})", constants={sp.pi: "pi", sp.E: "exp(1)", sp.I: "1j"},
    polygamma=lambda n, inner: f"polygamma({n}, {inner})",
    indexed=lambda name, n, inner: f"{name}({n}, {inner})",
    hypergeometric=lambda p, q, inner: f"hyp{p}f{q}({inner})",
    beta_integral=lambda x, shapes: f"betainc({shapes}, {x})",
    norm=lambda inner, _: f"norm({inner})",
    size=lambda inner: f"abs({inner})", bracket=lambda inner: f"where({inner}, 1, 0)",
    guarded=lambda condition, inner: f"where({condition}, {inner}, 0)",
    negation=lambda inner: f"logical_not({inner})",
    block=lambda rows: f"block([{_lists(rows)}])",
    cross=lambda a, b: f"cross({a}, {b})", skew=lambda inner: f"skew({inner})",
    relations=_RELATIONS | {"And": "&", "Or": "|"},
)  # fmt: skip


def _latex_block(rows: Sequence[Sequence[str]]) -> str:
    """Write a matrix, with room between rows where fractions would touch.

    A row that begins with a bracket has nothing before it, so that it is no length of that room.
    """
    texts = [" & ".join(row) for row in rows]
    inner = texts[0]
    for above, below in pairwise(texts):
        gap = r"\\[1ex]" if r"\frac" in above and r"\frac" in below else r"\\"
        inner += f" {gap} {'{}' * below.startswith('[')}{below}"
    return rf"\begin{{pmatrix}}{inner}\end{{pmatrix}}"


_FRACTION, _SLASH = re.compile(r"\\frac\{(\w+)\}\{(\w+)\}"), r"\1/\2"
"""A fraction, and how it stands in an index."""

_TALL = re.compile(r"\\(frac|begin|sqrt|left|prod|sum)|\^\{[^}]*\\frac")
"""What is taller than a line, around which parentheses grow."""


def latex_brackets(inner: str, first: str = "(", last: str = ")") -> str:
    r"""Write parentheses: that grow only where they must, for around what grows there is a gap.

    >>> print(latex_brackets("A x - b"), latex_brackets(r"\frac{1}{2}"))
    (A x - b) \left(\frac{1}{2}\right)
    """
    if _TALL.search(inner):
        return rf"\left{first}{inner}\right{last}"
    return f"{first}{inner}{last}"


def is_tall(inner: str) -> bool:
    """Say whether LaTeX is taller than a line, and too small to be read in an exponent."""
    return _TALL.search(inner) is not None


_AROUND = {
    "floor": (r"\lfloor", r"\rfloor"), "ceiling": (r"\lceil", r"\rceil"),
}  # fmt: skip


def _latex_function(name: str, inner: str) -> str:
    if name in _AROUND:
        return latex_brackets(f" {inner} ", *_AROUND[name])
    if name == "conjugate":
        return rf"\overline{{{inner}}}"
    word = LATEX_NAMES.get(name) or rf"\operatorname{{{name}}}"
    return word + latex_brackets(inner)


RAISED = frozenset("sin cos tan sinh cosh tanh".split())
"""Functions of scalars whose powers are written behind their names: sin² x."""


def raised_function(name: str, inner: str, power: str) -> str:
    r"""Write a power of a function in LaTeX.

    >>> print(raised_function("sin", "x", "2"))
    \sin^{2}(x)
    """
    return rf"{LATEX_NAMES[name]}^{{{power}}}{latex_brackets(inner)}"


def latex_words(leaf: Callable[[str], str]) -> Words:
    """Give the vocabulary of LaTeX, for leaves that are written in some way."""
    return Words(
        is_stacked=True, is_code=False, leaf=leaf,
        turned=lambda base: rf"{base}^\top", inverted=lambda base: f"{base}^{{-1}}",
        inverted_turned=lambda base: rf"{base}^{{-\top}}",
        pseudo_inverted=lambda base: f"{base}^{{+}}",
        kronecker=lambda a, b: rf"{a} \otimes {b}", commutation=lambda *_: "K",
        cycle=lambda *_: r"\Pi", fourier=lambda _: "F", places=lambda inner: inner,
        times=" ", scaled=" ",
        by_element=r" \odot ", over_element=r" \oslash ",
        ones=lambda _: r"\mathbf{1}", identity=lambda _: "I",
        brackets=latex_brackets,
        fraction=lambda above, below: rf"\frac{{{above}}}{{{below}}}",
        function=_latex_function,
        power=lambda base, exponent, array: (
            f"{base}^{{\\odot {exponent}}}" if array else f"{base}^{{{exponent}}}"
        ),
        matrix_power=lambda base, n: f"{base}^{{{n}}}",
        root=lambda inner: rf"\sqrt{{{inner}}}", constants={sp.pi: r"\pi", sp.E: "e", sp.I: "i"},
        polygamma=lambda n, inner: (
            rf"\psi{f'^{{({n})}}' if n else ''}{latex_brackets(inner)}"
        ),
        indexed=lambda letter, n, inner: (
            f"{letter}_{{{_FRACTION.sub(_SLASH, n)}}}{latex_brackets(inner)}"
        ),
        hypergeometric=lambda p, q, inner: f"{{}}_{{{p}}}F_{{{q}}}{latex_brackets(inner)}",
        beta_integral=lambda x, shapes: f"I_{{{x}}}{latex_brackets(shapes)}",
        norm=lambda inner, kind: latex_brackets(f" {inner} ", r"\lVert", r"\rVert") + kind,
        size=lambda inner: latex_brackets(f" {inner} ", r"\lvert", r"\rvert"),
        guarded=None,
        bracket=lambda inner: latex_brackets(inner, "[", "]"),
        negation=lambda inner: rf"\lnot {inner}",
        block=_latex_block,
        cross=lambda a, b: rf"{a} \times {b}",
        skew=lambda inner: latex_brackets(inner, "[", "]") + r"_{\times}",
        relations=_RELATIONS | {
            "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "==": "=", "And": r"\land", "Or": r"\lor"
        },
        beside=lambda _, texts: beside(texts),
    )  # fmt: skip
