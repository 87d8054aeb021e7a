"""`tf.autodiff`: the tape, and forward mode."""

from symtape.differentiation.accumulator import ForwardAccumulator
from symtape.namespace import show
from symtape.tape import GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]

show(__name__, __all__)
