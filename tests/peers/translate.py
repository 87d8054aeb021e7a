"""Random programs in JAX and PyTorch, so that those differentiate what symtape differentiates.

Only values are translated, one line a kind of operation: the derivative is the peer's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from symtape.program import operations as ops
from symtape.program.kinds import matrices, structural
from symtape.program.kinds.placement import Assemble
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import slices
from symtape.program.kinds.windows import Overlap, Windows
from symtape.program.program import Program


def run(program: Program, values: Mapping[int, Any], wanted: int, peer: Any) -> Any:
    """Compute a position with the operations of a peer."""
    known = dict(values)
    for p in program.ancestors([wanted], known):
        if p not in known:
            operation, *operands = program.steps[p]
            known[p] = peer.rules[type(operation)](operation, *[known[i] for i in operands])
    return known[wanted]


class Jax:
    """JAX's own words for the operations."""

    def __init__(self, jax: Any) -> None:
        self.jax, self.np = jax, jax.numpy
        self.rules: dict[type, Callable[..., Any]] = {
            ops.Constant: lambda op: self.np.asarray(op.value),
            ops.Map: lambda op, *x: self.function(op, "jax")(*x),
            ops.AddN: lambda _, *x: sum(x[1:], x[0]),
            ops.Einsum: self.einsum,
            structural.Reshape: lambda op, x: x.reshape(x.shape[: x.ndim - len(op.old)] + op.new),
            structural.Slice: lambda op, x: x[(..., *slices(op.ranges))],
            structural.Embed: self.embed,
            Assemble: self.assemble,
            structural.Gather: self.gather,
            structural.Scatter: self.scatter,
            structural.Concat: lambda op, *x: self.np.concatenate(x, axis=op.axis),
            Windows: self.windows,
            Overlap: self.overlap,
            structural.Cumsum: lambda op, x: self.running(self.np.cumsum, 0.0, op, x),
            structural.Cumprod: lambda op, x: self.running(self.np.cumprod, 1.0, op, x),
            structural.Cumextremum: self.running_extremum,
            structural.Fourier: self.fourier,
            structural.Recurrence: self.recurrence,
            structural.Extremum: lambda op, x: getattr(self.np, op.which)(x, axis=op.axes),
            SegmentExtremum: self.segment_extremum,
            structural.Product: lambda op, x: self.np.prod(x, axis=op.axes),
            matrices.Inverse: lambda _, x: self.np.linalg.inv(x),
            matrices.Solve: self.solve,
            matrices.Determinant: self.determinant,
            matrices.Cholesky: lambda _, x: self.np.linalg.cholesky(x),
            matrices.Elimination: lambda _, x: self.eliminated(x),
            matrices.LogDeterminant: lambda _, x: self.np.linalg.slogdet(x)[1],
            matrices.MatrixFunction: lambda _, x: self.exponential(x),
            matrices.Band: lambda op, x: self.band(x, op.low, op.high),
        }

    def fourier(self, operation: structural.Fourier, x: Any) -> Any:
        """Transform along an axis."""
        n = x.shape[operation.axis]
        found = self.np.fft.fft if operation.sign < 0 else self.np.fft.ifft
        return found(x, axis=operation.axis) * (1 if operation.sign < 0 else n)

    def eliminated(self, a: Any) -> Any:
        """Take rows from those below, and keep what they were multiplied by."""
        rows = [a[..., i, :] for i in range(a.shape[-1])]
        for k in range(a.shape[-1]):
            for i in range(k + 1, a.shape[-1]):
                multiple = rows[i][..., k : k + 1] / rows[k][..., k : k + 1]
                rest = rows[i][..., k + 1 :] - multiple * rows[k][..., k + 1 :]
                rows[i] = self.np.concatenate([rows[i][..., :k], multiple, rest], -1)
        return self.np.stack(rows, -2) if rows else a

    def solve(self, operation: matrices.Solve, a: Any, b: Any) -> Any:
        """Solve with what the form lets stand."""
        a = self.band(a, *{"lower": (None, 0), "upper": (0, None)}.get(operation.form, (None,) * 2))
        return self.np.linalg.solve(self.np.swapaxes(a, -1, -2) if operation.adjoint else a, b)

    def determinant(self, operation: matrices.Determinant, x: Any) -> Any:
        """Give the determinant, or the logarithm of its size."""
        linalg = self.np.linalg
        return linalg.det(x) if operation.part == "value" else linalg.slogdet(x)[1]

    def exponential(self, x: Any) -> Any:
        """Add a series up, which holds for small matrices, nothing included."""
        total = term = self.np.broadcast_to(self.np.eye(x.shape[-1], dtype=x.dtype), x.shape)
        for k in range(1, 30):
            term = term @ x / k
            total = total + term
        return total

    def band(self, x: Any, low: int | None, high: int | None) -> Any:
        """Keep some diagonals."""
        x = x if low is None else self.np.triu(x, low)
        return x if high is None else self.np.tril(x, high)

    def function(self, operation: ops.Map, module: str) -> Callable[..., Any]:
        """Let SymPy write the body for the peer."""
        symbols, body = operation.formula
        return sp.lambdify(symbols, body, modules=module)

    def einsum(self, operation: ops.Einsum, *operands: Any) -> Any:
        """Contract, then repeat along new axes, then put diagonals in place."""
        sizes = operation.index_sizes([x.shape for x in operands])
        kept = tuple(dict.fromkeys(operation.output))
        inner = [i for i in kept if any(i in t for t in operation.inputs)]
        core = self.np.einsum(
            *[
                part
                for pair in zip(operands, map(list, operation.inputs), strict=True)
                for part in pair
            ],
            inner,
        )
        shape = [sizes[i] if i in inner else 1 for i in kept]
        core = self.np.broadcast_to(core.reshape(shape), [sizes[i] for i in kept])
        for place, i in enumerate(operation.output):
            if i in operation.output[:place]:
                first = operation.output.index(i)
                eye = self.np.eye(sizes[i])
                axes = list(range(core.ndim))
                core = self.np.einsum(
                    core, axes, eye, [first, 99], [*axes[:place], 99, *axes[place:]]
                )
        return core

    def embed(self, operation: structural.Embed, x: Any) -> Any:
        """Set a part of zeros."""
        zeros = self.np.zeros(x.shape[: x.ndim - len(operation.sizes)] + operation.sizes, x.dtype)
        return zeros.at[(..., *slices(operation.ranges))].set(x)

    def assemble(self, operation: Assemble, *blocks: Any) -> Any:
        """Add blocks to zeros, place by place."""
        out = self.np.zeros(operation.shape, blocks[0].dtype)
        for (counts, forms), block in zip(operation.placements, blocks, strict=True):
            grid = np.indices(counts)
            at = tuple(f.offset + sum((s * grid[i] for s, i in f.parts), 0) for f in forms)
            wide = [np.broadcast_to(a, counts) for a in at]
            out = out.at[tuple(wide)].add(self.np.broadcast_to(block, counts))
        return out

    def gather(self, operation: structural.Gather, x: Any, indices: Any) -> Any:
        """Index, a row of the batch at a time."""
        pick = lambda row, at: self.np.take(row, at, axis=row.ndim - 1 - operation.after)  # noqa: E731
        return self._batched(pick, operation, x, indices)

    def scatter(self, operation: structural.Scatter, x: Any, indices: Any) -> Any:
        """Add to zeros, a row of the batch at a time."""

        def put(row: Any, at: Any) -> Any:
            axis = row.ndim - operation.after - at.ndim
            shape = (*row.shape[:axis], operation.size, *row.shape[axis + at.ndim :])
            return self.np.zeros(shape, row.dtype).at[(slice(None),) * axis + (at,)].add(row)

        return self._batched(put, operation, x, indices)

    def _batched(self, function: Callable[..., Any], operation: Any, x: Any, indices: Any) -> Any:
        for _ in range(operation.batch):
            function = self.jax.vmap(function)
        return function(x, indices)

    def segment_extremum(self, operation: SegmentExtremum, x: Any, numbers: Any) -> Any:
        """Take the extremum over all rows, with an infinity for those of other segments."""
        axis = x.ndim - 1 - operation.after
        worst = -self.np.inf if operation.which == "max" else self.np.inf
        own = self.np.asarray(numbers)[None, :] == np.arange(operation.count)[:, None]
        own = own.reshape(*own.shape, *(1,) * operation.after)
        rows = self.np.where(own, self.np.expand_dims(x, axis), worst)
        found = getattr(self.np, operation.which)(rows, axis=axis + 1, initial=worst)
        return found

    def windows(self, operation: Windows, x: Any) -> Any:
        """Take the elements of every window along one axis after the other."""
        count = len(operation.windows)
        first = x.ndim - operation.after - count
        for k, (size, stride, dilation) in enumerate(operation.windows):
            axis = first + 2 * k
            windows = operation.windows[k].count(x.shape[axis])
            at = stride * np.arange(windows)[:, None] + dilation * np.arange(size)
            x = x[(*(slice(None),) * axis, at)]
        order = [first + 2 * k + half for half in (0, 1) for k in range(count)]
        rest = range(first + 2 * count, x.ndim)
        return self.np.transpose(x, [*range(first), *order, *rest])

    def overlap(self, operation: Overlap, x: Any) -> Any:
        """Be the transpose of `windows`, which JAX derives."""
        first = x.ndim - operation.after - 2 * len(operation.windows)
        lead, rest = x.shape[:first], x.shape[x.ndim - operation.after :]
        shape = (*lead, *operation.sizes, *rest)
        look = Windows(operation.windows, operation.after)
        like = self.jax.ShapeDtypeStruct(shape, x.dtype)
        transpose = self.jax.linear_transpose(lambda y: self.windows(look, y), like)
        return transpose(x)[0]

    def running(self, function: Any, start: float, operation: Any, x: Any) -> Any:
        """Accumulate from either end, with or without the own element."""
        axis = operation.axis
        x = self.np.flip(x, axis) if operation.reverse else x
        if operation.exclusive:
            first = self.np.full_like(
                self.np.take(x, self.np.arange(min(1, x.shape[axis])), axis), start
            )
            rest = self.np.take(x, self.np.arange(max(0, x.shape[axis] - 1)), axis)
            x = self.np.concatenate([first, rest], axis)
        out = function(x, axis=axis)
        return self.np.flip(out, axis) if operation.reverse else out

    def running_extremum(self, operation: structural.Cumextremum, x: Any) -> Any:
        """Compare from either end."""
        run = {"max": self.jax.lax.cummax, "min": self.jax.lax.cummin}[operation.which]
        return run(x, axis=operation.axis + x.ndim, reverse=operation.reverse)

    def recurrence(self, operation: structural.Recurrence, a: Any, b: Any) -> Any:
        """Step through the axis."""
        a, b = self.np.broadcast_arrays(a, b)
        a, b = self.np.moveaxis(a, operation.axis, 0), self.np.moveaxis(b, operation.axis, 0)
        rows: list[Any] = []
        order = range(len(b))[:: -1 if operation.reverse else 1]
        for i in order:
            rows.append(b[i] if not rows else b[i] + a[i] * rows[-1])
        if not rows:
            return self.np.moveaxis(b, 0, operation.axis)
        stacked = self.np.stack(rows[:: -1 if operation.reverse else 1])
        return self.np.moveaxis(stacked, 0, operation.axis)


class Torch:
    """PyTorch's own words for the commonest operations."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.rules: dict[type, Callable[..., Any]] = {
            ops.Constant: lambda op: torch.tensor(op.value),
            ops.Map: self.map,
            ops.AddN: lambda _, *x: sum(x[1:], x[0]),
            ops.Einsum: self.einsum,
            structural.Reshape: lambda op, x: x.reshape(x.shape[: x.ndim - len(op.old)] + op.new),
            structural.Slice: self.slice,
            structural.Concat: lambda op, *x: torch.cat(x, dim=op.axis),
            structural.Extremum: lambda op, x: getattr(torch, f"a{op.which}")(x, dim=op.axes),
        }

    def map(self, operation: ops.Map, *operands: Any) -> Any:
        """Let PyTorch's own functions do what SymPy's printer would write."""
        symbols, body = operation.formula
        names = {"Max": self._fold(self.torch.maximum), "Min": self._fold(self.torch.minimum)}
        return sp.lambdify(
            symbols, body, modules=[names, vars(self.torch), {"Abs": self.torch.abs}]
        )(*operands)

    def _fold(self, function: Any) -> Callable[..., Any]:
        def fold(*terms: Any) -> Any:
            tensors = [self.torch.as_tensor(t, dtype=self.torch.float64) for t in terms]
            out = tensors[0]
            for t in tensors[1:]:
                out = function(out, t)
            return out

        return fold

    def einsum(self, operation: ops.Einsum, *operands: Any) -> Any:
        """Contract; what PyTorch's einsum cannot write is written with identities."""
        sizes = operation.index_sizes([tuple(x.shape) for x in operands])
        terms = [list(t) for t in operation.inputs]
        arrays = list(operands)
        output: list[int] = []
        for i in operation.output:
            if i in output:
                new = max([*sizes, *output]) + 1
                sizes[new] = sizes[i]
                terms.append([i, new])
                arrays.append(self.torch.eye(sizes[i], dtype=self.torch.float64))
                output.append(new)
            else:
                output.append(i)
                if not any(i in t for t in terms):
                    terms.append([i])
                    arrays.append(self.torch.ones(sizes[i], dtype=self.torch.float64))
        for k, term in enumerate(terms):
            arrays[k], terms[k] = self._without_repeats(arrays[k], term)
        names = {i: chr(97 + n) for n, i in enumerate(sizes)}
        text = ",".join("".join(names[i] for i in t) for t in terms)
        return self.torch.einsum(f"{text}->{''.join(names[i] for i in output)}", *arrays)

    def _without_repeats(self, array: Any, term: list[int]) -> tuple[Any, list[int]]:
        while len(set(term)) < len(term):
            i = next(i for i in term if term.count(i) > 1)
            a, b = [k for k, j in enumerate(term) if j == i][:2]
            array = self.torch.diagonal(array, dim1=a, dim2=b)
            term = [j for k, j in enumerate(term) if k not in (a, b)] + [i]
        return array, term

    def slice(self, operation: structural.Slice, x: Any) -> Any:
        """Index with places: PyTorch has no negative steps."""
        lead = x.ndim - len(operation.ranges)
        for k, (first, step, count) in enumerate(operation.ranges):
            places = self.torch.tensor(
                [first + step * i for i in range(count)], dtype=self.torch.long
            )
            x = x.index_select(lead + k, places)
        return x


def values_of(values: Mapping[int, Any]) -> dict[int, Any]:
    """Give NumPy arrays with a dtype to every input."""
    return {p: np.asarray(v) for p, v in values.items()}
