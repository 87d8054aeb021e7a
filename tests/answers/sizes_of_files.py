"""Which sizes are known of what a function of a dataset makes of files and of batches."""

from __future__ import annotations

import numpy as np

from tests.answers.answer import Table
from tests.answers.sizes_of_numbers import of_functions

TABLE = Table("sizes_of_files")

RECORD = (  # an example with the features a = [1, 2], b = "xy" and n = 3
    b"\n&\n\x0b\n\x01a\x12\x06\x1a\x04\n\x02\x01\x02\n\x0b\n\x01b\x12\x06\n\x04\n\x02xy\n\n\n\x01n\x12\x05\x1a\x03\n\x01\x03"
)

of_functions(
    TABLE,
    "of an image in a file",
    lambda tf, D: D.from_tensors(tf.io.encode_png(tf.zeros([5, 6, 3], tf.uint8))),
    [
        lambda tf, x: tf.io.decode_png(x),
        lambda tf, x: tf.io.decode_png(x, channels=3),
        lambda tf, x: tf.image.resize(tf.io.decode_png(x, channels=3), [32, 32]),
        lambda tf, x: tf.reshape(tf.io.decode_png(x, channels=3), [5, 6, 3]),
        lambda tf, x: tf.cast(tf.io.decode_png(x, channels=3), tf.float32) / 255.0,
        lambda tf, x: tf.image.convert_image_dtype(tf.io.decode_png(x, channels=1), tf.float32),
        lambda tf, x: tf.image.random_crop(tf.io.decode_png(x, channels=3), [2, 2, 3]),
        lambda tf, x: tf.image.central_crop(tf.io.decode_png(x, channels=3), 0.5),
        lambda tf, x: tf.image.resize_with_pad(tf.io.decode_png(x, channels=3), 10, 10),
        lambda tf, x: tf.image.resize_with_crop_or_pad(tf.io.decode_png(x, channels=3), 10, 10),
        lambda tf, x: tf.image.random_flip_left_right(tf.io.decode_png(x, channels=3)),
        lambda tf, x: tf.image.per_image_standardization(tf.io.decode_png(x, channels=3)),
        lambda tf, x: tf.image.rgb_to_grayscale(tf.io.decode_png(x, channels=3)),
        lambda tf, x: tf.shape(tf.io.decode_png(x)),
        lambda tf, x: tf.io.decode_image(x),
    ],
)
of_functions(
    TABLE,
    "of a photograph in a file",
    lambda tf, D: D.from_tensors(tf.io.encode_jpeg(tf.zeros([5, 6, 3], tf.uint8))),
    [
        lambda tf, x: tf.io.decode_jpeg(x),
        lambda tf, x: tf.io.decode_jpeg(x, channels=3, ratio=2),
        lambda tf, x: tf.image.extract_jpeg_shape(x),
    ],
)
of_functions(
    TABLE,
    "of a sound in a file",
    lambda tf, D: D.from_tensors(tf.audio.encode_wav(tf.zeros([10, 2]), 8000)),
    [
        lambda tf, x: tf.audio.decode_wav(x),
        lambda tf, x: tf.audio.decode_wav(x, desired_channels=1, desired_samples=16)[0],
        lambda tf, x: tf.squeeze(tf.audio.decode_wav(x, desired_channels=1)[0], -1),
        lambda tf, x: tf.signal.stft(
            tf.squeeze(tf.audio.decode_wav(x, desired_channels=1)[0], -1), 4, 2
        ),
    ],
)
of_functions(
    TABLE,
    "of a record",
    lambda tf, D: D.from_tensors(RECORD),
    [
        lambda tf, x: tf.io.parse_single_example(x, {"a": tf.io.VarLenFeature(tf.int64)})["a"],
        lambda tf, x: tf.io.parse_single_example(x, {"a": tf.io.RaggedFeature(tf.int64)}),
    ],
)
of_functions(
    TABLE,
    "of words",
    lambda tf, D: D.from_tensors("a b"),
    [
        lambda tf, x: tf.strings.split(x)[:128],
        lambda tf, x: tf.concat([["s"], tf.strings.split(x), ["e"]], 0),
        lambda tf, x: tf.pad(tf.strings.to_hash_bucket_fast(tf.strings.split(x), 10), [[0, 5]]),
        lambda tf, x: tf.io.parse_tensor(x, tf.float32),
        lambda tf, _: tf.io.serialize_tensor(tf.zeros([2])),
        lambda tf, _: tf.strings.to_number("1.5"),
        lambda tf, x: tf.io.decode_csv(x, [""]),
        lambda tf, x: tf.io.read_file(x),
    ],
)
of_functions(
    TABLE,
    "of an image",
    lambda tf, D: D.from_tensors(tf.zeros([8, 8, 3])),
    [
        lambda tf, x: tf.image.resize(x, [4, 4]),
        lambda tf, x: tf.image.random_crop(x, [4, 4, 3]),
        lambda tf, x: tf.image.random_brightness(x, 0.1),
        lambda tf, x: tf.image.adjust_contrast(x, 0.5),
        lambda tf, x: tf.image.crop_and_resize(x[None], [[0.0, 0.0, 1.0, 1.0]], [0], [3, 3]),
        lambda tf, x: tf.image.extract_glimpse(x[None], [2, 2], [[0.0, 0.0]]),
        lambda tf, x: tf.image.sample_distorted_bounding_box(tf.shape(x), tf.zeros([1, 1, 4])),
        lambda tf, x: tf.image.stateless_random_crop(x, [4, 4, 3], (1, 2)),
        lambda tf, x: tf.nn.max_pool2d(x[None], 2, 2, "SAME"),
        lambda tf, x: tf.nn.conv2d(x[None], tf.zeros([3, 3, 3, 5]), 1, "VALID"),
        lambda tf, x: tf.image.sobel_edges(x[None]),
        lambda tf, x: tf.image.draw_bounding_boxes(x[None], tf.zeros([1, 1, 4]), None),
        lambda tf, x: tf.image.resize(
            x, tf.cast(tf.cast(tf.shape(x)[:2], tf.float32) * 0.5, tf.int32)
        ),
    ],
)
of_functions(
    TABLE,
    "of images",
    lambda tf, D: D.from_tensor_slices(tf.zeros([7, 8, 8, 3])).batch(3),
    [
        lambda tf, x: tf.image.resize(x, [4, 4]),
        lambda tf, x: tf.reshape(x, [-1, 192]),
        lambda tf, x: tf.reduce_mean(x, [1, 2]),
        lambda tf, x: tf.random.shuffle(x),
        lambda tf, x: x[:, ::2, ::2],
        lambda tf, x: tf.image.random_flip_left_right(x),
        lambda tf, x: tf.map_fn(lambda v: tf.image.resize(v, [4, 4]), x),
        lambda tf, x: tf.transpose(x, [0, 3, 1, 2]),
        lambda tf, x: tf.nn.avg_pool2d(x, 2, 2, "VALID"),
        lambda tf, x: tf.random.uniform(tf.shape(x)),
        lambda tf, x: tf.random.uniform([tf.shape(x)[0], 1, 1, 1]),
        lambda tf, x: x * tf.random.uniform([tf.shape(x)[0], 1, 1, 1]),
        lambda tf, x: tf.gather(x, tf.random.shuffle(tf.range(tf.shape(x)[0]))),
        lambda tf, x: tf.concat([x, x[::-1]], 0),
        lambda tf, x: tf.stack(tf.unstack(x, axis=3), 1),
    ],
)
of_functions(
    TABLE,
    "of features",
    lambda tf, D: D.from_tensor_slices(tf.zeros([7, 4])).batch(3),
    [
        lambda tf, x: tf.linalg.matmul(x, x, transpose_b=True),
        lambda tf, x: tf.linalg.matmul(x, x, transpose_a=True),
        lambda tf, x: tf.einsum("bi,bj->bij", x, x),
        lambda tf, x: tf.tensordot(x, tf.zeros([4, 2]), 1),
        lambda tf, x: tf.math.top_k(x, 2),
        lambda tf, x: tf.argsort(x),
        lambda tf, x: tf.split(x, 2, 1),
        lambda tf, x: tf.cumsum(x),
        lambda tf, x: tf.expand_dims(x, 1),
        lambda tf, x: tf.squeeze(x[:, :1], 1),
        lambda tf, x: x[:, 0],
        lambda tf, x: x[0],
        lambda tf, x: x[:2, 1:],
        lambda tf, x: x[..., tf.newaxis],
        lambda tf, x: tf.where(x > 0),
        lambda tf, x: tf.boolean_mask(x, x[:, 0] > 0),
        lambda tf, x: tf.one_hot(tf.argmax(x, 1), 4),
        lambda tf, x: tf.linalg.diag_part(tf.linalg.matmul(x, x, transpose_b=True)),
        lambda tf, x: tf.linalg.norm(x, axis=1),
        lambda tf, x: tf.nn.softmax(x),
        lambda tf, x: tf.repeat(x, 3, axis=0),
        lambda tf, x: tf.tile(x[:, None], [1, 3, 1]),
        lambda tf, x: tf.broadcast_to(x[:, None], [tf.shape(x)[0], 3, 4]),
        lambda tf, x: tf.reverse(x, [1]),
        lambda tf, x: tf.pad(x, [[0, 0], [1, 1]]),
        lambda tf, x: tf.meshgrid(x[0], x[1]),
        lambda tf, x: tf.linalg.band_part(tf.linalg.matmul(x, x, transpose_a=True), 0, -1),
        lambda tf, x: tf.vectorized_map(lambda v: v * 2, x),
        lambda tf, x: tf.scan(lambda a, v: a + v, x),
        lambda tf, x: tf.foldl(lambda a, v: a + v, x),
        lambda tf, x: tf.RaggedTensor.from_tensor(x),
        lambda tf, x: tf.sparse.from_dense(x),
        lambda tf, x: tf.histogram_fixed_width(x, [0.0, 1.0], 5),
        lambda tf, x: tf.stop_gradient(x),
        lambda tf, x: tf.ensure_shape(x, [None, 4]),
        lambda tf, x: tf.ensure_shape(x, [3, 4]),
        lambda tf, x: tf.reshape(x, [3, 4]),
        lambda tf, x: tf.reshape(x, [-1]),
        lambda tf, x: tf.reshape(x, [tf.size(x)]),
        lambda tf, x: tf.slice(x, [0, 1], [-1, 2]),
        lambda tf, x: tf.strided_slice(x, [0, 0], [2, 2]),
        lambda tf, x: tf.gather_nd(x, [[0, 0], [1, 1]]),
        lambda tf, x: tf.roll(x, 1, 0),
        lambda tf, x: tf.dynamic_partition(x, tf.cast(x[:, 0] > 0, tf.int32), 2),
        lambda tf, x: tf.random.categorical(x, 3),
        lambda tf, x: tf.numpy_function(lambda v: v, [x], tf.float32),
        lambda tf, x: tf.ensure_shape(tf.numpy_function(lambda v: v, [x], tf.float32), [None, 4]),
        lambda tf, x: tf.reshape(tf.numpy_function(lambda v: v, [x], tf.float32), [-1, 4]),
        lambda tf, x: tf.reshape(tf.numpy_function(lambda v: v, [x], tf.float32), tf.shape(x)),
        lambda tf, x: tf.numpy_function(lambda v: v, [x], tf.float32) + x,
        lambda tf, x: tf.reduce_mean(tf.numpy_function(lambda v: v, [x], tf.float32)),
        lambda tf, x: tf.reduce_mean(tf.numpy_function(lambda v: v, [x], tf.float32), axis=0),
    ],
)
of_functions(
    TABLE,
    "of whole batches",
    lambda tf, D: D.from_tensor_slices(tf.zeros([7, 4])).batch(3, drop_remainder=True),
    [
        lambda tf, x: x[:2],
        lambda tf, x: tf.reshape(x, [-1]),
        lambda tf, x: tf.zeros(tf.shape(x)[0]),
        lambda tf, x: tf.boolean_mask(x, [True, False, True]),
        lambda tf, x: tf.random.shuffle(x),
        lambda tf, x: tf.split(x, 3),
    ],
)
of_functions(
    TABLE,
    "of sequences",
    lambda tf, D: D.from_generator(
        lambda: iter([[1, 2, 3, 4, 5, 6]]), output_signature=tf.TensorSpec([None], tf.int32)
    ),
    [
        lambda tf, x: x[:-1],
        lambda tf, x: x[1:],
        lambda tf, x: (x[:-1], x[1:]),
        lambda tf, x: x[:4],
        lambda tf, x: tf.signal.frame(x, 2, 1),
        lambda tf, x: tf.reshape(x, [2, 3]),
        lambda tf, x: tf.random.shuffle(x)[:3],
        lambda tf, x: tf.one_hot(x, 10),
        lambda tf, x: tf.concat([x, tf.zeros([10 - tf.shape(x)[0]], tf.int32)], 0),
        lambda tf, x: tf.cond(
            tf.shape(x)[0] > 3, lambda: x[:3], lambda: tf.pad(x, [[0, 3 - tf.shape(x)[0]]])
        ),
        lambda tf, x: tf.image.resize(tf.cast(x, tf.float32)[None, :, None, None], [2, 2]),
    ],
)
of_functions(
    TABLE,
    "of images without a size",
    lambda tf, D: D.from_generator(
        lambda: iter([np.zeros([6, 7, 3])]), output_signature=tf.TensorSpec([None, None, 3])
    ),
    [
        lambda tf, x: tf.image.resize(x, [4, 4]),
        lambda tf, x: tf.image.random_crop(x, [4, 4, 3]),
        lambda tf, x: tf.image.resize_with_crop_or_pad(x, 4, 4),
        lambda tf, x: tf.image.central_crop(x, 0.5),
        lambda tf, x: x[:4, :4],
        lambda tf, x: tf.image.flip_left_right(x),
        lambda tf, x: tf.image.rot90(x),
        lambda tf, x: tf.transpose(x),
        lambda tf, x: tf.reduce_mean(x, [0, 1]),
        lambda tf, x: tf.image.resize(x, tf.shape(x)[:2] // 2),
    ],
)
of_functions(
    TABLE,
    "of features and labels",
    lambda tf, D: D.from_tensor_slices((tf.zeros([7, 4]), [1, 2, 3, 1, 2, 3, 1])).batch(3),
    [
        lambda tf, x, y: (tf.one_hot(y, 4), x),
        lambda tf, x, y: (x, tf.boolean_mask(y, y > 1)),
        lambda tf, x, y: ({"x": x, "n": tf.shape(x)[0]}, y),
        lambda tf, x, y: tf.gather(x, y, axis=1, batch_dims=0),
        lambda tf, x, y: tf.gather(x, y % 4, axis=1, batch_dims=1),
        lambda tf, _x, y: tf.sequence_mask(y, 4),
        lambda tf, _x, y: tf.sequence_mask(y),
        lambda tf, x, y: tf.repeat(x, y, axis=0),
        lambda tf, x, y: tf.math.segment_sum(x, tf.sort(y)),
        lambda tf, _x, y: tf.RaggedTensor.from_row_lengths(tf.repeat(y, y), y),
        lambda tf, x, y: tf.reverse_sequence(x, y, 1),
        lambda tf, x, y: x + tf.cast(y, tf.float32)[:, None],
        lambda tf, _x, y: tf.stack([tf.cast(y, tf.float32)] * 2, 1),
    ],
)
