"""`tf.stand_in`: `import tensorflow` answered in a process, and tensors without a value."""

from __future__ import annotations

import ast
import importlib
import os
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import symtape as tf
from symtape.errors import UnsupportedError
from symtape.ops.spec import TypeSpec
from symtape.stand_in import finder, training
from symtape.stand_in.devices import runtime, strategies
from symtape.stand_in.devices.runtime import inside_function
from symtape.stand_in.finder import Answer, Insides
from symtape.stand_in.naming.names import STAND_INS
from symtape.stand_in.operations import dynamic_update_slice
from symtape.stand_in.symbolic.graphs import FuncGraph, placeholder
from symtape.stand_in.symbolic.lifting import lifted
from symtape.stand_in.symbolic.tensors import OperatorNotAllowedInGraphError
from symtape.stand_in.takeover import answering
from symtape.stand_in.tracking import (
    AutoTrackable,
    Trackable,
    no_automatic_dependency_tracking,
)
from symtape.stand_in.types import AnyTensor
from symtape.tensor.derivatives.differentiate import OBSERVERS
from symtape.tensor.tensor import Operand

ROOT = Path(__file__).parents[1]


def python(code: str, **environment: str) -> str:
    """Run code in a process of its own; give what it prints, errors last."""
    found = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
    )
    return found.stdout + found.stderr


@pytest.mark.slow
def test_tensorflow_is_answered_from_one_call_on():
    """Whatever imports TensorFlow after the call has symtape's functions and types."""
    code = """\
import symtape
symtape.stand_in.for_tensorflow()
symtape.stand_in.for_tensorflow()
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow import nn
print(tf.Tensor is symtape.Tensor, tf.__version__ == tf.version.VERSION)
print(nn.relu(tf.constant(-1.0)).numpy())
print(hasattr(tf, "__internal__"), hasattr(tf.__internal__, "nothing"))
"""
    assert python(code) == "True True\n0.0\nTrue False\n"


def test_nothing_that_stands_in_imports_what_is_built_in_of_keras():
    """Its import would make it `symtape.keras` for good, also where Keras itself is there."""
    rooms = Path(training.__file__).parent.rglob("*.py")
    nodes = [(p, n) for p in rooms for n in ast.walk(ast.parse(p.read_text("utf-8")))]
    imports = [(p.name, n.module) for p, n in nodes if isinstance(n, ast.ImportFrom)]
    imports += [(p.name, a.name) for p, n in nodes if isinstance(n, ast.Import) for a in n.names]
    assert [i for i in imports if str(i[1]).startswith("symtape.keras")] == []


OF_VERSION_ONE = {
    "compat.v1.layers": "use tf.keras.layers",
    "compat.v1.nn.ctc_loss": "use tf.nn.ctc_loss",
    "compat.v1.train.Saver": "use tf.train.Checkpoint",
    "compat.v1.no_such": "",
    "compat.v1.nn.no_such": "",
}
"""Names of TensorFlow 1 that are not there, and what is said."""


@pytest.mark.parametrize("path", OF_VERSION_ONE)
def test_a_name_of_version_one_says_what_to_use(path):
    """The name is told in full, and a name that is not there either is not recommended."""
    reason = OF_VERSION_ONE[path]
    told = f"symtape has no tf.{path}{f': {reason}' if reason else ''}"
    with pytest.raises(AttributeError, match=f"^{re.escape(told)}$"):
        finder.found(path)


def test_what_is_not_among_the_insides_is_named_in_full():
    """A name of which only Keras' neighbours are there says which name."""
    with pytest.raises(AttributeError, match=r"^symtape has no tf\.python\.ops\.no_ops"):
        _ = Answer("tensorflow.python.ops", Insides("python.ops")).no_ops


INNER = {
    "client.session.Session": "compat.v1.Session",
    "distribute.distribute_lib.get_strategy": "distribute.get_strategy",
    "distribute.mirrored_strategy.MirroredStrategy": "distribute.MirroredStrategy",
    "distribute.reduce_util.ReduceOp": "distribute.ReduceOp",
    "ops.math_ops.add": "math.add",
    "profiler.trace.Trace": "profiler.experimental.Trace",
}
"""What private modules hold, and by which public name it is the same object."""


@pytest.mark.parametrize("name", INNER)
def test_what_is_public_is_one_object_by_all_of_its_names(name):
    """What packages import of TensorFlow's insides is what they find at the public place."""
    with answering():
        module, _, attribute = f"tensorflow.python.{name}".rpartition(".")
        inner = getattr(importlib.import_module(module), attribute)
        assert inner is resolve_name(f"tensorflow.{INNER[name]}")


def test_the_keras_within_tensorflow_is_told_from_keras():
    """Older code names it, since editors did; Keras 3 would not be the same, and is not given."""
    told = "that is Keras 2 within TensorFlow; import from tensorflow.keras"
    with answering():
        layers = importlib.import_module("tensorflow.python.keras.layers")
        assert not isinstance(3, layers.Layer)
        with pytest.raises(UnsupportedError, match=re.escape(told)):
            layers.Dense(3)
        files = importlib.import_module("tensorflow.python.keras.utils.data_utils")
        with pytest.raises(UnsupportedError, match=re.escape(told)):
            files._extract_archive("a.zip")


def test_the_older_keras_can_be_named_and_not_used(tmp_path, monkeypatch):
    """Where it is installed, packages that name it load; who uses it hears what to use."""
    (tmp_path / "tf_keras").mkdir()
    (tmp_path / "tf_keras" / "__init__.py").write_text("raise AssertionError")
    assert finder.Finder().find_spec("tf_keras", None) is None
    monkeypatch.syspath_prepend(tmp_path)
    with answering():
        older = importlib.import_module("tf_keras")
        layers = importlib.import_module("tf_keras.layers")
        tf_lite = importlib.import_module("tensorflow").lite
        sys.modules.pop("tf_keras"), sys.modules.pop("tf_keras.layers")

    class Own(layers.Layer):
        def __init__(self, size=older.initializers.Zeros(2)):  # noqa: B008 - as packages write it
            """Keep nothing."""

    assert not isinstance(3, (layers.Layer, tf_lite.Interpreter))
    assert issubclass(Own, layers.Layer)
    assert "layers" in older.__all__
    older.utils.get_custom_objects().update({"Own": Own})
    told = r"tf_keras\.{}: it is built on .*: use keras, which is Keras 3 \(pip install 'symtape\[k"
    for name, use in USES.items():
        with pytest.raises(UnsupportedError, match=told.format(re.escape(name))):
            use(older)
    with pytest.raises(
        UnsupportedError, match=r"^Own: tf_keras\.layers\.Layer, from which it inher"
    ):
        Own()
    with pytest.raises(UnsupportedError, match=r"^tf\.lite\.Interpreter.*: it is built on"):
        tf_lite.Interpreter().get_tensor(0)


def test_operations_of_graphs_can_be_named():
    """Annotations name them, and tests of types; and functions have had other names."""
    with answering():
        module = importlib.import_module("tensorflow")

        def initialize() -> module.Operation | None:
            """Do nothing."""

        assert not isinstance(initialize(), (module.Operation, module.compat.v1.Operation))
        module.config.experimental_run_functions_eagerly(True)
        assert module.config.experimental_functions_run_eagerly()
        module.config.run_functions_eagerly(False)
        assert not module.config.experimental_functions_run_eagerly()


USES = {
    "backend.floatx": lambda older: older.backend.floatx(),
    "utils.set_random_seed": lambda older: older.utils.set_random_seed(1),
    "losses.mse": lambda older: older.losses.mse([1], [2]),
    "losses.Mse()": lambda older: 2 * older.losses.Mse([1], [2]),
    "Model()": lambda older: older.Model().fit([1]),
    "datasets.Mnist()": lambda older: older.datasets.Mnist()[0],
    "metrics.Mean": lambda older: tf.constant([1.0]) * older.metrics.Mean,
    "metrics.Sum": lambda older: older.metrics.Sum > 3,
    "layers.Dense()": lambda older: older.layers.Dense(2).weights,
}
"""What programs do with Keras 2, and what they are told of."""


def test_a_script_that_has_ended_leaves_tensors_as_they_were():
    """NumPy's methods of tensors are those of the script that asked for them."""
    with answering():
        tnp = importlib.import_module("tensorflow.experimental.numpy")
        tnp.experimental_enable_numpy_behavior()
        assert tf.constant([1.0]).tolist() == [1.0]
    with pytest.raises(AttributeError, match="experimental_enable_numpy_behavior"):
        _ = tf.constant([1.0]).tolist()


def test_a_script_that_has_ended_leaves_no_dtype_weak():
    """Operands are promoted for the script that asked for it, also by what it imported before."""
    with answering():
        tensorflow = importlib.import_module("tensorflow")
        constant, v = tensorflow.constant, tensorflow.Variable(1.5)
        tnp = importlib.import_module("tensorflow.experimental.numpy")
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
        x = constant(2)
        with tf.GradientTape() as tape:
            y = v * x + constant(np.float16(1.0))
        assert repr(x).endswith("weak=True>")
        assert (y.dtype, v.assign(x).numpy(), tape.gradient(y, v).numpy()) == (tf.float32, 2.0, 2.0)
        assert str(y.expr) == "v*x + x0"
    assert "weak" not in repr(constant(2)) + repr(tf.constant(1.0) + 1)
    for run in (lambda: tf.constant(1) + tf.constant(1.5), lambda: v + tf.constant(1)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run()
    with pytest.raises((TypeError, ValueError)):
        v.assign(tf.constant(1))


def test_an_old_script_sets_names_of_numpy(monkeypatch):
    """Where `np.bool` is Python's, as old scripts set it, dtypes have their names all the same."""
    monkeypatch.setattr(np, "bool", bool)
    tf.cache_clear()
    x = tf.constant([1.0, 0.0])
    for _ in range(3):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.where(x > 0.5, x * x, x))
        assert tape.gradient(y, x).numpy().tolist() == [2.0, 1.0]
    assert tf.cast(x, tf.bool).numpy().tolist() == [True, False]
    assert "bool (2,)" in str(y.formula.program)
    assert tf.value_and_grad(lambda x: tf.reduce_sum(tf.where(x > 0.5, x * x, x)))(x)[0] == 1.0
    assert y.lambdify([x])(x.numpy()) == 1.0
    assert repr(tf.constant([True])) == "<tf.Tensor: shape=(1,), dtype=bool, numpy=array([ True])>"


@pytest.mark.parametrize("name", ["nn.relu", "math.add", "strings.join", "signal.stft"])
def test_functions_are_found_again_by_pickle(name):
    """What is pickled with a function of TensorFlow's, as a model or a task is, has it again."""
    with answering():
        function = resolve_name(f"tensorflow.{name}")
        assert pickle.loads(pickle.dumps([function]))[0] is function


def test_types_are_told_as_tensorflow_tells_them():
    """A script prints TensorFlow's types, finds them there, and traces functions that ask."""
    with answering():
        x, v = tf.constant([1.0]), tf.Variable([1.0])
        ops = importlib.import_module("tensorflow.python.framework.ops")
        assert str(type(x)) == "<class 'tensorflow.python.framework.ops.EagerTensor'>"
        assert type(v).__module__ == "tensorflow.python.ops.resource_variable_ops"
        assert ops.EagerTensor is type(pickle.loads(pickle.dumps(x))) is tf.Tensor

        def square(x):
            return tf.reduce_sum(x * x) if isinstance(x, ops.EagerTensor) else x

        assert tf.grad(square)(np.array([3.0])) == [6.0]
    assert str(type(x)) == "<class 'symtape.tensor.tensor.Tensor'>"


def parents(value):
    """Tell the types of a value as their names and those of their modules have them."""
    return [f"{kind.__module__}.{kind.__name__}" for kind in type(value).__mro__]


def test_parents_are_told_as_tensorflow_tells_them():
    """Keras knows a tensor, and a variable, by a parent's name and module; it has them back."""
    framework, ops = "tensorflow.python.framework", "tensorflow.python.ops"
    known = "tensorflow.python.types.core.Tensor"
    with answering():
        variable, rows = tf.Variable([1.0]), tf.ragged.constant([[1.0], []])
        for value in (tf.constant(["a"]), variable, Kept(variable)):
            assert known in parents(value)
        assert known not in parents(rows)
        assert f"{framework}.composite_tensor.CompositeTensor" in parents(rows)
        assert parents(rows._type_spec)[0] == f"{ops}.ragged.ragged_tensor.RaggedTensorSpec"
        assert parents(tf.TensorArray(tf.float32, 1))[0] == f"{ops}.tensor_array_ops.TensorArray"
        assert f"{framework}.type_spec.TypeSpec" in parents(tf.TensorSpec([]))
    told = [f"{kind.__module__}.{kind.__name__}" for kind in (Operand, AnyTensor)]
    assert told == ["symtape.tensor.tensor.Operand", "symtape.stand_in.types.AnyTensor"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tensorflow", "keras"])
def test_who_has_imported_it_already_keeps_it(name):
    """A process that holds TensorFlow or Keras is not taken over, and is told so."""
    code = f"""\
import sys, types
sys.modules["{name}"] = types.ModuleType("{name}")
import symtape
symtape.stand_in.for_tensorflow()
"""
    said = python(code).splitlines()[-1]
    assert said.startswith("symtape.errors.UnsupportedError: tf.stand_in.for_tensorflow(): this")
    assert f"has imported {name} already" in said


def test_another_backend_is_refused(monkeypatch, tmp_path):
    """Keras that is told to take another backend is not taken over; who told it is named."""
    monkeypatch.setattr(training, "version", lambda _: "3.15.1")
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    with pytest.raises(UnsupportedError, match="KERAS_BACKEND asks Keras for the backend 'jax'"):
        training.allow_keras()
    monkeypatch.delenv("KERAS_BACKEND")
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    training.allow_keras()
    (tmp_path / "keras.json").write_text('{"backend": "torch"}')
    with pytest.raises(UnsupportedError, match=r"keras\.json asks Keras for the backend 'torch'"):
        training.allow_keras()
    monkeypatch.setenv("KERAS_BACKEND", "tensorflow")
    training.allow_keras()


def test_another_version_of_keras_is_refused(monkeypatch):
    """What symtape was not tried below is named, with what installs the other."""
    monkeypatch.setattr(training, "version", lambda _: "2.15.0")
    with pytest.raises(UnsupportedError, match=r"Keras 2\.15\.0 .*symtape\[keras\]"):
        training.allow_keras()


# --- what stands for a tensor ---------------------------------------------------------------------


class Kept(AnyTensor):
    """Keeps a variable, as Keras' variables do."""

    def __init__(self, variable):
        self.value = variable
        self.handle = variable.handle

    def __tf_tensor__(self, dtype=None, name=None):
        return tf.convert_to_tensor(self.value, dtype)


def test_loading_keras_draws_no_numbers(monkeypatch):
    """A script that sets seeds before it asks for Keras has the numbers that follow from them."""

    def load(name: str) -> ModuleType:
        random.random()
        np.random.rand()  # noqa: NPY002 - what imports draw
        return ModuleType(name)

    monkeypatch.setattr(training, "importlib", SimpleNamespace(import_module=load))
    monkeypatch.setattr(training, "find_spec", lambda name: name)
    monkeypatch.setattr(training.TAKEN, "whole", True)
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - as scripts do
    training.keras()
    assert random.random() == random.Random(1).random()
    assert np.random.rand() == np.random.RandomState(1).rand()  # noqa: NPY002 - as scripts do


def test_gradients_flow_to_what_keeps_a_variable():
    """An object with `__tf_tensor__` stands wherever a tensor does, also as a source.

    A tape watches the variable alone, as TensorFlow's does.
    """
    v = Kept(tf.Variable(3.0))
    with tf.GradientTape(persistent=True) as tape:
        with pytest.raises(ValueError, match="Passed in object"):
            tape.watch(v)
        y = tf.square(v) + 2.0 * tf.stack([v, v])[0]
        z = tf.constant(2.0) * v
    assert tf.is_tensor(v)
    assert float(tape.gradient(y, v)) == 8.0
    assert [float(g) for g in tape.gradient(z, [v, v.value])] == [2.0, 2.0]


class Symbol:
    """Refuses to be a tensor, and has an operator of its own, as Keras' symbolic tensors do."""

    def __tf_tensor__(self, dtype=None, name=None):
        raise ValueError("no tensor")

    def __radd__(self, other):
        return "mine"


def test_who_refuses_to_be_a_tensor_is_asked_for_its_operator():
    """The error of `__tf_tensor__` is the caller's, but an operator tries the other side first."""
    assert tf.constant(1.0) + Symbol() == "mine"
    with pytest.raises(ValueError, match="no tensor"):
        tf.square(Symbol())


# --- tensors without a value ----------------------------------------------------------------------

SHAPES = {
    "the batch": (lambda x: tf.reduce_sum(x, 1), (None, 6), (None,)),
    "all of it": (tf.reduce_sum, (None, 6), ()),
    "a size that is known": (lambda x: tf.concat([x, x], 1), (None, 6), (None, 12)),
    "a reshape": (lambda x: tf.reshape(x, [tf.shape(x)[0], 2, -1]), (None, 6), (None, 2, 3)),
    "a stride": (lambda x: x[:, ::2], (None, None, 3), (None, None, 3)),
    "an operator": (lambda x: 1.0 - x @ tf.ones([6, 2]), (None, 6), (None, 2)),
    "a branch": (lambda x: tf.cond(tf.size(x) > 0, lambda: x, lambda: -x), (None, 2), (None, 2)),
    "a map": (lambda x: tf.map_fn(lambda row: row[0] + x[0, 0], x), (None, 2), (None,)),
    "places beyond a table": (
        lambda x: tf.gather(tf.zeros([10, 2]), tf.range(tf.shape(x)[1])), (2, None), (None, 2),
    ),
    "places along an axis": (
        lambda x: tf.gather(tf.zeros([3, 10]), [[tf.shape(x)[1]]], axis=1), (2, None), (3, 1, 1),
    ),
    "places in two axes": (
        lambda x: tf.gather_nd(tf.zeros([9, 9, 4]), tf.where(tf.ones_like(x) > 0)),
        (None, None), (None, 4),
    ),
    "right of a variable": (lambda x: tf.Variable([[1.0, 2.0]]) * x, (None, 2), (None, 2)),
    "right of a comparison": (
        lambda x: lifted(tf.cast)(tf.Variable(1.0) == x, tf.float32), (None, 2), (None, 2),
    ),
    "right of a matrix": (lambda x: tf.Variable([[1.0, 2.0]]) @ x, (2, None), (1, None)),
    "an end in brackets": (lambda x: tf.zeros([9, 2])[: tf.shape(x)[1]], (2, None), (None, 2)),
    "an end in brackets of a variable": (
        lambda x: tf.Variable(np.zeros([1, 99, 2], np.float32))[:, : tf.shape(x)[1]],
        (2, None), (1, None, 2),
    ),
    "an end beyond a table": (
        lambda x: tf.zeros([3, 2])[tf.newaxis, : tf.shape(x)[1], 0], (2, None), (1, None),
    ),
    "an end that is known": (lambda x: tf.zeros([3, 2])[..., : tf.shape(x)[1]], (2, 9), (3, 2)),
    "ends of both": (lambda x: tf.concat([x, x], 0)[1 : tf.shape(x)[1]], (None, None), (None,) * 2),
    "a place beyond a table": (lambda x: tf.zeros([3, 5])[..., tf.shape(x)[1]], (2, None), (3,)),
    "a place in brackets": (lambda x: tf.zeros([9, 2])[tf.shape(x)[0]], (2, None), (2,)),
    "chosen by their values": (
        lambda x: lifted(tf.boolean_mask)(x, tf.reduce_sum(x, -1) > 0), (None, 5), (None, 5),
    ),
    "chosen in brackets": (lambda x: x[tf.reduce_sum(x, -1) > 0], (None, 5), (None, 5)),
    "where they are true": (lambda x: tf.gather_nd(x, tf.where(x > 0)), (None, 5), (None,)),
    "each once": (lambda x: lifted(tf.unique)(tf.reshape(x, [-1]))[0], (None, 5), (None,)),
    "as long as a sum": (
        lambda x: tf.range(tf.reduce_sum(x)), (None, 5), (None,),
    ),
    "nothing unknown": (tf.transpose, (2, 3), (3, 2)),
}  # fmt: skip


@pytest.mark.parametrize("row", SHAPES)
def test_sizes_that_differ_between_two_examples_are_not_known(row):
    """A size of the result is None exactly where it follows an unknown size."""
    function, given, wanted = SHAPES[row]
    names = {n: lifted(getattr(tf, n)) for n in ("reduce_sum", "concat", "reshape", "shape")}
    names |= {n: lifted(getattr(tf, n)) for n in ("size", "cond", "map_fn", "transpose")}
    names |= {n: lifted(getattr(tf, n)) for n in ("gather", "gather_nd", "range")}
    names |= {n: lifted(getattr(tf, n)) for n in ("where", "ones_like", "stack")}
    with pytest.MonkeyPatch.context() as patch:
        for name, found in names.items():
            patch.setattr(tf, name, found)
        function = names["transpose"] if row == "nothing unknown" else function
        function = names["reduce_sum"] if row == "all of it" else function
        with FuncGraph("shapes").as_default():
            found = function(placeholder(tf.float32, given))
    assert tuple(found.shape) == wanted
    assert found.dtype == tf.float32


def _second_derivative(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch([x])
            y = tf.Variable([[2.0], [1.0]]) * x[..., None] ** 3
        first = inner.gradient(y, x)
    return outer.batch_jacobian(first, x)


def _by_a_variable(x):
    weight = tf.Variable([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        y = x @ weight
        found = tape.gradient(y, [weight, tf.constant(1.0)])
    with pytest.raises(RuntimeError, match="one set of gradients"):
        tape.gradient(y, weight)
    return found[0] if found[1] is None else found[1]


def _several(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    return tape.jacobian(y, x) * tape.gradient(y, x)


DERIVATIVES = {
    "of a derivative": (_second_derivative, (None, 2, 2)),
    "by a variable": (_by_a_variable, (2, 1)),
    "of a tape that stays": (_several, (None, 2, None, 2)),
}


@pytest.mark.parametrize("row", DERIVATIVES)
def test_a_tape_takes_derivatives_by_tensors_without_a_value(row):
    """A layer that derives what it computes has a shape, and nobody is told of its derivatives."""
    function, wanted = DERIVATIVES[row]
    told = []
    OBSERVERS.append(told.append)
    try:
        with FuncGraph("derivatives").as_default():
            found = function(placeholder(tf.float32, (None, 2)))
    finally:
        OBSERVERS.remove(told.append)
    assert tuple(found.shape) == wanted
    assert not told


FIRST_VALUES = {
    "of a function": (lambda: lifted(tf.random.normal)([2]), False),
    "of an operator": (lambda: tf.Variable([1.0, 2.0]) * 2, False),
    "without a value": (lambda: placeholder(tf.float32, [2]), False),
    "numbers": (lambda: [1.0, 2.0], True),
    "a variable": (lambda: tf.Variable([1.0, 2.0]), True),
    "a function": (lambda: lambda: tf.random.normal([2]), True),
}
"""First values of variables that are made in a graph, and whether they may be."""


@pytest.mark.parametrize("row", FIRST_VALUES)
def test_a_variable_does_not_begin_with_a_tensor_of_a_graph(row):
    """Keras then builds a layer when it is called, with the random numbers of that call."""
    make, may = FIRST_VALUES[row]
    outside = tf.constant([1.0, 2.0])
    with FuncGraph("variables").as_default():
        if may:
            assert tf.Variable(make()).shape == [2]
        else:
            with pytest.raises(ValueError, match=r"shape=\(2,\).* could not be lifted out"):
                tf.Variable(make())
        assert tf.Variable(outside).shape == [2]
        with tf.init_scope():
            assert tf.Variable(lifted(tf.random.normal)([2])).shape == [2]


def test_a_tensor_without_a_value_gives_none():
    """Whoever asks for a number, or computes past TensorFlow's functions, is told."""
    with FuncGraph("values").as_default():
        x = placeholder(tf.float32, [None])
        for ask in (bool, int, float):
            with pytest.raises(OperatorNotAllowedInGraphError, match="Using a symbolic"):
                ask(x)
        with pytest.raises(NotImplementedError, match="Cannot convert a symbolic"):
            np.asarray(x)
        with pytest.raises(UnsupportedError, match="a tensor of a graph has no value"):
            tf.square(x)
        with pytest.raises(TypeError, match="unknown first dimension"):
            iter(x)
        assert not hasattr(x, "numpy")
        assert tf.is_tensor(x)
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        placeholder(tf.float32, [1])


def test_operators_are_tensors_own_again_after_graphs():
    """They take tensors of a graph only while somewhere one is built."""
    own = vars(tf.Tensor)["__mul__"], vars(tf.Variable)["__getitem__"]
    with FuncGraph("outer").as_default():
        with FuncGraph("inner").as_default():
            pass
        assert (tf.Variable(2.0) * placeholder(tf.float32, [None])).shape.as_list() == [None]
    assert (vars(tf.Tensor)["__mul__"], vars(tf.Variable)["__getitem__"]) == own


def called(function, *args):
    """Call a function, as those of TensorFlow's are called."""
    return function(*args)


BY_ITSELF = {
    "text": (repr, (None, 6), "<tf.Tensor 'Placeholder:0' shape=(None, 6) dtype=float32>"),
    "format": ("{:>53}".format, (), "   <tf.Tensor 'Placeholder:0' shape=() dtype=float32>"),
    "name": (lambda x: x.name, (2,), "Placeholder:0"),
    "axes": (lambda x: x.ndim, (None, 6), 2),
    "shape": (lambda x: x.get_shape().as_list(), (None, 6), [None, 6]),
    "fitting shape": (lambda x: x.set_shape([3, None]), (None, 6), None),
    "elements": (lambda x: [r.shape.as_list() for r in x], (2, None), [[None], [None]]),
    "itself": (lambda x: lifted(called)(lambda y: y, x) is x, (None,), True),
    "parts": (lambda x: [y.shape.as_list() for y in lifted(tf.split)(x, 2, 1)], (None, 6),
              [[None, 3]] * 2),
    "a number": (lambda x: lifted(called)(lambda: len(x)), (3, None), 3),
    "within": (lambda x: lifted(called)(lambda: x.shape).as_list(), (3, None), [3, None]),
    "its axes": (lambda x: lifted(called)(lambda: [y.ndim for y in x]), (2, None), [1, 1]),
    "a value": (lambda x: lifted(called)(lambda: [bool(x), int(x), float(x)]), (),
                [False, 0, 0.0]),
    "many ranks": (
        lambda x: lifted(called)(lambda y: y if y.shape[0] == 4 else y[0], x).shape.rank,
        (None, 6), None,
    ),
    "no tensor": (lambda x: lifted(tf.add)(1, 2).numpy(), (), 3),
    "a traced function": (lambda x: [tf.executing_eagerly(), inside_function()], (), [False, True]),
}  # fmt: skip
"""What is asked of a tensor of some shape, and what it answers."""


@pytest.mark.parametrize("row", BY_ITSELF)
def test_a_tensor_without_a_value_says_what_is_known(row):
    """Its shape, dtype and name are known; in a function that is applied, examples answer."""
    ask, given, wanted = BY_ITSELF[row]
    with FuncGraph("known").as_default():
        found = ask(placeholder(tf.float32, given))
    assert found == wanted


REFUSED = {
    "another shape": (lambda x: x.set_shape([3]), (None, 6), ValueError,
                      r"Shapes \(None, 6\) and \(3,\) are not compatible"),
    "a length": (len, (2,), TypeError, "len is not well defined for a symbolic Tensor"),
    "a place": ([1, 2].__getitem__, (), OperatorNotAllowedInGraphError, "as a Python `int`"),
    "a hash": (hash, (), TypeError, "Tensor is unhashable"),
    "elements of a scalar": (iter, (), TypeError, "Cannot iterate over a scalar tensor"),
    "elements of unknown rank": (
        lambda x: iter(lifted(called)(lambda y: y if y.shape[0] == 4 else y[0], x)),
        (None,), TypeError, "Cannot iterate over a tensor with unknown rank",
    ),
    "an attribute": (lambda x: x.nothing, (), AttributeError, "no attribute 'nothing'"),
    "memory": (lambda x: x.__array_interface__, (), AttributeError, "__array_interface__"),
    "a size": (lambda x: lifted(called)(len, x), (None,), UnsupportedError,
               "a result that is no tensor depends on sizes that are not known: 4 or 12"),
    "no axes": (lambda x: placeholder(tf.float32), (), UnsupportedError,
                "placeholder: a tensor of unknown rank"),
}  # fmt: skip


@pytest.mark.parametrize("row", REFUSED)
def test_a_tensor_without_a_value_refuses_what_is_not_known(row):
    """What needs a value, or a size that nobody knows, says so."""
    ask, given, kind, words = REFUSED[row]
    with FuncGraph("unknown").as_default():
        x = placeholder(tf.float32, given)
        with pytest.raises(kind, match=words):
            ask(x)


def test_what_a_method_assigns_is_no_part_where_it_is_said_so():
    """Keras hides what it makes on the way; what is assigned later is a part again."""

    class Own(AutoTrackable):
        hide = no_automatic_dependency_tracking(lambda self, part: setattr(self, "hidden", part))

    own, part = Own(), Trackable()
    own.hide(part)
    assert own._trackable_children() == {}
    own.part = part
    assert own._lookup_dependency("part") is part
    assert own._lookup_dependency("hidden") is None


def test_there_is_one_replica(monkeypatch):
    """Classes of several replicas cannot be made, and who merges them calls a function."""
    with pytest.raises(
        UnsupportedError, match=r"tf\.distribute\.DistributedValues: there is one replica"
    ):
        strategies.DistributedValues()
    with pytest.raises(UnsupportedError, match=r"TPUClusterResolver: there is one processor"):
        strategies.TPUClusterResolver("grpc://there")
    monkeypatch.setenv("TF_CONFIG", "{}")
    with pytest.raises(UnsupportedError, match="TF_CONFIG names machines, and there is one"):
        strategies.MultiWorkerMirroredStrategy()
    assert strategies.maybe_merge_call(lambda s, x, y: [s, x - y], "it", 3, y=1) == ["it", 2]


def test_texts_of_bytes():
    """What is neither a text nor bytes is refused; decorators of nothing give what they got."""
    with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
        runtime.as_text(3)
    assert runtime.do_not_convert()(called) is runtime.do_not_convert(called) is called
    assert runtime.context().clear_kernel_cache() is None


# --- the other insides ----------------------------------------------------------------------------


def test_parts_of_a_trackable():
    """Attributes that are trackable are parts by their names, and others are not."""
    whole, part = AutoTrackable(), Trackable()
    whole.part, whole.number = part, 3
    assert whole._trackable_children() == {"part": part}
    del whole.part
    assert whole._trackable_children() == {}
    with pytest.raises(ValueError, match="already declared as a dependency"):
        whole._track_trackable(Trackable(), "a") and whole._track_trackable(Trackable(), "a")


def test_every_name_that_stands_in_for_another_is_there():
    """What is named by a text is found where the text says, before anybody asks for it."""
    assert all(resolve_name(place) is not None for place in STAND_INS.values())


def test_a_spec_is_a_type_spec():
    """All specs are, and no tensor is one."""
    assert not isinstance(tf.constant(1.0), TypeSpec)
    assert isinstance(tf.TensorSpec([1]), TypeSpec)
    assert isinstance(tf.RaggedTensorSpec([None, None]), TypeSpec)


def test_what_is_assigned_while_a_graph_is_built_is_not():
    """A graph that is built says what would be assigned when it runs."""
    x = tf.Variable([1.0, 2.0])
    with FuncGraph("scratch").as_default():
        x.assign_add([1.0, 1.0])
        x.assign([5.0, 5.0])
        inside = x.numpy().tolist()
    assert inside == [5.0, 5.0]
    assert x.numpy().tolist() == [1.0, 2.0]
    with tf.GradientTape() as tape:
        y = x**2
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0]


def test_a_block_is_put_where_it_starts():
    """The block moves in where it would reach beyond the end; gradients flow to both."""
    x, block = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([10.0, 20.0])
    with tf.GradientTape() as tape:
        y = dynamic_update_slice(x, block, [5])
        total = tf.reduce_sum(y * [1.0, 2.0, 3.0])
    assert y.numpy().tolist() == [1.0, 10.0, 20.0]
    found = tape.gradient(total, [x, block])
    assert [g.numpy().tolist() for g in found] == [[1.0, 0.0, 0.0], [2.0, 3.0]]


def test_a_processor_has_the_names_that_it_was_given(monkeypatch):
    """They are as many as configurations, and stay so once they were listed."""
    names = tf.config.set_logical_device_configuration.__globals__["give_names"]
    held = names.__globals__["_Named"]
    monkeypatch.setattr(held, "count", None)
    monkeypatch.setattr(held, "used", False)
    (cpu,), one = tf.config.list_physical_devices(), tf.config.LogicalDeviceConfiguration
    assert tf.config.get_logical_device_configuration(cpu) is None
    for count in (3, 2):
        tf.config.set_logical_device_configuration(cpu, [one()] * count)
    listed = [d.name for d in tf.config.list_logical_devices("CPU")]
    assert listed == ["/device:CPU:0", "/device:CPU:1"]
    tf.config.set_logical_device_configuration(cpu, [one()] * 2)
    assert tf.config.get_logical_device_configuration(cpu) == [one()] * 2
    with pytest.raises(RuntimeError, match="cannot be modified after being initialized"):
        tf.config.set_logical_device_configuration(cpu, [one()])
    with pytest.raises(ValueError, match="memory limit on CPU virtual devices"):
        tf.config.set_logical_device_configuration(cpu, [one(memory_limit=1)])


ROWS_REFUSED = {
    "norm of a RaggedTensor; apply it to to_tensor": lambda r: lifted(tf.norm)(r),
    "embedding_lookup of a RaggedTensor with `max_norm`": (
        lambda r: lifted(tf.nn.embedding_lookup)(tf.eye(4), r, max_norm=1.0)
    ),
    "reshape of a RaggedTensor to another shape": lambda r: lifted(tf.reshape)(r, [3, 1]),
    "softmax of a RaggedTensor along its first axis": lambda r: lifted(tf.nn.softmax)(r, 0),
}


@pytest.mark.parametrize("words", ROWS_REFUSED)
def test_functions_refuse_rows_by_name(words):
    """What takes no ragged tensor names itself and what to do."""
    with pytest.raises(UnsupportedError, match=words):
        ROWS_REFUSED[words](tf.ragged.constant([[1], [2, 3]]))


def test_rows_stand_beside_rows_alone():
    """A dense tensor of other sizes, and a function of dense tensors, say what to do."""
    rows = tf.ragged.constant([[1], [2, 3]])
    with pytest.raises(UnsupportedError, match="beside ragged rows of shape"):
        rows + tf.constant([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(ValueError, match="give to_tensor"):
        tf.reduce_sum(rows)


def test_protocol_buffers_are_named_and_not_used():
    """A package that imports them loads, and who makes one is told that there are none."""
    with answering():
        buffers = importlib.import_module("tensorflow.core.protobuf").struct_pb2
        with pytest.raises(UnsupportedError, match=r"StructuredValue.*protocol buffers"):
            buffers.StructuredValue()


def test_a_name_that_is_not_here_stands_in_annotations():
    """Types are joined where a module loads; no object is of what is not here."""
    with answering():
        tf = importlib.import_module("tensorflow")
        kinds = (tf.tpu.experimental.embedding.Adagrad, tf.lite.Interpreter, tf.queue.FIFOQueue)
        for joined in (int | kind for kind in kinds):
            assert isinstance(3, joined)
            assert not isinstance("3", joined)


def test_a_name_that_is_not_here_is_inherited_from():
    """The module of the class loads, and who makes one is told what to do."""
    with answering():
        tf = importlib.import_module("tensorflow")

        class Queue(tf.queue.FIFOQueue):
            pass

        with pytest.raises(UnsupportedError, match=r"Queue: tf\.queue\.FIFOQueue.*use tf\.data"):
            Queue(3)
