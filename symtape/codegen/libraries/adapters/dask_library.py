"""Dask: lazy arrays, in chunks that stay what they are where an operation allows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.codegen.libraries.arrays import ArraysLikeNumPy
from symtape.codegen.libraries.library import Library
from symtape.errors import UnsupportedError
from symtape.kernels import kernels
from symtape.kernels.interpret import KERNELS, QUIET, whole_kernel
from symtape.kernels.nodes import Node, Word
from symtape.kernels.special import functions as exact
from symtape.program.kinds.matrices import Part
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import (
    Concat,
    Extremum,
    Gather,
    Position,
    Recurrence,
    Reshape,
    Scatter,
    Slice,
)
from symtape.program.operations import AddN, Cast, Einsum, Map, Operation, dtype_name

Array = Any


class ByNumPy:
    """An operation as NumPy computes it on a chunk; it travels to another process by its values."""

    def __init__(self, operation: Operation, part: int | None = None) -> None:
        self.operation, self.part = operation, part

    def __call__(self, *chunks: Any) -> Any:
        """Compute on chunks."""
        if self.part is not None and isinstance(self.operation, Part):
            return np.asarray(QUIET.run(whole_kernel(self.operation), *chunks)[self.part])
        return np.asarray(QUIET.run(KERNELS[self.operation], *chunks))

    def __reduce__(self) -> tuple[Any, ...]:
        return ByNumPy, (self.operation, self.part)


class Quiet:
    """One of NumPy's functions, named so that it travels, which says nothing of overflow."""

    def __init__(self, home: str, name: str) -> None:
        self.home, self.name = home, name

    def __call__(self, *chunks: Any) -> Any:
        """Compute on chunks."""
        return QUIET.run(_HOMES[self.home](self.name), *chunks)

    def __reduce__(self) -> tuple[Any, ...]:
        return Quiet, (self.home, self.name)


_HOMES: dict[str, Callable[[str], Any]] = {
    "np": lambda name: getattr(np, name),
    "kernels": lambda name: getattr(kernels, name),
    "special": lambda name: getattr(exact.NAMESPACE, name),
}


class Elementwise:
    """NumPy's elementwise functions, applied to each chunk."""

    def __init__(self, da: Any, home: str) -> None:
        self._da, self._home = da, home

    def __getattr__(self, name: str) -> Callable[..., Array]:
        """Give a function of Dask's arrays."""
        _HOMES[self._home](name)
        run = Quiet(self._home, name)
        return lambda *operands: self._da.core.elemwise(run, *operands)

    def __contains__(self, name: str) -> bool:
        return hasattr(exact.NAMESPACE, name)


class DaskWords(Elementwise):
    """NumPy's names: structure is Dask's own, and what is elementwise is done to each chunk."""

    pi, inf, nan = np.pi, np.inf, np.nan

    def __getattr__(self, name: str) -> Any:
        """Give a function of Dask's arrays."""
        if name in _STRUCTURE:
            return getattr(self._da, name)
        return super().__getattr__(name)

    def reshape(self, x: Array, shape: tuple[int, ...]) -> Array:
        """Give another shape; what neither merges nor splits axes goes through one axis."""
        if 0 in shape:
            return self._da.zeros(shape, dtype=x.dtype)
        try:
            return self._da.reshape(x, shape)
        except NotImplementedError:
            return self._da.reshape(self._da.reshape(x, (-1,)), shape)

    def max(self, x: Array, axis: Any) -> Array:
        """Take the largest."""
        return self._da.max(x, axis=axis)

    def min(self, x: Array, axis: Any) -> Array:
        """Take the smallest."""
        return self._da.min(x, axis=axis)

    def sum(self, x: Array, axis: Any = None, keepdims: bool = False) -> Array:
        """Add up, in the dtype of the operand."""
        return self._da.sum(x, axis=axis, keepdims=keepdims, dtype=x.dtype)


_STRUCTURE = {"concatenate", "transpose", "flip", "broadcast_to", "einsum", "where"}


_WORDS = {Map, Einsum, AddN, Cast, Reshape, Slice, Concat, Extremum}
"""The kinds of operations that Dask has words for."""

_LEADS: dict[type[Operation], Callable[[Any, Sequence[int]], int]] = {
    Gather: lambda op, ranks: ranks[0] - 1 - op.after - op.between - op.batch,
    Scatter: lambda op, ranks: ranks[0] - ranks[1] - op.after - op.between,
    SegmentExtremum: lambda op, ranks: ranks[0] - 1 - op.after,
    Position: lambda op, ranks: ranks[0] + op.axes[0],
}
"""How many first axes are a batch, where the result does not say it; integers are taken whole."""


class Dask(ArraysLikeNumPy, Library):
    """Dask's arrays; what it has no words for is done by NumPy to blocks of whole last axes."""

    name = "dask"
    prefix = "da"
    static = frozenset()
    shares = False

    def __init__(self, da: Any) -> None:
        super().__init__(DaskWords(da, "np"))
        self.da = da
        self.special = Elementwise(da, "special")

    def select(self, condition: Array, x: Any, y: Any, dtype: str | None = None) -> Array:
        """Choose elementwise; if both are numbers, `dtype` says which."""
        if dtype is not None:
            x, y = np.dtype(dtype).type(x), np.dtype(dtype).type(y)
        return self.da.where(condition, x, y)

    def step(self, x: Array) -> Array:
        """Give 1 where x > 0, else 0, in the dtype of x."""
        return (x > 0).astype(x.dtype)

    def _by_chunk(self, name: str, *operands: Array) -> Array:
        return self.da.core.elemwise(Quiet("kernels", name), *operands)

    def masked_product(self, g: Array, slope: Array) -> Array:
        """Give the product, 0 where g is 0 even if the slope is infinite there."""
        return self._by_chunk("masked_product", g, slope)

    def pivot(self, x: Array) -> Array:
        """Give x where it is finite, else 0."""
        return self._by_chunk("pivot", x)

    def sigmoid_slope(self, x: Array) -> Array:
        """Give sigmoid(x)·sigmoid(-x)."""
        return self._by_chunk("sigmoid_slope", x)

    def asinh_slope(self, x: Array) -> Array:
        """Give 1/√(1 + x²)."""
        return self._by_chunk("asinh_slope", x)

    def floored_remainder(self, x: Array, y: Array) -> Array:
        """Give what is left of a division that is rounded down."""
        return self._by_chunk("floored_remainder", x, y)

    def to_complex(self, x: Array, y: Array) -> Array:
        """Join real and imaginary parts."""
        return self._by_chunk("to_complex", x, y)

    def number(self, value: Any, dtype: str, *like: Array) -> Array:
        """Make an array of a number."""
        return self.da.asarray(np.asarray(value, dtype))

    def _full(self, shape: tuple[int, ...], value: Any, x: Array) -> Array:
        return self.da.full(shape, value, dtype=x.dtype)

    def _arange(self, n: int, x: Array) -> Array:
        return self.da.arange(n)

    def on_blocks(
        self, function: Any, cores: Sequence[int], core: tuple[int, ...], dtype: str, *xs: Array
    ) -> Array:
        """Apply a function of NumPy's to blocks in which the last axes of each operand are whole.

        `cores` says how many axes that are, `core` is the shape of what comes in their place.
        """
        if any([0 in x.shape for x in xs]):  # Dask has no chunks of nothing
            leads = [x.shape[: x.ndim - n] for x, n in zip(xs, cores, strict=True)]
            shape = (*np.broadcast_shapes(*leads), *core)
            if 0 in shape:
                return self.da.zeros(shape, dtype=dtype)
            found = function(*[np.zeros(x.shape, x.dtype) for x in xs])
            return self.da.from_array(found.astype(dtype), chunks=-1)
        xs = tuple([self._whole(x, n) for x, n in zip(xs, cores, strict=True)])
        names = [tuple(f"{k}_{i}" for i in range(n)) for k, n in enumerate(cores)]
        made = tuple([f"out{i}" for i in range(len(core))])
        signature = ",".join([f"({','.join(n)})" for n in names]) + f"->({','.join(made)})"
        return self.da.apply_gufunc(
            function,
            signature,
            *xs,
            meta=np.empty((0,) * len(core), dtype),
            output_sizes=dict(zip(made, core, strict=True)),
            allow_rechunk=True,
        )

    def _whole(self, x: Array, core: int) -> Array:
        return x.rechunk(dict.fromkeys(range(x.ndim - core, x.ndim), -1)) if core else x

    def node_of(self, step: Any, name: str, constants: dict[str, Any]) -> Node | None:
        """Leave what Dask has no words for to NumPy, block by block."""
        operation = step.operation
        if type(operation) in _WORDS:
            return None
        ranks = [len(shape) for shape in step.shapes]
        chosen = _LEADS.get(type(operation))
        lead = chosen(operation, ranks) if chosen else len(step.shape) - operation.depth
        cores = [max(rank - lead, 0) for rank in ranks]
        if chosen and len(cores) > 1:
            cores[1] = ranks[1]
        if type(operation) is Recurrence:  # whose batch broadcasts
            cores = [operation.depth] * 2
        function = f"{name}_{type(operation).__name__.lower()}"
        shared = isinstance(operation, Part) and operation.is_shared
        constants[function] = ByNumPy(operation, operation.place if shared else None)
        core = tuple(step.shape[lead:])
        return Word("on_blocks")(Word(function), cores, core, dtype_name(step.dtype), *step.nodes)

    def names(self) -> dict[str, Any]:
        """Give the only names that generated code may use."""
        return {**super().names(), "on_blocks": self.on_blocks}

    def compile(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Leave the function as it is: it builds a graph."""
        return function

    # --- arguments --------------------------------------------------------------------------------

    def is_own(self, value: Any) -> bool:
        """Say whether a value is an array of Dask's."""
        return isinstance(value, self.da.Array)

    def taken(self, value: Any, like: Any) -> Array:
        """Make an array of one chunk of an array of NumPy's."""
        return self.da.from_array(np.asarray(value), chunks=-1)

    def copied(self, value: Array) -> Array:
        """Make an array whose graph can be written into."""
        return value.copy()

    def on_host(self, value: Array) -> Any:
        """Give a value that decided the path; Dask has none before `compute`."""
        raise UnsupportedError("dask arrays have no values before compute()")

    def guarded(self, result: Array, decided: Sequence[Array], check: Callable[..., None]) -> Array:
        """Look at what decided the path when the result is computed, chunk by chunk."""
        axes = tuple(range(result.ndim))
        pairs: list[Any] = [result, axes]
        for value in decided:
            pairs += [self.da.all(value) if value.dtype.kind == "b" else value, ()]
        return self.da.blockwise(Checked(check), axes, *pairs, dtype=result.dtype)


class Checked:
    """Gives a chunk of the result, once the path was checked."""

    def __init__(self, check: Callable[..., None]) -> None:
        self.check = check

    def __call__(self, chunk: Any, *decided: Any) -> Any:
        """Check, and give the chunk."""
        if chunk.size or not decided:
            self.check([np.asarray(v)[()] for v in decided])
        return chunk
