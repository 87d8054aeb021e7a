"""Functions of PyTorch as functions on tensors: values, gradients and second orders are torch's."""

from __future__ import annotations

import importlib.util
import warnings

import numpy as np
import pytest

import symtape as tf
from symtape.frontends.torch_functions import tracer
from symtape.frontends.torch_functions.links import LINKS
from symtape.frontends.torch_functions.table import RULES

if importlib.util.find_spec("torch"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what torch says as it is imported is not about us
        from tests.peers import torch_functions as table

    CASES, OPS = list(table.CASES), list(table.OPS)
else:
    CASES, OPS = ["torch"], ["torch"]

pytestmark = pytest.mark.usefixtures("torch")
IGNORED = "ignore:.*(TF32 acceleration|is deprecated|torch.jit|__array_wrap__|Sparse|vmap):"


def seeded(torch, function, args):
    """Call a function with the random numbers that it always gets."""
    torch.manual_seed(7)
    return function(*args)


def leaves_of(imported):
    """Give the examples that have derivatives."""
    return [x for x in imported.examples.values() if x.dtype.is_floating or x.dtype.is_complex]


def total(y):
    """Sum what a function gives, with different weights."""
    return y if not y.ndim else (y * weights(y)).sum()


def weights(y):
    """Give numbers of the shape and dtype of a torch tensor."""
    line = (table.torch.arange(y.numel(), dtype=table.torch.float64) * 0.7).cos() + 1.2
    return line.reshape(y.shape).to(y.dtype)


def theirs(torch, function, args, *, second=True):
    """Let torch give the value, the gradients, and those of a weighted sum of the gradients."""
    xs = [x.clone().requires_grad_() if is_smooth(x) else x for x in args]
    sources = [x for x in xs if is_smooth(x)]
    y = seeded(torch, lambda *a: total(function(*a)), xs)
    first = torch.autograd.grad(y, sources, create_graph=True, allow_unused=True)
    last = [None] * len(sources)
    parts = [g for g in first if g is not None and g.requires_grad]
    if second and parts:
        summed = sum((g * weights(g)).real.sum() for g in parts)
        last = torch.autograd.grad(summed, sources, allow_unused=True)
    return y, first, last


def is_smooth(x):
    """Say whether a torch tensor has derivatives."""
    return x.is_floating_point() or x.is_complex()


def ours(torch, function, args, connected):
    """Let symtape give the same."""
    imported = tf.from_torch(lambda *a: total(function(*a)), *args)
    sources = leaves_of(imported)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(sources)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = seeded(torch, imported, imported._leaves)
        first = tape.gradient(y, sources)
        parts = [
            tf.reduce_sum(tf.math.real(g * tf.constant(weights(t).numpy())))
            for g, t in zip(first, connected, strict=True)
            if g is not None and t is not None
        ]
        summed = tf.add_n(parts) if parts else None
    last = [None] * len(sources) if summed is None else outer.gradient(summed, sources)
    return y, first, last


def assert_same(a, b, rtol):
    """Compare a tensor with torch's; where one has none the other has none, or zeros."""
    b = None if b is None else b.detach().resolve_conj().numpy(force=True)
    if a is None or b is None:
        rest = b if a is None else a.numpy()
        assert rest is None or not np.any(rest)
        return
    np.testing.assert_allclose(a.numpy(), b, rtol=rtol, atol=rtol / 10)


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", CASES)
def test_functions_have_torchs_value_and_derivatives(torch, name):
    """The value, the gradient and the second order are those of `torch.autograd`, in 64 bits."""
    function, args = table.CASES[name]
    second = name not in table.TORCH_HAS_NO_SECOND
    expected = theirs(torch, function, args, second=second)
    found = ours(torch, function, args, expected[1])
    rtol = 1e-6 if name in table.SINGLE else 1e-9
    assert_same(found[0], expected[0], 1e-10)
    for a, b in zip(found[1], expected[1], strict=True):
        assert_same(a, b, rtol)
    for a, b in zip(found[2], expected[2], strict=True):
        if second:
            assert_same(a, b, 1e-8)


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", OPS)
def test_operations_have_torchs_value_and_derivatives(torch, name):
    """Each operation of the table, by itself."""
    function, args = table.OPS[name]
    expected = theirs(torch, function, args, second=False)
    found = ours(torch, function, args, expected[1])
    assert_same(found[0], expected[0], 1e-10)
    for a, b in zip(found[1], expected[1], strict=True):
        assert_same(a, b, 1e-7)


SINGLE = [name for name in CASES if name not in {"erf", "hessian"}][::4]


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", SINGLE)
def test_single_precision(torch, name):
    """The same with 32 bits: the value has torch's dtype, and its digits."""
    function, args = table.CASES[name]
    args = [x.float() if is_smooth(x) else x for x in args]
    imported = tf.from_torch(function, *args)
    y = seeded(torch, function, [x.requires_grad_() if is_smooth(x) else x for x in args]).detach()
    assert imported.result.numpy().dtype == y.numpy().dtype
    np.testing.assert_allclose(imported.result.numpy(), y.numpy(), rtol=2e-5)


def gradient_of(torch, function):
    """Make a function that asks torch for the gradients of another one."""

    def gradient(*xs):
        sources = [x for x in xs if is_smooth(x)]
        y = torch.autograd.grad(total(function(*xs)), sources, allow_unused=True)
        return [g if g is not None else x.sum() * 0 for g, x in zip(y, sources, strict=True)]

    return gradient


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", CASES)
def test_torchs_own_backward_is_followed(torch, name):
    """A function that asks torch for its gradient is imported with torch's backward operations."""
    function, args = table.CASES[name]

    gradient = gradient_of(torch, function)
    expected = theirs(torch, function, args, second=False)[1]
    if name in table.NO_BACKWARD:
        with pytest.raises(tf.UnsupportedError, match=r"aten\.\w*_backward"):
            seeded(torch, tf.from_torch(gradient, *args), args)
        return
    for a, b in zip(seeded(torch, tf.from_torch(gradient, *args), args), expected, strict=True):
        if b is not None:
            assert_same(a, b, 1e-9)


# --- the table is closed --------------------------------------------------------------------------


@pytest.mark.filterwarnings(IGNORED)
def test_every_rule_has_a_case(torch, monkeypatch):
    """Each entry of the tables of operations and of views is reached by a case above."""
    seen = set()
    find_rule, find_links = tracer.rule_of, tracer.links_of

    def rule_of(name):
        found = find_rule(name)
        seen.update([found[0]] if found else [])
        return found

    def links_of(name):
        found = find_links(name)
        seen.update([name, name.partition(".")[0]] if found else [])
        return found

    monkeypatch.setattr(tracer, "rule_of", rule_of)
    monkeypatch.setattr(tracer, "links_of", links_of)
    unknown = [table.CASES[name][0] for name in table.NO_BACKWARD]
    for function, args in (table.CASES | table.OPS).values():
        seeded(torch, tf.from_torch(function, *args), args)
        if function not in unknown:
            seeded(torch, tf.from_torch(gradient_of(torch, function), *args), args)
    lacking = (RULES.keys() | LINKS.keys()) - seen
    assert sorted(lacking) == []
