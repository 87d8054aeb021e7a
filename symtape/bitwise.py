"""`tf.bitwise`: whole numbers bit by bit."""

from symtape.namespace import show
from symtape.ops.elementwise.bits import (
    bitwise_and as bitwise_and,
    bitwise_or as bitwise_or,
    bitwise_xor as bitwise_xor,
    invert as invert,
    left_shift as left_shift,
    right_shift as right_shift,
)

show(__name__)
