"""What `tf.experimental.numpy` answers: values, dtypes, slopes and errors of its functions.

A row asks one function for several kinds of arrays, and keeps the error of each that is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import numpy as np

from tests.answers.answer import Table, said
from tests.answers.stand_ins import wide


def as_it_was(tf: Any) -> None:
    """Take NumPy's behaviour back, for which TensorFlow has no function."""
    if tf.__name__ == "symtape":
        import_module("symtape.stand_in.numpy.behaviour").disable_numpy_behavior()
        return
    ops = import_module("tensorflow.python.framework.ops")
    ops.set_dtype_conversion_mode("off")
    ops._numpy_style_slicing = False
    found = import_module("tensorflow.python.ops.numpy_ops.np_dtypes")
    found.set_prefer_float32(False)
    for name in _METHODS:
        if name in vars(tf.Tensor):
            delattr(tf.Tensor, name)


_METHODS = (
    *("T", "size", "__pos__", "tolist", "transpose", "flatten", "reshape", "ravel", "clip"),
    *("astype", "__round__", "max", "mean", "min", "data"),
)
TABLE = Table("numpy_names", as_it_was)

F = np.array([[0.5, -1.5, 2.0], [0.25, 3.0, -0.75]], np.float32)
D, Z = F.astype(np.float64), F.astype(np.complex64) * np.complex64(1 + 0.5j)
I = np.array([[3, -2, 7], [1, 1, -5]], np.int32)  # noqa: E741 - an array of integers
B = np.array([[True, False, True], [False, False, True]])
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
SMALL = I.astype(np.int8)

Run = Callable[[Any], Any]


def outcome(run: Run, tf: Any) -> Any:
    """Give what a program gives, or the type and the text of its error."""
    try:
        found = run(tf)
    except Exception as error:
        return f"{type(error).__name__}: {said(str(error), 'plain')['plain']}"
    if type(found).__name__ == "DType":
        return found.name
    return found


def asked(name: str, runs: Iterable[Run], table: Table = TABLE, **behaviour: Any) -> None:
    """Add a row of programs that run with NumPy's behaviour."""
    listed = [*runs]

    def run(plain: Any) -> Any:
        tf = wide(plain)
        tf.experimental.numpy.experimental_enable_numpy_behavior(**behaviour)
        return [outcome(program, tf) for program in listed]

    table.add(name, run)


def given(tf: Any, value: Any) -> Any:
    """Make a tensor of an array; numbers, lists and names of dtypes stay what they are."""
    return tf.constant(value) if isinstance(value, np.ndarray) else value


def call(name: str, *args: Any, **how: Any) -> Run:
    """Call a function by its name."""

    def run(tf: Any) -> Any:
        found = tf.experimental.numpy
        for part in name.split("."):
            found = getattr(found, part)
        return found(*[given(tf, a) for a in args], **how)

    return run


def slopes(name: str, *args: Any, **how: Any) -> Run:
    """Give the gradients of the sum of squares of what a function gives, in all floats."""

    def run(tf: Any) -> Any:
        parts = [given(tf, a) for a in args]
        floats = [p for p in parts if hasattr(p, "dtype") and p.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(floats)
            made = getattr(tf.experimental.numpy, name)(*parts, **how)
            total = tf.reduce_sum(made * made)
        found = tape.gradient(total, floats)
        return [None if g is None else tf.convert_to_tensor(g) for g in found]

    return run


# --- functions of one array -----------------------------------------------------------------------
SMOOTH = """
abs absolute fabs conj conjugate negative positive square real exp expm1 exp2 log log1p sqrt sin cos
tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh deg2rad rad2deg cbrt sinc log2 log10
sum prod amax amin max min std mean var ptp nansum nanprod nanmean average cumsum sort ravel flatten
squeeze transpose flip flipud fliplr rot90 diff atleast_1d atleast_2d atleast_3d diagflat diagonal
trace tril triu vstack hstack dstack concatenate copy around round fix cumprod
""".split()
STEPS = """
imag ceil floor isnan isfinite signbit angle sign logical_not iscomplex isreal iscomplexobj
isrealobj all any count_nonzero argmax argmin argsort array asarray asanyarray ascontiguousarray
zeros_like ones_like empty_like size shape ndim isscalar nonzero result_type broadcast_arrays
""".split()
for _name in SMOOTH + STEPS:
    _given: list[Any] = [F, D, I, B, SMALL, 0.5, 2, [[1, 2.5], [3, 4]]]
    _runs = [call(_name, x) for x in _given]
    asked(_name, [*_runs, slopes(_name, F)] if _name in SMOOTH else _runs)
    asked(
        f"{_name} in single", [call(_name, x) for x in (0.5, 2, [1.5, 2.5], I)], prefer_float32=True
    )
asked("reciprocal", [call("reciprocal", F), slopes("reciprocal", F)])
asked("bitwise not", [call("bitwise_not", x) for x in (I, B, SMALL)])
for _name in ("isinf", "isneginf", "isposinf"):
    asked(_name, [call(_name, x) for x in (np.array([1, np.inf, -np.inf]), I, 2.0)])
for _name in ("exp", "angle", "sqrt", "conj", "sum", "real", "imag", "array_equal"):
    asked(f"{_name} of complex", [call(_name, *[Z] * (2 if _name == "array_equal" else 1))])

# --- functions of two arrays ----------------------------------------------------------------------
PAIRS = """
add subtract multiply true_divide divide floor_divide mod remainder minimum maximum power
float_power arctan2 bitwise_and bitwise_or bitwise_xor divmod hypot heaviside logaddexp gcd lcm
equal not_equal array_equal greater greater_equal less less_equal logical_and logical_or logical_xor
isclose allclose dot inner outer vdot matmul kron append nextafter
""".split()
_two = [(D, I), (F, 2.5), (2, I), (I, 2.5), (B, B), (D, F), ([1, 2, 3], [3.5, 4, 5]), (3, 4)]
_two += [(2.0, 3), (SMALL, np.abs(SMALL).astype(np.uint8)), (F[0], I), (F, 0), (D, D.T.copy())]
_steep = {"add", "subtract", "multiply", "divide", "maximum", "hypot", "outer", "logaddexp", "kron"}
for _name in PAIRS:
    _runs = [call(_name, x, y) for x, y in _two]
    asked(_name, [*_runs, slopes(_name, D, D[0])] if _name in _steep else _runs)
    asked(
        f"{_name} in single",
        [call(_name, x, y) for x, y in ((0.5, 2), (I, 2.5), (2, 3))],
        prefer_float32=True,
    )
asked("logaddexp2", [call("logaddexp2", D, D[::-1].copy()), call("logaddexp2", 1.5, 2)])

# --- functions with more arguments ----------------------------------------------------------------
CALLS: dict[str, list[tuple[Any, ...]]] = {
    "swapaxes": [(X, 0, 2), (X, -1, 0)],
    "moveaxis": [(X, 0, -1), (X, (0, 1), (2, 0)), (X, (0,), (1, 2)), (X, 0, 0)],
    "pad": [(F, [[1, 0], [0, 2]], mode) for mode in ("constant", "reflect", "symmetric", "edge")],
    "rot90": [(F, 2), (F, 3), (F, -1), (X, 1, (0, 2))],
    "roll": [(F, 1), (F, 1, 1), (F, (1, 2), (0, 1))],
    "flip": [(X, 1), (X, -1)],
    "take": [(F, [0, 9, -1]), (F, [0, 5], 1), (F, [0, 5, -1], 1, None, "wrap"),
             (F, 0, None, None, "raise"), (F, 0, None, None, "x"), (F, 0, None, 1)],
    "where": [(B, F, 0), (B, F), (F, 1, 2.5), (B, I, D), (B,)],
    "select": [([B, ~B], [F, I]), ([B], [F], 2.5), ([], []), ([B], []), ([B, B], [1, 2])],
    "take_along_axis": [(F, [[0], [1]], 1), (F, [[0, 1, 1]], 0), (F, [0, -1], None)],
    "compress": [([True, False], F, 0), ([True], F, 1), ([True, False, True], F), ([[True]], F)],
    "repeat": [(F, 2), (F, 2, 1), (F, [1, 2], 0), (3, 2)],
    "diff": [(F, 2), (F, 1, 0), (F, -1), (B,)],
    "clip": [(F, 0, 1), (I, 0.5, None), (F, None, None), (I, -1, 2), (F, [0, 0, 0], 1)],
    "ix_": [([0, 1], [2, 3]), ([True, False],), ([1.0],), (I,)],
    "eye": [(3,), (2, 3), (2, 3, 1), (3, 2, -1), (3, 3, 5), (2, 2, 0, int), (2, None, 0, None)],
    "identity": [(2,), (2, np.int32)],
    "tri": [(3,), (2, 3, 1), (3, 3, -1), (3, 3, -5), (3, 3, 5), (3, 3, 0, int)],
    "tril": [(F, 1), (I, -1), (X,), ([1, 2],)],
    "triu": [(F, 1), (I, -1), (X,), ([1, 2],)],
    "diag": [(F[0],), (F[0], 1), (F,), (F, 1), (F, 9), (F, -9), (F[:0, 0], 2), (X,), (1,)],
    "diagonal": [(X,), (X, 1), (X, -5), (X, 0, 1, 2), (X, 1, -1, 0)],
    "trace": [(X,), (X, 1), (SMALL, 0, 0, 1), (X, 0, 1, 2, "float64")],
    "arange": [(5,), (1, 5, 2), (5, 1), (5, 1, -1), (0, 1, 0.25), (3.0,), (1, 2, 0),
             (5, None, 1, "float32"), (np.float32(3),)],
    "linspace": [(0.0, 1.0, 5), (0, 10, 5), (0.0, 1.0, 5, False), (0.0, 1.0, 5, True, True),
             (0.0, 1.0, 1, True, True), (0.0, 1.0, 0), (0.0, 1.0, -1), (F[0], F[1], 3),
             (0, 1, 3, True, False, "int32"), (0.0, 1.0, 1, False, True)],
    "logspace": [(0.0, 2.0, 3), (0, 2, 3), (0.0, 2.0, 3, False, 2.0)],
    "geomspace": [(1.0, 100.0, 3), (1, 100, 3), (-1.0, -100.0, 3), (1.0, 100.0, 3, False)],
    "meshgrid": [([1, 2], [3.0, 4.0, 5.0])],
    "vander": [([1, 2, 3],), ([1.0, 2.0], 4), ([1.0, 2.0], 3, True), ([1.0], -1), ([[1.0]],)],
    "full": [((2, 3), 1), (3, 2.5), (2, True), ((2,), 1, "int8"), (np.array([2, 2]), F[0, :2])],
    "full_like": [(F, 1), (I, 2.5), (F, 1, "int32"), (F, 1, None, "C"), (F, 1, None, "K", False)],
    **{name: [((2,),), (3,), ((2,), int), ((2,), None), ((2,), "float32")]
       for name in ("zeros", "ones", "empty")},
    "array": [([1, 2j],), ([True, 2],), (2.5, int), ([1, 2], np.float32), (1, None, True, 3),
             (1, None, True, 40), (2**40,), (2**63,), (np.float32(1),), ([np.float32(1), 2],),
             ("S",), (["S", "S"],), (I, "float32"), ([],), (b"x",)],
    "concatenate": [([D, I],), ([D, I], 1), ([],), ([F[0], [1, 2]],)],
    "stack": [([D, I], -1), (X,), (X, 1)],
    "hstack": [([D, I],), ([[1], [2.5, 3]],), ([1, 2],)],
    "vstack": [([[1, 2], [3.5, 4]],), ([D, I],)],
    "dstack": [([D, I],), ([[1, 2], [3, 4]],), ([1, 2],)],
    "split": [(F, 3, 1), (F, [1], 1), (F, [1, 2, 9], 1), (F, [2, 1], 1), (F, [1], 5)],
    "hsplit": [(F, 3), (F[0], 3), (F, 2)],
    "vsplit": [(F, 2), (F, 3)],
    "dsplit": [(X, 2)],
    "tile": [(F, 2), (F, (2, 1, 1)), (3, 2), (X, (1, 2))],
    "atleast_3d": [(1, [1, 2], F, X)],
    "broadcast_to": [(F[0], (2, 3)), (1, (2,)), (F, (3,))],
    "expand_dims": [(F, 0), (F, -1)],
    "reshape": [(F, (3, 2)), (F, -1), (F, (3, 2), "F"), (F, (3, 2), "X"), (F, (4, 2))],
    "transpose": [(X,), (X, (2, 0, 1))],
    "cross": [(D, I), (F[:, :2], I[:, :2]), (D[:, :2], I), (F.T.copy(), F.T.copy(), 0, 0, 0)],
    "einsum": [("ij,ij->i", D, I), ("ij->ji", I), ("ij,jk", F, D.T.copy())],
    "tensordot": [(F, F, 2), (F, F, [[1], [1]]), (F, F, 1)],
    "polyval": [([1, 2, 3], F), (2.5, F), (F[0], 2)],
    "average": [(F, 1), (F, 1, [1, 2, 3]), (F, None, I), (F, 1, [1, 2, 3], True), (F, (0, 1)),
             (F, 0, None, True), (F, None, [1, 2, 3])],
    "var": [(F, 1), (F, 1, "float64", None, 1), (F, None, "float64"), (I, None, "float32"),
             (F, 0, None, 3)],
    "sum": [(F, (0, 1)), (B, None, bool), (F, 0, "float64", True)],
    "nanmean": [([1, np.nan, 3],), (I,), (np.array([1, np.nan, 3]), 0, "float32")],
    "nansum": [([1, np.nan, 3],)],
    "argsort": [(F, None), (F, 0, "stable"), (F, 0, "heap"), (F, 0, "quicksort", 1), (1.0,), (Z,)],
    "sort": [(F, None), (F, 0), (F, 0, "stable"), (F, 0, "quicksort", 1)],
    "around": [(F, 1), (F, -1), (1.25, 1)],
    "sign": [(Z,), (F, 1), (F, None, 1)],
    "isclose": [(D, D + 1e-6), ([np.nan], [np.nan], 1e-5, 1e-8, True), (I, I), (Z, Z)],
    "iinfo": [("int8",)],
    "promote_types": [("int32", "float32"), (np.int8, np.uint8)],
    "size": [(F, 0), (np.float32(2),)],
    "diag_indices": [(3,), (2, 3), (-1,), (2, -1)],
    "issubdtype": [(np.float32, np.inexact)],
    "cumsum": [(SMALL, 1), (F, -1), (F, 0, "float64"), (B,)],
    "count_nonzero": [(F, 0)],
    "amax": [(F, 0, 1)],
    "mean": [(F, 0, None, 1), (I, 0, "float32")],
}  # fmt: skip
for _name, _many in CALLS.items():
    asked(f"{_name} with more", [call(_name, *args) for args in _many])


def _limits(kind: Any) -> Run:
    """Ask for the numbers of `finfo`, whose text is another with each NumPy."""

    def run(tf: Any) -> Any:
        found = tf.experimental.numpy.finfo(kind)
        return [found.bits, float(found.eps), float(found.max), str(found.dtype)]

    return run


asked("finfo with more", [_limits("float32"), _limits(np.float64)])
