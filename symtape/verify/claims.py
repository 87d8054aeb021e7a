"""What a text in LaTeX claims: each side of an equation is a candidate of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace

from symtape.errors import NotationError
from symtape.notation.latex.equations import claimed
from symtape.notation.latex.tokens import is_latex
from symtape.verify.asked import Asked
from symtape.verify.report import VERDICTS, Report


def each_claim(asked: Asked) -> Iterator[Asked]:
    """List what is asked of each formula that an equation says is the derivative.

    Raises `NotationError` where its left side is a derivative by another input.
    """
    text = asked.candidate
    if not (isinstance(text, str) and is_latex(text)):
        yield asked
        return
    claim = claimed(text, asked.inputs.labels)
    judged = [asked.inputs.labels[k] for k in asked.question.wrt]
    if claim.by and judged and not {claim.by, claim.by.rpartition("_")[0]} & {*judged}:
        raise NotationError(
            f"the left side is a derivative by {claim.by}, and {' and '.join(judged)} is judged"
        )
    for formula in claim.formulas:
        one = copy(asked)
        one.candidate = formula
        yield one


def together(reports: Sequence[tuple[str, Report]]) -> Report:
    """Give the report of what is not right, or else the weakest; of several it says of which."""
    order = {verdict: place for place, verdict in enumerate(VERDICTS)}
    formula, worst = max(reports, key=lambda found: order[found[1].verdict])
    if len(reports) == 1 or worst.ok:
        return worst
    return replace(worst, cause=f"of the equation, {formula.strip()}: {worst.cause}")
