"""`tf.image`: the windows of images."""

from symtape.namespace import refuser
from symtape.ops.nn.patches import extract_patches

__all__ = ["extract_patches"]

__getattr__ = refuser(__name__, lambda: __all__)
