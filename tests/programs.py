"""Random programs for property tests: every kind of operation, small shapes, zero sizes too."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.kinds.matrices import (
    Band,
    Cholesky,
    Determinant,
    Elimination,
    Inverse,
    LogDeterminant,
    MatrixFunction,
    Solve,
)
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import (
    Concat,
    Cumprod,
    Cumsum,
    Embed,
    Extremum,
    Gather,
    Product,
    Recurrence,
    Reshape,
    Scatter,
    Slice,
)
from symtape.program.kinds.windows import Overlap, Window, Windows
from symtape.program.operations import Einsum, Input, Map, elementwise
from symtape.program.program import Builder, Program

UNARY = [
    elementwise("sin", sp.sin),
    elementwise("tanh", scalar.tanh),
    elementwise("sigmoid", scalar.sigmoid),
    elementwise("square", lambda x: x**2),
    elementwise("abs", scalar.absolute, result="real"),
    elementwise("relu", scalar.relu),
    ops.negative,
]
BINARY = [
    ops.add,
    ops.subtract,
    ops.multiply,
    elementwise("maximum", scalar.maximum, 2),
    elementwise("atan2", sp.atan2, 2),
]


class Writer:
    """Appends random steps to a program of float64 inputs, and keeps the values in range."""

    def __init__(
        self,
        seed: int,
        sizes: tuple[int, ...] = (1, 2, 3),
        unary: Sequence[Map] = UNARY,
        binary: Sequence[Map] = BINARY,
    ) -> None:
        self.random = random.Random(seed)
        self.sizes, self.unary, self.binary = sizes, unary, binary
        self.b = Builder()
        self.inputs: list[int] = []
        self.numbers: set[int] = set()
        """Positions that are computed of numbers alone."""

    def shape(self, rank: int | None = None) -> tuple[int, ...]:
        """Choose a shape."""
        rank = self.random.randrange(4) if rank is None else rank
        return tuple(self.random.choice(self.sizes) for _ in range(rank))

    def input(self, shape: tuple[int, ...]) -> int:
        """Add an input."""
        # the name of an input is its position, so that equal shapes stay apart
        self.b._known.clear()
        p = self.b.append(Input("float64", shape))
        self.inputs.append(p)
        return p

    def any(self, least_rank: int = 0) -> int:
        """Choose a position of at least some rank, or add an input."""
        found = [
            p
            for p in range(len(self.b))
            if len(self.b.shapes[p]) >= least_rank
            and self.b.dtypes[p].kind == "f"
            and p not in self.numbers
        ]
        if found and self.random.random() < 0.8:
            return self.random.choice(found)
        return self.input(self.shape(self.random.randrange(least_rank, 4)))

    def step(self) -> int:
        """Add a random step."""
        return self.random.choice(_STEPS)(self)


def _unary(w: Writer) -> int:
    return w.b.append(w.random.choice(w.unary), w.any())


def _binary(w: Writer) -> int:
    x = w.any()
    shape = w.b.shapes[x]
    cut = w.random.randrange(len(shape) + 1)
    other = tuple(1 if w.random.random() < 0.3 else n for n in shape[cut:])
    operands = [x, w.input(other)]
    w.random.shuffle(operands)
    return w.b.append(w.random.choice(w.binary), *operands)


def _einsum(w: Writer) -> int:
    sizes = {i: w.random.choice(w.sizes) for i in range(5)}
    count = w.random.randrange(1, 4)
    x = w.any()
    own = []
    for n in w.b.shapes[x]:
        fitting = [i for i, m in sizes.items() if m == n]
        own.append(w.random.choice(fitting) if fitting else len(sizes))
        sizes.setdefault(own[-1], n)
    terms, operands = [own], [x]
    for _ in range(count - 1):
        term = [w.random.randrange(5) for _ in range(w.random.randrange(4))]
        terms.append(term)
        operands.append(w.input(tuple(sizes[i] for i in term)))
    known = sorted({i for t in terms for i in t})
    output = [i for i in known if w.random.random() < 0.5]
    w.random.shuffle(output)
    if output and w.random.random() < 0.2:
        output.append(w.random.choice(output))
    lone = max(sizes) + 1
    if w.random.random() < 0.3:
        output.insert(w.random.randrange(len(output) + 1), lone)
        sizes[lone] = w.random.choice(w.sizes)
    return w.b.append(Einsum.of(terms, output[:4], sizes), *operands)


def _reshape(w: Writer) -> int:
    x = w.any(1)
    old = w.b.shapes[x]
    cut = w.random.randrange(len(old))
    new = [*old[:cut], int(np.prod(old[cut:]))]
    while new[-1] > 1 and w.random.random() < 0.5:  # take factors out again, at other places
        factor = w.random.choice([n for n in range(1, new[-1] + 1) if new[-1] % n == 0])
        new[-1:] = [factor, new[-1] // factor]
    return w.b.append(Reshape.between(old, tuple(new)), x)


def _ranges(w: Writer, shape: tuple[int, ...]) -> tuple[Any, ...]:
    made = []
    for n in shape:
        chosen = range(n)[:: w.random.choice((1, -1, 2))]
        chosen = (
            chosen[: w.random.randrange(len(chosen) + 1)] if w.random.random() < 0.4 else chosen
        )
        made.append((chosen.start if len(chosen) else 0, chosen.step, len(chosen)))
    return tuple(made)


def _slice(w: Writer) -> int:
    x = w.any(1)
    shape = w.b.shapes[x]
    depth = w.random.randrange(1, len(shape) + 1)
    return w.b.append(Slice(_ranges(w, shape[len(shape) - depth :])), x)


def _embed(w: Writer) -> int:
    x = w.any(1)
    n = w.b.shapes[x][-1]
    first, step = w.random.randrange(2), w.random.choice((1, 1, 2, -1))
    last = first + abs(step) * n + 1
    return w.b.append(Embed(((first if step > 0 else last - 1, step, n),), (last,)), x)


def _assemble(w: Writer) -> int:
    """Put a block on a band or on blocks, beside a dense one."""
    x = w.any(1)
    shape = w.b.shapes[x]
    if len(shape) > 2:
        return _unary(w)
    n, m = shape[-1], shape[0]
    first, stride = w.random.randrange(2), w.random.choice((1, 2, -1))
    band = Form(first + max(0, -stride * (n - 1)), ((stride, len(shape) - 1),))
    size = first + max(abs(stride) * (n - 1), 0) + 1
    forms = (Form.of(len(shape) - 1), band, Form(0, ((n, 0), (1, 1))) if len(shape) > 1 else Form())
    wide = (n, size, n * m if len(shape) > 1 else 1)
    block = Placement(shape, forms)
    whole = Placement(wide, tuple(Form.of(k) for k in range(3)))
    return w.b.append(Assemble(wide, (whole, block, block)), w.input(wide), x, w.input(shape))


def _along(w: Writer) -> int:
    x = w.any(1)
    axis = -w.random.randrange(1, len(w.b.shapes[x]) + 1)
    kind = w.random.choice((Cumsum, Cumprod))
    return w.b.append(kind(axis, w.random.random() < 0.5, w.random.random() < 0.5), x)


def _recurrence(w: Writer) -> int:
    x = w.any(1)
    axis = -w.random.randrange(1, len(w.b.shapes[x]) + 1)
    return w.b.append(Recurrence(axis, w.random.random() < 0.5), w.input(w.b.shapes[x]), x)


def _reduction(w: Writer) -> int:
    x = w.any(1)
    rank = len(w.b.shapes[x])
    axes = tuple(a for a in range(-rank, 0) if w.random.random() < 0.5) or (-1,)
    if 0 in [w.b.shapes[x][a] for a in axes]:
        return w.b.append(Product(axes), x)
    return w.b.append(
        w.random.choice((Extremum("max", axes), Extremum("min", axes), Product(axes))), x
    )


def _concat(w: Writer) -> int:
    x = w.any(1)
    shape = list(w.b.shapes[x])
    axis = w.random.randrange(len(shape))
    shape[axis] = w.random.choice(w.sizes)
    return w.b.append(Concat(axis - len(shape)), x, w.input(tuple(shape)))


def _gather(w: Writer) -> int:
    x = w.any(1)
    shape = w.b.shapes[x]
    axis = w.random.randrange(len(shape))
    if not shape[axis]:
        return _unary(w)
    batch = w.random.randrange(axis + 1)
    own = w.shape(w.random.randrange(3))
    indices = np.array(
        [w.random.randrange(shape[axis]) for _ in range(int(np.prod(shape[:batch] + own)))],
        dtype=np.int64,
    ).reshape(shape[:batch] + own)
    at = fixed(w, indices)
    gathered = w.b.append(Gather(len(shape) - 1 - axis, axis - batch, batch), x, at)
    if w.random.random() < 0.5:
        return gathered
    operation = Scatter(len(shape) - 1 - axis, axis - batch, batch, shape[axis])
    return w.b.append(operation, gathered, at)


def _windows(w: Writer) -> int:
    x = w.any(1)
    shape = w.b.shapes[x]
    count = w.random.randrange(1, min(len(shape), 2) + 1)
    after = w.random.randrange(len(shape) - count + 1)
    windows = tuple(
        Window(w.random.randrange(1, 3), w.random.randrange(1, 3), w.random.randrange(1, 3))
        for _ in range(count)
    )
    made = w.b.append(Windows(windows, after), x)
    if w.random.random() < 0.5:
        return made
    end = len(shape) - after
    sizes = shape[end - count : end]
    return w.b.append(Overlap(windows, sizes, after), made)


def _segments(w: Writer) -> int:
    """Take the extremum of segments, none of them empty: an infinity would spoil the program."""
    x = w.any(1)
    shape = w.b.shapes[x]
    axis = w.random.randrange(len(shape))
    count = w.random.randrange(1, shape[axis] + 1) if shape[axis] else 0
    if not count:
        return _unary(w)
    own = [*range(count), *[w.random.randrange(count) for _ in range(shape[axis] - count)]]
    w.random.shuffle(own)
    which = w.random.choice(("max", "min"))
    operation = SegmentExtremum(which, len(shape) - 1 - axis, count)
    return w.b.append(operation, x, fixed(w, np.array(own, dtype=np.int64)))


def _matrix(w: Writer) -> int:
    """Do linear algebra with a matrix that is far from singular, and symmetric where it must be."""
    x = w.any(2)
    shape = w.b.shapes[x]
    if shape[-1] != shape[-2]:
        shape = (*shape[:-1], shape[-2])
        x = w.input(shape)
    rank, n = len(shape), shape[-1]
    lead = list(range(rank - 2))
    small = w.b.append(UNARY[1], x)
    six = w.b.constant(6, np.dtype("float64"))
    one = w.b.append(Einsum.of([()], [0, 0], {0: n}), six)
    w.numbers |= {six, one}
    a = w.b.append(ops.add, small, one)
    operation = w.random.choice(MATRICES)
    if type(operation) in (Cholesky, LogDeterminant):
        turned = w.b.append(Einsum.of([[*lead, 7, 8]], [*lead, 8, 7]), a)
        a = w.b.append(ops.add, a, turned)
    elif type(operation) is Solve:
        return w.b.append(operation, a, w.input((*shape[:-1], w.random.choice(w.sizes))))
    elif type(operation) is MatrixFunction:
        a = small
    return w.b.append(operation, a)


MATRICES = [
    Inverse(),
    Determinant("value"),
    Determinant("log"),
    Cholesky(),
    Elimination(),
    LogDeterminant(),
    MatrixFunction("exp"),
    Band(None, 0),
    Band(-1, 1),
    *[Solve(form, turned) for form in ("full", "lower", "upper") for turned in (False, True)],
]


def fixed(w: Writer, values: Any) -> int:
    """Add an input of integers with given values."""
    w.b._known.clear()
    p = w.b.append(Input("int64", values.shape))
    CONSTANTS[(id(w.b), p)] = values
    return p


CONSTANTS: dict[tuple[int, int], Any] = {}

_STEPS: list[Callable[[Writer], int]] = [
    _unary, _unary, _binary, _binary, _einsum, _einsum, _reshape, _slice, _embed, _along,
    _recurrence, _reduction, _concat, _gather, _assemble, _reshape, _slice, _matrix,
    _windows, _segments,
]  # fmt: skip


def random_program(
    seed: int,
    steps: int = 6,
    sizes: tuple[int, ...] = (1, 2, 3),
    unary: Sequence[Map] = UNARY,
    binary: Sequence[Map] = BINARY,
) -> tuple[Program, int, list[int], dict[int, Any]]:
    """Write a program; give it, its last position, its inputs, and values for them."""
    w = Writer(seed, sizes, unary, binary)
    w.input(w.shape())
    last = 0
    for _ in range(steps):
        last = w.step()
    program = w.b.finish()
    program.recorded = len(program)
    rng = np.random.default_rng(seed)
    values: dict[int, Any] = {p: rng.uniform(0.3, 1.3, program.shapes[p]) for p in w.inputs}
    for (builder, p), constant in list(CONSTANTS.items()):
        if builder == id(w.b):
            values[p] = constant
            del CONSTANTS[(builder, p)]
    return program, last, w.inputs, values


__all__ = ["Map", "random_program"]
