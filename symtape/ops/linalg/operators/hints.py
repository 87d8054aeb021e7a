"""What is said of a matrix, and what follows for others that are made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Hint = bool | None
"""True, False, or None where nothing is known."""


class Hints(NamedTuple):
    """What is said of a matrix, by the names that TensorFlow's arguments have.

    >>> Hints(is_positive_definite=True).completed()
    Hints(is_non_singular=True, is_self_adjoint=None, is_positive_definite=True, is_square=True)
    """

    is_non_singular: Hint = None
    is_self_adjoint: Hint = None
    is_positive_definite: Hint = None
    is_square: Hint = None

    def completed(self) -> Hints:
        """Add what follows; raises `ValueError` where hints contradict one another."""
        regular, symmetric, definite, square = self
        if definite and regular is False:
            raise ValueError("A positive definite matrix is always non-singular.")
        regular = True if definite else regular
        for hint, word in ((regular, "non-singular"), (symmetric, "self-adjoint")):
            if hint and square is False:
                raise ValueError(f"A {word} matrix is always square.")
            square = True if hint else square
        return Hints(regular, symmetric, definite, square)


def hints_of(operator: Any) -> Hints:
    """Give what is known of an operator."""
    return Hints(*[getattr(operator, name) for name in Hints._fields])


def always(given: Hint, words: str) -> bool:
    """Give True, for what holds of a kind of matrix; raises `ValueError` for who denies it."""
    if given is False:
        raise ValueError(words)
    return True


def of_all(operators: Sequence[Any], hint: str, given: Hint, words: str) -> Hint:
    """Say what holds if it holds for all; raises `ValueError` with words for who denies it."""
    return always(given, words) if all(getattr(op, hint) for op in operators) else given


def of_parts(operators: Sequence[Any], given: Hints, words: Mapping[str, str]) -> Hints:
    """Say what holds of a matrix because it holds for all that it is made of.

    Words are by the hints that this is so for; raises `ValueError` with them for who denies one.
    """
    found = {hint: of_all(operators, hint, getattr(given, hint), words[hint]) for hint in words}
    return given._replace(**found)


def same_of(operator: Any, given: Hints, words: str) -> Hints:
    """Give what holds of an operator and of what is made of it alike.

    Raises `ValueError` where the hints for one contradict those of the other.
    """
    found = given._asdict()
    for name in ("is_square", "is_non_singular", "is_self_adjoint", "is_positive_definite"):
        own, known = found[name], getattr(operator, name)
        if {own, known} == {True, False}:
            word = name.removeprefix("is_").replace("_", "-")
            raise ValueError(words.format(word=word))
        found[name] = known if own is None else own
    return Hints(**found)


# --- products -------------------------------------------------------------------------------------


def regular_product(a: Any, b: Any) -> Hint:
    """Say whether a product has an inverse: if both factors have; not if one has none."""
    if a.is_non_singular is False or b.is_non_singular is False:
        return False
    both: Hint = a.is_non_singular and b.is_non_singular
    return both


def product(a: Any, b: Any) -> Hints:
    """Give what is known of a product of any two operators."""
    square = _square(a, b)
    if square is False:
        return Hints(False, False, False, False)
    return Hints(regular_product(a, b) if square else None, None, None, square)


def _square(a: Any, b: Any) -> Hint:
    known = {a.is_square, b.is_square}
    if known == {False}:
        same: Hint = a.range_dimension == b.domain_dimension
        return same
    return None if None in known else known == {True}


def commuting_product(a: Any, b: Any) -> Hints:
    """Give what is known of a product of two operators that commute, as diagonals do."""
    symmetric: Hint = None
    if a.is_self_adjoint and b.is_self_adjoint:
        symmetric = True
    elif {a.is_self_adjoint, b.is_self_adjoint} == {True, False}:
        symmetric = False
    definite = all(op.is_positive_definite and op.is_self_adjoint for op in (a, b)) or None
    return Hints(regular_product(a, b), symmetric, definite, True)


def are_adjoints(a: Any, b: Any) -> bool:
    """Say whether two operators are known to be adjoints of one another, without their numbers."""
    if a is b and a.is_self_adjoint is not None:
        return bool(a.is_self_adjoint)
    return a.adjoint() is b or b.adjoint() is a


def is_square_of_one(operators: Sequence[Any]) -> bool:
    """Say whether a product has the form A Aᴴ, as A₁ A₂ A₂ᴴ A₁ᴴ has."""
    half, odd = divmod(len(operators), 2)
    pairs = zip(operators[:half], reversed(operators), strict=False)
    return not odd and all(are_adjoints(a, b) for a, b in pairs)
