"""`tf.summary.experimental`: the step that summaries are of."""

from symtape.namespace import show
from symtape.training.summaries import get_step as get_step, set_step as set_step

show(__name__)
