"""The modules that TensorFlow's own tests import, answered by public names.

In TensorFlow itself only names that have moved are put back. With symtape,
`tensorflow.python.ops.math_ops.cos` is `tf.cos`: a name is looked for in the public namespaces.
What has no public name raises `InternalError`, and the test that needs it does not apply.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
import unittest
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any

import numpy as np

from tests.clients.assertions import InternalError, case

_PLACES = (
    "",
    "math",
    "nn",
    "linalg",
    "random",
    "errors",
    "image",
    "signal",
    "test",
    "dtypes",
    "config",
    "nest",
)
_FOLDERS = {
    *("", ".eager", ".framework", ".ops", ".platform", ".util", ".training", ".layers", ".client"),
    *(".distribute", ".ops.linalg", ".ops.parallel_for", ".keras", ".module", ".ops.ragged"),
}
"""Packages below `tensorflow.python`, whose names are modules."""
_RENAMED = {
    "ResourceVariable": "Variable",
    "add_v2": "add",
    "recompute_grad": "recompute_grad",
    "defun": "function",
    "div_no_nan": "math.divide_no_nan",
    "gather_v2": "gather",
    "gather_nd": "gather_nd",
    "foldl_v2": "foldl",
    "diag": "linalg.diag",
    "matrix_inverse": "linalg.inv",
    "matrix_determinant": "linalg.det",
    "log_matrix_determinant": "linalg.slogdet",
    "matrix_solve": "linalg.solve",
    "matrix_solve_ls": "linalg.lstsq",
    "matrix_triangular_solve": "linalg.triangular_solve",
    "matrix_square_root": "linalg.sqrtm",
    "matrix_exponential": "linalg.expm",
    "cross": "linalg.cross",
    "random_uniform": "random.uniform",
    "random_normal": "random.normal",
    "compute_gradient": "test.compute_gradient",
    "embedding_lookup": "nn.embedding_lookup",
    "set_random_seed": "random.set_seed",
}


_MOVED = {
    "ops.array_ops": {"stack": "stack", "unstack": "unstack"},
    "ops.control_flow_ops": {"while_loop": "while_loop", "cond": "cond"},
    "eager.function": {"defun": "function"},
}


def install(tf: Any) -> None:
    """Answer `tensorflow.python`; in TensorFlow's own, put names back that have moved since 2.6."""
    if not hasattr(tf, "to_json"):  # as symtape has it
        for place, names in _MOVED.items():
            module = importlib.import_module(f"tensorflow.python.{place}")
            for name, public in names.items():
                setattr(module, name, getattr(tf, public))
        return
    for name in [n for n in sys.modules if n.startswith("tensorflow.python")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(tf))


class Finder(MetaPathFinder, Loader):
    """Finds modules below `tensorflow.python`."""

    def __init__(self, tf: Any) -> None:
        self.tf = tf

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """Find any module there: which of its names exist is seen when they are read."""
        if not fullname.startswith("tensorflow.python"):
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        """Make it."""
        return Module(spec.name, self.tf)

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing."""


class Module(types.ModuleType):
    """A module of internals, by public names."""

    def __init__(self, name: str, tf: Any) -> None:
        super().__init__(name)
        self.tf = tf

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or self.__name__.removeprefix("tensorflow.python") in _FOLDERS:
            raise AttributeError(name)  # Python then imports the module of that name
        if name in _OWN:
            return _OWN[name](self.tf)
        own = self.__name__.rpartition(".")[2].removesuffix("_ops").removesuffix("_impl")
        places = [f"{p}.{name}" for p in (own, *_PLACES)]
        for place in [_RENAMED[name]] if name in _RENAMED else places:
            found: Any = self.tf
            for part in place.strip(".").split("."):
                found = getattr(found, part, None)
            if found is not None:
                return found
        missing = _missing(f"{self.__name__}.{name}")
        return type(name, (), {"__init__": missing}) if name[0].isupper() else missing


def _missing(name: str) -> Any:
    def call(*_: Any, **__: Any) -> Any:
        raise InternalError(f"{name} has no public name")

    return call


# --- what the tests are written with --------------------------------------------------------------


def _same(tf: Any) -> Any:
    def decorator(*given: Any, **_: Any) -> Any:
        return given[0] if given and callable(given[0]) else lambda f: f

    return decorator


def _skipped(reason: str) -> Any:
    def make(tf: Any) -> Any:
        def decorator(given: Any = None, *_: Any) -> Any:
            return unittest.skip(reason)(given) if callable(given) else unittest.skip(reason)

        return decorator

    return make


def _silent(tf: Any) -> Any:
    return lambda *_: None


_NOTHING = (
    "Cannot differentiate a function that returns None; did you forget to return a value from "
)


def _gradients_function(tf: Any, with_value: bool = False) -> Any:
    def make(f: Any, params: Any = None) -> Any:
        def call(*args: Any, dy: Any = None) -> Any:
            args = tuple(map(tf.identity, args))
            with tf.GradientTape() as tape:
                for a in args:
                    tape.watch(a)
                value = f(*args)
                if value is None:
                    raise ValueError(_NOTHING + f.__name__ + "?")
            chosen = [args[k] for k in _chosen(f, params, len(args))]
            grads = tape.gradient(value, chosen, output_gradients=dy)
            return (value, grads) if with_value else grads

        return call

    return make


def _chosen(f: Any, params: Any, count: int) -> Any:
    if params is None:
        return range(count)
    names = list(inspect.signature(f).parameters)
    return [p if isinstance(p, int) else names.index(p) for p in params]


def _implicit(tf: Any, with_value: bool = False) -> Any:
    def make(f: Any) -> Any:
        def call(*args: Any) -> Any:
            with tf.GradientTape() as tape:
                value = f(*args)
                if value is None:
                    raise ValueError(_NOTHING + f.__name__ + "?")
            variables = tape.watched_variables()
            if not variables:
                raise ValueError(
                    "No trainable variables were accessed while the function was being computed."
                )
            found = list(zip(tape.gradient(value, variables), variables, strict=True))
            return (value, found) if with_value else found

        return call

    return make


def _make_vjp(tf: Any) -> Any:
    def make(f: Any, params: Any = None, persistent: bool = True) -> Any:
        def call(*args: Any) -> Any:
            args = tuple(map(tf.convert_to_tensor, args))
            with tf.GradientTape(persistent=persistent) as tape:
                tape.watch(args)
                value = f(*args)
            chosen = [args[k] for k in _chosen(f, params, len(args))]
            return value, lambda dy=None: tape.gradient(value, chosen, output_gradients=dy)

        return call

    return make


def _max_error(tf: Any) -> Any:
    return lambda a, b: max(
        float(np.max(np.abs(x - y), initial=0)) for x, y in zip(a, b, strict=True)
    )


_OWN: dict[str, Any] = {
    "TestCase": case,
    "TensorFlowTestCase": case,
    "GradientTape": lambda tf: tf.GradientTape,
    "ForwardAccumulator": lambda tf: tf.autodiff.ForwardAccumulator,
    "gradients_function": _gradients_function,
    "val_and_grad_function": lambda tf: _gradients_function(tf, with_value=True),
    "implicit_grad": _implicit,
    "implicit_val_and_grad": lambda tf: _implicit(tf, with_value=True),
    "make_vjp": _make_vjp,
    "max_error": _max_error,
    "_TRACE_COUNT_LIMIT": lambda tf: 32,
    "main": lambda tf: unittest.main,
    "xw_plus_b": lambda tf: lambda x, w, b, name=None: tf.matmul(x, w) + b,
    "info": _silent,
    "swish": lambda tf: tf.nn.silu,
    "should_record_backprop": lambda tf: _missing("should_record_backprop"),
    "test_util": lambda tf: Module("tensorflow.python.framework.test_util.", tf),
    "run_v1_only": _skipped("graph mode"),
    "run_deprecated_v1": _skipped("graph mode"),
    "run_gpu_only": _skipped("needs a GPU"),
    **dict.fromkeys(
        (
            *("run_in_graph_and_eager_modes", "run_all_in_graph_and_eager_modes"),
            *("assert_no_new_tensors", "assert_no_garbage_created", "enable_control_flow_v2"),
            *("assert_no_new_pyobjects_executing_eagerly", "run_without_tensor_float_32"),
            *("disable_xla", "enable_xla", "run_v2_only", "with_forward_compatibility_horizons"),
        ),
        _same,
    ),
}
"""Names that are made here, by functions of the module that stands for TensorFlow."""
