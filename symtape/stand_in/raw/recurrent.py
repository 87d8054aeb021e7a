"""Kernels of recurrent cells: a step of an LSTM or of a GRU, and the steps of an LSTM in one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from symtape.ops.arguments import like, plain, tensor
from symtape.ops.elementwise import arithmetic, functions
from symtape.ops.linalg import products
from symtape.ops.shapes import creation, joining
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class Gates(NamedTuple):
    """What a step of an LSTM computes: gates, states, and what is given on."""

    i: Tensor
    cs: Tensor
    f: Tensor
    o: Tensor
    ci: Tensor
    co: Tensor
    h: Tensor


class GRUBlockCell(NamedTuple):
    """What a step of a GRU computes: gates, the candidate, and what is given on."""

    r: Tensor
    u: Tensor
    c: Tensor
    h: Tensor


class Cell(NamedTuple):
    """The weights of an LSTM, and how its gates are ordered and bounded."""

    order: str
    weights: Tensor
    peepholes: tuple[Tensor, Tensor, Tensor] | None
    bias: Tensor
    forget_bias: float
    most: float

    def step(self, x: Tensor, state: Tensor, before: Tensor) -> Gates:
        """Compute a step; the gate of the output sees the new state, the others the old one."""
        sums = arithmetic.add(
            products.matmul(joining.concat([x, before], 1), self.weights), self.bias
        )
        parts = dict(zip(self.order, joining.split(sums, 4, 1), strict=True))
        i = functions.sigmoid(self._seen(parts["i"], state, 0))
        f = functions.sigmoid(self._seen(parts["f"] + self.forget_bias, state, 1))
        ci = functions.tanh(parts["c"])
        cs = ci * i + f * state
        if self.most > 0:
            cs = arithmetic.clip_by_value(cs, -self.most, self.most)
        o = functions.sigmoid(self._seen(parts["o"], cs, 2))
        co = functions.tanh(cs)
        return Gates(i, cs, f, o, ci, co, co * o)

    def _seen(self, gate: Tensor, state: Tensor, which: int) -> Tensor:
        return gate if self.peepholes is None else gate + state * self.peepholes[which]


def _cell(order: str, first: Any, rest: Any, forget_bias: Any, most: Any, peepholes: Any) -> Cell:
    """Read the weights, which have the dtype of the first tensor."""
    weights, *seen, bias = (like(part, first) for part in rest)
    own = (seen[0], seen[1], seen[2]) if peepholes else None
    return Cell(order, weights, own, bias, forget_bias, most)


def _step(
    x: Any, state: Any, before: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
    forget_bias: float, most: float, peepholes: bool,
) -> Gates:  # fmt: skip
    x = tensor(x)
    cell = _cell("icfo", x, (w, wci, wcf, wco, b), forget_bias, most, peepholes)
    return _OF_CELL(*cell.step(x, like(state, x), like(before, x)))


def _named(name: str) -> Callable[..., Gates]:
    """Give the tuple of a kernel's results the kernel's name."""
    return type(name, (Gates,), {"__slots__": ()})


_OF_CELL = _named("LSTMBlockCell")


def steps(name: str, order: str) -> Callable[..., Gates]:
    """Make the kernel of many steps; after `seq_len_max` of them there are zeros.

    The derivative is that of what is computed, and where the state is bounded it is zero.
    """
    results = _named(name)

    def run(
        count: Any, x: Any, state: Any, before: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any,
        *how: Any,
    ) -> Gates:  # fmt: skip
        x = tensor(x)
        forget_bias, most, peepholes = how if len(how) == 3 else (0.0, *how)
        if len(shape_of(x)) != 3:
            raise invalid(name, "x must be 3D")
        cell = _cell(order, x, (w, wci, wcf, wco, b), forget_bias, most, peepholes)
        cs, h = like(state, x), like(before, x)
        longest, made = shape_of(x)[0], []
        for k in range(min(int(plain(count)), longest)):
            made.append(cell.step(x[k], cs, h))
            cs, h = made[-1].cs, made[-1].h
        none = creation.zeros_like(like(state, x))
        made += [Gates(*[none] * 7)] * (longest - len(made))
        return results(*[joining.stack(parts) for parts in zip(*made, strict=True)])

    return run


def _gru(x: Any, before: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any) -> GRUBlockCell:
    x = tensor(x)
    h, w_ru, w_c, b_ru, b_c = (like(part, x) for part in (before, w_ru, w_c, b_ru, b_c))
    sums = arithmetic.add(products.matmul(joining.concat([x, h], 1), w_ru), b_ru)
    r, u = (functions.sigmoid(part) for part in joining.split(sums, 2, 1))
    c = functions.tanh(arithmetic.add(products.matmul(joining.concat([x, r * h], 1), w_c), b_c))
    return GRUBlockCell(r, u, c, u * h + (1 - u) * c)


_WEIGHTS = "cs_prev h_prev w wci wcf wco b"
_HOW = "cell_clip=3.0 use_peephole=False"
RECURRENT: dict[str, tuple[Callable[..., Any], str]] = {
    "BlockLSTM": (
        steps("BlockLSTM", "icfo"), f"seq_len_max x {_WEIGHTS} forget_bias=1.0 {_HOW}",
    ),
    "BlockLSTMV2": (
        steps("BlockLSTMV2", "ifco"),
        f"seq_len_max x {_WEIGHTS} cell_clip=0.0 use_peephole=False",
    ),
    "GRUBlockCell": (_gru, "x h_prev w_ru w_c b_ru b_c"),
    "LSTMBlockCell": (_step, f"x {_WEIGHTS} forget_bias=1.0 {_HOW}"),
}  # fmt: skip
