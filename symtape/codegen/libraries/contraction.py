"""How an Einsum is written for array libraries: views, sums, and products of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.kernels.contraction import aligned, atom
from symtape.program.operations import Einsum, Shape
from symtape.program.subscripts import Indices, Subscripts


class Term(NamedTuple):
    """An operand: its text, and its indices."""

    text: str
    indices: Indices


class Style(NamedTuple):
    """What the library is called, and whether it fuses a product with the sum of it."""

    xp: str
    fuses: bool


def einsum_text(
    operation: Einsum, names: Sequence[str], shapes: Sequence[Shape], style: Style
) -> str:
    """Write a contraction of named operands for a library."""
    xp = style.xp
    sizes = operation.index_sizes(shapes)
    unique = tuple(dict.fromkeys(operation.output))
    added = dict(operation.sizes)
    known = tuple([i for i in unique if i not in added])
    terms = [Term(n, t) for n, t in zip(names, operation.inputs, strict=True)]
    terms = [
        _reduced(term, set(known).union(*[t.indices for j, t in enumerate(terms) if j != k]), xp)
        for k, term in enumerate(terms)
    ]
    text = _transposed(_product(terms, known, sizes, style), known, xp)
    if added:
        axes = tuple([k for k, i in enumerate(unique) if i in added])
        text = f"spread({text}, {tuple([sizes[i] for i in unique])}, {axes})"
    if len(unique) < len(operation.output):
        text = f"on_diagonals({text}, {unique}, {operation.output})"
    return text


def _reduced(term: Term, keep: set[int], xp: str) -> Term:
    """Take diagonals, and sum over indices that nothing else has."""
    text, own = term
    unique = tuple(dict.fromkeys(own))
    if len(unique) < len(own):
        text = f"take_diagonal({text}, {own})"
    lone = tuple([axis for axis, i in enumerate(unique) if i not in keep])
    if lone:
        text = f"{xp}.sum({text}, axis={lone[0] if len(lone) == 1 else lone})"
    return Term(text, tuple([i for i in unique if i in keep]))


def _product(terms: list[Term], output: Indices, sizes: dict[int, int], style: Style) -> Term:
    """Multiply two at a time, in the cheapest order."""
    if len(terms) > 2:
        for pair in _path([t.indices for t in terms], output, sizes):
            chosen = [terms[k] for k in pair]
            rest = [t for k, t in enumerate(terms) if k not in pair]
            keep = set(output).union(*[t.indices for t in rest])
            inner = dict.fromkeys(i for t in chosen for i in t.indices if i in keep)
            terms = [*rest, _product(chosen, tuple(inner), sizes, style)]
        return terms[0]
    return terms[0] if len(terms) == 1 else _binary(terms[0], terms[1], output, style)


def _path(inputs: list[Indices], output: Indices, sizes: dict[int, int]) -> list[tuple[int, ...]]:
    operands = [np.broadcast_to(np.float64(0), [sizes[i] for i in term]) for term in inputs]
    how = "optimal" if len(inputs) < 8 else "greedy"
    found: list[Any] = np.einsum_path(
        Subscripts(tuple(inputs), output).text, *operands, optimize=how
    )[0]
    pairs: list[tuple[int, ...]] = []
    for step in found[1:]:
        count = len(inputs) - len(pairs)
        chosen = sorted(step)
        while len(chosen) > 2:  # what is to be done at once is done one after another
            pairs.append((chosen[-2], chosen[-1]))
            count -= 1
            chosen = [*chosen[:-2], count - 1]
        pairs.append(tuple(chosen))
    return pairs


def _transposed(term: Term, output: Indices, xp: str) -> str:
    text, own = term
    if own == output:
        return text
    if len(own) == 2:
        return f"{atom(text)}.T"
    return f"{xp}.transpose({text}, {tuple([own.index(i) for i in output])})"


def _aligned(term: Term, output: Indices, xp: str) -> str:
    """Bring axes into the order of the output, in the words of a library."""

    def transposed(text: str, own: Indices, order: Indices) -> str:
        return _transposed(Term(text, own), order, xp)

    return atom(aligned(*term, output, transposed))


def _binary(a: Term, b: Term, output: Indices, style: Style) -> Term:
    xp = style.xp
    contracted = [i for i in a.indices if i in b.indices and i not in output]
    if not contracted:
        return Term(f"({_aligned(a, output, xp)}*{_aligned(b, output, xp)})", output)
    free_a = [i for i in output if i in a.indices]
    free_b = [i for i in output if i in b.indices]
    simple = len(contracted) == 1 and len(free_a) <= 1 and len(free_b) <= 1
    if simple and free_a != free_b:
        return _matrix_product(a, b, output)
    if simple and not free_a:
        return Term(f"({atom(a.text)} @ {atom(b.text)})", output)
    batch = [i for i in free_a if i in free_b]
    if style.fuses and batch and batch in (free_a, free_b):  # each element is needed once
        every = max(a.indices, b.indices, key=len)  # in whose order nothing has to be moved
        axes = tuple([k for k, i in enumerate(every) if i in contracted])
        text = f"{_aligned(a, every, xp)}*{_aligned(b, every, xp)}"
        text = f"{xp}.sum({text}, axis={axes[0] if len(axes) == 1 else axes})"
        return Term(text, tuple([i for i in every if i not in contracted]))
    text = Subscripts((a.indices, b.indices), output).text
    return Term(f"{xp}.einsum({text!r}, {a.text}, {b.text})", output)


def _matrix_product(a: Term, b: Term, output: Indices) -> Term:
    if output[0] in b.indices:
        a, b = b, a
    left, right = atom(a.text), atom(b.text)
    if len(a.indices) == 2 and a.indices[0] not in output:
        left = f"{left}.T"
    if len(b.indices) == 2 and b.indices[1] not in output:
        right = f"{right}.T"
    return Term(f"({left} @ {right})", output)
