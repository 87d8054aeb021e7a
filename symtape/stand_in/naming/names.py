"""Which names of TensorFlow's beyond the public face are answered, and by what."""

_SPARSE = "python.ops.linalg.sparse"
_FLOW = "python.ops.control_flow_util"
_SPECS = "python.framework.type_spec"
_HOMES = {
    "tracking": {
        "Trackable": "__internal__.tracking.Trackable python.trackable.base.Trackable",
        "AutoTrackable": "__internal__.tracking.AutoTrackable",
        "no_automatic_dependency_tracking": (
            "__internal__.tracking.no_automatic_dependency_tracking"
        ),
        "ListWrapper": "python.trackable.data_structures.ListWrapper",
        "_DictWrapper": "python.trackable.data_structures._DictWrapper",
    },
    "types": {
        "AnyTensor": "__internal__.types.Tensor python.types.core.Tensor",
        "is_tensor": "is_tensor",
        "GenericFunction": "types.experimental.GenericFunction",
        "TensorLike": "types.experimental.TensorLike python.types.core.TensorLike",
    },
    "specs": {
        name: name
        for name in (
            *("IndexedSlicesSpec", "NoneTensorSpec", "TensorArraySpec", "type_spec_from_value"),
        )
    }
    | {
        "VariableSpec": "python.ops.resource_variable_ops.VariableSpec",
        "register_type_spec": f"{_SPECS}_registry.register",
        "register_type_spec_from_value_converter": (
            f"{_SPECS}.register_type_spec_from_value_converter"
        ),
        "NAME_TO_TYPE_SPEC": f"{_SPECS}_registry._NAME_TO_TYPE_SPEC",
        "TYPE_SPEC_TO_NAME": f"{_SPECS}_registry._TYPE_SPEC_TO_NAME",
    },
    "bounds": {
        "BoundedTensorSpec": (
            "python.framework.tensor.BoundedTensorSpec "
            "python.framework.tensor_spec.BoundedTensorSpec"
        ),
    },
    "devices.spec": {"DeviceSpecV1": "compat.v1.DeviceSpec"},
    "older.values": {
        "IndexedSlicesValue": "compat.v1.IndexedSlicesValue",
        "SparseTensorValue": "compat.v1.SparseTensorValue",
        "RaggedTensorValue": "compat.v1.ragged.RaggedTensorValue",
    },
    "extension.types": {
        "as_dict": "experimental.extension_type.as_dict",
        **{
            name: f"experimental.{name} python.framework.extension_type.{name}"
            for name in ("BatchableExtensionType", "ExtensionType")
        },
    },
    "extension.specs": {
        name: f"experimental.{name} python.framework.extension_type.{name}"
        for name in ("ExtensionTypeBatchEncoder", "ExtensionTypeSpec")
    },
    "extension.dispatch": {
        name: f"experimental.{name} python.util.dispatch.{name}"
        for name in (
            *("dispatch_for_api", "dispatch_for_binary_elementwise_apis"),
            *("dispatch_for_binary_elementwise_assert_apis", "dispatch_for_unary_elementwise_apis"),
            "unregister_dispatch_for",
        )
    },
    "ragged.crossing": {"cross": "ragged.cross", "cross_hashed": "ragged.cross_hashed"},
    "ragged.row_partition": {"RowPartition": "experimental.RowPartition"},
    "devices.strategies": {
        "DistributedDataset": "distribute.DistributedDataset",
        "DistributedIterator": "distribute.DistributedIterator",
        "DistributedValues": (
            "distribute.DistributedValues python.distribute.values.DistributedValues "
            "python.distribute.values.PerReplica"
        ),
        **{
            name: f"distribute.{name} distribute.experimental.{name}"
            for name in ("MultiWorkerMirroredStrategy", "TPUStrategy")
        },
        **{
            name: f"distribute.experimental.{name}"
            for name in (
                *("CentralStorageStrategy", "CommunicationImplementation", "CommunicationOptions"),
            )
        },
        **{
            name: f"distribute.{name}"
            for name in (
                *("CrossDeviceOps", "HierarchicalCopyAllReduce", "NcclAllReduce"),
                *("ReductionToOneDevice",),
            )
        },
        "TPUClusterResolver": "distribute.cluster_resolver.TPUClusterResolver",
        "maybe_merge_call": "__internal__.distribute.interim.maybe_merge_call",
        "strategy_supports_no_merge_call": (
            "__internal__.distribute.strategy_supports_no_merge_call"
        ),
    },
    "symbolic.graphs": {
        "FuncGraph": "__internal__.FuncGraph",
        "placeholder": "compat.v1.placeholder",
        "sparse_placeholder": "compat.v1.sparse_placeholder",
        "reset_default_graph": "compat.v1.reset_default_graph",
    },
    "older.programs.sessions": {
        name: f"compat.v1.{name}"
        for name in (
            *("ConfigProto", "GPUOptions", "InteractiveSession", "Session"),
            *("disable_eager_execution", "disable_v2_behavior", "enable_eager_execution"),
            *("enable_v2_behavior", "logging"),
        )
    }
    | {
        "set_random_seed": "compat.v1.set_random_seed compat.v1.random.set_random_seed",
        "dimension_value": "compat.dimension_value compat.v1.dimension_value",
        "name_scope_v1": "compat.v1.name_scope",
    },
    "older.weights.getting": {"get_variable": "compat.v1.get_variable"},
    "older.weights.variable_scopes": {
        name: f"compat.v1.{name}"
        for name in ("AUTO_REUSE", "VariableScope", "get_variable_scope", "variable_scope")
    },
    "compat": {
        name: f"compat.{name}"
        for name in (
            *("bytes_or_text_types", "complex_types", "integral_types", "path_to_str"),
            "real_types",
        )
    }
    | {
        "dimension_at_index": "compat.dimension_at_index compat.v1.dimension_at_index",
        "placeholder_with_default": "compat.v1.placeholder_with_default",
    },
    "older.operations": {"where": "compat.v1.where"},
    "older.quotients": {"realdiv": "realdiv"},
    "inner.nesting": {
        name: f"python.util.nest.{name}"
        for name in (
            *("assert_shallow_structure", "flatten_with_joined_string_paths"),
            *("flatten_with_tuple_paths", "flatten_with_tuple_paths_up_to"),
            *("is_nested_or_composite", "map_structure_with_paths"),
            *("map_structure_with_tuple_paths", "map_structure_with_tuple_paths_up_to"),
        )
    }
    | {
        own: f"python.util.nest._{own}"
        for own in ("is_namedtuple", "yield_value", "yield_sorted_items")
    }
    | {
        "rebuilt": "python.util.nest._sequence_like",
        "get_traverse_shallow_structure": (
            "python.util.nest.get_traverse_shallow_structure "
            "__internal__.nest.get_traverse_shallow_structure"
        ),
    }
    | {
        name: f"python.util.nest.{name} __internal__.nest.{name}"
        for name in ("flatten_up_to", "is_mapping", "map_structure_up_to", "yield_flat_paths")
    },
    "inner.identities": {
        name: f"python.util.object_identity.{name}"
        for name in (
            *("ObjectIdentityDictionary", "ObjectIdentitySet", "ObjectIdentityWeakKeyDictionary"),
            *("ObjectIdentityWeakSet", "Reference"),
        )
    },
    "inner.recording": {
        "could_possibly_record": "python.eager.record.could_possibly_record",
        "should_record_backprop": "python.eager.record.should_record_backprop",
        "stop_recording": "python.eager.record.stop_recording",
        "watch": "python.eager.tape.watch",
        "remove_undocumented": "python.util.all_util.remove_undocumented",
    },
    "inner.trials": {
        name: f"python.framework.test_util.{name}"
        for name in (
            *("run_all_in_graph_and_eager_modes", "run_in_graph_and_eager_modes", "run_v2_only"),
            *("deprecated_graph_mode_only", "run_deprecated_v1", "run_v1_only"),
        )
    },
    "inner.weights": {
        "assert_broadcastable": "python.ops.weights_broadcast_ops.assert_broadcastable",
        "broadcast_weights": (
            "python.ops.weights_broadcast_ops.broadcast_weights __internal__.ops.broadcast_weights"
        ),
    },
    "inner.decorating": {
        name: f"python.util.tf_decorator.{name}"
        for name in ("TFDecorator", "make_decorator", "unwrap")
    },
    "inner.inspecting": {
        name: f"python.util.tf_inspect.{'_inspect' if name == 'inspect' else name}"
        for name in (
            *(
                "inspect",
                "ArgSpec",
                "FullArgSpec",
                "Parameter",
                "Signature",
                "getargspec",
                "getcallargs",
            ),
            *("getdoc", "getfile", "getfullargspec", "getmembers", "getmodule", "getmro"),
            *("getsource", "getsourcefile", "getsourcelines", "isanytargetmethod", "isbuiltin"),
            *("isclass", "isfunction", "isgenerator", "isgeneratorfunction", "ismethod"),
            *("ismodule", "isroutine", "signature"),
        )
    },
    "inner.announcing": {
        name: f"python.util.deprecation.{name}"
        for name in (
            *("DeprecatedNamesAlreadySetError", "deprecated", "deprecated_alias"),
            *("deprecated_argument_lookup", "deprecated_endpoints", "silence"),
        )
    }
    | {
        "InvalidSymbolNameError": "python.util.tf_export.InvalidSymbolNameError",
        "TfExport": (f"python.util.tf_export.tf_export {_SPARSE}.sparse_csr_matrix_ops.tf_export"),
        "KerasExport": "python.util.tf_export.keras_export",
    },
    "inner.batches": {
        name: f"python.keras.engine.data_adapter.{name}"
        for name in ("expand_1d", "pack_x_y_sample_weight", "unpack_x_y_sample_weight")
    },
    "inner.flow": {
        "ENABLE_CONTROL_FLOW_V2": f"{_FLOW}.ENABLE_CONTROL_FLOW_V2",
        "in_xla_context": f"{_FLOW}.GraphOrParentsInXlaContext",
        "control_flow_v2_enabled": "compat.v1.control_flow_v2_enabled",
        "enable_control_flow_v2": "compat.v1.enable_control_flow_v2",
        "pfor": "python.ops.parallel_for.control_flow_ops.pfor",
        "case_helper": "python.ops.control_flow_case._case_helper",
    },
    "inner.converting": {"convert_to_tensor": "python.framework.ops.convert_to_tensor"},
    "inner.scopes": {"name_scope": "python.framework.ops.name_scope"},
    "inner.gradients": {
        "jacobian": "python.ops.parallel_for.gradients.jacobian",
        "hessian_vector_product": "python.ops.gradients_impl._hessian_vector_product",
    },
    "inner.known": {
        "variables_as_tensors": "python.util.variable_utils.convert_variables_to_tensors",
        "sticky_attribute_assignment": (
            "python.trackable.data_structures.sticky_attribute_assignment"
        ),
        "shape_of_constant": "python.framework.tensor_util.constant_value_as_shape",
        "evaluated": "python.framework.tensor_util.try_evaluate_constant",
        "as_shape": "python.framework.tensor_shape.as_shape",
        "sliced": "python.ops.tensor_getitem_override._slice_helper",
        "sliced_variable": "python.ops.tensor_getitem_override._slice_helper_var",
    },
    "inner.arguments": {
        name: f"python.util.deprecation.{name}"
        for name in ("deprecated_arg_values", "deprecated_args")
    },
    "sparse.converting": {
        "convert_to_tensor_or_sparse_tensor": "compat.v1.convert_to_tensor_or_sparse_tensor",
    },
    "exchanging": {
        "from_dlpack": "experimental.dlpack.from_dlpack",
        "to_dlpack": "experimental.dlpack.to_dlpack",
    },
    "older.training": {
        name: f"compat.v1.train.{name}"
        for name in (
            *("AdagradOptimizer", "AdamOptimizer", "GradientDescentOptimizer", "Optimizer"),
            *("MomentumOptimizer", "RMSPropOptimizer"),
            *("get_global_step", "get_or_create_global_step"),
        )
    },
    "older.stepped": {
        name: f"compat.v1.train.{name}"
        for name in (
            *("AdadeltaOptimizer", "FtrlOptimizer", "ProximalAdagradOptimizer"),
            "ProximalGradientDescentOptimizer",
        )
    },
    "devices.runtime": {
        "CriticalSection": "CriticalSection",
        "async_clear_error": "experimental.async_clear_error",
        "async_scope": "experimental.async_scope",
        "async_wait": "python.eager.context.async_wait",
        "context": "python.eager.context.context",
        "eager_mode": "python.eager.context.eager_mode",
        "get_build_info": "sysconfig.get_build_info",
        "is_op_determinism_enabled": "python.framework.config.is_op_determinism_enabled",
        "get_current_name_scope": "get_current_name_scope",
        "inside_function": "inside_function",
        "set_verbosity": "autograph.set_verbosity",
        "trace": "autograph.trace",
        "tuple_v2": "tuple",
        "do_not_convert": "autograph.experimental.do_not_convert",
        "tf2_enabled": "__internal__.tf2.enabled",
        "as_text": "compat.as_text",
        "as_bytes": "compat.as_bytes",
        "as_str": "compat.as_str",
        "as_str_any": "compat.as_str_any",
        **{
            name: f"version.{name} compat.v1.{name}"
            for name in (
                *("VERSION", "GIT_VERSION", "COMPILER_VERSION", "GRAPH_DEF_VERSION"),
                *("GRAPH_DEF_VERSION_MIN_CONSUMER", "GRAPH_DEF_VERSION_MIN_PRODUCER"),
            )
        },
    },
    "autograph": {
        "to_code": "autograph.to_code",
        "to_graph": "autograph.to_graph",
        "Feature": "autograph.experimental.Feature",
        "set_loop_options": "autograph.experimental.set_loop_options",
    },
    "devices.local": {"list_local_devices": "python.client.device_lib.list_local_devices"},
    "devices.profiling": {
        name: f"profiler.experimental.{name}"
        for name in ("Profile", "ProfilerOptions", "Trace", "start", "stop")
    },
    "operations": {
        "guarantee_const": "guarantee_const",
        "make_composite_tensor": "python.ops.linalg.linear_operator.make_composite_tensor",
        "prevent_gradient": "python.ops.array_ops.prevent_gradient",
        "parallel_stack": "parallel_stack",
        "dynamic_update_slice": "compiler.tf2xla.python.xla.dynamic_update_slice",
        "smart_cond": "__internal__.smart_cond.smart_cond",
    },
    "sparse.records": {
        name: f"io.{name}"
        for name in (
            *("parse_example", "parse_sequence_example"),
            *("parse_single_example", "parse_single_sequence_example"),
        )
    },
    "sparse.serializing": {
        name: f"io.{name}"
        for name in ("serialize_sparse", "serialize_many_sparse", "deserialize_many_sparse")
    },
    "sparse.decoding": {
        "ctc_beam_search_decoder": "nn.ctc_beam_search_decoder",
        "ctc_greedy_decoder": "nn.ctc_greedy_decoder",
        "edit_distance": "edit_distance",
    },
    "sparse.rows.sets": {
        name: f"sets.{name}" for name in ("difference", "intersection", "size", "union")
    },
    "sparse.measuring": {name: name for name in ("rank", "shape", "size")},
    "sparse.matrices": {
        name: f"{_SPARSE}.sparse.{name} {_SPARSE}.sparse_csr_matrix_ops.{name}"
        for name in ("CSRSparseMatrix", "SparseMatrix", "matmul")
    },
    "sparse.rows.lookups": {
        "embedding_lookup_sparse": "nn.embedding_lookup_sparse",
        "safe_embedding_lookup_sparse": "nn.safe_embedding_lookup_sparse",
        "sparse_tensor_to_csr_sparse_matrix": (
            f"{_SPARSE}.sparse_csr_matrix_ops.sparse_tensor_to_csr_sparse_matrix"
        ),
        "csr_sparse_matrix_to_sparse_tensor": (
            f"{_SPARSE}.sparse_csr_matrix_ops.csr_sparse_matrix_to_sparse_tensor"
        ),
        "sparse_matrix_sparse_mat_mul": (
            f"{_SPARSE}.sparse_csr_matrix_ops.sparse_matrix_sparse_mat_mul"
        ),
    },
}

STAND_INS = {
    name: f"symtape.stand_in.{home}:{own}"
    for home, names in _HOMES.items()
    for own, paths in names.items()
    for name in paths.split()
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
    f"{_SPECS}.BatchableTypeSpec": "symtape.ops.spec:BatchableTypeSpec",
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
    *_HOMES["sparse.measuring"].values(),
    *_HOMES["sparse.records"].values(),
}
"""Names that the public face has, too, and that mean more here, where there are sparse tensors."""
