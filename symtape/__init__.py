"""TensorFlow's eager names with exact derivatives: `import symtape as tf`."""

from functools import partial
from importlib import import_module
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from symtape import (
    autodiff,
    bitwise,
    debugging,
    dtypes,
    errors,
    linalg,
    math,
    nest,
    nn,
)
from symtape.cache import cache_clear, cache_info
from symtape.compiled.function import CompiledFormula
from symtape.compiled.resized import ResizedFormula
from symtape.errors import (
    DerivativeError,
    EscapedValueError,
    ExpansionError,
    ExtraNotInstalledError,
    FormatError,
    NoExactFormError,
    NoMatrixFormError,
    NotationError,
    PathConditionError,
    ReleasedError,
    SizeWarning,
    SymtapeError,
    UnsupportedError,
)
from symtape.namespace import show
from symtape.ops.arguments import is_tensor
from symtape.ops.checks.shapes import assert_rank
from symtape.ops.checks.values import (
    Assert,
    assert_equal,
    assert_greater,
    assert_less,
)
from symtape.ops.control.flow import (
    case,
    cond,
    control_dependencies,
    executing_eagerly,
    group,
    init_scope,
    is_symbolic_tensor,
    name_scope,
    no_op,
    switch_case,
    while_loop,
)
from symtape.ops.control.function import function
from symtape.ops.control.mapping import (
    foldl,
    foldr,
    map_fn,
    scan,
    vectorized_map,
)
from symtape.ops.control.python_functions import numpy_function, py_function
from symtape.ops.control.tensor_array import TensorArray
from symtape.ops.elementwise.arithmetic import (
    add,
    add_n,
    atan2,
    clip_by_value,
    divide,
    maximum,
    minimum,
    multiply,
    pow,
    scalar_mul,
    subtract,
    truediv,
    where,
)
from symtape.ops.elementwise.bits import bitcast
from symtape.ops.elementwise.comparison import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    not_equal,
)
from symtape.ops.elementwise.conversion import (
    cast,
    constant,
    convert_to_tensor,
    ensure_shape,
    identity,
    identity_n,
    saturate_cast,
    stop_gradient,
)
from symtape.ops.elementwise.functions import (
    abs,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    complex,
    cos,
    cosh,
    exp,
    floor,
    negative,
    round,
    sigmoid,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
)
from symtape.ops.elementwise.truncation import truncatediv, truncatemod
from symtape.ops.indexing.gathering import (
    gather,
    gather_nd,
)
from symtape.ops.indexing.partition import (
    dynamic_partition,
    dynamic_stitch,
)
from symtape.ops.indexing.picking import (
    boolean_mask,
    repeat,
    slice,
    strided_slice,
)
from symtape.ops.indexing.scattering import (
    scatter_nd,
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from symtape.ops.indexing.unraveling import unravel_index
from symtape.ops.linalg.contraction import einsum
from symtape.ops.linalg.products import matmul, tensordot
from symtape.ops.linalg.spectra import eig, eigvals
from symtape.ops.module import Module
from symtape.ops.nn.blocks import (
    batch_to_space,
    required_space_to_batch_paddings,
    space_to_batch,
    space_to_batch_nd,
)
from symtape.ops.nn.windows.patches import (
    extract_volume_patches,
)
from symtape.ops.reductions.distinct import (
    unique,
    unique_with_counts,
)
from symtape.ops.reductions.histograms import histogram_fixed_width, histogram_fixed_width_bins
from symtape.ops.reductions.norms import clip_by_global_norm, clip_by_norm, norm
from symtape.ops.reductions.ordering import (
    argmax,
    argmin,
    argsort,
    searchsorted,
    sort,
)
from symtape.ops.reductions.reduction import (
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from symtape.ops.reductions.scan import cumsum
from symtape.ops.runtime.device_specs import DeviceSpec, device
from symtape.ops.runtime.devices import get_logger
from symtape.ops.runtime.printing import print
from symtape.ops.shapes.creation import (
    eye,
    fill,
    ones,
    ones_like,
    rank,
    shape,
    shape_n,
    size,
    zeros,
    zeros_like,
)
from symtape.ops.shapes.grids import linspace, meshgrid, one_hot, range, sequence_mask
from symtape.ops.shapes.joining import concat, pad, split, stack, unstack
from symtape.ops.shapes.known import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
    get_static_value,
)
from symtape.ops.shapes.repetition import (
    broadcast_to,
    reverse,
    reverse_sequence,
    roll,
    tile,
)
from symtape.ops.shapes.shaping import expand_dims, reshape, squeeze, transpose
from symtape.ops.spec import TensorSpec
from symtape.tape import GradientTape, UnconnectedGradients, gradients, hessians
from symtape.tensor.dtypes import (
    DType,
    as_dtype,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from symtape.tensor.dtypes import bool_ as bool
from symtape.tensor.shape import TensorShape
from symtape.tensor.slices import IndexedSlices
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.modes import VariableAggregationV2 as VariableAggregation
from symtape.tensor.variables.modes import VariableSynchronization
from symtape.tensor.variables.variable import Variable
from symtape.version import __version__

if TYPE_CHECKING:
    from symtape import (
        config,
        data,
        distribute,
        image,
        io,
        keras,
        lookup,
        quantization,
        ragged,
        random,
        saved_model,
        signal,
        stand_in,
        strings,
        summary,
        test,
        train,
        verify,
    )
    from symtape.compiled.saving import from_json, load, save, to_json
    from symtape.differentiation.custom_gradient import custom_gradient, grad_pass_through
    from symtape.differentiation.recomputing import recompute_grad
    from symtape.differentiation.registering import RegisterGradient, no_gradient
    from symtape.frontends.jax_functions import from_jax
    from symtape.frontends.sympy_functions import from_sympy
    from symtape.frontends.torch_functions.importing import from_torch
    from symtape.functions.scipy.boundary import bvp
    from symtape.functions.scipy.curves import curve
    from symtape.functions.scipy.equations import ode
    from symtape.functions.scipy.objective import objective
    from symtape.functions.scipy.residuals import residuals
    from symtape.functions.tracing.function import Function
    from symtape.functions.transforms.ordinary import derivative
    from symtape.functions.transforms.products import hvp, jvp, vjp
    from symtape.functions.transforms.transforms import (
        grad,
        hessian,
        jacobian,
        trace,
        value_and_grad,
    )
    from symtape.keras import initializers, losses, metrics, optimizers
    from symtape.notation.derivative import differentiate
    from symtape.ops.initializers import (
        constant_initializer,
        ones_initializer,
        random_normal_initializer,
        random_uniform_initializer,
        zeros_initializer,
    )
    from symtape.ops.ragged.spec import RaggedTensorSpec
    from symtape.ops.ragged.tensor import RaggedTensor
    from symtape.ops.runtime.clock import timestamp
    from symtape.ops.strings.numerals import as_string

    bfloat16: DType

newaxis = None

_NAMESPACES = {
    name: partial(import_module, f"symtape.{name}")
    for name in (
        *("audio", "config", "data", "distribute", "image", "io", "lookup", "quantization"),
        *("ragged", "random", "saved_model", "signal", "stand_in", "strings", "summary", "test"),
        *("train", "verify"),
    )
}
"""Namespaces that are imported when they are first used."""


def _of_keras(name: str) -> Any:
    """Give Keras, or a part of it that TensorFlow shows at the top."""
    return resolve_name("symtape.stand_in.training:shown")(name)


_KERAS = {
    name: partial(_of_keras, name)
    for name in ("keras", "initializers", "losses", "metrics", "optimizers")
}
"""What is Keras itself where symtape stands in for TensorFlow and it is installed."""

_HOMES = {
    name: partial(resolve_name, f"symtape.{home}:{name}")
    for home, names in {
        "dtypes": "bfloat16",
        "frontends.jax_functions": "from_jax",
        "frontends.sympy_functions": "from_sympy",
        "frontends.torch_functions.importing": "from_torch",
        "differentiation.custom_gradient": "custom_gradient grad_pass_through",
        "differentiation.recomputing": "recompute_grad",
        "differentiation.registering": "RegisterGradient no_gradient",
        "functions.scipy.boundary": "bvp",
        "functions.scipy.curves": "curve",
        "functions.scipy.equations": "ode",
        "functions.scipy.objective": "objective",
        "functions.tracing.function": "Function",
        "functions.transforms.ordinary": "derivative",
        "functions.transforms.products": "hvp jvp vjp",
        "functions.scipy.residuals": "residuals",
        "functions.transforms.transforms": "grad hessian jacobian trace value_and_grad",
        "notation.derivative": "differentiate",
        "ops.runtime.clock": "timestamp",
        "ops.ragged.spec": "RaggedTensorSpec",
        "ops.ragged.tensor": "RaggedTensor",
        "ops.strings.numerals": "as_string",
        "ops.initializers": "constant_initializer ones_initializer random_normal_initializer "
        "random_uniform_initializer zeros_initializer",
        "compiled.saving": "from_json load save to_json",
    }.items()
    for name in names.split()
}
"""Where other names are that are imported when they are first used."""

__all__ = [
    "Assert",
    "CompiledFormula",
    "DType",
    "DerivativeError",
    "DeviceSpec",
    "EscapedValueError",
    "ExpansionError",
    "ExtraNotInstalledError",
    "FormatError",
    "Function",
    "GradientTape",
    "IndexedSlices",
    "Module",
    "NoExactFormError",
    "NoMatrixFormError",
    "NotationError",
    "PathConditionError",
    "RaggedTensor",
    "RaggedTensorSpec",
    "RegisterGradient",
    "ReleasedError",
    "ResizedFormula",
    "SizeWarning",
    "SymtapeError",
    "Tensor",
    "TensorArray",
    "TensorShape",
    "TensorSpec",
    "UnconnectedGradients",
    "UnsupportedError",
    "Variable",
    "VariableAggregation",
    "VariableSynchronization",
    "abs",
    "acos",
    "acosh",
    "add",
    "add_n",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "as_string",
    "asin",
    "asinh",
    "assert_equal",
    "assert_greater",
    "assert_less",
    "assert_rank",
    "atan",
    "atan2",
    "atanh",
    "audio",
    "autodiff",
    "batch_to_space",
    "bitcast",
    "bitwise",
    "bool",
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "bvp",
    "cache_clear",
    "cache_info",
    "case",
    "cast",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "complex",
    "complex64",
    "complex128",
    "concat",
    "cond",
    "config",
    "constant",
    "constant_initializer",
    "control_dependencies",
    "convert_to_tensor",
    "cos",
    "cosh",
    "cumsum",
    "curve",
    "custom_gradient",
    "data",
    "debugging",
    "derivative",
    "device",
    "differentiate",
    "distribute",
    "divide",
    "double",
    "dtypes",
    "dynamic_partition",
    "dynamic_stitch",
    "eig",
    "eigvals",
    "einsum",
    "ensure_shape",
    "equal",
    "errors",
    "executing_eagerly",
    "exp",
    "expand_dims",
    "extract_volume_patches",
    "eye",
    "fill",
    "float16",
    "float32",
    "float64",
    "floor",
    "foldl",
    "foldr",
    "from_jax",
    "from_json",
    "from_sympy",
    "from_torch",
    "function",
    "gather",
    "gather_nd",
    "get_logger",
    "get_static_value",
    "grad",
    "grad_pass_through",
    "gradients",
    "greater",
    "greater_equal",
    "group",
    "half",
    "hessian",
    "hessians",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "hvp",
    "identity",
    "identity_n",
    "image",
    "init_scope",
    "initializers",
    "int8",
    "int16",
    "int32",
    "int64",
    "io",
    "is_symbolic_tensor",
    "is_tensor",
    "jacobian",
    "jvp",
    "keras",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "load",
    "logical_and",
    "logical_not",
    "logical_or",
    "lookup",
    "losses",
    "map_fn",
    "math",
    "matmul",
    "maximum",
    "meshgrid",
    "metrics",
    "minimum",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_gradient",
    "no_op",
    "norm",
    "not_equal",
    "numpy_function",
    "objective",
    "ode",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "optimizers",
    "pad",
    "pow",
    "print",
    "py_function",
    "quantization",
    "ragged",
    "random",
    "random_normal_initializer",
    "random_uniform_initializer",
    "range",
    "rank",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "repeat",
    "required_space_to_batch_paddings",
    "reshape",
    "residuals",
    "reverse",
    "reverse_sequence",
    "roll",
    "round",
    "saturate_cast",
    "save",
    "saved_model",
    "scalar_mul",
    "scan",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "shape",
    "shape_n",
    "sigmoid",
    "sign",
    "signal",
    "sin",
    "sinh",
    "size",
    "slice",
    "sort",
    "space_to_batch",
    "space_to_batch_nd",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stand_in",
    "stop_gradient",
    "strided_slice",
    "string",
    "strings",
    "subtract",
    "summary",
    "switch_case",
    "tan",
    "tanh",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensordot",
    "test",
    "tile",
    "timestamp",
    "to_json",
    "trace",
    "train",
    "transpose",
    "truediv",
    "truncatediv",
    "truncatemod",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique",
    "unique_with_counts",
    "unravel_index",
    "unstack",
    "value_and_grad",
    "vectorized_map",
    "verify",
    "vjp",
    "where",
    "while_loop",
    "zeros",
    "zeros_initializer",
    "zeros_like",
]

show(__name__, __all__, {**_NAMESPACES, **_HOMES, **_KERAS}, hidden=["bfloat16"])
