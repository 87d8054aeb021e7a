"""`tf.autodiff`: the tape."""

from symtape.namespace import refuser
from symtape.tape import GradientTape

__all__ = ["GradientTape"]

__getattr__ = refuser(__name__, lambda: __all__)
