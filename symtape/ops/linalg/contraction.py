"""`tf.einsum`: its subscripts, what they refuse, and which axes broadcast."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from symtape.calls import Call
from symtape.errors import NotFoundError
from symtape.ops.arguments import PRODUCTS, alike, allowed, check, listed, same_dtype
from symtape.program.operations import Einsum
from symtape.program.subscripts import SubscriptsError, parse
from symtape.tensor.dispatch import apply, invalid, misfit
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_MULTIPLIED = allowed("bfloat16, half, float, double, int32, int64, complex64, complex128")
"""Dtypes that TensorFlow contracts on a processor."""


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Products and sums in Einstein's notation: indices that the result lacks are summed over.

    `...` stands for axes that broadcast. Raises `ValueError` for text of another form and
    `InvalidArgumentError` for shapes that do not fit it. `optimize` and `name` change nothing.

    >>> einsum("ij,jk->ik", [[1.0, 2.0]], [[3.0], [4.0]]).numpy()
    array([[11.]], dtype=float32)
    """
    for key in kwargs:
        if key not in ("name", "optimize"):
            raise TypeError(
                f"Invalid keyword arguments for einsum: {key}. "
                "Valid arguments: name, optimize, greedy."
            )
    operands = alike(inputs)
    if operands and dtype_of(operands[0]).char not in _MULTIPLIED.letters:
        raise NotFoundError(
            message="Could not find device for node: {{node Einsum}} = "
            f"Einsum[N={len(inputs)}, T=DT_{operands[0].dtype.enum_name.upper()}, "
            f'equation="{equation}"] [Op:Einsum] name: '
        )
    return _apply(equation, operands)


def stretching_einsum(equation: str, operands: Sequence[Tensor]) -> Tensor:
    """Contract as NumPy does, where an axis of size one also meets a longer one by its letter."""
    return _apply(equation, operands, stretch=True)


def _apply(equation: str, operands: Sequence[Tensor], *, stretch: bool = False) -> Tensor:
    if not operands:
        raise ValueError(
            f"Got 0 inputs for equation {equation!r}, expecting {equation.count(',') + 1}"
        )
    for k, x in enumerate(operands[1:], 1):
        same_dtype("Einsum", operands[0], x, k)
    check("Einsum", operands[0], PRODUCTS, "inputs:N*T -> output:T")
    operation = _einsum(equation, tuple([shape_of(x) for x in operands]), stretch)
    return apply(operation, *operands)


@lru_cache(maxsize=4096)
def _einsum(equation: str, shapes: tuple[tuple[int, ...], ...], stretch: bool) -> Einsum:
    text = equation.replace(" ", "")
    head, arrow, tail = text.partition("->")
    terms = head.split(",")
    if len(terms) != len(shapes):
        raise ValueError(
            f'Got {len(shapes)} inputs for equation "{equation}", expecting {len(terms)}'
        )
    for k, (term, shape) in enumerate(zip(terms, shapes, strict=True)):
        if "..." not in term and term.isalpha() and len(term) != len(shape):
            raise invalid(
                "Einsum", f"Expected input {k} to have rank {len(term)} but got: {len(shape)}"
            )
        least = len(term.replace("...", ""))
        if term.count("...") == 1 and least > len(shape):
            raise invalid(
                "Einsum", f"Expected input {k} to have rank at least {least} but got: {len(shape)}"
            )
    _check_subscripts(equation, text)
    try:
        subscripts = parse(text, [len(s) for s in shapes])
    except SubscriptsError as error:
        raise ValueError(f"Subscripts have incorrect format: {error}") from None
    if len(set(subscripts.output)) < len(subscripts.output):
        raise ValueError(f"Output subscripts contain a label appearing more than once: {equation}")
    dotted = _dotted(terms, subscripts.inputs)
    if dotted and arrow and "..." not in tail:
        raise invalid(
            "Einsum",
            f"Output contains {len(dotted)} broadcasting dimension(s) but no ellipsis (...) was "
            "found in the output subscripts.",
        )
    wide = {i for term in subscripts.inputs for i in term} if stretch else dotted
    return _broadcast(subscripts.inputs, subscripts.output, shapes, wide)


def _dotted(terms: Sequence[str], inputs: Sequence[Sequence[int]]) -> set[int]:
    """Find the indices that the ellipses stand for."""
    found: set[int] = set()
    for term, indices in zip(terms, inputs, strict=True):
        before, dots, after = term.partition("...")
        found |= set(indices[len(before) : len(indices) - len(after)]) if dots else set()
    return found


def _check_subscripts(equation: str, text: str) -> None:
    if not re.fullmatch(r"(?:[a-zA-Z]|\.{3}|,)*(?:->(?:[a-zA-Z]|\.{3})*)?", text):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    head, _, tail = text.partition("->")
    for label in tail.replace(".", ""):
        if label not in head:
            raise ValueError(
                f"Output subscripts contain the label {label} not present in the input subscripts."
            )


def _broadcast(
    inputs: Sequence[Sequence[int]],
    output: Sequence[int],
    shapes: Sequence[tuple[int, ...]],
    wide: set[int],
) -> Einsum:
    """Give axes of size one that meet a larger one an index of their own, which is summed away.

    Only indices of `wide` do; and an index that one operand has twice has one size there.
    """
    sizes: dict[int, int] = {}
    for term, shape in zip(inputs, shapes, strict=True):
        for i, n in zip(term, shape, strict=True):
            sizes[i] = n if i in wide and sizes.get(i, 1) == 1 else sizes.get(i, n)
    renamed: list[list[int]] = []
    for term, shape in zip(inputs, shapes, strict=True):
        new: list[int] = []
        for axis, (i, n) in enumerate(zip(term, shape, strict=True)):
            wanted = shape[term.index(i)] if term.count(i) > 1 else sizes[i]
            if n != wanted and not (n == 1 and i in wide and term.count(i) == 1):
                raise misfit(
                    Call("Einsum", many=f"N_{min(len(shapes), 2)}"),
                    f"Expected dimension {wanted} at axis {axis} of the input shaped "
                    f"{listed(shape)} but got dimension {n}",
                )
            new.append(i if n == sizes[i] else 1000 * (len(renamed) + 1) + term.index(i))
        renamed.append(new)
    return Einsum.of(renamed, output)
