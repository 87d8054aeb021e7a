"""Functions of TensorFlow 2 by further names that they have in `compat.v1`, and no others.

They are one object in TensorFlow, with one form; those with a form of their own are in `by_name`.
"""

from __future__ import annotations

from collections.abc import Iterator

_WORDS = {
    "": """
    NoGradient=no_gradient NotDifferentiable=no_gradient
    data.experimental.OptionalStructure=OptionalSpec data.experimental.Structure=TypeSpec
    dtypes.as_string=as_string lin_space=linspace manip.reverse=reverse manip.roll=roll
    manip.scatter_nd=scatter_nd manip.space_to_batch_nd=space_to_batch_nd manip.tile=tile
    reverse_v2=reverse tensor_scatter_add=tensor_scatter_nd_add
    tensor_scatter_sub=tensor_scatter_nd_sub tensor_scatter_update=tensor_scatter_nd_update
    where_v2=where
    """,
    "data": """
    data.experimental.DatasetStructure=DatasetSpec
    """,
    "debugging": """
    assert_proper_iterable assert_same_float_dtype check_numerics is_numeric_tensor
    """,
    "distribute": """
    distribute.InputContext=InputContext distribute.ReduceOp=ReduceOp
    distribute.get_replica_context=get_replica_context distribute.get_strategy=get_strategy
    distribute.has_strategy=has_strategy
    distribute.in_cross_replica_context=in_cross_replica_context
    """,
    "errors": """
    OpError
    """,
    "image": """
    image.transpose_image=transpose random_crop
    """,
    "io": """
    FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature decode_base64
    decode_compressed deserialize_many_sparse encode_base64 matching_files
    parse_single_sequence_example parse_tensor python_io.TFRecordOptions=TFRecordOptions
    python_io.TFRecordWriter=TFRecordWriter read_file serialize_tensor write_file
    """,
    "io.gfile": """
    gfile.GFile=GFile gfile.Open=GFile
    """,
    "linalg": """
    cholesky cholesky_solve cross diag=tensor_diag diag_part=tensor_diag_part global_norm
    matrix_band_part=band_part matrix_determinant=det matrix_diag=diag
    matrix_diag_part=diag_part matrix_inverse=inv matrix_set_diag=set_diag matrix_solve=solve
    matrix_solve_ls=lstsq matrix_transpose matrix_triangular_solve=triangular_solve qr
    self_adjoint_eig=eigh self_adjoint_eigvals=eigvalsh svd
    """,
    "math": """
    accumulate_n angle betainc ceil conj cumprod debugging.is_finite=is_finite
    debugging.is_inf=is_inf debugging.is_nan=is_nan
    debugging.is_non_decreasing=is_non_decreasing
    debugging.is_strictly_increasing=is_strictly_increasing digamma div_no_nan=divide_no_nan
    erf erfc expm1 floordiv floormod igamma igammac imag invert_permutation is_finite is_inf
    is_nan is_non_decreasing is_strictly_increasing lbeta lgamma log log1p log_sigmoid
    logical_xor mod=floormod polygamma real reciprocal rint rsqrt segment_max segment_mean
    segment_min segment_prod segment_sum squared_difference unsorted_segment_max
    unsorted_segment_mean unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n
    unsorted_segment_sum zeta
    """,
    "nn": """
    nn.avg_pool_v2=avg_pool nn.ctc_beam_search_decoder_v2=ctc_beam_search_decoder
    nn.depthwise_conv2d_native_backprop_filter=depthwise_conv2d_backprop_filter
    nn.depthwise_conv2d_native_backprop_input=depthwise_conv2d_backprop_input
    nn.max_pool_v2=max_pool
    """,
    "quantization": """
    fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient
    fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient
    fake_quant_with_min_max_vars_per_channel fake_quant_with_min_max_vars_per_channel_gradient
    """,
    "random": """
    nn.log_uniform_candidate_sampler=log_uniform_candidate_sampler
    nn.uniform_candidate_sampler=uniform_candidate_sampler random_gamma=gamma
    random_normal=normal random_shuffle=shuffle random_uniform=uniform truncated_normal
    """,
    "saved_model": """
    saved_model.experimental.save=save saved_model.load_v2=load
    """,
    "sets": """
    sets.set_difference=difference sets.set_intersection=intersection sets.set_size=size
    sets.set_union=union
    """,
    "signal": """
    fft fft2d fft3d ifft ifft2d ifft3d spectral.dct=dct spectral.fft=fft spectral.fft2d=fft2d
    spectral.fft3d=fft3d spectral.idct=idct spectral.ifft=ifft spectral.ifft2d=ifft2d
    spectral.ifft3d=ifft3d spectral.irfft=irfft spectral.irfft2d=irfft2d
    spectral.irfft3d=irfft3d spectral.rfft=rfft spectral.rfft2d=rfft2d spectral.rfft3d=rfft3d
    """,
    "sparse": """
    sparse.matmul=sparse_dense_matmul sparse_fill_empty_rows=fill_empty_rows
    sparse_maximum=maximum sparse_minimum=minimum sparse_reorder=reorder
    sparse_reshape=reshape sparse_retain=retain sparse_slice=slice sparse_softmax=softmax
    sparse_tensor_dense_matmul=sparse_dense_matmul sparse_tensor_to_dense=to_dense
    sparse_to_indicator=to_indicator sparse_transpose=transpose
    """,
    "strings": """
    regex_replace string_join=join string_strip=strip
    string_to_hash_bucket_fast=to_hash_bucket_fast
    string_to_hash_bucket_strong=to_hash_bucket_strong
    """,
}
"""By namespace: names in `compat.v1` that the same name has, or the one behind the sign."""


def _pairs() -> Iterator[tuple[str, str]]:
    for space, words in _WORDS.items():
        for word in words.split():
            old, _, new = word.partition("=")
            yield old, f"{space}.{new or old}".removeprefix(".")


RENAMED = dict(_pairs())
"""The name after `compat.v1.`, and the name after `tf.`."""
SPACES = {old.rpartition(".")[0] for old in RENAMED}
"""The namespaces that these names are in."""
