"""Choices by truth values that are repeated, as those of rows: diag([c]) X + diag([¬c]) Y.

A truth value is no factor of a product, but its bracket is: 1 where it holds, and else 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, TypeGuard

import sympy as sp

from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.kinds.structural import Reshape
from symtape.program.operations import (
    Cast,
    Constant,
    Einsum,
    Map,
    Operation,
    broadcast_shapes,
    parameters,
)
from symtape.program.program import Builder

_NOT = ops.elementwise("logical_not", scalar.negation, result="bool")


class Masks:
    """Writes brackets in place of truth values that stand elsewhere than where they were told."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self._made: dict[tuple[int, str, bool], int] = {}

    def written(self, operation: Operation, own: Sequence[int]) -> int | None:
        """Write a choice, or a cast, of moved truth values as products; None for another step."""
        if isinstance(operation, Cast) and self._is_moved(own[0]):
            is_number = operation.dtype.kind in "fc"
            return self._bracket(own[0], str(operation.dtype), holds=True) if is_number else None
        found = _choice(operation) if isinstance(operation, Map) else None
        if found is None or not self._is_repeated(found[0], own):
            return None
        k, *bodies = found
        cases = [self._case(body, own) for body in bodies]
        masks = [self._bracket(own[k], self._dtype(own, k), holds=holds) for holds in (True, False)]
        terms = [
            self.b.append(ops.multiply, mask, case)
            for mask, case in zip(masks, cases, strict=True)
            if case is not None
        ]
        return self.b.append(ops.add, *terms) if len(terms) == 2 else terms[0] if terms else None

    def _is_repeated(self, k: int, own: Sequence[int]) -> bool:
        """Say whether the operand that chooses is the same along an axis, for more than one."""
        shape = self.b.shapes[own[k]]
        whole = broadcast_shapes([self.b.shapes[p] for p in own])
        return self._is_moved(own[k]) or (prod(shape) > 1 and shape != whole)

    def _dtype(self, own: Sequence[int], k: int) -> str:
        return str(next(self.b.dtypes[p] for j, p in enumerate(own) if j != k))

    def _is_moved(self, p: int) -> bool:
        """Say whether truth values stand elsewhere, or are made of such."""
        operation, *operands = self.b.steps[p]
        if self.b.dtypes[p].kind != "b":
            return False
        if _joins(operation):
            shape = self.b.shapes[p]
            return any([self._is_moved(q) or self.b.shapes[q] != shape for q in operands])
        return isinstance(operation, Reshape) or _is_of_one(operation)

    def _bracket(self, p: int, dtype: str, *, holds: bool) -> int:
        key = (p, dtype, holds)
        if key not in self._made:
            self._made[key] = self._new_bracket(p, dtype, holds=holds)
        return self._made[key]

    def _new_bracket(self, p: int, dtype: str, *, holds: bool) -> int:
        """Write 1 where truth values hold, or where they do not: of both it is a product."""
        operation, *operands = self.b.steps[p]
        if not self._is_moved(p):
            return self.b.append(Cast(dtype), p if holds else self.b.append(_NOT, p))
        if not _joins(operation):
            return self.b.append(operation, self._bracket(operands[0], dtype, holds=holds))
        if len(operands) == 1:
            return self._bracket(operands[0], dtype, holds=not holds)
        is_both = isinstance(operation.formula[1], sp.And)
        parts = [self._bracket(q, dtype, holds=is_both) for q in operands]
        product = self.b.append(ops.multiply, *parts)
        if holds == is_both:
            return product
        return self.b.append(ops.subtract, self.b.append(Constant.of(1, dtype)), product)

    def _case(self, body: Any, own: Sequence[int]) -> int | None:
        """Compute a case of the operands that it has; None for zero."""
        if body == 0:
            return None
        symbols = parameters(len(own))
        if body in symbols:
            return own[symbols.index(body)]
        used = [k for k, symbol in enumerate(symbols) if body.has(symbol)]
        swap = dict(zip([symbols[k] for k in used], parameters(len(used)), strict=True))
        if not used:
            dtype = next(self.b.dtypes[p] for p in own if self.b.dtypes[p].kind != "b")
            return self.b.append(Constant.of(body, dtype))
        return self.b.append(Map.of(body.xreplace(swap), len(used)), *[own[k] for k in used])


def _joins(operation: Operation) -> TypeGuard[Map]:
    """Say whether a truth value is that both of two hold, that one does, or that one does not."""
    return isinstance(operation, Map) and isinstance(operation.formula[1], (sp.And, sp.Or, sp.Not))


def _is_of_one(operation: Operation) -> bool:
    return isinstance(operation, Einsum) and len(operation.inputs) == 1


def _choice(operation: Map) -> tuple[int, Any, Any] | None:
    """Give which operand chooses between which two bodies, if one does."""
    body = operation.body
    if operation.result != "same" or not isinstance(body, sp.Piecewise) or len(body.args) != 2:
        return None
    (first, which), (second, otherwise) = body.args
    symbols = parameters(operation.arity)
    if (
        otherwise != sp.true
        or which not in symbols
        or which in first.free_symbols | second.free_symbols
    ):
        return None
    return symbols.index(which), first, second
