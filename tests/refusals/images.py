"""What is refused of images and signals: files, and transforms of nothing."""

from __future__ import annotations

import symtape as tf
from tests.refusals.room import Room

ROOM = Room("image")

ROOM.refuses(
    reading_a_jpeg=lambda: tf.image.decode_jpeg(b""),
    reading_a_png=lambda: tf.image.decode_png(b"", channels=3),
    reading_an_image=lambda: tf.image.decode_image(b""),
    reading_a_part_of_a_jpeg=lambda: tf.image.decode_and_crop_jpeg(b"", [0, 0, 1, 1]),
    reading_a_bitmap=lambda: tf.image.decode_bmp(b""),
    reading_a_gif=lambda: tf.image.decode_gif(b""),
    the_shape_of_a_jpeg=lambda: tf.image.extract_jpeg_shape(b""),
    writing_a_jpeg=lambda: tf.image.encode_jpeg(tf.zeros((1, 1, 3), tf.uint8)),
    writing_a_png=lambda: tf.image.encode_png(tf.zeros((1, 1, 3), tf.uint8)),
    another_quality=lambda: tf.image.adjust_jpeg_quality(tf.zeros((1, 1, 3)), 50),
    a_quality_at_random=lambda: tf.image.random_jpeg_quality(tf.zeros((1, 1, 3)), 50, 80),
    a_quality_by_a_seed=lambda: tf.image.stateless_random_jpeg_quality(
        tf.zeros((1, 1, 3)), 50, 80, (1, 2)
    ),
    a_transform_of_nothing=lambda: tf.signal.irfft([1.0]),
    a_real_transform_of_nothing=lambda: tf.signal.rfft([1.0, 2.0], [0]),
)
ROOM.allows(
    an_array=lambda: tf.image.flip_up_down([[[1]], [[2]]]),
    a_transform_of_one=lambda: tf.signal.irfft([1.0], [1]),
)
