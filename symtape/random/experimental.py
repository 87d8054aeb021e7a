"""`tf.random.experimental`: generators, and what is made of a seed alone, by their older names."""

from symtape.namespace import show
from symtape.ops.random import stateless
from symtape.ops.random.generator import (
    Algorithm as Algorithm,
    Generator as Generator,
    create_rng_state as create_rng_state,
    get_global_generator as get_global_generator,
    set_global_generator as set_global_generator,
)
from symtape.ops.random.index_shuffle import index_shuffle as index_shuffle
from symtape.ops.random.stateless import stateless_shuffle as stateless_shuffle

stateless_fold_in, stateless_split = stateless.fold_in, stateless.split

show(__name__)
