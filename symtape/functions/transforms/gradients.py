"""`grad` and `value_and_grad`: gradients of functions, and what all derivatives of them share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtape.functions.tracing.arguments import Arguments, by_arguments
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.paths import Path, Result
from symtape.functions.tracing.tracing import Traced, trace
from symtape.functions.transforms import derivations
from symtape.functions.transforms.pure import declared
from symtape.functions.transforms.rows import (
    RowsDifferError,
    all_at_once,
    count_rows,
    of_all_rows,
    row,
    rows_of,
    stacked,
)
from symtape.nest.trees import LEAF, Tree
from symtape.program.program import Program

Argnums = int | Sequence[int]
Vectorize = bool | int | Sequence[int]


class Derivative(Function):
    """A derivative by some of the positional arguments."""

    def __init__(
        self, function: Callable[..., Any], argnums: Argnums, title: str, vectorize: Vectorize, *,
        has_aux: bool = False,
    ) -> None:  # fmt: skip
        self.has_aux = has_aux
        self._chosen = chosen = _numbers("argnums", argnums, title)
        self.argnums = chosen if isinstance(argnums, (tuple, list)) else chosen[0]
        super().__init__(function, title)
        self._over: tuple[int, ...] = ()
        if vectorize is not False:
            self._over = _numbers("vectorize", chosen if vectorize is True else vectorize, title)
            self._by_row = type(self)(function, argnums, title, False, **self.options)

    def rebound(self, standin: Callable[[Any], Any]) -> Function:
        """Do so for single rows, too."""
        made = super().rebound(standin)
        if self._over:
            made.__dict__["_by_row"] = self._by_row.rebound(standin)
        return made

    @property
    def which(self) -> str:
        """By which arguments it is."""
        return f" {by_arguments(self._chosen, self.names)}"

    @property
    def options(self) -> dict[str, Any]:
        """What else was asked for."""
        return {"has_aux": self.has_aux}

    @property
    def transform(self) -> tuple[Any, ...]:
        """Ask about the arguments that are chosen."""
        return type(self), self.argnums, self._over, *self.options.values()

    # --- one row or many --------------------------------------------------------------------------

    def _called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Compute; rows that take different branches are computed one by one."""
        try:
            return super()._called(args, kwargs)
        except RowsDifferError:
            arguments = Arguments(self.names, args, kwargs)
            rows, count = rows_of(arguments, self._over, self.title)
            return stacked([self._by_row(*r.args, **r.kwargs) for r in rows], count)

    def formula(self, /, *args: Any, **kwargs: Any) -> Any:
        """Compute, and give tensors with all readings; rows on different branches have none."""
        with all_at_once(self.title, "formula"):
            return super().formula(*args, **kwargs)

    def source(self, /, *args: Any, **kwargs: Any) -> str:
        """Write the code that is compiled for arguments like these."""
        with all_at_once(self.title, "source"):
            return super().source(*args, **kwargs)

    def traced(self, function: Callable[..., Any], arguments: Arguments, again: bool) -> Traced:
        """Trace the function on one row, and make a program of all rows of it."""
        if not self._over:
            return super().traced(function, arguments, again)
        self._check_numbers("vectorize", self._over, arguments)
        count = count_rows(self.title, arguments, self._over)
        first = row(arguments, self._over, 0)
        one = trace(function, first, self.sources(first))
        if one.captured is None:
            raise RowsDifferError("each row is recorded by itself")
        sources, _ = self.chosen(one, first)
        return of_all_rows(one, arguments, self._over, sources, count)

    def sources(self, arguments: Arguments) -> Collection[int]:
        """Number the leaves of the arguments that are chosen."""
        self._check_numbers("argnums", self._chosen, arguments)
        return {k for n in self._chosen for k in range(*arguments.spans[n])}

    def undecided(self, path: Path, inputs: Sequence[Any]) -> Sequence[Any]:
        """Leave rows that take different branches to the loop."""
        if self._over:
            raise RowsDifferError("the rows take different branches")
        return super().undecided(path, inputs)

    def chosen(self, traced: Traced, arguments: Arguments) -> tuple[list[int], Tree]:
        """Give the positions to differentiate by, and the structure that they have."""
        self._check_numbers("argnums", self._chosen, arguments)
        one = traced.one_row or traced
        positions: list[int] = []
        trees = []
        for n in self._chosen:
            start, stop = arguments.spans[n]
            trees.append(arguments.tree_of(n % len(arguments.args), self.title))
            positions += one.arguments[start:stop]
        if traced.sources is not None:
            positions = [traced.sources[p] for p in positions]
        tree = trees[0] if isinstance(self.argnums, int) else Tree(tuple, (), tuple(trees))
        return positions, tree

    def _check_numbers(self, what: str, numbers: Sequence[int], arguments: Arguments) -> None:
        count = len(arguments.args)
        for n in numbers:
            if not -count <= n < count:
                raise ValueError(
                    f"{self.title}: {what} asks for argument {n}, but the call has {count} "
                    f"positional argument{'s' if count != 1 else ''}"
                )

    def targets(self, traced: Traced, tree: Tree) -> list[int]:
        """Give the positions of the results that are differentiated, which have a structure."""
        one = traced.one_row or traced
        differentiated = one._replace(results=one.results[: tree.size])
        differentiated.targets(self.title)
        return [p for p in traced.results[: tree.size] if p is not None]

    def scalar(self, traced: Traced, tree: Tree) -> int:
        """Give the position of the one result."""
        (traced.one_row or traced).scalar_target(self.title, tree)
        (value, *_) = traced.results
        assert value is not None  # noqa: S101 - it is a scalar
        return value

    def split(self, traced: Traced) -> tuple[Tree, Tree | None]:
        """Tell the structure of what is differentiated from that of what is beside it."""
        tree = traced.tree
        if not self.has_aux:
            return tree, None
        if tree.type is not tuple or len(tree.branches) != 2:
            raise TypeError(
                f"{self.title}: with has_aux=True the function gives a pair (value, aux)"
            )
        return tree.branches

    def with_aux(self, path: Path, results: Sequence[Any]) -> Any:
        """Put what is beside the value, tensors and others, after the results."""
        traced = path.traced
        beside = traced.results[self.split(traced)[0].size :]
        count = len(results) - sum(p is not None for p in beside)
        supply, plain = iter(results[count:]), iter(traced.plain)
        rest = [next(plain) if p is None else next(supply) for p in beside]
        return path.result.tree.build([*results[:count], *rest])

    def packed(self, path: Path, results: Sequence[Any]) -> Any:
        """Give a pair where something is beside the value."""
        return self.with_aux(path, results) if self.has_aux else super().packed(path, results)

    def packer(self, path: Path) -> Callable[[Sequence[Any]], Any]:
        """Make what packs results."""
        return partial(self.packed, path) if self.has_aux else super().packer(path)

    def paired(self, program: Program, traced: Traced, results: Sequence[int], tree: Tree,
               rows: Sequence[int | None]) -> Result:  # fmt: skip
        """Give the result, and what is beside the value."""
        outer, rest = self.split(traced)
        if rest is None:
            return Result(program, tuple(results), tree, tuple(rows))
        beside = [p for p in traced.results[outer.size :] if p is not None]
        pair = Tree(tuple, (), (tree, rest))
        return Result(program, (*results, *beside), pair, (*rows, *[None] * len(beside)))


def _numbers(what: str, given: Any, title: str) -> tuple[int, ...]:
    """Read numbers of arguments."""
    numbers = given if isinstance(given, (tuple, list)) else (given,)
    if not all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in numbers):
        raise TypeError(f"{title}: {what} is an int or a sequence of ints, not {given!r}")
    return tuple([int(n) for n in numbers])


class Gradient(Derivative):
    """The gradient of a scalar function; see `grad`."""

    def __init__(
        self, function: Callable[..., Any], argnums: Argnums, title: str, vectorize: Vectorize, *,
        with_value: bool, has_aux: bool,
    ) -> None:  # fmt: skip
        self._with_value = with_value
        super().__init__(function, argnums, title, vectorize, has_aux=has_aux)

    @property
    def options(self) -> dict[str, Any]:
        """Ask for the value too, where it is wanted."""
        return {"with_value": self._with_value, "has_aux": self.has_aux}

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive the gradient; the results are value, gradients, and what came beside the value."""
        sources, tree = self.chosen(traced, arguments)
        value = self.scalar(traced, self.split(traced)[0])
        program, slopes = derivations.gradients(traced.program, [value], sources)
        results = [value, *slopes] if self._with_value else slopes
        made = Tree(tuple, (), (LEAF, tree)) if self._with_value else tree
        return self.paired(program, traced, results, made, [None] * len(results))

    def packed(self, path: Path, results: Sequence[Any]) -> Any:
        """Pair the value with what came beside it."""
        found = super().packed(path, results)
        if not (self.has_aux and self._with_value):
            return found
        (value, slopes), rest = found
        return (value, rest), slopes


def grad(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    vectorize: Vectorize = False,
    *,
    pure: bool = False,
) -> Function:
    """Give the gradient of a scalar function, as a function of the same arguments.

    `fun` is written with the names of `tf`, Python's operators or NumPy's functions. Arguments are
    numbers, NumPy arrays, tensors, and lists, tuples, dicts and dataclasses of them; `argnums` says
    by which of the positional ones to differentiate. The gradient has their structure (a tuple for
    a sequence of `argnums`), and the shape and dtype of each; it is a NumPy array, or a tensor if
    some argument is a tensor. Python's floats are float64 here, as they are for NumPy. Where the
    result does not depend on an argument, the gradient is zero.

    With `has_aux`, `fun` gives a pair, and only its first part is differentiated; the function
    gives the gradient and the second part.

    With `vectorize`, `fun` is a function of one row, and arguments have a first axis of rows: those
    of `argnums`, or those that `vectorize` numbers, the others being the same for all rows. Each
    row has its gradient, and no loop runs over them. Results have the axis of rows in front.

    The function is traced once for each structure of arguments and compiled; `formula(*args)` gives
    the gradient as tensors with all readings, `source(*args)` the code that is compiled. What it
    reads besides its arguments is read or compared on each call; where that cannot be known of its
    code, it is recorded on each call, which is slower. With `pure`, you declare that it depends on
    its arguments and variables alone: what else it reads is what it was when it was traced.

    When it is called, it raises `TypeError` for arguments without derivatives (integers) and for
    results that are no floating scalars, `ValueError` for an argument that the call does not have
    and for different numbers of rows, and `DerivativeError` where the function took values of its
    arguments out of what is recorded.

    >>> slope = grad(lambda x: x ** 3)
    >>> slope(2.0)
    np.float64(12.0)
    >>> slope.formula(2.0).expr
    3*x**2
    >>> grad(lambda p: p["a"] * p["b"])({"a": 2.0, "b": 5.0})
    {'a': np.float64(5.0), 'b': np.float64(2.0)}
    >>> import numpy as np
    >>> grad(lambda w, x: w * x * x, vectorize=1)(3.0, np.array([1.0, 2.0]))
    array([1., 4.])
    """
    return Gradient(
        declared(fun) if pure else fun,
        argnums,
        "grad",
        vectorize,
        with_value=False,
        has_aux=has_aux,
    )


def value_and_grad(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    vectorize: Vectorize = False,
    *,
    pure: bool = False,
) -> Function:
    """Give a scalar function and its gradient, as one function that gives a pair; see `grad`.

    With `has_aux` the pair is ((value, second part), gradient). It raises what `grad` raises.

    >>> value_and_grad(lambda x: x ** 3)(2.0)
    (np.float64(8.0), np.float64(12.0))
    """
    return Gradient(
        declared(fun) if pure else fun,
        argnums,
        "value_and_grad",
        vectorize,
        with_value=True,
        has_aux=has_aux,
    )
