"""Samples of PyTorch's distributions have their derivative by the parameters, `rsample`'s."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

import symtape as tf
from tests.peers.test_from_torch import IGNORED

pytestmark = [pytest.mark.usefixtures("torch"), pytest.mark.filterwarnings(IGNORED)]
STRENGTHS, OTHERS, STEP = np.array([0.4, 1.3, 7.0]), np.array([0.8, 2.5, 1.1]), 1e-5


def drawn(torch, sample, *parameters):
    """Import a function that draws, with the numbers that it always gets."""

    def seeded(*args):
        torch.manual_seed(7)
        return sample(*args).sum()

    given = [torch.from_numpy(p) for p in parameters]
    return seeded, tf.from_torch(seeded, *given)


def kept_place(z, place, number):
    """Give dz/da by differences: the number that keeps its place in its distribution."""
    ends = [number(STRENGTHS + h, place(STRENGTHS, z)) for h in (STEP, -STEP)]
    return (ends[0] - ends[1]) / (2 * STEP)


def test_samples_of_gamma_keep_their_places(torch):
    """The slope by the shape is that of the quantile function of SciPy; by the rate, -z/b²."""
    distributions = torch.distributions
    _, f = drawn(torch, lambda a, b: distributions.Gamma(a, b).rsample(), STRENGTHS, OTHERS)
    torch.manual_seed(7)
    z = torch._standard_gamma(torch.from_numpy(STRENGTHS)).numpy()
    expected = kept_place(z, special.gammainc, special.gammaincinv) / OTHERS
    np.testing.assert_allclose(f.gradient("args_0").numpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(f.gradient("args_1").numpy(), -z / OTHERS**2, rtol=1e-12)


def test_samples_of_beta_keep_their_places(torch):
    """The slope is that of SciPy's quantile function, to the three digits that torch has."""
    make = torch.distributions.Beta
    _, f = drawn(torch, lambda a, b: make(a, b).rsample(), STRENGTHS, OTHERS)
    torch.manual_seed(7)
    x = make(*map(torch.from_numpy, (STRENGTHS, OTHERS))).sample().numpy()
    expected = kept_place(
        x, lambda a, x: stats.beta.cdf(x, a, OTHERS), lambda a, u: stats.beta.ppf(u, a, OTHERS)
    )
    np.testing.assert_allclose(f.gradient("args_0").numpy(), expected, rtol=5e-3)


@pytest.mark.parametrize("name", ["Gamma", "Beta", "Dirichlet", "StudentT", "Chi2", "InverseGamma"])
def test_slopes_of_samples_are_torchs(torch, name):
    """Torch's derivative has three digits; a second one is refused, as is another parameter."""
    make, count = getattr(torch.distributions, name), 1 if name in ("Dirichlet", "Chi2") else 2
    parameters = [STRENGTHS, OTHERS][:count]
    seeded, f = drawn(torch, lambda *p: make(*p).rsample((2,)).sin(), *parameters)
    xs = [torch.from_numpy(p).requires_grad_() for p in parameters]
    slopes = torch.autograd.grad(seeded(*xs), xs)
    names = list(f.examples)
    for own, slope in zip(names, slopes, strict=True):
        np.testing.assert_allclose(f.gradient(own).numpy(), slope.numpy(), rtol=5e-3)
    with pytest.raises(tf.UnsupportedError, match="no second one"):
        f.hessian(names[0])
    compiled = f.gradient(names[0]).lambdify([f.leaf(own) for own in names])
    np.testing.assert_allclose(compiled(*parameters), f.gradient(names[0]).numpy())
    with pytest.raises(tf.PathConditionError):
        compiled(*[p + 0.1 for p in parameters])
