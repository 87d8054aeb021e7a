"""How a kernel of TensorFlow's is called: by words alone, or, within TensorFlow, also by places."""

from __future__ import annotations

import builtins
from ast import literal_eval
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import is_tensor
from symtape.ops.attributes import Reader, boolean, floating, integer, string
from symtape.stand_in.raw.kernels import KERNELS, Run
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape


def _read(word: str) -> tuple[str, Any, bool]:
    """Read an argument: its name, its default, or that there is none, and whether it only says how.

    >>> _read("axis=-1"), _read("grad_a=False~")
    (('axis', -1, False), ('grad_a', False, True))
    """
    name, given, text = word.rstrip("~").partition("=")
    if not given:
        return name.partition(":")[0], _NEEDED, False
    try:
        value = literal_eval(text)
    except ValueError:
        value = text
    return name, value, word.endswith("~")


_NEEDED = object()


class _List(NamedTuple):
    """How an argument is read that is a list of numbers, or none, which is its default."""

    function: str
    default: list[Any] | None

    def of(self, word: str, value: Any) -> Any:
        """Read a value; raises `TypeError` for what is none, arrays of whole numbers among it."""
        if value is None and self.default is not None:
            return self.default
        if isinstance(value, TensorShape):
            return value.as_list()
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            return value.tolist()
        if not isinstance(value, (list, tuple, range)):
            raise self.refusal(word, value)
        return value

    def refusal(self, word: str, value: Any) -> TypeError:
        """Make the error for what is no list."""
        return TypeError(
            f"Expected list for {word!r} argument to {self.function!r} Op, not {value!r}."
        )


class _Tensors(_List):
    """How an argument is read that is a list of tensors, which one tensor with rows is, too."""

    def of(self, word: str, value: Any) -> Any:
        """Read a value; raises `TypeError` for what is no list, most arrays among it."""
        if is_tensor(value) and convert(value).ndim:
            return value
        if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype == np.float64:
            return list(value)  # its elements are floats of Python's, too, and keep their dtype
        if isinstance(value, np.ndarray):
            raise self.refusal(word, value)
        return super().of(word, value)


_KINDS: dict[str, Callable[[Any], Reader]] = {
    "bool": boolean,
    "float": floating,
    "int": integer,
    "str": string,
}


def _reader(function: str, word: str) -> Reader | None:
    """Say how an argument is read that is no tensor and no dtype: as its default, or as it says.

    >>> _reader("pack", "axis=0").of("axis", "x")
    Traceback (most recent call last):
    TypeError: Expected int for argument 'axis' not 'x'.
    """
    _, default, _ = _read(word)
    if default is _NEEDED:
        kind, default = word.partition(":")[2], None
    else:
        kind = type(default).__name__
    if kind in ("list", "tensors"):
        return (_List if kind == "list" else _Tensors)(function, default)
    if kind not in _KINDS or (isinstance(default, str) and hasattr(dtypes, default)):
        return None
    return _KINDS[kind](default)


def _lower(name: str) -> str:
    """Write the name of a kernel as TensorFlow writes that of its function.

    A line stands before names of Python's, and of what TensorFlow has made a function of its own.

    >>> _lower("AddV2"), _lower("TopKV2"), _lower("Conv2D")
    ('add_v2', 'top_kv2', 'conv2d')
    >>> _lower("Abs")
    '_abs'
    """
    made = name[0]
    for k, letter in enumerate(name[1:], 1):
        begins = name[k - 1].islower() or name[k + 1 : k + 2].islower()
        made += f"_{letter}" if letter.isupper() and begins else letter
    made = made.lower()
    hidden = (hasattr(builtins, made) and made != "round") or made == "clip_by_value"
    return f"_{made}" if hidden else made


def kernel(name: str) -> Run:
    """Make the function of a kernel, which takes words alone.

    Raises `TypeError`, as TensorFlow's, for arguments without words, unknown ones and missing ones.

    >>> kernel("AddV2")(x=1, y=2).numpy()
    np.int32(3)
    """
    inner = inner_kernel(name)
    keys = _keys(name)

    def function(*args: Any, **given: Any) -> Any:
        if args:
            raise TypeError(
                f"{inner.__name__} only takes keyword args (possible keys: {keys}). "
                "Please pass these args as kwargs instead."
            )
        return inner(**given)

    return _named(function, name)


@cache
def inner_kernel(name: str) -> Run:
    """Make the function of a kernel as `tensorflow.python.ops.gen_math_ops` and its kin have it.

    It takes arguments by their places, in the order of the kernel's definition, and by words.
    Raises `TypeError`, as Python, for too many arguments, unknown, missing and repeated ones.

    >>> inner_kernel("AddV2")(1, y=2).numpy()
    np.int32(3)
    """
    run, text = KERNELS[name]
    words = [*map(_read, text.split())]
    operands = [n for w in text.split() for n, default, _ in [_read(w)] if _is_operand(w, default)]
    shown, keys = _lower(name), _keys(name)
    needed = [n for n, default, _ in words if default is _NEEDED]
    readers = {_read(w)[0]: r for w in text.split() if (r := _reader(shown, w)) is not None}

    def function(*args: Any, **words_given: Any) -> Any:
        _check_words(shown, keys, keys[: len(args)], words_given)
        if len(args) > len(keys):
            raise TypeError(
                f"{shown}() takes from {len(needed)} to {len(keys)} positional arguments "
                f"but {len(args)} were given"
            )
        given = dict(zip(keys, args, strict=False)) | words_given
        _check_missing(shown, needed, given)
        for word in operands:
            if given[word] is None:
                convert(None)  # raises what tensors raise
        for word in readers.keys() & given.keys():
            given[word] = readers[word].of(word, given[word])
        return run(*[given.get(n, default) for n, default, only in words if not only])

    return _named(function, name)


def _is_operand(word: str, default: Any) -> bool:
    """Say whether an argument is a tensor, or some."""
    return default is _NEEDED and ":" not in word


def _keys(name: str) -> list[str]:
    """List the words of a kernel; the last is the name of the operation, which changes nothing."""
    return [*(_read(word)[0] for word in KERNELS[name][1].split()), "name"]


def _named(function: Run, name: str) -> Run:
    function.__name__ = function.__qualname__ = _lower(name)
    function.__doc__ = (
        f"Do what the kernel {name} does, with the arguments {', '.join(_keys(name))}."
    )
    function.__module__ = __name__
    return function


def _check_words(shown: str, keys: list[str], placed: list[str], given: dict[str, Any]) -> None:
    """Refuse words that a kernel has not, and those of which it has the value already."""
    for word in given:
        if word not in keys:
            raise TypeError(f"{shown}() got an unexpected keyword argument '{word}'")
        if word in placed:
            raise TypeError(f"{shown}() got multiple values for argument '{word}'")


def _check_missing(shown: str, needed: list[str], given: dict[str, Any]) -> None:
    """Refuse a call without what a kernel needs."""
    missing = [f"'{word}'" for word in needed if word not in given]
    if missing:
        listed = missing[0]
        if len(missing) > 1:
            comma = "," if len(missing) > 2 else ""
            listed = f"{', '.join(missing[:-1])}{comma} and {missing[-1]}"
        plural = "s" if len(missing) > 1 else ""
        raise TypeError(
            f"{shown}() missing {len(missing)} required positional argument{plural}: {listed}"
        )
