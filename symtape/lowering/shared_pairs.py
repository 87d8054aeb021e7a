"""Products of two factors that several contractions of three share: A y, in xᵀA y and in c A y."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

from symtape.program.contractions import kept
from symtape.program.operations import Einsum, Operation
from symtape.program.program import Builder, Program

_THREE = 3

Key = tuple[Operation, tuple[int, ...]]
"""A step: how factors are multiplied, and which they are."""


class Pair(NamedTuple):
    """Two factors of three: how they are multiplied, which they are, and how the third comes in."""

    product: Einsum
    factors: tuple[int, int]
    whole: Einsum
    other: int
    work: int
    rest: int

    @property
    def key(self) -> Key:
        """What contractions have in common."""
        return self.product, self.factors


def with_shared_pairs(program: Program) -> tuple[Program, Sequence[int]]:
    """Multiply once what several contractions multiply; give the new place of each step.

    That is so where all are no more work than by themselves, the product counted by how many use
    it. Contractions of more factors stay as they are.
    """
    found = {p: [*_pairs(program, p)] for p in range(len(program))}
    uses = Counter[Key](pair.key for pairs in found.values() for pair in pairs)
    uses.update((step[0], tuple(step[1:])) for step in program.steps if len(step) == _THREE)
    chosen = {p: _chosen(pairs, uses) for p, pairs in found.items() if pairs}
    if not any(chosen.values()):
        return program, range(len(program))
    shared = {pair.key for pair in chosen.values() if pair is not None}
    b, place, made = Builder(), list[int](), dict[Any, int]()

    def product(key: Key) -> int:
        if key not in made:
            made[key] = b.apart(key[0], *[place[i] for i in key[1]])
        return made[key]

    for p, step in enumerate(program.steps):
        operation, *operands = step
        pair = chosen.get(p)
        if pair is not None:
            place.append(b.apart(pair.whole, product(pair.key), place[pair.other]))
        elif (key := (operation, tuple(operands))) in shared:
            place.append(product(key))
        else:
            place.append(b.apart(operation, *[place[i] for i in operands]))
    return b.finish(), place


def _chosen(pairs: Sequence[Pair], uses: Counter[Key]) -> Pair | None:
    """Choose the pair that others use, too, if it saves work."""
    alone = min(pair.work + pair.rest for pair in pairs)
    many = [pair for pair in pairs if uses[pair.key] > 1]
    best = min(many, key=lambda pair: pair.work / uses[pair.key] + pair.rest, default=None)
    if best is None or best.work / uses[best.key] + best.rest > alone:
        return None
    return best


def _pairs(program: Program, p: int) -> Iterator[Pair]:
    """List the ways to multiply two of three factors first."""
    operation, *operands = program.steps[p]
    if type(operation) is not Einsum or len(operands) != _THREE or operation.sizes:
        return
    if any(len(set(term)) < len(term) for term in (*operation.inputs, operation.output)):
        return
    sizes = operation.index_sizes([program.shapes[i] for i in operands])
    for pair in combinations(range(_THREE), 2):
        one, two = sorted(pair, key=operands.__getitem__)
        (other,) = {0, 1, 2} - {one, two}
        terms = [operation.inputs[k] for k in (one, two)]
        joined = {*terms[0], *terms[1]}
        own = kept(operation.inputs, (one, two), operation.output)
        if len(own) == len(joined):
            continue  # nothing is summed
        last = operation.inputs[other]
        yield Pair(
            Einsum.of(terms, own),
            (operands[one], operands[two]),
            Einsum.of([own, last], operation.output),
            operands[other],
            prod([sizes[i] for i in joined]),
            prod([sizes[i] for i in {*own, *last}]),
        )
