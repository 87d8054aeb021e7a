"""What single operations refuse: shapes, options and values that have no meaning there."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

import numpy as np

import symtape as tf
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.naming.names import STAND_INS
from tests.refusals.room import Call, Room

ROOM = Room("operation")
M, V = np.arange(6.0).reshape(2, 3), np.arange(3.0)
IMAGE, SQUARE = np.ones((1, 4, 4, 3)), np.eye(2)

SPARSE = SparseTensor([[0]], [1.0], [2])


def call(path: str, *args: Any, **how: Any) -> Call:
    """Call a function by its name."""

    def run() -> Any:
        found: Any = tf
        for part in path.split("."):
            found = getattr(found, part)
        return found(*args, **how)

    return run


def solved(diagonals: Any, rhs: Any, form: str = "compact", **how: Any) -> Call:
    """Solve with three diagonals."""
    return call("linalg.tridiagonal_solve", diagonals, rhs, diagonals_format=form, **how)


def _mapped_with_a_seed(function: Any) -> Any:
    def run() -> Any:
        tf.random.set_seed(1)
        return tf.vectorized_map(function, V)

    return run


ROOM.refuses(
    diagonals_in_no_format=solved(np.ones((3, 3)), V, "lines"),
    diagonals_of_a_rectangle=solved(M, V, "matrix"),
    one_diagonal=solved(V, V),
    two_diagonals=solved(M, V),
    a_sequence_of_two_diagonals=solved([V, V], V, "sequence"),
    a_subdiagonal_that_is_short=solved([V, V, V[:1]], V, "sequence"),
    a_superdiagonal_that_is_short=solved([V[:1], V, V], V, "sequence"),
    a_singular_matrix_without_pivots=solved(
        np.ones((3, 3)), V, perturb_singular=True, partial_pivoting=False
    ),
    right_sides_of_another_batch=solved(np.ones((2, 3, 3)), np.ones((3, 3, 1))),
    right_sides_of_another_length=solved(np.ones((3, 3)), np.ones((2, 1))),
    eigenvalues_by_a_letter=call("linalg.eigh_tridiagonal", V, V[:2], select="x"),
    eigenvalues_of_integers=call("linalg.eigh_tridiagonal", [1, 2], [1]),
    eigenvalues_in_no_range=call(
        "linalg.eigh_tridiagonal", V, V[:2], select="i", select_range=(2, 1)
    ),
    eigenvalues_of_too_many=call("linalg.eigh_tridiagonal", V, V),
    factors_of_a_vector=call("linalg.lu", V),
    factors_of_a_rectangle=call("linalg.lu", M),
    a_vector_on_the_right=call("linalg.lu_solve", SQUARE, [0, 1], [1.0, 2.0]),
    rows_on_the_right=call("linalg.lu_solve", SQUARE, [0, 1], np.ones((3, 1))),
    factors_that_are_a_vector=call("linalg.lu_matrix_inverse", V, [0, 1, 2]),
    factors_that_are_a_rectangle=call("linalg.lu_matrix_inverse", M, [0, 1]),
    an_order_with_a_row_twice=call(
        "linalg.lu_solve", SQUARE, [0, 0], np.ones((2, 1)), validate_args=True
    ),
    an_order_with_a_row_too_many=call(
        "linalg.lu_solve", SQUARE, [0, 2], np.ones((2, 1)), validate_args=True
    ),
    a_product_in_another_dtype=call("linalg.matmul", SQUARE, SQUARE, output_type=tf.int32),
    a_cross_product_of_numbers=call("linalg.cross", 1.0, 2.0),
    a_cross_product_of_pairs=call("linalg.cross", [1.0, 2.0], [1.0, 2.0]),
    a_contraction_of_nothing=call("einsum", "ij"),
    a_contraction_along_no_axis=call("tensordot", M, M, [[2], [0]]),
    a_contraction_of_other_sizes=call("tensordot", M, M, [[0], [1]]),
)

ROOM.refuses(
    two_true_cases=lambda: tf.case([(True, lambda: 1), (True, lambda: 2)], lambda: 3, True),
    no_true_case=lambda: tf.case([(False, lambda: 1)]),
    a_name_that_is_a_number=call("name_scope", 3),
    bits_of_a_shape_that_does_not_fit=lambda: tf.bitcast(tf.constant([1, 2, 3]), tf.int64),
    a_map_of_a_scalar=call("map_fn", lambda x: x, 1.0),
    a_map_of_two_lengths=call("map_fn", lambda x: x[0], (V, V[:2])),
    a_map_of_nothing=lambda: tf.function(tf.map_fn)(lambda x: x, np.zeros((0, 2))),
    a_map_of_no_function=call("map_fn", 3, V),
    a_map_to_other_tensors=call(
        "map_fn", lambda x: (x, x), V, fn_output_signature=(tf.float64, tf.float64, tf.float64)
    ),
    a_map_of_choices_with_a_seed=_mapped_with_a_seed(
        lambda x: tf.random.categorical([[0.0, x]], 1)
    ),
    a_map_of_other_draws=_mapped_with_a_seed(
        lambda x: tf.random.normal([2]) if x < 2.0 else tf.random.uniform([2])
    ),
    another_policy=call("gather_nd", V, [[0]], bad_indices_policy="KEEP"),
    other_batches=call("gather_nd", np.ones((2, 3)), [[[0]]] * 3, batch_dims=1),
    a_slice_of_a_variable=call("strided_slice", V, [0], [2], var=3),
    a_stitch_of_nothing=call("dynamic_stitch", [], []),
    an_unknown_word_for_print=call("print", 1.0, color="red"),
    too_many_zeros=call("zeros", [2**31, 2**31, 2**31]),
    an_axis_to_count_along=call("math.bincount", [1, 2], axis=1),
    negative_numbers_to_count=call("math.bincount", [-1, 2]),
    weights_of_fewer_numbers=call("math.bincount", [1, 2], weights=[1.0]),
    elements_to_print=call("print", [1.0], summarize="a"),
    a_norm_of_no_list=call("clip_by_global_norm", tf.constant(V), 1.0),
    predictions_of_a_vector=call("math.in_top_k", [1], tf.constant([1.0, 2.0]), 1),
    no_permutation=call("math.invert_permutation", [0, 0]),
    a_search_beside=call("searchsorted", [1.0, 2.0], [1.0], side="top"),
    a_search_of_other_rows=call("searchsorted", np.ones((2, 2)), np.ones((3, 2))),
    shapes_that_do_not_meet=call(
        "broadcast_static_shape", tf.TensorShape([2]), tf.TensorShape([3])
    ),
)

ROOM.refuses(
    a_sum_of_another_shape=call("math.accumulate_n", [V, V], shape=[2]),
    a_sum_of_another_rank=call("math.accumulate_n", [V, V], shape=[1, 3]),
)
ROOM.allows(
    a_sum_of_a_shape=call("math.accumulate_n", [V, V], shape=[3]),
    a_sum_of_any_shape=call("math.accumulate_n", [V, V]),
)

ROOM.refuses(
    colours_of_two_channels=call("image.adjust_hue", np.ones((2, 2, 2)), 0.1),
    crops_of_nothing=call(
        "image.crop_and_resize", np.ones((1, 0, 2, 1), "f4"), [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2]
    ),
    crops_by_a_vector=call(
        "image.crop_and_resize", np.ones((1, 2, 2, 1), "f4"), [0.0, 0.0, 1.0, 1.0], [0], [2, 2]
    ),
    images_of_other_batches=call("image.psnr", np.ones((2, 4, 4, 3)), np.ones((3, 4, 4, 3)), 1.0),
    images_of_other_sizes=call("image.psnr", np.ones((4, 4, 3)), np.ones((4, 5, 3)), 1.0),
    a_width_below_zero=call(
        "image.non_max_suppression_with_scores", np.ones((1, 4)), [1.0], 1, soft_nms_sigma=-1.0
    ),
    overlaps_of_a_rectangle=call("image.non_max_suppression_overlaps", M, V, 1),
    patches_of_size_zero=call(
        "image.extract_patches", IMAGE, [1, 0, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"
    ),
    three_dilations=call(
        "nn.depthwise_conv2d",
        IMAGE,
        np.ones((2, 2, 3, 1)),
        [1, 1, 1, 1],
        "SAME",
        dilations=[1, 2, 3],
    ),
    dropping_integers=call("nn.dropout", [1, 2], 0.5),
    dropping_more_than_all=call("nn.dropout", [1.0, 2.0], 1.5),
    labels_of_other_sizes=call("nn.softmax_cross_entropy_with_logits", M, M[:, :2]),
    labels_of_a_scalar=call("nn.sparse_softmax_cross_entropy_with_logits", 1, 1.0),
    a_poisson_loss_of_other_shapes=call("nn.log_poisson_loss", V, M),
    no_logits=call("nn.sigmoid_cross_entropy_with_logits", V),
    a_cosine_transform_of_complex_numbers=call("signal.dct", V + 1j),
    a_filter_bank_of_nothing=call("signal.linear_to_mel_weight_matrix", 0),
    blocks_of_size_zero=call("space_to_batch", IMAGE, [0, 1], [[0, 0], [0, 0]]),
    blocks_of_a_vector=call("space_to_batch", V, [1, 1], [[0, 0], [0, 0]]),
)


def of_numpy(f: Any, x: Any = V) -> Call:
    """Call NumPy on a tensor that a tape watches."""

    def run() -> Any:
        with tf.GradientTape() as tape:
            tensor = tf.constant(x)
            tape.watch(tensor)
            return f(tensor)

    return run


ROOM.refuses(
    numpys_padding_by_nothing=of_numpy(lambda x: np.pad(x, 1, mode="empty")),
    numpys_padding_turned_round=of_numpy(lambda x: np.pad(x, 5, "reflect", reflect_type="odd")),
    numpys_split_that_does_not_divide=of_numpy(lambda x: np.split(x, 2)),
    numpys_cross_of_pairs=of_numpy(lambda x: np.cross(x[:2], [1.0, 2.0])),
    numpys_fit_with_more=of_numpy(lambda x: np.polyfit(x, x, 1, full=True)),
    numpys_sum_of_differences=of_numpy(lambda x: np.subtract.reduce(x, axis=(0,))),
    numpys_condition_of_a_rectangle=of_numpy(lambda x: np.linalg.cond(x, 1), M),
    numpys_axis=of_numpy(lambda x: np.diff(x, axis=1)),
    numpys_triangle=of_numpy(lambda x: np.linalg.eigvalsh(x, UPLO="X"), SQUARE),
    numpys_raw_qr=of_numpy(lambda x: np.linalg.qr(x, mode="raw"), SQUARE),
    numpys_determinant_of_a_rectangle=of_numpy(np.linalg.det, M),
    numpys_determinant_of_a_vector=of_numpy(np.linalg.det),
    numpys_pieces=of_numpy(lambda x: np.piecewise(x, [x > 1], [1.0, 2.0, 3.0])),
    numpys_unknown_function=of_numpy(np.spacing),
    numpys_convolution_of_nothing=of_numpy(lambda x: np.convolve(x, [])),
    numpys_convolution_in_a_mode=of_numpy(lambda x: np.convolve(x, x, "part")),
    numpys_gradient_of_third_order=of_numpy(lambda x: np.gradient(x, edge_order=3)),
    numpys_gradient_of_a_number=of_numpy(lambda x: np.gradient(x[:1])),
)

ROOM.refuses(
    a_seed_that_is_a_text=call("random.set_seed", "a"),
    an_algorithm_that_is_a_thing=call("random.Generator.from_seed", 1, alg=object()),
    a_generator_of_nothing=call("random.Generator"),
    integers_to_a_number=call("random.stateless_uniform", [2], [1, 2], maxval=3, dtype=tf.uint32),
    a_shape_that_ends_otherwise=call("random.stateless_gamma", [3], [1, 2], [1.0, 2.0]),
)


def odd(name: str, *args: Any, **how: Any) -> Call:
    """Call what stands in for a name of TensorFlow's."""

    def run() -> Any:
        return resolve_name(STAND_INS[name])(*args, **how)

    return run


ROUNDS = {"seed": [1, 2, 3], "max_index": 9}
ROOM.refuses(
    an_odd_number_of_rounds=odd("random_index_shuffle", 3, rounds=5, **ROUNDS),
    too_few_rounds=odd("random_index_shuffle", 3, rounds=2, **ROUNDS),
    fingerprints_of_rows_without_texts=odd("fingerprint", np.zeros((2, 0), object)),
    a_text_that_zstd_compressed=call("io.decode_compressed", b"a", "ZSTD"),
    a_sparse_tensor_as_variants=odd("io.serialize_sparse", SPARSE, out_type="variant"),
    the_type_of_an_iterator=odd("type_spec_from_value", iter(tf.data.Dataset.range(2))),
)
ROOM.allows(
    six_rounds=odd("random_index_shuffle", 3, rounds=6, **ROUNDS),
    fingerprints_of_no_rows=odd("fingerprint", np.zeros(0, object)),
)


class _Held(tf.linalg.LinearOperator):
    """An operator that does not say what it is made of."""

    def __init__(self, matrix: Any) -> None:
        super().__init__(matrix.dtype, parameters={"matrix": matrix})
        self._matrix = matrix

    def _shape(self) -> Any:
        return self._matrix.shape


ROOM.refuses(a_slice_of_an_operator_of_ones_own=lambda: _Held(tf.ones([3, 2, 2]))[0])
