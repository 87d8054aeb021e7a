"""How NumPy writes an Einsum: views, sums, and matrix products rather than index loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtape.program.operations import Einsum
from symtape.program.subscripts import Indices, Subscripts, spell


def einsum_text(operation: Einsum, operands: Sequence[str]) -> str:
    """Write a contraction of named operands as one NumPy expression."""
    unique = tuple(dict.fromkeys(operation.output))
    added = dict(operation.sizes)
    known = tuple(i for i in unique if i not in added)
    rest = [
        set(operation.output).union(*_others(operation.inputs, k)) for k in range(len(operands))
    ]
    pairs = [
        _reduced(text, term, keep)
        for text, term, keep in zip(operands, operation.inputs, rest, strict=True)
    ]
    if len(pairs) == 1:
        text = _transposed(*pairs[0], known)
    elif len(pairs) == 2:
        text = _binary(pairs[0], pairs[1], known)
    else:
        subscripts = Subscripts(tuple(term for _, term in pairs), known).text
        text = f"contract({subscripts!r}, {', '.join(t for t, _ in pairs)})"
    if added:
        axes = tuple((place, added[i]) for place, i in enumerate(unique) if i in added)
        text = f"spread({text}, {axes})"
    if len(unique) < len(operation.output):
        text = f"diagonal({text}, {unique}, {operation.output})"
    return text


def _others(inputs: Sequence[Indices], k: int) -> list[set[int]]:
    return [set(term) for i, term in enumerate(inputs) if i != k]


def _reduced(text: str, term: Indices, keep: set[int]) -> tuple[str, Indices]:
    """Take diagonals, and sum over indices that nothing else has."""
    unique = tuple(dict.fromkeys(term))
    if len(unique) < len(term):
        text = f"np.einsum({Subscripts((term,), unique).text!r}, {text})"
    lone = tuple(axis for axis, i in enumerate(unique) if i not in keep)
    if lone:
        text = f"total({text}, {lone})"
    return text, tuple(i for i in unique if i in keep)


def atom(text: str) -> str:
    """Put parentheses around what binds less tightly than a method call."""
    if text.isidentifier():
        return text
    depth = 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if depth == 0 and c in " +-*/@~":
            return f"({text})"
    return text


def _transposed(text: str, term: Indices, output: Indices) -> str:
    if term == output:
        return text
    if len(term) == 2:
        return f"{atom(text)}.T"
    return f"{atom(text)}.transpose({', '.join(str(term.index(i)) for i in output)})"


def aligned(
    text: str,
    term: Indices,
    output: Indices,
    transposed: Callable[[str, Indices, Indices], str] = _transposed,
) -> str:
    """Bring axes into the order of the output, with new ones of size one before those they lack."""
    present = tuple(i for i in output if i in term)
    text = transposed(text, term, present)
    first = output.index(present[0]) if present else len(output)
    if present and len(present) < len(output) - first:
        inner = ", ".join(":" if i in term else "None" for i in output[first:])
        text = f"{atom(text)}[{inner}]"
    return text


def _binary(a: tuple[str, Indices], b: tuple[str, Indices], output: Indices) -> str:
    contracted = [i for i in a[1] if i in b[1] and i not in output]
    if not contracted:
        return f"{atom(aligned(*a, output))}*{atom(aligned(*b, output))}"
    batch = [i for i in output if i in a[1] and i in b[1]]
    free_a = [i for i in output if i in a[1] and i not in b[1]]
    free_b = [i for i in output if i in b[1] and i not in a[1]]
    if not batch and len(contracted) == 1 and len(free_a) <= 1 and len(free_b) <= 1:
        return _matrix_product(a, b, output)
    if not free_a and not free_b:
        if not batch and a[1] == b[1]:
            return f"inner({a[0]}, {b[0]})"
        return f"np.einsum({Subscripts((a[1], b[1]), output).text!r}, {a[0]}, {b[0]})"
    order_a = [a[1].index(i) for i in [*batch, *free_a, *contracted]]
    order_b = [b[1].index(i) for i in [*batch, *contracted, *free_b]]
    counts = (len(batch), len(free_a), len(contracted), len(free_b))
    text = f"product({a[0]}, {b[0]}, {order_a}, {order_b}, {counts})"
    return _transposed(text, (*batch, *free_a, *free_b), output)


def _matrix_product(a: tuple[str, Indices], b: tuple[str, Indices], output: Indices) -> str:
    if output and output[0] in b[1]:
        a, b = b, a
    left, right = a[0], b[0]
    if len(a[1]) == 2 and a[1][0] not in output:
        left = f"{atom(left)}.T"
    if len(b[1]) == 2 and b[1][1] not in output:
        right = f"{atom(right)}.T"
    return f"{atom(left)} @ {atom(right)}"


__all__ = ["aligned", "atom", "einsum_text", "spell"]
