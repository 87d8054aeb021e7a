"""Compiled formulas whose arguments may have other sizes than those that were recorded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

import numpy as np

from symtape.compiled.function import Compiled, CompiledFormula
from symtape.compiled.joining import joined
from symtape.errors import PathConditionError, UnsupportedError
from symtape.nest.trees import LEAF
from symtape.program.operations import Shape
from symtape.program.program import Guard, Program
from symtape.program.sizes.axes import Sizes
from symtape.program.sizes.resizing import Recipe, Resized, StepByStep, resized
from symtape.program.sizes.unions import Axis

_MOST_SIZES = 64
"""For so many choices of sizes the compiled code is kept."""


class Resizing:
    """One formula, made again for leaves of other sizes.

    `unnamed` leaves keep their recorded values, such as those of `tf.size(x)`.
    """

    def __init__(
        self,
        formula: Compiled,
        unnamed: Collection[str] = (),
        recipe: Recipe | None = None,
    ) -> None:
        self.formula, self._unnamed = formula, frozenset(unnamed)
        self._recipe = StepByStep(formula.outputs[0]) if recipe is None else recipe
        self.leaves = dict([*formula.arguments, *[(name, p) for name, p, _ in formula.defaults]])
        made = *self._recipe.positions, *formula.decided, *self.leaves.values()
        self._sizes = Sizes(formula.program, *made, alike=self._recipe.alike, has_sums=True)

    @property
    def shapes(self) -> dict[str, Shape]:
        """The shapes of the leaves that were recorded."""
        return {name: self.formula.program.shapes[p] for name, p in self.leaves.items()}

    def check(self, given: Container[str]) -> None:
        """Refuse where a leaf that is not given may depend on sizes."""
        kept = sorted(name for name in self._unnamed if name not in given)
        if kept:
            raise PathConditionError(
                f"{kept[0]} keeps the value that was recorded, which may depend on sizes; give it"
            )

    def made(self, shapes: Mapping[str, Shape]) -> Compiled:
        """Make the formula for leaves of these shapes."""
        again = self._resized(self._numbers(shapes))
        program, output = self._recipe.result(again)
        place, own = again.place, self.formula
        return own._replace(
            program=program,
            outputs=(output,),
            arguments=tuple([(name, place[p]) for name, p in own.arguments]),
            defaults=tuple([(name, place[p], get) for name, p, get in own.defaults]),
            guards=tuple([Guard(place[g.position], *g[1:]) for g in own.guards]),
        )

    def _lengths(self) -> set[Axis]:
        """Give the sizes of what is computed that may be other numbers.

        What a derivative flows through counts, too: that of `sum(y + zeros(3))` is 3.
        """
        sizes = self._sizes
        computed = {*self._read()} & {*sizes.steps}
        axes = [(p, k) for p in computed for k in range(len(sizes.shape(p)))]
        axes += self._recipe.axes(self.formula.program)
        return {sizes.root(axis) for axis in axes} - sizes.kept.keys() - sizes.summed()

    def _read(self) -> list[int]:
        """List the steps that the formula follows from, here and where it is made again."""
        program = self.formula.program
        return [*self._recipe.steps(program), *program.ancestors(self.formula.outputs)]

    def _resized(self, numbers: Mapping[Axis, int]) -> Resized:
        try:
            return resized(self._sizes, numbers)
        except UnsupportedError as error:
            raise PathConditionError(
                f"the formula does not hold for these sizes: {error}"
            ) from None

    def _numbers(self, shapes: Mapping[str, Shape]) -> dict[Axis, int]:
        """Give the number of each size; refuse where two are one and differ."""
        sizes, free = self._sizes, self._sizes.free()
        found: dict[Axis, tuple[int, tuple[int, str]]] = {}
        for name, p in self.leaves.items():
            shape = shapes[name]
            for k, ((root, more), n) in enumerate(zip(sizes.sizes(p), shape, strict=True)):
                here = f"axis {k} of {name}"
                if root not in free and n != sizes.number((p, k)):
                    why = sizes.kept.get(root, "no argument tells it")
                    raise PathConditionError(
                        f"{here} is {n} long and has to be {sizes.number((p, k))} long, since {why}"
                    )
                if root not in free:
                    continue
                number, where = found.setdefault(root, (n - more, (more, here)))
                if number != n - more:
                    raise PathConditionError(_differ(here, n, more, number, *where))
        for axis, why in sizes.unknown(self._read()):
            raise PathConditionError(
                f"an axis of {sizes.number(axis)} in what was computed has to stay, since {why}: "
                "the formula holds for the recorded sizes alone"
            )
        untold = sorted(self._lengths() - found.keys())
        if untold:
            n = sizes.number(untold[0])
            raise PathConditionError(
                f"the formula has an axis of {n} that no argument tells: it holds for the recorded "
                "sizes alone"
            )
        return {root: n for root, (n, _) in found.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel with the whole program, which a derivative may be taken of again."""
        whole, program = CompiledFormula(self.formula, "numpy"), self.formula.program
        return _resizing, (whole, program, self._unnamed, self._recipe)


class ResizedFormula:
    """A formula as a function of leaves of any size for which it is the same.

    Which axes must agree is found in the program, which is made again and compiled once for each
    choice of sizes. Raises `PathConditionError` for an axis that cannot be as long as it is, and
    for leaves without names that keep their recorded values, such as those of `tf.size(x)`.
    """

    def __init__(self, recorded: CompiledFormula, parts: Sequence[Resizing]) -> None:
        self._recorded, self._parts = recorded, parts
        self.signature = self.__signature__ = recorded.signature
        self._own = {name: shape for part in parts for name, shape in part.shapes.items()}
        self._known: OrderedDict[tuple[Shape, ...], CompiledFormula] = OrderedDict()

    def __repr__(self) -> str:
        return f"<formula of {self.signature} for leaves of any size>"

    @property
    def source(self) -> str:
        """The code for the recorded sizes."""
        return self._recorded.source

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Compute the formula; raises `PathConditionError` where `at` does."""
        return self.at(*args, **kwargs)(*args, **kwargs)

    def at(self, /, *args: Any, **kwargs: Any) -> CompiledFormula:
        """Give the function that is compiled for the sizes of some arguments.

        Raises `PathConditionError` for an axis that cannot be as long as it is.
        """
        given = self._recorded.bound(args, kwargs)
        own = self._own
        shapes = own | {name: _shape(value) for name, value in given.items() if name in own}
        if shapes == own or any([len(shapes[name]) != len(own[name]) for name in own]):
            return self._recorded
        wanted = tuple(shapes.values())
        for part in self._parts:
            part.check(given)
        if wanted not in self._known:
            made = [part.made(shapes) for part in self._parts]
            tree = self._recorded.formula.tree
            formula = made[0] if tree is LEAF else joined(made, tree)
            self._known[wanted] = CompiledFormula(formula, self._recorded.backend)
            if len(self._known) > _MOST_SIZES:
                self._known.popitem(last=False)
        return self._known[wanted]

    def to_json(self) -> str:
        """Refuse: a file has one choice of sizes; `f.at(...).to_json()` writes it."""
        raise self._one_choice("to_json()")

    def save(self, path: Any) -> None:
        """Refuse: a file has one choice of sizes; `f.at(...).save(path)` writes it."""
        raise self._one_choice(f"save({path!r})")

    def export(self, path: Any, *, name: str | None = None, doc: str = "") -> None:  # noqa: ARG002 - as of one choice
        """Refuse: a module has one choice of sizes; `f.at(...).export(path)` writes it."""
        raise self._one_choice(f"export({path!r})")

    def _one_choice(self, way: str) -> UnsupportedError:
        inner = ", ".join(self.signature.parameters)
        return UnsupportedError(
            f"{way}: a file has one choice of sizes, and this function is for any; "
            f"f.at({inner}).{way} writes the one for the sizes of some arguments, and pickle keeps "
            "the function as it is"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the compiled formula, and what is made again."""
        return ResizedFormula, (self._recorded, self._parts)


def _resizing(
    whole: CompiledFormula, program: Program, unnamed: Collection[str], recipe: Recipe
) -> Resizing:
    return Resizing(whole.formula._replace(program=program), unnamed, recipe)


def _differ(here: str, n: int, more: int, number: int, other: int, there: str) -> str:
    """Say that two axes are not as long as they have to be."""
    apart = more - other
    how = f"has to be {abs(apart)} {'longer' if apart > 0 else 'shorter'}" if apart else "equal"
    said = "which have to be equal" if not apart else f"and the first {how}"
    return f"{here} is {n} long and {there} is {number + other} long, {said}"


def _shape(value: Any) -> Shape:
    found = getattr(value, "shape", None)
    return tuple(np.shape(value) if found is None else found)
