"""What can be judged: a function, formulas as text, SymPy's expressions, arrays of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.errors import NotationError, UnsupportedError
from symtape.frontends.sympy_functions import from_sympy
from symtape.notation.ambiguity import the_meaning
from symtape.notation.evaluation import compute
from symtape.notation.inference import meaning
from symtape.notation.latex.equations import Side, claimed
from symtape.notation.latex.formulas import parsed
from symtape.notation.latex.tokens import Scan, is_latex, is_written
from symtape.notation.settling import Judged, Meaning
from symtape.notation.sums import indexed, wholes_of
from symtape.notation.tree import in_order
from symtape.ops.elementwise.conversion import convert_to_tensor
from symtape.verify.frameworks.functions import array_of


class Candidate(NamedTuple):
    """A candidate as a function of the inputs; one that `is_fixed` knows the example alone."""

    function: Callable[..., Any]
    is_fixed: bool = False


Shape = tuple[int, ...]


def as_candidate(
    given: Any,
    names: Sequence[str],
    example: Sequence[Any],
    wanted: Mapping[str, Shape | None] = MappingProxyType({}),
) -> Candidate:
    """Make a candidate of what was given; `names` call the inputs, as formulas do.

    What is `wanted` of it, for each input that is judged, has a shape, if that is known before.

    Formulas are text (see `symtape.differentiate`), LaTeX, or SymPy's; one for each result, or a
    list or a dictionary of them. Raises `TypeError` for what is no candidate, and `NotationError`
    for a text that cannot be read.
    """
    given = _immutable(given)
    if callable(given) and not isinstance(given, sp.Basic):
        return Candidate(given)
    parts = list(given.values()) if isinstance(given, Mapping) else given
    read: Callable[[Any, Shape | None], Callable[..., Any]] | None = None
    if isinstance(parts, str) or (_is_list(parts) and all(isinstance(x, str) for x in parts)):
        read = partial(_of_text, names=names, example=example)
    elif isinstance(parts, sp.Basic) or (_is_list(parts) and any(_is_formula(x) for x in parts)):
        read = partial(_of_sympy, names=names)
    if read is not None:  # of a formula there is no source, in which a cause could be looked for
        return Candidate(partial(_mapped(given, read, wanted)))
    numbers = _numbers(given)
    return Candidate(partial(lambda *_: numbers), is_fixed=True)


def _numbers(given: Any) -> Any:
    """Take arrays as they are, one or several; raises `TypeError` for what is none."""
    if isinstance(given, Mapping):
        return {name: _numbers(x) for name, x in given.items()}
    if isinstance(given, tuple):
        return [_numbers(x) for x in given]
    try:
        found = array_of(given)
    except (TypeError, ValueError, UnsupportedError):
        found = np.asarray(None)
    if found.dtype.kind not in "fciubV":
        raise TypeError(
            f"a candidate is a function, a formula, or arrays of numbers, and not {given!r:.60}"
        )
    return found


def _immutable(given: Any) -> Any:
    """Give SymPy's matrices and arrays as expressions, alone or among others."""
    if isinstance(given, (list, tuple)):
        return [_immutable(x) for x in given]
    if isinstance(given, Mapping):
        return {name: _immutable(x) for name, x in given.items()}
    return given.as_immutable() if isinstance(given, (sp.MatrixBase, sp.NDimArray)) else given


def _is_list(parts: Any) -> bool:
    return isinstance(parts, (list, tuple)) and len(parts) > 0


def _is_formula(x: Any) -> bool:
    return isinstance(x, sp.Basic)


def _mapped(
    given: Any,
    read: Callable[[Any, Shape | None], Callable[..., Any]],
    wanted: Mapping[str, Shape | None],
) -> Callable[..., Any]:
    """Read one formula, or several in a list or a dictionary, as one function."""
    if isinstance(given, Mapping):
        functions = {name: read(formula, wanted.get(name)) for name, formula in given.items()}
        return lambda *inputs: {name: f(*inputs) for name, f in functions.items()}
    shapes = [*wanted.values(), None]
    if isinstance(given, (list, tuple)):
        several = [read(formula, own) for formula, own in zip_longest(given, shapes[: len(given)])]
        return lambda *inputs: [f(*inputs) for f in several]
    return read(given, shapes[0])


def _of_text(
    text: str, wanted: Shape | None, *, names: Sequence[str], example: Sequence[Any]
) -> Callable[..., Any]:
    """Read a formula in the inputs, whose shapes are those of the example."""
    own = _meaning(text, names, example, Judged(wanted))

    def function(*inputs: Any) -> Any:
        tensors = {
            name: convert_to_tensor(x)
            for name, x in zip(names, inputs, strict=True)
            if name in own.variables
        }
        return compute(own, tensors, {})

    return function


def _meaning(text: str, names: Sequence[str], example: Sequence[Any], judged: Judged) -> Meaning:
    """Read LaTeX where a text has its signs, or where it has no other meaning."""
    if isinstance(text, Side) or is_written(text):
        return _of_latex(text, names, example, judged)
    if is_latex(text):
        formula, *others = claimed(text, names).formulas
        if others:
            raise NotationError(f"an equation of several formulas is judged alone: {text}")
        return _of_latex(formula, names, example, judged)
    words = set(re.findall(r"[^\W\d_]\w*", text))
    shapes = {
        name: np.shape(x)
        for name, x in zip(names, example, strict=True)
        if name in words and np.ndim(x) <= 2
    }
    try:
        found = the_meaning(text, None, shapes, (), judged=judged)
    except NotationError:
        with suppress(NotationError):
            return _of_latex(text, names, example, judged)
        raise
    unknown = found.variables.keys() - {*names}
    if any(_is_entry(name, names) for name in unknown):
        return _of_latex(text, names, example, judged)
    if unknown:
        with suppress(NotationError):
            return _of_latex(text, names, example, judged)
    _check_names(unknown, names)
    return found


def _is_entry(name: str, names: Sequence[str]) -> bool:
    """Say whether a name is that of an entry, as x_1 is of x."""
    base, _, place = name.rpartition("_")
    return base in names and place.isdecimal()


def _check_names(used: Iterable[str], names: Sequence[str]) -> None:
    unknown = sorted(set(used) - set(names))
    if unknown:
        raise NotationError(f"{unknown[0]} is none of the inputs, which are {', '.join(names)}")


def _of_latex(text: str, names: Sequence[str], example: Sequence[Any], judged: Judged) -> Meaning:
    """Settle what LaTeX means: neighbours are multiplied as matrices if they can be."""
    known = {n: np.shape(x) for n, x in zip(names, example, strict=True) if np.ndim(x) <= 2}
    root = parsed(Scan(text, names))
    sums = indexed(text, root, known)
    if counts := sorted(sums.limits & known.keys()):
        raise NotationError(f"{counts[0]} is an input, and how far a sum goes")
    used = {str(n.value) for n in in_order(sums.root) if n.word == "name"} - sums.limits
    used |= sums.ranks.keys()
    for row, base in sums.rows.items():
        if wholes := wholes_of(row, base, known):
            used = {*used - {row}, *wholes}
    _check_names(used, [*known])
    shapes = {n: shape for n, shape in known.items() if n in used}
    return meaning(text, "latex", root, shapes, judged=judged)


def _of_sympy(e: Any, wanted: Shape | None, *, names: Sequence[str]) -> Callable[..., Any]:
    """Read an expression in symbols that are called as the inputs are.

    A matrix of one column or row is a vector, where no such matrix is asked for.
    """
    if isinstance(e, sp.MatrixBase) and 1 in e.shape and wanted != e.shape:
        e = sp.Array(e.flat())
    function = from_sympy(e)
    unknown = [name for name in function.names if name not in names]
    if unknown:
        raise ValueError(f"{unknown[0]} is none of the inputs, which are {', '.join(names)}")
    places = [names.index(name) for name in function.names]
    return lambda *inputs: function(*[inputs[k] for k in places])
