r"""What an equation claims: the formulas that it says are one, and the derivative on its left.

Text is blanked, and never moved, so that errors show the place in what was typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from symtape.notation.latex.formulas import variable_of
from symtape.notation.latex.words import GREEK, SPACES
from symtape.notation.tree import refused

_WRAPPED = "equation|displaymath|math|align|aligned|alignat|gather|gathered|split|multline"
_LAYOUT = re.compile(
    rf"\\(?:begin|end)\s*\{{(?:{_WRAPPED})\*?\}}|\\(?:tag\*?|label)\s*\{{[^{{}}]*\}}"
    r"|\\(?:nonumber|notag)(?![a-zA-Z])|(?<!\\)%[^\n]*"
)
"""What says how an equation is set, and nothing of what it claims."""

_NESTED = re.compile(
    r"(?P<open>\\begin\s*\{[a-zA-Z*]+\}|[(\[{])|(?P<close>\\end\s*\{[a-zA-Z*]+\}|[)\]}])"
    r"|(?P<line>\\\\|&)|(?P<equal>:=|\\(?:coloneqq|equiv|triangleq)(?![a-zA-Z])|=)|\\."
)
_END = re.compile(r"[\s.,;$]*\Z|(?:\\[,;]|\s|[.,;])*(?:\$|\\\]|\\\))?\s*\Z")
_ON = re.compile(
    r"[\s&]*(?:[-+*/=]|:=|\\(?:cdot|times|odot|oslash|quad|qquad|coloneqq|equiv|triangleq)"
    r"(?![a-zA-Z])|\Z)"
)
"""What a line may go on with that is no line of its own."""

_LETTER = rf"\\(?:{'|'.join(sorted(GREEK))})(?![a-zA-Z])|[a-zA-Z]"
_FONT = r"\\(?:math(?:bf|rm|it|cal|sf|bb)|boldsymbol|bm|vec)\s*"
_ONE = rf"(?:{_FONT}\{{\s*(?:{_LETTER})\s*\}}|{_LETTER})"
_SUB = rf"(?:\s*_\s*(?:\w|\{{[^{{}}]*\}}|{_LETTER}))"
_D = r"(?:\\partial(?![a-zA-Z])|\\mathrm\s*\{\s*d\s*\}|\\mathrm\s+d|d)"
_POWER = r"(?:\s*\^\s*(?:\w|\{[^{}]*\}|\\top))"
_NAMED = (
    rf"(?:\\(?:hat|bar|tilde)(?![a-zA-Z])\s*|D\s*)?(?:{_ONE}|\{{\s*{_ONE}\s*\}}){_SUB}?"
    rf"(?:{_POWER}|')*(?:\s*\([^()=]*\))?"
)


def _by(place: str) -> str:
    """Match a variable by which something is derived."""
    return rf"(?P<{place}>{_ONE}{_SUB}?)"


_LEFT = re.compile(
    rf"\s*(?:\\nabla{_POWER}?(?:\s*_\s*(?:\{{\s*{_by('a')}\s*\}}|{_by('b')}))?{_POWER}?"
    rf"\s*(?:{_NAMED})?"
    rf"|\\partial\s*_\s*(?:\{{\s*{_by('c')}\s*\}}|{_by('d')})\s*{_NAMED}"
    rf"|\\[dt]?frac\s*\{{\s*{_D}{_POWER}?\s*(?:{_NAMED})?\s*\}}"
    rf"\s*\{{\s*{_D}\s*{_by('e')}[^{{}}]*(?:\{{[^{{}}]*\}}[^{{}}]*)*\}}\s*(?:{_NAMED})?"
    rf"|{_NAMED})\s*\Z"
)
r"""Names of derivatives: `\nabla_x f`, `\partial_x f`, `\frac{\partial f}{\partial x}`, `f'(x)`."""


class Side(str):
    """A formula in LaTeX, whatever signs it has."""

    __slots__ = ()


class Claim(NamedTuple):
    """The formulas that an equation says are one, and by which variable the left is derived."""

    formulas: tuple[Side, ...]
    by: str = ""


def claimed(text: str, names: Sequence[str]) -> Claim:
    r"""Take an equation apart; `names` are variables, and no names of derivatives.

    Raises `NotationError` for several equations, and for one that claims nothing.

    >>> claim = claimed(r"\nabla_x f = 2x", ["x"])
    >>> [side.strip() for side in claim.formulas], claim.by
    (['2x'], 'x')
    """
    flat = _LAYOUT.sub(lambda found: " " * len(found.group()), text)
    parts = [*_members(text, flat)]
    if not parts[0].strip() and len(parts) > 1:
        parts = parts[1:]  # a line that goes on from another one
    left = _LEFT.match(SPACES.sub(" ", parts[0])) if len(parts) > 1 else None
    own, by = parts, ""
    if left is not None and parts[0].strip() not in names:
        own = parts[1:]
        by = next((g for g in left.groupdict().values() if g), "")
    if empty := [part for part in own if not part.strip()]:
        raise refused(text, len(empty[0]), "a side of the equation is missing")
    return Claim(tuple(map(Side, own)), variable_of(by) if by else "")


def _members(text: str, flat: str) -> Iterator[str]:
    """List what stands between equal signs, in its place; a line that goes on is part of one."""
    end, begin, depth = _END.search(flat), 0, 0
    last = end.start() if end else len(flat)
    letters = [*flat[:last]]
    for found in _NESTED.finditer(flat, 0, last):
        depth += (found["open"] is not None) - (found["close"] is not None)
        if depth:
            continue
        if found["line"]:
            letters[found.start() : found.end()] = " " * len(found.group())
            if found["line"] != "&":
                _check_line(text, flat, found.end(), "".join(letters[begin : found.start()]))
        elif found["equal"]:
            yield " " * begin + "".join(letters[begin : found.start()])
            begin = found.end()
    yield " " * begin + "".join(letters[begin:])


def _check_line(text: str, flat: str, at: int, before: str) -> None:
    """Refuse a line that is an equation of its own."""
    if before.strip() and not _ON.match(flat, at):
        why = "another equation begins here: give one for each result, in a list"
        raise refused(text, at, why)
