"""`grad`, `value_and_grad`, `jacobian`, `hessian` and `trace`: derivatives as functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.functions import derivations
from symtape.functions.arguments import Arguments, parameter_names
from symtape.functions.function import Answer, Function, Run
from symtape.functions.targets import scalar_target, tensor_targets
from symtape.functions.tracing import Traced
from symtape.functions.tracing import trace as traced_program
from symtape.functions.trees import LEAF, Tree
from symtape.program.program import Program

Argnums = int | Sequence[int]


class _Derivative(Function):
    """A derivative by some of the positional arguments."""

    def __init__(self, function: Callable[..., Any], argnums: Argnums, title: str) -> None:
        super().__init__(function, title)
        self.argnums = argnums if isinstance(argnums, int) else tuple(argnums)
        chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        if not all(isinstance(n, int) for n in chosen):
            raise TypeError(f"{title}: argnums is an int or a sequence of ints, not {argnums!r}")
        self._chosen = chosen

    @property
    def question(self) -> tuple[Any, ...]:
        """Ask about the arguments that are chosen."""
        return type(self), self.argnums

    def chosen(self, traced: Traced, arguments: Arguments) -> tuple[list[int], Tree]:
        """Give the positions to differentiate by, and the structure that they have."""
        positions: list[int] = []
        trees = []
        count = len(arguments.args)
        for n in self._chosen:
            if not -count <= n < count:
                raise ValueError(
                    f"{self.title}: argnums={self.argnums!r} asks for argument {n}, but the call "
                    f"has {count} positional argument{'s' if count != 1 else ''}"
                )
            start, stop = arguments.spans[n]
            trees.append(arguments.tree_of(n % count, self.title))
            positions += traced.arguments[start:stop]
        tree = trees[0] if isinstance(self.argnums, int) else Tree(tuple, (), tuple(trees))
        return positions, tree


class Gradient(_Derivative):
    """The gradient of a scalar function; see `grad`."""

    def __init__(
        self, function: Callable[..., Any], argnums: Argnums, title: str, *,
        with_value: bool, has_aux: bool,
    ) -> None:  # fmt: skip
        super().__init__(function, argnums, title)
        self._with_value, self._has_aux = with_value, has_aux

    @property
    def question(self) -> tuple[Any, ...]:
        """Ask for the value too, where it is wanted."""
        return *super().question, self._with_value, self._has_aux

    def answer(self, traced: Traced, arguments: Arguments) -> Answer:
        """Derive the gradient; the results are value, gradients, and what came beside the value."""
        sources, tree = self.chosen(traced, arguments)
        own, rest_tree = self._split(traced)
        value = scalar_target(self.title, traced, sources, own)
        rest = [p for p in traced.results[1:] if p is not None]
        program, slopes = derivations.gradients(traced.program, [value], sources)
        results = [*([value] if self._with_value else []), *slopes, *rest]
        return Answer(program, tuple(results), self._tree(tree, rest_tree), (None,) * len(results))

    def _tree(self, slopes: Tree, rest: Tree | None) -> Tree:
        if rest is None:
            return Tree(tuple, (), (LEAF, slopes)) if self._with_value else slopes
        return Tree(tuple, (), (LEAF, slopes, rest) if self._with_value else (slopes, rest))

    def packed(self, run: Run, results: Sequence[Any]) -> Any:
        """Pair the value with what came beside it."""
        if not self._has_aux:
            return super().packed(run, results)
        traced = run.path.traced
        count = len(results) - sum(p is not None for p in traced.results[1:])
        supply, plain = iter(results[count:]), iter(traced.plain)
        rest = [next(plain) if p is None else next(supply) for p in traced.results[1:]]
        found = run.path.answer.tree.build([*results[:count], *rest])
        return ((found[0], found[2]), found[1]) if self._with_value else found

    def _split(self, traced: Traced) -> tuple[Tree, Tree | None]:
        """Tell the structure of the value from that of what is beside it."""
        tree = traced.tree
        if not self._has_aux:
            return tree, None
        if tree.type is not tuple or len(tree.branches) != 2:
            raise TypeError(
                f"{self.title}: with has_aux=True the function gives a pair (value, aux)"
            )
        return tree.branches


class Jacobian(_Derivative):
    """The Jacobian of a function; see `jacobian`."""

    def answer(self, traced: Traced, arguments: Arguments) -> Answer:
        """Derive a block for each result and each argument."""
        sources, tree = self.chosen(traced, arguments)
        targets, outer = tensor_targets(self.title, traced, sources), traced.tree
        program, results, rows = traced.program, [], []
        for target in targets:
            program, blocks = derivations.jacobians(program, target, sources)
            results += blocks
            rows += [len(program.shapes[target])] * len(blocks)
        return Answer(program, tuple(results), _nested(outer, tree), tuple(rows))


class Hessian(_Derivative):
    """The second derivatives of a function; see `hessian`."""

    def answer(self, traced: Traced, arguments: Arguments) -> Answer:
        """Derive a block for each result and each pair of arguments."""
        sources, tree = self.chosen(traced, arguments)
        targets, outer = tensor_targets(self.title, traced, sources), traced.tree
        program = traced.program
        results: list[int] = []
        rows: list[int | None] = []
        for target in targets:
            lead = len(program.shapes[target])
            program, blocks = derivations.hessians(program, target, sources)
            for source, row in zip(sources, blocks, strict=True):
                results += row
                rows += [None if lead else len(program.shapes[source])] * len(row)
        return Answer(program, tuple(results), _nested(outer, _nested(tree, tree)), tuple(rows))


def _nested(outer: Tree, inner: Tree) -> Tree:
    """Put a structure in the place of each leaf of another one."""
    if outer.type is None:
        return inner
    return outer._replace(branches=tuple([_nested(branch, inner) for branch in outer.branches]))


# --- the public names -----------------------------------------------------------------------------


def grad(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Give the gradient of a scalar function, as a function of the same arguments.

    `fun` is written with the names of `tf`, Python's operators or NumPy's functions. Arguments are
    numbers, NumPy arrays, tensors, and lists, tuples, dicts and dataclasses of them; `argnums` says
    by which of the positional ones to differentiate. The gradient has their structure (a tuple for
    a sequence of `argnums`), and the shape and dtype of each; it is a NumPy array, or a tensor if
    some argument is a tensor. Python's floats are float64 here, as they are for NumPy. Where the
    result does not depend on an argument, the gradient is zero.

    With `has_aux`, `fun` gives a pair, and only its first part is differentiated; the function
    gives the gradient and the second part.

    The function is traced once for each structure of arguments and compiled; `formula(*args)` gives
    the gradient as tensors with all readings, `source(*args)` the code that is compiled.

    Raises `TypeError` for arguments without derivatives (integers), and for results that are no
    floating scalars.

    >>> slope = grad(lambda x: x ** 3)
    >>> slope(2.0)
    np.float64(12.0)
    >>> slope.formula(2.0).expr
    3*x**2
    >>> grad(lambda p: p["a"] * p["b"])({"a": 2.0, "b": 5.0})
    {'a': np.float64(5.0), 'b': np.float64(2.0)}
    """
    return Gradient(fun, argnums, "grad", with_value=False, has_aux=has_aux)


def value_and_grad(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Give a scalar function and its gradient, as one function that gives a pair; see `grad`.

    With `has_aux` the pair is ((value, second part), gradient).

    >>> value_and_grad(lambda x: x ** 3)(2.0)
    (np.float64(8.0), np.float64(12.0))
    """
    return Gradient(fun, argnums, "value_and_grad", with_value=True, has_aux=has_aux)


def jacobian(fun: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """Give the derivatives of all results by all elements of arguments, as a function; see `grad`.

    Each block has the shape of the result and then that of the argument. The structure is that of
    the results of `fun`, with that of the arguments in the place of each.

    >>> import numpy as np
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    return Jacobian(fun, argnums, "jacobian")


def hessian(fun: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """Give the second derivatives, as a function; see `grad`.

    Each block has the shape of the result, that of one argument, and that of another one. Of
    several arguments there are all blocks: a tuple of tuples for a sequence of `argnums`, a dict of
    dicts for an argument that is a dict.

    >>> import numpy as np
    >>> hessian(lambda x: np.sum(x ** 3))(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    >>> hessian(lambda x, y: x * y ** 2, argnums=(0, 1))(1.0, 2.0)[1]
    (np.float64(4.0), np.float64(2.0))
    """
    return Hessian(fun, argnums, "hessian")


class TracedProgram(Program):
    """The program of a function; `arguments` and `results` are positions in it."""

    __slots__ = ("arguments", "results")

    def __init__(self, traced: Traced) -> None:
        program = traced.program
        super().__init__(program.steps, program.shapes, program.dtypes, program.guards)
        self.arguments = traced.arguments
        self.results = traced.results


def trace(fun: Callable[..., Any], *specs: Any) -> TracedProgram:
    """Run a function once and give its program; `print` it to see its steps.

    `specs` are example arguments, or shapes and dtypes as in `tf.TensorSpec([2, 3])`, for which
    there are numbers between 0 and 1. The branches of the program are those that they take.

    >>> print(trace(lambda x: x * x + 1.0, 3.0))
    v0 = input[float64, ()]  # float64 ()
    v1 = multiply(v0, v0)  # float64 ()
    v2 = 1.0  # float64 ()
    v3 = add(v1, v2)  # float64 ()
    """
    examples = tuple([_example(spec) for spec in specs])
    arguments = Arguments(parameter_names(fun), examples, {})
    return TracedProgram(traced_program(fun, arguments))


def _example(spec: Any) -> Any:
    """Make an array of a shape and dtype; matrices are far from singular."""
    if type(spec).__name__ != "TensorSpec":
        return spec
    if spec.shape.rank is None or None in spec.shape.as_list():
        raise ValueError(f"trace: {spec} leaves sizes open; a program has sizes")
    shape, dtype = tuple(spec.shape.as_list()), spec.dtype.numpy
    if dtype.kind not in "fc":
        return np.zeros(shape, dtype)
    count = int(np.prod(shape))
    found = ((np.arange(count) + 1.0) / (count + 1)).reshape(shape)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        found = found + shape[-1] * np.eye(shape[-1])
    return found.astype(dtype)
