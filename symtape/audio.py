"""`tf.audio`: sound in WAV files."""

from symtape.namespace import show
from symtape.ops.files.waves import decode_wav as decode_wav, encode_wav as encode_wav

show(__name__)
