"""`jvp`, `vjp` and `hvp`: products of derivatives with vectors, which form no matrix."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any, overload

from symtape.functions.tracing.arguments import Arguments, as_like
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.paths import Derivation, Path, Result, Routine, Run
from symtape.functions.tracing.tracing import Traced
from symtape.functions.transforms import derivations
from symtape.functions.transforms.pure import declared
from symtape.functions.transforms.rows import (
    OfRows,
    RowsDifferError,
    all_at_once,
    all_rows,
    sources_of,
    stacked,
)
from symtape.nest.trees import Tree, take_apart
from symtape.program.operations import Constant
from symtape.program.program import Program
from symtape.tensor.recording.active import THREAD


class _Product(OfRows):
    """A product with directions: called with primals and tangents."""

    alone: type[_Product]

    def __call__(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        """Compute; both are tuples or lists, with one element for each argument."""
        given = primals, tangents
        path: Path | None = self._cache.last
        if path is not None and path.arity == len(given) and not THREAD.state.recordings:
            results = path.again(given)
            if results is not None:
                return path.pack(results)
        arguments = self._arguments(primals, tangents)
        try:
            run = self.run(arguments)
        except RowsDifferError:
            return self._row_by_row(primals, tangents)
        path = run.path
        if path.arity is None and path is self._cache.last:
            path.learn(given, [*arguments.values, *arguments.further_values], self.packer(path))
        return self.packed(run.path, self.results(run))

    def _row_by_row(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        """Compute rows that take different branches."""
        function = self._reference()
        assert function is not None  # noqa: S101 - it was traced just now
        by_row = self.alone(function, self.title)
        points, count = all_rows(self.names, tuple(primals), self.title)
        directions, _ = all_rows(self.names, tuple(tangents), self.title)
        pairs = zip(points, directions, strict=True)
        return stacked([by_row(x.args, v.args) for x, v in pairs], count)

    def formula(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        """Compute, and give tensors with all readings."""
        with all_at_once(self.title, "formula"):
            run = self.run(self._arguments(primals, tangents))
        return self.packed(run.path, self.tensors(run))

    def source(self, primals: Sequence[Any], tangents: Sequence[Any]) -> str:
        """Write the code that is compiled for arguments like these."""
        with all_at_once(self.title, "source"):
            return self.text(self.run(self._arguments(primals, tangents)))

    def _arguments(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Arguments:
        _check_tuple(self.title, "primals", primals)
        _check_tuple(self.title, "tangents", tangents)
        if len(primals) != len(tangents):
            raise TypeError(
                f"{self.title}: there are {len(primals)} primals but {len(tangents)} tangents"
            )
        arguments = Arguments(self.names, tuple(primals), {})
        for k, tangent in enumerate(tangents):
            arguments.add(k, tangent, self.title)
        return arguments


class Forward(_Product):
    """The value of a function, and its derivative along directions; see `jvp`."""

    def result(self, traced: Traced, _: Arguments) -> Result:
        """Derive the transpose of the transpose."""
        targets, sources = _targets(self.title, traced), sources_of(traced)
        program, directions = derivations.entering(traced.program, sources)
        program, along = derivations.directional(program, targets, sources, directions)
        results = (*targets, *along)
        tree = Tree(tuple, (), (traced.tree, traced.tree))
        return Result(program, results, tree, (None,) * len(results), tuple(directions))


class Curvature(_Product):
    """The product of the Hessian with directions; see `hvp`."""

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive the gradient of ⟨∇f, v⟩."""
        (traced.one_row or traced).scalar_target(self.title)
        (target,) = _results(traced)
        derived = derivations.curvature(traced.program, target, sources_of(traced))
        program, products, directions = derived
        trees = [arguments.tree_of(k, self.title) for k in range(len(arguments.args))]
        tree = trees[0] if len(trees) == 1 else Tree(tuple, (), tuple(trees))
        rows = (None,) * len(products)
        return Result(program, tuple(products), tree, rows, tuple(directions))


class Pullback(OfRows):
    """The value of a function, and what its transposed derivative needs; see `vjp`."""

    def result(self, traced: Traced, arguments: Arguments) -> Result:
        """Derive the gradient of ⟨u, y⟩; give y, and the recorded values that it is made of."""
        for k in range(len(arguments.args)):
            arguments.tree_of(k, self.title)
        targets = _targets(self.title, traced)
        program, weights = derivations.entering(traced.program, targets)
        program, pulled = derivations.gradients(program, targets, sources_of(traced), weights)
        steps = traced.program.steps
        held = {p for p, step in enumerate(steps) if type(step[0]) is not Constant}
        kept = program.schedule(pulled, held.union(weights))[1]
        kept = [p for p in kept if p in held]
        results = (*targets, *kept)
        back = _Back(traced, arguments, kept, (program, weights, pulled))
        return Result(program, results, traced.tree, (None,) * len(results), back=back)

    def pulled(self, run: Run) -> Callable[[Any], Any]:
        """Give the function that takes a cotangent to those of the arguments."""
        back: _Back = run.path.result.back
        tree = run.path.traced.tree
        count = tree.size

        def vjp_function(cotangent: Any) -> Any:
            leaves, own = take_apart(cotangent)
            if own != tree:
                raise TypeError(
                    "vjp: the cotangent must have the structure of the result, "
                    f"{tree.build(['*'] * count)!r}, not {own.build(['*'] * own.size)!r}"
                )
            values = [
                as_like(leaf, like, "vjp: the cotangent")
                for leaf, like in zip(leaves, run.values, strict=False)
            ]
            labels = [f"u{k or ''}" for k in range(count)]
            arguments = run.arguments.with_further(leaves, values, labels)
            path = Path(run.path.traced, back.whole, back.result)
            inputs = [*run.values[count:], *values]
            found = back.routine.run(inputs) or ()
            done = Run(path, arguments, run.outsiders, found, ())
            return self.packed(path, self.results(done))

        return vjp_function


class _Back:
    """How a cotangent is pulled back: from kept values, and, for tapes, from the arguments."""

    def __init__(self, traced: Traced, arguments: Arguments, kept: Sequence[int],
                 derived: tuple[Program, Sequence[int], Sequence[int]]) -> None:  # fmt: skip
        whole, weights, pulled = derived
        program = Program(whole.steps, whole.shapes, whole.dtypes, (), whole.recorded)
        results = tuple(pulled)
        trees = [arguments.tree_of(k, "vjp") for k in range(len(arguments.args))]
        self.result = Result(
            program, results, Tree(tuple, (), tuple(trees)), (None,) * len(results), tuple(weights)
        )
        labels = [f"v{p}" for p in (*kept, *weights)]
        inputs = (*kept, *weights)
        self.routine = Routine(Derivation(program, inputs, results, tuple(labels)))
        leaves = (*traced.arguments, *[o.position for o in traced.others], *weights)
        names = [*arguments.labels(), *[o.label for o in traced.others]]
        names += [f"u{k or ''}" for k in range(len(weights))]
        self.whole = Routine(Derivation(program, leaves, results, tuple(names)))


class ForwardOfRows(Forward):
    """Derivatives along directions, each in its row."""

    vectorize, alone = True, Forward


class CurvatureOfRows(Curvature):
    """Products of Hessians with directions, each in its row."""

    vectorize, alone = True, Curvature


class PullbackOfRows(Pullback):
    """Pullbacks, each in its row."""

    vectorize = True


_OF_ROWS: dict[type[_Product], type[_Product]] = {
    Forward: ForwardOfRows,
    Curvature: CurvatureOfRows,
}


def _results(traced: Traced) -> list[int]:
    return [p for p in traced.results if p is not None]


def _targets(title: str, traced: Traced) -> list[int]:
    """Give the positions of all results."""
    one = traced.one_row or traced
    one.targets(title)
    return _results(traced)


# --- the public names -----------------------------------------------------------------------------


@overload
def jvp(fun: Callable[..., Any], *, vectorize: bool = False, pure: bool = False) -> Function: ...


@overload
def jvp(
    fun: Callable[..., Any],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    vectorize: bool = False,
) -> tuple[Any, Any]: ...


def jvp(
    fun: Callable[..., Any],
    primals: Sequence[Any] | None = None,
    tangents: Sequence[Any] | None = None,
    vectorize: bool = False,
    *,
    pure: bool = False,
) -> Function | tuple[Any, Any]:
    """Give the value of a function, and its derivative along tangents: a pair, as `jax.jvp` does.

    `primals` and `tangents` are tuples or lists with one element for each argument; a tangent has
    the structure, shapes and dtypes of its argument. No Jacobian is formed: the product costs a few
    times what the function costs. Without primals, the function of both is given, which has
    `formula` and `source` (see `grad`, also for `pure`).

    With `vectorize`, `fun` is a function of one row, and all arguments and tangents have a first
    axis of rows; so have the results.

    Raises `TypeError` for primals without derivatives (integers), for tangents of another structure
    or dtype and for results that are no tensors or numbers, `ValueError` for tangents of another
    shape, and `DerivativeError` for a function whose gradient is not linear in the cotangent.

    >>> import numpy as np
    >>> jvp(np.sin, (0.0,), (2.0,))
    (np.float64(0.0), np.float64(2.0))
    """
    product: Function | tuple[Any, Any] = _product(
        Forward, "jvp", fun, primals, tangents, vectorize=vectorize, pure=pure
    )
    return product


@overload
def hvp(fun: Callable[..., Any], *, vectorize: bool = False, pure: bool = False) -> Function: ...


@overload
def hvp(
    fun: Callable[..., Any],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    vectorize: bool = False,
) -> Any: ...


def hvp(
    fun: Callable[..., Any],
    primals: Sequence[Any] | None = None,
    tangents: Sequence[Any] | None = None,
    vectorize: bool = False,
    *,
    pure: bool = False,
) -> Any:
    """Give the product of the Hessian of a scalar function with tangents; see `jvp`.

    It has the structure of the primals: of the one there is, else of the tuple. No Hessian is
    formed: it is the gradient of ⟨∇f, v⟩. Raises what `jvp` raises, and `TypeError` for a function
    that gives no floating scalar.

    >>> import numpy as np
    >>> hvp(lambda x: np.sum(x ** 3), (np.array([1.0, 2.0]),), (np.array([1.0, 1.0]),))
    array([ 6., 12.])
    """
    return _product(Curvature, "hvp", fun, primals, tangents, vectorize=vectorize, pure=pure)


def vjp(
    fun: Callable[..., Any], *primals: Any, vectorize: bool = False
) -> tuple[Any, Callable[[Any], Any]]:
    """Give the value of a function, and the function that pulls cotangents back, as `jax.vjp` does.

    That function takes something of the structure of the value, and gives a tuple with one element
    for each argument. The value is computed once; each cotangent costs what a gradient costs. With
    `vectorize`, `fun` is a function of one row, see `jvp`.

    Raises `TypeError` for primals without derivatives (integers) and for results that are no
    tensors or numbers; the function that is given, `TypeError` for a cotangent of another structure
    or dtype and `ValueError` for one of another shape.

    >>> import numpy as np
    >>> value, pull = vjp(lambda x, y: x * y, 3.0, np.array([1.0, 2.0]))
    >>> pull(np.array([1.0, 0.0]))
    (np.float64(1.0), array([3., 0.]))
    """
    function = _known(PullbackOfRows if vectorize else Pullback, "vjp", fun)
    arguments = Arguments(function.names, primals, {})
    try:
        run = function.run(arguments)
    except RowsDifferError:
        return _pulled_row_by_row(fun, arguments)
    traced = run.path.traced
    value = traced.tree.build(function.results(run)[: len(traced.results)])
    return value, function.pulled(run)


def _pulled_row_by_row(
    fun: Callable[..., Any], arguments: Arguments
) -> tuple[Any, Callable[[Any], Any]]:
    """Compute rows that take different branches."""
    points, count = all_rows(arguments.names, arguments.args, "vjp")
    pairs = [vjp(fun, *row.args) for row in points]

    def pull(cotangent: Any) -> Any:
        parts, _ = all_rows(["cotangent"], (cotangent,), "vjp")
        pulled = [own(row.args[0]) for (_, own), row in zip(pairs, parts, strict=True)]
        return stacked(pulled, count)

    return stacked([value for value, _ in pairs], count), pull


def _product(
    kind: type[_Product],
    title: str,
    fun: Callable[..., Any],
    primals: Sequence[Any] | None,
    tangents: Sequence[Any] | None,
    *,
    vectorize: bool,
    pure: bool,
) -> Any:
    kind = _OF_ROWS[kind] if vectorize else kind
    if primals is None and tangents is None:
        return kind(declared(fun) if pure else fun, title)
    if pure:
        raise TypeError(
            f"{title}: pure=True is for the function that {title}(fun, pure=True) gives, which "
            "keeps what it traced; call that one with primals and tangents"
        )
    return _known(kind, title, fun)(primals, tangents)


def _check_tuple(title: str, what: str, given: Any) -> None:
    if not isinstance(given, (tuple, list)):
        raise TypeError(
            f"{title}: {what} must be a tuple or list with one element for each argument, not "
            f"{type(given).__name__}; for one argument it is ({what[:-1]},)"
        )


_KNOWN: dict[Any, tuple[weakref.ref[Any], Any]] = {}
"""What was made for functions that are still alive; it holds none of them alive."""


def _known(kind: type[Any], title: str, fun: Any) -> Any:
    """Give what was made for a function before, or make it."""
    is_method = isinstance(fun, MethodType)
    holder, own = (fun.__self__, fun.__func__) if is_method else (fun, None)
    key = (kind, id(holder), id(own))
    reference, found = _KNOWN.get(key, (None, None))
    if reference is not None and reference() is holder:
        return found
    try:
        made = kind(fun, title, weakref.WeakMethod(fun) if is_method else weakref.ref(fun))
        # which needs no name of this module: as Python ends, they go before the last functions
        forget = functools.partial(_KNOWN.pop, key)
        _KNOWN[key] = (weakref.ref(holder, forget), made)
    except TypeError:  # cannot be held weakly
        return kind(fun, title)
    return made
