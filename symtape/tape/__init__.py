"""`tf.GradientTape`, and what else asks for derivatives of what was recorded."""

from symtape.tape.gradient_tape import (
    GradientTape as GradientTape,
    UnconnectedGradients as UnconnectedGradients,
)
