"""Sums of parts at their places, as a matrix of blocks: [x; y] for I[0:2]ᵀ x + I[2:5]ᵀ y."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import Matrix, Node, Product, Selection, Shape, Turned

Range = tuple[int, int]


class Placed(NamedTuple):
    """A block, and the rows and columns that it fills."""

    block: Matrix
    rows: Range
    columns: Range


def blocks(algebra: Algebra, e: Any, shape: Shape) -> list[list[Matrix]] | None:
    """Read a sum as rows of blocks that fill an array, zeros not more than others; else None.

    Of entries there may be twice as many zeros.
    """
    if not isinstance(e, sp.Add):
        return None
    found_or_not = [placed(algebra, term, shape) for term in e.args]
    whole = [x for x in found_or_not if x is not None]
    if len(whole) < len(found_or_not):
        return None
    found = [part for x in whole for part in _apart(algebra, x)]
    rows, columns = (_cut(cuts, n) for cuts, n in zip(_places(found), shape, strict=True))
    grid: dict[tuple[Range, Range], Matrix] = {}
    for block, *place in found:
        key = place[0], place[1]
        grid[key] = algebra.plus(grid[key], block) if key in grid else block
    if not set(grid) <= set(product(rows, columns)):
        return None
    least = 3 if all(x.is_scalar for x in grid.values()) else 2
    if not 1 < len(rows) * len(columns) <= least * len(grid):
        return None
    made = [
        [grid.get((r, c)) or algebra.number(0, (r[1] - r[0], c[1] - c[0])) for c in columns]
        for r in rows
    ]
    inner = [blocks(algebra, *row[0]) if len(row) == 1 else None for row in made]
    opened = [row for within in inner if within is not None for row in within]
    is_grid = None not in inner and len({tuple(x.shape[1] for x in row) for row in opened}) == 1
    return opened if is_grid else made


def blocks_within(algebra: Algebra, e: Any, shape: Shape) -> tuple[list[list[Matrix]] | None, Any]:
    """Read a sum, or the terms of it that stand at places, as blocks; give the other terms."""
    found = blocks(algebra, e, shape)
    if found is not None or not isinstance(e, sp.Add):
        return found, sp.S.Zero
    everywhere = [t for t in e.args if not _is_part(placed(algebra, t, shape), shape)]
    rest = sp.Add(*everywhere)
    return (blocks(algebra, e - rest, shape) if everywhere else None), rest


def stands_at_places(algebra: Algebra, x: Matrix) -> bool:
    """Say whether something, or each term of a sum, stands at some places among zeros."""
    if x.is_scalar:
        return False
    terms = [placed(algebra, t, x.shape) for t in sp.Add.make_args(x.entry)]
    return all(_is_part(found, x.shape) for found in terms)


def _is_part(found: Placed | None, shape: Shape) -> bool:
    """Say whether something stands at some places alone."""
    return found is not None and (found.rows, found.columns) != ((0, shape[0]), (0, shape[1]))


def _apart(algebra: Algebra, x: Placed) -> list[Placed]:
    """Take a block apart that is a sum of parts at their places."""
    terms = [placed(algebra, t, x.block.shape) for t in sp.Add.make_args(x.block.entry)]
    parts = [t for t in terms if t is not None and _is_part(t, x.block.shape)]
    if len(parts) < len(terms):
        return [x]
    return [
        Placed(t.block, *(_moved(own, by) for own, by in zip(t[1:], x[1:], strict=True)))
        for t in parts
    ]


def _moved(own: Range, by: Range) -> Range:
    return own[0] + by[0], own[1] + by[0]


def _places(found: list[Placed]) -> tuple[set[Range], set[Range]]:
    return {x.rows for x in found}, {x.columns for x in found}


def _cut(ranges: set[Range], size: int) -> list[Range]:
    """Cut all places wherever a range begins or ends."""
    return list(pairwise(sorted({0, size}.union(*ranges))))


def placed(algebra: Algebra, term: Any, shape: Shape) -> Placed | None:
    """Take the places off a term that is a multiple of a product."""
    arrays = algebra.arrays(term)
    if len(arrays) != 1:
        return None
    node = algebra.nodes[arrays[0]]
    numbers = [f for f in sp.Mul.make_args(term) if f != arrays[0]]
    if len(numbers) + 1 != len(sp.Mul.make_args(term)) or any(f.has(arrays[0]) for f in numbers):
        return None
    parts = list(node.parts) if isinstance(node, Product) else [algebra.of(node)]
    rows: Range = (0, shape[0])
    columns: Range = (0, shape[1])
    first = algebra.node(parts[0])
    if isinstance(first, Turned) and (found := _range(first.of)):
        rows, parts = found, parts[1:]
    if parts and (found := _range(algebra.node(parts[-1]))):
        columns, parts = found, parts[:-1]
    made = algebra.product(*parts) if parts else algebra.identity(rows[1] - rows[0])
    return Placed(algebra.times(algebra.number(sp.Mul(*numbers)), made), rows, columns)


def _range(node: Node | None) -> Range | None:
    """Give the neighbouring rows that a selection takes."""
    if not isinstance(node, Selection) or node.step != 1:
        return None
    return node.first, node.first + node.shape[0]
