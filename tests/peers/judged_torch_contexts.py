"""Backward passes of PyTorch that use their context: what is asked for, marks, several results."""

from __future__ import annotations

import torch

from tests.judged import causes as by
from tests.peers.judged_torch import CASES, case

__all__ = ["CASES"]


ASKED = by.any_of("asked|needs_input_grad", by.NONE, by.SWAPPED, by.ENTRIES)


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(x, w, b):
        return x @ w.T + b

    @staticmethod
    def setup_context(ctx, inputs, output):  # noqa: ARG004 - torch calls it so
        x, w, _ = inputs
        ctx.save_for_backward(x, w)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx = gw = gb = None
        if ctx.needs_input_grad[0]:
            gx = g @ w
        if ctx.needs_input_grad[1]:
            gw = g.T @ x
        if ctx.needs_input_grad[2]:
            gb = g.sum(0)
        return gx, gw, gb


case(
    "linear in parts",
    Linear,
    lambda rng: [rng.normal(size=(3, 4)), rng.normal(size=(2, 4)), rng.normal(size=2)],
    (by.any_of(by.ORDER, by.SHAPE, by.TRANSPOSED), ("gw = g.T @ x", "gw = x.T @ g")),
    (by.any_of("axis|axes", by.SHAPE), ("g.sum(0)", "g.sum(1)")),
    (by.MEAN, ("g.sum(0)", "g.mean(0)")),
    (ASKED, ("needs_input_grad[1]", "needs_input_grad[0]")),
    (by.any_of(by.SWAPPED, by.SHAPE), ("return gx, gw, gb", "return gw, gx, gb")),
    (by.any_of(by.COUNT, by.RAISES), ("return gx, gw, gb", "return gx, gw")),
)


class LogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        m = x.amax(dim, keepdim=True)
        y = m + (x - m).exp().sum(dim, keepdim=True).log()
        ctx.save_for_backward(x, y)
        ctx.dim = dim
        return y.squeeze(dim)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g.unsqueeze(ctx.dim) * (x - y).exp(), None


case(
    "logsumexp along an axis",
    LogSumExp,
    lambda rng: [rng.normal(size=(2, 3)), 1],
    (
        by.any_of("hard|maximum", by.OTHER),
        ("(x - y).exp(), None", "(x == x.amax(ctx.dim, keepdim=True)), None"),
    ),
    (by.any_of(by.MISSING, by.FACTOR), ("g.unsqueeze(ctx.dim) * (x - y).exp()", "(x - y).exp()")),
    (by.any_of(by.MISSING, by.STALE, by.OTHER), ("(x - y).exp()", "x.exp()")),
    (by.any_of("axis", by.SHAPE), ("(x - y).exp(), None", "x.softmax(0), None")),
    (by.any_of(by.COUNT, by.RAISES), ("(x - y).exp(), None", "(x - y).exp()")),
)


class ReluInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        x.clamp_(min=0.0)
        ctx.mark_dirty(x)
        y = x * w
        ctx.save_for_backward(x, w)
        return x, y

    @staticmethod
    def backward(ctx, gx, gy):
        x, w = ctx.saved_tensors
        total = gx + gy * w
        return total * (x > 0), (gy * x).sum(0)


case(
    "rectified in place",
    ReluInPlace,
    lambda rng: [rng.normal(size=(2, 3)), rng.normal(size=3)],
    (by.any_of(by.MISSING, by.MASK), ("return total * (x > 0)", "return total")),
    (by.any_of(by.MISSING), ("total = gx + gy * w", "total = gy * w")),
    (by.any_of(by.MISSING), ("total = gx + gy * w", "total = gx + gy")),
    (by.any_of(by.MEAN), ("(gy * x).sum(0)", "(gy * x).mean(0)")),
    (by.any_of("axis", by.SHAPE), ("(gy * x).sum(0)", "(gy * x).sum()")),
)


class TopTwo(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, places = x.topk(2, dim=-1)
        ctx.save_for_backward(places)
        ctx.mark_non_differentiable(places)
        ctx.shape = x.shape
        return values, places

    @staticmethod
    def backward(ctx, g, _):
        (places,) = ctx.saved_tensors
        out = g.new_zeros(ctx.shape)
        return out.scatter(-1, places, g)


case(
    "two best",
    TopTwo,
    lambda rng: [rng.normal(size=(2, 4))],
    (by.any_of(by.ORDER), ("places, g)", "places.flip(-1), g)")),
    (by.any_of(by.ORDER, "another function"), ("places, g)", "places, g.sort(-1).values)")),
    (
        by.any_of("axis|axes", by.RAISES, by.ENTRIES),
        ("out.scatter(-1, places, g)", "out.scatter(0, places, g)"),
    ),
)


class PolarParts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x, y)
        return torch.hypot(x, y), torch.atan2(y, x)

    @staticmethod
    def backward(ctx, gr, ga):
        x, y = ctx.saved_tensors
        r2 = x * x + y * y
        gx, gy = torch.zeros_like(x), torch.zeros_like(y)
        if gr is not None:
            gx = gx + gr * x / r2.sqrt()
            gy = gy + gr * y / r2.sqrt()
        if ga is not None:
            gx = gx - ga * y / r2
            gy = gy + ga * x / r2
        return gx, gy


def away(rng):
    return [rng.uniform(0.5, 2, size=3), rng.uniform(0.5, 2, size=3)]


case(
    "polar parts",
    PolarParts,
    away,
    (by.SIGN, ("gx - ga * y / r2", "gx + ga * y / r2")),
    (
        by.any_of(by.MISSING, "overwritten", by.STALE),
        ("gx = gx - ga * y / r2", "gx = -ga * y / r2"),
    ),
    (by.any_of(by.MISSING, "root|sqrt", by.INSTEAD), ("gr * y / r2.sqrt()", "gr * y / r2")),
    (by.any_of(by.SWAPPED, by.INSTEAD), ("ga * x / r2", "ga * y / r2")),
    domain={"x": "near", "y": "near"},
)
