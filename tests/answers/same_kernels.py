"""Kernels that are public functions as they are: results, gradients, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.numpy_names import outcome
from tests.answers.raw_ops import given
from tests.answers.stand_ins import wide

TABLE = Table("same_kernels")

X = np.array([[0.5, -1.5, 2.0], [0.25, 3.0, -0.75]])
P = np.array([[0.5, 0.75, 0.125], [0.25, 0.875, 0.375]])
S = np.array([[4.0, 1.0], [1.0, 3.0]])
C = np.array([[1 + 2j, 0.5 - 1j], [2.0, 1j]])
N = np.array([[3, 1, 7], [1, 2, 5]], np.int32)
IMAGES = np.linspace(0.05, 0.95, 48).reshape(1, 4, 4, 3).astype(np.float32)
SQUARES = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
WORDS = np.array(["Ab c", " 12", "b"])


def floats(value: Any) -> bool:
    """Say whether an argument has derivatives."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "fc"


def asked(name: str, *calls: dict[str, Any], **how: Any) -> None:
    """Add a row: what a kernel gives for the words of some calls, and its gradient in arrays."""

    def run(plain: Any) -> Any:
        kernel = getattr(wide(plain).raw_ops, name)

        def answer(tf: Any, call: dict[str, Any]) -> Any:
            words = {k: given(tf, v) for k, v in call.items()}
            sources = [words[k] for k, v in call.items() if floats(v)]
            with tf.GradientTape() as tape:
                tape.watch(sources)
                made = kernel(**words)
                parts = [made] if tf.is_tensor(made) else [*made]
                total = [y * y for y in parts if y.dtype.is_floating or y.dtype.is_complex]
            if not total or not sources:
                return made
            kind = "" if made is parts[0] else type(made).__name__
            return [kind, *parts, *tape.gradient(total, sources)]

        return [outcome(lambda tf, call=call: answer(tf, call), plain) for call in (*calls, {})]

    TABLE.add(name, run, **how)


for _name in "I0 I0e I1 I1e J0 J1 K0 K0e K1 K1e Y0 Y1".split():
    asked(f"Bessel{_name}", {"x": P}, {"x": P.astype(np.float32)}, {"x": N})
for _name in "Dawsn Erfinv Expint FresnelCos FresnelSin Ndtri Spence".split():
    asked(_name, {"x": P}, {"x": P.astype(np.float32)}, {"x": N})
asked("Inv", {"x": P}, {"x": C})
for _name in ("Igamma", "Igammac", "Polygamma"):
    asked(_name, {"a": P + 1, "x": P[0] + 1}, {"a": N, "x": N})
asked("Zeta", {"x": P + 1, "q": P[0]}, {"x": P + 1, "q": P.astype(np.float32)})
asked("Betainc", {"a": P, "b": P + 1, "x": P}, {"a": P, "b": P + 1, "x": 2})
asked("Xlog1py", {"x": X, "y": P[0]}, {"x": N, "y": N})
asked("NextAfter", {"x1": P, "x2": X}, {"x1": P[0], "x2": X}, {"x1": N, "x2": N})
asked("Invert", {"x": N}, {"x": X})
asked("LeftShift", {"x": N, "y": 2}, {"x": N, "y": X})
asked("RightShift", {"x": N, "y": 1}, {"x": N, "y": X})
asked("Bitcast", {"input": X, "type": "int32"}, {"input": X, "type": "int64"})
asked(
    "CheckNumerics", {"tensor": X, "message": "m"}, {"tensor": np.float64([np.inf]), "message": "m"}
)
asked("IdentityN", {"input": [X, P]}, {"input": X})
asked("ShapeN", {"input": [X, P]}, {"input": [X, S], "out_type": "int64"}, {"input": X})
asked("EuclideanNorm", {"input": X, "axis": 1}, {"input": X, "axis": [0, 1], "keep_dims": True})
asked("CumulativeLogsumexp", {"x": X, "axis": 1, "reverse": True}, {"x": X, "axis": 2})
for _name in ("SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd"):
    asked(
        _name,
        *({"data": X, "segment_ids": ids} for ids in ([0, 2], [0, 0], [1, 0], [0])),
        {"data": N, "segment_ids": [0, 0]},
    )
for _name in ("UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd"):
    asked(
        _name,
        *({"data": X, "segment_ids": ids, "num_segments": 3} for ids in ([2, 0], [0, -1], [3, 0])),
    )
for _name in ("TensorScatterMax", "TensorScatterMin", "TensorScatterSub"):
    asked(
        _name,
        {"tensor": X, "indices": [[1]], "updates": P[:1]},
        {"tensor": X, "indices": [[2]], "updates": P[:1]},
        {
            "tensor": X.tolist(),
            "indices": [[2]],
            "updates": [[1.0] * 3],
            "bad_indices_policy": "IGNORE",
        },
    )
asked(
    "DynamicPartition",
    {"data": X, "partitions": [1, 0], "num_partitions": 2},
    {"data": X, "partitions": [1, 2], "num_partitions": 2},
)
asked(
    "DynamicStitch",
    {"indices": [N[0] % 3, N[1] % 2], "data": [X[0], X[1]]},
    {"indices": [N[0]], "data": [X]},
)
asked("UnravelIndex", {"indices": [5, 7], "dims": [2, 4]}, {"indices": [8], "dims": [2, 4]})
asked("MatrixSquareRoot", {"input": S}, {"input": C.tolist()}, {"input": X})
asked("MatrixLogarithm", {"input": S.astype(complex).tolist()}, {"input": X})
asked(
    "MatrixTriangularSolve",
    {"matrix": S, "rhs": S},
    {"matrix": S, "rhs": X[:, :1], "lower": False, "adjoint": True},
    {"matrix": S, "rhs": P.T.copy()},
)
asked("Qr", {"input": S}, {"input": P, "full_matrices": True}, {"input": X[0]})
asked("Lu", {"input": S.tolist()}, {"input": S.tolist(), "output_idx_type": "int64"}, {"input": X})
asked("LogMatrixDeterminant", {"input": S}, {"input": X})
asked("MatrixDiag", {"diagonal": X}, {"diagonal": 1.5})
asked("MatrixDiagPart", {"input": X}, {"input": X[0]})
asked("MatrixSetDiag", {"input": X, "diagonal": P[:, 0]}, {"input": X, "diagonal": X[0]})
for _name in ("FFT", "IFFT", "FFT2D", "IFFT2D", "FFT3D", "IFFT3D"):
    asked(_name, {"input": C[None]}, {"input": X[None]})
asked(
    "SpaceToDepth",
    {"input": SQUARES, "block_size": 2},
    {"input": SQUARES, "block_size": 3},
    {"input": SQUARES, "block_size": 1},
)
asked(
    "DepthToSpace",
    {"input": SQUARES.reshape(1, 2, 2, 4), "block_size": 2},
    {"input": SQUARES, "block_size": 2},
)
asked("LRN", {"input": IMAGES, "depth_radius": 1, "alpha": 0.5}, {"input": IMAGES[0]})
for _name, _word, _value in (
    ("AdjustContrastv2", "contrast_factor", 2.0),
    ("AdjustHue", "delta", 0.25),
    ("AdjustSaturation", "scale", 0.5),
):
    asked(_name, {"images": tuple(IMAGES.tolist()), _word: _value}, {"images": N, _word: _value})
asked("RGBToHSV", {"images": IMAGES}, {"images": N})
asked("HSVToRGB", {"images": tuple(IMAGES.tolist())}, {"images": N})
asked(
    "InTopKV2",
    {"predictions": X.astype(np.float32), "targets": [1, 1], "k": 1},
    {"predictions": X, "targets": [1, 1], "k": 1},
)
for _name in ("StringLower", "StringUpper", "StringStrip", "StringLength"):
    asked(_name, {"input": WORDS}, {"input": N})
asked("StringToNumber", {"string_tensor": WORDS[1:2]}, {"string_tensor": WORDS})
asked("StringToHashBucketFast", {"input": WORDS, "num_buckets": 7}, {"input": WORDS})
asked("StringToHashBucketStrong", {"input": WORDS, "num_buckets": 7, "key": [1, 2]})
asked("Substr", {"input": WORDS, "pos": 0, "len": 2}, {"input": WORDS, "pos": 3, "len": 1})
asked("RegexFullMatch", {"input": WORDS, "pattern": ".*b.*"}, {"input": WORDS, "pattern": "("})
asked(
    "RegexReplace",
    {"input": WORDS, "pattern": "b", "rewrite": "B", "replace_global": False},
    {"input": WORDS, "pattern": "b"},
)
asked("AsString", {"input": X, "precision": 2}, {"input": N, "width": 4, "fill": "0"})
asked("SerializeTensor", {"tensor": X})


def weights(*shapes: tuple[int, ...]) -> list[Any]:
    """Draw small numbers."""
    draw = np.random.RandomState(7)
    return [(0.5 * draw.randn(*shape)).astype(np.float32) for shape in shapes]


_NAMES = "x cs_prev h_prev w wci wcf wco b".split()
_LONG = dict(
    zip(_NAMES, weights((3, 2, 2), (2, 4), (2, 4), (6, 16), (4,), (4,), (4,), (16,)), strict=True)
)
_STEP = _LONG | {"x": _LONG["x"][0]}


def steps(name: str, call: dict[str, Any], count: int = 0, **how: Any) -> Any:
    """Compute steps, and gradients by what is there: TensorFlow has them of BlockLSTM alone.

    What it gives for the steps behind `count` is memory that nobody has written.
    """

    def run(plain: Any) -> Any:
        words = {k: given(plain, v) for k, v in call.items()}
        if count:
            how["seq_len_max"] = np.int64(count)
        with plain.GradientTape() as tape:
            tape.watch(words)
            made = getattr(wide(plain).raw_ops, name)(**words, **how)
            kept = [part[:count] if count else part for part in made]
            total = [kept[1], plain.sin(kept[-1])]
        slopes = tape.gradient(total, words) if name == "BlockLSTM" else {}
        seen = how.get("use_peephole") or "wc"
        shown = {k: g for k, g in slopes.items() if seen is True or not k.startswith(seen)}
        return [type(made).__name__, *kept, shown]

    return run


TABLE.rows(
    "steps",
    [
        *(
            steps(name, _LONG, count, **how)
            for name in ("BlockLSTM", "BlockLSTMV2")
            for count, how in ((3, {}), (2, {"cell_clip": 5.0, "use_peephole": True}))
        ),
        steps("BlockLSTM", _STEP, 3),
        steps("LSTMBlockCell", _STEP),
        steps("LSTMBlockCell", _STEP, cell_clip=0.125, use_peephole=True, forget_bias=0.5),
        steps(
            "GRUBlockCell",
            dict(
                zip(
                    "x h_prev w_ru w_c b_ru b_c".split(),
                    weights((3, 2), (3, 4), (6, 8), (6, 4), (8,), (4,)),
                    strict=True,
                )
            ),
        ),
    ],
)
