"""Names for the parts of a long formula: p = σ(X w) in Xᵀ (p - y).

A part is taken from the formula, and its definition from those of others, so that each definition
uses what is defined before it. Names that somebody gave come first; what is long and stands there
twice has a letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.fingerprints import Fingerprints
from symtape.forms.limits import most_terms, parts_in_order
from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.blocks import blocks, stands_at_places
from symtape.forms.matrix.nodes import SCALAR, Leaf, Matrix, Product, Shape, Turned, inner
from symtape.forms.matrix.printers.outline import opaque_parts
from symtape.forms.matrix.rebuilt import Rebuilt
from symtape.forms.named import normal_cdf, sigmoid
from symtape.forms.scalars.powers.roots import stands_below

MOST = 20
"""How many parts a formula has at most."""
SHORT = 6
"""What is no longer stays where it is, unless it was asked for."""
SHORT_IN_TABLES = 12
"""The same where each entry of an array stands at its place: who reads one looks at no other."""
LONG = 45
"""What is longer has parts, even if each stands there once."""

_MOST_TERMS = 500
"""What may have more terms, multiplied out, is compared as it stands."""

OUTLINE = 16
"""An outline that is longer has letters for what is written twice in it."""

LETTERS = {0: "cstabkmn", 1: "pqrghduv", 2: "PQRGHDEF"}


class Definition(NamedTuple):
    """A part: its name, and what it is."""

    name: str
    matrix: Matrix


class Naming:
    """A formula with names for its parts."""

    def __init__(self, algebra: Algebra, x: Matrix, taken: Collection[str]) -> None:
        self.algebra, self.whole, self.taken = algebra, x, {*taken}
        self.definitions: list[Definition] = []
        self._numbers = Fingerprints()
        ways = (x.entry, algebra.split(x)[1])
        grid = next((g for e in ways if (g := blocks(algebra, e, x.shape))), [[x]])
        entries = [e for row in grid for e in row]
        self.is_table = x not in entries and all(e.is_scalar for e in entries)

    def name_given(self, given: Sequence[Definition], *, always: bool) -> None:
        """Name parts that are there: all of them, or those that are long or stand there twice.

        What others are made of comes first, so that their definitions have its name.
        """
        waiting = sorted(given, key=lambda d: self.algebra.length(d.matrix))
        while waiting and len(self.definitions) < MOST:
            (name, part), *waiting = waiting
            is_number = not part.entry.free_symbols and not always
            if name in self.taken or self._is_leaf(part) or is_number:
                continue
            self.taken.add(name)  # also if it is not there: its symbol says what is known of it
            leaf = self._leaf(name, part)
            made = self._without(self.whole, part, leaf)
            if not _count(self.algebra, made, leaf.entry):
                continue
            self.whole = made
            self.definitions.append(Definition(name, part))
            waiting = [d._replace(matrix=self._without(d.matrix, part, leaf)) for d in waiting]
        if not always:
            self._put_back([d.name for d in self.definitions])

    def _is_leaf(self, x: Matrix) -> bool:
        return isinstance(self.algebra.node(x), (Leaf, Turned))

    def _is_norm_of_a_name(self, name: str) -> bool:
        """Say whether a letter is ‖p‖, which is as short as a letter."""
        found = [d.matrix.entry for d in self.definitions if d.name == name]
        square = self.algebra.nodes.get(found[0] ** 2) if found else None
        return isinstance(square, Product) and all(map(self._is_leaf, square.parts))

    def _put_back(self, names: Sequence[str], most: int = 1) -> None:
        """Write what is short and stands there once, or so often, instead of its name."""
        for name in names:
            part = next(d.matrix for d in self.definitions if d.name == name)
            leaf = self._leaf(name, part)
            count = sum(_count(self.algebra, x, leaf.entry) for x in self._formulas())
            if count > most or (most == 1 and self.algebra.length(part) > SHORT):
                continue
            self.definitions = [d for d in self.definitions if d.name != name]
            self._rewrite(
                [self._swapped(x, leaf.entry, part.entry, part.shape) for x in self._formulas()]
            )

    def _rewrite(self, made: Sequence[Matrix]) -> None:
        self.whole, *others = made
        pairs = zip(self.definitions, others, strict=True)
        self.definitions = [d._replace(matrix=x) for d, x in pairs]

    def name_repeated(self) -> None:
        """Give letters to what is long and stands there twice, and then to what is long."""
        given, tried = len(self.definitions), set[Matrix]()
        while len(self.definitions) < MOST:
            part = self._most_repeated(tried) or self._longest(tried)
            if part is None:
                break
            tried.add(part)
            self._give_letter(part, self._formulas())
        letters = [d.name for d in self.definitions[given:]]
        self._put_back(letters)  # what others made short
        self._put_back([n for n in letters if self._is_norm_of_a_name(n)], most=MOST)

    def name_opaque(self) -> None:
        """Give letters to what is no matrix made of matrices, see `outline.py`; then to more.

        That is what is written twice in what is long.
        """
        tried: set[Matrix] = set()
        while len(self.definitions) < MOST:
            found = [x for x in opaque_parts(self.algebra, self.whole) if x not in tried]
            is_long = self.algebra.length(self.whole) > OUTLINE
            part = found[0] if found else self._most_repeated(tried) if is_long else None
            if part is None:
                return
            tried.add(part)
            self._give_letter(part, [self.whole])

    def _give_letter(self, part: Matrix, formulas: Sequence[Matrix]) -> None:
        """Write a letter for a part in some formulas, the first of which may be the only one."""
        name = self._letter(part)
        leaf = self._leaf(name, part)
        made = [self._swapped(x, part.entry, leaf.entry, part.shape) for x in formulas]
        if any(_count(self.algebra, x, leaf.entry) for x in made):
            self._rewrite([*made, *self._formulas()[len(made) :]])
            self.definitions.append(Definition(name, part))
            self.taken.add(name)

    def ordered(self) -> list[Definition]:
        """Give the definitions, each after those that it uses."""
        waiting = {d.name: d for d in self.definitions}
        found: list[Definition] = []
        while waiting:
            ready = [d for d in waiting.values() if not self._used(d.matrix) & {*waiting}]
            if not ready:
                raise RuntimeError("parts of a formula use each other")
            found += ready
            for d in ready:
                del waiting[d.name]
        return found

    # --- replacing --------------------------------------------------------------------------------

    def _formulas(self) -> list[Matrix]:
        return [self.whole, *[d.matrix for d in self.definitions]]

    def _leaf(self, name: str, part: Matrix) -> Matrix:
        """Give the symbol of a part, of which is known what is known of its entries."""
        is_real, is_positive = bool(part.entry.is_real), bool(part.entry.is_positive)
        node = Leaf(name, part.shape)
        symbol = self.algebra.symbol(node, is_real=is_real, is_positive=is_positive)
        return Matrix(symbol, part.shape)

    def _without(self, x: Matrix, part: Matrix, leaf: Matrix) -> Matrix:
        """Write the name for a part, and for a difference also in what has one side of it."""
        ways = [self._swapped(x, part.entry, leaf.entry, part.shape)]
        solved = [self._swapped(x, e, rest, part.shape) for e, rest in self._solved(part, leaf)]
        room = self.algebra.length(x)
        if part.is_scalar:  # of which the definition is often as long as what it stands for
            room -= self.algebra.length(part)
        ways += [w for w in solved if self.algebra.length(w) < room]
        found = [w for w in ways if _count(self.algebra, w, leaf.entry)]
        return min(found, key=self.algebra.length, default=x)

    def _swapped(self, x: Matrix, old: Any, new: Any, shape: Shape) -> Matrix:
        algebra = self.algebra
        swap = self._equal(x, old, new) | {old: new} | _supersets(algebra, x, old, new)
        if algebra.arrays(old):
            turned, leaf = (algebra.transpose(Matrix(e, shape)).entry for e in (old, new))
            swap = _supersets(algebra, x, turned, leaf) | {turned: leaf} | swap
        made = Rebuilt(algebra, set(), swap=swap).of(x)
        ways = {algebra.normal(y) for y in (made, _reflected(made))}
        return min(ways, key=lambda y: (algebra.length(y), str(y.entry)))

    def _equal(self, x: Matrix, old: Any, new: Any) -> dict[Any, Any]:
        """Find what is a scalar, or its negative, in another arrangement of terms and factors."""
        if self.algebra.arrays(old) or not isinstance(old, (sp.Add, sp.Mul, sp.Pow)):
            return {}
        if most_terms(old)[old] > _MOST_TERMS:
            return {}
        found: dict[Any, Any] = {}
        for m in _written(self.algebra, x):
            counts = most_terms(m.entry)
            for e in [e for e, n in counts.items() if n <= _MOST_TERMS and e not in found]:
                sign = self._sign(e, old) if isinstance(e, (sp.Add, sp.Mul)) else 0
                if sign:
                    found[e] = sign * new
        return found

    def _sign(self, e: Any, old: Any) -> int:
        """Say whether something is an expression, 1, or its negative, -1, or neither, 0."""
        sign = self._numbers.sign(e, old)
        return sign if sign and (e == old or sp.expand(e) == sp.expand(sign * old)) else 0

    def _solved(self, part: Matrix, leaf: Matrix) -> Iterator[tuple[Any, Any]]:
        """Solve leaf = a + b for a, which is leaf - b, and leaf = a / b for a, which is leaf b."""
        e = part.entry
        for a in e.args if isinstance(e, (sp.Add, sp.Mul)) else ():
            number, rest = a.as_coeff_Mul()
            is_whole = bool(self.algebra.arrays(rest)) or part.is_scalar
            if e.is_Add and is_whole and not rest.is_number:
                yield rest, (leaf.entry - (e - a)) / number
            elif e.is_Mul and is_whole and _only_divides(e / a):
                yield a, leaf.entry / (e / a)

    # --- what to name -----------------------------------------------------------------------------

    def _used(self, x: Matrix) -> set[str]:
        found = self.algebra.leaves(x.entry)
        names = {self.algebra.places[s]: n for n, s in self._leaf_symbols()}
        return {names[k] for k in found if k in names}

    def _leaf_symbols(self) -> Iterator[tuple[str, sp.Symbol]]:
        for node, symbol in self.algebra.symbols.items():
            if isinstance(node, Leaf):
                yield node.name, symbol

    def _most_repeated(self, tried: Collection[Matrix]) -> Matrix | None:
        """Find what makes the formulas shortest, if it is written once."""
        counts = Counter[Matrix]()
        for x in self._formulas():
            counts.update(_parts(self.algebra, x))
        sizes = {m: self.algebra.length(m) for m, n in counts.items() if n > 1 and m not in tried}
        least = SHORT_IN_TABLES if self.is_table else SHORT
        gains = {m: (counts[m] - 1) * (n - 1) for m, n in sizes.items() if n > least}
        best = max(gains.values(), default=0)
        alike = [m for m in gains if gains[m] == best]
        return max(alike, key=lambda m: str(m.entry), default=None)

    def _longest(self, tried: Collection[Matrix]) -> Matrix | None:
        """Find about half of the longest formula, if that is long."""
        if self.is_table:
            return None
        longest = max(self._formulas(), key=self.algebra.length)
        whole = self.algebra.length(longest)
        if whole <= LONG:
            return None
        found = [m for m in _parts(self.algebra, longest) if m not in tried]
        sizes = {m: self.algebra.length(m) for m in found}
        inside = {m: n for m, n in sizes.items() if SHORT < n < whole * Fraction(3, 4)}
        gaps = {m: abs(n - whole / 2) for m, n in inside.items()}
        best = min(gaps.values(), default=0)
        alike = [m for m in gaps if gaps[m] == best]
        return min(alike, key=lambda m: str(m.entry), default=None)

    def _letter(self, part: Matrix) -> str:
        rank = 0 if part.is_scalar else 1 if 1 in part.shape else 2
        letters = [c for c in LETTERS[rank] if c not in self.taken]
        return letters[0] if letters else _numbered(LETTERS[rank][0], self.taken)


def _numbered(letter: str, taken: Collection[str]) -> str:
    k = 1
    while f"{letter}_{k}" in taken:
        k += 1
    return f"{letter}_{k}"


def _written(algebra: Algebra, x: Matrix) -> Counter[Matrix]:
    """Count how often each matrix is written of which a formula is made, and itself."""
    times = Counter({x: 1})
    waiting = Counter(_symbols(algebra, x))
    while waiting:
        symbol = max(waiting, key=algebra.place)  # what it is made of was made before
        n, node = waiting.pop(symbol), algebra.nodes[symbol]
        for m in (algebra.of(node.of),) if isinstance(node, Turned) else inner(node):
            times[m] += n
            for s in _symbols(algebra, m):
                waiting[s] += n
    return times


def _symbols(algebra: Algebra, x: Matrix) -> list[sp.Symbol]:
    return [e for e in sp.preorder_traversal(x.entry) if e in algebra.nodes]


def _count(algebra: Algebra, x: Matrix, symbol: Any) -> int:
    """Count how often a symbol stands in a formula."""
    times = _written(algebra, x)
    return sum(n * _symbols(algebra, m).count(symbol) for m, n in times.items())


def _parts(algebra: Algebra, x: Matrix) -> Counter[Matrix]:
    """Count what a formula is made of, a transpose with what it is of.

    What stands at some places among zeros is none: a name for it would hide the blocks.
    """
    found = Counter[Matrix]()
    for m, n in _written(algebra, x).items():
        for e, times in _within(m.entry).items():
            node = algebra.nodes.get(e)
            if isinstance(node, (Leaf, Turned)) or not _is_part(algebra, e):
                continue
            shape = node.shape if node else m.shape if algebra.arrays(e) else SCALAR
            is_root = isinstance(e, sp.Pow) and getattr(e.exp, "q", 1) == 2  # 1/‖x‖ is of ‖x‖
            made = Matrix(sp.sqrt(e.base) if is_root else e, shape)
            if made != x and not stands_at_places(algebra, made):
                found[_upright(algebra, made)] += n * times
    for root in [m for m in found if isinstance(m.entry, sp.Pow)]:
        square = Matrix(root.entry**2, root.shape)
        is_long = algebra.length(square) > SHORT  # and not ‖x‖ of a name
        if is_long and square in found and root.entry.exp == sp.S.Half:
            found[root] = max(found[root], found.pop(square))  # ‖u‖³ and ‖u‖² are of ‖u‖, once each
    return found


def _within(e: Any) -> Counter[Any]:
    """Count how often each expression is written of which another is made, and itself."""
    times = Counter({e: 1})
    for part in reversed(parts_in_order(e)):
        for a in part.args:
            times[a] += times[part]
    return times


def _upright(algebra: Algebra, x: Matrix) -> Matrix:
    """Give a column, or of a matrix and its transpose the one that has fewer transposes."""
    ways = {x, algebra.transpose(x)}
    if len(ways) == 1:
        return x
    return min(ways, key=lambda m: (m.shape[0] == 1, algebra.turns(m.entry), str(m.entry)))


def _is_part(algebra: Algebra, e: Any) -> bool:
    """Say whether something can have a name: no number, no condition, and no power of a symbol.

    But a norm can, which is the root of a product.
    """
    is_norm = isinstance(e, sp.Pow) and getattr(e.exp, "q", 1) == 2 and not algebra.arrays(e)
    is_power = isinstance(e, sp.Pow) and e.base.is_Symbol and e.exp.is_number and not is_norm
    return isinstance(e, sp.Expr) and bool(e.free_symbols) and not is_power


def _reflected(x: Matrix) -> Matrix:
    """Write 1 - Φ(u) for Φ(-u), and 1 - σ(u) for σ(-u)."""
    found = [f for f in x.entry.atoms(normal_cdf, sigmoid) if (-f.args[0]).is_Symbol]
    return (
        Matrix(sp.expand_mul(x.entry.xreplace({f: 1 - f.func(-f.args[0]) for f in found})), x.shape)
        if found
        else x
    )


def _only_divides(e: Any) -> bool:
    """Say whether nothing can be zero that is divided by where this is taken to the other side."""
    factors = sp.Mul.make_args(e)
    return all(f.is_number or stands_below(f) for f in factors)


def _supersets(algebra: Algebra, x: Matrix, old: Any, new: Any) -> dict[Any, Any]:
    """Find sums that have all terms of a multiple of a sum, products alike, and powers."""
    kind = type(old)
    if kind is sp.Pow:
        base, q = old.args
        powers = {e for m in _written(algebra, x) for e in m.entry.atoms(sp.Pow) if e.base == base}
        is_whole = (base.is_Symbol or base.is_Add) and (1 / q).is_Integer
        whole = {base: new ** (1 / q)} if is_whole else {}
        return whole | {e: new ** (e.exp / q) for e in powers if (e.exp / q).is_Integer}
    if kind not in (sp.Add, sp.Mul):
        return {}
    found = {}
    for m in _written(algebra, x):
        for e in m.entry.atoms(kind):
            for times in _ratios(old, e) if kind is sp.Add else (sp.S.One,):
                own = {times * t for t in old.args}
                if own <= {*e.args}:
                    found[e] = kind(*({*e.args} - own), times * new)
    return found


def _ratios(some: Any, e: Any) -> list[Any]:
    """Give the numbers of which a multiple of a sum may have its first term in another one."""
    number, rest = some.args[0].as_coeff_Mul()
    return [n / number for n, own in (t.as_coeff_Mul() for t in e.args) if own == rest]
