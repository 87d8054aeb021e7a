"""`tf.GradientTape`, and what else asks for derivatives of what was recorded."""

from symtape.tape.asking import UnconnectedGradients as UnconnectedGradients
from symtape.tape.gradient_tape import GradientTape as GradientTape
