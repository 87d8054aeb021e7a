r"""The words and signs of LaTeX that formulas have: commands, fonts, accents, brackets, letters."""

from __future__ import annotations

import re
from types import MappingProxyType

FUNCTIONS = MappingProxyType(
    {
        **{w: w for w in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "det")},
        **{w: w for w in ("tr", "diag", "max", "min", "softmax", "logdet", "inv", "adj", "expm")},
        **{f"arc{w}": f"a{w}" for w in ("sin", "cos", "tan")},
        **{w: w for w in ("sec", "csc", "cot", "coth", "range")},
        **dict.fromkeys(("Tr", "trace", "Trace"), "tr"),
        **dict.fromkeys(("sgn", "sign"), "sign"),
        "Diag": "diag",
        "ReLU": "relu",
        "ln": "log",
        "log_2": "log2",
        "log_10": "log10",
    }
)
"""Words that are functions; `\\operatorname` has those of the other notations, too."""

CALLED = MappingProxyType(
    {"sigma": "sigmoid", "Phi": "Phi", "varphi": "varphi", "psi": "digamma", "Gamma": "gamma"}
)
"""Letters that are functions before a parenthesis, Φ and φ those of the normal distribution."""

MEANT = MappingProxyType(
    {
        "sigma": "the logistic function",
        "Phi": "the normal distribution",
        "varphi": "the normal density",
        "psi": "the digamma function",
        "Gamma": "the gamma function",
    }
)
"""What such a letter is: to another person it may be a variable."""

BESSEL = MappingProxyType(
    {
        "J": "the Bessel function of the first kind",
        "Y": "the Bessel function of the second kind",
        "I": "the modified Bessel function of the first kind",
        "K": "the modified Bessel function of the second kind",
    }
)
"""Letters that are functions with an order below them, before a parenthesis: J_0(x)."""


def meant(letter: str) -> str | None:
    """Say what a letter before a parenthesis is, if to another person it may be a variable.

    >>> meant("J_2")
    'the Bessel function of the first kind of order 2'
    """
    kind, _, order = letter.partition("_")
    return f"{BESSEL[kind]} of order {order}" if order else MEANT.get(letter)


_TESTS = MappingProxyType(
    {
        **dict.fromkeys(("\\lt",), "less"),
        **dict.fromkeys(("\\gt",), "greater"),
        **dict.fromkeys(("\\le", "\\leq", "\\leqslant"), "less_equal"),
        **dict.fromkeys(("\\ge", "\\geq", "\\geqslant"), "greater_equal"),
        **dict.fromkeys(("\\ne", "\\neq"), "not_equal"),
    }
)
TESTED = MappingProxyType(
    {
        **_TESTS, "<": "less", ">": "greater", "=": "equal",
        "≤": "less_equal", "≥": "greater_equal", "≠": "not_equal",
    }
)  # fmt: skip
"""What is compared between brackets: 1 where it is true, and 0 elsewhere."""

OF_TEST = (
    r"\mathbf{1}[x > 0] is 1 where it is true; a letter before a test in brackets may be a "
    r"function, and a product is a \cdot [x > 0]"
)

SIGNS = MappingProxyType(
    {
        "+": "PLUS", "-": "MINUS", "*": "CDOT", "/": "SLASH", "^": "CARET", ",": "COMMA",
        "(": "LPAR", "[": "LPAR", ")": "RPAR", "]": "RPAR", "{": "LBRACE", "}": "RBRACE",
        "\\{": "LPAR", "\\}": "RPAR", "\\cdot": "CDOT", "\\times": "CDOT",
        "\\odot": "ODOT", "\\circ": "ODOT", "\\oslash": "OSLASH", "\\top": "TOP",
        "\\intercal": "TOP", "\\prime": "TOP", "\\frac": "FRAC", "\\dfrac": "FRAC",
        "\\tfrac": "FRAC", "\\binom": "BINOM", "\\dbinom": "BINOM", "\\tbinom": "BINOM",
        "!": "BANG", "\\sqrt": "SQRT", "\\pi": "PI", "\\lvert": "LBAR", "\\rvert": "RBAR",
        "⊙": "ODOT", "⊘": "OSLASH", "√": "SQRT", "𝟏": "ONES",
        "\\lVert": "LNORM", "\\rVert": "RNORM", "\\langle": "LANGLE", "\\rangle": "RANGLE",
        **dict.fromkeys(TESTED, "TEST"),
    }
)  # fmt: skip
BARS = MappingProxyType(
    {"|": "BAR", "\\vert": "BAR", "\\|": "NORM", "||": "NORM", "\\Vert": "NORM", "‖": "NORM"}
)
"""What may open or close."""

ABOVE = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""Digits above, in order."""

_FONTS = (
    "mathbf|mathbb|mathbbm|mathds|mathrm|mathit|mathsf|mathtt|mathcal|boldsymbol|bm|vec|text|textbf"
    "|operatorname|mathop"
)
_OLD = "rm|bf|it|sf|cal"
FONT = MappingProxyType(
    {
        **dict.fromkeys(("mathbf", "boldsymbol", "bm", "textbf", "bf"), "bold"),
        **{font: font for font in ("mathcal", "mathbb", "mathsf", "vec")},
        "mathbbm": "mathbb",
        "mathds": "mathbb",
        "cal": "mathcal",
        "sf": "mathsf",
    }
)
ACCENTS = MappingProxyType(
    {
        **{accent: accent for accent in ("hat", "bar", "tilde", "dot", "ddot")},
        "widehat": "hat",
        "widetilde": "tilde",
        "overline": "bar",
    }
)
UPRIGHT = frozenset({"mathrm", "mathit", "mathtt", "text", "operatorname", "mathop", "rm", "it"})
"""Fonts in which letters in a row are one word."""

_STYLES = "|".join([_FONTS, *ACCENTS])
_OLDEST = rf"(?:{_OLD})(?![a-zA-Z])"
STYLE = re.compile(rf"\\({_STYLES}|{_OLD})(?![a-zA-Z])")
WORD = re.compile(r"\\([a-zA-Z]+)|([^\W_]+)")
LETTER = re.compile(r"\\([a-zA-Z]+)|([^\W_])")
SPACES = re.compile(
    r"(?:\s|\$|\\[,;:! ()]|\\\[|\\\]|~|\\quad(?![a-zA-Z])|\\qquad(?![a-zA-Z])"
    r"|\\displaystyle(?![a-zA-Z])|\\[bB]ig{1,2}[lrm]?(?![a-zA-Z])|\\(?:left|right)(?![a-zA-Z]))+"
)
ENDING = re.compile(r"(?:\s|\\[,;:! ])*[.,;](?:\s|\\[,;:! ])*(\$*|\\\]|\\\))\s*\Z")
"""The point or the comma behind a formula that ends a sentence, or a line."""

APART = re.compile(r"\\q?quad(?![a-zA-Z])(?:\s|\\[,;:! ]|~|\\left(?![a-zA-Z]))*\Z")
"""What says that no product goes on behind it."""

PROSE = re.compile(r"\\text\s*\{(?:[\s~]+[^{}]*|[^{}]*[\s~]+)\}")
"""Words that are set apart from a formula, and no variable."""

GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega ell "
    "hbar".split()
)
_LETTERS_BELOW = rf"\\({'|'.join(sorted(GREEK))}|max|min)(?![a-zA-Z])"
_INDEX = r"[a-z](?:\s*[+-]\s*[1-9])?"
_BELOW = (
    rf"\s*_\s*(?:(\w)|{_LETTERS_BELOW}|\{{\s*{_LETTERS_BELOW}\s*\}}"
    rf"|\\(?:{_FONTS})\s*\{{\s*(\w+)\s*\}}|\{{\s*([a-z](?: *, *| +)[a-z])\s*\}}"
    rf"|\{{\s*\\(?:{_FONTS})\s*\{{\s*(\w+)\s*\}}\s*\}}"
    r"|\{\s*(?:\\rm(?![a-zA-Z])\s*)?(\w+)\s*\}"
    rf"|\{{\s*({_INDEX}(?:\s*,?\s*{_INDEX})?)\s*\}})"
)
SUBSCRIPT = re.compile(_BELOW)
_WORDS = r"\\(?:text|textrm|mathrm|mbox)\s*\{\s*"
CASE = re.compile(
    r"(?P<begin>\\begin\s*\{cases\})|(?P<end>,?\s*\\end\s*\{cases\})"
    rf"|,?\s*(?P<row>\\\\(?:\s*\[[^\]]*\])?)|,?\s*(?P<amp>&)(?:\s*{_WORDS}(?:if|for|when)[\s~]*\}})?"
    rf"|(?P<otherwise>{_WORDS}(?:otherwise|else|elsewhere)[\s.]*\}})"
)
"""What values by cases have besides formulas; commas end their lines."""

_MATRIX = r"[pb]?(?:small)?matrix\*?"
ARRAY = re.compile(
    rf"(?P<begin>\\begin\s*\{{(?:{_MATRIX}\}}(?:\s*\[[lcr]\])?"
    r"|array\}\s*\{[lcr|\s]*\}))"
    rf"|(?P<end>\\end\s*\{{(?:{_MATRIX}|array)\}})"
    r"|(?P<row>\\\\(?:\s*\[[^\]]*\])?)|(?P<amp>&)"
)
"""What matrices that are written out have besides formulas."""

_PART = r"(?:\d{0,9}\s*:\s*\d{0,9}|\d{1,9})"
PLACE = re.compile(
    r"\s*_\s*(?:([0-9])(?![0-9])|\{\s*([0-9]{1,9}(?:\s*,\s*[0-9]{1,9})?)\s*\})"
    rf"|(\[\s*{_PART}(?:\s*,\s*{_PART})?\s*\])"
)
"""What takes an entry or a part of a variable: x_1 and A_{12} from 1, x[0] and x[1:3] from 0."""

TOKENS = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<style>(?:\\(?:{_STYLES})(?![a-zA-Z])\*?\s*(?:\{{\s*)?(?:\\{_OLDEST}\s*)?"
    rf"|\{{\s*\\{_OLDEST}\s*)+)"
    r"|\\(?P<command>[a-zA-Z]+)"
    rf"|(?P<above>\u207b?(?:[{ABOVE}]+|\u1d40))|(?P<raised>\^\u2299?\()|\^\u2299(?P<entries>\w+)"
    rf"|(?P<letters>[^\W\d_\u1d40{ABOVE}]+)"
    r"|(?P<sign>\|\||\\[{}|]|[-+*/^,;|'()\[\]{}<>=≤≥≠⊙⊘√‖𝟏!])"
)
WRITTEN = frozenset("ᵀ⊙⊘𝟏‖√⁻" + ABOVE)
"""Signs of formulas that are printed as text."""

PRINTED = MappingProxyType(
    {"σ": "sigmoid", "Φ": "Phi", "φ": "varphi", "ψ": "digamma", "Γ": "gamma"}
)
"""Letters that are functions before a parenthesis there."""

_WHICH = (
    r"(?:(\w|\*)|\{\s*(\w|\*|\\infty)\s*\}|(\\infty)"
    r"|\{\s*\\(?:mathrm|text|rm)\s*\{?\s*(\w)\s*\}?\s*\})"
)
KIND = re.compile(rf"\s*_\s*{_WHICH}")
SUM = re.compile(
    r"\s*(?:\\(?:no)?limits(?![a-zA-Z]))?\s*_\s*(?:([a-z])|\{\s*([a-z](?:[\s,]*[a-z])*)\s*(?:=\s*([0-9])\s*)?\})"
    r"(?:\s*\^\s*(?:(\w)|\{\s*([^\W\d_](?:\s*[+-]\s*[0-9])?|\d+)\s*\}))?(?!\s*[\^_])"
)
"""What stands at a sum or a product: its indices, and how far they go."""

INVERSE = re.compile(r"\s*(?:\^\s*\{\s*-\s*1\s*\}|\u207b\u00b9)")
"""What stands above a function for its inverse."""

DEGREE = re.compile(r"\s*\[\s*(?:([0-9]+)|[^\]]*)\s*\]")
"""Which root it is."""

KIND_AFTER = re.compile(rf"(\s*\^\s*(?:\{{[^{{}}]*\}}|\w))(\s*_\s*{_WHICH})")
"""A norm may say which it is behind its exponent."""

VARIANTS = MappingProxyType(
    {"varepsilon": "epsilon", "vartheta": "theta", "varrho": "rho", "varphi": "varphi"}
)
INDICATED = re.compile(r"\s*_\s*(\{)(?:\s*(?:\\\{|[\[(]))?")
"""What opens below a 1, where something is compared."""

ENDS = frozenset(
    "NUMBER BANG NAME UNIT PI ONES TOP PLACE RPAR RBRACE RBAR RNORM RANGLE ENDCASES "
    "ENDARRAY".split()
)
"""What an operand ends with."""

TURNS = re.compile(r"\\(?:(left)|right|[bB]igg?(?:(l)|r))\s*\Z")
"""What says before a bar whether it opens; `\\big` and `\\middle` do not."""

NESTED = re.compile(
    r"(?P<left>[(\[{])|(?P<right>[)\]}])|(?P<sign>[+-])|(?P<comma>(?<!\\)[,;])|(?P<test>[<>=]|\\(?:[lg](?:t|eq?|eqslant)|neq?)(?![a-zA-Z]))"
)
"""Brackets, and what compares between them."""

OPENED = re.compile(r"(?:\s|\\left|\\[bB]ig{1,2}l?)*(\(|\[|\\\{)")
ALONE = "give the function alone"

ON_PAPER = MappingProxyType(
    {
        **dict.fromkeys(("int", "iint", "oint", "lim"), "formulas have no integrals and limits"),
        **dict.fromkeys(("partial", "nabla"), "a formula is derived, and has no derivatives in it"),
        **dict.fromkeys(("dagger", "star", "ast"), r"a transpose is ^\top, an inverse ^{-1}"),
        **dict.fromkeys(("min", "max", "arg", "underset"), ALONE),
        **dict.fromkeys(("pm", "otimes"), "formulas have no sign for it"),
        "begin": r"of environments cases, matrix, pmatrix, bmatrix and array are read",
        "div": "it is /",
        "over": r"it is \frac{a}{b}",
    }
)
