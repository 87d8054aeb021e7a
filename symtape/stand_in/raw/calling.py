"""How a kernel of TensorFlow's is called: by words alone, which it checks."""

from __future__ import annotations

import builtins
from ast import literal_eval
from typing import Any

from symtape.stand_in.raw.kernels import KERNELS, Run


def _read(word: str) -> tuple[str, Any, bool]:
    """Read an argument: its name, its default, or that there is none, and whether it only says how.

    >>> _read("axis=-1"), _read("grad_a=False~")
    (('axis', -1, False), ('grad_a', False, True))
    """
    name, given, text = word.rstrip("~").partition("=")
    if not given:
        return name, _NEEDED, False
    try:
        value = literal_eval(text)
    except ValueError:
        value = text
    return name, value, word.endswith("~")


_NEEDED = object()


def _lower(name: str) -> str:
    """Write the name of a kernel as TensorFlow writes that of its function.

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
    return f"_{made}" if hasattr(builtins, made) and made != "round" else made


def kernel(name: str) -> Run:
    """Make the function of a kernel, which takes words alone.

    Raises `TypeError`, as TensorFlow's, for arguments without words, unknown ones and missing ones.

    >>> kernel("AddV2")(x=1, y=2).numpy()
    np.int32(3)
    """
    run, text = KERNELS[name]
    words = [*map(_read, text.split())]
    shown, keys = _lower(name), [*(word[0] for word in words), "name"]

    def function(*args: Any, **given: Any) -> Any:
        if args:
            raise TypeError(
                f"{shown} only takes keyword args (possible keys: {keys}). "
                "Please pass these args as kwargs instead."
            )
        given.pop("name", None)
        _check(shown, keys, [n for n, default, _ in words if default is _NEEDED], given)
        return run(*[given.get(n, default) for n, default, only in words if not only])

    function.__name__ = function.__qualname__ = shown
    function.__doc__ = f"Do what the kernel {name} does, with the arguments {', '.join(keys)}."
    function.__module__ = __name__
    return function


def _check(shown: str, keys: list[str], needed: list[str], given: dict[str, Any]) -> None:
    """Refuse words that a kernel has not, and calls without those that it needs."""
    for word in given:
        if word not in keys:
            raise TypeError(f"{shown}() got an unexpected keyword argument '{word}'")
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
