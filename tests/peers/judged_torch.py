# ruff: noqa: D101, D102, D103 - a candidate is described by its name
"""Backward passes of PyTorch, right and wrong: each is judged beside its own forward."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tests.judged import causes as by
from tests.judged.case import Candidate, Case, compiled, source

CASES: dict[str, Case] = {}


def tensors(x: Any) -> Any:
    return torch.from_numpy(np.asarray(x))


def case(
    name: str,
    right: Any,
    draw: Any,
    *wrongs: tuple[str, tuple[str, str]],
    given: Any = tensors,
    **options: Any,
) -> None:
    """Enter an autograd function, and edits of its text that are wrong."""
    made = Case(f"torch: {name}", right, draw, "vjp", options, given=given, has_numbers=False)
    del made.rights[:]
    made.right(right)
    text = source(right)
    for cause, (old, new) in wrongs:
        assert text.count(old) == 1, (name, old)
        changed = compiled(text.replace(old, new), right)
        made.wrongs.append(Candidate(f"{old} → {new or 'nothing'}", changed, cause, right=text))
    CASES[name] = made


class RMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        rstd = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)
        ctx.save_for_backward(x, w, rstd)
        return x * rstd * w

    @staticmethod
    def backward(ctx, dy):
        x, w, rstd = ctx.saved_tensors
        x_hat = x * rstd
        wdy = w * dy
        c1 = (x_hat * wdy).mean(-1, keepdim=True)
        dx = (wdy - x_hat * c1) * rstd
        dw = (dy * x_hat).sum(0)
        return dx, dw


case(
    "rms norm",
    RMSNorm,
    lambda rng: [rng.normal(size=(3, 4)), rng.normal(size=4)],
    (by.MEAN, ("(x_hat * wdy).mean(-1", "(x_hat * wdy).sum(-1")),
    (by.MISSING, ("(wdy - x_hat * c1) * rstd", "wdy * rstd")),
    (by.any_of(by.MISSING, by.FACTOR), ("(wdy - x_hat * c1) * rstd", "wdy - x_hat * c1")),
    (by.any_of(by.STALE, by.MISSING), ("(dy * x_hat).sum(0)", "(dy * x).sum(0)")),
    (by.any_of(by.MEAN), ("(dy * x_hat).sum(0)", "(dy * x_hat).mean(0)")),
    (by.any_of(by.STALE, by.MISSING), ("(x_hat * wdy).mean", "(x_hat * dy).mean")),
)


class SwiGLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return torch.nn.functional.silu(a) * b

    @staticmethod
    def backward(ctx, dc):
        a, b = ctx.saved_tensors
        sig = torch.sigmoid(a)
        silu = a * sig
        da = dc * (silu * (1 - sig) + sig) * b
        db = dc * silu
        return da, db


case(
    "swiglu",
    SwiGLU,
    lambda rng: [rng.normal(size=(2, 3)), rng.normal(size=(2, 3))],
    (by.MISSING, ("(silu * (1 - sig) + sig)", "sig")),
    (by.any_of(by.STALE, by.MISSING), ("dc * silu\n", "dc * sig\n")),
    (by.any_of(by.MISSING, by.FACTOR), ("+ sig) * b", "+ sig)")),
    (by.any_of(by.SIGN, by.FACTOR), ("(1 - sig)", "(1 + sig)")),
    (by.SWAPPED, ("return da, db", "return db, da")),
    (by.any_of(by.MISSING, by.STALE), ("silu * (1 - sig)", "sig * (1 - sig)")),
)


class SmoothedEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, t):
        lp = torch.nn.functional.log_softmax(z, -1)
        keep = t != -100
        safe = torch.where(keep, t, 0)
        picked = -lp.gather(1, safe[:, None])[:, 0]
        loss = 0.9 * picked - 0.1 * lp.mean(-1)
        ctx.save_for_backward(lp, safe, keep)
        return (loss * keep).sum() / keep.sum()

    @staticmethod
    def backward(ctx, g):
        lp, safe, keep = ctx.saved_tensors
        n = lp.shape[-1]
        dz = lp.exp() - 0.1 / n
        rows = torch.arange(len(safe), device=safe.device)
        dz[rows, safe] -= 0.9
        dz = dz * keep[:, None]
        return g * dz / keep.sum(), None


case(
    "smoothed cross entropy",
    SmoothedEntropy,
    lambda rng: [rng.normal(size=(4, 3)), np.array([0, 2, -100, 1])],
    (by.any_of(by.MASK), ("        dz = dz * keep[:, None]\n", "")),
    (by.MEAN, ("dz / keep.sum()", "dz / len(keep)")),
    (by.any_of(by.MISSING, by.CONSTANT, "term"), ("lp.exp() - 0.1 / n", "lp.exp()")),
    (by.CONSTANT, ("-= 0.9", "-= 1.0")),
    (by.any_of(by.MISSING, by.UPSTREAM), ("g * dz / keep", "dz / keep")),
    (by.any_of(by.MISSING, by.OTHER), ("lp.exp() - 0.1", "lp - 0.1")),
    (by.any_of(by.FACTOR, "divi", by.MEAN), ("0.1 / n", "0.1")),
)


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        scale = q.shape[-1] ** -0.5
        s = (q @ k.transpose(-1, -2)) * scale
        mask = torch.ones(s.shape[-2:], dtype=torch.bool).tril()
        p = torch.softmax(s.masked_fill(~mask, float("-inf")), -1)
        o = p @ v
        ctx.save_for_backward(q, k, v, p, o)
        return o

    @staticmethod
    def backward(ctx, do):
        q, k, v, p, o = ctx.saved_tensors
        scale = q.shape[-1] ** -0.5
        dv = p.transpose(-1, -2) @ do
        dp = do @ v.transpose(-1, -2)
        delta = (do * o).sum(-1, keepdim=True)
        ds = p * (dp - delta) * scale
        dq = ds @ k
        dk = ds.transpose(-1, -2) @ q
        return dq, dk, dv


case(
    "causal attention of heads",
    Attention,
    lambda rng: [rng.normal(size=(2, 3, 2)) for _ in range(3)],
    (by.any_of(by.MISSING), ("(dp - delta)", "dp")),
    (by.any_of(by.STALE, by.OTHER), ("(do * o).sum(-1", "(do * v).sum(-1")),
    (by.any_of(by.MISSING, by.FACTOR), ("(dp - delta) * scale", "(dp - delta)")),
    (by.TRANSPOSED, ("ds.transpose(-1, -2) @ q", "ds @ q")),
    (by.any_of(by.TRANSPOSED, by.STALE), ("p.transpose(-1, -2) @ do", "p @ do")),
    (by.any_of(by.SWAPPED, by.OTHER), ("ds @ k", "ds @ q")),
)


class SelectiveScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dt, a):
        h = torch.zeros_like(x[0])
        hs = []
        for t in range(x.shape[0]):
            h = torch.exp(dt[t] * a) * h + dt[t] * x[t]
            hs.append(h)
        y = torch.stack(hs)
        ctx.save_for_backward(x, dt, a, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, dt, a, y = ctx.saved_tensors
        dx, ddt, da = torch.zeros_like(x), torch.zeros_like(dt), torch.zeros_like(a)
        carry = torch.zeros_like(x[0])
        for t in range(x.shape[0] - 1, -1, -1):
            dh = g[t] + carry
            decay = torch.exp(dt[t] * a)
            before = y[t - 1] if t > 0 else torch.zeros_like(x[0])
            dx[t] = dh * dt[t]
            ddt[t] = dh * (x[t] + a * decay * before)
            da += dh * dt[t] * decay * before
            carry = dh * decay
        return dx, ddt, da


case(
    "selective scan",
    SelectiveScan,
    lambda rng: [
        rng.normal(size=(4, 2)),
        rng.uniform(0.1, 1, size=(4, 2)),
        -rng.uniform(0.5, 1, 2),
    ],
    (by.any_of(by.MISSING, by.STALE), ("g[t] + carry", "g[t]")),
    (by.any_of(by.SHIFT, by.STALE), ("y[t - 1] if", "y[t] if")),
    (by.any_of(by.MISSING), ("(x[t] + a * decay * before)", "x[t]")),
    (by.any_of(by.MISSING, "overwritten"), ("da += dh", "da = dh")),
    (by.any_of(by.MISSING, by.FACTOR), ("carry = dh * decay", "carry = dh")),
    (by.any_of(by.MISSING, by.FACTOR), ("da += dh * dt[t] * decay", "da += dh * decay")),
    (
        by.any_of(by.SHIFT, by.ORDER, by.STALE),
        ("range(x.shape[0] - 1, -1, -1)", "range(x.shape[0])"),
    ),
)


class CholeskyDet(torch.autograd.Function):
    @staticmethod
    def forward(ctx, s):
        chol = torch.linalg.cholesky(s)
        ctx.save_for_backward(chol)
        return 2 * torch.log(torch.diagonal(chol)).sum()

    @staticmethod
    def backward(ctx, g):
        (chol,) = ctx.saved_tensors
        eye = torch.eye(len(chol), dtype=chol.dtype, device=chol.device)
        inverse = torch.linalg.solve_triangular(chol, eye, upper=False)
        return g * (inverse.mT @ inverse)


def definite(rng):
    a = rng.normal(size=(3, 3))
    return [a @ a.T + 2 * np.eye(3)]


case(
    "log determinant",
    CholeskyDet,
    definite,
    (
        by.any_of(by.TRANSPOSED, by.ORDER, by.SWAPPED),
        ("inverse.mT @ inverse", "inverse @ inverse.mT"),
    ),
    (by.any_of(by.HALF, by.FACTOR), ("g * (inverse.mT", "0.5 * g * (inverse.mT")),
    (by.any_of(by.MISSING, by.UPSTREAM), ("g * (inverse.mT @ inverse)", "inverse.mT @ inverse")),
    (
        by.any_of(by.MISSING, by.FACTOR, by.DIAGONAL, by.OTHER),
        ("(inverse.mT @ inverse)", "inverse"),
    ),
    (by.any_of(by.SIGN), ("return g *", "return -g *")),
)


class ComplexProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g @ b.mH, a.mH @ g


def gaussian(rng, *shape):
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


case(
    "complex product",
    ComplexProduct,
    lambda rng: [gaussian(rng, 2, 3), gaussian(rng, 3, 2)],
    (by.any_of(by.COMPLEX, "conj"), ("b.mH", "b.mT")),
    (by.any_of(by.COMPLEX, "conj"), ("a.mH", "a.mT")),
    (by.any_of(by.COMPLEX, "conj"), ("g @ b.mH", "(g @ b.mH).conj()")),
)


class WritesInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.clone()
        y[:, 1:] *= 2
        ctx.save_for_backward(x)
        return y.mul_(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        d = 2 * x * g
        d[:, 1:].mul_(2)
        return d


case(
    "in place",
    WritesInPlace,
    lambda rng: [rng.normal(size=(3, 4))],
    (by.CHANGES, ("d = 2 * x * g", "d = g.mul_(2 * x)")),
    (by.CHANGES, ("d = 2 * x * g", "d = x.mul_(2) * g")),
    (by.any_of(by.FACTOR, by.ENTRIES), ("d[:, 1:].mul_(2)", "d[:, 1:].mul(2)")),
    (by.any_of(by.INSTEAD, by.ENTRIES), ("d[:, 1:]", "d[1:]")),
)


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        n = torch.sqrt((x * x).sum(-1) + 1e-6)
        ctx.save_for_backward(x, n)
        return n

    @staticmethod
    def backward(ctx, g):
        x, n = ctx.saved_tensors
        return (g / n)[:, None] * x


case(
    "norm with an epsilon",
    Norm,
    lambda rng: [rng.normal(size=(3, 4))],
    ("epsilon|term", ("g / n", "g / (n + 1e-6)")),
    ("term 1e-06", ("g / n", "g / x.norm(dim=-1)")),
    (by.any_of(by.MISSING, by.FACTOR), ("g / n", "g * n")),
)


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.softplus(x, threshold=1000)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(x)


case(
    "softplus",
    Softplus,
    lambda rng: [rng.normal(size=4)],
    (by.any_of(by.SATURATED, by.POSITIVE), ("torch.sigmoid(x)", "torch.sigmoid(x.clamp(-20, 20))")),
    (
        by.any_of(by.SATURATED, by.POSITIVE),
        ("torch.sigmoid(x)", "torch.sigmoid(torch.where(x < -18, -18.0, x))"),
    ),
    (by.any_of(by.SATURATED, by.POSITIVE), ("torch.sigmoid(x)", "torch.sigmoid(x) * (x > -25)")),
)


class DoublesInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.mark_dirty(x)
        ctx.k = k
        return x.mul_(k)

    @staticmethod
    def backward(ctx, g):
        return ctx.k * g, None


case(
    "writes into its input and says so",
    DoublesInPlace,
    lambda rng: [rng.normal(size=(3, 4)), np.array(2.0)],
    (by.any_of(by.MISSING, by.FACTOR), ("return ctx.k * g", "return g")),
    (by.any_of(by.SIGN), ("return ctx.k * g", "return -ctx.k * g")),
)


class Sorted(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.sort(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1], *inputs)

    @staticmethod
    def backward(ctx, g, _):
        order, x = ctx.saved_tensors
        d = torch.zeros_like(x)
        d[order] = g
        return d


case(
    "sort with its order",
    Sorted,
    lambda rng: [rng.normal(size=5)],
    (by.any_of(by.FACTOR), ("d[order] = g", "d[order] = 2 * g")),
    ("is another one than the one that belongs there", ("d[order] = g", "d = g[order]")),
    (by.any_of(by.SIGN, by.FACTOR), ("return d", "return -d")),
)
for _made in CASES.values():
    if _made.name == "torch: writes into its input and says so":
        _made.options["wrt"] = [0]
