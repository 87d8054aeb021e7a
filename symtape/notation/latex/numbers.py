"""Which letters of LaTeX are numbers by where they stand, and whether a text looks like arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symtape.notation.tree import Node, in_order

_PRODUCTS = ("times", "dot")
_SUMS = ("add", "subtract")


def divisors(root: Node) -> Iterator[str]:
    r"""Give the variables that are factors or terms below a line: nobody divides by a matrix.

    Nothing but letters is below it, as in `\frac{1}{2N}`; a product like `Ax` may be a column.
    """
    for node in in_order(root):
        if node.word in ("fraction", "over") and not looks_like_arrays(node.operands[1]):
            factors = [_base(factor) for factor in _factors(node.operands[1], _SUMS)]
            if all(factor.word in ("name", "number") for factor in factors):
                yield from [factor.value for factor in factors if factor.word == "name"]


def looks_like_arrays(root: Node, *, sums: bool = False) -> bool:
    """Say whether a capital letter has a letter, or a sum, for its next factor, as a matrix has.

    One that stands alone between bars or above e may be a matrix, too.
    """
    nexts = ("name", *_SUMS) if sums else ("name",)
    for node in in_order(root):
        if node.word in ("exponential", "bars") and _is_capital(node.operands[0]):
            return True
        if node.word in _PRODUCTS:
            first, then = [*_factors(node.operands[0])][-1], next(_factors(node.operands[1]))
            first, then = _base(first), _base(then)
            if _is_capital(first) and then.word in nexts:
                return True
    return False


def behind_matrices(root: Node, told: Mapping[str, int]) -> Iterator[str]:
    r"""Give the variables that end a product behind a matrix or a transpose, as in `x^\top b`.

    They are columns: numbers stand in front. `told` are the ranks that are known.
    """
    for node in in_order(root):
        if node.word in _PRODUCTS and node.operands[1].word == "name":
            first = [*_factors(node.operands[0])][-1]
            if _is_matrix(first, told):
                yield str(node.operands[1].value)


def _is_matrix(node: Node, told: Mapping[str, int]) -> bool:
    """Say whether a factor is a matrix by its letters, or a row."""
    while node.word == "power":
        node = node.operands[0]
    if node.word in _SUMS:
        terms = [[*_factors(term)][-1] for term in _factors(node, _SUMS)]
        return any(_is_matrix(term, told) for term in terms if term.word not in _SUMS)
    return node.word in ("transpose", "unit") or (
        _is_capital(node) and told.get(str(node.value), 2) > 0
    )


def is_raised(root: Node, name: str) -> bool:
    """Say whether a variable has an exponent that is no whole number, as a matrix has none."""
    return any(
        node.word == "power"
        and node.operands[0][::3] == ("name", name)
        and not isinstance(_size(node.operands[1]), int)
        for node in in_order(root)
    )


def _size(exponent: Node) -> object:
    """Give a number without its sign."""
    return exponent.operands[0].value if exponent.word == "negative" else exponent.value


def _is_capital(node: Node) -> bool:
    return node.word == "name" and str(node.value[0]).isupper()


def _factors(node: Node, others: tuple[str, ...] = ()) -> Iterator[Node]:
    """Give the factors of a product from the left, and those in sums, if these are asked for."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.word in (*_PRODUCTS, "negative", *others):
            waiting += reversed(node.operands)
        else:
            yield node


def _base(node: Node) -> Node:
    """Give what is raised to a number."""
    is_raised = node.word == "power" and node.operands[1].word in ("number", "negative")
    return node.operands[0] if is_raised else node
