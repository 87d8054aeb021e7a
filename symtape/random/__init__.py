"""`tf.random`: seeded random numbers, equal to TensorFlow's."""

from symtape.namespace import show
from symtape.ops.random.categorical import categorical as categorical
from symtape.ops.random.classes.candidates import (
    all_candidate_sampler as all_candidate_sampler,
    log_uniform_candidate_sampler as log_uniform_candidate_sampler,
    uniform_candidate_sampler as uniform_candidate_sampler,
)
from symtape.ops.random.classes.learned import (
    learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
)
from symtape.ops.random.classes.unigrams import (
    fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler,
)
from symtape.ops.random.distributions import (
    gamma as gamma,
    poisson as poisson,
    stateless_binomial as stateless_binomial,
    stateless_categorical as stateless_categorical,
    stateless_gamma as stateless_gamma,
    stateless_poisson as stateless_poisson,
)
from symtape.ops.random.drawn import (
    normal as normal,
    set_seed as set_seed,
    shuffle as shuffle,
    truncated_normal as truncated_normal,
    uniform as uniform,
)
from symtape.ops.random.generator import (
    Algorithm as Algorithm,
    Generator as Generator,
    create_rng_state as create_rng_state,
    get_global_generator as get_global_generator,
    set_global_generator as set_global_generator,
)
from symtape.ops.random.stateless import (
    fold_in as fold_in,
    split as split,
    stateless_normal as stateless_normal,
    stateless_truncated_normal as stateless_truncated_normal,
    stateless_uniform as stateless_uniform,
)
from symtape.ops.random.truncated import (
    stateless_parameterized_truncated_normal as stateless_parameterized_truncated_normal,
)
from symtape.random import experimental as experimental

show(__name__, parts="experimental")
