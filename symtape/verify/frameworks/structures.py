"""Inputs that hold arrays, or are none: functions take them whole, and the judge knows arrays.

A dictionary of parameters, a tuple of states, a number of steps, an axis, a mode as text: they are
inputs of a function as arrays are. Each array in them is an input of the judge; what is no array
stays what it is at all points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.nest.trees import LEAF, Tree, take_apart
from symtape.verify.answers import CandidateError
from symtape.verify.frameworks.functions import array_of, framework_of, has_own_rule
from symtape.verify.frameworks.own_rules import of_apply
from symtape.verify.frameworks.rules_of_jax import without_tracers
from symtape.verify.frameworks.whole import Whole
from symtape.verify.points.drawing import is_strategy

_NUMBERS = (bool, int, float, complex, np.generic)
_CHOICES = (bool, int, str, bytes, type(None))
"""What chooses a program, as an axis or a mode does, and is no array."""


class Input(NamedTuple):
    """An input: its name, its structure, and its leaves, of which some are arrays."""

    name: str
    tree: Tree
    leaves: tuple[Any, ...]
    has_array: tuple[bool, ...]

    @classmethod
    def of(cls, name: str, given: Any, kept: _Kept) -> Input:
        """Take an input apart, but for what is kept as it is."""
        if _is_of_numbers(given) and not kept.holds(given):
            return cls(name, LEAF, (given,), (True,))
        leaves, tree = take_apart(given)
        return cls(
            name, tree, tuple(leaves), tuple([_is_array(x) or is_strategy(x) for x in leaves])
        )

    def labels(self) -> list[str]:
        """Name the arrays in it: `params['w']` is params_w."""
        labels = zip(self.tree.labels(self.name), self.has_array, strict=True)
        return [label for label, own in labels if own]

    def build(self, supply: Iterator[Any]) -> Any:
        """Put arrays into it."""
        pairs = zip(self.leaves, self.has_array, strict=True)
        return self.tree.build([next(supply) if own else leaf for leaf, own in pairs])

    def arrays(self) -> list[Any]:
        """List the arrays in it."""
        return [leaf for leaf, own in zip(self.leaves, self.has_array, strict=True) if own]

    def picked(self, given: Any) -> list[Any]:
        """List what was given for each array, in the structure of the input."""
        found = list(_along(self.tree, given, self.name))
        return [x for x, own in zip(found, self.has_array, strict=True) if own]


class _Kept(NamedTuple):
    """Which integers are no numbers: none for a formula, which names them.

    A tuple of them is a shape or some axes, and so is a list for a framework with arrays of its
    own, which takes no list for one of them.
    """

    is_formula: bool
    is_framework: bool

    @classmethod
    def of(cls, given: Sequence[Any], f: Any, candidate: Any) -> _Kept:
        """Read it from the inputs, the function and the candidate."""
        return cls(
            not callable(candidate),
            any(framework_of(x) is not None for x in (*given, f, candidate)),
        )

    def holds(self, x: Any) -> bool:
        """Say whether something stays what it is."""
        if self.is_formula or isinstance(x, np.generic):
            return False
        if isinstance(x, int):
            return True
        is_listed = isinstance(x, tuple) or (isinstance(x, list) and self.is_framework)
        return is_listed and all(isinstance(n, int) for n in take_apart(x)[0])


class Inputs:
    """All inputs of a question: `labels` name the arrays in them, `arrays` are these."""

    def __init__(self, names: Sequence[str], given: Sequence[Any], f: Any, candidate: Any) -> None:
        kept, fixed = (
            _Kept.of(given, f, candidate),
            {*without_tracers(f), *without_tracers(candidate)},
        )
        self.parts = [
            Input(n, LEAF, (x,), (False,)) if k in fixed else Input.of(n, x, kept)
            for k, (n, x) in enumerate(zip(names, given, strict=True))
        ]
        self.labels = _distinct([label for part in self.parts for label in part.labels()])
        self.arrays = [x for part in self.parts for x in part.arrays()]

    @property
    def is_plain(self) -> bool:
        """Whether each input is an array."""
        return all(part.tree is LEAF and part.has_array == (True,) for part in self.parts)

    def build(self, arrays: Sequence[Any]) -> list[Any]:
        """Make the inputs that hold some arrays."""
        supply = iter(arrays)
        return [part.build(supply) for part in self.parts]

    def spans(self) -> list[range]:
        """Say which arrays each input holds."""
        found, start = [], 0
        for part in self.parts:
            found.append(range(start, start + sum(part.has_array)))
            start = found[-1].stop
        return found

    def positions(self, wrt: Any, dtypes: Sequence[Any]) -> tuple[int, ...]:
        """Say which arrays are judged: those of some inputs by name or position, or of all.

        Of an input the floating ones are. Raises `ValueError` for what is no input.
        """
        floating = [k for k, dtype in enumerate(dtypes) if dtype.kind in "fcV"]
        if wrt is None:
            return tuple(floating)
        found: list[int] = []
        for w in [wrt] if isinstance(wrt, (str, int)) else wrt:
            own = self._held(w)
            found += own if len(own) == 1 else [k for k in own if k in floating]
        return tuple(found)

    def _held(self, w: Any) -> list[int]:
        names = [part.name for part in self.parts]
        if w in self.labels and w not in names:
            return [self.labels.index(w)]
        if w not in names and w not in range(len(names)):
            shown = ", ".join(dict.fromkeys([*names, *self.labels]))
            raise ValueError(f"wrt is some of {shown}, or their positions: {w!r}")
        return list(self.spans()[names.index(w) if isinstance(w, str) else w])

    def spread(self, stated: Mapping[str, str]) -> dict[str, str]:
        """Give each array the domain of its input, where it has none of its own."""
        found: dict[str, str] = {}
        for part, span in zip(self.parts, self.spans(), strict=True):
            if part.name in stated:
                found |= dict.fromkeys([self.labels[k] for k in span], stated[part.name])
        inner = {part.name for part in self.parts}
        return found | {name: d for name, d in stated.items() if name not in inner}

    def owners(self, judged: Sequence[int]) -> list[int]:
        """List the inputs that hold judged arrays."""
        return [k for k, span in enumerate(self.spans()) if set(span) & set(judged)]

    # --- functions --------------------------------------------------------------------------------

    def function(self, f: Any) -> Any:
        """Give a function of the arrays."""
        return f if self.is_plain else Whole(of_apply(f), self.labels, self.build)

    def candidate(self, given: Any, kind: str, judged: Sequence[int]) -> Any:
        """Give a candidate that takes the arrays, and gives a list of answers for those judged."""
        if self.is_plain:
            return given
        of_inputs = kind not in {"value", "jvp"}
        if not callable(given):
            return self._stated(given, judged) if of_inputs else given
        if kind == "value" or has_own_rule(given, kind, len(self.parts)):
            return self.function(given)
        build = self._with_more if of_inputs else partial(self._with_tangents, judged)
        take = self._twice if kind == "hessian" else self.answers
        answers = partial(take, judged=judged) if of_inputs else None
        return Whole(given, self.labels, build, answers, takes_more=True)

    def _stated(self, given: Any, judged: Sequence[int]) -> Any:
        """Order formulas or numbers as the arrays are."""
        try:
            return tuple(self.answers(given, judged))
        except CandidateError as error:
            raise ValueError(f"verify: {error}") from None

    def _with_more(self, args: Sequence[Any]) -> list[Any]:
        count = len(self.labels)
        return [*self.build(args[:count]), *args[count:]]

    def _with_tangents(self, judged: Sequence[int], args: Sequence[Any]) -> list[Any]:
        """Give the tangents in the structure of the inputs; what is not judged has none."""
        count = len(self.labels)
        known = dict(zip(judged, args[count:], strict=True))
        tangents = [known.get(k, np.zeros(np.shape(x))) for k, x in enumerate(args[:count])]
        built = self.build(tangents)
        return [*self.build(args[:count]), *[built[k] for k in self.owners(judged)]]

    def answers(self, found: Any, judged: Sequence[int]) -> list[Any]:
        """List the answers for judged arrays of what a candidate gave for inputs that hold them.

        They are in the structure of the inputs, or by the names of the arrays, or in their order.
        """
        labels = [self.labels[k] for k in judged]
        if isinstance(found, Mapping) and set(found) == set(labels):
            return [found[label] for label in labels]
        parts = list(found) if isinstance(found, (tuple, list)) else [found]
        if len(parts) == len(judged) and all(take_apart(x)[1] is LEAF for x in parts):
            return parts
        owners, spans = self.owners(judged), self.spans()
        given = self._by_input(found, owners)
        known: dict[int, Any] = {}
        for k, answer in zip(owners, given, strict=True):
            known |= zip(spans[k], self.parts[k].picked(answer), strict=True)
        return [known[k] for k in judged]

    def _twice(self, found: Any, judged: Sequence[int]) -> list[Any]:
        """List the answer for a second derivative, which is in the structure of the input twice."""
        (answer,) = self.answers(found, judged)
        return self.answers(answer, judged)

    def _by_input(self, found: Any, owners: Sequence[int]) -> list[Any]:
        names = [self.parts[k].name for k in owners]
        if isinstance(found, Mapping) and set(found) == set(names):
            return [found[name] for name in names]
        if len(owners) == 1:
            tree = self.parts[owners[0]].tree
            is_alone = isinstance(found, (tuple, list)) and len(found) == 1
            return [found[0] if is_alone and len(tree.branches) != 1 else found]
        if isinstance(found, (tuple, list)) and len(found) == len(owners):
            return list(found)
        if isinstance(found, (tuple, list)) and len(found) == len(self.parts):
            return [found[k] for k in owners]
        number = len(found) if isinstance(found, (tuple, list)) else 1
        raise CandidateError(
            f"the candidate gives {number} results, and those of {', '.join(names)} are asked for"
        )


def _distinct(labels: Sequence[str]) -> list[str]:
    """Number labels that come again."""
    found: list[str] = []
    for label in labels:
        n = labels[: len(found)].count(label)
        found.append(f"{label}_{n + 1}" if n else label)
    return found


def _along(tree: Tree, given: Any, name: str) -> Iterator[Any]:
    """List what stands at the leaves of a structure; raises `CandidateError` for another one."""
    if tree is LEAF or given is None:
        yield from [given] * tree.size
        return
    is_mapping = issubclass(tree.type, Mapping)
    keys = list(tree.keys) or list(range(len(tree.branches)))
    if is_mapping:
        fits = isinstance(given, Mapping) and set(given) == set(keys)
    elif isinstance(given, (tuple, list)):
        fits = len(given) == len(keys)
        keys = list(range(len(keys)))
    else:
        fits = isinstance(given, tree.type)
    if not fits:
        raise CandidateError(
            f"the candidate gives {_words(given)} for {name}, which is "
            f"{_words(tree.build([None] * tree.size))}"
        )
    by_place = is_mapping or isinstance(given, (tuple, list))
    for key, branch in zip(keys, tree.branches, strict=True):
        yield from _along(
            branch, given[key] if by_place else getattr(given, key), f"{name}[{key!r}]"
        )


def _words(given: Any) -> str:
    """Say what a structure is."""
    kind = type(given).__name__
    if isinstance(given, Mapping):
        return f"a {kind} of {', '.join(map(repr, given))}"
    return f"a {kind} of {len(given)}" if isinstance(given, (tuple, list)) else f"a {kind}"


def _is_of_numbers(x: Any) -> bool:
    """Say whether something is a number, or a nested list of them, which is an array."""
    if isinstance(x, int):
        return True
    leaves, tree = take_apart(x)
    if tree is LEAF or not _is_listed(tree) or not all(isinstance(y, _NUMBERS) for y in leaves):
        return False
    try:
        return np.asarray(x).dtype.kind in "fciub"
    except ValueError:
        return False  # rows of different lengths


def _is_listed(tree: Tree) -> bool:
    return tree is LEAF or (tree.type in (list, tuple) and all(map(_is_listed, tree.branches)))


def _is_array(x: Any) -> bool:
    if is_strategy(x):
        return True
    if isinstance(x, _CHOICES) and not isinstance(x, np.generic):
        return False
    try:
        return array_of(x).dtype.kind in "fciubV"
    except (TypeError, ValueError, UnsupportedError):
        return False
