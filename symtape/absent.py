"""What symtape has not of TensorFlow's names on purpose: why, and what to use."""

from __future__ import annotations

_RUN = "it is there where `import tensorflow` is answered, as by symtape run"
_NAMES = {
    "it reads and writes TensorFlow's own formats; read files with Python, and convert arrays": """
        image.decode_jxl image.decode_webp
    """,
    "read such an image with PIL, whose arrays are tensors": "io.decode_jxl io.decode_webp",
    "no message is described by its name; use tf.train.Example and tf.io.parse_example": """
        io.decode_json_example io.decode_proto io.encode_proto
    """,
    "use tf.data.TFRecordDataset, batch, and map(lambda x: tf.io.parse_example(x, features))": """
        data.experimental.make_batched_features_dataset
        data.experimental.parse_example_dataset
    """,
    "there are no graphs and sessions: call functions, and decorate them with tf.function": """
        Graph GraphDef InteractiveSession Operation Session get_variable
        global_variables_initializer graph_util import_graph_def io.write_graph mlir
        placeholder saved_model.experimental variable_scope
    """,
    "it is a name of TensorFlow 1; use what `tf` itself has, and call functions": """
        app compat contrib flags
    """,
    f"every tensor is dense here; {_RUN}": "SparseTensor SparseTensorSpec sparse",
    "there is one processor; what distributes work over several has no meaning here": """
        config.experimental_connect_to_cluster config.experimental_connect_to_host
        data.experimental.distributed_save data.experimental.service tpu train.ClusterDef
        train.ClusterSpec train.JobDef train.ServerDef
    """,
    "read the file with Python, and use from_generator, from_tensor_slices, or TextLineDataset": """
        data.experimental.SqlDataset
    """,
    "there are no quantized dtypes; use tf.quantization.quantize_and_dequantize_v2": """
        dtypes.QUANTIZED_DTYPES dtypes.qint16 dtypes.qint32 dtypes.qint8 dtypes.quint16
        dtypes.quint8 qint16 qint32 qint8 quantization.dequantize quantization.quantize
        quantization.quantized_concat quint16 quint8
    """,
    "it is a kernel of TensorFlow's; use the public name of the operation": """
        approx_top_k check_pinned conv conv2d_backprop_filter_v2 conv2d_backprop_input_v2
        nondifferentiable_batch_function ragged_fill_empty_rows ragged_fill_empty_rows_grad
    """,
    "TensorFlow's compiled operations are none of symtape's; write the operation in Python": """
        load_library load_op_library
    """,
    "every tensor has numbers or texts; keep other objects in Python": """
        data.experimental.from_variant data.experimental.to_variant dtypes.resource
        dtypes.variant resource variant
    """,
    "a checkpoint is written at once, into one file; leave options out": "train.experimental",
    "TensorFlow has no kernel for it on a CPU; use fft, fft2d, fft3d and their kin": """
        fftnd ifftnd irfftnd rfftnd signal.fftnd signal.ifftnd signal.irfftnd signal.rfftnd
    """,
    "call tf.image.non_max_suppression for each class and image, and tf.pad what it gives": """
        image.generate_bounding_box_proposals
    """,
    "TensorFlow has no kernel for it on a CPU; use top_k or approx_max_k of the opposite": """
        math.approx_min_k nn.approx_min_k
    """,
    "it belongs to an older Keras; use tf.keras": """
        estimator feature_column layers nn.RNNCellDeviceWrapper nn.RNNCellDropoutWrapper
        nn.RNNCellResidualWrapper
    """,
    f"Python itself runs, and nothing is rewritten; {_RUN}": "autograph",
    "nothing is traced with an iterator for an argument": "data.IteratorSpec",
    "use tf.data.Dataset.random": "data.experimental.RandomDataset",
    f"it is tf.experimental.dtensor; {_RUN}": "dtensor",
    "everything is eager, as in TensorFlow 2": "enable_eager_execution",
    "what is there may change with each version of TensorFlow": "experimental",
    "use tf.io.matching_files": "io.match_filenames_once",
    "use tf.save and lambdify for code that stands alone": "lite",
    f"Python's own profilers see every step; {_RUN}": "profiler",
    "use tf.data, or Python's queues": "queue",
    f"use the public name of the operation; {_RUN}": "raw_ops",
    "keep the file beside the folder": "saved_model.Asset",
    "use Python's sets, and convert what they give": "sets",
    "Python does not know scripts; use the package `regex`": "strings.unicode_script",
    "nothing is compiled against symtape": "sysconfig",
    "use tf.cast": "to_double to_float to_int32",
    "use `lambdify` of a formula, which is compiled": "xla",
}
"""The names after `tf.` that are absent, by the reasons."""

ABSENT = dict(
    sorted((f"tf.{name}", why) for why, names in _NAMES.items() for name in names.split())
)
"""Why each is absent; where it is there after all, as with the real Keras, nobody asks."""
