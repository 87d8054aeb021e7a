"""Texts whose meaning is settled, computed on tensors at chosen sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from keyword import iskeyword
from math import prod
from typing import Any

import numpy as np

from symtape.errors import ExpansionError, NoMatrixFormError, NotationError
from symtape.forms.index.entry import index_symbols
from symtape.forms.tex.latex import Style
from symtape.notation.joined import in_blocks
from symtape.notation.settling import Meaning
from symtape.notation.sizes import Shape
from symtape.notation.totals import OF_COMPONENTS, for_each
from symtape.notation.tree import folded
from symtape.notation.typed import Typed
from symtape.notation.words import (
    BY_COUNT,
    COMPUTE,
    ENTRYWISE,
    OPERATORS,
    REDUCTIONS,
    WITH_VALUE,
)
from symtape.ops.elementwise.conversion import cast, constant
from symtape.ops.shapes.creation import eye, ones
from symtape.ops.shapes.creation import shape as shape_of
from symtape.ops.shapes.grids import range as counted
from symtape.ops.shapes.shaping import reshape

MOST_ENTRIES = 200_000
"""The most entries of an array that a formula is read at."""


def choices(meaning: Meaning) -> Iterator[dict[int, int]]:
    """Choose numbers for the sizes that have letters, so that no two are equal.

    They rise or fall, so that A'A, which has an inverse if A has more rows, has one in half of the
    choices; no size is the same number in two of them.
    """
    count, least = len(meaning.names), meaning.sizes.least
    up = range(least, least + count)
    down = range(count + least + 1 + count % 2, least + 1 + count % 2, -1)
    for more in (0, 2):
        for numbers in (up, down):
            yield {root: n + more for root, n in zip(meaning.names, numbers, strict=True)}


def values(meaning: Meaning, sizes: Mapping[int, int], symmetric: Any) -> dict[str, Any]:
    """Make numbers for the variables: positive, and of square matrices with an inverse."""
    rng = np.random.default_rng(20260)
    found = {}
    for v, shape in meaning.variables.items():
        own = concrete(meaning, shape, sizes)
        if prod(own) > MOST_ENTRIES:
            raise ExpansionError(f"{v} of shape {own} is too large to derive at; use letters")
        x = rng.uniform(0.5, 1.5, own)
        if len(own) == 2 and own[0] == own[1]:
            x = (x + x.T) / 2 if v in symmetric else x
            x = x + 2 * own[0] * np.eye(own[0])
        found[v] = x
    return found


def concrete(meaning: Meaning, shape: Shape, sizes: Mapping[int, int]) -> tuple[int, ...]:
    """Give a shape in numbers."""
    found = []
    for size in shape:
        number, (root, more) = meaning.sizes.number(size), meaning.sizes.find(size)
        found.append(sizes[root] + more if number is None else number)
    return tuple(found)


def leaves(
    meaning: Meaning, arrays: Mapping[str, Any], sizes: Mapping[int, int] | None
) -> dict[str, Any]:
    """Make the tensors of the variables, and of the sizes that means divide by.

    Without sizes a mean counts elements.
    """
    found = {v: constant(arrays[v], dtype=np.float64, name=v) for v in meaning.variables}
    if sizes is not None:
        for root, name in meaning.names.items():
            found[name] = constant(float(sizes[root]), dtype=np.float64, name=name)
    return found


def compute(meaning: Meaning, tensors: Mapping[str, Any], sizes: Mapping[int, int]) -> Any:
    """Compute a text."""
    root = folded(meaning.root, _without_roots)
    return folded(root, lambda typed, own: _computed(meaning, typed, own, tensors, sizes))


def _computed(
    meaning: Meaning, typed: Typed, own: list[Any], tensors: Mapping[str, Any], sizes: Any
) -> Any:
    word, value = typed.word, typed.value
    if word in ("name", "size"):
        return tensors[value] if value in tensors else _size(meaning, value, tensors)
    if word == "total":
        given = [_tensor(x, _dtype_of(tensors)) for x in own]
        return _total(meaning, typed, given, sizes)
    if word in OF_COMPONENTS:
        return OF_COMPONENTS[word](own[0], *value)
    if word == "number":
        return float(value)
    if word == "item":
        return own[0][value]
    dtype = _dtype_of(tensors)
    if word in ("fill", "eye", "places", "blocks"):
        return _of_sizes(meaning, typed, own, dtype, sizes)
    if word == "indicator":
        return cast(own[0], dtype)
    given = [_tensor(x, dtype) for x in own]
    if word == "length":
        return _tensor(_count(meaning, typed, tensors, own[0]), dtype)
    if word in BY_COUNT:
        x = given[0]
        return _by_count(word, x, value, _count(meaning, typed, tensors, x))
    if word in WITH_VALUE:
        return WITH_VALUE[word](*given, value)
    if word in REDUCTIONS:
        axis, keepdims = value
        return REDUCTIONS[word](given[0], axis=axis, keepdims=keepdims)
    return _of_table(word, own, given)


def _of_table(word: str, own: Sequence[Any], given: Sequence[Any]) -> Any:
    """Compute an operation that has no further arguments; a number of numbers is a real one."""
    are_numbers = all(isinstance(x, float) for x in own)
    if word in OPERATORS and are_numbers:
        with np.errstate(all="ignore"):
            found: Any = float((_EXTREMES.get(word) or COMPUTE[word])(*map(np.float64, own)))
    elif word in OPERATORS:
        if word == "divide" and isinstance(own[1], float) and not own[1]:
            raise NotationError("something is divided by 0")
        return COMPUTE[word](*own)
    else:
        found = ENTRYWISE[word](given[0]) if word in ENTRYWISE else COMPUTE[word](*given)
    if are_numbers and not np.isfinite(float(found)):
        texts = [f"{x:g}" for x in own]
        text = _SIGNS[word].join(texts) if word in _SIGNS else f"{word}({', '.join(texts)})"
        raise NotationError(f"{text} is no real number that is a float")
    return found


_SIGNS = {"add": " + ", "subtract": " - ", "multiply": " * ", "divide": " / ", "powers": " ** "}
_EXTREMES: Mapping[str, Callable[..., Any]] = {"maximum": max, "minimum": min}
"""What is computed of numbers otherwise than of arrays."""


def _of_sizes(
    meaning: Meaning, typed: Typed, own: list[Any], dtype: Any, sizes: Mapping[int, int]
) -> Any:
    """Compute what is as large as its place: ones, numbers, a unit matrix, blocks with zeros."""
    shape = concrete(meaning, typed.shape, sizes)
    if typed.word == "places":
        return cast(counted(shape[0]), dtype)
    if typed.word == "eye":
        return eye(shape[0], dtype=dtype)
    if typed.word == "fill":
        return own[0] * ones(shape, dtype)
    heights, widths = [concrete(meaning, each, sizes) for each in typed.value]
    return reshape(in_blocks([_tensor(x, dtype) for x in own], heights, widths), shape)


def _dtype_of(tensors: Mapping[str, Any]) -> Any:
    """Give the dtype of numbers beside some tensors: that of those which are floating."""
    own = [x.dtype for x in tensors.values() if x.dtype.is_floating or x.dtype.is_complex]
    return own[0] if own else np.float64


def _total(meaning: Meaning, typed: Typed, own: list[Any], sizes: Any) -> Any:
    """Compute a sum or a product over rows, of which each variable has one, or all are the same."""
    body, names, rows, word = typed.value
    given = dict(zip(names, own, strict=True))
    inside = folded(body, _without_roots)

    def of_a_row(row: Mapping[Any, Any]) -> Any:
        return folded(inside, lambda one, parts: _computed(meaning, one, parts, row, sizes))

    each = for_each(of_a_row, given, rows)
    return REDUCTIONS[word](each, axis=0)


def _size(meaning: Meaning, size: int, tensors: Mapping[str, Any]) -> Any:
    """Give the letter of a size, or count the elements that are so many."""
    root = meaning.sizes.root(size)
    letter = tensors.get(meaning.names.get(root, ""))
    more = meaning.sizes.find(size)[1]
    if letter is not None:
        return letter + float(more) if more else letter
    axes = (
        (v, k, meaning.sizes.find(n)[1])
        for v, shape in meaning.variables.items()
        for k, n in enumerate(shape)
        if meaning.sizes.root(n) == root
    )
    v, k, own = next(axes)
    counted = cast(shape_of(tensors[v])[k], _dtype_of(tensors))
    return counted + float(more - own) if more != own else counted


def _by_count(word: str, x: Any, value: tuple[Any, bool], count: Any) -> Any:
    """Take a mean, or a variance, or its root.

    A variance is the mean of squares less the square of the mean: that ones add up to a size which
    is a letter is not known of differences from the mean.
    """
    axis, keepdims = value

    def mean(of: Any) -> Any:
        return REDUCTIONS["sum"](of, axis=axis, keepdims=keepdims) / count

    if word == "mean":
        return mean(x)
    found = mean(x * x) - mean(x) ** 2
    return ENTRYWISE["sqrt"](found) if word == "std" else found


def _without_roots(typed: Typed, own: list[Typed]) -> Typed:
    """Take norm2(u)^2 for a sum of squares, which has a derivative at 0, too; and its powers."""
    made = typed._replace(operands=tuple(own))
    if typed.word != "powers" or own[0].word != "norm2" or own[1].word != "number":
        return made
    half, is_odd = divmod(own[1].value, 2)
    if is_odd or half < 1:
        return made
    squares = Typed("squares", own[0].operands, own[0].shape)
    power = own[1]._replace(value=int(half))
    return squares if half == 1 else made._replace(operands=(squares, power))


def _tensor(x: Any, dtype: Any) -> Any:
    """Let a number be of a dtype, which a function of numbers alone would not make it."""
    return x * ones([], dtype) if isinstance(x, float) else x


def _count(meaning: Meaning, typed: Typed, tensors: Mapping[str, Any], x: Any) -> Any:
    """Multiply the sizes of the axes that are gone over: letters where they have one."""
    shape = typed.operands[0].shape
    axes = range(len(shape)) if typed.value[0] is None else typed.value[0]
    found: Any = 1.0
    for k in axes:
        number, (root, more) = meaning.sizes.number(shape[k]), meaning.sizes.find(shape[k])
        letter = tensors.get(meaning.names.get(root, ""))
        if number is not None:
            found = found * float(number)
        elif letter is None:
            found = found * cast(shape_of(x)[k], _dtype_of(tensors))
        else:
            found = found * (letter + float(more) if more else letter)
    return found


def plain(tensor: Any, names: Iterable[str], symmetric: Sequence[str] = ()) -> str:
    """Write a formula in matrix notation, or one entry where it has no such form."""
    formula = tensor.formula  # which finds out once that there is no such form
    try:
        found = str(formula.text("plain", Style("matrix", symmetric=symmetric)))
    except (NoMatrixFormError, ExpansionError):
        indices = index_symbols(tensor.ndim, set(names))
        entry = formula.index_expr(*indices)
        found = f"entry [{', '.join(map(str, indices))}]: {entry}" if indices else str(entry)
    return as_typed(found, names)


def as_typed(text: str, names: Iterable[str]) -> str:
    """Call variables as they were typed; code has no `lambda`, and calls it `lambda_`.

    >>> as_typed("2 lambda_ w", ["lambda", "w"])
    '2 lambda w'
    """
    own = {*names}
    for name in own:
        if iskeyword(name) and f"{name}_" not in own:
            text = re.sub(rf"\b{name}_(?![a-zA-Z0-9_])", name, text)  # ² is of a word, too
    return text
