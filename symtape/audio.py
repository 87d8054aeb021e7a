"""`tf.audio`: sound in WAV files."""

from symtape.namespace import show
from symtape.ops.files.waves import decode_wav, encode_wav

__all__ = ["decode_wav", "encode_wav"]

show(__name__, __all__)
