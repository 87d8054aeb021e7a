"""How NumPy writes an Einsum: views, sums, and matrix products rather than index loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from symtape.kernels.nodes import ATOM, NP, Attribute, Literal, Node, Word
from symtape.kernels.nodes import product as product_of
from symtape.program.operations import Einsum, Operation
from symtape.program.subscripts import Indices, Subscripts


class Term(NamedTuple):
    """An operand, and its indices."""

    node: Node
    indices: Indices


def adds_products(operation: Operation) -> bool:
    """Say whether this is a contraction that adds up products, and no product by entry."""
    if type(operation) is not Einsum or len(operation.inputs) < 2:
        return False
    return any([i not in operation.output for term in operation.inputs for i in term])


def einsum_node(operation: Einsum, operands: Sequence[Node]) -> Node:
    """Write a contraction of operands as one NumPy expression."""
    unique = tuple(dict.fromkeys(operation.output))
    added = dict(operation.sizes)
    known = tuple(i for i in unique if i not in added)
    terms = [
        _reduced(Term(node, term), set(known).union(*_others(operation.inputs, k)))
        for k, (node, term) in enumerate(zip(operands, operation.inputs, strict=True))
    ]
    if len(terms) == 1:
        made = transposed(terms[0], known)
    elif len(terms) == 2:
        made = _binary(terms[0], terms[1], known)
    else:
        subscripts = Subscripts(tuple(term.indices for term in terms), known).text
        made = Word("contract")(subscripts, *[term.node for term in terms])
    if added and set(added.values()) == {1}:
        made = made[tuple([NEW if i in added else EVERY for i in unique])]
    elif added:
        axes = tuple((place, added[i]) for place, i in enumerate(unique) if i in added)
        made = Word("spread")(made, axes)
    if len(unique) < len(operation.output):
        made = Word("diagonal")(made, unique, operation.output)
    return made


def _others(inputs: Sequence[Indices], k: int) -> list[set[int]]:
    return [set(term) for i, term in enumerate(inputs) if i != k]


def _reduced(term: Term, keep: set[int]) -> Term:
    """Take diagonals, and sum over indices that nothing else has."""
    node, own = term
    unique = tuple(dict.fromkeys(own))
    if len(unique) < len(own):
        node = NP.einsum(Subscripts((own,), unique).text, node)
    lone = tuple(axis for axis, i in enumerate(unique) if i not in keep)
    if lone:
        node = Word("total")(node, lone)
    return Term(node, tuple(i for i in unique if i in keep))


def transposed(term: Term, output: Indices) -> Node:
    """Bring the axes into the order of the output."""
    node, own = term
    if own == output:
        return node
    if len(own) == 2:
        return Attribute(node, "T")
    return Attribute(node, "transpose")(*[own.index(i) for i in output])


def aligned(
    term: Term, output: Indices, turned: Callable[[Term, Indices], Node] = transposed
) -> Node:
    """Bring axes into the order of the output, with new ones of size one before those they lack."""
    own = term.indices
    present = tuple(i for i in output if i in own)
    node = turned(term, present)
    first = output.index(present[0]) if present else len(output)
    if present and len(present) < len(output) - first:
        node = node[tuple([EVERY if i in own else NEW for i in output[first:]])]
    return node


EVERY, NEW = Literal(":"), Literal("None")
"""What an index says of an axis that stays, and of a new one."""


def _binary(a: Term, b: Term, output: Indices) -> Node:
    contracted = [i for i in a.indices if i in b.indices and i not in output]
    if not contracted:
        return product_of([aligned(a, output), aligned(b, output)], ATOM)
    batch = [i for i in output if i in a.indices and i in b.indices]
    free_a = [i for i in output if i in a.indices and i not in b.indices]
    free_b = [i for i in output if i in b.indices and i not in a.indices]
    if not batch and len(contracted) == 1 and len(free_a) <= 1 and len(free_b) <= 1:
        return matrix_product(a, b, output)
    if not free_a and not free_b:
        if not batch and a.indices == b.indices:
            return Word("inner")(a.node, b.node)
        return NP.einsum(Subscripts((a.indices, b.indices), output).text, a.node, b.node)
    order_a = [a.indices.index(i) for i in [*batch, *free_a, *contracted]]
    order_b = [b.indices.index(i) for i in [*batch, *contracted, *free_b]]
    counts = (len(batch), len(free_a), len(contracted), len(free_b))
    made = _stacked(a, b, (order_a, order_b), counts)
    if made is None:
        made = Word("product")(a.node, b.node, order_a, order_b, counts)
    return transposed(Term(made, (*batch, *free_a, *free_b)), output)


def _stacked(a: Term, b: Term, orders: Sequence[list[int]], counts: tuple[int, ...]) -> Node | None:
    """Multiply stacks of matrices, or of matrices and vectors, as NumPy has it for first axes."""
    (order_a, order_b), (batch, *rest) = orders, counts
    if batch == 0:
        return None
    if rest == [1, 1, 1]:
        left, right = _as_matrices(a.node, order_a), _as_matrices(b.node, order_b)
        return None if left is None or right is None else left @ right
    if rest == [1, 1, 0] and order_b == [*range(batch + 1)]:
        left = _as_matrices(a.node, order_a)
        return None if left is None else NP.matvec(left, b.node)
    if rest == [0, 1, 1] and order_a == [*range(batch + 1)]:
        right = _as_matrices(b.node, [*order_b[:batch], order_b[-1], order_b[-2]])
        return None if right is None else NP.matvec(right, a.node)
    return None


def _as_matrices(node: Node, order: list[int]) -> Node | None:
    """Write a stack of matrices in an order of its axes, if that turns each matrix at most."""
    *lead, i, j = order
    if lead != [*range(len(lead))]:
        return None
    return node if i < j else Attribute(node, "mT")


def matrix_product(a: Term, b: Term, output: Indices) -> Node:
    """Multiply matrices or vectors over one index."""
    if output and output[0] in b.indices:
        a, b = b, a
    left, right = a.node, b.node
    if len(a.indices) == 2 and a.indices[0] not in output:
        left = Attribute(left, "T")
    if len(b.indices) == 2 and b.indices[1] not in output:
        right = Attribute(right, "T")
    return left @ right
