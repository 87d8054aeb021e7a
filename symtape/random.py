"""`tf.random`: seeded random numbers."""

from symtape.namespace import refuser
from symtape.ops.random import normal, set_seed, uniform

__all__ = ["normal", "set_seed", "uniform"]

__getattr__ = refuser(__name__, lambda: __all__)
