"""What symtape has not of TensorFlow's names on purpose: why, and what to use."""

from __future__ import annotations

_FILES = "it reads and writes TensorFlow's own formats; read files with Python, and convert arrays"
_PICTURES = "read such an image with PIL, whose arrays are tensors"
_MESSAGES = "no message is described by its name; use tf.train.Example and tf.io.parse_example"
_PARSED = "use tf.data.TFRecordDataset, batch, and map(lambda x: tf.io.parse_example(x, features))"
_GRAPH = "there are no graphs and sessions: call functions, and decorate them with tf.function"
_OLD = "it is a name of TensorFlow 1; use what `tf` itself has, and call functions"
_RUN = "it is there where `import tensorflow` is answered, as by symtape run"
_SPARSE = f"every tensor is dense here; {_RUN}"
_DEVICES = "there is one processor; what distributes work over several has no meaning here"
_ROWS = "read the file with Python, and use from_generator, from_tensor_slices, or TextLineDataset"
_QUANTIZED = "there are no quantized dtypes; use tf.quantization.quantize_and_dequantize_v2"
_KERNEL = "it is a kernel of TensorFlow's; use the public name of the operation"
_LIBRARY = "TensorFlow's compiled operations are none of symtape's; write the operation in Python"
_NO_DTYPE = "every tensor has numbers or texts; keep other objects in Python"
_WRITTEN = "a checkpoint is written at once, into one file; leave options out"
_ANY_AXES = "TensorFlow has no kernel for it on a CPU; use fft, fft2d, fft3d and their kin"
_BOXES = "call tf.image.non_max_suppression for each class and image, and tf.pad what it gives"
_SMALLEST = "TensorFlow has no kernel for it on a CPU; use top_k or approx_max_k of the opposite"
_KERAS = "it belongs to an older Keras; use tf.keras"
ABSENT = {
    "tf.Graph": _GRAPH,
    "tf.GraphDef": _GRAPH,
    "tf.InteractiveSession": _GRAPH,
    "tf.Operation": _GRAPH,
    "tf.Session": _GRAPH,
    "tf.SparseTensor": _SPARSE,
    "tf.SparseTensorSpec": _SPARSE,
    "tf.app": _OLD,
    "tf.approx_top_k": _KERNEL,
    "tf.autograph": f"Python itself runs, and nothing is rewritten; {_RUN}",
    "tf.check_pinned": _KERNEL,
    "tf.compat": _OLD,
    "tf.config.experimental_connect_to_cluster": _DEVICES,
    "tf.config.experimental_connect_to_host": _DEVICES,
    "tf.contrib": _OLD,
    "tf.conv": _KERNEL,
    "tf.conv2d_backprop_filter_v2": _KERNEL,
    "tf.conv2d_backprop_input_v2": _KERNEL,
    "tf.data.IteratorSpec": "nothing is traced with an iterator for an argument",
    "tf.data.experimental.RandomDataset": "use tf.data.Dataset.random",
    "tf.data.experimental.SqlDataset": _ROWS,
    "tf.data.experimental.distributed_save": _DEVICES,
    "tf.data.experimental.from_variant": _NO_DTYPE,
    "tf.data.experimental.make_batched_features_dataset": _PARSED,
    "tf.data.experimental.parse_example_dataset": _PARSED,
    "tf.data.experimental.service": _DEVICES,
    "tf.data.experimental.to_variant": _NO_DTYPE,
    "tf.dtensor": f"it is tf.experimental.dtensor; {_RUN}",
    "tf.dtypes.QUANTIZED_DTYPES": _QUANTIZED,
    "tf.dtypes.qint16": _QUANTIZED,
    "tf.dtypes.qint32": _QUANTIZED,
    "tf.dtypes.qint8": _QUANTIZED,
    "tf.dtypes.quint16": _QUANTIZED,
    "tf.dtypes.quint8": _QUANTIZED,
    "tf.dtypes.resource": _NO_DTYPE,
    "tf.dtypes.variant": _NO_DTYPE,
    "tf.enable_eager_execution": "everything is eager, as in TensorFlow 2",
    "tf.estimator": _KERAS,
    "tf.experimental": "what is there may change with each version of TensorFlow",
    "tf.feature_column": _KERAS,
    "tf.fftnd": _ANY_AXES,
    "tf.flags": _OLD,
    "tf.get_variable": _GRAPH,
    "tf.global_variables_initializer": _GRAPH,
    "tf.graph_util": _GRAPH,
    "tf.ifftnd": _ANY_AXES,
    "tf.image.decode_jxl": _FILES,
    "tf.image.decode_webp": _FILES,
    "tf.image.generate_bounding_box_proposals": _BOXES,
    "tf.import_graph_def": _GRAPH,
    "tf.io.decode_json_example": _MESSAGES,
    "tf.io.decode_jxl": _PICTURES,
    "tf.io.decode_proto": _MESSAGES,
    "tf.io.decode_webp": _PICTURES,
    "tf.io.encode_proto": _MESSAGES,
    "tf.io.match_filenames_once": "use tf.io.matching_files",
    "tf.io.write_graph": _GRAPH,
    "tf.irfftnd": _ANY_AXES,
    "tf.layers": _KERAS,
    "tf.lite": "use tf.save and lambdify for code that stands alone",
    "tf.load_library": _LIBRARY,
    "tf.load_op_library": _LIBRARY,
    "tf.math.approx_min_k": _SMALLEST,
    "tf.mlir": _GRAPH,
    "tf.nn.RNNCellDeviceWrapper": _KERAS,
    "tf.nn.RNNCellDropoutWrapper": _KERAS,
    "tf.nn.RNNCellResidualWrapper": _KERAS,
    "tf.nn.approx_min_k": _SMALLEST,
    "tf.nondifferentiable_batch_function": _KERNEL,
    "tf.placeholder": _GRAPH,
    "tf.profiler": f"Python's own profilers see every step; {_RUN}",
    "tf.qint16": _QUANTIZED,
    "tf.qint32": _QUANTIZED,
    "tf.qint8": _QUANTIZED,
    "tf.quantization.dequantize": _QUANTIZED,
    "tf.quantization.quantize": _QUANTIZED,
    "tf.quantization.quantized_concat": _QUANTIZED,
    "tf.queue": "use tf.data, or Python's queues",
    "tf.quint16": _QUANTIZED,
    "tf.quint8": _QUANTIZED,
    "tf.ragged_fill_empty_rows": _KERNEL,
    "tf.ragged_fill_empty_rows_grad": _KERNEL,
    "tf.raw_ops": f"use the public name of the operation; {_RUN}",
    "tf.resource": _NO_DTYPE,
    "tf.rfftnd": _ANY_AXES,
    "tf.saved_model.Asset": "keep the file beside the folder",
    "tf.saved_model.experimental": _GRAPH,
    "tf.sets": "use Python's sets, and convert what they give",
    "tf.signal.fftnd": _ANY_AXES,
    "tf.signal.ifftnd": _ANY_AXES,
    "tf.signal.irfftnd": _ANY_AXES,
    "tf.signal.rfftnd": _ANY_AXES,
    "tf.sparse": _SPARSE,
    "tf.strings.unicode_script": "Python does not know scripts; use the package `regex`",
    "tf.sysconfig": "nothing is compiled against symtape",
    "tf.to_double": "use tf.cast",
    "tf.to_float": "use tf.cast",
    "tf.to_int32": "use tf.cast",
    "tf.tpu": _DEVICES,
    "tf.train.ClusterDef": _DEVICES,
    "tf.train.ClusterSpec": _DEVICES,
    "tf.train.JobDef": _DEVICES,
    "tf.train.ServerDef": _DEVICES,
    "tf.train.experimental": _WRITTEN,
    "tf.variable_scope": _GRAPH,
    "tf.variant": _NO_DTYPE,
    "tf.xla": "use `lambdify` of a formula, which is compiled",
}
"""Why each is absent; where it is there after all, as with the real Keras, nobody asks."""
