"""`tf.bitwise`: whole numbers bit by bit."""

from symtape.namespace import show
from symtape.ops.elementwise.bits import (
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    invert,
    left_shift,
    right_shift,
)

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]

show(__name__, __all__)
