"""What a function reads besides its arguments, so that it is never older than what it reads.

A traced function is run again from its program, not from its code. That is right if the function is
closed: its code has no other values than those that it names (`closed.py`), and each of these is
known. Immutable values are compared by identity on each call; of an array, the present elements are
read (`Deferred`); a function must be closed itself; and of lists, dicts, modules, classes and
objects, each element and attribute that is read is looked at in the same way when it is read, by a
`Proxy` in their place. So a closed function runs as a copy that sees nothing that was not noticed.
"""

from __future__ import annotations

import builtins
import cmath
import itertools
import math
import sys
import weakref
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

import numpy as np

from symtape.functions.tracing.closed import names_of
from symtape.functions.tracing.proxies.objects import MISSING, Proxy, proxy_of
from symtape.tensor.dtypes import DType
from symtape.tensor.lazy.arrays import Deferred
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

_MOST = 1000
"""How many places are watched; a function that reads more is recorded anew on every call."""

_LARGEST = 1 << 26
"""How many bytes of arrays are compared on every call."""

_ATOMS = frozenset(
    [int, float, complex, bool, str, bytes, range, DType, *map(type, (None, ..., NotImplemented))]
)
"""Types whose values never change."""

_BUILTINS = frozenset(
    "abs all any ascii bin bool bytes chr complex dict divmod enumerate filter float format "
    "frozenset hex int isinstance issubclass iter len list map max min next oct ord pow range "
    "repr reversed round set slice sorted str sum tuple zip".split()
)
_NUMPY = frozenset(
    "abs all allclose amax amin angle any append apply_along_axis arange argmax argmin argsort "
    "argwhere around array array_equal asarray ascontiguousarray atleast_1d atleast_2d "
    "atleast_3d average block broadcast_arrays broadcast_shapes broadcast_to clip column_stack "
    "concatenate convolve copy corrcoef correlate cov cross cumprod cumsum cumulative_prod "
    "cumulative_sum delete diag diag_indices diagflat diagonal diff digitize dot dsplit dstack "
    "einsum einsum_path expand_dims eye finfo fix flatnonzero flip fliplr flipud full full_like "
    "geomspace gradient hsplit hstack identity iinfo imag in1d indices inner insert interp "
    "isclose iscomplexobj isin isreal isrealobj isscalar ix_ kron linspace logspace "
    "matrix_transpose max mean median meshgrid min moveaxis nan_to_num nancumprod nancumsum "
    "nanmax nanmean nanmin nanprod nanstd nansum nanvar ndim nonzero ones ones_like outer pad "
    "percentile permute_dims piecewise poly polyadd polyder polyint polymul polysub polyval "
    "prod promote_types ptp quantile ravel real repeat reshape resize result_type roll rollaxis "
    "roots rot90 round searchsorted select shape sinc size sort split squeeze stack std sum "
    "swapaxes take take_along_axis tensordot tile trace transpose trapezoid tri tril "
    "tril_indices triu triu_indices trim_zeros unique unravel_index unstack unwrap vander var "
    "vdot vsplit vstack where zeros zeros_like dtype ndarray".split()
)
_LINALG = frozenset(
    "cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm "
    "matrix_power matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd "
    "svdvals tensordot tensorinv tensorsolve trace vecdot vector_norm".split()
)
_FFT = frozenset(
    "fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft "
    "rfft2 rfftfreq rfftn".split()
)
_TRUSTED: dict[str, frozenset[str]] = {
    "builtins": _BUILTINS,
    "numpy": _NUMPY,
    "numpy.linalg": _LINALG,
    "numpy.fft": _FFT,
    "functools": frozenset(["partial", "reduce"]),
    **{module.__name__: frozenset(vars(module)) for module in (math, cmath, itertools)},
}
"""What computes with its arguments alone, by module; one that nobody imported has given nothing."""


class NotClosedError(Exception):
    """A function reads something that is not known not to change."""


class Captured:
    """The places that a closed function reads, and what was there."""

    def __init__(self) -> None:
        self.refusal: NotClosedError | None = None
        self._places: list[tuple[Callable[..., Any], Any, Any]] = []
        self._reads: list[tuple[Callable[[], Any], Any]] = []
        self._codes: list[tuple[weakref.ref[FunctionType], Any, Any, Any, int]] = []
        self._arrays: list[tuple[Callable[[], Any], Any, Any]] = []
        self._values: list[tuple[Callable[[], Any], Any]] = []
        self._has_more = False
        self._bytes = 0
        self._known: dict[int, tuple[Any, Any]] = {}

    def finish(self) -> None:
        """Forget what stood in for something, once the function was traced."""
        if self.refusal is not None:
            raise self.refusal
        self._known.clear()
        self._has_more = bool(self._reads or self._arrays or self._values)

    def unchanged(self) -> bool:
        """Say whether everything is as it was; of arrays that are leaves, shape and dtype."""
        for get, key, value in self._places:
            if get(key, MISSING) is not value:
                return False
        for reference, code, defaults, options, count in self._codes:
            function = reference()
            if function is not None and (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not options
                or len(function.__dict__) != count
            ):
                return False
        return not self._has_more or self._same_reads()

    def _same_reads(self) -> bool:
        try:
            for read, value in self._reads:
                if read() is not value:
                    return False
            for read, shape, dtype in self._arrays:
                array = read()
                if type(array) is not np.ndarray or array.shape != shape or array.dtype != dtype:
                    return False
            return all([_same(read(), value) for read, value in self._values])
        except Exception:  # noqa: BLE001 - what cannot be read any more has changed
            return False

    # --- noticing ---------------------------------------------------------------------------------

    def refuse(self, what: str) -> NoReturn:
        """Give up, and remember it, whatever the function does with the exception."""
        self.refusal = NotClosedError(what)
        raise self.refusal

    def at(self, get: Callable[..., Any], key: Any, label: str | None) -> Any:
        """Give what stands for the value at a key of a mapping; MISSING if there is none."""
        value = get(key, MISSING)
        if type(value) is np.ndarray:
            return self.array(partial(get, key), value, label)
        self._counted()
        self._places.append((get, key, value))
        return value if value is MISSING else self.standin(value, label)

    def read(self, read: Callable[[], Any], label: str | None = None) -> Any:
        """Give what stands for a value that can be read again."""
        value = read()
        if type(value) is np.ndarray:
            return self.array(read, value, label)
        self.same(read, value)
        return self.standin(value, label)

    def same(self, read: Callable[[], Any], value: Any) -> None:
        """Compare by identity on each call."""
        self._counted()
        self._reads.append((read, value))

    def compare(self, read: Callable[[], Any], value: Any) -> None:
        """Compare numbers bit by bit on each call."""
        self._counted()
        self._bytes += getattr(value, "nbytes", 8)
        if self._bytes > _LARGEST:
            self.refuse("arrays that are too large to be compared on every call")
        self._values.append((read, value.copy() if isinstance(value, np.ndarray) else value))

    def array(self, read: Callable[[], Any], value: Any, label: str | None) -> Any:
        """Let the present elements of an array be read on each call."""
        if value.dtype.kind not in "fciub" or not value.dtype.isnative:
            self.refuse(f"an array of dtype {value.dtype}")
        self._counted()
        if not value.ndim:
            self.compare(read, value)
            return value.copy()
        self._arrays.append((read, value.shape, value.dtype))
        return Deferred(read, value, self, label)

    def _counted(self) -> None:
        if len(self._places) + len(self._reads) + len(self._arrays) + len(self._values) > _MOST:
            self.refuse(f"more than {_MOST} places that are read")

    # --- what stands for a value ------------------------------------------------------------------

    def standin(self, value: Any, label: str | None = None) -> Any:
        """Give what the function sees in the place of a value, whose place is watched."""
        kind = type(value)
        if kind in _ATOMS or kind in _SEEN or isinstance(value, _NUMBERS):
            return value
        known = self._known.get(id(value))
        if known is None:
            self._known[id(value)] = known = (value, self._made(value, kind, label))
        return known[1]

    def _made(self, value: Any, kind: Any, label: str | None) -> Any:
        if isinstance(value, (Tensor, Variable, np.dtype)) or is_trusted(value):
            return value
        if kind is FunctionType:
            return self._function(value)
        if kind is MethodType:
            return self._method(value)
        if kind is partial:
            return self._partial(value)
        if kind is tuple:
            return tuple([self._element(value, k, label) for k in range(len(value))])
        rebound = getattr(kind, "rebound", None)
        if rebound is not None and is_ours(_true_module(kind)):
            return rebound(value, self.standin)
        made = proxy_of(value, self, label)
        if made is None:
            self.refuse(f"an object of type {kind.__name__}")
        return made

    def _element(self, value: tuple[Any, ...], k: int, label: str | None) -> Any:
        name = None if label is None else f"{label}_{k}"
        found = value[k]
        if type(found) is np.ndarray:
            return self.array(lambda: found, found, name)
        return self.standin(found, name)

    def _method(self, value: MethodType) -> Any:
        return MethodType(self.standin(value.__func__), self.standin(value.__self__))

    def _partial(self, value: Any) -> Any:
        self.same(lambda: value.func, value.func)
        self.same(lambda: value.args, value.args)
        names = list(value.keywords)
        options = {name: self.at(value.keywords.get, name, name) for name in names}
        self.compare(lambda: len(value.keywords), len(names))
        return partial(self.standin(value.func), *self.standin(value.args, "args"), **options)

    def _function(self, function: FunctionType) -> Any:
        """Make a copy of a closed function that sees what stands for the values that it names."""
        names = names_of(function.__code__)
        own = function.__dict__
        if names is None or type(function.__globals__) is not dict or own.keys() - {"__wrapped__"}:
            self.refuse(f"{function.__qualname__}, whose code is not closed")
        free = function.__closure__ or ()
        cells = tuple([CellType() for _ in free])
        scope: dict[str, Any] = {"__builtins__": {}, "__name__": function.__module__}
        made = FunctionType(function.__code__, scope, function.__name__, None, cells)
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
        self._known[id(function)] = (function, made)  # it may call itself
        for name, mine, theirs in zip(names.free, cells, free, strict=True):
            found = self._variable(theirs, name)
            if found is not MISSING:
                mine.cell_contents = found
        scope.update(self._globals(function, names.globals))
        self._defaults(function, made)
        return made

    def _variable(self, cell: Any, name: str) -> Any:
        """Give what stands for a variable of an enclosing function."""
        value = contents(cell)
        if type(value) is np.ndarray:
            return self.array(partial(contents, cell), value, name)
        self.same(partial(contents, cell), value)
        return value if value is MISSING else self.standin(value, name)

    def _globals(self, function: Any, names: tuple[str, ...]) -> dict[str, Any]:
        outside, inside = function.__globals__, function.__builtins__
        found: dict[str, Any] = {}
        for name in names:
            value = self.at(outside.get, name, name)
            if value is MISSING:
                value = self.at(inside.get, name, name)
            if value is not MISSING:
                found[name] = value
        return found

    def _defaults(self, function: FunctionType, made: FunctionType) -> None:
        defaults, options = function.__defaults__, function.__kwdefaults__
        reference = weakref.ref(function)
        self._codes.append(
            (reference, function.__code__, defaults, options, len(function.__dict__))
        )
        if defaults is not None:
            made.__defaults__ = self.standin(defaults, "default")
        if options is not None:
            made.__kwdefaults__ = {name: self.at(options.get, name, name) for name in options}


_NUMBERS = (np.number, np.bool_)
_SEEN = (Deferred, Proxy)
"""What an outer function that is being traced has put in the place of its own values."""


def is_trusted(value: Any) -> bool:
    """Say whether a function or a type computes with its arguments alone.

    >>> is_trusted(np.sum), is_trusted(math.exp), is_trusted(np.load), is_trusted(open)
    (True, True, False, False)
    """
    kind = type(value)
    if kind is np.ufunc:
        return _is_at_home(value)
    if kind is FunctionType:
        if is_ours(value.__globals__.get("__name__")):
            return True
    elif kind is BuiltinFunctionType and not isinstance(value.__self__, (ModuleType, type(None))):
        return False  # a method
    elif isinstance(value, type):
        if issubclass(value, (np.generic, BaseException)):
            return any([getattr(room, value.__name__, None) is value for room in (builtins, np)])
        return is_ours(_true_module(value)) or _is_listed(value)
    elif not callable(value):
        return False
    return _is_listed(value)


def _true_module(kind: type) -> str:
    found: str = vars(kind).get(TRUE_MODULE, kind.__module__)
    return found


def _is_listed(value: Any) -> bool:
    name = getattr(value, "__name__", None)
    return isinstance(name, str) and any(
        [
            name in names and getattr(sys.modules.get(module), name, None) is value
            for module, names in _TRUSTED.items()
        ]
    )


def _is_at_home(ufunc: Any) -> bool:
    """Say whether a universal function is one of NumPy's or SciPy's, and no Python function."""
    rooms = (np, sys.modules.get("scipy.special"))
    return any(getattr(room, ufunc.__name__, None) is ufunc for room in rooms)


TRUE_MODULE = "__true_module__"
"""What keeps the module of a type of ours that says it is of another."""


def is_ours(module: Any) -> bool:
    """Say whether a module is one of this library's."""
    return isinstance(module, str) and module.partition(".")[0] == "symtape"


def contents(cell: Any) -> Any:
    """Give what a cell holds; MISSING where it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def _same(found: Any, kept: Any) -> bool:
    """Compare numbers bit by bit, so that nan is itself."""
    if isinstance(kept, (list, tuple)):
        return len(found) == len(kept) and all(map(_same, found, kept))
    one, other = np.asarray(found), np.asarray(kept)
    return (
        type(found) is type(kept)
        and one.shape == other.shape
        and one.dtype == other.dtype
        and one.tobytes() == other.tobytes()
    )
