"""Functions of PyTorch as people write them, with arguments: `CASES`, and one operation each: `OPS`.

What torch itself gives for a case is the judge; see `test_from_torch.py`.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


def R(*s, seed=0, pos=False, dtype=torch.float64):
    g = torch.Generator().manual_seed(seed + sum(s) * 7)
    x = torch.randn(*s, generator=g, dtype=torch.float64).to(dtype)
    return x.abs() + 0.5 if pos else x


class MyExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x * 2)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return 2 * g * y


class MySilu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + x * s * (1 - s))


class MyLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.t()

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w, g.t() @ x


def inplace(x):
    y = x.clone()
    y *= 2
    y[0] = y[1] * 3
    y[:, 1].add_(x[:, 0])
    y.t()[2] += 1
    return (y**2).sum()


def fillrows(x):
    out = torch.zeros_like(x)
    for i in range(x.shape[0]):
        out[i] = torch.tanh(x[i]) * (i + 1)
    return (out**2).sum()


def scan(x):
    h = torch.zeros(x.shape[1], dtype=x.dtype)
    hs = []
    for t in range(x.shape[0]):
        h = torch.tanh(0.5 * h + x[t])
        hs.append(h)
    return torch.stack(hs).pow(2).sum()


def elements(x):
    out = torch.empty(3, 3, dtype=x.dtype)
    for i in range(3):
        for j in range(3):
            out[i, j] = torch.sin(x[i] * x[j])
    return out.sum()


def branch(x):
    return (x**2).sum() if x.sum() > 0 else (x**3).sum()


def attention(q, k, v):
    return (torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]), -1) @ v).pow(2).sum()


def causal(q, k, v):
    n = q.shape[-2]
    s = q @ k.transpose(-1, -2)
    s = s.masked_fill(torch.triu(torch.ones(n, n, dtype=torch.bool), 1), -math.inf)
    return (torch.softmax(s, -1) @ v).sin().sum()


def spd(a):
    return a @ a.t() + 3 * torch.eye(a.shape[0], dtype=a.dtype)


def outarg(x):
    out = torch.empty_like(x.detach())
    torch.sin(x.detach(), out=out)
    return (out * x).sum()


def T(*v):
    return torch.tensor(v)


def nograd(x):
    with torch.no_grad():
        return x * 2


def iput(x, v):
    y = x.clone()
    y[T(0, 2), T(1, 3)] = v
    y[0, :2] = v * 2
    y[y.detach() > 1] = 0.5
    return (y**3).sum()


def strided(x):
    y = x.clone()
    y.as_strided_((2, 2), (2, 1))
    y.mul_(x[:2])
    return y.pow(3).sum()


def turned(x):
    y = x.clone().t_()
    y[0].mul_(2)
    y.unsqueeze_(0).squeeze_(0).transpose_(0, 1)
    return y[0].pow(3).sum()


def spectrogram(x):
    window = torch.hann_window(4, dtype=x.dtype)
    z = torch.stft(x, 4, 2, window=window, return_complex=True)
    y = torch.istft(z * 2, 4, 2, window=window, length=6)
    return z.abs().pow(2).sum() + y.pow(3).sum()


def eigenvectors(a):
    values, vectors = torch.linalg.eig(a)
    whole = torch.linalg.inv(vectors) @ torch.diag(values**2) @ vectors
    return whole.real.sum() + vectors.abs().pow(3).sum()


def ntxent(z):
    z = F.normalize(z, dim=1)
    s = z @ z.t() / 0.5
    s = s - torch.eye(4, dtype=z.dtype) * 1e9
    return F.cross_entropy(s, T(2, 3, 0, 1))


def rope(x):
    n = len(x)
    t = torch.arange(n, dtype=x.dtype)[:, None] * torch.tensor([1.0, 0.1], dtype=x.dtype)
    a, b = x[:, :2], x[:, 2:]
    return (torch.cat([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], 1) ** 3).sum()


def alibi(q, k):
    p = torch.arange(3)
    bias = -(p[:, None] - p[None]).abs().to(q.dtype)
    return torch.softmax(q @ k.t() + bias, -1).pow(2).sum()


def ssm(a, b):
    h = torch.zeros((), dtype=a.dtype)
    out = torch.zeros(4, dtype=a.dtype)
    for i in range(4):
        h = torch.sigmoid(a[i]) * h + b[i]
        out[i] = h
    return (out**2).sum()


def ode(x):
    for _ in range(3):
        k1 = -(x**3)
        k2 = -((x + 0.05 * k1) ** 3)
        x = x + 0.1 * k2
    return x.sum()


def ckpt(x):

    return checkpoint(lambda y: y.sin() * y, x, use_reentrant=False).sum()


CASES = {
    "sin*x": (lambda x: (x.sin() * x).sum(), [R(4)]),
    "mse": (lambda x, y: F.mse_loss(x, y), [R(3, 2), R(3, 2, seed=1)]),
    "l1": (lambda x, y: F.l1_loss(x, y), [R(3, 2), R(3, 2, seed=1)]),
    "huber": (lambda x, y: F.huber_loss(x, y), [2 * R(3, 2), R(3, 2, seed=1)]),
    "smooth_l1": (lambda x, y: F.smooth_l1_loss(x, y, beta=0.7), [2 * R(3, 2), R(3, 2, seed=1)]),
    "bce": (
        lambda x, y: F.binary_cross_entropy(torch.sigmoid(x), y),
        [R(5), torch.sigmoid(R(5, seed=2))],
    ),
    "bcel": (
        lambda x, y: F.binary_cross_entropy_with_logits(x, y),
        [R(5), torch.sigmoid(R(5, seed=2))],
    ),
    "bcel_pos": (
        lambda x, y: F.binary_cross_entropy_with_logits(x, y, pos_weight=R(3, pos=True)),
        [R(4, 3), torch.sigmoid(R(4, 3, seed=2))],
    ),
    "ce": (lambda x, t: F.cross_entropy(x, t), [R(4, 3), T(0, 2, 1, 1)]),
    "ce_smooth": (
        lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1),
        [R(4, 3), T(0, 2, 1, 1)],
    ),
    "ce_weight": (
        lambda x, t: F.cross_entropy(x, t, weight=R(3, pos=True)),
        [R(4, 3), T(0, 2, 1, 1)],
    ),
    "ce_ignore": (lambda x, t: F.cross_entropy(x, t, ignore_index=1), [R(4, 3), T(0, 2, 1, 1)]),
    "ce_2d": (
        lambda x, t: F.cross_entropy(x, t),
        [R(2, 3, 4), T(0, 2, 1, 1, 0, 2, 2, 1).reshape(2, 4)],
    ),
    "ce_prob": (lambda x, y: F.cross_entropy(x, torch.softmax(y, 1)), [R(4, 3), R(4, 3, seed=3)]),
    "kl": (
        lambda x, y: F.kl_div(F.log_softmax(x, -1), F.softmax(y, -1), reduction="batchmean"),
        [R(4, 3), R(4, 3, seed=3)],
    ),
    "kl_log": (
        lambda x, y: F.kl_div(
            F.log_softmax(x, -1), F.log_softmax(y, -1), reduction="sum", log_target=True
        ),
        [R(4, 3), R(4, 3, seed=3)],
    ),
    "nll": (
        lambda x, t: F.nll_loss(F.log_softmax(x, 1), t, reduction="sum"),
        [R(4, 3), T(0, 2, 1, 1)],
    ),
    "hinge_embed": (lambda x: F.hinge_embedding_loss(x, T(1.0, -1.0, 1.0).double()), [R(3)]),
    "margin": (
        lambda x, y: F.margin_ranking_loss(x, y, torch.ones(4, dtype=torch.float64), margin=0.3),
        [R(4), R(4, seed=1)],
    ),
    "triplet": (
        lambda a, p, n: F.triplet_margin_loss(a, p, n),
        [R(3, 4), R(3, 4, seed=1), R(3, 4, seed=2)],
    ),
    "cosine_embed": (
        lambda a, b: F.cosine_embedding_loss(a, b, T(1.0, -1.0, 1.0)),
        [R(3, 4), R(3, 4, seed=1)],
    ),
    "cosine_sim": (lambda a, b: F.cosine_similarity(a, b).sum(), [R(3, 4), R(3, 4, seed=1)]),
    "soft_margin": (lambda x: F.soft_margin_loss(x, T(1.0, -1.0, 1.0).double()), [R(3)]),
    "multi_margin": (lambda x, t: F.multi_margin_loss(x, t), [R(4, 3), T(0, 2, 1, 1)]),
    "multi_margin_square": (
        lambda x, t: F.multi_margin_loss(
            x, t, 2, weight=R(3, pos=True).to(x.dtype), reduction="sum"
        ),
        [R(4, 3), T(0, 2, 1, 1)],
    ),
    "ctc": (
        lambda x: F.ctc_loss(
            F.log_softmax(x, -1), T(1, 1, 0, 2, 1, 3).reshape(2, 3), (6, 5), (2, 3)
        ),
        [R(6, 2, 4)],
    ),
    "ctc_lines": (
        lambda x: F.ctc_loss(
            F.log_softmax(x, -1), T(1, 2, 2), T(4, 3), T(2, 1), blank=3, reduction="sum"
        ),
        [R(4, 2, 4)],
    ),
    "ctc_short": (
        lambda x: F.ctc_loss(
            F.log_softmax(x, -1), T(1, 1, 2), (2, 3), (2, 1), zero_infinity=True, reduction="sum"
        ),
        [R(3, 2, 4)],
    ),
    "gaussian_nll": (
        lambda x, y, v: F.gaussian_nll_loss(x, y, v),
        [R(4), R(4, seed=1), R(4, pos=True)],
    ),
    "poisson_nll": (lambda x, y: F.poisson_nll_loss(x, y), [R(4), R(4, pos=True)]),
    "focal": (
        lambda x, t: (
            -((1 - F.log_softmax(x, 1).gather(1, t[:, None]).exp()) ** 2)
            * F.log_softmax(x, 1).gather(1, t[:, None])
        ).mean(),
        [R(4, 3), T(0, 2, 1, 1)],
    ),
    "infonce": (
        lambda a, b: F.cross_entropy(
            F.normalize(a, dim=1) @ F.normalize(b, dim=1).T / 0.1, torch.arange(3)
        ),
        [R(3, 4), R(3, 4, seed=1)],
    ),
    "dice": (
        lambda x, y: (
            1 - (2 * (torch.sigmoid(x) * y).sum() + 1) / (torch.sigmoid(x).sum() + y.sum() + 1)
        ),
        [R(6), torch.sigmoid(R(6, seed=2))],
    ),
    "relu": (lambda x: F.relu(x).pow(2).sum(), [R(5)]),
    "leaky": (lambda x: F.leaky_relu(x, 0.1).pow(2).sum(), [R(5)]),
    "elu": (lambda x: F.elu(x, 1.3).pow(2).sum(), [R(5)]),
    "celu": (lambda x: F.celu(x, 2.0).pow(2).sum(), [R(5)]),
    "selu": (lambda x: F.selu(x).sum(), [R(5)]),
    "gelu": (lambda x: F.gelu(x).sum(), [R(5)]),
    "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh").sum(), [R(5)]),
    "silu": (lambda x: F.silu(x).sum(), [R(5)]),
    "mish": (lambda x: F.mish(x).sum(), [R(5)]),
    "softplus": (lambda x: F.softplus(x, beta=2).sum(), [R(5)]),
    "softplus_big": (lambda x: F.softplus(x * 30).sum(), [R(5)]),
    "logsigmoid": (lambda x: F.logsigmoid(x).sum(), [R(5)]),
    "hardtanh": (lambda x: F.hardtanh(x).pow(2).sum(), [R(5)]),
    "hardswish": (lambda x: F.hardswish(2 * x).sum(), [R(5)]),
    "hardsigmoid": (lambda x: F.hardsigmoid(x).pow(2).sum(), [R(5)]),
    "softsign": (lambda x: F.softsign(x).sum(), [R(5)]),
    "tanhshrink": (lambda x: F.tanhshrink(x).sum(), [R(5)]),
    "softshrink": (lambda x: F.softshrink(x).pow(2).sum(), [R(5)]),
    "hardshrink": (lambda x: F.hardshrink(x).pow(2).sum(), [R(5)]),
    "glu": (lambda x: F.glu(x).sum(), [R(3, 4)]),
    "prelu": (lambda x, w: F.prelu(x, w).pow(2).sum(), [R(3, 4), R(4)]),
    "swiglu": (
        lambda x, w, v: (F.silu(x @ w) * (x @ v)).sum(),
        [R(2, 3), R(3, 4), R(3, 4, seed=1)],
    ),
    "softmax": (lambda x, y: (F.softmax(x, -1) * y).sum(), [R(3, 4), R(3, 4, seed=1)]),
    "softmin": (lambda x, y: (F.softmin(x, -1) * y).sum(), [R(3, 4), R(3, 4, seed=1)]),
    "logsumexp": (lambda x: torch.logsumexp(x, 1).sin().sum(), [R(3, 4)]),
    "layer_norm": (
        lambda x, w, b: F.layer_norm(x, (4,), w, b).pow(3).sum(),
        [R(3, 4), R(4), R(4, seed=1)],
    ),
    "rms_norm": (lambda x, w: F.rms_norm(x, (4,), w).pow(3).sum(), [R(3, 4), R(4)]),
    "rms_hand": (
        lambda x, w: (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w).sum(),
        [R(3, 4), R(4)],
    ),
    "group_norm": (
        lambda x, w, b: F.group_norm(x, 2, w, b).pow(3).sum(),
        [R(2, 4, 3), R(4), R(4, seed=1)],
    ),
    "instance_norm": (lambda x: F.instance_norm(x).pow(3).sum(), [R(2, 3, 4)]),
    "batch_norm_train": (
        lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True).pow(3).sum(),
        [R(4, 3), R(3), R(3, seed=1)],
    ),
    "normalize": (lambda x: F.normalize(x, dim=1).pow(3).sum(), [R(3, 4)]),
    "attention": (attention, [R(3, 4), R(5, 4, seed=1), R(5, 2)]),
    "causal": (causal, [R(3, 2), R(3, 2, seed=1), R(3, 2, seed=2)]),
    "sdpa": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True).pow(2).sum(),
        [R(1, 2, 3, 4), R(1, 2, 3, 4, seed=1), R(1, 2, 3, 4, seed=2)],
    ),
    "inplace": (inplace, [R(3, 3)]),
    "fillrows": (fillrows, [R(3, 4)]),
    "scan": (scan, [R(4, 3)]),
    "elements": (elements, [R(3)]),
    "branch": (branch, [R(4)]),
    "item": (lambda x: (x * x.max().item()).sum(), [R(4)]),
    "detach": (lambda x: (x.detach() * x.sin()).sum(), [R(4)]),
    "nograd": (lambda x: (nograd(x) * x.sin()).sum(), [R(4)]),
    "outarg": (outarg, [R(4)]),
    "myexp": (lambda x: MyExp.apply(x).sin().sum(), [R(4)]),
    "mysilu": (lambda x: (MySilu.apply(x) ** 2).sum(), [R(4)]),
    "mylinear": (lambda x, w: MyLinear.apply(x, w).sin().sum(), [R(2, 3), R(4, 3)]),
    "mysilu_bwd": (
        lambda x: torch.autograd.grad(MySilu.apply(x).sum(), x, create_graph=True)[0].pow(2).sum(),
        [R(4)],
    ),
    "double_bwd": (
        lambda x: torch.autograd.grad((x.sin() * x).sum(), x, create_graph=True)[0].pow(2).sum(),
        [R(4)],
    ),
    "func_grad": (lambda x: torch.func.grad(lambda y: (y.sin() * y).sum())(x).pow(2).sum(), [R(4)]),
    "func_vjp": (lambda x: torch.func.vjp(torch.tanh, x)[1](x)[0].sum(), [R(4)]),
    "func_jvp": (lambda x: torch.func.jvp(torch.tanh, (x,), (x,))[1].sum(), [R(4)]),
    "vmap": (
        lambda x, y: torch.vmap(lambda a, b: (a * b).sum().sin())(x, y).sum(),
        [R(3, 4), R(3, 4, seed=1)],
    ),
    "hessian": (lambda x: torch.func.hessian(lambda y: (y**3).sum())(x).pow(2).sum(), [R(3)]),
    "cholesky": (
        lambda a, b: torch.cholesky_solve(b[:, None], torch.linalg.cholesky(spd(a))).sum(),
        [R(3, 3), R(3)],
    ),
    "chol_sum": (lambda a: torch.linalg.cholesky(spd(a)).sin().sum(), [R(3, 3)]),
    "inv": (lambda a: torch.linalg.inv(spd(a)).sum(), [R(3, 3)]),
    "solve": (lambda a, b: torch.linalg.solve(spd(a), b).pow(2).sum(), [R(3, 3), R(3)]),
    "solve2": (lambda a, b: torch.linalg.solve(a, b).pow(2).sum(), [R(3, 3), R(3, 2)]),
    "det": (lambda a: torch.linalg.det(a).sin(), [R(3, 3)]),
    "slogdet": (lambda a: torch.slogdet(a)[1].sin(), [R(3, 3)]),
    "logdet": (lambda a: torch.logdet(spd(a)), [R(3, 3)]),
    "eigh": (lambda a: torch.linalg.eigh(spd(a))[0].log().sum(), [R(3, 3)]),
    "eigvalsh": (lambda a: torch.linalg.eigvalsh(spd(a)).pow(2)[0], [R(3, 3)]),
    "eighv": (lambda a: torch.linalg.eigh(spd(a))[1].pow(4).sum(), [R(3, 3)]),
    "svd": (lambda a: torch.linalg.svd(a, full_matrices=False)[1].pow(3).sum(), [R(3, 2)]),
    "svdu": (lambda a: (torch.linalg.svd(a, full_matrices=False)[0] ** 4).sum(), [R(3, 2)]),
    "svdvals": (lambda a: torch.linalg.svdvals(a).sum(), [R(3, 2)]),
    "qr": (lambda a: torch.linalg.qr(a)[1].pow(3).sum(), [R(3, 2)]),
    "qrq": (lambda a: torch.linalg.qr(a)[0].pow(3).sum(), [R(3, 2)]),
    "tri_solve": (
        lambda a, b: torch.linalg.solve_triangular(
            a.tril() + 2 * torch.eye(3, dtype=a.dtype), b, upper=False
        ).sum(),
        [R(3, 3), R(3, 2)],
    ),
    "matexp": (lambda a: torch.matrix_exp(0.3 * a).sum(), [R(3, 3)]),
    "fft": (lambda x: torch.fft.fft(x).abs().pow(3).sum(), [R(5)]),
    "ifft": (lambda x, y: torch.fft.ifft(torch.complex(x, y)).abs().pow(3).sum(), [R(4), R(4)]),
    "fft_ortho": (lambda x: torch.fft.fft(x, norm="ortho", dim=0).abs().pow(3).sum(), [R(4, 3)]),
    "fft_longer": (lambda x: torch.fft.fft(x, n=7).real.pow(3).sum(), [R(2, 4)]),
    "rfft": (lambda x: torch.fft.rfft(x).abs().pow(3).sum(), [R(3, 6)]),
    "rfft_in_parts": (lambda x: torch.fft.rfft(x.repeat(90)).abs().pow(3).sum(), [R(3)]),
    "irfft": (lambda x: torch.fft.irfft(torch.fft.rfft(x) ** 2).pow(3).sum(), [R(6)]),
    "irfft_odd": (
        lambda x, y: torch.fft.irfft(torch.complex(x, y), n=5).pow(3).sum(),
        [R(4), R(4)],
    ),
    "hfft": (lambda x, y: torch.fft.hfft(torch.complex(x, y)).pow(3).sum(), [R(4), R(4)]),
    "fft2": (lambda x: torch.fft.fft2(x).abs().pow(3).sum(), [R(3, 4)]),
    "rfft2": (lambda x: torch.fft.rfft2(x, norm="forward").abs().pow(3).sum(), [R(3, 4)]),
    "irfft2": (
        lambda x, y: torch.fft.irfft2(torch.complex(x, y)).pow(3).sum(),
        [R(3, 3), R(3, 3, seed=1)],
    ),
    "fftn": (lambda x: torch.fft.fftn(x, dim=(0, 2)).abs().pow(3).sum(), [R(2, 3, 4)]),
    "fftshift": (
        lambda x: (torch.fft.fftshift(torch.fft.fft(x)).abs() * torch.fft.fftfreq(5)).sum(),
        [R(5)],
    ),
    "spectral convolution": (
        lambda x, w: torch.fft.irfft(torch.fft.rfft(x) * torch.fft.rfft(w)).pow(3).sum(),
        [R(2, 6), R(6)],
    ),
    "lstsq": (lambda a, b: torch.linalg.lstsq(a, b).solution.pow(3).sum(), [R(4, 2), R(4, 3)]),
    "lstsq_wide": (
        lambda a, b: torch.linalg.lstsq(a, b).solution.pow(3).sum(),
        [R(2, 4), R(2, 1)],
    ),
    "pinv": (lambda a: torch.linalg.pinv(a).sum(), [R(3, 2)]),
    "nuc": (lambda a: torch.linalg.matrix_norm(a, "nuc"), [R(3, 2)]),
    "norm": (lambda x: torch.linalg.norm(x), [R(4)]),
    "norm3": (lambda x: torch.linalg.vector_norm(x, 3), [R(4)]),
    "cdist": (lambda x, y: torch.cdist(x, y).sum(), [R(3, 2), R(4, 2, seed=1)]),
    "rbf": (
        lambda x, y: torch.exp(-((x[:, None] - y[None]) ** 2).sum(-1)).sum(),
        [R(3, 2), R(4, 2, seed=1)],
    ),
    "gp": (
        lambda x, y: (
            0.5
            * y
            @ torch.linalg.solve(
                torch.exp(-((x[:, None] - x[None]) ** 2)) + 0.1 * torch.eye(4, dtype=x.dtype), y
            )
            + 0.5
            * torch.logdet(
                torch.exp(-((x[:, None] - x[None]) ** 2)) + 0.1 * torch.eye(4, dtype=x.dtype)
            )
        ),
        [R(4), R(4, seed=1)],
    ),
    "sort": (lambda x: (torch.sort(x)[0] * torch.arange(4.0)).sum(), [R(4)]),
    "topk": (lambda x: (torch.topk(x, 2, dim=1)[0] ** 2).sum(), [R(3, 4)]),
    "maxdim": (lambda x: (x.max(1)[0] ** 2).sum(), [R(3, 4)]),
    "median": (lambda x: x.median() ** 2, [R(5)]),
    "gather": (
        lambda x, i: (x.gather(1, i) ** 2).sum(),
        [R(3, 4), T(0, 3, 2, 2, 1, 0).reshape(3, 2)],
    ),
    "scatter": (
        lambda x, i: (torch.zeros(3, 4, dtype=x.dtype).scatter(1, i, x) ** 3).sum(),
        [R(3, 2), T(0, 3, 2, 1, 1, 0).reshape(3, 2)],
    ),
    "scatter_add": (
        lambda x, i: (torch.zeros(3, 4, dtype=x.dtype).scatter_add_(1, i, x) ** 3).sum(),
        [R(3, 2), T(0, 0, 2, 1, 1, 1).reshape(3, 2)],
    ),
    "index": (lambda x: (x[T(0, 2, 2), T(1, 0, 3)] ** 2).sum() + x[T(0, 1)].sin().sum(), [R(3, 4)]),
    "index_put": (lambda x, v: iput(x, v), [R(3, 4), R(2)]),
    "index_add": (lambda x, y: (x.index_add(0, T(0, 2), y) ** 2).sum(), [R(3, 4), R(2, 4)]),
    "index_select": (lambda x: (x.index_select(1, T(0, 2, 2)) ** 2).sum(), [R(3, 4)]),
    "mask": (lambda x: (x[x > 0] ** 3).sum(), [R(3, 4)]),
    "masked_fill": (lambda x: (x.masked_fill(x > 0, 0.0) ** 3).sum(), [R(3, 4)]),
    "where": (lambda x: torch.where(x > 0, x**2, x.exp()).sum(), [R(5)]),
    "cumsum": (lambda x: (x.cumsum(0) ** 2).sum(), [R(4)]),
    "cumprod": (lambda x: (x.cumprod(0) ** 2).sum(), [R(4)]),
    "logsumexp_complex": (
        lambda a, b: (
            torch.logsumexp(torch.complex(a, b), [0, 2]).abs().sum()
            + torch.logsumexp(torch.complex(a * 1e3, b), 1, keepdim=True).angle().sum()
        ),
        [R(2, 3, 2), R(2, 3, 2, seed=1)],
    ),
    "logcumsumexp": (lambda x: (x.logcumsumexp(0) ** 2).sum(), [R(4)]),
    "cummax": (lambda x: (x.cummax(0)[0] ** 2).sum(), [R(4)]),
    "prod": (lambda x: x.prod(), [R(4)]),
    "var": (lambda x: x.var() + x.std(0).sum(), [R(3, 4)]),
    "einsum": (
        lambda a, b, c: torch.einsum("ij,jk,kl->il", a, b, c).pow(2).sum(),
        [R(2, 3), R(3, 4), R(4, 2)],
    ),
    "einsum_b": (
        lambda a, b: torch.einsum("bij,bkj->bik", a, b).sin().sum(),
        [R(2, 3, 4), R(2, 2, 4)],
    ),
    "bilinear": (lambda x, a, y: F.bilinear(x, y, a).pow(2).sum(), [R(2, 3), R(4, 3, 2), R(2, 2)]),
    "tensordot": (lambda a, b: torch.tensordot(a, b, 2).pow(2).sum(), [R(2, 3, 4), R(3, 4, 2)]),
    "kron": (lambda a, b: torch.kron(a, b).pow(3).sum(), [R(2, 2), R(2, 3)]),
    "trace": (lambda a: torch.trace(a @ a), [R(3, 3)]),
    "conv1d": (
        lambda x, w, b: F.conv1d(x, w, b, padding=1).pow(2).sum(),
        [R(2, 3, 5), R(4, 3, 3), R(4)],
    ),
    "conv2d": (
        lambda x, w: F.conv2d(x, w, stride=2, padding=1).pow(2).sum(),
        [R(1, 2, 5, 5), R(3, 2, 3, 3)],
    ),
    "convgroup": (
        lambda x, w: F.conv2d(x, w, groups=2, dilation=2).pow(2).sum(),
        [R(1, 4, 5, 5), R(4, 2, 2, 2)],
    ),
    "convT": (
        lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1).pow(2).sum(),
        [R(1, 2, 3, 3), R(2, 3, 3, 3)],
    ),
    "maxpool": (lambda x: F.max_pool2d(x, 2).pow(2).sum(), [R(1, 2, 4, 4)]),
    "maxpool1": (lambda x: F.max_pool1d(x, 2, 1).pow(2).sum(), [R(1, 2, 5)]),
    "avgpool": (lambda x: F.avg_pool2d(x, 3, 2, 1).pow(2).sum(), [R(1, 2, 5, 5)]),
    "adaptive": (lambda x: F.adaptive_avg_pool2d(x, 2).pow(2).sum(), [R(1, 2, 5, 4)]),
    "interp": (
        lambda x: F.interpolate(x, scale_factor=2, mode="bilinear").pow(2).sum(),
        [R(1, 1, 3, 3)],
    ),
    "bicubic": (
        lambda x: F.interpolate(x, size=(5, 4), mode="bicubic").pow(2).sum(),
        [R(1, 2, 3, 3)],
    ),
    "interp1": (
        lambda x: F.interpolate(x, size=5, mode="linear", align_corners=True).pow(2).sum(),
        [R(2, 2, 3)],
    ),
    "interp3": (
        lambda x: F.interpolate(x, scale_factor=2, mode="trilinear").pow(2).sum(),
        [R(1, 1, 2, 2, 2)],
    ),
    "nearest1": (lambda x: F.interpolate(x, size=5).pow(2).sum(), [R(2, 1, 3)]),
    "nearest3": (lambda x: F.interpolate(x, size=(3, 2, 4)).pow(2).sum(), [R(1, 1, 2, 2, 2)]),
    "nearest": (lambda x: F.interpolate(x, scale_factor=2).pow(2).sum(), [R(1, 1, 3, 3)]),
    "pad": (lambda x: F.pad(x, (1, 2), value=3.0).pow(2).sum(), [R(3, 4)]),
    "reflect": (lambda x: F.pad(x, (1, 2), mode="reflect").pow(2).sum(), [R(1, 3, 4)]),
    "unfold": (lambda x: F.unfold(x, 2).pow(2).sum(), [R(1, 2, 3, 3)]),
    "fold": (lambda x: F.fold(x, (3, 3), 2).pow(2).sum(), [R(1, 8, 4)]),
    "tunfold": (lambda x: x.unfold(0, 3, 1).pow(3).sum(), [R(6)]),
    "grid": (
        lambda x, g: F.grid_sample(x, torch.tanh(g), align_corners=False).pow(2).sum(),
        [R(1, 1, 4, 4), R(1, 2, 2, 2)],
    ),
    "grid_of_volumes": (
        lambda x, g: F.grid_sample(x, 1.5 * g, padding_mode="reflection", align_corners=False),
        [R(2, 2, 3, 4, 2), R(2, 1, 2, 3, 3)],
    ),
    "grid_of_nearest": (
        lambda x: F.grid_sample(
            x, R(1, 2, 2, 2, 3), "nearest", padding_mode="border", align_corners=True
        ),
        [R(1, 2, 3, 4, 2)],
    ),
    "grid_of_cubics": (
        lambda x, g: F.grid_sample(x, 1.5 * g, "bicubic", align_corners=True),
        [R(1, 1, 4, 4), R(1, 2, 2, 2)],
    ),
    "pixel": (lambda x: F.pixel_shuffle(x, 2).pow(3).sum(), [R(1, 4, 2, 2)]),
    "embedding": (lambda w, i: F.embedding(i, w).pow(2).sum(), [R(5, 3), T(0, 4, 4, 1)]),
    "rows of at most a norm": (
        lambda w, i: F.embedding(i, w * 1, max_norm=1.0, norm_type=1.0).sin(),
        [R(5, 3), T(0, 4, 4, 1)],
    ),
    "embedding_of_padding": (
        lambda w, i: F.embedding(i, w, padding_idx=4).pow(2).sum(),
        [R(5, 3), T(0, 4, 4, 1)],
    ),
    "flip": (lambda x: (x.flip(0) * x).sum() + (x.roll(1, 0) * x).sum(), [R(4)]),
    "views": (
        lambda x: (
            x.view(2, 6).t().reshape(3, 4)[1:, ::2].unsqueeze(0).squeeze().permute(1, 0) ** 3
        ).sum(),
        [R(3, 4)],
    ),
    "split": (
        lambda x: (
            sum((i + 1) * p.pow(2).sum() for i, p in enumerate(x.split([1, 3], 1)))
            + x.chunk(2, 1)[0].prod()
        ),
        [R(3, 4)],
    ),
    "diag": (
        lambda x: torch.diag(x).pow(2).sum() + torch.diag(x[0]).sum() + x.diagonal(1).exp().sum(),
        [R(3, 3)],
    ),
    "triu": (lambda x: (x.triu(1) @ x.tril()).pow(2).sum(), [R(3, 3)]),
    "complex": (lambda x, y: torch.complex(x, y).exp().abs().sum(), [R(3), R(3, seed=1)]),
    "erf": (
        lambda x: (
            torch.erf(x).sum() + torch.lgamma(x.abs() + 3).sum() + torch.digamma(x.abs() + 3).sum()
        ),
        [R(3)],
    ),
    "clamp": (lambda x: (x.clamp(-0.5, 0.5) ** 2).sum() + x.clamp(min=0.1).pow(2).sum(), [R(5)]),
    "maximum": (
        lambda x, y: torch.maximum(x, y).pow(2).sum() + torch.minimum(x, y).pow(3).sum(),
        [R(5), R(5, seed=1)],
    ),
    "ntxent": (lambda z: ntxent(z), [R(4, 3)]),
    "rope": (lambda x: rope(x), [R(3, 4)]),
    "alibi": (lambda q, k: alibi(q, k), [R(3, 4), R(3, 4, seed=1)]),
    "linattn": (
        lambda q, k, v: ((F.elu(q) + 1) @ ((F.elu(k) + 1).t() @ v)).pow(2).sum(),
        [R(3, 2), R(3, 2, seed=1), R(3, 2, seed=2)],
    ),
    "ssm": (lambda a, b: ssm(a, b), [R(4), R(4, seed=1)]),
    "odeint": (lambda x: ode(x), [R(2)]),
    "checkpoint": (lambda x: ckpt(x), [R(3)]),
    "renorm": (lambda x: torch.renorm(x, 2, 0, 1.0).sum(), [R(3, 4)]),
    "logit": (lambda x: torch.logit(torch.sigmoid(x)).pow(2).sum(), [R(3)]),
    "lerp": (
        lambda x, y: torch.lerp(x, y, 0.3).pow(2).sum() + torch.addcmul(x, x, y).sum(),
        [R(3), R(3, seed=1)],
    ),
    "lse_hand": (lambda x: (x - x.max()).exp().sum().log() + x.max(), [R(4)]),
    "dropout_eval": (lambda x: F.dropout(x, 0.5, training=False).sin().sum(), [R(4)]),
    "as_strided": (lambda x: x.as_strided((2, 2), (1, 1)).pow(3).sum(), [R(4)]),
    "as_strided in place": (strided, [R(4)]),
    "turned in place": (turned, [R(2, 3)]),
    "spectrogram": (spectrogram, [R(8)]),
    "quantiles": (
        lambda x: torch.quantile(x, torch.tensor([0.25, 0.6], dtype=x.dtype), dim=1).pow(2).sum(),
        [R(3, 5)],
    ),
    "nanquantile": (lambda x: torch.nanquantile(x, 0.3, dim=0).pow(2).sum(), [R(5, 3)]),
    "eig": (eigenvectors, [R(3, 3)]),
    "householder": (
        lambda a, t: torch.linalg.householder_product(a, t).pow(3).sum(),
        [R(2, 3, 2), R(2, 2)],
    ),
    "pdist": (lambda x: F.pdist(x).pow(2).sum() + F.pdist(x, 3.0).sum(), [R(3, 2)]),
    "index_reduce": (
        lambda x: (
            x.index_reduce(1, T(0, 1, 1), x * 2, "mean").pow(3).sum()
            + x.index_reduce(0, T(0, 0), x * 2, "prod", include_self=False).sum()
        ),
        [R(2, 3)],
    ),
    "antialias": (
        lambda x: (
            F.interpolate(x, size=(2, 2), mode="bilinear", antialias=True).pow(2).sum()
            + F.interpolate(x, size=(3, 2), mode="bicubic", antialias=True).pow(3).sum()
        ),
        [R(1, 1, 5, 5)],
    ),
    "multilabel_margin": (
        lambda x: (
            F.multilabel_margin_loss(x, torch.tensor([[1, 1, -1, 2], [3, -1, 0, 0]]))
            + F.multilabel_margin_loss(x[0], T(2, 0, -1, 1), reduction="sum")
        ),
        [R(2, 4)],
    ),
    "rrelu": (lambda x: F.rrelu(x).pow(2).sum() + F.rrelu(x, training=True).pow(2).sum(), [R(5)]),
    "bce_mixed": (
        lambda x: F.binary_cross_entropy(
            torch.sigmoid(x), torch.full_like(x, 0.3), weight=torch.tensor([1.0, 2.0, 0.5])
        ),
        [R(3)],
    ),
    "log_ndtr": (lambda x: torch.special.log_ndtr(x * 3).sum(), [R(4)]),
    "dist": (
        lambda x, y: torch.dist(x, y) + F.pairwise_distance(x[None], y[None]).sum(),
        [R(4), R(4, seed=1)],
    ),
    "cov": (lambda x: torch.cov(x).pow(2).sum(), [R(3, 5)]),
    "trapz": (lambda x: torch.trapezoid(x**2), [R(5)]),
    "searchsorted": (
        lambda x: x[torch.searchsorted(x.detach().sort()[0], x.detach()).clamp(max=3)].pow(2).sum(),
        [R(4)],
    ),
}


TORCH_HAS_NO_SECOND = frozenset(
    "ctc ctc_lines ctc_short multi_margin multi_margin_square hardsigmoid sdpa cdist pdist "
    "multilabel_margin".split()
)
"""Cases whose second derivative torch has no code for."""

SINGLE = frozenset({"hardsigmoid"})
"""Cases where torch's own derivative has single precision: constants such as 1/6 as float32."""

NO_BACKWARD = frozenset({"grid", "grid_of_volumes", "grid_of_nearest", "grid_of_cubics"})
"""Cases whose backward operation nobody knows: the error names it."""


def _put_mask(x):
    y = x.clone()
    y[x.detach() > 0] += 1.0
    y[:, T(True, False, True, False)] = 2.0
    return y


def _drawn(x):
    y = torch.rand_like(x) + torch.randint(3, (4,)) + torch.randint_like(x, 5) + torch.randperm(4)
    y = y + torch.empty(4).cauchy_().clamp(-1, 1) + torch.empty(4).geometric_(0.5)
    y = y + torch.empty(4).log_normal_() + torch.empty(4).random_(3)
    return y + torch.multinomial(torch.ones(4), 4) + torch.poisson(torch.ones(4))


def _sizes():
    y = torch.linspace(0, 1, 4) + torch.logspace(0, 1, 4) + torch.empty_strided((4,), (1,)).zero_()
    y = y + torch.tril_indices(2, 2).sum() + torch.triu_indices(2, 2).sum()
    y = (
        y
        + torch.histc(T(1.0, 2.0, 2.5, 4.0), 4)
        + torch.lcm(T(2), T(3))
        + (T(8) >> 1)
        + torch.bitwise_right_shift(T(8), 1)
        + torch.bitwise_left_shift(T(8), 1)
    )
    y = y + torch.unique_consecutive(T(1, 1, 2)).sum() + torch.unique(I34, dim=0).sum()
    return y + torch.unique(I34, sorted=True).sum()


def _out(x):
    values, places = torch.empty(0, dtype=x.dtype), torch.empty(0, dtype=torch.int64)
    torch.max(x, 1, keepdim=True, out=(values, places))
    y = values * 2
    torch.min(x, 1, keepdim=True, out=(values, places))
    return y + values


def _write(x):
    y = x.clone()
    y.select(0, 1).mul_(3.0)
    y[::2, 1::2] = x[::2, 1::2] ** 2
    y.diagonal().zero_()
    y[2].fill_(0.5)
    y.t()[3, :2].copy_(x[:2, 0])
    return y


X, Y, P = R(3, 4), R(3, 4, seed=1), R(3, 4, pos=True)
U = torch.sigmoid(X)
I34 = torch.arange(12).reshape(3, 4)
B34 = X > 0
C3 = torch.complex(R(3), R(3, seed=1))
ONES = {
    name: (getattr(torch, name), [x])
    for name, x in {
        **dict.fromkeys(
            "angle atan asinh ceil cosh erfc exp2 expm1 frac i0 nan_to_num round sinh tan trunc".split(),
            X,
        ),
        **dict.fromkeys("acos asin atanh erfinv".split(), U * 0.9),
        **dict.fromkeys("log10 log1p log2 acosh".split(), P + 1.0),
    }.items()
}
BAGS = T(0, 2, 2, 4, 1, 3)

OPS = {
    **ONES,
    "special_entr": (torch.special.entr, [P]),
    "standard_gamma": (
        lambda x: gradient_by(lambda x: torch._standard_gamma(x).sin())(x).detach() * x,
        [P],
    ),
    "sample_dirichlet": (
        lambda x: gradient_by(lambda x: torch.distributions.Dirichlet(x).rsample())(x).detach() * x,
        [P],
    ),
    "circular_pad": (lambda x: F.pad(x, [2] * 4, mode="circular").sin(), [R(1, 1, 32, 32)]),
    "isinf": (lambda x: x * torch.isinf(x) + x, [X]),
    "angle_complex": (lambda z: torch.angle(z), [C3]),
    "conj_physical": (lambda z: torch.conj_physical(z).real, [C3]),
    "polar": (lambda a, b: torch.polar(a, b).real, [P, Y]),
    "view_as_complex": (lambda x: torch.view_as_complex(x).abs(), [R(3, 2)]),
    "neg_view": (lambda z: torch.imag(z.conj()) * 2.0, [C3]),
    "vdot": (lambda a, b: torch.vdot(a, b).real, [C3, C3 * 2.0]),
    "special_i0e": (torch.special.i0e, [X]),
    "special_i1": (torch.special.i1, [X]),
    "special_i1e": (torch.special.i1e, [X]),
    "special_ndtri": (torch.special.ndtri, [U]),
    **{
        f"special_{name}": (lambda x, name=name: getattr(torch.special, name)(x).detach() * x, [P])
        for name in (
            "bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 "
            "modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1"
        ).split()
    },
    **{
        f"special_{name}": (
            lambda x, name=name: sum(
                getattr(torch.special, name)(x.detach(), n) * x for n in (0, 1, 5, I34 % 5 - 1)
            ),
            [X],
        )
        for name in (
            *(f"{shifted}chebyshev_polynomial_{k}" for shifted in ("", "shifted_") for k in "tuvw"),
            *("hermite_polynomial_h", "hermite_polynomial_he"),
            *("laguerre_polynomial_l", "legendre_polynomial_p"),
        )
    },
    "special_spherical_bessel_j0": (
        lambda x: torch.special.spherical_bessel_j0(x.detach() * torch.arange(4)) * x,
        [X],
    ),
    "special_erfcx": (lambda x: torch.special.erfcx(x * 9), [X]),
    "special_erfcx_far": (
        torch.special.erfcx,
        [torch.tensor([-2.0, 3.9, 4.1, 30.0, 1e3], dtype=torch.float64)],
    ),
    "special_log_ndtr_far": (
        torch.special.log_ndtr,
        [torch.tensor([-1e2, -38.0, -6.0, -5.6, 0.5, 9.0], dtype=torch.float64)],
    ),
    "lu_of_more_rows": (lambda a: sum(x.exp().sum() for x in torch.linalg.lu(a)[1:]), [R(5, 3)]),
    "lu_of_more_columns": (
        lambda a: sum(x.exp().sum() for x in torch.lu_unpack(*torch.linalg.lu_factor(a))),
        [R(2, 3, 4)],
    ),
    "triangular_solve": (
        lambda b, a: (
            torch.triangular_solve(b, a)[0] * torch.triangular_solve(b, a, transpose=True)[0]
            + torch.triangular_solve(b, a, upper=False, unitriangular=True)[0]
        ),
        [R(3, 2), R(3, 3)],
    ),
    "norms_at_zero": (
        lambda x: sum(torch.linalg.vector_norm(x * 0, p) for p in (1, 2, 3, 1.5)),
        [R(3)],
    ),
    "repeats": (lambda x: x.repeat_interleave(T(2, 0, 1), dim=0), [X]),
    "repeats_that_are_given": (lambda x, n: x.repeat_interleave(n, dim=0), [X, T(2, 0, 1)]),
    "places_of_a_number": (lambda x: torch.nonzero_static(x > 0, size=3) * x[0, 0], [X]),
    "complex_nan": (lambda z: torch.where(torch.isnan(z) | torch.isinf(z), z, z * 2).real, [C3]),
    "special_xlog1py": (torch.special.xlog1py, [X, P]),
    "logarithms_at_0": (
        lambda x, y: torch.xlogy(x, y) + torch.special.xlog1py(x, y - 1) + torch.xlogy(x * 0, 0.0),
        [torch.tensor([0.0, 0.0, 2.0], dtype=torch.float64), R(3, pos=True)],
    ),
    "powers_at_0": (
        lambda x: sum((k + 1) * x**k for k in range(4)),
        [torch.tensor([0.0, -1.0, 2.0], dtype=torch.float64)],
    ),
    "special_zeta": (lambda q: torch.special.zeta(torch.full_like(q, 3.0), q), [P]),
    "bessel_j0": (lambda x: torch.special.bessel_j0(x).detach() * x, [X]),
    "bessel_j1": (lambda x: torch.special.bessel_j1(x).detach() * x, [X]),
    "igamma": (lambda x: torch.igamma(torch.full_like(x, 2.0), x), [P]),
    "igammac": (lambda x: torch.igammac(torch.full_like(x, 2.0), x), [P]),
    "atan2": (torch.atan2, [X, Y]),
    "hypot": (torch.hypot, [X, Y]),
    "copysign": (torch.copysign, [X, Y]),
    "nextafter": (lambda x, y: torch.nextafter(x.detach(), y.detach()) * x * y, [X, Y]),
    "hypot_far": (lambda x, y: torch.hypot(1e200 * x, 1e200 * y) / 1e200, [X, Y]),
    "copysign_of_zeros": (lambda x, y: torch.copysign(x, -0.0 * y.abs()), [X, Y]),
    "copysign_fixed": (lambda x: torch.copysign(x, Y), [X]),
    "logaddexp": (torch.logaddexp, [X, Y]),
    "fmod": (torch.fmod, [X, P]),
    "fmod_infinite": (
        torch.fmod,
        [torch.tensor([2.0, -3.5], dtype=torch.float64), torch.full_like(X[0, :2], torch.inf)],
    ),
    "sign_nan": (
        lambda x: torch.sign(x) * torch.nan_to_num(x),
        [torch.tensor([0.0, -2.0, torch.nan], dtype=torch.float64)],
    ),
    "threshold_nan": (
        lambda x: torch.nn.functional.threshold(x, 0.5, 2.0).nan_to_num(),
        [torch.tensor([0.0, 3.0, torch.nan], dtype=torch.float64)],
    ),
    "lgamma_at_0": (
        lambda x: torch.exp(-torch.lgamma(x)),
        [torch.tensor([0.0, 1.5], dtype=torch.float64)],
    ),
    "digamma_at_0": (
        lambda x: 1 / torch.digamma(x),
        [torch.tensor([0.0, -0.0, 1.5], dtype=torch.float64)],
    ),
    "logit_at_the_ends": (
        lambda x: torch.logit(x),
        [torch.tensor([0.0, 0.3, 1.0], dtype=torch.float64)],
    ),
    "remainder": (torch.remainder, [X, P]),
    "remainder_where_quotients_round": (
        torch.remainder,
        [
            torch.tensor([1.0, -6.5, 5.2, 8.1, -7.5, 6.0], dtype=torch.float64),
            torch.tensor([0.1, -0.1, 0.4, 0.3, 0.3, -0.3], dtype=torch.float64),
        ],
    ),
    "floor_divide": (lambda x, y: (x.detach() // y.detach()) * x, [X, P]),
    "div_trunc": (lambda x, y: torch.div(x, y, rounding_mode="trunc") * x, [X, P]),
    "fmax": (torch.fmax, [X, Y]),
    "fmin": (torch.fmin, [X, Y]),
    "clamp_max": (lambda x: x.clamp_max(0.3), [X]),
    "addcdiv": (lambda x, y, p: torch.addcdiv(x, y, p, value=0.5), [X, Y, P]),
    "threshold": (lambda x: F.threshold(x, 0.1, 20.0), [X]),
    "threshold_0": (lambda x: F.threshold(x, 0.0, 0.0), [X]),
    "logical": (
        lambda x: torch.where(
            torch.logical_xor(x > 0, torch.logical_not(x < 1)) | (x > 2) ^ (x < -1), x, -x
        ),
        [X],
    ),
    "isfinite": (lambda x: x[torch.isfinite(x) & ~torch.isnan(x)], [X]),
    "all": (
        lambda x: (
            x * (x < 9).all()
            + x * (x > 0).all(1, keepdim=True) * (x > 0).any(0)
            + x * torch.any(x > 0)
        ),
        [X],
    ),
    "all_dims": (lambda x: x * torch.all(x < 9, (0, 1)) + x * torch.any(x > 9, (0, 1)), [X]),
    "sinc": (lambda x: torch.sinc(x).exp(), [X]),
    "amax": (lambda x: x.amax((0, 1)) + x.amin(1) + torch.aminmax(x)[0], [X]),
    "ties": (
        lambda x: x.amax(1) + x.max() + x.amin() + x.max(1)[0],
        [torch.ones(2, 3, dtype=torch.float64)],
    ),
    "equal_max": (lambda x: torch.maximum(x, x.detach()) + torch.minimum(x, x.detach()) * 2, [X]),
    "norm_0": (
        lambda x: torch.linalg.vector_norm(x) + torch.linalg.vector_norm(x, dim=1),
        [torch.zeros(2, 3, dtype=torch.float64)],
    ),
    "norms": (
        lambda x: sum(torch.linalg.vector_norm(x, p, dim=1) for p in (1, 3.5, math.inf, -math.inf)),
        [X],
    ),
    "norm_p0": (lambda x: torch.linalg.vector_norm(x, 0) * x, [X]),
    "min": (lambda x: x.min() + x.min(1)[0], [X]),
    "argmax": (lambda x: x[:, x.argmax() % 4] + x[:, x.argmin(1)].sum(), [X]),
    "cummin": (lambda x: x.cummin(1)[0], [X]),
    "kthvalue": (
        lambda x: (
            x.kthvalue(2, 1)[0] + x.median(1)[0] + x.mode(1)[0] + x.nanmedian(1)[0] + x.nanmedian()
        ),
        [X],
    ),
    "nansum": (lambda x: torch.where(x > 1, math.nan, x).nansum(1), [X]),
    "var_mean": (
        lambda x: sum(torch.var_mean(x, 1, correction=0)) + sum(torch.std_mean(x)) + x.std(1),
        [X],
    ),
    "sort_stable": (
        lambda x: torch.sort(x, dim=1, stable=True, descending=True)[0] * torch.arange(4.0),
        [X],
    ),
    "argsort": (lambda x: x.gather(1, x.argsort(1)), [X]),
    "topk_smallest": (lambda x: x.topk(2, 0, largest=False)[0], [X]),
    "mv": (torch.mv, [X, R(4)]),
    "addmv": (lambda c, a, x: torch.addmv(c, a, x, beta=0.5, alpha=2.0), [R(3), X, R(4)]),
    "addmm": (lambda c, a, b: torch.addmm(c, a, b, alpha=0.5), [R(3), X, R(4, 3)]),
    "addr": (lambda c, x, y: torch.addr(c, x, y, alpha=2.0), [X, R(3), R(4)]),
    "baddbmm": (torch.baddbmm, [R(2, 3, 3), R(2, 3, 4), R(2, 4, 3)]),
    "addbmm": (torch.addbmm, [R(3, 3), R(2, 3, 4), R(2, 4, 3)]),
    "cross": (lambda x, y: torch.linalg.cross(x, y, dim=0), [X, Y]),
    "repeat": (lambda x: x.repeat(2, 1, 2), [X]),
    "repeat_interleave": (lambda x: x.repeat_interleave(2, 1), [X]),
    "take": (lambda x: torch.take(x, T(0, 5, -1)), [X]),
    "flip_roll": (lambda x: x.flip(1).roll(2), [X]),
    "scatter_value": (lambda x: x.scatter(1, T(0, 1, 2).reshape(3, 1), 2.0), [X]),
    "scatter_reduce": (
        lambda x, y: sum(x.scatter_reduce(1, I34 % 4, y, r) for r in ("sum", "amax", "amin")),
        [X, Y],
    ),
    "scatter_reduce_others": (
        lambda x, y: sum(
            x.scatter_reduce(1, I34 % 4, y, r, include_self=own).sin()
            for r, own in (("mean", True), ("prod", True), ("prod", False), ("amax", False))
        ),
        [X, Y],
    ),
    **{
        f"embedding_bag {mode}": (
            lambda w, mode=mode: F.embedding_bag(BAGS, w, T(0, 3, 3), mode=mode, padding_idx=4),
            [R(5, 3)],
        )
        for mode in ("sum", "mean", "max")
    },
    **{
        f"segment_reduce {how}": (
            lambda x, how=how: torch.segment_reduce(x, how, lengths=T(2, 1, 3)).sin(),
            [R(6, 2)],
        )
        for how in ("sum", "mean", "prod", "max", "min")
    },
    **{
        f"segment_reduce {how} from a number": (
            lambda x, how=how: torch.segment_reduce(
                x, how, lengths=T(2, 1, 0, 3), initial=0.3
            ).sin(),
            [R(6, 2)],
        )
        for how in ("sum", "mean", "prod", "max", "min")
    },
    "segment_reduce of offsets": (
        lambda x: torch.segment_reduce(x, "sum", offsets=T(0, 2, 2, 5)).cos(),
        [R(5)],
    ),
    "embedding_bag of shares": (
        lambda w, s: F.embedding_bag(
            BAGS, w, T(0, 3, 3), mode="sum", per_sample_weights=s, padding_idx=4
        ),
        [R(5, 3), R(6)],
    ),
    "index_copy": (lambda x, y: x.index_copy(0, T(2, 0), y).index_fill(1, T(1), 3.0), [X, R(2, 4)]),
    "masked": (
        lambda x, y: x.masked_select(B34).sum() + x.masked_scatter(B34, y).sin().sum(),
        [X, Y],
    ),
    "index_moved": (lambda x: x[T(0, 1), :, T(1, 2)], [R(2, 3, 4)]),
    "index_mask_put": (lambda x: _put_mask(x), [X]),
    "index_put_add": (lambda x, v: x.index_put((T(0, 0), T(1, 1)), v, accumulate=True), [X, R(2)]),
    "index_of_input": (lambda x, i: x[i, i % 4], [X, T(0, 2, -1)]),
    "unbind": (lambda x: torch.stack([r * k for k, r in enumerate(x.unbind(1))]), [X]),
    "diagonals": (lambda x: torch.diag_embed(x, 1, 0, 2) + torch.diagonal(x, 1).sum(), [X]),
    "tri": (lambda x: x.tril(-1) + x.triu(2) + x.tril(1), [X]),
    "pad_negative": (lambda x: F.pad(x, (-1, 2, 1, -1), value=0.5), [X]),
    "select_in_place": (lambda x: _write(x), [X]),
    "copies": (lambda x: torch.clone(x).to(torch.float32).double().contiguous(), [X]),
    "zero_full": (
        lambda x: (
            x
            + torch.full((4,), 2.0)
            + torch.full_like(x, 3.0)
            + torch.eye(3, 4)
            + torch.scalar_tensor(2.0)
        ),
        [X],
    ),
    "lu": (lambda a: torch.linalg.lu_solve(*torch.linalg.lu_factor(a), R(3, 2)), [R(3, 3)]),
    "solve_right": (lambda a, b: torch.linalg.solve(a, b, left=False), [R(3, 3), R(2, 3)]),
    "cholesky_upper": (lambda a: torch.linalg.cholesky(spd(a), upper=True), [R(3, 3)]),
    "cholesky_old": (lambda a: torch.cholesky_inverse(torch.linalg.cholesky(spd(a))), [R(3, 3)]),
    "qr_complete": (lambda a: torch.linalg.qr(a.detach(), mode="r")[1] * a, [R(3, 3)]),
    "solve_triangular_right": (
        lambda a, b: torch.linalg.solve_triangular(
            a.triu(), b, upper=True, left=False, unitriangular=True
        ),
        [R(3, 3), R(2, 3)],
    ),
    "matrix_power": (lambda a: torch.linalg.matrix_power(a, 3), [R(3, 3)]),
    "group_conv3d": (
        lambda x, w: F.conv3d(x, w, padding=1, stride=2),
        [R(1, 2, 3, 3, 3), R(2, 2, 2, 2, 2)],
    ),
    "conv_transpose1d": (
        lambda x, w: F.conv_transpose1d(x, w, stride=2, dilation=2, groups=2),
        [R(1, 2, 3), R(2, 2, 2)],
    ),
    "pool3d": (
        lambda x: (
            F.avg_pool3d(x, 2, ceil_mode=True, count_include_pad=False, padding=1)
            + F.max_pool3d(x, 2, padding=1)
        ),
        [R(1, 1, 4, 4, 4)],
    ),
    "pool1d": (lambda x: F.avg_pool1d(x, 2) + F.adaptive_avg_pool1d(x, 3), [R(1, 2, 6)]),
    "adaptive": (
        lambda x: F.adaptive_max_pool2d(x, 2) + F.adaptive_avg_pool2d(x, 2),
        [R(1, 1, 5, 4)],
    ),
    "adaptive3d": (
        lambda x: F.adaptive_max_pool3d(x, 2) + F.adaptive_avg_pool3d(x, 2),
        [R(1, 1, 4, 3, 4)],
    ),
    "batch_norm_eval": (
        lambda x: F.batch_norm(x, T(0.1, 0.2, 0.3, 0.4).double(), T(1.0, 2.0, 3.0, 4.0).double()),
        [X],
    ),
    "dropout": (lambda x: F.dropout(x, 0.5) + torch.feature_dropout(x, 0.5, True), [X]),
    "native_dropout": (lambda x: torch.native_dropout(x, 0.5, True)[0], [X]),
    "drawn": (
        lambda x: (
            x * torch.rand(4) + torch.randn_like(x) * x + torch.bernoulli(torch.full((4,), 0.5)) * x
        ),
        [X],
    ),
    "drawn_in_place": (
        lambda x: x * torch.empty(4).uniform_() * torch.empty(4).normal_().exponential_(),
        [X],
    ),
    "places": (
        lambda x: (
            x[torch.nonzero(x > 0)[:, 0]] * torch.bincount(T(0, 1, 1, 3))
            + torch.unique(x > 0).sum() * x[0]
        ),
        [X],
    ),
    "integers": (
        lambda x: x * (torch.bitwise_and(I34, 3) + torch.gcd(I34, T(4)) + (I34 << 1)).double(),
        [X],
    ),
    "signbit": (lambda x: x * torch.signbit(x) + torch.count_nonzero(x) * x, [X]),
    "buckets": (
        lambda x: (
            x * torch.bucketize(x.detach(), T(-1.0, 0.0, 1.0).double())
            + x * torch.isin(I34, T(1, 2))
        ),
        [X],
    ),
    "drawn_numbers": (lambda x: x * _drawn(x), [X]),
    "sizes": (lambda x: x * _sizes(), [X]),
    "out": (lambda x: x * _out(x.detach()), [X]),
    "equal": (lambda x: x * 2 if torch.equal(x, x + 0) else x, [X]),
}


# --- functions of what values decide --------------------------------------------------------------


def gradient_by(function):
    """Ask torch for the gradient of the sum of squares by the first argument."""

    def gradient(x, *rest):
        x = x if x.requires_grad else x.detach().requires_grad_()
        return torch.autograd.grad(function(x, *rest).pow(2).sum(), x, create_graph=True)[0]

    return gradient


def D(*values):
    return torch.tensor(values, dtype=torch.float64)


W43, Z23, IMAGE = R(4, 2), R(2, 3), R(1, 1, 4, 4)
LINES = (D(1.0, 3.0, 2.0), D(5.0, 3.0, 9.0))
CHOOSING = {
    "a solution": (torch.linalg.solve, [R(3, 3), R(3)], [R(3, 3).flip(0), R(3)]),
    "a determinant": (torch.linalg.det, [R(3, 3)], [R(3, 3).flip(0)]),
    "a determinant's logarithm": (
        lambda a: torch.linalg.slogdet(a)[1], [R(3, 3)], [R(3, 3).flip(0)]
    ),
    "least squares": (
        lambda a, b: torch.linalg.lstsq(a, b).solution, [R(4, 2), R(4, 1)],
        [R(4, 2).flip(0), R(4, 1)],
    ),
    "a covariance": (
        lambda a, x: torch.distributions.MultivariateNormal(x * 0, a @ a.T + 1).log_prob(x),
        [R(2, 2), R(2)], [R(2, 2).flip(0), R(2)],
    ),
    "a class that is ignored": (
        lambda z, t: F.cross_entropy(z, t, ignore_index=1), [Z23, T(0, 2)], [Z23, T(1, 2)]
    ),
    "a class that is ignored, with weights": (
        lambda z, t: F.cross_entropy(z, t, ignore_index=1, weight=D(1.0, 2.0, 3.0)),
        [Z23, T(0, 2)], [Z23, T(1, 2)],
    ),
    "losses that are not summed": (
        lambda z, t: F.cross_entropy(z, t, reduction="none"), [Z23, T(0, 2)], [Z23, T(1, 2)]
    ),
    "classes of margins": (
        lambda z, t: gradient_by(lambda z: F.multi_margin_loss(z, t))(z).detach() * z,
        [Z23, T(0, 2)], [Z23, T(1, 2)],
    ),
    "rows of a padding": (
        lambda w, i: F.embedding(i, w, padding_idx=1).exp(), [W43, T(0, 2)], [W43, T(1, 2)]
    ),
    "what pools have chosen": (
        lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2), [IMAGE], [-IMAGE]
    ),
    "the gradient of rows of a padding": (
        gradient_by(lambda w, i: F.embedding(i, w, padding_idx=1)),
        [W43, T(0, 2)], [W43, T(1, 2)],
    ),
    "a softplus with a threshold": (
        lambda x: F.softplus(x, threshold=0.5), [D(-1.0, 0.2)], [D(2.0, 3.0)]
    ),
    "the gradient of a softplus": (
        gradient_by(lambda x: F.softplus(x, threshold=0.5)), [D(-1.0, 0.2)], [D(2.0, 3.0)]
    ),
    "pools": (lambda x: F.max_pool2d(x, 3, 2, 1), [IMAGE], [-IMAGE]),
    "pools of holes": (lambda x: F.max_pool2d(x, 2, 1, 1, 2), [IMAGE], [-IMAGE]),
    "pools of parts": (lambda x: F.adaptive_max_pool2d(x, 3), [IMAGE], [-IMAGE]),
    "a middle": (lambda x: torch.median(x, 0)[0].exp(), [LINES[0]], [LINES[1]]),
    "the middle of all": (lambda x: torch.median(x).exp(), [LINES[0]], [LINES[1]]),
    "a rank": (lambda x: torch.kthvalue(x, 2)[0].exp(), [LINES[0]], [LINES[1]]),
    "running maxima": (lambda x: torch.cummax(x, 0)[0], [LINES[0]], [LINES[1]]),
    "members": (
        lambda x: torch.where(torch.isin(x, D(1.0, 9.0)), x, -x), [LINES[0]], [LINES[1]]
    ),
    "counts": (lambda x: x * torch.count_nonzero(x > 2), [LINES[0]], [LINES[1]]),
    "one triangle": (
        lambda a: torch.linalg.cholesky(a), [D(2.0, 1.0, 1.0, 2.0).reshape(2, 2)],
        [D(3.0, 1.0, 2.0, 4.0).reshape(2, 2)],
    ),
    "one number with places": (
        lambda x, i, v: x.index_add(0, i, v),
        [D(1.0)[0], T(0)[0], D(2.0)[0]], [D(3.0)[0], T(0)[0], D(4.0)[0]],
    ),
    "a mask of more axes": (
        lambda x, y: x.masked_scatter(torch.ones(2, 3) > 0, y), [LINES[0], Z23], [LINES[1], -Z23]
    ),
    "rows by their frequency": (
        lambda w, i: F.embedding(i, w, scale_grad_by_freq=True).exp(),
        [W43, T(0, 2, 2)], [W43, T(1, 1, 1)],
    ),
    "bags of rows by their frequency": (  # torch 2.13 counts other rows unless these are the last
        lambda w: F.embedding_bag(
            T(0, 1, 2, 2), w, T(0, 3), mode="mean", scale_grad_by_freq=True
        ).exp(),
        [W43[:3]], [W43[1:]],
    ),
    "the larger truth": (
        lambda x: torch.maximum(x > 2, x < 1.5) * x + torch.minimum(x > 2, x < 4) * x.exp(),
        [LINES[0]], [LINES[1]],
    ),
    "probabilities that are 0 or 1": (
        lambda x, y: F.binary_cross_entropy(x, y), [D(0.2, 0.7), D(0.0, 1.0)],
        [D(0.0, 1.0), D(0.0, 1.0)],
    ),
    "rows without any class": (
        lambda x: torch.ops.aten._safe_softmax(x, 1),
        [D(0.0, 1.0, -math.inf, -math.inf).reshape(2, 2)],
        [D(-math.inf, -math.inf, 2.0, 1.0).reshape(2, 2)],
    ),
}  # fmt: skip
"""Functions by what they choose, examples, and arguments with which they choose otherwise."""
CHOSEN = {
    "the gradient of pools": (gradient_by(lambda x: F.max_pool2d(x, 2)), [IMAGE], [-IMAGE]),
    "the gradient of running maxima": (
        gradient_by(lambda x: torch.cummax(x, 0)[0]), [LINES[0]], [LINES[1]]
    ),
    "the most frequent": (
        lambda x: torch.mode(x)[0].exp(), [D(1.0, 3.0, 1.0)], [D(5.0, 9.0, 9.0)]
    ),
    "the last of equal ones": (
        lambda x: torch.cummax(x, 0)[0], [D(1.0, 3.0, 3.0)], [D(5.0, 1.0, 9.0)]
    ),
    "places in a line": (
        lambda x: torch.searchsorted(x, D(4.0)) * x, [D(1.0, 2.0, 3.0)], [D(1.0, 5.0, 9.0)]
    ),
    "buckets": (lambda x: torch.bucketize(x, D(2.5)) * x, [LINES[0]], [LINES[1]]),
    "how many there are": (lambda x: x * len(torch.nonzero(x > 2)), [LINES[0]], [LINES[1]]),
    "where": (lambda x: torch.where(x > 2.5)[0] * x[0], [LINES[0]], [D(5.0, 1.0, 2.0)]),
    "a histogram": (lambda x: torch.histc(x.detach(), 3, 0, 9) * x, [LINES[0]], [LINES[1]]),
    "an argument or another": (lambda x: x if x.sum() > 4 else -x, [LINES[0]], [D(1.0, 2.0, 0.5)]),
    "the gradient of rows by their frequency": (
        gradient_by(lambda w, i: F.embedding(i, w, scale_grad_by_freq=True)),
        [W43, T(0, 2, 2)], [W43, T(1, 1, 1)],
    ),
    "places that count from the start": (
        lambda x, i, j: x[i, j].exp(), [X, T(0, 2), T(1, 3)], [X, T(1, 1), T(-1, -2)]
    ),
    "labels of which none is ignored": (
        lambda z, t: F.cross_entropy(z, t), [R(2, 128), T(0, 2)], [R(2, 128), T(-100, 2)]
    ),
    "a matrix that is symmetric": (
        lambda a: torch.linalg.eigvalsh(a), [D(2.0, 1.0, 1.0, 2.0).reshape(2, 2)],
        [D(3.0, 1.0, 2.0, 4.0).reshape(2, 2)],
    ),
    "rows with a class": (
        lambda x: torch.ops.aten._safe_softmax(x, 1),
        [D(0.0, 1.0, 2.0, 3.0).reshape(2, 2)], [D(-math.inf, -math.inf, 2.0, 1.0).reshape(2, 2)],
    ),
    "logarithms that do not end": (torch.xlogy, [D(1.0, 2.0), LINES[0][:2]], [D(0.0, 2.0), D(0.0, 3.0)]),
    "labels": (
        lambda x: F.ctc_loss(
            x.log_softmax(-1).reshape(2, 1, 2), x.detach()[1].argmax().int().reshape(1, 1), (2,), (1,)
        ),
        [R(2, 2)], [R(2, 2).flip(1)],
    ),
}  # fmt: skip
"""The same, where the formula holds as long as the choice is the same."""
