"""Backward passes of layers of PyTorch: rows of a table, rotations, spectra, windows, masks."""

from __future__ import annotations

import numpy as np
import torch

from tests.judged import causes as by
from tests.peers.judged_torch import CASES, case

__all__ = ["CASES"]


class BagOfRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, ids):
        ctx.save_for_backward(ids)
        ctx.rows = table.shape[0]
        return table[ids].mean(1)

    @staticmethod
    def backward(ctx, g):
        (ids,) = ctx.saved_tensors
        out = g.new_zeros(ctx.rows, g.shape[-1])
        share = g[:, None, :].expand(*ids.shape, g.shape[-1]) / ids.shape[1]
        out.index_add_(0, ids.reshape(-1), share.reshape(-1, g.shape[-1]))
        return out, None


case(
    "bag of rows",
    BagOfRows,
    lambda rng: [rng.normal(size=(4, 3)), np.array([[0, 1, 1], [3, 0, 2]])],
    (
        by.any_of("twice", "same", by.MISSING),
        (
            "out.index_add_(0, ids.reshape(-1), share.reshape(-1, g.shape[-1]))",
            "out[ids.reshape(-1)] += share.reshape(-1, g.shape[-1])",
        ),
    ),
    (by.MEAN, (" / ids.shape[1]", "")),
    (by.any_of(by.MEAN, by.STALE, by.INSTEAD), ("/ ids.shape[1]", "/ ids.shape[0]")),
)


class PairedRotation(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)

    @staticmethod
    def backward(ctx, g):
        cos, sin = ctx.saved_tensors
        ga, gb = g[..., 0::2], g[..., 1::2]
        return torch.stack([ga * cos + gb * sin, gb * cos - ga * sin], -1).flatten(-2), None, None


case(
    "rotation of pairs",
    PairedRotation,
    lambda rng: [
        rng.normal(size=(3, 4)),
        np.cos(rng.normal(size=(3, 2))),
        np.sin(rng.normal(size=(3, 2))),
    ],
    (by.SIGN, ("ga * cos + gb * sin", "ga * cos - gb * sin")),
    (
        by.any_of(by.ORDER, "place|axis|concat|stack|interleav"),
        ("gb * cos - ga * sin], -1).flatten(-2)", "gb * cos - ga * sin], -2).flatten(-2)"),
    ),
    (by.any_of(by.SWAPPED, by.INSTEAD, by.ORDER), ("gb * cos - ga * sin", "ga * cos - gb * sin")),
    (
        by.any_of(by.ORDER, by.SHIFT, "places"),
        ("ga, gb = g[..., 0::2], g[..., 1::2]", "ga, gb = g.chunk(2, -1)"),
    ),
    wrt=[0],
)


class SavedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        p = x.float().softmax(-1).to(x.dtype)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        p, h = p.float(), g.float()
        return (p * (h - (p * h).sum(-1, keepdim=True))).to(g.dtype)


case(
    "softmax in bfloat16",
    SavedSoftmax,
    lambda rng: [torch.tensor(rng.normal(size=(3, 5)), dtype=torch.bfloat16)],
    (by.any_of(by.MISSING), ("(h - (p * h).sum(-1, keepdim=True))", "h")),
    (by.any_of("axis"), ("(p * h).sum(-1, ", "(p * h).sum(0, ")),
    (by.any_of("axis", by.MISSING), ("(p * h).sum(-1, keepdim=True)", "(p * h).sum()")),
    (by.any_of(by.MISSING), ("(p * h).sum", "h.sum")),
    given=lambda x: x,
)


class Magnitudes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.fft.rfft(x)
        ctx.save_for_backward(s)
        ctx.n = x.shape[-1]
        return s.real**2 + s.imag**2

    @staticmethod
    def backward(ctx, g):
        (s,) = ctx.saved_tensors
        n = ctx.n
        w = torch.full_like(g, 0.5)
        w[..., 0] = 1.0
        if n % 2 == 0:
            w[..., -1] = 1.0
        return 2 * n * torch.fft.irfft(g * w * s, n)


ENDS = by.any_of("frequenc", "Nyquist", "weight", r"\bends?\b", "first", "last", r"w\[")
case(
    "power of frequencies",
    Magnitudes,
    lambda rng: [rng.normal(size=(2, 6))],
    (ENDS, ("            w[..., -1] = 1.0\n", "            pass\n")),
    (ENDS, ("        w[..., 0] = 1.0\n", "")),
    (ENDS, ("torch.full_like(g, 0.5)", "torch.full_like(g, 1.0)")),
    (by.any_of(by.MEAN), ("2 * n * torch.fft", "2 * torch.fft")),
    (by.any_of("conjugate", by.SIGN, by.ORDER), ("g * w * s, n", "g * w * s.conj(), n")),
)


class MaxPool(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y, places = torch.nn.functional.max_pool1d(x[None], 2, 1, return_indices=True)
        ctx.save_for_backward(places[0])
        ctx.shape = x.shape
        return y[0]

    @staticmethod
    def backward(ctx, g):
        (places,) = ctx.saved_tensors
        return g.new_zeros(ctx.shape).scatter_add(-1, places, g)


case(
    "overlapping maxima",
    MaxPool,
    lambda rng: [rng.normal(size=(2, 5))],
    (by.any_of("twice|same|overlap", by.MISSING, "another function"), ("scatter_add(", "scatter(")),
    (by.any_of("axis", by.RAISES, by.ENTRIES), ("scatter_add(-1,", "scatter_add(0,")),
)


class Strided(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g


case(
    "cube",
    Strided,
    lambda rng: [rng.normal(size=(3, 2))],
    (
        by.any_of("contiguous|memory|layout"),
        ("3 * x**2 * g", "3 * x**2 * torch.as_strided(g, g.shape, (g.shape[1], 1))"),
    ),
    (by.any_of("power", by.FACTOR, by.MISSING), ("x**2", "x")),
)


class Convolved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return torch.nn.functional.conv1d(x, w, b, padding=1)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx = torch.nn.functional.conv_transpose1d(g, w, padding=1)
        gw = torch.nn.functional.conv1d(x.transpose(0, 1), g.transpose(0, 1), padding=1)
        return gx, gw.transpose(0, 1), g.sum((0, 2))


case(
    "convolution in one dimension",
    Convolved,
    lambda rng: [rng.normal(size=(2, 3, 5)), rng.normal(size=(2, 3, 3)), rng.normal(size=2)],
    (by.any_of("axis|axes", by.SHAPE, by.MISSING), ("g.sum((0, 2))", "g.mean((0, 2))")),
    (
        by.any_of("revers|flip", by.ORDER, by.INSTEAD),
        ("conv_transpose1d(g, w, padding=1)", "conv1d(g, w.transpose(0, 1), padding=1)"),
    ),
    (
        by.any_of("padding", by.SHAPE),
        ("conv_transpose1d(g, w, padding=1)", "conv_transpose1d(g, w)"),
    ),
    (
        by.any_of("batch|axis|examples", by.MISSING, by.MEAN),
        ("gw.transpose(0, 1)", "gw.transpose(0, 1) / len(x)"),
    ),
)


class Dropped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, keep):
        ctx.rate = 0.25
        ctx.save_for_backward(keep)
        return x * keep / (1 - ctx.rate)

    @staticmethod
    def backward(ctx, g):
        (keep,) = ctx.saved_tensors
        return g * keep / (1 - ctx.rate), None


case(
    "dropout with a mask",
    Dropped,
    lambda rng: [rng.normal(size=(2, 4)), (rng.uniform(size=(2, 4)) > 0.25) * 1.0],
    (by.any_of(by.FACTOR, by.MISSING), ("g * keep / (1 - ctx.rate)", "g * keep")),
    (
        by.any_of(by.MASK, by.MISSING),
        ("g * keep / (1 - ctx.rate), None", "g / (1 - ctx.rate), None"),
    ),
    (
        by.any_of(by.FACTOR, by.INSTEAD, by.MISSING),
        ("g * keep / (1 - ctx.rate)", "g * keep / ctx.rate"),
    ),
    wrt=[0],
)
