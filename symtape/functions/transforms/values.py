"""The value of a function, compiled, and the product of its Hessian with many directions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.paths import Derivation, Result, Routine, Run
from symtape.functions.tracing.tracing import Traced
from symtape.functions.transforms import derivations
from symtape.program.operations import Constant
from symtape.program.program import Program


class Value(Function):
    """A function itself, as compiled code."""

    def sources(self, _: Arguments) -> Collection[int]:
        """Name none: nothing is differentiated."""
        return ()

    def result(self, traced: Traced, _: Arguments) -> Result:
        """Give the program as it is."""
        targets = traced.targets(self.title)
        return Result(traced.program, tuple(targets), traced.tree, (None,) * len(targets))


class ScalarValue(Value):
    """A function that gives one floating number, as compiled code."""

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Refuse all but a scalar."""
        traced.scalar_target(self.title)
        return super().result(traced, arguments)


class Curvatures(Function):
    """What the products of a Hessian with directions share, by the first argument.

    The value and the slopes are computed once for a point; a product with a direction then takes
    the steps that depend on the direction, and no others.
    """

    def sources(self, arguments: Arguments) -> Collection[int]:
        """Number the leaves of the first argument."""
        return range(*arguments.spans[0])

    def result(self, traced: Traced, _: Arguments) -> Result:
        """Derive the gradient of ⟨∇f, v⟩, and take apart what depends on v."""
        target = traced.scalar_target(self.title)
        derived = derivations.curvature(traced.program, target, traced.arguments[:1])
        program, products, directions = derived
        kept = _independent(program, products, directions)
        plain = Program(program.steps, program.shapes, program.dtypes, (), program.recorded)
        labels = (*[f"v{p}" for p in kept], "v")
        inputs = (*kept, *directions)
        routine = Routine(Derivation(plain, inputs, tuple(products), labels))
        return Result(program, tuple(kept), traced.tree, (None,) * len(kept), back=routine)

    def times(self, run: Run, direction: Any) -> Any:
        """Multiply the Hessian at a point with a direction."""
        linear: Routine = run.path.result.back
        (product,) = linear.run([*run.values, direction]) or ()
        return product


def _independent(program: Program, results: Sequence[int], directions: Sequence[int]) -> list[int]:
    """List what the results need that does not depend on the directions, numbers left out."""
    depends = set(directions)
    for p, step in enumerate(program.steps):
        if not depends.isdisjoint(step[1:]):
            depends.add(p)
    known = {
        p
        for p, step in enumerate(program.steps)
        if p not in depends and type(step[0]) is not Constant
    }
    return [p for p in program.schedule(results, known)[1] if p in known]
