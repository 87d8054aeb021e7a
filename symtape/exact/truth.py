"""Truth with three values: a condition holds, or does not, or nobody has decided it."""

from __future__ import annotations

from collections.abc import Iterable


class Undecided:
    """What stands for a condition that holds at some points, or of which nobody knows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undecided"

    def __bool__(self) -> bool:
        raise TypeError("a condition that is not decided is neither true nor false")


UNDECIDED = Undecided()

Truth = bool | Undecided


def every(truths: Iterable[Truth]) -> Truth:
    """Say whether all hold.

    >>> every([True, UNDECIDED]), every([UNDECIDED, False])
    (undecided, False)
    """
    found = list(truths)
    if any(t is False for t in found):
        return False
    return UNDECIDED if any(t is UNDECIDED for t in found) else True


def some(truths: Iterable[Truth]) -> Truth:
    """Say whether one holds.

    >>> some([True, UNDECIDED]), some([UNDECIDED, False])
    (True, undecided)
    """
    return opposite(every([opposite(t) for t in truths]))


def opposite(truth: Truth) -> Truth:
    """Say whether it does not hold."""
    return truth if isinstance(truth, Undecided) else not truth


def one_of_two(first: Truth, then: Truth, otherwise: Truth) -> Truth:
    """Say whether the second holds where the first does, and the third where it does not.

    >>> one_of_two(True, False, UNDECIDED), one_of_two(UNDECIDED, True, True)
    (False, True)
    >>> one_of_two(UNDECIDED, True, False)
    undecided
    """
    if isinstance(first, Undecided):
        return then if then is otherwise else UNDECIDED
    return then if first else otherwise


def odd(truths: Iterable[Truth]) -> Truth:
    """Say whether an odd number of them hold.

    >>> odd([]), odd([True, False]), odd([True] * 2), odd([True] * 3), odd([True, UNDECIDED])
    (False, True, False, True, undecided)
    """
    found = list(truths)
    if any(t is UNDECIDED for t in found):
        return UNDECIDED
    return sum(map(bool, found)) % 2 == 1
