"""What TensorFlow's kernels answer by their names, `tf.raw_ops`, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.numpy_names import outcome
from tests.answers.stand_ins import wide

TABLE = Table("raw_ops")

X = np.array([[0.5, -1.5, 2.0], [0.25, 3.0, -0.75]], np.float32)
Y = np.array([[1.5, 2.0, -0.5], [2.0, 0.5, 1.0]], np.float32)
N = np.array([[3, 1, 7], [1, 2, 5]], np.int32)
B = np.array([[True, False, True], [False, False, True]])
S = np.array([[4.0, 1.0], [1.0, 3.0]], np.float32)
TWO = [1, 2, 2, 1]
IMAGE = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)


def given(tf: Any, value: Any) -> Any:
    """Make tensors of arrays, also in lists."""
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return [tf.constant(v) for v in value]
    return tf.constant(value) if isinstance(value, np.ndarray) else value


def asked(name: str, *calls: dict[str, Any]) -> None:
    """Add a row: a kernel, and the words of some calls."""

    def run(plain: Any) -> Any:
        tf = wide(plain)
        kernel = getattr(tf.raw_ops, name)
        return [
            outcome(lambda tf, how=how: kernel(**{k: given(tf, v) for k, v in how.items()}), tf)
            for how in calls
        ]

    TABLE.add(name, run)


for _name in """
Abs Atan Atanh Asinh Ceil Cos Cosh Digamma Erf Erfc Exp Expm1 Floor IsFinite IsInf IsNan Lgamma Neg
Reciprocal Rint Round Sigmoid Sign Sin Sinh Square Tan Tanh OnesLike ZerosLike
""".split():
    asked(_name, {"x": X}, {}, {"x": X, "y": X})
for _name in ("Acos", "Asin", "Log", "Log1p", "Sqrt", "Rsqrt", "Acosh"):
    asked(_name, {"x": np.abs(X)})
for _name in """
Add AddV2 Div DivNoNan FloorDiv FloorMod Maximum Minimum Mul MulNoNan Pow RealDiv SquaredDifference
Sub Greater GreaterEqual Less LessEqual Equal NotEqual TruncateDiv TruncateMod Xdivy
""".split():
    asked(_name, {"x": Y, "y": np.abs(Y)}, {"x": X, "y": 2.0}, {"x": X}, {})
for _name in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
    asked(_name, {"x": N, "y": N[::-1].copy()})
for _name in ("LogicalAnd", "LogicalOr"):
    asked(_name, {"x": B, "y": B[::-1].copy()})
for _name in ("Max", "Mean", "Min", "Prod", "Sum"):
    asked(_name, {"input": X, "axis": 1}, {"input": X, "axis": [0, 1], "keep_dims": True})
for _name in ("All", "Any"):
    asked(_name, {"input": B, "axis": 1}, {"input": B, "axis": [0], "keep_dims": True})
for _name in ("Elu", "Relu", "Relu6", "Selu", "Softplus", "Softsign", "LeakyRelu"):
    asked(_name, {"features": X})
for _name in ("ReluGrad", "Relu6Grad", "SoftplusGrad"):
    asked(_name, {"gradients": Y, "features": X})
asked("EluGrad", {"gradients": Y, "outputs": X})
for _name in ("ReciprocalGrad", "RsqrtGrad", "SigmoidGrad", "SqrtGrad", "TanhGrad"):
    asked(_name, {"y": np.abs(X), "dy": Y})

CALLS: dict[str, list[dict[str, Any]]] = {
    "AddN": [{"inputs": [X, Y]}],
    "ArgMax": [{"input": X, "dimension": 1}],
    "ArgMin": [{"input": X, "dimension": 0, "output_type": "int32"}],
    "Atan2": [{"y": X, "x": Y}],
    "AvgPool": [{"value": IMAGE, "ksize": TWO, "strides": TWO, "padding": "SAME"}],
    "BiasAdd": [{"value": X, "bias": X[0]}],
    "BroadcastTo": [{"input": X[0], "shape": [2, 3]}],
    "Bucketize": [{"input": X, "boundaries": [0.0, 1.0]}],
    "Cast": [{"x": X, "DstT": "int32"}],
    "Cholesky": [{"input": S}],
    "ClipByValue": [{"t": X, "clip_value_min": 0.0, "clip_value_max": 1.0}],
    "ConcatV2": [{"values": [X, Y], "axis": 1}],
    "Conj": [{"input": X.astype(np.complex64)}],
    "Conv2D": [
        {"input": IMAGE, "filter": IMAGE[0, :2, :2, :, None], "strides": [1, 1, 1, 1], **how}
        for how in (
            {"padding": "VALID"}, {"padding": "SAME", "dilations": [1, 2, 2, 1]},
            {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 0, 0, 1, 0, 0]}, {},
        )
    ],
    "Cross": [{"a": X, "b": Y}],
    "Cumprod": [{"x": X, "axis": 1, "reverse": True}],
    "Cumsum": [{"x": X, "axis": 0, "exclusive": True}],
    "Diag": [{"diagonal": X[0]}],
    "DiagPart": [{"input": S}],
    "Einsum": [{"inputs": [X, Y], "equation": "ij,ij->i"}],
    "ExpandDims": [{"input": X, "axis": 0}],
    "Empty": [{"shape": [2, 0], "dtype": "float32"}, {"shape": [2], "dtype": "int8", "init": True}],
    "Fill": [{"dims": [2], "value": 1.5}],
    "Gather": [{"params": X, "indices": [1, 0]}],
    "GatherNd": [{"params": X, "indices": [[0, 1], [1, 2]]}],
    "GatherV2": [{"params": X, "indices": places, "axis": 1} for places in ([1, 0], [9])],
    "Identity": [{"input": X}],
    "InvertPermutation": [{"x": [1, 2, 0]}],
    "L2Loss": [{"t": X}],
    "LinSpace": [{"start": 0.0, "stop": 1.0, "num": 3}],
    "LogSoftmax": [{"logits": X}],
    "LogicalNot": [{"x": B}],
    "MatMul": [{"a": X, "b": Y, "transpose_b": True}, {"a": X, "b": Y}, {"a": X}],
    "MatrixBandPart": [{"input": X, "num_lower": 0, "num_upper": -1}],
    "MatrixDeterminant": [{"input": S}],
    "MatrixInverse": [{"input": S}],
    "MatrixSolve": [{"matrix": S, "rhs": S, "adjoint": True}],
    "MaxPool": [{"input": IMAGE, "ksize": TWO, "strides": [1, 1, 1, 1], "padding": "VALID"}],
    "MirrorPad": [{"input": X, "paddings": [[1, 0], [0, 1]], "mode": "REFLECT"}],
    "OneHot": [{"indices": [0, 2], "depth": 3, "on_value": 1.0, "off_value": 0.0}],
    "Pack": [{"values": [X, Y]}, {"values": [X, Y], "axis": 2}],
    "Pad": [{"input": X, "paddings": [[1, 0], [0, 1]]}],
    "PadV2": [{"input": X, "paddings": [[1, 0], [0, 1]], "constant_values": 2.0}],
    "Range": [{"start": 0, "limit": 5, "delta": 2}],
    "Rank": [{"input": X}],
    "Reshape": [{"tensor": X, "shape": [3, 2]}, {"tensor": X, "shape": [4]}],
    "ReverseV2": [{"tensor": X, "axis": [1]}],
    "Roll": [{"input": X, "shift": 1, "axis": 1}],
    "ScatterNd": [{"indices": [[1], [3]], "updates": [5.0, 6.0], "shape": [4]}],
    "SegmentSum": [{"data": X, "segment_ids": [0, 0]}],
    "Select": [{"condition": B, "x": X, "y": Y}, {"condition": [True, False], "x": X, "y": Y}],
    "SelectV2": [{"condition": [True, False, True], "t": X, "e": Y}],
    "Shape": [{"input": X}, {"input": X, "out_type": "int64"}],
    "Size": [{"input": X}],
    "Slice": [{"input": X, "begin": [0, 1], "size": [2, 1]}],
    "Softmax": [{"logits": X}],
    "Split": [{"axis": 1, "value": X, "num_split": 3}],
    "SplitV": [{"value": X, "size_splits": [1, 2], "axis": 1, "num_split": 2}],
    "Squeeze": [{"input": X[None]}, {"input": X[None], "axis": [0]}],
    "StopGradient": [{"input": X}],
    "StridedSlice": [
        {"input": X, "begin": [0, 1], "end": [2, 3], "strides": [1, 1], "end_mask": 2}
    ],
    "TensorScatterAdd": [{"tensor": X, "indices": [[0]], "updates": X[:1]}],
    "TensorScatterUpdate": [{"tensor": X, "indices": [[0]], "updates": Y[:1]}],
    "Tile": [{"input": X, "multiples": [1, 2]}],
    "TopKV2": [{"input": X, "k": 2}],
    "Transpose": [{"x": X, "perm": [1, 0]}, {"x": X}],
    "Unique": [{"x": [3, 1, 3]}],
    "UniqueV2": [{"x": N, "axis": [1]}],
    "UniqueWithCountsV2": [{"x": N[0], "axis": [0]}],
    "Unpack": [{"value": X, "num": 2}],
    "UnsortedSegmentSum": [{"data": X, "segment_ids": [2, 0], "num_segments": 3}],
    "Where": [{"condition": B}],
    "Xlogy": [{"x": X, "y": np.abs(X)}],
}  # fmt: skip
for _name, _many in CALLS.items():
    asked(_name, *_many)
TABLE.rows(
    "without words",
    [lambda tf: wide(tf).raw_ops.AddV2(1, 2), lambda tf: wide(tf).raw_ops.TopKV2([1.0], 1)],
)

_R = np.random.RandomState(11)
F2 = _R.randn(2, 3, 2, 3).astype(np.float32)
G2 = _R.randn(2, 5, 6, 2).astype(np.float32)
F3 = _R.randn(2, 1, 2, 2, 3).astype(np.float32)
G3 = _R.randn(1, 3, 4, 4, 2).astype(np.float32)
ONES4 = [1] * 4


def _back(shape: Any) -> Any:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape) - 3


_SAME2 = {"strides": [1, 2, 2, 1], "padding": "SAME"}
_VALID2 = {"strides": ONES4, "padding": "VALID", "dilations": [1, 2, 1, 1]}
_PAD2 = {"strides": ONES4, "padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 0, 0, 2, 0, 0]}
_WAYS2 = ((_SAME2, (2, 3, 3, 3)), (_VALID2, (2, 3, 4, 3)), (_PAD2, (2, 5, 6, 3)))
asked(
    "Conv2DBackpropInput",
    *[
        {"input_sizes": list(G2.shape), "filter": F2, "out_backprop": _back(shape), **how}
        for how, shape in (*_WAYS2, (_SAME2, (2, 2, 3, 3)))
    ],
)
asked(
    "Conv2DBackpropFilter",
    *[
        {"input": G2, "filter_sizes": list(F2.shape), "out_backprop": _back(shape), **how}
        for how, shape in (*_WAYS2, (_SAME2, (2, 2, 3, 3)))
    ],
)
_THREE = {"strides": [1, 1, 2, 1, 1], "padding": "SAME"}
asked("Conv3D", {"input": G3, "filter": F3, **_THREE}, {"input": G3})
asked(
    "Conv3DBackpropInputV2",
    {"input_sizes": list(G3.shape), "filter": F3, "out_backprop": _back((1, 3, 2, 4, 3)), **_THREE},
)
asked(
    "Conv3DBackpropFilterV2",
    {"input": G3, "filter_sizes": list(F3.shape), "out_backprop": _back((1, 3, 2, 4, 3)), **_THREE},
)
_DEEP = {"strides": ONES4, "padding": "SAME"}
asked("DepthwiseConv2dNative", {"input": G2, "filter": F2, **_DEEP})
asked(
    "DepthwiseConv2dNativeBackpropInput",
    {"input_sizes": list(G2.shape), "filter": F2, "out_backprop": _back((2, 5, 6, 6)), **_DEEP},
)
asked(
    "DepthwiseConv2dNativeBackpropFilter",
    {"input": G2, "filter_sizes": list(F2.shape), "out_backprop": _back((2, 5, 6, 6)), **_DEEP},
)
_POOL = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
_POOL3 = {"ksize": [1, 1, 2, 2, 1], "strides": [1, 1, 2, 2, 1], "padding": "SAME"}
asked("MaxPool3D", {"input": G3, **_POOL3})
asked("AvgPool3D", {"input": G3, **_POOL3})
asked(
    "MaxPoolGrad",
    *[
        {"orig_input": np.round(G2), "orig_output": _back(a), "grad": _back(b), **_POOL}
        for a, b in (
            ((2, 2, 3, 2),) * 2,
            ((2, 3, 3, 2), (2, 2, 3, 2)),
            ((2, 2, 3, 2), (2, 2, 2, 2)),
        )
    ],
)
asked(
    "MaxPool3DGrad",
    {
        "orig_input": G3,
        "orig_output": G3.reshape(1, 3, 2, 2, 2, 2, 2).max((3, 5)),
        "grad": _back((1, 3, 2, 2, 2)),
        **_POOL3,
    },
)
asked("AvgPoolGrad", {"orig_input_shape": [2, 5, 6, 2], "grad": _back((2, 2, 3, 2)), **_POOL})
asked(
    "AvgPool3DGrad", {"orig_input_shape": [1, 3, 4, 4, 2], "grad": _back((1, 3, 2, 2, 2)), **_POOL3}
)
asked(
    "SoftmaxCrossEntropyWithLogits",
    {"features": X, "labels": np.abs(Y) / 4},
    {"features": X, "labels": Y[:, :2]},
)
asked(
    "SparseSoftmaxCrossEntropyWithLogits",
    {"features": X, "labels": np.array([0, 2])},
    {"features": X, "labels": np.array([0, 3])},
)
asked(
    "BiasAddGrad",
    {"out_backprop": G2},
    {"out_backprop": G2, "data_format": "NCHW"},
    {"out_backprop": G2[0, 0, 0]},
)
asked(
    "LeakyReluGrad", {"gradients": Y, "features": X}, {"gradients": Y, "features": X, "alpha": 0.5}
)
asked("SoftsignGrad", {"gradients": Y, "features": X})
asked("SeluGrad", {"gradients": Y, "outputs": X})
asked("InvGrad", {"y": X, "dy": Y})
_N = {"scale": Y[0, :2].copy(), "offset": X[0, :2].copy(), "epsilon": 0.1}
_M = {"mean": np.array([0.5, 1.0], np.float32), "variance": np.array([1.5, 2.0], np.float32)}
_NONE = {"mean": np.zeros(0, np.float32), "variance": np.zeros(0, np.float32)}
for _kernel in ("FusedBatchNormV2", "FusedBatchNormV3"):
    asked(
        _kernel,
        {"x": G2, **_N, **_NONE},
        {"x": G2, **_N, **_M, "exponential_avg_factor": 0.25},
        {"x": G2.transpose(0, 3, 1, 2).copy(), **_N, **_NONE, "data_format": "NCHW"},
        {"x": G3, **_N, **_NONE, "data_format": "NDHWC"},
        {"x": G2.astype(np.float16), **_N, **_NONE},
        {"x": G2[0], **_N, **_NONE},
        {"x": G2, **_N, **_NONE, "is_training": False},
        {"x": G2, **_N, **_NONE, "scale": X[0]},
        {"x": G2.astype(np.float64), **_N, **_NONE},
        {"x": G2, **_N, **_NONE, "data_format": "CHWN"},
    )


@TABLE.program
def normalized_by_given_moments(plain: Any) -> Any:
    """Normalize by given moments; what is for the gradient is memory that nobody has written."""
    tf = wide(plain)
    given = {k: given_tensors(tf, v) for k, v in {"x": G2, **_N, **_M}.items()}
    made = tf.raw_ops.FusedBatchNormV3(is_training=False, **given)
    return [type(made).__name__, *made[:3]]


given_tensors = given
_BACK = {
    "y_backprop": _back(G2.shape),
    "x": G2,
    "scale": Y[0, :2].copy(),
    "reserve_space_1": G2.mean((0, 1, 2)),
    "reserve_space_2": G2.var((0, 1, 2)),
    "reserve_space_3": np.float32([0]),
    "epsilon": 0.1,
}
asked("FusedBatchNormGradV3", _BACK, _BACK | {"is_training": False})

asked(
    "BroadcastGradientArgs",
    {"s0": [2, 1, 3], "s1": [4, 1]},
    {"s0": [1, 1], "s1": [1, 1]},
    {"s0": [2], "s1": [3, 1, 2]},
    {"s0": [], "s1": [3]},
    {"s0": [2, 0], "s1": [1, 1]},
    {"s0": [2], "s1": [3]},
)
asked(
    "MatrixDiagPartV2",
    {"input": X, "k": 0, "padding_value": 0.0},
    {"input": X, "k": np.array([-1, 1], np.int32), "padding_value": 9.0},
    {"input": X, "k": 7, "padding_value": 0.0},
)
asked(
    "IgammaGradA",
    {"a": np.array([0.5, 1.5, 20.0]), "x": np.array([0.7, 0.7, 15.0])},
    {"a": np.float32(1.5), "x": np.array([0.0, 0.7], np.float32)},
)
asked(
    "RandomGammaGrad",
    {"alpha": np.array([0.5, 1.5, 20.0]), "sample": np.array([0.7, 0.7, 15.0])},
    {"alpha": np.float32(1.5), "sample": np.array([0.1, 0.7], np.float32)},
)

Z = np.array([1 + 2j, 0.5 - 1j], np.complex64)
for _name in ("ReciprocalGrad", "RsqrtGrad", "SqrtGrad", "InvGrad", "SigmoidGrad", "TanhGrad"):
    TABLE.add(
        f"{_name} of complex numbers",
        lambda plain, name=_name: getattr(wide(plain).raw_ops, name)(
            y=plain.constant(Z), dy=plain.constant(Z[::-1].copy())
        ),
        ulps=8,
    )
TABLE.rows(
    "kernels and dtypes",
    [
        lambda plain, run=run: run(wide(plain).raw_ops, plain)
        for run in (
            lambda raw, tf: raw.Div(x=tf.constant(N), y=tf.constant([2, -2, 3])),
            lambda raw, tf: raw.Div(x=tf.constant(N), y=tf.constant([2, 0, 3])),
            lambda raw, tf: raw.DivNoNan(x=tf.constant(N), y=tf.constant([2, -2, 3])),
            lambda raw, tf: raw.Add(x=[1, 2, 3], y=tf.constant(X)),
            lambda raw, tf: raw.AddV2(x=tf.constant(X), y=[1, 2, 3]),
            lambda raw, tf: raw.Add(x=2, y=2.5),
            lambda raw, tf: raw.LeakyRelu(features=np.array([1.5, -1.5])),
            lambda raw, tf: raw.BroadcastGradientArgs(s0=np.array([2, 3]), s1=np.array([3])),
            lambda raw, tf: raw.ConcatV2(values=tf.constant(X), axis=0),
            lambda raw, tf: raw.ConcatV2(values=[tf.constant(X)], axis=0),
            lambda raw, tf: raw.OneHot(indices=[0, 2], depth=3, on_value=1.5, off_value=0),
            lambda raw, tf: raw.Cast(x=tf.constant(Z), DstT=tf.float32),
            lambda raw, tf: raw.Cast(x=tf.constant(X), DstT=tf.float64, Truncate=True),
            lambda raw, tf: raw.Fill(dims=[2], value=[1.5]),
            lambda raw, tf: raw.Fill(dims=[2], value=[[1.5]]),
        )
    ],
    says="type",
)


@TABLE.program
def slopes_of_slopes(plain: Any) -> Any:
    """What lets a cotangent through, or not, has a slope of zero; what only counts has none."""
    raw = wide(plain).raw_ops
    x, y = plain.constant(X[0]), plain.constant(Y[0])
    with plain.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        found = [
            raw.ReluGrad(gradients=x, features=y),
            raw.Relu6Grad(gradients=x, features=y),
            raw.LinSpace(start=x[0], stop=y[0], num=3),
            raw.Range(start=y[0], limit=x[2], delta=y[0]),
        ]
    return [[z, *tape.gradient(z, [x, y])] for z in found]


def _asked_by(name: str, how: dict[str, Any]) -> Any:
    def run(plain: Any) -> Any:
        kernel = getattr(wide(plain).raw_ops, name)
        return kernel(**{k: given_tensors(plain, v) for k, v in how.items()})

    return run


_IN_LOGITS = {"gradients": Y, "features": X}
TABLE.rows(
    "attributes by kind",
    [
        _asked_by(name, how)
        for name, how in (
            ("MatMul", {"a": X, "b": X, "transpose_b": 1}),
            ("MatMul", {"a": X, "b": X, "transpose_b": []}),
            ("MatMul", {"a": X, "b": Y.T.copy(), "transpose_a": None}),
            ("MatMul", {"a": X, "b": X, "grad_a": "abc"}),
            ("MatrixInverse", {"input": S, "adjoint": {}}),
            ("MatrixSolve", {"matrix": S, "rhs": S, "adjoint": 0}),
            ("Equal", {"x": X, "y": Y, "incompatible_shape_error": "abc"}),
            ("Gather", {"params": X, "indices": [1, 0], "validate_indices": -1}),
            ("Cast", {"x": X, "DstT": "int32", "Truncate": []}),
            ("Empty", {"shape": [2, 0], "dtype": "float32", "init": "abc"}),
            ("MirrorPad", {"input": X, "paddings": [[1, 0], [0, 1]], "mode": True}),
            ("MirrorPad", {"input": X, "paddings": [[1, 0], [0, 1]], "mode": b"REFLECT"}),
            ("BiasAddGrad", {"out_backprop": G2, "data_format": 1}),
            ("BiasAdd", {"value": X, "bias": X[0], "data_format": b"NHWC"}),
            ("DepthwiseConv2dNative", {"input": G2, "filter": F2, **_DEEP, "data_format": []}),
            ("Conv2D", {"input": G2, "filter": F2, "strides": ONES4, "padding": []}),
            ("Pack", {"values": [X, Y], "axis": "abc"}),
            ("LeakyRelu", {"features": X, "alpha": "abc"}),
            ("LeakyRelu", {"features": X, "alpha": 1}),
            ("Bucketize", {"input": X, "boundaries": True}),
            ("Split", {"axis": 1, "value": X, "num_split": np.int64(3)}),
            ("Split", {"axis": 1, "value": X, "num_split": None}),
            ("Squeeze", {"input": X[None], "axis": 0}),
            ("MatMul", {"a": X, "b": Y.T.copy(), "transpose_a": np.False_}),
            ("Bucketize", {"input": X, "boundaries": "abc"}),
            ("GatherNd", {"params": X, "indices": [[0, 1]], "bad_indices_policy": None}),
            ("GatherNd", {"params": X, "indices": [[0, 1]], "bad_indices_policy": 1.5}),
            ("AvgPoolGrad", {
                "orig_input_shape": [2, 5, 6, 2], "grad": _back((2, 2, 3, 2)),
                "ksize": [1, 2, 2, 1], "strides": None, "padding": "VALID",
            }),
        )
    ],
)  # fmt: skip
TABLE.rows(
    "attributes that are lists",
    [
        lambda plain, run=run: run(wide(plain).raw_ops, plain)
        for run in (
            lambda raw, tf: raw.Conv2D(
                input=G2, filter=F2, strides=tf.TensorShape(ONES4), padding="VALID"
            ),
            lambda raw, tf: raw.Conv2D(input=G2, filter=F2, strides=(1, 1, 1, 1), padding=b"SAME"),
            lambda raw, tf: raw.Conv2D(
                input=G2, filter=F2, strides=np.array(ONES4), padding="VALID"
            ),
            lambda raw, tf: raw.Conv2D(input=G2, filter=F2, strides=1, padding="VALID"),
            lambda raw, tf: raw.Bucketize(input=X, boundaries=np.array([0.5, 2.0])),
            lambda raw, tf: raw.Bucketize(input=X, boundaries=tf.constant([0.5, 2.0])),
        )
    ],
    says="start",
)
TABLE.rows(
    "gradients of elements of other shapes",
    [
        _asked_by(name, how)
        for name, how in (
            ("ReluGrad", _IN_LOGITS | {"features": X[:, :1].copy()}),
            ("Relu6Grad", _IN_LOGITS | {"features": X[0]}),
            ("EluGrad", {"gradients": Y, "outputs": X[:, :1].copy()}),
            ("SeluGrad", {"gradients": Y, "outputs": X[None]}),
            ("SoftplusGrad", _IN_LOGITS | {"gradients": Y[:1]}),
            ("SoftsignGrad", _IN_LOGITS | {"gradients": Y[:1]}),
            ("LeakyReluGrad", _IN_LOGITS | {"features": X[None]}),
            ("InvGrad", {"y": X, "dy": Y[:, :1].copy()}),
            ("SigmoidGrad", {"y": X, "dy": Y[None]}),
            ("TanhGrad", {"y": X, "dy": Y[0]}),
            ("SqrtGrad", {"y": np.abs(X), "dy": Y[..., None].copy()}),
            ("EluGrad", {"gradients": N, "outputs": N}),
            ("SoftplusGrad", {"gradients": Y + 0j, "features": X + 0j}),
            ("ReluGrad", {"gradients": N, "features": N}),
            ("ReciprocalGrad", {"y": N, "dy": N}),
            ("FusedBatchNormGradV3", _BACK | {"scale": Y[0, :1].copy()}),
        )
    ],
)
TABLE.rows(
    "gradients of no result",
    [
        _asked_by(name, how)
        for name, how in (
            ("Conv2DBackpropFilter", {
                "input": G2, "filter_sizes": list(F2.shape), "out_backprop": _back((1,)), **_SAME2,
            }),
            ("Conv2DBackpropInput", {
                "input_sizes": list(G2.shape), "filter": F2, "out_backprop": _back((5, 6, 3)),
                **_SAME2,
            }),
            ("Conv3DBackpropFilterV2", {
                "input": G3, "filter_sizes": list(F3.shape),
                "out_backprop": _back((1, 3, 2, 4, 1)), **_THREE,
            }),
            ("Conv3DBackpropInputV2", {
                "input_sizes": list(G3.shape), "filter": F3,
                "out_backprop": _back((1, 3, 2, 4, 1)), **_THREE,
            }),
        )
    ],
    says="type",
)  # fmt: skip
TABLE.rows(
    "a list that is one tensor",
    [
        lambda tf: wide(tf).raw_ops.AddN(inputs=tf.constant(X)),
        lambda tf: wide(tf).raw_ops.AddN(inputs=tf.Variable([1.0, 2.0])),
        lambda tf: wide(tf).raw_ops.AddN(inputs=tf.constant(3.0)),
        lambda tf: wide(tf).raw_ops.AddN(inputs=3.0),
        *[
            lambda tf, dtype=d: wide(tf).raw_ops.AddN(inputs=np.ones(2, dtype))
            for d in ("float64", "float32", "int64")
        ],
        lambda tf: wide(tf).raw_ops.DynamicStitch(indices=[0, 1], data=np.ones(2)),
        lambda tf: wide(tf).raw_ops.DynamicStitch(indices=[[0], [1]], data=np.ones((2, 1))),
        lambda tf: wide(tf).raw_ops.DynamicStitch(
            indices=tf.constant([[0, 1], [1, 2]]), data=tf.constant(X[:, :2])
        ),
    ],
)
TABLE.rows(
    "the axis of what is unique",
    [
        _asked_by(name, {"x": np.array(x, np.int32), "axis": np.array(axis, np.int32)})
        for name in ("UniqueV2", "UniqueWithCountsV2")
        for x, axis in (
            ([1, 2], [3]), ([1, 2], [-1]), ([1, 2], [-2]), ([1, 2], [0, 0]), ([1, 2], 0),
            ([1, 2], []), ([[1, 2]], []), (3, []), (3, [0]), ([[1, 2], [1, 2]], [-2]),
            ([[1, 2]], [[0]]),
        )
    ],
)  # fmt: skip
