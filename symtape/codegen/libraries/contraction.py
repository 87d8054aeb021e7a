"""How an Einsum is written for array libraries: views, sums, and products of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symtape.kernels.contraction import Term, aligned, matrix_product
from symtape.kernels.nodes import ATOM, Attribute, Node, Word
from symtape.kernels.nodes import product as product_of
from symtape.program.contractions import pairs
from symtape.program.operations import Einsum, Shape
from symtape.program.subscripts import Indices, Subscripts


class Style(NamedTuple):
    """What the library is called, and whether it fuses a product with the sum of it."""

    xp: Word
    fuses: bool


def einsum_node(
    operation: Einsum, nodes: Sequence[Node], shapes: Sequence[Shape], style: Style
) -> Node:
    """Write a contraction of operands for a library."""
    xp = style.xp
    sizes = operation.index_sizes(shapes)
    unique = tuple(dict.fromkeys(operation.output))
    added = dict(operation.sizes)
    known = tuple([i for i in unique if i not in added])
    terms = [Term(n, t) for n, t in zip(nodes, operation.inputs, strict=True)]
    terms = [
        _reduced(term, set(known).union(*[t.indices for j, t in enumerate(terms) if j != k]), xp)
        for k, term in enumerate(terms)
    ]
    made = _transposed(_product(terms, known, sizes, style), known, xp)
    if added:
        axes = tuple([k for k, i in enumerate(unique) if i in added])
        made = Word("spread")(made, tuple([sizes[i] for i in unique]), axes)
    if len(unique) < len(operation.output):
        made = Word("on_diagonals")(made, unique, operation.output)
    return made


def _reduced(term: Term, keep: set[int], xp: Word) -> Term:
    """Take diagonals, and sum over indices that nothing else has."""
    node, own = term
    unique = tuple(dict.fromkeys(own))
    if len(unique) < len(own):
        node = Word("take_diagonal")(node, own)
    lone = tuple([axis for axis, i in enumerate(unique) if i not in keep])
    if lone:
        node = xp.sum(node, axis=lone[0] if len(lone) == 1 else lone)
    return Term(node, tuple([i for i in unique if i in keep]))


def _product(terms: list[Term], output: Indices, sizes: dict[int, int], style: Style) -> Term:
    """Multiply two at a time, in the cheapest order."""
    if len(terms) > 2:
        for pair in pairs([t.indices for t in terms], output, sizes):
            chosen = [terms[k] for k in pair]
            rest = [t for k, t in enumerate(terms) if k not in pair]
            keep = set(output).union(*[t.indices for t in rest])
            inner = dict.fromkeys(i for t in chosen for i in t.indices if i in keep)
            terms = [*rest, _product(chosen, tuple(inner), sizes, style)]
        return terms[0]
    return terms[0] if len(terms) == 1 else _binary(terms[0], terms[1], output, style)


def _transposed(term: Term, output: Indices, xp: Word) -> Node:
    node, own = term
    if own == output:
        return node
    if len(own) == 2:
        return Attribute(node, "T")
    return xp.transpose(node, tuple([own.index(i) for i in output]))


def _multiplied(a: Term, b: Term, output: Indices, xp: Word) -> Node:
    """Multiply elementwise, with axes in the order of the output."""

    def turned(term: Term, order: Indices) -> Node:
        return _transposed(term, order, xp)

    return product_of([aligned(a, output, turned), aligned(b, output, turned)], ATOM)


def _binary(a: Term, b: Term, output: Indices, style: Style) -> Term:
    xp = style.xp
    contracted = [i for i in a.indices if i in b.indices and i not in output]
    if not contracted:
        return Term(_multiplied(a, b, output, xp), output)
    free_a = [i for i in output if i in a.indices]
    free_b = [i for i in output if i in b.indices]
    simple = len(contracted) == 1 and len(free_a) <= 1 and len(free_b) <= 1
    if simple and free_a != free_b:
        return Term(matrix_product(a, b, output), output)
    if simple and not free_a:
        return Term(a.node @ b.node, output)
    batch = [i for i in free_a if i in free_b]
    if style.fuses and batch and batch in (free_a, free_b):  # each element is needed once
        every = max(a.indices, b.indices, key=len)  # in whose order nothing has to be moved
        axes = tuple([k for k, i in enumerate(every) if i in contracted])
        made = _multiplied(a, b, every, xp)
        made = xp.sum(made, axis=axes[0] if len(axes) == 1 else axes)
        return Term(made, tuple([i for i in every if i not in contracted]))
    text = Subscripts((a.indices, b.indices), output).text
    return Term(xp.einsum(text, a.node, b.node), output)
