"""What the variables of a text are: scalars, vectors or matrices, and of which sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, groupby
from operator import itemgetter

from symtape.errors import NotationError
from symtape.notation.components import parts
from symtape.notation.latex.fonts import Fonts
from symtape.notation.latex.numbers import behind_matrices, divisors, is_raised, looks_like_arrays
from symtape.notation.meanings.array_functions import MODULES, OTHERS
from symtape.notation.meanings.matrices import UNIT
from symtape.notation.settling import Declared, Given, Judged, Meaning, operations, settled
from symtape.notation.sums import Indexed, indexed, with_wholes
from symtape.notation.tree import AmbiguousError, Node, in_order
from symtape.notation.typed import Typed, kind
from symtape.notation.words import TO_SCALARS

_MOST_READINGS = 30_000
"""How many nodes are read in all to find out what the variables are."""

_MOST_CHANGES = 3
"""How many variables may be something else than their names say."""


def meaning(
    text: str,
    notation: str,
    root: Node,
    declared: Declared,
    symmetric: Iterable[str] = (),
    fonts: Fonts = Fonts({}),  # noqa: B008 - a tuple
    judged: Judged | None = None,
) -> Meaning:
    """Settle what a tree means in a notation; raises `NotationError` where it means nothing."""
    for name, shape in declared.items():
        if not all(_is_size(n) for n in shape) or len(shape) > 2:
            raise NotationError(f"the shape of {name} is at most two letters or positive numbers")
    sums, declared = with_wholes(indexed(text, root, declared), declared)
    fonts = fonts._replace(bold=_bold(fonts, sums)) if sums.ranks else fonts
    given = Given(text, notation, sums.root, declared, frozenset(symmetric), fonts, sums, judged)
    found = _the_meaning(given)
    found = found if notation == "latex" else _with_vectors(given, found)
    whole = {v: found.rows[v].whole if v in found.rows else v for v in found.variables}
    shapes = {v: (own.number, *found.variables[v]) for v, own in found.rows.items()}
    return found._replace(
        variables={whole[v]: shapes.get(v, s) for v, s in found.variables.items()}
    )


def _bold(fonts: Fonts, sums: Indexed) -> dict[str, int]:
    """Give the ranks of bold letters, of which those with two indices are components."""
    found: dict[str, int] = {}
    for v, rank in fonts.bold.items():
        base, below = parts(v)
        count = sums.ranks.get(base) if below else None
        if count == 1:
            why = "and so a column: in a sum over several indices letters are components"
            raise NotationError(f"{v} is bold, {why}")
        found |= {v: rank} if count is None else {}
    return found


def _the_meaning(given: Given) -> Meaning:
    """Settle what a tree means, with rows as they are called in sums."""
    notation, declared = given.notation, given.declared
    nodes = list(in_order(given.root))
    used = dict.fromkeys(v for n in nodes if (v := _variable(n, notation)) is not None)
    for limit in given.sums.limits:
        used.pop(limit, None)
    if notation == "matrix" and UNIT not in given.told:
        used.pop(UNIT, None)
    if unknown := [v for v in given.told if v not in used]:
        raise NotationError(f"{unknown[0]}, of which something is said, does not occur")
    if not used:
        constant = settled(given, {}, strict=False)  # which shows the place of what is no formula
        if given.judged is not None:
            return constant
        raise NotationError("the formula has no variables")
    if both := used.keys() & {n for shape in declared.values() for n in shape}:
        raise NotationError(f"{min(both)} is a variable, and no letter for a size")
    usual, cost = _usual_ranks(given, used), len(nodes)
    numbers = _of_numbers(given, used)
    if numbers:
        return _numbers_or_arrays(given, numbers, usual, cost)
    found = _read(given, usual, cost)
    if found and not found.root.shape:
        return found
    number = _with_a_number(given, usual, cost, found)
    return number or found or settled(given, usual, strict=True)  # which says why it is none


_OF_MATRICES = ("matmul", "outer", "power")


def _of_numbers(given: Given, used: Iterable[str]) -> Meaning | None:
    """Take all letters for numbers, where no sign or font is of arrays, and nobody says else."""
    if given.fonts.has_arrays or any(given.told.values()):
        return None
    with suppress(NotationError):
        return settled(given, dict.fromkeys(used, 0), strict=True)
    return None


def _numbers_or_arrays(
    given: Given, numbers: Meaning, usual: Mapping[str, int], cost: int
) -> Meaning:
    """Take letters for numbers, unless they look like arrays and nobody says what they are."""
    is_told = given.told or any(v[0].isupper() for v in divisors(given.root))
    if is_told or not looks_like_arrays(given.root, sums=True):
        return numbers
    arrays = _read(given, usual, cost)
    has_products = arrays and any(one.word in _OF_MATRICES for one in operations(arrays.root))
    if not has_products and not looks_like_arrays(given.root):
        return numbers
    v = next((v for v in numbers.variables if v[0].isupper()), "")
    ways = arrays.told() if arrays and has_products else "matrices and vectors"
    raise AmbiguousError(f"are the letters numbers, or {ways}? A number has the shape (): {v}=")


def _with_a_number(
    given: Given, usual: Mapping[str, int], cost: int, found: Meaning | None
) -> Meaning | None:
    """Take one letter of LaTeX for a number, if that makes a number of the whole.

    Where nothing is read, it is a capital one, as N in |x|^2/2 + N log s, and other letters may be
    something else, too. In what is read as an array only numbers are multiplied by it, as by C in
    C|w|^2; of a column, as m in m|v|^2, a person has to say whether it is one.
    """
    if given.notation != "latex":
        return None
    ranks = {v: len(s) for v, s in found.variables.items()} if found else usual
    letters = _scaled(found) if found else [v for v in usual if v[0].isupper()]
    known = {*given.told, *turned(given.root)}
    numbers: dict[str, Meaning] = {}
    for v in [v for v in letters if v not in known]:
        own = {**ranks, v: 0}
        with suppress(NotationError):
            one: Meaning | None
            try:
                one = settled(given, own, strict=True)
            except NotationError:
                one = None if found else _others(given, own, cost, strict=True)
            if one and not one.root.shape and not _idle(one):
                numbers[v] = one
    if len(numbers) != 1:
        return None
    [(v, number)] = numbers.items()
    if found and ranks[v] == 1:
        raise AmbiguousError(f"is {v} a scalar, or a vector? Give a shape, as by --shape {v}=")
    if is_raised(given.root, v):
        why = "a matrix is raised to whole numbers alone, and a number has the shape ()"
        raise AmbiguousError(f"is {v} a number? {why}, as by --shape {v}=")
    return number


def _scaled(found: Meaning) -> list[str]:
    """List the arrays that only numbers are multiplied by."""
    other = {
        x.value
        for one in operations(found.root)
        for x in [x for x in one.operands if x.word == "name"]
        if one.word not in ("multiply", "divide") or all(y.shape for y in one.operands)
    }
    return [v for v, shape in found.variables.items() if shape and v not in other]


def _read(given: Given, usual: Mapping[str, int], cost: int) -> Meaning | None:
    """Take the variables for what they usually are, or else for something else."""
    for strict in (True, False):
        try:
            found = settled(given, usual, strict=strict)
        except AmbiguousError:
            raise
        except NotationError:
            if other := _others(given, usual, cost, strict=strict):
                return other
        else:
            return _completed(given, usual, cost, found) if found.is_row else found
    return None


def _is_size(n: int | str) -> bool:
    return n.isidentifier() if isinstance(n, str) else isinstance(n, int) and n > 0


def _variable(node: Node, notation: str) -> str | None:
    """Give the variable that a node is, or whose method it calls."""
    if node.word == "name":
        return str(node.value)
    if node.word == "entry":
        return str(node.value[0])
    if node.word in ("call", "dotted") and notation == "python":
        name = node.value[0] if node.word == "call" else node.value
        before, _, _ = name.rpartition(".")
        return before if before.isidentifier() and before not in MODULES | OTHERS else None
    return None


def _usual(name: str) -> int:
    """Give the rank that a name usually has, as matrixcalculus.org does: a to g are scalars."""
    first = name[0]
    if first.isupper():
        return 2
    is_scalar = "a" <= first <= "g" and (len(name) == 1 or not name[1:].isalpha())
    return 0 if is_scalar or name in _GREEK or not first.isascii() else 1


_GREEK = frozenset(
    {
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda"),
        *("lam", "mu", "nu", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"),
    }
)


def _others(
    given: Given, usual: Mapping[str, int], cost: int, *, strict: bool, is_number: bool = False
) -> Meaning | None:
    """Find what the variables may be instead: as few as can be else than they usually are."""
    is_latex = given.notation == "latex"
    columns = {v for v in turned(given.root) if _usual(v) or is_latex}
    free = [v for v in usual if v not in given.told and v not in columns]
    left = _MOST_READINGS // cost
    for _, alike in groupby(_changed(free, usual), itemgetter(0)):
        found = []
        for _, ranks in alike:
            left -= 1
            if left < 0:
                return None
            try:
                one = settled(given, ranks, strict=strict)
            except NotationError:
                continue
            if not (is_number and one.root.shape):
                found.append(one)
        idle = [_idle(m) for m in found]
        least = min(idle, default=0)
        found = [m for m, count in zip(found, idle, strict=True) if count == least]
        if len(found) == 1:
            return found[0]
        if found:
            ways = ", or ".join([_difference(m, usual) for m in found[:3]])
            v = next(v for v, shape in found[0].variables.items() if len(shape) != usual[v])
            raise AmbiguousError(f"is {ways}? Give a shape, as by --shape {v}=n")
    return None


def _completed(given: Given, usual: Mapping[str, int], cost: int, row: Meaning) -> Meaning:
    """Take b in a'*inv(X)*b for a column, where that makes a number of a row."""
    try:
        return _others(given, usual, cost, strict=True, is_number=True) or row
    except NotationError:
        return row


def _idle(found: Meaning) -> int:
    """Count the sums and norms that are taken of one number: nobody means that."""
    return len(_of_one_number(found))


def _of_one_number(found: Meaning) -> list[Typed]:
    """List the sums and norms of one number."""
    reductions = [one for one in operations(found.root) if one.word in TO_SCALARS]
    return [one for one in reductions if not one.operands[0].shape]


def _with_vectors(given: Given, found: Meaning) -> Meaning:
    """Take for vectors what a sum or a norm is of, if it would be one number that nobody called so.

    Its slope would be nothing: raises `NotationError` where it can be no vector.
    """
    names = _summed_numbers(given, found)
    if not names:
        return found
    ranks = {v: len(shape) for v, shape in found.variables.items()}
    for own in ({v: _usual(v) for v in names}, dict.fromkeys(names, 1)):
        with suppress(NotationError):
            one = settled(given, ranks | own, strict=False)
            if not _summed_numbers(given, one):
                return one
    raise NotationError(
        f"what is summed or measured would be one number, and {names[0]} a scalar: if it is one, "
        f"say so, as by --shape {names[0]}={_OF_ENTRIES if given.notation == 'matrix' else ''}"
    )


_OF_ENTRIES = (
    "; here .^ is the power of entries, and no number is added to a vector, as it is in python, "
    "where ** is the power"
)


def _summed_numbers(given: Given, found: Meaning) -> list[str]:
    """List the letters in sums and norms of one number of which nobody said that they are one."""
    return [
        str(x.value)
        for one in _of_one_number(found)
        for x in operations(one.operands[0])
        if x.word == "name" and x.value not in given.told
    ]


def turned(root: Node) -> Iterator[str]:
    """Give the variables that are transposed, or are terms of what is."""
    waiting = [node.operands[0] for node in in_order(root) if node.word == "transpose"]
    while waiting:
        node = waiting.pop()
        if node.word == "name":
            yield str(node.value)
        elif node.word in ("add", "subtract", "negative"):
            waiting += node.operands


def _changed(free: Sequence[str], usual: Mapping[str, int]) -> Iterator[tuple[int, dict[str, int]]]:
    """Exchange scalars and vectors, the fewest first; what looks like a matrix is one."""
    small = [v for v in free if usual[v] < 2 and not v[0].isupper()]
    for count in range(1, min(_MOST_CHANGES, len(small)) + 1):
        for chosen in combinations(small, count):
            yield count, {**usual, **{v: 1 - usual[v] for v in chosen}}


def _difference(found: Meaning, defaults: Mapping[str, int]) -> str:
    changed = [v for v, shape in found.variables.items() if len(shape) != defaults[v]]
    return " and ".join([f"{v} a {kind(found.variables[v])}" for v in changed])


def _usual_ranks(given: Given, used: Iterable[str]) -> dict[str, int]:
    """Give the rank of each name if nothing else is known of it.

    Beside bold letters small ones are numbers, and so they are where nothing is of arrays.
    """
    told, columns = given.told, {*turned(given.root)}  # nobody transposes a scalar
    numbers = {*divisors(given.root)} if given.notation == "latex" else set()
    if given.notation == "latex" and not given.fonts.bold:
        columns |= {*behind_matrices(given.root, told)} - numbers
    has_matrices = any(v[0].isupper() and told.get(v, 2) for v in used)
    is_of_numbers = given.fonts.bold or not (given.fonts.has_arrays or has_matrices)

    def rank(v: str) -> int:
        is_number = v in numbers or (is_of_numbers and not v[0].isupper())
        return 0 if is_number else _usual(v)

    return {v: told.get(v, max(rank(v), v in columns)) for v in used}
