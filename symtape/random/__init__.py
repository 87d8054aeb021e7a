"""`tf.random`: seeded random numbers, equal to TensorFlow's."""

from symtape.namespace import show
from symtape.ops.random.categorical import categorical
from symtape.ops.random.classes.candidates import (
    all_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)
from symtape.ops.random.classes.learned import learned_unigram_candidate_sampler
from symtape.ops.random.classes.unigrams import fixed_unigram_candidate_sampler
from symtape.ops.random.distributions import (
    gamma,
    poisson,
    stateless_binomial,
    stateless_categorical,
    stateless_gamma,
    stateless_poisson,
)
from symtape.ops.random.drawn import normal, set_seed, shuffle, truncated_normal, uniform
from symtape.ops.random.generator import (
    Algorithm,
    Generator,
    create_rng_state,
    get_global_generator,
    set_global_generator,
)
from symtape.ops.random.stateless import (
    fold_in,
    split,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)
from symtape.ops.random.truncated import stateless_parameterized_truncated_normal
from symtape.random import experimental

__all__ = [
    "Algorithm",
    "Generator",
    "all_candidate_sampler",
    "categorical",
    "create_rng_state",
    "experimental",
    "fixed_unigram_candidate_sampler",
    "fold_in",
    "gamma",
    "get_global_generator",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_parameterized_truncated_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
    "uniform_candidate_sampler",
]

show(__name__, __all__)
