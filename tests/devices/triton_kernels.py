# ruff: noqa: D101, D102, D103 - a kernel is described by its name
# mypy: ignore-errors
"""Kernels of Triton with backwards of their own, right and wrong."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.judged.case import Candidate, Case

CASES: dict[str, Case] = {}


def tensors(x):
    return torch.as_tensor(x)


def enter(name, plain, right, draw, *wrongs):
    """Enter kernels, beside their own forward and beside a function of torch's."""
    for title, function in ((name, right), (f"{name} beside torch", plain)):
        made = Case(f"triton: {title}", function, draw, given=tensors, has_numbers=False)
        made.right(right)
        for cause, wrong in wrongs:
            made.wrongs.append(Candidate(wrong.__name__, wrong, cause))
        CASES[made.name] = made


@triton.jit
def silu_forward(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + at, v / (1 + tl.exp(-v)), mask=at < n)


@triton.jit
def silu_backward(x, g, out, n, sign, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    u = tl.load(g + at, mask=at < n, other=0.0)
    s = 1 / (1 + tl.exp(-v))
    tl.store(out + at, u * s * (1 + sign * v * (1 - s)), mask=at < n)


class Silu(torch.autograd.Function):
    sign = 1.0

    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        silu_forward[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
        ctx.save_for_backward(x)
        return out

    @classmethod
    def backward_with(cls, ctx, g, sign):
        (x,) = ctx.saved_tensors
        g = g.contiguous()
        out = torch.empty_like(x)
        silu_backward[(triton.cdiv(x.numel(), 128),)](x, g, out, x.numel(), sign, BLOCK=128)
        return out

    @staticmethod
    def backward(ctx, g):
        return Silu.backward_with(ctx, g, 1.0)


class SiluWrongSign(Silu):
    @staticmethod
    def backward(ctx, g):
        return Silu.backward_with(ctx, g, -1.0)


class SiluTwice(Silu):
    @staticmethod
    def backward(ctx, g):
        return 2 * Silu.backward_with(ctx, g, 1.0)


@triton.jit
def rows_softmax(x, out, n, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * n + at, e / tl.sum(e, axis=0), mask=at < n)


@triton.jit
def rows_softmax_backward(y, g, out, n, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    s = tl.load(y + row * n + at, mask=at < n, other=0.0)
    u = tl.load(g + row * n + at, mask=at < n, other=0.0)
    tl.store(out + row * n + at, s * (u - tl.sum(s * u, axis=0)), mask=at < n)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        rows_softmax[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        g = g.contiguous()
        out = torch.empty_like(y)
        block = triton.next_power_of_2(y.shape[1])
        rows_softmax_backward[(y.shape[0],)](y, g, out, y.shape[1], BLOCK=block)
        return out


class SoftmaxByEntries(Softmax):
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y)


enter(
    "silu",
    torch.nn.functional.silu,
    Silu,
    lambda rng: [rng.normal(size=(3, 4))],
    ("sign", SiluWrongSign),
    ("factor", SiluTwice),
)
enter(
    "softmax",
    lambda x: torch.softmax(x, -1),
    Softmax,
    lambda rng: [rng.normal(size=(3, 4))],
    (".", SoftmaxByEntries),
)
