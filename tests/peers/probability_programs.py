"""Programs of TensorFlow Probability, which run with what answers `import tensorflow`.

`python -m tests.peers.probability_programs FILE` writes what each gives, or raises, as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Program = Callable[[Any, Any], Any]

# --- densities: parameters, a point, and what is asked for ----------------------------------------

V, W = [0.3, -0.7], [[1.2, 0.3], [0.3, 0.8]]
DENSITIES: dict[str, tuple[dict[str, Any], Any]] = {
    "Normal": ({"loc": 0.1, "scale": 2.0}, 0.3),
    "LogNormal": ({"loc": 0.1, "scale": 0.7}, 0.3),
    "HalfNormal": ({"scale": 2.0}, 0.3),
    "TruncatedNormal": ({"loc": 0.1, "scale": 2.0, "low": -1.0, "high": 1.5}, 0.3),
    "Laplace": ({"loc": 0.1, "scale": 2.0}, 0.3),
    "Logistic": ({"loc": 0.1, "scale": 2.0}, 0.3),
    "Cauchy": ({"loc": 0.1, "scale": 2.0}, 0.3),
    "HalfCauchy": ({"loc": 0.1, "scale": 2.0}, 0.3),
    "StudentT": ({"df": 4.0, "loc": 0.1, "scale": 2.0}, 0.3),
    "HalfStudentT": ({"df": 4.0, "loc": 0.1, "scale": 2.0}, 0.3),
    "Gumbel": ({"loc": 0.1, "scale": 2.0}, 0.3),
    "Moyal": ({"loc": 0.1, "scale": 2.0}, 0.3),
    "SinhArcsinh": ({"loc": 0.1, "scale": 2.0, "skewness": 0.2, "tailweight": 1.3}, 0.3),
    "JohnsonSU": ({"skewness": 0.4, "tailweight": 1.2, "loc": 0.1, "scale": 2.0}, 0.3),
    "ExponentiallyModifiedGaussian": ({"loc": 0.1, "scale": 2.0, "rate": 0.8}, 0.3),
    "GeneralizedNormal": ({"loc": 0.1, "scale": 2.0, "power": 1.5}, 0.3),
    "GeneralizedPareto": ({"loc": 0.1, "scale": 2.0, "concentration": 0.4}, 0.7),
    "GeneralizedExtremeValue": ({"loc": 0.1, "scale": 2.0, "concentration": 0.4}, 0.7),
    "TwoPieceNormal": ({"loc": 0.1, "scale": 2.0, "skewness": 1.5}, 0.3),
    "VonMises": ({"loc": 0.1, "concentration": 2.0}, 0.3),
    "Exponential": ({"rate": 2.0}, 0.3),
    "Gamma": ({"concentration": 1.5, "rate": 2.0}, 0.3),
    "ExpGamma": ({"concentration": 1.5, "rate": 2.0}, 0.3),
    "InverseGamma": ({"concentration": 1.5, "scale": 2.0}, 0.3),
    "InverseGaussian": ({"loc": 1.5, "concentration": 2.0}, 0.3),
    "Chi2": ({"df": 3.5}, 0.3),
    "Chi": ({"df": 3.5}, 0.3),
    "Beta": ({"concentration1": 1.5, "concentration0": 2.5}, 0.3),
    "Kumaraswamy": ({"concentration1": 1.5, "concentration0": 2.5}, 0.3),
    "LogitNormal": ({"loc": 0.1, "scale": 2.0}, 0.3),
    "Triangular": ({"low": 0.0, "high": 2.0, "peak": 0.8}, 0.3),
    "PERT": ({"low": 0.0, "high": 2.0, "peak": 0.8}, 0.3),
    "Uniform": ({"low": 0.0, "high": 2.0}, 0.3),
    "Pareto": ({"concentration": 1.5, "scale": 0.2}, 0.3),
    "PowerSpherical": ({"mean_direction": [0.6, 0.8], "concentration": 2.0}, [0.8, 0.6]),
    "VonMisesFisher": ({"mean_direction": [0.6, 0.8], "concentration": 2.0}, [0.8, 0.6]),
    "Weibull": ({"concentration": 1.5, "scale": 2.0}, 0.3),
    "LogLogistic": ({"loc": 0.1, "scale": 0.7}, 0.3),
    "ContinuousBernoulli": ({"logits": 0.4}, 0.3),
    "Bernoulli": ({"logits": 0.4}, 1.0),
    "Binomial": ({"total_count": 5.0, "logits": 0.4}, 2.0),
    "NegativeBinomial": ({"total_count": 5.0, "logits": 0.4}, 2.0),
    "BetaBinomial": (
        {"total_count": 5.0, "concentration1": 1.5, "concentration0": 2.5}, 2.0
    ),
    "Geometric": ({"logits": 0.4}, 2.0),
    "Poisson": ({"rate": 2.0}, 3.0),
    "ZeroInflatedNegativeBinomial": (
        {"total_count": 5.0, "logits": 0.4, "inflated_loc_logits": 0.2}, 2.0
    ),
    "Skellam": ({"rate1": 2.0, "rate2": 1.5}, 1.0),
    "Zipf": ({"power": 2.5}, 3.0),
    "Categorical": ({"logits": [0.4, -0.3, 0.1]}, 1),
    "OneHotCategorical": ({"logits": [0.4, -0.3, 0.1]}, [0.0, 1.0, 0.0]),
    "RelaxedOneHotCategorical": ({"temperature": 0.7, "logits": [0.4, -0.3]}, [0.3, 0.7]),
    "RelaxedBernoulli": ({"temperature": 0.7, "logits": 0.4}, 0.3),
    "Multinomial": ({"total_count": 3.0, "logits": [0.4, -0.3, 0.1]}, [1.0, 2.0, 0.0]),
    "Dirichlet": ({"concentration": [1.5, 2.0, 0.7]}, [0.2, 0.5, 0.3]),
    "DirichletMultinomial": (
        {"total_count": 3.0, "concentration": [1.5, 2.0, 0.7]}, [1.0, 2.0, 0.0]
    ),
    "PlackettLuce": ({"scores": [1.5, 2.0, 0.7]}, [1, 0, 2]),
    "MultivariateNormalDiag": ({"loc": V, "scale_diag": [1.5, 0.4]}, [0.1, 0.2]),
    "MultivariateNormalTriL": ({"loc": V, "scale_tril": [[1.5, 0.0], [0.3, 0.4]]}, [0.1, 0.2]),
    "MultivariateNormalFullCovariance": ({"loc": V, "covariance_matrix": W}, [0.1, 0.2]),
    "WishartTriL": ({"df": 4.0, "scale_tril": [[1.5, 0.0], [0.3, 0.4]]}, W),
    "LKJ": ({"dimension": 2, "concentration": 1.5}, [[1.0, 0.3], [0.3, 1.0]]),
}  # fmt: skip
_WHOLE = {"dimension"}


def _derived(name: str, ask: str) -> Program:
    """Give a log density, or what else is asked for, and its derivatives by all parameters."""
    given, point = DENSITIES[name]

    def run(tf: Any, tfp: Any) -> Any:
        whole = {k: v for k, v in given.items() if k in _WHOLE}
        free = {k: tf.constant(v, tf.float64) for k, v in given.items() if k not in _WHOLE}
        x = point if name in {"Categorical", "PlackettLuce"} else tf.constant(point, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch([*free.values(), *([x] if not isinstance(x, (int, list)) else [])])
            made = getattr(tfp.distributions, name)(**free, **whole)
            asked = getattr(made, ask)
            found = asked(x) if ask in {"log_prob", "cdf", "survival_function"} else asked()
        sources = [*free.values(), *([x] if not isinstance(x, (int, list)) else [])]
        return found, tape.gradient(found, sources)

    return run


PROGRAMS: dict[str, Program] = {
    f"{name}.{ask}": _derived(name, ask)
    for name in DENSITIES
    for ask in ("log_prob", "mean", "variance", "entropy", "cdf")
}

# --- bijectors ------------------------------------------------------------------------------------

BIJECTORS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "Exp": (lambda b: b.Exp(), [0.3, -0.7]),
    "Softplus": (lambda b: b.Softplus(), [0.3, -0.7]),
    "Sigmoid": (lambda b: b.Sigmoid(), [0.3, -0.7]),
    "Tanh": (lambda b: b.Tanh(), [0.3, -0.7]),
    "NormalCDF": (lambda b: b.NormalCDF(), [0.3, -0.7]),
    "GumbelCDF": (lambda b: b.GumbelCDF(), [0.3, -0.7]),
    "WeibullCDF": (lambda b: b.WeibullCDF(), [0.3, 0.7]),
    "SinhArcsinh": (lambda b: b.SinhArcsinh(0.2, 1.3), [0.3, -0.7]),
    "Softsign": (lambda b: b.Softsign(), [0.3, -0.7]),
    "Square": (lambda b: b.Square(), [0.3, 0.7]),
    "Power": (lambda b: b.Power(3.0), [0.3, 0.7]),
    "Shift and Scale": (lambda b: b.Shift([1.0, 2.0])(b.Scale([3.0, -2.0])), [0.3, -0.7]),
    "Chain": (lambda b: b.Chain([b.Exp(), b.Softplus(), b.Scale(2.0)]), [0.3, -0.7]),
    "Invert": (lambda b: b.Invert(b.Exp()), [0.3, 0.7]),
    "SoftmaxCentered": (lambda b: b.SoftmaxCentered(), [0.3, -0.7]),
    "Ascending": (lambda b: b.Ascending(), [0.3, -0.7]),
    "FillTriangular": (lambda b: b.FillTriangular(), [0.3, -0.7, 1.2]),
    "FillScaleTriL": (lambda b: b.FillScaleTriL(), [0.3, -0.7, 1.2]),
    "CorrelationCholesky": (lambda b: b.CorrelationCholesky(), [0.3, -0.7, 1.2]),
    "CholeskyOuterProduct": (lambda b: b.CholeskyOuterProduct(), [[1.3, 0.0], [0.4, 0.8]]),
    "Permute": (lambda b: b.Permute([1, 0]), [0.3, -0.7]),
    "Reshape": (lambda b: b.Reshape([2, 1], [2]), [0.3, -0.7]),
    "Pad": (lambda b: b.Pad([[1, 0]]), [0.3, -0.7]),
    "ScaleMatvecTriL": (lambda b: b.ScaleMatvecTriL([[1.3, 0.0], [0.4, 0.8]]), [0.3, -0.7]),
    "ScaleMatvecDiag": (lambda b: b.ScaleMatvecDiag([1.3, 0.8]), [0.3, -0.7]),
    "ScaleMatvecLU": (lambda b: b.ScaleMatvecLU([[1.3, 0.2], [0.4, 0.8]], [1, 0]), [0.3, -0.7]),
    "RationalQuadraticSpline": (
        lambda b: b.RationalQuadraticSpline([0.6, 1.4], [0.9, 1.1], [0.7], range_min=-1.0),
        [0.3, -0.7],
    ),
    "MaskedAutoregressiveFlow": (
        lambda b: b.MaskedAutoregressiveFlow(lambda x: (x[..., :1] * [0.0, 1.0], x * 0.0)),
        [0.3, -0.7],
    ),
    "RealNVP": (
        lambda b: b.RealNVP(1, shift_and_log_scale_fn=lambda x, n, **k: (x[..., :n], x[..., :n])),
        [0.3, -0.7],
    ),
}


def _mapped(name: str) -> Program:
    make, point = BIJECTORS[name]

    def run(tf: Any, tfp: Any) -> Any:
        bijector, x = make(tfp.bijectors), tf.constant(point)
        rank = bijector.forward_min_event_ndims
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = bijector.forward(x)
            volume = bijector.forward_log_det_jacobian(x, rank)
        again = make(tfp.bijectors)
        back = (
            again.inverse(tf.identity(y)),
            again.inverse_log_det_jacobian(
                tf.identity(y), max(rank, again.inverse_min_event_ndims)
            ),
        )
        slopes = tape.gradient(y, x), tape.gradient(volume, x, unconnected_gradients="zero")
        return y, volume, back, slopes

    return run


PROGRAMS |= {f"bijector {name}": _mapped(name) for name in BIJECTORS}

# --- everything else ------------------------------------------------------------------------------


def program(run: Program) -> Program:
    """Add a program by its name."""
    PROGRAMS[run.__name__.replace("_", " ")] = run
    return run


@program
def samples(tf: Any, tfp: Any) -> Any:
    """Draw with seeds, stateless and not."""
    d, seed = tfp.distributions, (1, 2)
    return [
        d.Normal(0.0, [1.0, 2.0]).sample(3, seed=seed),
        d.Uniform(0.0, 2.0).sample(3, seed=seed),
        d.Laplace(0.0, 2.0).sample(3, seed=seed),
        d.TruncatedNormal([0.0, 1.0], 2.0, [-1.0, 0.5], [0.3, 9.0]).sample(5, seed=seed),
        d.Categorical(logits=[0.1, 0.7, 0.2]).sample(5, seed=seed),
        d.Bernoulli(probs=0.3).sample(6, seed=seed),
        d.MultivariateNormalTriL(V, [[1.5, 0.0], [0.3, 0.4]]).sample(2, seed=seed),
        d.Mixture(d.Categorical(probs=[0.3, 0.7]), [d.Normal(0.0, 1.0), d.Normal(5.0, 0.1)]).sample(
            4, seed=seed
        ),
        d.VonMises(0.3, 2.0).sample(3, seed=seed),
        d.Weibull(1.5, 2.0).sample(3, seed=seed),
    ]


@program
def divergences(tf: Any, tfp: Any) -> Any:
    """Compare distributions of one family."""
    d = tfp.distributions
    pairs = [
        (d.Normal(0.1, 2.0), d.Normal(0.4, 1.5)),
        (d.Gamma(1.5, 2.0), d.Gamma(2.5, 0.7)),
        (d.Beta(1.5, 2.0), d.Beta(2.5, 0.7)),
        (d.Bernoulli(0.3), d.Bernoulli(-0.4)),
        (d.Categorical([0.3, 0.1]), d.Categorical([-0.4, 0.6])),
        (d.Dirichlet([1.5, 2.0]), d.Dirichlet([0.7, 3.0])),
        (d.Poisson(2.0), d.Poisson(3.5)),
        (
            d.MultivariateNormalTriL(V, [[1.5, 0.0], [0.3, 0.4]]),
            d.MultivariateNormalDiag([0.0, 0.0], [1.0, 2.0]),
        ),
    ]
    return [d.kl_divergence(p, q) for p, q in pairs]


@program
def made_of_others(tf: Any, tfp: Any) -> Any:
    """Take densities of distributions that are made of other ones."""
    d, b = tfp.distributions, tfp.bijectors
    components = d.Normal([0.0, 1.0], [1.0, 2.0])
    return [
        d.TransformedDistribution(d.Normal(0.0, 1.0), b.Exp()).log_prob(2.0),
        d.MixtureSameFamily(d.Categorical(probs=[0.3, 0.7]), components).log_prob(0.5),
        d.Independent(components, 1).log_prob([0.1, 0.2]),
        d.Sample(d.Normal(0.0, 1.0), 3).log_prob([0.1, 0.2, 0.3]),
        d.Blockwise([d.Normal(0.0, 1.0), d.Normal(1.0, 2.0)]).log_prob([0.1, 0.2]),
        d.BatchReshape(components, [2, 1]).log_prob([[0.1], [0.2]]),
        d.QuantizedDistribution(d.Normal(0.0, 2.0)).log_prob(1.0),
        d.Autoregressive(lambda x: d.Independent(d.Normal(x * 0.5, 1.0), 1), [0.1, 0.2]).log_prob(
            [0.1, 0.3]
        ),
        d.MarkovChain(
            d.Normal(0.0, 1.0), lambda _, x: d.Normal(0.5 * x, 1.0), num_steps=3
        ).log_prob([0.1, 0.2, 0.3]),
        d.HiddenMarkovModel(
            d.Categorical(probs=[0.6, 0.4]),
            d.Categorical(probs=[[0.7, 0.3], [0.2, 0.8]]),
            components,
            4,
        ).log_prob([0.1, 0.2, 1.3, 0.4]),
    ]


@program
def joint_distributions(tf: Any, tfp: Any) -> Any:
    """Take densities of joint distributions, and their gradients."""
    d = tfp.distributions
    joint = d.JointDistributionSequential(
        [d.Normal(0.0, 1.0), lambda m: d.Normal(m, 2.0), lambda y, m: d.Normal(m + y, 1.0)]
    )
    named = d.JointDistributionNamed({"m": d.Normal(0.0, 1.0), "x": lambda m: d.Normal(m, 2.0)})

    @d.JointDistributionCoroutineAutoBatched
    def model() -> Any:
        m = yield d.Normal(0.0, 1.0, name="m")
        yield d.Sample(d.Normal(m, 1.0), 2, name="x")

    point = [tf.constant(v) for v in (0.1, 0.2, 0.3)]
    with tf.GradientTape() as tape:
        tape.watch(point)
        found = joint.log_prob(point)
    drawn = joint.sample(2, seed=(3, 4))
    return [
        *(found, tape.gradient(found, point), named.log_prob({"m": 0.1, "x": 0.4})),
        *(model.log_prob(0.1, [0.2, 0.4]), drawn, joint.event_shape_tensor()),
    ]


@program
def gaussian_processes(tf: Any, tfp: Any) -> Any:
    """Derive a marginal likelihood by what a kernel depends on."""
    kernels, d = tfp.math.psd_kernels, tfp.distributions
    x, y = np.linspace(0, 1, 4)[:, None], np.array([0.1, 0.3, -0.2, 0.0])
    amplitude, scale = tf.constant(1.2, tf.float64), tf.constant(0.4, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch([amplitude, scale])
        kernel = kernels.ExponentiatedQuadratic(amplitude, scale)
        found = d.GaussianProcess(kernel, x, observation_noise_variance=0.1).log_prob(y)
    model = d.GaussianProcessRegressionModel(kernel, x + 0.1, x, y, 0.1)
    others = [
        made.apply(x[0], x[2])
        for made in (
            kernels.MaternOneHalf(amplitude, scale),
            kernels.MaternThreeHalves(amplitude, scale),
            kernels.MaternFiveHalves(amplitude, scale),
            kernels.RationalQuadratic(amplitude, scale),
            kernels.ExpSinSquared(amplitude, scale, scale),
            kernels.Linear(amplitude, scale, scale),
            kernels.Polynomial(amplitude, scale, scale, 2.0),
        )
    ]
    return found, tape.gradient(found, [amplitude, scale]), model.mean(), model.variance(), others


def _chain(make: Callable[[Any], Any]) -> Program:
    def run(tf: Any, tfp: Any) -> Any:
        kernel = make(tfp.mcmc)
        start = tf.constant([0.5, -0.3])
        return tfp.mcmc.sample_chain(
            6, current_state=start, kernel=kernel, trace_fn=None, seed=(1, 2)
        )

    return run


def _target(x: Any) -> Any:
    return -(x[..., 0] ** 2) / 2 - (x[..., 1] - x[..., 0]) ** 2


PROGRAMS |= {
    "chain of Hamilton and Monte Carlo": _chain(lambda m: m.HamiltonianMonteCarlo(_target, 0.3, 3)),
    "chain without U-turns": _chain(lambda m: m.NoUTurnSampler(_target, 0.3)),
    "chain of Metropolis": _chain(lambda m: m.RandomWalkMetropolis(_target)),
    "chain of Langevin": _chain(lambda m: m.MetropolisAdjustedLangevinAlgorithm(_target, 0.2)),
    "chain of slices": _chain(lambda m: m.SliceSampler(_target, 0.5, 3)),
    "chain with adapted steps": _chain(
        lambda m: m.DualAveragingStepSizeAdaptation(m.HamiltonianMonteCarlo(_target, 0.3, 2), 4)
    ),
    "chain of transformed states": _chain(
        lambda m: m.TransformedTransitionKernel(
            m.HamiltonianMonteCarlo(_target, 0.3, 2),
            __import__("tensorflow_probability").bijectors.Exp(),
        )
    ),
}


@program
def chains_looked_at(tf: Any, tfp: Any) -> Any:
    """Say how well chains have mixed."""
    x = np.sin(np.arange(120.0)).reshape(40, 3)
    return [
        tfp.mcmc.effective_sample_size(x),
        tfp.mcmc.potential_scale_reduction(x),
        tfp.stats.auto_correlation(x, 0, 3),
        tfp.stats.percentile(x, [10.0, 50.0], axis=0),
        tfp.stats.covariance(x),
        tfp.stats.histogram(x, np.array([-1.0, 0.0, 1.0]), axis=0),
        tfp.stats.expected_calibration_error(2, [[0.1, 0.9], [2.0, 0.3]], [1, 0]),
    ]


@program
def optimizers(tf: Any, tfp: Any) -> Any:
    """Find the least value of a function in several ways."""

    def bowl(x: Any) -> Any:
        return tf.reduce_sum((x - [1.0, 2.0]) ** 2 * [1.0, 3.0]) + x[0] * x[1]

    def both(x: Any) -> Any:
        return tfp.math.value_and_gradient(bowl, x)

    start = tf.constant([0.0, 3.0])
    return [
        tfp.optimizer.lbfgs_minimize(both, start).position,
        tfp.optimizer.bfgs_minimize(both, start).position,
        tfp.optimizer.nelder_mead_minimize(bowl, initial_vertex=start).position,
        tfp.math.find_root_secant(lambda x: x**2 - 2.0, 1.0).estimated_root,
        tfp.math.find_root_chandrupatla(lambda x: x**3 - 2.0, 0.0, 2.0).estimated_root,
    ]


SPECIAL: dict[str, tuple[Callable[[Any, Any], Any], float]] = {
    "log1mexp": (lambda m, x: m.log1mexp(x), -0.7),
    "softplus_inverse": (lambda m, x: m.softplus_inverse(x), 0.7),
    "erfcx": (lambda m, x: m.erfcx(x), 0.7),
    "logerfc": (lambda m, x: m.logerfc(x), 0.7),
    "log_gamma_correction": (lambda m, x: m.log_gamma_correction(x), 9.0),
    "round_exponential_bump_function": (
        lambda m, x: m.round_exponential_bump_function(x), 0.3
    ),
    "sqrt1pm1": (lambda m, x: m.sqrt1pm1(x), 0.3),
    "lbeta": (lambda m, x: m.lbeta(x, m.sqrt1pm1(x * 0 + 2.0)), 0.7),
    "log_cosh": (lambda m, x: m.log_cosh(x), 0.7),
    "log_add_exp": (lambda m, x: m.log_add_exp(x, x / 3), 0.7),
    "log_sub_exp": (lambda m, x: m.log_sub_exp(x, x / 3), 0.7),
    "igammainv": (lambda m, x: m.igammainv(x * 0 + 1.5, x), 0.7),
    "igammacinv": (lambda m, x: m.igammacinv(x * 0 + 1.5, x), 0.7),
    "betaincinv": (lambda m, x: m.betaincinv(x * 0 + 1.5, x * 0 + 2.0, x), 0.3),
    "owens_t": (lambda m, x: m.owens_t(x, x / 2), 0.7),
    "bessel_ive": (lambda m, x: m.bessel_ive(x * 0 + 1.5, x), 0.7),
    "bessel_kve": (lambda m, x: m.bessel_kve(x * 0 + 1.5, x), 0.7),
    "log_bessel_ive": (lambda m, x: m.log_bessel_ive(x * 0 + 1.5, x), 0.7),
    "lambertw": (lambda m, x: m.lambertw(x), 0.7),
    "atan_difference": (lambda m, x: m.atan_difference(x, x / 2), 0.7),
    "hypergeometric 2F1": (
        lambda m, x: m.hypergeometric.hyp2f1_small_argument(x * 0 + 0.5, x * 0 + 1.0, x * 0 + 2, x),
        0.3,
    ),
}  # fmt: skip


def _at(name: str) -> Program:
    function, point = SPECIAL[name]
    return lambda tf, tfp: tfp.math.value_and_gradient(
        lambda x: function(tfp.math, x), tf.constant(point, tf.float64)
    )


PROGRAMS |= {f"function {name}": _at(name) for name in SPECIAL}
OF_ARRAYS: list[Callable[[Any, Any], Any]] = [
    lambda m, tf: m.fill_triangular([1.0, 2.0, 3.0]),
    lambda m, tf: m.fill_triangular_inverse([[1.0, 0.0], [2.0, 3.0]]),
    lambda m, tf: m.cholesky_update(tf.linalg.cholesky(tf.constant(W)), tf.constant(V)),
    lambda m, tf: m.pivoted_cholesky(tf.constant(W), 2),
    lambda m, tf: m.reduce_weighted_logsumexp([1.0, 2.0], [0.3, 0.7], return_sign=True),
    lambda m, tf: m.interp_regular_1d_grid([0.3, 0.6], 0.0, 1.0, [1.0, 3.0, 2.0]),
    lambda m, tf: m.batch_interp_regular_1d_grid([0.3, 0.6], 0.0, 1.0, [1.0, 3.0, 2.0]),
    lambda m, tf: m.trapz([1.0, 3.0, 2.0]),
    lambda m, tf: m.scan_associative(lambda p, q: p + q, tf.range(5)),
    lambda m, tf: m.log_cumsum_exp([1.0, 2.0, 3.0]),
    lambda m, tf: m.reduce_logmeanexp([1.0, 2.0, 3.0]),
    lambda m, tf: m.reduce_kahan_sum([1.0, 2.0, 3.0]),
    lambda m, tf: m.soft_threshold([1.0, -2.0, 0.3], 0.5),
    lambda m, tf: m.soft_sorting_matrix([1.0, -2.0, 0.3], 0.5),
    lambda m, tf: m.diag_jacobian(xs=tf.constant(V), fn=lambda x: x**3)[1],
    lambda m, tf: m.value_and_gradient(lambda x, y: x * tf.sin(y), [0.3, 0.7]),
]
PROGRAMS |= {
    f"arrays {k}": lambda tf, tfp, run=run: run(tfp.math, tf) for k, run in enumerate(OF_ARRAYS)
}


@program
def equations_of_motion(tf: Any, tfp: Any) -> Any:
    """Solve differential equations."""
    ode = tfp.math.ode
    times = [0.0, 0.5, 1.0]
    return [
        ode.BDF().solve(lambda t, y: -y, 0.0, tf.constant([1.0]), times).states,
        ode.DormandPrince().solve(lambda t, y: -y * t, 0.0, tf.constant([1.0]), times).states,
    ]


@program
def expectations(tf: Any, tfp: Any) -> Any:
    """Derive expectations by parameters of what is drawn."""
    d, scale = tfp.distributions, tf.constant(1.5)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(scale)
        elbo = tfp.vi.monte_carlo_variational_loss(
            lambda z: -(z**2), d.Normal(0.0, scale), sample_size=8, seed=(1, 2)
        )
        mean = tfp.monte_carlo.expectation(
            tf.exp, d.Normal(0.0, scale).sample(9, seed=(1, 2)), use_reparameterization=True
        )
    slopes = [tape.gradient(y, scale) for y in (elbo, mean)]
    return elbo, mean, slopes, [f(0.3) for f in (tfp.vi.kl_reverse, tfp.vi.jensen_shannon)]


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "Adam": lambda o: o.Adam(0.1),
    "Adam by words": lambda o: o.Adam(learning_rate=0.1, beta_1=0.8, beta_2=0.9, epsilon=1e-3),
    "AMSGrad": lambda o: o.Adam(0.1, amsgrad=True),
    "AdamW": lambda o: o.AdamW(0.1, weight_decay=0.01),
    "SGD": lambda o: o.SGD(0.05),
    "SGD with momentum": lambda o: o.SGD(0.05, momentum=0.9),
    "SGD of Nesterov": lambda o: o.SGD(0.05, momentum=0.9, nesterov=True),
    "RMSprop": lambda o: o.RMSprop(0.05),
    "RMSprop centered": lambda o: o.RMSprop(0.05, centered=True, momentum=0.5),
    "Adagrad": lambda o: o.Adagrad(0.1),
    "Adadelta": lambda o: o.Adadelta(1.0),
    "Adamax": lambda o: o.Adamax(0.1),
    "Nadam": lambda o: o.Nadam(0.1),
    "Ftrl": lambda o: o.Ftrl(0.1, l1_regularization_strength=0.1, l2_regularization_strength=0.2),
    "Lion": lambda o: o.Lion(0.01),
    "Adafactor": lambda o: o.Adafactor(0.1),
    "clipped norm": lambda o: o.Adam(0.1, clipnorm=0.5),
    "clipped values": lambda o: o.SGD(0.1, clipvalue=0.5),
    "defaults": lambda o: o.Adam(),
    "exponential": lambda o: o.SGD(o.schedules.ExponentialDecay(0.1, 3, 0.5)),
    "cosine": lambda o: o.SGD(o.schedules.CosineDecay(0.1, 10)),
    "cosine restarted": lambda o: o.SGD(o.schedules.CosineDecayRestarts(0.1, 4)),
    "polynomial": lambda o: o.SGD(o.schedules.PolynomialDecay(0.1, 5)),
    "inverse": lambda o: o.SGD(o.schedules.InverseTimeDecay(0.1, 2, 0.5)),
    "pieces": lambda o: o.SGD(o.schedules.PiecewiseConstantDecay([2, 4], [0.1, 0.05, 0.01])),
}


def _stepped(make: Callable[[Any], Any]) -> Program:
    """Take steps with an optimizer of Keras 2."""

    def run(tf: Any, tfp: Any) -> Any:
        import tf_keras  # noqa: PLC0415 - which is answered

        made, v, found = make(tf_keras.optimizers), tf.Variable([1.0, -2.0, 0.5]), []
        for k in range(6):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((v - [0.0, 1.0, 2.0]) ** 2 * [1.0, 2.0, 3.0]) + tf.sin(
                    v[0] * k
                )
            made.apply_gradients([(tape.gradient(loss, v), v)])
            found.append(tf.identity(v))
        return found, isinstance(made, tf_keras.optimizers.Optimizer)

    return run


PROGRAMS |= {f"optimizer {name}": _stepped(make) for name, make in OPTIMIZERS.items()}


@program
def fitted(tf: Any, tfp: Any) -> Any:
    """Fit distributions with optimizers of Keras 2."""
    import tf_keras  # noqa: PLC0415 - which is answered

    d, adam = tfp.distributions, tf_keras.optimizers.Adam
    x = tf.Variable([1.0, 2.0])
    losses = tfp.math.minimize(
        lambda: tf.reduce_sum((x - 0.5) ** 2), num_steps=5, optimizer=adam(0.1)
    )
    guess = d.Normal(tf.Variable(0.3), tfp.util.TransformedVariable(1.0, tfp.bijectors.Softplus()))
    elbo = tfp.vi.fit_surrogate_posterior(
        lambda z: d.Normal(1.0, 2.0).log_prob(z),
        surrogate_posterior=guess,
        optimizer=adam(0.1),
        num_steps=4,
        sample_size=3,
        seed=(1, 2),
    )
    return losses, tf.identity(x), elbo, guess.mean(), guess.stddev()


@program
def trainable(tf: Any, tfp: Any) -> Any:
    """Find what is trained in distributions and bijectors."""
    scale = tfp.util.TransformedVariable(2.0, tfp.bijectors.Softplus(), name="scale")
    made = tfp.distributions.Normal(tf.Variable(0.5), scale)
    with tf.GradientTape() as tape:
        found = -made.log_prob(1.3)
    flow = tfp.bijectors.Chain([tfp.bijectors.Shift(tf.Variable([1.0])), tfp.bijectors.Exp()])
    deferred = tfp.util.DeferredTensor(tf.Variable(3.0), lambda v: v * 2)
    return [
        *(found, tape.gradient(found, made.trainable_variables), len(made.variables)),
        *(len(flow.trainable_variables), deferred + 1.0, scale * 3.0),
    ]


@program
def structures(tf: Any, tfp: Any) -> Any:
    """Take distributions apart into tensors, and put them together."""
    made = tfp.distributions.Normal([0.1, 0.2], 2.0)
    parts = tf.nest.flatten(made, expand_composites=True)
    again = tf.nest.pack_sequence_as(made, [p * 2 for p in parts], expand_composites=True)
    operator = tf.linalg.LinearOperatorLowerTriangular([[1.0, 0.0], [2.0, 3.0]])
    loop = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (0, tf.constant(1.0)))
    mapped = tf.vectorized_map(
        lambda x: tfp.distributions.Normal(x, 1.0).log_prob(0.3), tf.constant([0.1, 0.2])
    )
    return [
        *(parts, again.log_prob(0.3), tf.nest.flatten(operator, expand_composites=True)),
        *(loop, mapped, str(made), str(made.copy(scale=3.0))),
    ]


@program
def time_series(tf: Any, tfp: Any) -> Any:
    """Take the likelihood of a state space."""
    d = tfp.distributions
    model = d.LinearGaussianStateSpaceModel(
        num_timesteps=4,
        transition_matrix=tf.linalg.LinearOperatorFullMatrix([[1.0, 0.3], [0.0, 0.9]]),
        transition_noise=d.MultivariateNormalDiag(scale_diag=[0.3, 0.2]),
        observation_matrix=tf.linalg.LinearOperatorFullMatrix([[1.0, 0.0]]),
        observation_noise=d.MultivariateNormalDiag(scale_diag=[0.5]),
        initial_state_prior=d.MultivariateNormalDiag(scale_diag=[1.0, 1.0]),
    )
    y = tf.constant([[0.1], [0.4], [0.2], [0.7]])
    with tf.GradientTape() as tape:
        tape.watch(y)
        found = model.log_prob(y)
    trend = tfp.sts.LocalLinearTrend(observed_time_series=np.arange(4.0, dtype=np.float32))
    joint = trend.make_state_space_model(4, [0.3, 0.2]).log_prob(y)
    return found, tape.gradient(found, y), model.posterior_marginals(y), joint


@program
def refused(tf: Any, tfp: Any) -> Any:
    """Say what is wrong with arguments."""
    d, found = tfp.distributions, []
    for run in (
        lambda: d.Normal(0.0, -1.0, validate_args=True),
        lambda: d.Gamma(1.0, 1.0, validate_args=True).log_prob(-1.0),
        lambda: d.MultivariateNormalTriL([0.0], [[1.0, 0.0], [0.0, 1.0]]),
        lambda: d.Normal(tf.constant(0.0), tf.constant(1.0, tf.float64)),
        lambda: d.Categorical(),
        lambda: tfp.bijectors.Exp().forward_log_det_jacobian([1.0], -1),
    ):
        try:
            found.append(str(run()))
        except Exception as error:  # noqa: BLE001 - what is raised is compared
            found.append(type(error).__name__)
    return found


def plain(x: Any) -> Any:
    """Make lists of numbers of tensors and of structures."""
    if hasattr(x, "numpy"):
        x = x.numpy()
    if isinstance(x, dict):
        return {str(k): plain(v) for k, v in sorted(x.items())}
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    if isinstance(x, (np.ndarray, np.generic)):
        return [str(x.dtype), list(x.shape), [repr(v) for v in np.ravel(x).tolist()]]
    return x if x is None or isinstance(x, (int, float, str)) else str(type(x).__name__)


def main(file: str) -> None:
    """Run the programs and write what they give."""
    import tensorflow as tf  # noqa: PLC0415 - a test reads the table without
    import tensorflow_probability as tfp  # noqa: PLC0415 - as above

    found = {}
    for name, run in PROGRAMS.items():
        try:
            found[name] = plain(run(tf, tfp))
        except Exception as error:  # noqa: BLE001 - what is raised is compared
            found[name] = f"raises {type(error).__name__}: {error}"[:200]
    Path(file).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
