"""Which function of SciPy's takes a value out of a recording, and what is followed in its place."""

from __future__ import annotations

from collections.abc import Iterable
from types import FrameType, FunctionType

_SPECIAL = {
    "logsumexp": "tf.reduce_logsumexp",
    "softmax": "tf.nn.softmax",
    "log_softmax": "tf.nn.log_softmax",
    "polygamma": "tf.math.polygamma",
    "zeta": "tf.math.zeta",
    "multigammaln": "a sum of scipy.special.gammaln",
    "comb": "scipy.special.binom",
    "factorial": "scipy.special.gamma of n + 1",
    "perm": "scipy.special.poch of n - k + 1 and k",
    "lambertw": "scipy.special.wrightomega of log(x)",
    "spherical_jn": "scipy.special.jv of n + 0.5",
    "spherical_yn": "scipy.special.yv of n + 0.5",
    "spherical_in": "scipy.special.iv of n + 0.5",
    "spherical_kn": "scipy.special.kv of n + 0.5",
}
_LINALG = {
    **{
        name: f"np.linalg.{name}"
        for name in "solve inv det norm cholesky lstsq pinv svd qr".split()
    },
    **{name: f"np.linalg.{name}" for name in "eig eigh eigvals eigvalsh".split()},
    **{name: f"tf.linalg.{name}" for name in "expm logm sqrtm".split()},
    "cho_factor": "tf.linalg.cholesky",
    "cho_solve": "tf.linalg.cholesky_solve",
    "solve_triangular": "tf.linalg.triangular_solve",
    "solve_banded": "tf.linalg.tridiagonal_solve",
    "svdvals": "np.linalg.svd",
    "lu_factor": "tf.linalg.lu",
    "lu_solve": "tf.linalg.solve",
    "toeplitz": "tf.linalg.LinearOperatorToeplitz",
}
_OTHERS = {
    ("integrate", "trapezoid"): "np.trapezoid",
    ("signal", "convolve"): "np.convolve",
    ("signal", "fftconvolve"): "np.convolve",
    ("signal", "correlate"): "np.correlate",
    ("interpolate", "interp1d"): "np.interp",
}
_FFT = "fft ifft fft2 ifft2 fftn ifftn rfft irfft rfft2 irfft2 rfftn irfftn".split()

FOLLOWED: dict[tuple[str, str], str] = {
    **{("special", name): way for name, way in _SPECIAL.items()},
    **{("linalg", name): way for name, way in _LINALG.items()},
    **{("fft", name): f"np.fft.{name}" for name in _FFT},
    **_OTHERS,
}
"""By module and name, what computes the same of tensors."""


def way_around(frames: Iterable[FrameType]) -> str:
    """Say what to call in the place of a function of SciPy's that runs in some frames, if one does.

    The outermost is what somebody called.
    """
    called = [found for frame in frames if (found := _called(frame)) is not None]
    known = [f for f in called if f in FOLLOWED] or called
    if not known:
        return ""
    name, other = f"scipy.{'.'.join(known[-1])}", FOLLOWED.get(known[-1])
    if other is None:
        return f"{name} computes with numbers alone: write what it does with functions of tf"
    return f"call {other}, which is followed, in the place of {name}"


def _called(frame: FrameType) -> tuple[str, str] | None:
    """Give the module and the name of SciPy's function of a frame, or the one that it decorates."""
    module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
    if not module.startswith("scipy."):
        return None
    if name.endswith("wrapper"):
        inner = [v for v in frame.f_locals.values() if isinstance(v, FunctionType)]
        inner = [v for v in inner if v.__module__.startswith("scipy.")]
        if not inner:
            return None
        module, name = inner[0].__module__, inner[0].__name__
    room = module.split(".")[1]
    return None if room.startswith("_") or name.startswith("_") else (room, name)
