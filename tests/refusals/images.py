"""What is refused of images and signals: ways to read files, and transforms of nothing."""

from __future__ import annotations

import io

from PIL import Image

import symtape as tf
from tests.answers.pictures import FILES
from tests.refusals.room import Room

ROOM = Room("image")


def _of_four_inks() -> bytes:
    file = io.BytesIO()
    Image.new("CMYK", (4, 4)).save(file, "JPEG")
    return file.getvalue()


ROOM.refuses(
    a_fast_transform=lambda: tf.io.decode_jpeg(FILES["grey.jpg"], dct_method="INTEGER_FAST"),
    a_rough_image=lambda: tf.io.decode_jpeg(FILES["grey.jpg"], fancy_upscaling=False),
    a_file_that_is_cut_off=lambda: tf.io.decode_jpeg(FILES["grey.jpg"], try_recover_truncated=True),
    another_fraction=lambda: tf.io.decode_jpeg(FILES["grey.jpg"], acceptable_fraction=0.5),
    four_inks=lambda: tf.io.decode_image(_of_four_inks()),
    another_format=lambda: tf.io.decode_image(b"RIFF\0\0\0\0WEBPVP8 "),
    metadata=lambda: tf.io.encode_jpeg(tf.zeros((1, 1, 3), tf.uint8), xmp_metadata="<x/>"),
    a_glimpse_with_noise=lambda: tf.image.extract_glimpse([[[[1.0]]]], [2, 2], [[0.0, 0.0]]),
    wide_colours=lambda: tf.io.encode_png(tf.zeros((1, 1, 3), tf.uint16)),
    a_transform_of_nothing=lambda: tf.signal.irfft([1.0]),
    a_real_transform_of_nothing=lambda: tf.signal.rfft([1.0, 2.0], [0]),
)
ROOM.allows(
    a_glimpse_within=lambda: tf.image.extract_glimpse([[[[1.0]]]], [1, 1], [[0.0, 0.0]]),
    an_array=lambda: tf.image.flip_up_down([[[1]], [[2]]]),
    a_transform_of_one=lambda: tf.signal.irfft([1.0], [1]),
)
