"""`tf.random.experimental`: generators, and what is made of a seed alone, by their older names."""

from symtape.namespace import show
from symtape.ops.random.generator import (
    Algorithm,
    Generator,
    create_rng_state,
    get_global_generator,
    set_global_generator,
)
from symtape.ops.random.index_shuffle import index_shuffle
from symtape.ops.random.stateless import fold_in as stateless_fold_in
from symtape.ops.random.stateless import split as stateless_split
from symtape.ops.random.stateless import stateless_shuffle

__all__ = [
    "Algorithm",
    "Generator",
    "create_rng_state",
    "get_global_generator",
    "index_shuffle",
    "set_global_generator",
    "stateless_fold_in",
    "stateless_shuffle",
    "stateless_split",
]

show(__name__, __all__)
