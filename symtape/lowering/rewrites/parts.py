"""Sums of parts, each in zeros: what makes up an axis stands there one after another.

That is what the gradient of a roll is, of what is taken apart, and of a system's state. A zero that
is added changes nothing but the sign of another zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symtape.lowering.folder import Folder, Scaled
from symtape.lowering.rewrites.sums import added, terms_of
from symtape.program.kinds.structural import Concat, Embed
from symtape.program.operations import Operation

Part = tuple[int, int, int]
"""An axis, counted from the end, and the places on it from one to another."""


def placed_parts(f: Folder, addition: Operation, operands: Sequence[int], p: int) -> Scaled | None:
    """Put parts that make up an axis one after another, rather than each into zeros."""
    if f.exactly or not f.has_parts:
        return None
    others, found = [], dict[Part, list[Scaled]]()
    for term in terms_of(f, addition, operands, p):
        part = _part(f, term)
        if part is None:
            others.append(term)
        else:
            found.setdefault(part, []).append(term)
    terms = []
    for chain in _chains(found, f.program.shapes[p]):
        inner = [_inner(f, found.pop(part), p) for part in chain]
        terms.append(Scaled(1.0, f.b.append(Concat(chain[0][0]), *inner)))
    if not terms:
        return None
    terms = [*others, *terms, *[term for group in found.values() for term in group]]
    return added(f, terms, p) if len(terms) > 1 else terms[0]


def _part(f: Folder, term: Scaled) -> Part | None:
    """Say where a term stands, if it is whole along all axes but one."""
    operation = None if term.core is None else f.b.steps[term.core][0]
    if type(operation) is not Embed:
        return None
    rank = len(operation.sizes)
    pairs = zip(operation.ranges, operation.sizes, strict=True)
    cut = [(k - rank, r) for k, (r, n) in enumerate(pairs) if r != (0, 1, n)]
    if len(cut) != 1:
        return None
    ((axis, (first, step, count)),) = cut
    return (axis, first, first + count) if count and (step == 1 or count == 1) else None


def _chains(found: Mapping[Part, Sequence[Scaled]], shape: Sequence[int]) -> Iterator[list[Part]]:
    """List parts that follow one another from the beginning of an axis to its end."""
    left = sorted(found)
    for part in sorted(found):
        chain = [part]
        while chain[-1][2] < shape[part[0]]:
            after = [q for q in left if q[:2] == (part[0], chain[-1][2])]
            if not after:
                break
            chain.append(after[0])
        if part in left and part[1] == 0 and chain[-1][2] == shape[part[0]]:
            left = [q for q in left if q not in chain]
            yield chain


def _inner(f: Folder, terms: Sequence[Scaled], p: int) -> int:
    """Add up what stands at the same places."""
    dtype = f.program.dtypes[p]
    cores = [Scaled(t.number, f.b.steps[t.core][1]) for t in terms if t.core is not None]
    return f.b.total([f.multiplied(t, dtype) for t in cores])
