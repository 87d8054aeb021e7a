"""What fonts and signs say of letters to a person who knows no shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from symtape.notation.latex.tokens import Scan
from symtape.notation.latex.words import CALLED
from symtape.notation.words import ENTRYWISE, SAME


class Fonts(NamedTuple):
    """What fonts and signs say: the ranks of bold letters, and whether there are arrays.

    Where nothing is of arrays, capital letters may be numbers, too.
    """

    bold: Mapping[str, int]
    has_arrays: bool = True


_OF_ARRAYS = frozenset("TOP ONES UNIT ODOT OSLASH LNORM LANGLE".split())
_OF_NUMBERS = frozenset({*ENTRYWISE, *CALLED.values(), "max", "min", "log2"})


def fonts(scan: Scan) -> Fonts:
    """Say what a person sees who knows no shapes."""
    functions = {SAME.get(p.value, p.value) for p in scan.pieces if p.kind == "FUNC"}
    kinds = {piece.kind for piece in scan.pieces}
    bold = {name: font for name, font in scan.fonts.items() if font in ("bold", "vec")}
    has_arrays = bool(bold or kinds & _OF_ARRAYS or functions - _OF_NUMBERS)
    ranks = {v: 2 if v[0].isupper() and font == "bold" else 1 for v, font in bold.items()}
    return Fonts(ranks, has_arrays)
