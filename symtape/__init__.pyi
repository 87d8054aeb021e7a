# What `symtape` shows, and where each name is: for type checkers, and for `__init__.py`, too.
# ruff: isort: skip_file
from symtape import (
    audio as audio,
    autodiff as autodiff,
    bitwise as bitwise,
    config as config,
    data as data,
    debugging as debugging,
    distribute as distribute,
    dtypes as dtypes,
    errors as errors,
    image as image,
    io as io,
    keras as keras,
    linalg as linalg,
    lookup as lookup,
    math as math,
    nest as nest,
    nn as nn,
    quantization as quantization,
    ragged as ragged,
    random as random,
    saved_model as saved_model,
    signal as signal,
    stand_in as stand_in,
    strings as strings,
    summary as summary,
    test as test,
    train as train,
    verify as verify,
)
from symtape.cache import cache_clear as cache_clear, cache_info as cache_info
from symtape.compiled.function import CompiledFormula as CompiledFormula
from symtape.compiled.resized import ResizedFormula as ResizedFormula
from symtape.compiled.saving import (
    from_json as from_json,
    load as load,
    save as save,
    to_json as to_json,
)
from symtape.differentiation.custom_gradient import (
    custom_gradient as custom_gradient,
    grad_pass_through as grad_pass_through,
)
from symtape.differentiation.recomputing import recompute_grad as recompute_grad
from symtape.differentiation.registering import (
    RegisterGradient as RegisterGradient,
    no_gradient as no_gradient,
)
from symtape.errors import (
    DerivativeError as DerivativeError,
    EscapedValueError as EscapedValueError,
    ExpansionError as ExpansionError,
    ExtraNotInstalledError as ExtraNotInstalledError,
    FormatError as FormatError,
    NoExactFormError as NoExactFormError,
    NoMatrixFormError as NoMatrixFormError,
    NotationError as NotationError,
    PathConditionError as PathConditionError,
    ReleasedError as ReleasedError,
    SizeWarning as SizeWarning,
    SymtapeError as SymtapeError,
    UnsupportedError as UnsupportedError,
)
from symtape.frontends.jax_functions import from_jax as from_jax
from symtape.frontends.sympy_functions import from_sympy as from_sympy
from symtape.frontends.torch_functions.importing import from_torch as from_torch
from symtape.functions.scipy.boundary import bvp as bvp
from symtape.functions.scipy.curves import curve as curve
from symtape.functions.scipy.equations import ode as ode
from symtape.functions.scipy.objective import objective as objective
from symtape.functions.scipy.residuals import residuals as residuals
from symtape.functions.tracing.function import Function as Function
from symtape.functions.transforms.gradients import grad as grad, value_and_grad as value_and_grad
from symtape.functions.transforms.jacobians import hessian as hessian, jacobian as jacobian
from symtape.functions.transforms.ordinary import derivative as derivative
from symtape.functions.transforms.products import hvp as hvp, jvp as jvp, vjp as vjp
from symtape.functions.transforms.programs import trace as trace
from symtape.keras import (
    initializers as initializers,
    losses as losses,
    metrics as metrics,
    optimizers as optimizers,
)
from symtape.notation.derivative import differentiate as differentiate
from symtape.ops.arguments import is_tensor as is_tensor
from symtape.ops.checks.shapes import assert_rank as assert_rank
from symtape.ops.checks.values import (
    Assert as Assert,
    assert_equal as assert_equal,
    assert_greater as assert_greater,
    assert_less as assert_less,
)
from symtape.ops.control.flow import (
    case as case,
    cond as cond,
    control_dependencies as control_dependencies,
    executing_eagerly as executing_eagerly,
    group as group,
    init_scope as init_scope,
    is_symbolic_tensor as is_symbolic_tensor,
    name_scope as name_scope,
    no_op as no_op,
    switch_case as switch_case,
    while_loop as while_loop,
)
from symtape.ops.control.function import function as function
from symtape.ops.control.mapping import (
    foldl as foldl,
    foldr as foldr,
    map_fn as map_fn,
    scan as scan,
    vectorized_map as vectorized_map,
)
from symtape.ops.control.python_functions import (
    numpy_function as numpy_function,
    py_function as py_function,
)
from symtape.ops.control.tensor_array import TensorArray as TensorArray
from symtape.ops.elementwise.arithmetic import (
    add as add,
    add_n as add_n,
    atan2 as atan2,
    clip_by_value as clip_by_value,
    divide as divide,
    maximum as maximum,
    minimum as minimum,
    multiply as multiply,
    pow as pow,
    scalar_mul as scalar_mul,
    subtract as subtract,
    truediv as truediv,
    where as where,
)
from symtape.ops.elementwise.bits import bitcast as bitcast
from symtape.ops.elementwise.comparison import (
    equal as equal,
    greater as greater,
    greater_equal as greater_equal,
    less as less,
    less_equal as less_equal,
    logical_and as logical_and,
    logical_not as logical_not,
    logical_or as logical_or,
    not_equal as not_equal,
)
from symtape.ops.elementwise.casting import cast as cast
from symtape.ops.elementwise.conversion import (
    constant as constant,
    convert_to_tensor as convert_to_tensor,
    ensure_shape as ensure_shape,
    identity as identity,
    identity_n as identity_n,
    saturate_cast as saturate_cast,
    stop_gradient as stop_gradient,
)
from symtape.ops.elementwise.functions import (
    abs as abs,
    acos as acos,
    acosh as acosh,
    asin as asin,
    asinh as asinh,
    atan as atan,
    atanh as atanh,
    complex as complex,
    cos as cos,
    cosh as cosh,
    exp as exp,
    floor as floor,
    negative as negative,
    round as round,
    sigmoid as sigmoid,
    sign as sign,
    sin as sin,
    sinh as sinh,
    sqrt as sqrt,
    square as square,
    tan as tan,
    tanh as tanh,
)
from symtape.ops.elementwise.truncation import (
    truncatediv as truncatediv,
    truncatemod as truncatemod,
)
from symtape.ops.indexing.gathering import gather as gather, gather_nd as gather_nd
from symtape.ops.indexing.partition import (
    dynamic_partition as dynamic_partition,
    dynamic_stitch as dynamic_stitch,
)
from symtape.ops.indexing.picking import (
    boolean_mask as boolean_mask,
    repeat as repeat,
    slice as slice,
    strided_slice as strided_slice,
)
from symtape.ops.indexing.scattering import (
    scatter_nd as scatter_nd,
    tensor_scatter_nd_add as tensor_scatter_nd_add,
    tensor_scatter_nd_max as tensor_scatter_nd_max,
    tensor_scatter_nd_min as tensor_scatter_nd_min,
    tensor_scatter_nd_sub as tensor_scatter_nd_sub,
    tensor_scatter_nd_update as tensor_scatter_nd_update,
)
from symtape.ops.indexing.unraveling import unravel_index as unravel_index
from symtape.ops.initializers import (
    constant_initializer as constant_initializer,
    ones_initializer as ones_initializer,
    random_normal_initializer as random_normal_initializer,
    random_uniform_initializer as random_uniform_initializer,
    zeros_initializer as zeros_initializer,
)
from symtape.ops.linalg.contraction import einsum as einsum
from symtape.ops.linalg.products import matmul as matmul, tensordot as tensordot
from symtape.ops.linalg.spectra import eig as eig, eigvals as eigvals
from symtape.ops.module import Module as Module
from symtape.ops.nn.blocks import (
    batch_to_space as batch_to_space,
    required_space_to_batch_paddings as required_space_to_batch_paddings,
    space_to_batch as space_to_batch,
    space_to_batch_nd as space_to_batch_nd,
)
from symtape.ops.nn.windows.patches import extract_volume_patches as extract_volume_patches
from symtape.ops.ragged.spec import RaggedTensorSpec as RaggedTensorSpec
from symtape.ops.ragged.tensor import RaggedTensor as RaggedTensor
from symtape.ops.reductions.distinct import (
    unique as unique,
    unique_with_counts as unique_with_counts,
)
from symtape.ops.reductions.histograms import (
    histogram_fixed_width as histogram_fixed_width,
    histogram_fixed_width_bins as histogram_fixed_width_bins,
)
from symtape.ops.reductions.norms import (
    clip_by_global_norm as clip_by_global_norm,
    clip_by_norm as clip_by_norm,
    norm as norm,
)
from symtape.ops.reductions.ordering import (
    argmax as argmax,
    argmin as argmin,
    argsort as argsort,
    searchsorted as searchsorted,
    sort as sort,
)
from symtape.ops.reductions.reduction import (
    reduce_all as reduce_all,
    reduce_any as reduce_any,
    reduce_logsumexp as reduce_logsumexp,
    reduce_max as reduce_max,
    reduce_mean as reduce_mean,
    reduce_min as reduce_min,
    reduce_prod as reduce_prod,
    reduce_sum as reduce_sum,
)
from symtape.ops.reductions.scan import cumsum as cumsum
from symtape.ops.runtime.clock import timestamp as timestamp
from symtape.ops.runtime.device_specs import DeviceSpec as DeviceSpec, device as device
from symtape.ops.runtime.devices import get_logger as get_logger
from symtape.ops.runtime.printing import print as print
from symtape.ops.shapes.creation import (
    eye as eye,
    fill as fill,
    ones as ones,
    ones_like as ones_like,
    rank as rank,
    shape as shape,
    shape_n as shape_n,
    size as size,
    zeros as zeros,
    zeros_like as zeros_like,
)
from symtape.ops.shapes.grids import (
    linspace as linspace,
    meshgrid as meshgrid,
    range as range,
)
from symtape.ops.shapes.joining import (
    concat as concat,
    pad as pad,
    split as split,
    stack as stack,
    unstack as unstack,
)
from symtape.ops.shapes.known import (
    broadcast_dynamic_shape as broadcast_dynamic_shape,
    broadcast_static_shape as broadcast_static_shape,
    get_static_value as get_static_value,
)
from symtape.ops.shapes.marking import one_hot as one_hot, sequence_mask as sequence_mask
from symtape.ops.shapes.repetition import (
    broadcast_to as broadcast_to,
    reverse as reverse,
    reverse_sequence as reverse_sequence,
    roll as roll,
    tile as tile,
)
from symtape.ops.shapes.shaping import (
    expand_dims as expand_dims,
    reshape as reshape,
    squeeze as squeeze,
    transpose as transpose,
)
from symtape.ops.spec import TensorSpec as TensorSpec
from symtape.ops.strings.numerals import as_string as as_string
from symtape.tape import (
    GradientTape as GradientTape,
    UnconnectedGradients as UnconnectedGradients,
)
from symtape.tape.graphs import gradients as gradients, hessians as hessians
from symtape.tensor.dtypes import (
    DType as DType,
    as_dtype as as_dtype,
    bool_,
    complex128 as complex128,
    complex64 as complex64,
    double as double,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    half as half,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    int8 as int8,
    string as string,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
    uint8 as uint8,
)
from symtape.tensor.readings.together import lambdify as lambdify
from symtape.tensor.shape import TensorShape as TensorShape
from symtape.tensor.indexing.slices import IndexedSlices as IndexedSlices
from symtape.tensor.tensor import Tensor as Tensor
from symtape.tensor.variables.modes import (
    VariableAggregationV2,
    VariableSynchronization as VariableSynchronization,
)
from symtape.tensor.variables.variable import Variable as Variable

bool = bool_
VariableAggregation = VariableAggregationV2

__version__: str
bfloat16: DType
newaxis: None
