"""Backends on array libraries: the rows of the table, made of a library each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from types import ModuleType
from typing import Any

import numpy as np

from symtape.codegen.libraries.adapters.cupy_library import Cupy, NumPyLike, scipy_words
from symtape.codegen.libraries.adapters.dask_library import Dask
from symtape.codegen.libraries.adapters.jax_library import Jax
from symtape.codegen.libraries.adapters.torch_library import Torch
from symtape.codegen.libraries.adapters.words import Words
from symtape.codegen.libraries.library import Library
from symtape.codegen.libraries.source import Source
from symtape.codegen.task import Backend, Code, Recorded, Task, host_array
from symtape.errors import UnsupportedError
from symtape.extras import imported
from symtape.program.operations import DType, Shape, dtype_name

Array = Any


@cache
def jax() -> Library:
    """Find JAX."""
    return Jax(imported("jax", "the jax backend", "jax"))


@cache
def torch() -> Library:
    """Find PyTorch."""
    return Torch(imported("torch", "the torch backend", "torch"))


@cache
def cupy() -> Library:
    """Find CuPy and its special functions."""
    module = imported("cupy", "the cupy backend", "cupy")
    return Cupy(module, imported("cupyx.scipy.special", "the cupy backend", "cupy"))


@cache
def dask() -> Library:
    """Find Dask's arrays."""
    return Dask(imported("dask.array", "the dask backend", "dask"))


# --- one library ----------------------------------------------------------------------------------


class Converter:
    """Gives a library's functions its own arrays, and remembers those it made of recorded ones."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._kept: dict[int, tuple[Any, Any, Any]] = {}

    def __call__(self, values: Sequence[Any]) -> list[Any]:
        """Bring what NumPy holds to where the other arguments are."""
        own = self.library.is_own
        like = next((v for v in values if own(v)), None)
        return [v if own(v) else self._taken(k, v, like) for k, v in enumerate(values)]

    def _taken(self, k: int, value: Any, like: Any) -> Any:
        """Copy; what was recorded is copied once to each device."""
        if value is None:  # an argument that nothing depends on, and that was not given
            return None
        if type(value) is not Recorded:
            return self.library.taken(value, like)
        array, device = value.value, None if like is None else getattr(like, "device", None)
        kept = self._kept.get(k)
        if kept is None or kept[0] is not array or kept[1] != device:
            kept = self._kept[k] = (array, device, self.library.taken(array, like))
        return kept[2]


def _write(find: Callable[[], Library], task: Task) -> Code:
    library = find()
    source = Source(task, library)
    function = source.compile(library)
    convert = Converter(library)
    dtypes, is_view = source.wide, source.is_view

    def run(*values: Any) -> Sequence[Any]:
        library.require(dtypes)
        given = convert(values)
        try:
            found = function(*given)
        except UnsupportedError:
            raise
        except NotImplementedError as error:
            raise _without_kernel(library, given, error) from error
        return (library.copied(found[0]), *found[1:]) if is_view else found

    return Code(source.readable, run)


def _without_kernel(library: Library, values: Sequence[Any], error: Exception) -> Exception:
    """Say that a library has a function, but not where the arrays are, as on a GPU."""
    place = next((v.device for v in values if hasattr(v, "device")), "the device of its arrays")
    return UnsupportedError(
        f"the {library.name} backend: {library.name} itself says, on {place}: "
        f"{str(error).splitlines()[0]}. With the arrays on a processor it may have the function, "
        'and backend="numpy" has it'
    )


def _accept(find: Callable[[], Library], value: Any, dtype: DType) -> Any:
    """Leave the library's arrays as they are; make NumPy's arrays of everything else."""
    return value if find().is_own(value) else host_array(value, dtype)


def _fits(find: Callable[[], Library], value: Any, shape: Shape, dtype: DType) -> bool:
    library = find()
    return library.is_own(value) and library.dtype_of(value) == dtype and value.shape == shape


def _dtype_of(find: Callable[[], Library], array: Any) -> DType:
    own = find()
    return own.dtype_of(array) if own.is_own(array) else array.dtype


def _cast(find: Callable[[], Library], array: Any, dtype: DType) -> Any:
    library = find()
    if not library.is_own(array):
        return array.astype(dtype, copy=False)
    return array if library.dtype_of(array) == dtype else library.cast(array, dtype_name(dtype))


def _guarded(
    find: Callable[[], Library], result: Any, decided: Sequence[Any], check: Callable[..., None]
) -> Any:
    return find().guarded(result, decided, check)


def on_library(find: Callable[[], Library]) -> Backend:
    """Make the row of a library, which is looked for when it is first needed."""
    return Backend(
        write=partial(_write, find),
        accept=partial(_accept, find),
        dtype_of=partial(_dtype_of, find),
        cast=partial(_cast, find),
        guarded=partial(_guarded, find),
        fits=partial(_fits, find),
        on_host=False,
    )


# --- any library of the standard ------------------------------------------------------------------


def library_of(xp: Any) -> Library:
    """Choose the functions for a namespace: a library's own where it is one that we know."""
    compat = imported("array_api_compat", "the array_api backend", "array-api")
    known = {
        compat.is_torch_namespace: torch,
        compat.is_jax_namespace: jax,
        compat.is_dask_namespace: dask,
        compat.is_cupy_namespace: cupy,
        compat.is_numpy_namespace: numpy_namespace,
    }
    for question, find in known.items():
        if question(xp):
            return find()
    return standard(xp)


@cache
def standard(xp: ModuleType) -> Library:
    """Make a library of a namespace that has what the standard has."""
    return Library(Words(xp))


@cache
def numpy_namespace() -> Library:
    """Make a library of NumPy itself."""
    special = imported("scipy.special", "special functions of numpy arrays", "scipy")
    return NumPyArrays(np, scipy_words(special))


class NumPyArrays(NumPyLike):
    """NumPy's own arrays, as one library among the others."""

    prefix = "xp"

    def is_own(self, value: Any) -> bool:
        """Say whether a value is an array of NumPy's."""
        return isinstance(value, (np.ndarray, np.generic))


class Anywhere:
    """A function of arrays of any library, compiled for each library when it first meets it."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._made: dict[int, tuple[Library, Callable[..., Any]]] = {}

    def __call__(self, *values: Any) -> Sequence[Any]:
        """Find the namespace of the arguments, and compute there."""
        library = library_of(namespace_of(values))
        made = self._made.get(id(library))
        if made is None:
            run = _write(lambda: library, self.task).run
            made = self._made[id(library)] = (library, run)
        found: Sequence[Any] = made[1](*values)
        return found


def namespace_of(values: Sequence[Any]) -> Any:
    """Give the namespace of the arguments that are arrays of another library, else NumPy."""
    compat = imported("array_api_compat", "the array_api backend", "array-api")
    host = (np.ndarray, np.generic, Recorded)
    arrays = [v for v in values if v is not None and not isinstance(v, host)]
    return compat.array_namespace(*arrays) if arrays else np


class _Any(Library):
    """What is common to arrays of any library, before it is known which."""

    def __init__(self) -> None:
        self._compat = imported("array_api_compat", "the array_api backend", "array-api")

    def is_own(self, value: Any) -> bool:
        """Say whether a value is an array of some library other than NumPy."""
        is_array = self._compat.is_array_api_obj(value)
        return is_array and not isinstance(value, (np.ndarray, np.generic))

    def cast(self, x: Array, dtype: str) -> Array:
        """Change the dtype with the functions of the array's own library."""
        return self._of(x).cast(x, dtype)

    def dtype_of(self, x: Array) -> np.dtype[Any]:
        """Give NumPy's dtype of an array."""
        return self._of(x).dtype_of(x)

    def guarded(self, result: Array, decided: Sequence[Array], check: Callable[..., None]) -> Array:
        """Check with the functions of the array's own library."""
        return self._of(result).guarded(result, decided, check)

    def _of(self, x: Array) -> Library:
        return library_of(self._compat.array_namespace(x))


@cache
def any_library() -> Library:
    """Give what is common to all libraries, for arrays of which it is not known yet."""
    return _Any()


def _write_anywhere(task: Task) -> Code:
    any_library()  # whose package must be there
    return Code(Source(task, _portable()).readable, Anywhere(task))


class _Everything:
    """A library of which nothing is known yet, and so nothing is missing."""

    def __getattr__(self, name: str) -> Any:
        return None

    def __contains__(self, name: str) -> bool:
        return True


class _Portable(Library):
    """Writes code for a library that is found later."""

    matrix_functions = frozenset({"expm", "sqrtm", "logm"})
    no_steps = frozenset()

    def __init__(self) -> None:
        self.xp = _Everything()
        self.special = _Everything()


@cache
def _portable() -> Library:
    return _Portable()


def anywhere() -> Backend:
    """Make the row of whichever library the arguments are of."""
    return on_library(any_library)._replace(write=_write_anywhere)


def of_namespace(xp: ModuleType) -> Backend:
    """Make the row of one namespace of the standard."""
    return on_library(partial(library_of, xp))


JAX, TORCH, CUPY, DASK = (on_library(find) for find in (jax, torch, cupy, dask))
ARRAY_API = anywhere()
