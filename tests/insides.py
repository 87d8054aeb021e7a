"""Under which of its private modules TensorFlow has the names that symtape answers.

Code that was not written for today's TensorFlow imports `tensorflow.python.ops.math_ops` and its
kin. `python -m tests.insides` asks the TensorFlow that is installed which of its public objects
these modules hold, and writes those that are answered into `symtape/stand_in/naming/insides.json`.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from operator import attrgetter
from types import ModuleType
from typing import Any

from symtape.stand_in.extension.dispatch import BY_ELEMENT
from symtape.stand_in.finder import answered
from symtape.stand_in.naming.private import FILE, KERNELS
from symtape.stand_in.promotion.functions import FILE as PROMOTING
from tests.goldens import keep

ROOTS = ("autograph", "checkpoint", "client", "compiler", "data", "distribute", "eager")
ROOTS = (*ROOTS, "framework", "lib", "module", "ops", "platform", "profiler", "saved_model")
ROOTS = (*ROOTS, "summary", "tools", "tpu", "trackable", "training", "util")
_HIDDEN = "__internal__"
"""Where TensorFlow shows Keras what is not for all."""
_NOT_NAMES = (f"{KERNELS}.", "tools.", "compat.v1.raw_ops.", "compat.v1.app.", "compat.v1.keras.")
"""Public paths that are none of a function's own: kernels, and what modules happen to import."""


def public_objects(tf: Any) -> dict[int, tuple[str, Any]]:
    """Find the shortest public path of each function, class and dtype; version 2 comes first."""
    found: dict[int, tuple[str, Any]] = {}
    for root, start in ((tf, ""), (tf.compat.v1, "compat.v1.")):
        ways = sorted(_walked(root, start, set()), key=_place)
        for path, thing in ways:
            if not path.startswith(_NOT_NAMES):
                found.setdefault(id(thing), (path, thing))
    return found


def _place(way: tuple[str, Any]) -> tuple[bool, int, str]:
    return way[0].startswith(_HIDDEN), way[0].count("."), way[0]


def _walked(module: ModuleType, start: str, seen: set[str]) -> Iterator[tuple[str, Any]]:
    for name in dir(module):
        if (name.startswith("_") and name != _HIDDEN) or name in {
            "compat",
            "keras",
            "python",
            "core",
            "estimator",
        }:
            continue
        thing = getattr(module, name)
        if isinstance(thing, ModuleType):
            inner = vars(thing).get("__name__", "")
            if inner.startswith("tensorflow") and inner not in seen:
                seen.add(inner)
                yield from _walked(thing, f"{start}{name}.", seen)
        elif str(getattr(thing, "__module__", type(thing).__module__)).startswith("tensorflow"):
            yield start + name, thing


def private_names(tf: Any) -> dict[str, dict[str, str]]:
    """Say of each private module which public objects it holds, and by which names."""
    public = public_objects(tf)
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for full, module in sorted(sys.modules.items()):
        path = full.removeprefix("tensorflow.")
        root, _, rest = path.partition(".")
        if root != "python" or rest.partition(".")[0] not in ROOTS:
            continue
        if path.rpartition(".")[2].startswith("gen_"):
            found[path].update(kernels_of(module, tf))
        for name, thing in vars(module).items():
            way, same = public.get(id(thing), ("", None))
            if way and same is thing and not name.startswith("_"):
                found[path][name] = way
    return found


def kernels_of(module: ModuleType, tf: Any) -> dict[str, str]:
    """Name the kernel of each function that TensorFlow's build has made of one."""
    names = [n for n in vars(tf.raw_ops) if not n.startswith("_")]
    made = {n: vars(module)[n] for n in names if vars(tf.raw_ops)[n] is vars(module).get(n)}
    return {function.__name__: f"{KERNELS}.{name}" for name, function in made.items()}


def by_element(tf: Any) -> dict[str, list[str]]:
    """Name the functions of one operand, of two, and the assertions, that TensorFlow has so."""
    public = {
        id(inner): path
        for path, thing in reversed([*public_objects(tf).values()])
        for inner in _wrapped(thing)
    }
    known = importlib.import_module("tensorflow.python.util.dispatch")
    kinds = {
        "unary": known.unary_elementwise_apis(),
        "binary": known.binary_elementwise_apis(),
        "binary assert": known._BINARY_ELEMENTWISE_ASSERT_APIS,
    }
    return {
        kind: sorted({_of_both(tf, public[id(f)]) for f in functions if id(f) in public})
        for kind, functions in kinds.items()
    }


def promoting(tf: Any) -> dict[str, list[str]]:
    """Name the functions that promote their operands: one, two, two compared, two first tensors.

    Of some TensorFlow keeps a list; others, which call these, are tried.
    """
    public = public_objects(tf)
    paths = {id(i): path for path, f in reversed([*public.values()]) for i in _wrapped(f)}
    known = importlib.import_module("tensorflow.python.ops.weak_tensor_ops")
    listed = [paths[id(f)] for f in known._TF_UNARY_APIS if id(f) in paths]
    ours = {_of_both(tf, path): "unary" for path in listed}
    tried = [path for path, _ in public.values() if path.rpartition(".")[0] in _TRIED]
    for path in set(tried).difference(ours):
        if way := _way(tf, path):
            ours[path] = way
    ours = {p: way for p, way in ours.items() if not p.startswith("compat.")}
    return {way: sorted(p for p in ours if ours[p] == way) for way in sorted({*ours.values()})}


_TRIED = ("", "math", "linalg", "nn", "debugging", "experimental.numpy")
_NUMBERS = [[4.0, 1.0], [1.0, 3.0]]
_ACCEPTED = ("float32", "bool", "NoneType")


def _way(tf: Any, path: str) -> str | None:
    """Say how a function promotes, by what it gives of operands of several kinds, or None."""
    run = attrgetter(path)(tf)
    if not inspect.isfunction(run):
        return None
    first = next(iter(inspect.signature(run).parameters.values()), None)
    with _promoting(tf):
        weak = tf.constant(_NUMBERS)
    made = {n: tf.cast(weak, n) for n in ("float32", "int32")}
    pair = made["int32"], made["float32"]
    plain = _gives(run, *pair)
    with _promoting(tf):
        is_one = first is not None and first.kind is first.POSITIONAL_OR_KEYWORD
        if is_one and _gives(run, weak) == _gives(run, _NUMBERS) == "weak":
            return "unary"
        keeps = _gives(run, weak, weak) == "weak"
        given = _gives(run, *pair)
        has_rules = plain is not None or path.startswith("experimental.")
        if given not in _ACCEPTED or (has_rules and not keeps):
            return None
        counts_none = _gives(run, made["int32"], weak) == "float32"
    return "binary" if keeps else "strong" if counts_none else "compared"


def _gives(run: Any, *operands: Any) -> str | None:
    """Say whether a function gives a weak tensor, or of which dtype; None where it refuses."""
    for further in ((), (1,)) if len(operands) > 1 else ((),):
        with suppress(Exception):  # of any type
            found = run(*operands, *further)
            if type(found).__name__ == "EagerWeakTensor":
                return "weak"
            return getattr(getattr(found, "dtype", None), "name", type(found).__name__)
    return None


@contextmanager
def _promoting(tf: Any) -> Iterator[None]:
    ops = importlib.import_module("tensorflow.python.framework.ops")
    ops.set_dtype_conversion_mode("all")
    try:
        yield
    finally:
        ops.set_dtype_conversion_mode("off")


def _wrapped(thing: Any) -> Iterator[Any]:
    """Go through a function and what it wraps: what computes by element lies within."""
    while thing is not None:
        yield thing
        thing = getattr(thing, "__wrapped__", None)


def _of_both(tf: Any, path: str) -> str:
    """Give the path that both versions have, if any: version 2 wraps some functions."""
    newer = path.removeprefix("compat.v1.")
    try:
        attrgetter(newer)(tf)
    except AttributeError:
        return path
    return newer


def main() -> None:
    """Write what is answered, a module a line, and what computes by element and what promotes."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tf = importlib.import_module("tensorflow")
    modules = {
        module: {n: way for n, way in sorted(names.items()) if answered(way)}
        for module, names in sorted(private_names(tf).items())
    }
    keep(FILE, {module: names for module, names in modules.items() if names})
    keep(BY_ELEMENT, by_element(tf))
    keep(PROMOTING, promoting(tf))


if __name__ == "__main__":
    main()
