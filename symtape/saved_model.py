"""`tf.saved_model`: an object with its variables and functions in a folder."""

from symtape.namespace import show
from symtape.training.saved.face import SERVING as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from symtape.training.saved.face import LoadOptions, SaveOptions, contains_saved_model, load, save

__all__ = [
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY",
    "LoadOptions",
    "SaveOptions",
    "contains_saved_model",
    "load",
    "save",
]

show(__name__, __all__)
