"""PyTorch: tensors on a device, with dtypes of their own."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, special


class Dtype(NamedTuple):
    """A dtype that is not NumPy's."""

    name: str

    @property
    def is_complex(self) -> bool:
        """Say whether it is of complex numbers."""
        return self.name.startswith("complex")

    def __str__(self) -> str:
        """Write it as PyTorch does."""
        return f"torch.{self.name}"


_DTYPES = """
float16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 bool
""".split()
DTYPES = {name: Dtype(name) for name in _DTYPES}


class Tensor(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that is told apart from NumPy's, with a dtype of its own, on a device."""

    def __init__(self, array: Any, device: str = "cpu") -> None:
        self.array, self.device = np.asarray(array), device

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **given: Any) -> Any:
        """Compute with operators."""
        return on_tensors(getattr(ufunc, method))(*operands, **given)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Refuse to be taken for an array of NumPy's."""
        raise TypeError("a tensor was given to a function of NumPy's")

    def __getitem__(self, place: Any) -> Tensor:
        """Take a part, which does not run backwards."""
        for part in place if isinstance(place, tuple) else (place,):
            if isinstance(part, slice) and (part.step or 1) < 0:
                raise ValueError("step must be greater than zero")
        return Tensor(self.array[place], self.device)

    @property
    def dtype(self) -> Dtype:
        """Give the dtype."""
        return DTYPES[self.array.dtype.name]

    @property
    def shape(self) -> tuple[int, ...]:
        """Give the shape."""
        return self.array.shape

    @property
    def T(self) -> Tensor:  # noqa: N802 - PyTorch's name
        """Transpose a matrix, which alone PyTorch transposes by this name."""
        assert self.ndim == 2
        return Tensor(self.array.T, self.device)

    @property
    def ndim(self) -> int:
        """Count the axes."""
        return self.array.ndim

    def to(self, dtype: Dtype) -> Tensor:
        """Change the dtype."""
        return Tensor(self.array.astype(dtype.name), self.device)

    def expand(self, shape: tuple[int, ...]) -> Tensor:
        """Repeat along axes of one element."""
        return Tensor(np.broadcast_to(self.array, shape), self.device)

    def clone(self) -> Tensor:
        """Give a tensor of its own."""
        return Tensor(self.array.copy(), self.device)

    def detach(self) -> Tensor:
        """Leave the graph, of which there is none."""
        return self

    def cpu(self) -> Tensor:
        """Go to where NumPy can read it."""
        return Tensor(self.array)

    def numpy(self) -> Any:
        """Give NumPy's array, if it is where NumPy can read it."""
        if self.device != "cpu":
            raise TypeError(f"can't convert {self.device} device type tensor to numpy")
        return self.array


_ARGUMENTS = {"dim": "axis", "keepdim": "keepdims"}


def on_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of NumPy's one of tensors on one device, with PyTorch's arguments."""

    def run(*operands: Any, **given: Any) -> Any:
        found = {x.device for x in tensors(operands) if x.ndim or x.device != "cpu"}
        if len(found) > 1:
            raise RuntimeError(f"expected all tensors to be on the same device, found {found}")
        device = given.pop("device", None) or next(iter(found), "cpu")
        if "axis" in given or "keepdims" in given:
            raise TypeError("torch calls it dim and keepdim")
        given = {_ARGUMENTS.get(name, name): plain(value) for name, value in given.items()}
        made = function(*[plain(x) for x in operands], **given)
        if isinstance(made, (tuple, list)):
            return tuple([Tensor(x, device) for x in made])
        return Tensor(made, device)

    return run


def tensors(operands: Any) -> list[Tensor]:
    """List the tensors among operands, those of a tuple too."""
    nested = [tensors(x) if isinstance(x, (tuple, list)) else [x] for x in operands]
    return [x for group in nested for x in group if isinstance(x, Tensor)]


def plain(value: Any) -> Any:
    """Give NumPy's array or dtype for PyTorch's."""
    if isinstance(value, Tensor):
        return value.array
    if isinstance(value, Dtype):
        return np.dtype(value.name)
    return tuple([plain(x) for x in value]) if isinstance(value, (tuple, list)) else value


def of_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that takes no bare numbers, as those of two tensors do."""
    run = on_tensors(function)

    def strict(*operands: Any, **given: Any) -> Any:
        if not all([isinstance(x, Tensor) for x in operands]):
            raise TypeError("expected Tensor as element, but got a number")
        return run(*operands, **given)

    return strict


def _index_add(x: Any, dim: int, places: Any, rows: Any) -> Any:
    found = x.copy()
    np.add.at(found, (slice(None),) * dim + (places,), rows)
    return found


def _scatter_reduce(x: Any, dim: int, places: Any, rows: Any, reduce: str) -> Any:
    found = x.copy()
    at = [*np.indices(rows.shape)]
    at[dim] = places
    {"amax": np.maximum, "amin": np.minimum}[reduce].at(found, tuple(at), rows)
    return found


def cholesky_ex(a: Any) -> tuple[Any, Any]:
    """Give the factor, however far it went, and whether it went to the end."""
    found, info = np.zeros_like(a), np.zeros(a.shape[:-2], np.int32)
    for k in np.ndindex(info.shape):
        try:
            found[k] = np.linalg.cholesky(a[k])
        except np.linalg.LinAlgError:
            info[k] = 1
    return found, info


def triangular(a: Any, b: Any, upper: bool) -> Any:
    """Solve with a triangle, and look at nothing else."""
    return np.linalg.solve(np.triu(a) if upper else np.tril(a), b)


_ALIKE = """
abs amax amin angle arange arccos arccosh arcsin arcsinh arctan arctanh argmax argmin argsort
broadcast_to ceil cos cosh cumprod cumsum einsum exp expm1 flip floor floor_divide full full_like
imag isfinite isinf isnan log log1p prod real reshape sin sinh sqrt square stack sum tan tanh tril
triu trunc where zeros_like
""".split()
"""What PyTorch calls as NumPy does."""

_OF_TWO = "arctan2 logaddexp maximum minimum hypot nextafter".split()

_OTHERWISE = {
    "all": np.all,
    "as_tensor": np.asarray,
    "broadcast_tensors": np.broadcast_arrays,
    "cat": np.concatenate,
    "complex": lambda x, y: x + 1j * y,
    "conj_physical": np.conj,
    "index_add": _index_add,
    "index_select": lambda x, dim, places: np.take(x, places, dim),
    "permute": np.transpose,
    "pow": np.power,
    "remainder": np.mod,
    "round": np.rint,
    "scatter_reduce": _scatter_reduce,
    "sgn": np.sign,
    "tensor": np.array,
}

_MATRICES = "inv solve det slogdet qr eigh eigvalsh eig svd".split()

_LINALG = {
    **{name: getattr(np.linalg, name) for name in _MATRICES},
    "cholesky_ex": cholesky_ex,
    "matrix_exp": linalg.expm,
    "solve_triangular": triangular,
}

_SPECIAL = {
    "erf": special.erf, "erfc": special.erfc, "erfinv": special.erfinv, "ndtri": special.ndtri,
    "gammaln": special.gammaln, "i0e": special.i0e, "i1e": special.i1e,
    "scaled_modified_bessel_k0": special.k0e, "scaled_modified_bessel_k1": special.k1e,
    "digamma": special.digamma, "modified_bessel_i0": special.i0, "modified_bessel_i1": special.i1,
    "modified_bessel_k0": special.k0, "modified_bessel_k1": special.k1,
}  # fmt: skip


def module() -> Any:
    """Make a module like PyTorch."""
    made = ModuleType("torch")
    of_two = {name: of_tensors(getattr(np, name)) for name in _OF_TWO}
    alike = {name: on_tensors(getattr(np, name)) for name in _ALIKE}
    otherwise = {name: on_tensors(f) for name, f in _OTHERWISE.items()}
    made.__dict__.update(**of_two, **alike, **otherwise, **DTYPES, Tensor=Tensor)
    made.linalg = SimpleNamespace(**{n: on_tensors(f) for n, f in _LINALG.items()})
    made.fft = SimpleNamespace(fft=on_tensors(np.fft.fft), ifft=on_tensors(np.fft.ifft))
    own = {name: on_tensors(f) for name, f in _SPECIAL.items()}
    two = {name: of_tensors(getattr(special, name)) for name in ("gammainc", "gammaincc", "zeta")}
    made.special = SimpleNamespace(**own, **two)
    return made
