"""Which names of TensorFlow's beyond the public face are answered, and by what."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HOMES = {
    "tracking": """
        __internal__.tracking.* python.trackable.base.*: Trackable
        __internal__.tracking.*: AutoTrackable no_automatic_dependency_tracking
        python.trackable.data_structures.*: ListWrapper _DictWrapper
    """,
    "types": """
        __internal__.types.Tensor python.types.core.Tensor: AnyTensor
        *: is_tensor
        types.experimental.*: GenericFunction
        types.experimental.* python.types.core.*: TensorLike
    """,
    "specs": """
        *: IndexedSlicesSpec NoneTensorSpec TensorArraySpec type_spec_from_value
        python.ops.resource_variable_ops.*: VariableSpec
        python.framework.type_spec_registry.register: register_type_spec
        python.framework.type_spec.*: register_type_spec_from_value_converter
        python.framework.type_spec_registry._*: NAME_TO_TYPE_SPEC TYPE_SPEC_TO_NAME
    """,
    "bounds": "python.framework.tensor.* python.framework.tensor_spec.*: BoundedTensorSpec",
    "devices.spec": "compat.v1.DeviceSpec: DeviceSpecV1",
    "older.values": """
        compat.v1.*: IndexedSlicesValue SparseTensorValue
        compat.v1.ragged.*: RaggedTensorValue
    """,
    "extension.types": """
        experimental.extension_type.*: as_dict
        experimental.* python.framework.extension_type.*: BatchableExtensionType ExtensionType
    """,
    "extension.specs": """
        experimental.* python.framework.extension_type.*: ExtensionTypeBatchEncoder
            ExtensionTypeSpec
    """,
    "extension.dispatch": """
        experimental.* python.util.dispatch.*: dispatch_for_api dispatch_for_binary_elementwise_apis
            dispatch_for_binary_elementwise_assert_apis dispatch_for_unary_elementwise_apis
            unregister_dispatch_for
    """,
    "ragged.crossing": "ragged.*: cross cross_hashed",
    "ragged.row_partition": "experimental.*: RowPartition",
    "devices.strategies": """
        distribute.*: DistributedDataset DistributedIterator DistributedValues CrossDeviceOps
            HierarchicalCopyAllReduce NcclAllReduce ReductionToOneDevice
        python.distribute.values.*: DistributedValues
        python.distribute.values.PerReplica: DistributedValues
        distribute.* distribute.experimental.*: MultiWorkerMirroredStrategy TPUStrategy
        distribute.experimental.*: CentralStorageStrategy CommunicationImplementation
            CommunicationOptions
        distribute.cluster_resolver.*: TPUClusterResolver
        __internal__.distribute.interim.*: maybe_merge_call
        __internal__.distribute.*: strategy_supports_no_merge_call
    """,
    "symbolic.graphs": """
        __internal__.*: FuncGraph
        compat.v1.*: placeholder sparse_placeholder reset_default_graph
    """,
    "older.programs.sessions": """
        compat.v1.*: ConfigProto GPUOptions InteractiveSession Session disable_eager_execution
            disable_v2_behavior enable_eager_execution enable_v2_behavior logging
        compat.v1.* compat.v1.random.*: set_random_seed
        compat.* compat.v1.*: dimension_value
        compat.v1.name_scope: name_scope_v1
    """,
    "older.weights.getting": "compat.v1.*: get_variable",
    "older.weights.variable_scopes": """
        compat.v1.*: AUTO_REUSE VariableScope get_variable_scope variable_scope
    """,
    "compat": """
        compat.*: bytes_or_text_types complex_types integral_types path_to_str real_types
        compat.* compat.v1.*: dimension_at_index
        compat.v1.*: placeholder_with_default
    """,
    "older.operations": "compat.v1.*: where",
    "older.quotients": "*: realdiv",
    "inner.nesting": """
        python.util.nest.*: assert_shallow_structure flatten_with_joined_string_paths
            flatten_with_tuple_paths flatten_with_tuple_paths_up_to is_nested_or_composite
            map_structure_with_paths map_structure_with_tuple_paths
            map_structure_with_tuple_paths_up_to
        python.util.nest._*: is_namedtuple yield_value yield_sorted_items
        python.util.nest._sequence_like: rebuilt
        python.util.nest.* __internal__.nest.*: get_traverse_shallow_structure flatten_up_to
            is_mapping map_structure_up_to yield_flat_paths
    """,
    "inner.identities": """
        python.util.object_identity.*: ObjectIdentityDictionary ObjectIdentitySet
            ObjectIdentityWeakKeyDictionary ObjectIdentityWeakSet Reference
    """,
    "inner.recording": """
        python.eager.record.*: could_possibly_record should_record_backprop stop_recording
        python.eager.tape.*: watch
        python.util.all_util.*: remove_undocumented
    """,
    "inner.trials": """
        python.framework.test_util.*: run_all_in_graph_and_eager_modes run_in_graph_and_eager_modes
            run_v2_only deprecated_graph_mode_only run_deprecated_v1 run_v1_only
    """,
    "inner.weights": """
        python.ops.weights_broadcast_ops.*: assert_broadcastable
        python.ops.weights_broadcast_ops.* __internal__.ops.*: broadcast_weights
    """,
    "inner.decorating": "python.util.tf_decorator.*: TFDecorator make_decorator unwrap",
    "inner.inspecting": """
        python.util.tf_inspect._*: inspect
        python.util.tf_inspect.*: ArgSpec FullArgSpec Parameter Signature getargspec getcallargs
            getdoc getfile getfullargspec getmembers getmodule getmro getsource getsourcefile
            getsourcelines isanytargetmethod isbuiltin isclass isfunction isgenerator
            isgeneratorfunction ismethod ismodule isroutine signature
    """,
    "inner.announcing": """
        python.util.deprecation.*: DeprecatedNamesAlreadySetError deprecated deprecated_alias
            deprecated_argument_lookup deprecated_endpoints silence
        python.util.tf_export.*: InvalidSymbolNameError
        python.util.tf_export.tf_export: TfExport
        python.ops.linalg.sparse.sparse_csr_matrix_ops.tf_export: TfExport
        python.util.tf_export.keras_export: KerasExport
    """,
    "inner.batches": """
        python.keras.engine.data_adapter.*: expand_1d pack_x_y_sample_weight
            unpack_x_y_sample_weight
    """,
    "inner.flow": """
        python.ops.control_flow_util.*: ENABLE_CONTROL_FLOW_V2
        python.ops.control_flow_util.GraphOrParentsInXlaContext: in_xla_context
        compat.v1.*: control_flow_v2_enabled enable_control_flow_v2
        python.ops.parallel_for.control_flow_ops.*: pfor
        python.ops.control_flow_case._*: case_helper
    """,
    "inner.converting": "python.framework.ops.*: convert_to_tensor",
    "inner.scopes": "python.framework.ops.*: name_scope",
    "inner.gradients": """
        python.ops.parallel_for.gradients.*: jacobian
        python.ops.gradients_impl._*: hessian_vector_product
    """,
    "inner.known": """
        python.util.variable_utils.convert_variables_to_tensors: variables_as_tensors
        python.trackable.data_structures.*: sticky_attribute_assignment
        python.framework.tensor_util.constant_value_as_shape: shape_of_constant
        python.framework.tensor_util.try_evaluate_constant: evaluated
        python.framework.tensor_shape.*: as_shape
        python.ops.tensor_getitem_override._slice_helper: sliced
        python.ops.tensor_getitem_override._slice_helper_var: sliced_variable
    """,
    "inner.arguments": "python.util.deprecation.*: deprecated_arg_values deprecated_args",
    "sparse.converting": "compat.v1.*: convert_to_tensor_or_sparse_tensor",
    "exchanging": "experimental.dlpack.*: from_dlpack to_dlpack",
    "older.training": """
        compat.v1.train.*: AdagradOptimizer AdamOptimizer GradientDescentOptimizer Optimizer
            MomentumOptimizer RMSPropOptimizer get_global_step get_or_create_global_step
    """,
    "older.stepped": """
        compat.v1.train.*: AdadeltaOptimizer FtrlOptimizer ProximalAdagradOptimizer
            ProximalGradientDescentOptimizer
    """,
    "devices.runtime": """
        *: CriticalSection get_current_name_scope inside_function
        experimental.*: async_clear_error async_scope
        python.eager.context.*: async_wait context eager_mode
        sysconfig.*: get_build_info
        python.framework.config.*: is_op_determinism_enabled
        autograph.*: set_verbosity trace
        tuple: tuple_v2
        autograph.experimental.*: do_not_convert
        __internal__.tf2.enabled: tf2_enabled
        compat.*: as_text as_bytes as_str as_str_any
        version.* compat.v1.*: VERSION GIT_VERSION COMPILER_VERSION GRAPH_DEF_VERSION
            GRAPH_DEF_VERSION_MIN_CONSUMER GRAPH_DEF_VERSION_MIN_PRODUCER
    """,
    "autograph": """
        autograph.*: to_code to_graph
        autograph.experimental.*: Feature set_loop_options
    """,
    "devices.local": "python.client.device_lib.*: list_local_devices",
    "devices.profiling": "profiler.experimental.*: Profile ProfilerOptions Trace start stop",
    "operations": """
        *: guarantee_const parallel_stack
        python.ops.linalg.linear_operator.*: make_composite_tensor
        python.ops.array_ops.*: prevent_gradient
        compiler.tf2xla.python.xla.*: dynamic_update_slice
        __internal__.smart_cond.*: smart_cond
    """,
    "sparse.records": """
        io.*: parse_example parse_sequence_example parse_single_example
            parse_single_sequence_example
    """,
    "sparse.serializing": "io.*: serialize_sparse serialize_many_sparse deserialize_many_sparse",
    "sparse.decoding": """
        nn.*: ctc_beam_search_decoder ctc_greedy_decoder
        *: edit_distance
    """,
    "sparse.rows.sets": "sets.*: difference intersection size union",
    "sparse.measuring": "*: rank shape size",
    "sparse.matrices": """
        python.ops.linalg.sparse.sparse.*: CSRSparseMatrix SparseMatrix matmul
        python.ops.linalg.sparse.sparse_csr_matrix_ops.*: CSRSparseMatrix SparseMatrix matmul
    """,
    "sparse.rows.lookups": """
        nn.*: embedding_lookup_sparse safe_embedding_lookup_sparse
        python.ops.linalg.sparse.sparse_csr_matrix_ops.*: sparse_tensor_to_csr_sparse_matrix
            csr_sparse_matrix_to_sparse_tensor sparse_matrix_sparse_mat_mul
    """,
}
"""What the modules of `stand_in` have, behind the names that it answers; * stands for its own."""


def _paths(text: str) -> Iterator[tuple[str, str]]:
    """Give each name of TensorFlow's in a text of `_HOMES`, and what answers it.

    >>> list(_paths("io.* python.io.*: read write"))[1:3]
    [('python.io.read', 'read'), ('io.write', 'write')]
    """
    for paths, names in re.findall(r"([^:]+):([^:]*(?:\n|$))", text):
        for own in names.split():
            yield from [(path.replace("*", own), own) for path in paths.split()]


STAND_INS = {
    path: f"symtape.stand_in.{home}:{own}"
    for home, text in _HOMES.items()
    for path, own in _paths(text)
} | {
    "__internal__.EagerTensor": "symtape:Tensor",
    "python.framework.ops.EagerTensor": "symtape:Tensor",
    "python.ops.resource_variable_ops.ResourceVariable": "symtape:Variable",
    "python.framework.dtypes.DType": "symtape:DType",
    "python.data.experimental.AUTOTUNE": "symtape.data:AUTOTUNE",
    "python.ops.init_ops_v2._compute_fans": "symtape.ops.nn.fans:fans",
    "python.data.ops.iterator_ops.OwnedIterator": "symtape.data.iterators:Iterator",
    "nn.experimental.stateless_dropout": "symtape.ops.nn.dropout:stateless_dropout",
    "make_tensor_proto": "symtape.ops.files.tensor_protos:make_tensor_proto",
    "register_tensor_conversion_function": (
        "symtape.tensor.conversion.conversions:register_tensor_conversion_function"
    ),
    "variable_creator_scope": "symtape.tensor.variables.creators:variable_creator_scope",
    "AggregationMethod": "symtape.stand_in.older.training:AggregationMethod",
    "fingerprint": "symtape.ops.strings.fingerprints:fingerprint",
    "random_index_shuffle": "symtape.ops.random.index_shuffle:random_index_shuffle",
    "matrix_square_root": "symtape.ops.linalg.matrix_functions:sqrtm",
    "make_ndarray": "symtape.ops.files.tensor_protos:make_ndarray",
    "python.ops.math_ops.is_nan": "symtape.math:is_nan",
    "experimental.dtensor": "symtape.stand_in.dtensor",
    "experimental.numpy": "symtape.stand_in.numpy",
    "experimental.numpy.random": "symtape.stand_in.numpy.random",
    "__internal__.CompositeTensor": "symtape.ops.composite:Composite",
    "errors.OperatorNotAllowedInGraphError": (
        "symtape.stand_in.symbolic.tensors:OperatorNotAllowedInGraphError"
    ),
    "compat.v1.Dimension": "symtape.tensor.dimension:Dimension",
    "experimental.Optional": "symtape.data.elements.optional:Optional",
    "OptionalSpec": "symtape.data.elements.optional:OptionalSpec",
    "SparseTensor": "symtape.ops.sparse.tensor:SparseTensor",
    "python.framework.sparse_tensor.SparseTensor": "symtape.ops.sparse.tensor:SparseTensor",
    "python.ops.ragged.ragged_tensor.RaggedTensor": "symtape.ops.ragged.tensor:RaggedTensor",
    "SparseTensorSpec": "symtape.ops.sparse.spec:SparseTensorSpec",
    "TypeSpec": "symtape.ops.spec:TypeSpec",
    "compat.v1.app": "symtape.stand_in.older.programs.app",
    **dict.fromkeys(
        ("compat.v1.app.flags", "compat.v1.flags"), "symtape.stand_in.older.programs.flags"
    ),
    "compat.v1.losses": "symtape.stand_in.older.losses",
    "config.experimental_run_functions_eagerly": "symtape.config:run_functions_eagerly",
    "config.experimental_functions_run_eagerly": "symtape.config:functions_run_eagerly",
    "python.framework.type_spec.BatchableTypeSpec": "symtape.ops.spec:BatchableTypeSpec",
    "compat.v2.enable_v2_behavior": "symtape.stand_in.older.programs.sessions:enable_v2_behavior",
    **dict.fromkeys(
        ("python.framework.tensor_spec.DenseSpec", "python.framework.tensor.DenseSpec"),
        "symtape.ops.spec:DenseSpec",
    ),
    **dict.fromkeys(
        ("compat.v1.get_default_graph", "python.framework.ops.get_default_graph"),
        "symtape.ops.runtime.default_graph:get_default_graph",
    ),
    "raw_ops": "symtape.stand_in.raw",
    "sparse": "symtape.stand_in.sparse.functions",
}
"""The name after `tensorflow.`, and the object that answers it, as `pkgutil.resolve_name` reads it.

What stands in does what one processor that runs eagerly does. What it cannot do raises
`UnsupportedError`, which names the call; classes of things that do not exist here are there so
that `isinstance` can say so, and making one raises.
"""

WIDER = {
    "is_tensor",
    *[name for home in ("sparse.measuring", "sparse.records") for name, _ in _paths(_HOMES[home])],
}
"""Names that the public face has, too, and that mean more here, where there are sparse tensors."""
