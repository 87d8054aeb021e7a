"""`tf.linalg.experimental`: equations with operators, step by step."""

from symtape.namespace import show
from symtape.ops.linalg.operators.iterated import conjugate_gradient as conjugate_gradient

show(__name__)
