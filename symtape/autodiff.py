"""`tf.autodiff`: the tape, and forward mode."""

from symtape.differentiation.accumulator import ForwardAccumulator
from symtape.namespace import refuser
from symtape.tape import GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]

__getattr__ = refuser(__name__, lambda: __all__)
