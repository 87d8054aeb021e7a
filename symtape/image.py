"""`tf.image`: the windows of images."""

from symtape.namespace import show
from symtape.ops.nn.patches import extract_patches

__all__ = ["extract_patches"]

show(__name__, __all__)
