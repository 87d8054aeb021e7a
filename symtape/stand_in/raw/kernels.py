"""TensorFlow's kernels, and what does the same.

A line is a kernel, a function, and the kernel's arguments in the order in which the function takes
them. What is no tensor is read by its kind, that of its default; one without a default says it, as
`padding:str`. An argument that says how, and not what, to compute ends with `~`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import (
    FEATURES,
    PLACES,
    allowed,
    check,
    listed,
    of_kernel,
    pair,
    plain,
    tensor,
)
from symtape.ops.elementwise import (
    activation,
    arithmetic,
    bits,
    comparison,
    conversion,
    functions,
    special,
)
from symtape.ops.elementwise.truncation import truncatediv, truncatemod
from symtape.ops.indexing import gathering, picking, scattering
from symtape.ops.linalg import contraction, diagonals, products, solving
from symtape.ops.nn import loss, normalization
from symtape.ops.nn.windows import pooling
from symtape.ops.reductions import distinct, ordering, reduction, scan, segments
from symtape.ops.shapes import creation, joining, marking, repetition, shaping
from symtape.stand_in import operations, projecting
from symtape.stand_in.older import operations as older_operations
from symtape.stand_in.raw import strict
from symtape.stand_in.raw.backwards import BACKWARDS, STEPS, WINDOW, convolved, padding_of
from symtape.stand_in.raw.batch_norm import BATCH_NORM
from symtape.stand_in.raw.recurrent import RECURRENT
from symtape.stand_in.raw.resources import RESOURCES
from symtape.stand_in.raw.same import SAME
from symtape.stand_in.raw.slopes import gradient
from symtape.stand_in.raw.sparse import SPARSE
from symtape.stand_in.raw.training import TRAINING
from symtape.tensor import dtypes
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of

Run = Callable[..., Any]


def _largest(x: Any, size: Any, strides: Any, padding: Any, explicit: Any, form: str) -> Tensor:
    made: Tensor = pooling.max_pool2d(x, size, strides, padding_of(padding, explicit), form)
    return made


def _cast(x: Any, kind: Any, truncate: bool) -> Tensor:
    x, wanted = tensor(x), dtypes.as_dtype(kind)
    if truncate and wanted.is_floating and wanted.size == 2 and x.dtype is not wanted:
        raise UnsupportedError("tf.raw_ops.Cast(Truncate=True): numbers are rounded; use tf.cast")
    if x.dtype.is_complex and not wanted.is_complex:
        x = functions.real(x)
    return conversion.cast(x, wanted)


_QUOTIENTS = {
    "DivNoNan": ("half, float, bfloat16, double, complex64, complex128", arithmetic.divide_no_nan),
    "RealDiv": ("bfloat16, half, float, double, complex64, complex128", arithmetic.divide),
}


def _quotient(name: str) -> Run:
    """Divide numbers that are not whole."""
    text, divide = _QUOTIENTS[name]
    kinds = allowed(text)

    def run(x: Any, y: Any) -> Tensor:
        x, y = pair(x, y)
        check(name, x, kinds, "x:T, y:T -> z:T")
        made: Tensor = divide(x, y)
        return made

    return run


def _divided(x: Any, y: Any) -> Tensor:
    """Divide; of whole numbers without the rest."""
    x, y = pair(x, y)
    if y.dtype.is_integer and not np.all(plain(y)):
        raise invalid("Div", "Integer division by zero")
    made: Tensor = (truncatediv if x.dtype.is_integer else arithmetic.divide)(x, y)
    return made


def _joined(values: Any, axis: Any) -> Tensor:
    parts = list(values)
    if len(parts) < 2:
        raise invalid("ConcatV2", f"Value for attr 'N' of {len(parts)} must be at least minimum 2")
    made: Tensor = joining.concat(parts, axis)
    return made


def _gathered(x: Any, places: Any, policy: str) -> Tensor:
    made: Tensor = gathering.gather_nd(x, places, bad_indices_policy=policy)
    return made


class BroadcastGradientArgs(NamedTuple):
    """Along which axes a gradient is summed, for each of two shapes."""

    r0: Tensor
    r1: Tensor


def _summed(first: Any, second: Any) -> BroadcastGradientArgs:
    """Say along which axes a gradient is summed for each of two shapes that are broadcast.

    Raises `InvalidArgumentError` for shapes that are not.
    """
    given = [of_kernel(s, dtypes.int32, PLACES) for s in (first, second)]
    shapes = [tuple(np.ravel(plain(s)).tolist()) for s in given]
    try:
        whole = np.broadcast_shapes(*shapes)
    except ValueError:
        told = " vs. ".join(listed(s) for s in shapes)
        raise invalid("BroadcastGradientArgs", f"Incompatible shapes: {told}") from None
    rows = [(1,) * (len(whole) - len(s)) + s for s in shapes]
    kinds = [dtype_of(s) for s in given if np.size(plain(s))]
    dtype = kinds[0] if kinds else np.dtype(np.int32)
    axes = [[k for k, n in enumerate(row) if n == 1 and shapes[0] != shapes[1]] for row in rows]
    return BroadcastGradientArgs(*[conversion.constant(np.asarray(a, dtype)) for a in axes])


def _compared(compare: Run, *, otherwise: bool) -> Run:
    """Compare; shapes that do not broadcast are unequal as a whole where that is no error."""

    def run(x: Any, y: Any, refuse: bool) -> Tensor:
        x, y = pair(x, y)
        if not refuse:
            try:
                np.broadcast_shapes(x.shape, y.shape)
            except ValueError:
                return conversion.constant(otherwise)
        made: Tensor = compare(x, y)
        return made

    return run


def _by_result(name: str) -> Run:
    run = gradient(name)
    return lambda y, dy: run(dy, y)


_PADS = "explicit_paddings=[] data_format=NHWC"
_POLICY = "bad_indices_policy=''"
_SHAPES = "incompatible_shape_error=True"
_MASKS = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
_OF_X = "x"
KERNELS: dict[str, tuple[Run, str]] = {
    **{
        name: (getattr(functions, own), _OF_X)
        for name, own in (
            ("Acos", "acos"), ("Acosh", "acosh"), ("Asin", "asin"),
            ("Asinh", "asinh"), ("Atan", "atan"), ("Atanh", "atanh"), ("Ceil", "ceil"),
            ("Cos", "cos"), ("Cosh", "cosh"), ("Digamma", "digamma"), ("Erf", "erf"),
            ("Erfc", "erfc"), ("Exp", "exp"), ("Expm1", "expm1"), ("Floor", "floor"),
            ("IsFinite", "is_finite"), ("IsInf", "is_inf"), ("IsNan", "is_nan"),
            ("Lgamma", "lgamma"), ("Log", "log"), ("Log1p", "log1p"), ("Neg", "negative"),
            ("Reciprocal", "reciprocal"), ("Rint", "rint"), ("Round", "round"),
            ("Rsqrt", "rsqrt"), ("Sigmoid", "sigmoid"), ("Sign", "sign"), ("Sin", "sin"),
            ("Sinh", "sinh"), ("Sqrt", "sqrt"), ("Square", "square"), ("Tan", "tan"),
            ("Tanh", "tanh"),
        )
    },
    **{
        name: (getattr(arithmetic, own), "x y")
        for name, own in (
            ("FloorDiv", "floordiv"), ("FloorMod", "floormod"), ("Maximum", "maximum"),
            ("Minimum", "minimum"), ("Mul", "multiply"), ("MulNoNan", "multiply_no_nan"),
            ("Pow", "pow"), ("SquaredDifference", "squared_difference"),
            ("Sub", "subtract"), ("Xdivy", "xdivy"), ("Xlogy", "xlogy"),
        )
    },
    **{
        name: (lambda x, y: arithmetic.add(*pair(x, y)), "x y") for name in ("Add", "AddV2")
    },
    **{name: (_quotient(name), "x y") for name in _QUOTIENTS},
    "Div": (_divided, "x y"),
    **{
        name: (getattr(comparison, own), "x y")
        for name, own in (
            ("Greater", "greater"), ("GreaterEqual", "greater_equal"), ("Less", "less"),
            ("LessEqual", "less_equal"), ("LogicalAnd", "logical_and"), ("LogicalOr", "logical_or"),
        )
    },
    **{
        name: (getattr(reduction, f"reduce_{name.lower()}"), "input axis keep_dims=False")
        for name in ("All", "Any", "Max", "Mean", "Min", "Prod", "Sum")
    },
    **{
        name: (getattr(activation, name.lower()), "features")
        for name in ("Elu", "Relu", "Relu6", "Selu", "Softsign")
    },
    **{name: (gradient(name), "gradients features") for name in ("ReluGrad", "Relu6Grad")},
    "SoftplusGrad": (gradient("SoftplusGrad"), "gradients features"),
    "SeluGrad": (gradient("SeluGrad"), "gradients outputs"),
    "EluGrad": (gradient("EluGrad"), "gradients outputs"),
    **{
        name: (_by_result(name), "y dy")
        for name in ("ReciprocalGrad", "RsqrtGrad", "SigmoidGrad", "SqrtGrad", "TanhGrad")
    },
    "Abs": (strict.absolute, _OF_X),
    "AddN": (arithmetic.add_n, "inputs:tensors"),
    "ArgMax": (ordering.argmax, "input dimension output_type=int64"),
    "ArgMin": (ordering.argmin, "input dimension output_type=int64"),
    "Atan2": (arithmetic.atan2, "y x"),
    "BiasAdd": (normalization.bias_add, "value bias data_format=NHWC"),
    "BitwiseAnd": (bits.bitwise_and, "x y"),
    "BitwiseOr": (bits.bitwise_or, "x y"),
    "BitwiseXor": (bits.bitwise_xor, "x y"),
    "BroadcastGradientArgs": (_summed, "s0 s1"),
    "BroadcastTo": (repetition.broadcast_to, "input shape"),
    "Bucketize": (operations.bucketize, "input boundaries:list"),
    "Cast": (_cast, "x DstT:type Truncate=False"),
    "Cholesky": (solving.cholesky, "input"),
    "ClipByValue": (strict.clipped, "t clip_value_min clip_value_max"),
    "ConcatV2": (_joined, "values axis"),
    "Conj": (strict.conjugate, "input"),
    "Conv2D": (
        convolved,
        f"input filter {STEPS} use_cudnn_on_gpu=True~ {_PADS} dilations=[1,1,1,1]",
    ),
    "Cross": (products.cross, "a b"),
    "Cumprod": (scan.cumprod, "x axis exclusive=False reverse=False"),
    "Cumsum": (scan.cumsum, "x axis exclusive=False reverse=False"),
    "Diag": (diagonals.tensor_diag, "diagonal"),
    "DiagPart": (diagonals.tensor_diag_part, "input"),
    "Einsum": (
        lambda inputs, equation: contraction.einsum(equation, *inputs), "inputs equation:str",
    ),
    "Empty": (creation.zeros, "shape dtype:type init=False~"),
    "Equal": (_compared(comparison.equal, otherwise=False), f"x y {_SHAPES}"),
    "ExpandDims": (shaping.expand_dims, "input axis"),
    "Fill": (creation.fill, "dims value"),
    "Gather": (gathering.gather, "params indices validate_indices=True~"),
    "GatherNd": (_gathered, f"params indices {_POLICY}"),
    "GatherV2": (
        lambda params, indices, axis, batch: gathering.gather(
            params, indices, axis=axis, batch_dims=batch
        ),
        "params indices axis batch_dims=0",
    ),
    "Identity": (conversion.identity, "input"),
    "ImageProjectiveTransformV3": (
        projecting.project,
        "images transforms output_shape fill_value interpolation:str fill_mode=CONSTANT",
    ),
    "InvertPermutation": (ordering.invert_permutation, "x"),
    "L2Loss": (loss.l2_loss, "t"),
    "LeakyRelu": (
        lambda x, alpha: activation.leaky_relu(of_kernel(x, dtypes.float32, FEATURES), alpha),
        "features alpha=0.2",
    ),
    "LinSpace": (strict.spaced, "start stop num"),
    "LogSoftmax": (activation.log_softmax, "logits"),
    "LogicalNot": (comparison.logical_not, "x"),
    "MatMul": (
        products.matmul, "a b transpose_a=False transpose_b=False grad_a=False~ grad_b=False~",
    ),
    "IgammaGradA": (special.igamma_slope, "a x"),
    "MatrixBandPart": (diagonals.band_part, "input num_lower num_upper"),
    "MatrixDiagPartV2": (
        lambda x, k, padding: diagonals.diag_part(x, k=k, padding_value=padding, align="LEFT_LEFT"),
        "input k padding_value",
    ),
    "MatrixDeterminant": (solving.det, "input"),
    "MatrixInverse": (solving.inv, "input adjoint=False"),
    "MatrixSolve": (solving.solve, "matrix rhs adjoint=False"),
    "MaxPool": (
        _largest, f"input {WINDOW} {_PADS}",
    ),
    "AvgPool": (pooling.avg_pool2d, f"value {WINDOW} data_format=NHWC"),
    "MirrorPad": (strict.mirrored, "input paddings mode:str"),
    "NotEqual": (_compared(comparison.not_equal, otherwise=True), f"x y {_SHAPES}"),
    "OneHot": (
        lambda x, depth, on, off, axis: marking.one_hot(x, depth, *pair(on, off), axis),
        "indices depth on_value off_value axis=-1",
    ),
    "OnesLike": (creation.ones_like, "x"),
    "Pack": (joining.stack, "values axis=0"),
    "Pad": (joining.pad, "input paddings"),
    "PadV2": (
        lambda x, paddings, value: joining.pad(x, paddings, constant_values=value),
        "input paddings constant_values",
    ),
    "RandomGammaGrad": (special.gamma_slope, "alpha sample"),
    "Range": (strict.numbers, "start limit delta"),
    "Rank": (creation.rank, "input"),
    "Reshape": (shaping.reshape, "tensor shape"),
    "ReverseV2": (repetition.reverse, "tensor axis"),
    "Roll": (repetition.roll, "input shift axis"),
    "ScatterNd": (scattering.scatter_nd, f"indices updates shape {_POLICY}"),
    "SegmentSum": (segments.segment_sum, "data segment_ids"),
    "Select": (older_operations.where, "condition x y"),
    "SelectV2": (arithmetic.where, "condition t e"),
    "Shape": (creation.shape, "input out_type=int32"),
    "Size": (creation.size, "input out_type=int32"),
    "Slice": (picking.slice, "input begin size"),
    "Softmax": (activation.softmax, "logits"),
    "Softplus": (functions.softplus, "features"),
    "Split": (lambda axis, x, number: joining.split(x, number, axis), "axis value num_split:int"),
    "SplitV": (joining.split, "value size_splits axis num_split:int"),
    "Squeeze": (lambda x, axis: shaping.squeeze(x, axis or None), "input axis=[]"),
    "StopGradient": (conversion.stop_gradient, "input"),
    "StridedSlice": (
        picking.strided_slice,
        f"input begin end strides {' '.join(f'{mask}_mask=0' for mask in _MASKS)}",
    ),
    "TensorScatterAdd": (scattering.tensor_scatter_nd_add, f"tensor indices updates {_POLICY}"),
    "TensorScatterUpdate": (scattering.update, f"tensor indices updates {_POLICY}"),
    "Tile": (repetition.tile, "input multiples"),
    "TopKV2": (ordering.top_k, "input k sorted=True index_type=int32"),
    "Transpose": (shaping.transpose, "x perm"),
    "TruncateDiv": (truncatediv, "x y"),
    "TruncateMod": (truncatemod, "x y"),
    "Unique": (distinct.unique, "x out_idx=int32"),
    "UniqueV2": (operations.unique_v2, "x axis out_idx=int32"),
    "UniqueWithCountsV2": (operations.unique_with_counts_v2, "x axis out_idx=int32"),
    "Unpack": (joining.unstack, "value num:int axis=0"),
    "UnsortedSegmentSum": (segments.unsorted_segment_sum, "data segment_ids num_segments"),
    "Where": (arithmetic.where, "condition"),
    "ZerosLike": (creation.zeros_like, "x"),
    **BACKWARDS,
    **BATCH_NORM,
    **RECURRENT,
    **RESOURCES,
    **SAME,
    **SPARSE,
    **TRAINING,
}  # fmt: skip
