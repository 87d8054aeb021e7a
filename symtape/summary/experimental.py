"""`tf.summary.experimental`: the step that summaries are of."""

from symtape.namespace import show
from symtape.training.summaries import get_step, set_step

__all__ = ["get_step", "set_step"]

show(__name__, __all__)
