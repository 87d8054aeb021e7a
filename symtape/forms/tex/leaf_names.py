"""What names look like in LaTeX: Greek letters by name, accents, words upright, numbers below."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import sympy as sp
from sympy.printing.latex import greek_letters_set, tex_greek_dictionary

_ACCENTS = "hat bar ddot dot tilde vec prime".split()
_WORD = re.compile(r"([^\W\d_]+)([0-9]*)")
_PART = re.compile(r"[^\W_]+")

_LETTERS: dict[str, str] = {
    **{name: rf"\{name}" for name in [*sorted(greek_letters_set), "ell", "hbar"]},
    **tex_greek_dictionary,
}
"""Letters that are no letters of English, by name."""

_LETTER = "|".join(sorted(_LETTERS, key=len, reverse=True))
_ACCENTED = re.compile(rf"({_LETTER}|[^\W\d_])((?i:(?:{'|'.join(_ACCENTS)})+))")
_EACH_ACCENT = re.compile("|".join(_ACCENTS))


@lru_cache(maxsize=4096)
def name_text(name: str) -> str:
    r"""Write a name: Greek letters by name, words upright, accents, digits and the rest below.

    >>> [name_text(name) for name in ("w_hat", "loss", "x_max", "theta_0_hat")]
    ['\\hat{w}', '\\mathrm{loss}', 'x_{\\mathrm{max}}', '\\hat{\\theta}_{0}']
    """
    bare = name.rstrip("_") or name
    base, *rest = bare.split("_")
    word = _WORD.fullmatch(base)
    if word is None or not all(map(_PART.fullmatch, rest)):
        return str(sp.latex(sp.Symbol(bare)))
    text = _word_text(word[1])
    below = [word[2]] if word[2] else []
    for part in rest:
        if part in _ACCENTS:
            text = _with_accent(text, part)
        else:
            below.append(_word_text(part))
    return f"{text}_{{{' '.join(below)}}}" if below else text


def _word_text(word: str) -> str:
    r"""Write a letter as it is, a Greek one by name, also with an accent, and words upright.

    SymPy takes ends of words for fonts and norms, as in `local` and `layernorm`, and `wp` for ℘.

    >>> [_word_text(word) for word in ("x", "theta", "wp", "xhat", "alphaBar", "local")]
    ['x', '\\theta', '\\mathrm{wp}', '\\hat{x}', '\\bar{\\alpha}', '\\mathrm{local}']
    >>> [_word_text(word) for word in ("θ", "Δt", "größe")]
    ['\\theta', '\\Delta t', '\\text{größe}']
    """
    if word in _LETTERS:
        return _LETTERS[word]
    if not word.isascii():
        return _foreign_text(word)
    accented = _ACCENTED.fullmatch(word)
    if accented is not None:
        text: str = _LETTERS.get(accented[1], accented[1])
        for accent in _EACH_ACCENT.findall(accented[2].lower()):
            text = _with_accent(text, accent)
        return text
    if len(word) == 1 or word.isdigit():
        return word
    numbered = _WORD.fullmatch(word)
    if numbered is None or not numbered[2]:
        return rf"\mathrm{{{word}}}" if word.isalpha() else word
    return f"{_word_text(numbered[1])}_{{{numbered[2]}}}"


def _foreign_text(word: str) -> str:
    """Write Greek letters as commands, also in front of a word; LaTeX has no others in formulas."""
    greek = _LETTERS.get(english_name(word[0]))
    if greek is None:
        return rf"\text{{{word}}}"
    rest = _word_text(word[1:]) if word[1:] else ""
    return f"{greek} {rest}" if rest else greek


def english_name(letter: str) -> str:
    """Spell a Greek letter, with a capital for one, as SymPy does; "" for what is none.

    >>> english_name("λ"), english_name("Σ"), english_name("x")
    ('lambda', 'Sigma', '')
    """
    script, _, name = unicodedata.name(letter, "").partition(" LETTER ")
    if not script.startswith("GREEK"):
        return ""
    name = name.lower().replace("amda", "ambda")
    return name.capitalize() if script == "GREEK CAPITAL" else name


def beside(texts: Sequence[str]) -> str:
    r"""Write factors beside each other, with room around words, which would run into letters.

    >>> print(beside(["A", "x"]), beside([r"\mathrm{lam}", "I"]), beside(["2", r"\mathrm{lam}^2"]))
    A x \mathrm{lam} \, I 2 \mathrm{lam}^2
    """
    whole = "".join(texts[:1])
    for before, after in pairwise(texts):
        is_word = _ENDS_WITH_WORD.search(before) or _BEGINS_WITH_WORD.match(after)
        is_apart = before[-1].isdigit() or _HAS_ROOM.match(after)
        whole += (r" \, " if is_word and not is_apart else " ") + after
    return whole


_A_WORD = r"\\(?:mathrm|mathtt|text)\{[^{}]{2,}\}"
_ENDS_WITH_WORD = re.compile(rf"{_A_WORD}$")
_BEGINS_WITH_WORD = re.compile(rf"\{{*{_A_WORD}")
_OF_ITS_OWN = "left|frac|operatorname|sum|prod|max|min|det|[a-z]*(sin|cos|tan|exp|log)"
_HAS_ROOM = re.compile(rf"\\({_OF_ITS_OWN})")
"""What LaTeX itself sets apart from what is before."""


def _with_accent(text: str, accent: str) -> str:
    return f"{text}'" if accent == "prime" else rf"\{accent}{{{text}}}"
