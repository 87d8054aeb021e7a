"""In which notation a text has a meaning, where nobody says in which it is written."""

from __future__ import annotations

import math
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from symtape.errors import NotationError
from symtape.notation import NOTATIONS
from symtape.notation.evaluation import choices, compute, leaves, plain, values
from symtape.notation.grammars import parse
from symtape.notation.inference import meaning, turned
from symtape.notation.latex.fonts import fonts
from symtape.notation.latex.formulas import parse_latex, parsed
from symtape.notation.latex.tokens import Scan, is_latex, is_written
from symtape.notation.settling import Declared, Judged, Meaning, operations
from symtape.notation.tree import AmbiguousError, Node, ambiguous, folded, in_order
from symtape.tape import GradientTape

_TYPED = ("matrix", "python")
"""What a text without commands or braces may be written in."""


def the_meaning(
    text: str,
    notation: str | None,
    declared: Declared,
    symmetric: Collection[str],
    names: Collection[str] = (),
    *,
    judged: Judged | None = None,
) -> Meaning:
    """Settle what a text means in a notation, or in the one in which it has a meaning.

    `names` are variables of several letters, which LaTeX would take for one each. One that is
    `judged` may have no variables.
    """
    if notation is not None and notation not in NOTATIONS:
        known = " or ".join(map(repr, NOTATIONS))
        raise ValueError(f"unknown notation {notation!r}: it is {known}")
    if notation == "latex" or (notation is None and (is_latex(text) or is_written(text))):
        return _of_latex(text, declared, symmetric, {*names, *declared, *symmetric})
    told = {*names, *declared, *symmetric}

    def read(each: str, root: Node) -> Meaning:
        _check_base(text, root, told)
        if "pi" not in told and _has_pi(root):
            with suppress(NotationError):
                with_pi = folded(root, _with_pi)
                return meaning(text, each, with_pi, declared, symmetric, judged=judged)
        return meaning(text, each, root, declared, symmetric, judged=judged)

    if notation is not None:
        return read(notation, parse(text, notation))
    roots, unread, errors, found = {}, [], [], []
    for each in _TYPED:
        try:
            roots[each] = parse(text, each)
        except NotationError as error:
            unread.append(error)
    for each, root in roots.items():
        try:
            found.append(read(each, root))
        except NotationError as error:
            errors.append(error)
    if not found:
        raise errors[0] if errors else _hinted(text, max(unread, key=_reached))
    if len(found) == 2 and _signature(found[0]) != _signature(found[1]):
        ways = [f"  {m.notation}: {written(m)}" for m in found]
        raise NotationError("\n".join(["say in which notation it is written:", *ways]))
    return found[0]


def _of_latex(
    text: str, declared: Declared, symmetric: Collection[str], names: Collection[str]
) -> Meaning:
    """Settle what LaTeX means; a T above may be a number, as in (1 + r)^T, if a person says so."""
    scan = Scan(text, names)
    root = parsed(scan)
    try:
        found = meaning(text, "latex", root, declared, symmetric, fonts(scan))
        return found._replace(letters=tuple(scan.called))
    except AmbiguousError:
        raise
    except NotationError as error:
        if not scan.turned:
            raise
        with suppress(NotationError):
            _of_latex(text, declared, symmetric, {*names, "T"})
            why, _, place = str(error).partition("\n")
            hint = "; T transposes, and a number T has the shape ()"
            error = NotationError(f"{why}{hint}\n{place}")
        raise error from None


def _check_base(text: str, root: Node, told: Collection[str]) -> None:
    """Refuse e^x, where nobody said that e is a variable."""
    for node in in_order(root):
        if node.word in ("power", "powers") and "e" not in told:
            base, exponent = node.operands
            if base.word == "name" and base.value == "e" and exponent.word != "number":
                why = "is e a variable? It has a shape, as --shape e=; the function is exp(x)"
                raise ambiguous(text, base.at, why)


def _has_pi(root: Node) -> bool:
    """Say whether π stands there: what is transposed is a variable of this name."""
    return "pi" not in turned(root) and any(n.value == "pi" for n in in_order(root))


def _with_pi(node: Node, own: list[Node]) -> Node:
    if node.word == "name" and node.value == "pi":
        return node._replace(word="number", value=math.pi)
    return node._replace(operands=tuple(own))


def _hinted(text: str, error: NotationError) -> NotationError:
    """Say that a text that nobody can read is LaTeX, if it is."""
    try:
        parse_latex(text, ())
    except NotationError:
        return error
    why, _, place = str(error).partition("\n")
    return NotationError(f"{why}; if it is LaTeX, say so: the notation is latex\n{place}")


def _reached(error: NotationError) -> int:
    """Say how far a text was read."""
    return len(str(error).rpartition("\n")[2])


def _signature(found: Meaning) -> Any:
    words = [(t.word, t.value, len(t.operands)) for t in operations(found.root)]
    return words, found.shapes()


def written(found: Meaning) -> str:
    """Write what a text means in matrix notation, and what its variables are."""
    sizes = next(choices(found))
    with GradientTape() as tape:
        tensors = leaves(found, values(found, sizes, ()), sizes)
        tape.watch(list(tensors.values()))
        y = compute(found, tensors, sizes)
    return f"{plain(y, tensors)}, where {found.told()}"
