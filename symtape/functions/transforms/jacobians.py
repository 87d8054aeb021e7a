"""`jacobian` and `hessian`: a block for each result and each argument, or two of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.paths import Result
from symtape.functions.tracing.tracing import Traced
from symtape.functions.transforms import derivations
from symtape.functions.transforms.gradients import Argnums, Derivative, Vectorize
from symtape.functions.transforms.pure import declared
from symtape.nest.trees import Tree


class Jacobian(Derivative):
    """The Jacobian of a function; see `jacobian`."""

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive a block for each result and each argument."""
        sources, tree = self.chosen(traced, arguments)
        outer, _ = self.split(traced)
        targets = self.targets(traced, outer)
        batch = traced.one_row is not None
        program, results, rows = traced.program, [], []
        for target in targets:
            program, blocks = derivations.jacobians(program, target, sources, batch=batch)
            results += blocks
            rows += [None if batch else len(program.shapes[target])] * len(blocks)
        return self.paired(program, traced, results, _nested(outer, tree), rows)


class Hessian(Derivative):
    """The second derivatives of a function; see `hessian`."""

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive a block for each result and each pair of arguments."""
        sources, tree = self.chosen(traced, arguments)
        outer, _ = self.split(traced)
        targets = self.targets(traced, outer)
        batch = traced.one_row is not None
        program = traced.program
        results: list[int] = []
        rows: list[int | None] = []
        for target in targets:
            lead = len(program.shapes[target])
            program, blocks = derivations.hessians(program, target, sources, batch=batch)
            for source, derived in zip(sources, blocks, strict=True):
                results += derived
                rows += [None if lead else len(program.shapes[source])] * len(derived)
        made = _nested(outer, _nested(tree, tree))
        return self.paired(program, traced, results, made, rows)


def _nested(outer: Tree, inner: Tree) -> Tree:
    """Put a structure in the place of each leaf of another one."""
    if outer.type is None:
        return inner
    return outer._replace(branches=tuple([_nested(branch, inner) for branch in outer.branches]))


def jacobian(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    vectorize: Vectorize = False,
    *,
    pure: bool = False,
) -> Function:
    """Give the derivatives of all results by all elements of arguments, as a function; see `grad`.

    Each block has the shape of the result and then that of the argument. The structure is that of
    the results of `fun`, with that of the arguments in the place of each. With `has_aux` only the
    first part of a pair is differentiated, and the function gives the Jacobian and the second part.

    It raises what `grad` raises, but results may have any shape, and be complex: `TypeError` is for
    those that are no tensors and no numbers.

    >>> import numpy as np
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    return Jacobian(declared(fun) if pure else fun, argnums, "jacobian", vectorize, has_aux=has_aux)


def hessian(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    vectorize: Vectorize = False,
    *,
    pure: bool = False,
) -> Function:
    """Give the second derivatives, as a function; see `grad`, and `jacobian` for `has_aux`.

    Each block has the shape of the result, that of one argument, and that of another one. Of
    several arguments there are all blocks: a tuple of tuples for a sequence of `argnums`, a dict of
    dicts for an argument that is a dict.

    It raises what `grad` raises.

    >>> import numpy as np
    >>> hessian(lambda x: np.sum(x ** 3))(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    >>> hessian(lambda x, y: x * y ** 2, argnums=(0, 1))(1.0, 2.0)[1]
    (np.float64(4.0), np.float64(2.0))
    """
    return Hessian(declared(fun) if pure else fun, argnums, "hessian", vectorize, has_aux=has_aux)
