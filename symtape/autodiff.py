"""`tf.autodiff`: the tape, and forward mode."""

from symtape.differentiation.accumulator import ForwardAccumulator as ForwardAccumulator
from symtape.namespace import show
from symtape.tape import GradientTape as GradientTape

show(__name__)
