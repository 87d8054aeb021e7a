"""Kernels of TensorFlow's that are public functions as they are, with words of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from symtape.ops.arguments import allowed, check, tensor
from symtape.ops.checks import values
from symtape.ops.elementwise import arithmetic, bits, conversion, functions, special
from symtape.ops.files import protos
from symtape.ops.image import adjusting, colours
from symtape.ops.indexing import partition, scattering, unraveling
from symtape.ops.linalg import (
    diagonals,
    lower_upper,
    matrix_functions,
    solving,
    spectra,
)
from symtape.ops.nn import blocks, responses
from symtape.ops.reductions import ordering, reduction, scan, segments
from symtape.ops.shapes import creation
from symtape.ops.signal import transforms
from symtape.ops.strings import hashing, numerals, patterns, texts
from symtape.tensor.tensor import Tensor

Row = tuple[Callable[..., Any], str]


class Lu(NamedTuple):
    """Both triangles of a matrix in one, and its rows in their order."""

    lu: Tensor
    p: Tensor


class LogMatrixDeterminant(NamedTuple):
    """The sign of a determinant, and the logarithm of its size."""

    sign: Tensor
    log_abs_determinant: Tensor


class Qr(NamedTuple):
    """An orthogonal matrix, and a triangular one."""

    q: Tensor
    r: Tensor


def _factors(x: Any, full: bool) -> Qr:
    return Qr(*spectra.qr(x, full))


_SHORT = allowed("half, float")


def _adjusted(name: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Adjust images of the dtypes that the kernel takes."""

    def adjust(images: Any, change: Any) -> Any:
        x = tensor(images)
        check(name, x, _SHORT, "images:T -> output:T")
        return run(x, change)

    return adjust


def _scattered(kind: str) -> Callable[..., Any]:
    """Change elements of a tensor, with the policy that the kernel takes."""
    run = getattr(scattering, f"tensor_scatter_nd_{kind.lower()}")
    return lambda x, places, rows, policy: run(x, places, rows, bad_indices_policy=policy)


def _of_x(module: Any, names: dict[str, str], word: str = "x") -> dict[str, Row]:
    """Make a row for each kernel of one tensor: its name, and that of the function."""
    return {name: (getattr(module, own), word) for name, own in names.items()}


_SPECIAL = {
    f"Bessel{kind}": f"bessel_{kind.lower()}"
    for kind in ("I0", "I0e", "I1", "I1e", "J0", "J1", "K0", "K0e", "K1", "K1e", "Y0", "Y1")
} | {
    "Dawsn": "dawsn", "Expint": "expint", "FresnelCos": "fresnel_cos", "FresnelSin": "fresnel_sin",
    "Spence": "spence",
}  # fmt: skip
_TRANSFORMS = {name: name.lower() for name in ("FFT", "FFT2D", "FFT3D", "IFFT", "IFFT2D", "IFFT3D")}
_FUNCTIONS = {"MatrixLogarithm": "logm", "MatrixSquareRoot": "sqrtm"}
SAME: dict[str, Row] = {
    **_of_x(special, _SPECIAL),
    **_of_x(functions, {"Erfinv": "erfinv", "Inv": "reciprocal", "Ndtri": "ndtri"}),
    **_of_x(transforms, _TRANSFORMS, "input"),
    **_of_x(matrix_functions, _FUNCTIONS, "input"),
    **{
        f"Segment{kind}": (getattr(segments, f"segment_{kind.lower()}"), "data segment_ids")
        for kind in ("Max", "Mean", "Min", "Prod")
    },
    **{
        f"UnsortedSegment{kind}": (
            getattr(segments, f"unsorted_segment_{kind.lower()}"), "data segment_ids num_segments",
        )
        for kind in ("Max", "Min", "Prod")
    },
    **{
        f"TensorScatter{kind}": (_scattered(kind), "tensor indices updates bad_indices_policy=''")
        for kind in ("Max", "Min", "Sub")
    },
    **{
        name: (_adjusted(name, getattr(adjusting, own)), f"images {word}")
        for name, own, word in (
            ("AdjustContrastv2", "adjust_contrast", "contrast_factor"),
            ("AdjustHue", "adjust_hue", "delta"),
            ("AdjustSaturation", "adjust_saturation", "scale"),
        )
    },
    "AsString": (
        numerals.as_string,
        "input precision=-1 scientific=False shortest=False width=-1 fill=''",
    ),
    "Betainc": (special.betainc, "a b x"),
    "Bitcast": (bits.bitcast, "input type:type"),
    "CheckNumerics": (values.check_numerics, "tensor message:str"),
    "CumulativeLogsumexp": (
        scan.cumulative_logsumexp, "x axis exclusive=False reverse=False",
    ),
    "DepthToSpace": (blocks.depth_to_space, "input block_size:int data_format=NHWC"),
    "DynamicPartition": (partition.dynamic_partition, "data partitions num_partitions:int"),
    "DynamicStitch": (partition.dynamic_stitch, "indices:tensors data:tensors"),
    "EuclideanNorm": (reduction.reduce_euclidean_norm, "input axis keep_dims=False"),
    "HSVToRGB": (colours.hsv_to_rgb, "images"),
    "IdentityN": (lambda given: conversion.identity_n([*given]), "input"),
    "Igamma": (special.igamma, "a x"),
    "Igammac": (special.igammac, "a x"),
    "InTopKV2": (
        lambda x, places, k: ordering.in_top_k(places, x, k), "predictions targets k",
    ),
    "Invert": (bits.invert, "x"),
    "LRN": (
        responses.local_response_normalization,
        "input depth_radius=5 bias=1.0 alpha=1.0 beta=0.5",
    ),
    "LeftShift": (bits.left_shift, "x y"),
    "LogMatrixDeterminant": (lambda x: LogMatrixDeterminant(*solving.slogdet(x)), "input"),
    "Lu": (lambda x, kind: Lu(*lower_upper.lu(x, kind)), "input output_idx_type=int32"),
    "MatrixDiag": (diagonals.diag, "diagonal"),
    "MatrixDiagPart": (diagonals.diag_part, "input"),
    "MatrixSetDiag": (diagonals.set_diag, "input diagonal"),
    "MatrixTriangularSolve": (
        solving.triangular_solve, "matrix rhs lower=True adjoint=False",
    ),
    "NextAfter": (special.nextafter, "x1 x2"),
    "ParseTensor": (protos.parse_tensor, "serialized out_type:type"),
    "Polygamma": (special.polygamma, "a x"),
    "Qr": (_factors, "input full_matrices=False"),
    "RGBToHSV": (colours.rgb_to_hsv, "images"),
    "RegexFullMatch": (patterns.regex_full_match, "input pattern"),
    "RegexReplace": (patterns.regex_replace, "input pattern rewrite replace_global=True"),
    "RightShift": (bits.right_shift, "x y"),
    "SerializeTensor": (protos.serialize_tensor, "tensor"),
    "ShapeN": (lambda given, kind: creation.shape_n([*given], kind), "input out_type=int32"),
    "SpaceToDepth": (blocks.space_to_depth, "input block_size:int data_format=NHWC"),
    "StringLength": (texts.length, "input unit=BYTE"),
    "StringLower": (texts.lower, "input encoding=''"),
    "StringStrip": (texts.strip, "input"),
    "StringToHashBucketFast": (hashing.to_hash_bucket_fast, "input num_buckets:int"),
    "StringToHashBucketStrong": (
        hashing.to_hash_bucket_strong, "input num_buckets:int key:list",
    ),
    "StringToNumber": (numerals.to_number, "string_tensor out_type=float32"),
    "StringUpper": (texts.upper, "input encoding=''"),
    "Substr": (texts.substr, "input pos len unit=BYTE"),
    "UnravelIndex": (unraveling.unravel_index, "indices dims"),
    "Xlog1py": (arithmetic.xlog1py, "x y"),
    "Zeta": (special.zeta, "x q"),
}  # fmt: skip
