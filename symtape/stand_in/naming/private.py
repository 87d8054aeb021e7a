"""TensorFlow's private modules, by which older code imports public functions.

`insides.json` says which public object each holds by which name, as the TensorFlow of `VERSION` has
it: `tensorflow.python.ops.math_ops.reduce_sum` is `tf.reduce_sum`. The modules of which a name
begins with `gen_` hold kernels: `gen_math_ops.mat_mul` is `tf.raw_ops.MatMul`, called as there.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("insides.json")
KERNELS = "raw_ops"
"""The public namespace of kernels."""


@cache
def _modules() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def public_name(module: str, name: str) -> str | None:
    """Give the public path of what a private module has by a name; None for all others.

    >>> public_name("python.ops.math_ops", "reduce_sum"), public_name("python.ops.math_ops", "pi")
    ('reduce_sum', None)
    """
    return _modules().get(module, {}).get(name)


def names_of(module: str) -> set[str]:
    """List what a private module has: public objects, and modules within it.

    >>> sorted(names_of("python.eager"))[:2]
    ['backprop', 'context']
    """
    start = f"{module}."
    inner = {m.removeprefix(start).partition(".")[0] for m in _modules() if m.startswith(start)}
    return {*_modules().get(module, {}), *inner}
