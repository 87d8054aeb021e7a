"""Jacobians and Hessians of what a tape recorded."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, overload

from symtape import nest
from symtape.tape.asking import (
    USED,
    Key,
    Leaf,
    MayBeNone,
    NamedTuple,
    UnconnectedGradients,
    is_zero,
    tell,
)
from symtape.tensor.derivatives import differentiate, given, staged
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


class Jacobians:
    """What a tape gives derivatives of, besides gradients."""

    if TYPE_CHECKING:  # the tape has them
        _persistent: bool

        def _ready(self, message: str = USED) -> Recording: ...
        def _finish(self) -> None: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: Tensor | Variable,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor | MayBeNone: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: list[Leaf],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> list[Tensor | MayBeNone]: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: NamedTuple,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: tuple[Leaf, ...],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> tuple[Tensor | MayBeNone, ...]: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: dict[Key, Leaf],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> dict[Key, Tensor | MayBeNone]: ...

    @overload
    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any: ...

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Give the derivative of every element of `target`: arrays of shape target + source.

        The last two arguments are TensorFlow's; they have no effect on the result. Raises
        `RuntimeError` for a tape that was used up, or for `experimental_use_pfor=False` without a
        persistent one, `ValueError` for `parallel_iterations` with which TensorFlow cannot
        vectorize, and what `gradient` raises of arguments.
        """
        recording = self._ready()
        zero = is_zero(unconnected_gradients)
        flat = given.flat(sources)
        shape = target.shape  # as in TensorFlow, an AttributeError for a list
        size = prod(n or 0 for n in shape)
        given.check_loop(
            "jacobian",
            parallel_iterations,
            size,
            vectorized=experimental_use_pfor,
            persistent=self._persistent,
        )
        results = given.jacobians(recording, target, flat, batch=False)
        if zero:
            results = [
                given.zeros(tuple(shape) + tuple(s.shape), s.dtype) if r is None else r
                for r, s in zip(results, flat, strict=True)
            ]
        self._finish()
        if differentiate.OBSERVERS:
            tell("jacobian", [target], flat, results)
        return nest.pack_sequence_as(sources, results)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """Give the Jacobian of each row: an array of shape (batch, rest of target, rest of source).

        As in TensorFlow it is the derivative of the sum over the batch of the target, and zeros
        where nothing connects. Raises `ValueError` for shapes that have no batch in common, and
        `RuntimeError` where `jacobian` does.
        """
        recording = self._ready(USED.replace("to compute", "tocompute"))
        is_zero(unconnected_gradients)
        shape, of = target.shape, source.shape
        if len(shape) < 1:
            raise IndexError("list index out of range")
        for s in (shape, of):
            if len(s) < 2:
                raise ValueError(f"Shape {s} must have rank at least 2")
        if shape[0] != of[0]:
            raise ValueError(
                f"Need first dimension of target shape ({shape}) and source shape ({of}) to match."
            )
        size = prod(n or 0 for n in shape[1:])
        given.check_loop(
            "batch_jacobian",
            parallel_iterations,
            size,
            vectorized=experimental_use_pfor,
            persistent=self._persistent,
        )
        (found,) = given.jacobians(
            recording, given.checked(target), [given.checked(source)], batch=True
        )
        self._finish()
        if found is None:
            found = given.zeros((*tuple(shape), *tuple(of)[1:]), target.dtype)
        if differentiate.OBSERVERS:
            tell("batch_jacobian", [target], [source], [found])
        return found

    def hessian(
        self, target: Any, source: Any, unconnected_gradients: Any = UnconnectedGradients.NONE
    ) -> Tensor | MayBeNone:
        """Give the second derivative of the sum of `target`: an array of shape source + source.

        Beyond TensorFlow. It is derived in one go; no outer tape is needed. Raises `RuntimeError`
        for a tape that was used up, and what `gradient` raises of arguments.
        """
        recording = self._ready()
        zero = is_zero(unconnected_gradients)
        source = given.checked(source)
        places = [
            recording.known.get(id(t.read())) for t in map(given.checked, nest.flatten(target))
        ]
        (found,) = staged.hessian(
            recording, [p for p in places if p is not None], given.positions(recording, source)
        )
        self._finish()
        if found is None and zero:
            found = given.zeros(tuple(source.shape) * 2, source.dtype)
        if differentiate.OBSERVERS:
            tell("hessian", nest.flatten(target), [source], [found])
        return found
