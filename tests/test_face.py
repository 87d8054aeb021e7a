"""The public face: what a namespace shows, which is what somebody may rely on."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.namespace import show
from tests.files_run import files_run, tape_step, warm_gradient
from tests.names import namespaces, value_of
from tests.sampling import ALL

ROOT = Path(__file__).parents[1]

NEEDS_AN_EXTRA = {"bfloat16"}
"""Names that can be asked for and are not listed: who asks for each listed name gets it."""


def module_of(path: str) -> ModuleType:
    """Give the namespace that a path as `tf.keras.losses` leads to."""
    found = tf
    for part in path.split(".")[1:]:
        found = getattr(found, part)
    return found


NAMESPACES = {path: (module_of(path), names) for path, names in namespaces().items()}


def leaks(module: ModuleType, names: list[str]) -> list[str]:
    """List what `dir` shows beside the names that are documented."""
    return sorted(set(dir(module)) - set(names))


def foreign(module: ModuleType, names: list[str]) -> list[str]:
    """List the documented names of what others made: NumPy's, `typing`'s, a room of the house."""
    found = []
    for name in names:
        value = value_of(module, name)
        if isinstance(value, ModuleType):
            is_own = value in [shown for shown, _ in NAMESPACES.values()]
        else:
            home = getattr(value, "__module__", None) or type(value).__module__
            plain = value is None or isinstance(value, (int, str))  # a constant is nobody's
            is_own = plain or home.partition(".")[0] == "symtape"
        found += [] if is_own else [name]
    return found


@pytest.mark.parametrize("path", NAMESPACES)
def test_a_namespace_shows_its_public_names(path):
    """`dir` lists what docs/tensorflow.md lists, and all of it is there and is symtape's own."""
    module, names = NAMESPACES[path]
    assert dir(module) == sorted(set(names) - NEEDS_AN_EXTRA)
    assert leaks(module, names) == []
    assert foreign(module, names) == []
    assert all(hasattr(module, name) for name in dir(module))


@pytest.fixture
def made(monkeypatch):
    """A namespace whose text imports two names for itself, and shows nothing yet."""
    module = ModuleType("symtape.made")
    exec("import numpy as np\nfrom typing import Any\ndef cube(x): return x ** 3", vars(module))  # noqa: S102
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_the_judge_of_namespaces_convicts(made):
    """What a namespace imports for itself is found as long as nothing hides it."""
    assert {"Any", "np"} <= set(leaks(made, ["cube"]))
    show(made.__name__, ["cube"])
    assert leaks(made, ["cube"]) == []
    assert foreign(made, ["Any", "np"]) == ["Any", "np"]


def test_late_names_are_made_once_and_hidden_ones_are_not_listed(made):
    """A late name is made when it is asked for; `hidden` keeps one off the list alone."""
    asked = []
    show(made.__name__, ["cube"], {"late": lambda: asked.append(1) or object()}, ["late"])
    assert dir(made) == ["cube"]
    assert not asked
    assert made.late is made.late
    assert len(asked) == 1
    with pytest.raises(
        AttributeError, match=r"no tf\.made\.cubes; the nearest name is tf\.made\.cube$"
    ):
        _ = made.cubes


@pytest.mark.slow
def test_all_names_can_be_imported_at_once():
    """`from symtape import *` binds what `dir` lists, with warnings as errors."""
    code = "from symtape import *; import symtape; assert {*dir(symtape)} <= {*globals()}"
    command = [sys.executable, "-W", "error", "-c", code]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603 - our command


FIRST = f"""\
import os
import sympy, numpy  # each child has them from here
import symtape
for name in dir(symtape)[:: {1 if ALL else 6}]:
    child = os.fork()
    if child == 0:
        getattr(symtape, name)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


@pytest.mark.slow
def test_each_name_can_be_the_first_that_is_asked_for():
    """No module counts on another that happens to be there already."""
    command = [sys.executable, "-c", FIRST]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603 - our command


FIRST_OF_NUMPY = """\
import os, sys
import numpy as np
import symtape as tf
assert "symtape.ops.numpy.protocol" not in sys.modules
x, v = tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0])
def augmented():
    total = before = np.ones(2)
    total += x
    return total if before.tolist() == [1.0, 1.0] else None
def written():
    total = np.ones(2)
    np.add(total, x, out=total)
    return total
calls = {
    "a function of elements": lambda: np.exp(x) / np.e,
    "of a variable": lambda: np.multiply(v, 2),
    "an array on the left": lambda: np.ones(2) + x,
    "a function": lambda: np.concatenate([[0.0], x]),
    "a method": lambda: np.add.reduce(x),
    "an operator that assigns": augmented,
    "where it writes": written,
}
expected = [[1, np.e], [2, 4], [2, 3], [0, 1, 2], 3, [2, 3], [2, 3]]
for (name, call), numbers in zip(calls.items(), expected, strict=True):
    child = os.fork()
    if child == 0:
        np.testing.assert_allclose(np.asarray(call()), numbers, rtol=1e-6, err_msg=name)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


@pytest.mark.slow
def test_each_function_of_numpy_can_be_the_first_that_is_called():
    """What answers NumPy is imported then, and sees who calls as it does afterwards."""
    command = [sys.executable, "-W", "error", "-c", FIRST_OF_NUMPY]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603 - our command


NAMED = """\
import importlib, pkgutil
import symtape
from symtape.program.operations import Map
first = set(Map.own)
for module in pkgutil.walk_packages(symtape.__path__, "symtape."):
    if module.name not in {"symtape.__main__", "symtape.pytest_plugin"}:
        try:
            importlib.import_module(module.name)
        except ImportError:  # of an extra
            pass
assert Map.own == first, Map.own - first
"""


@pytest.mark.slow
def test_operations_with_names_are_there_wherever_symtape_is():
    """No name of an operation waits for a module: formulas in files and in pickles mean them."""
    command = [sys.executable, "-W", "ignore", "-c", NAMED]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603 - our command


# --- types ----------------------------------------------------------------------------------------

OF_ANY_TYPE = {
    "at": "what the elements of a dataset are",
    "case": "what the chosen function gives",
    "cond": "likewise",
    "foldl": "what the function gives last",
    "foldr": "likewise",
    "get_single_element": "what the elements of a dataset are",
    "get_structure": "the structure of the elements of a dataset",
    "get_step": "what `set_step` was told",
    "hvp": "the structure of the primals; a `Function` without them, see its overloads",
    "load_variable": "a NumPy array, or a number of NumPy's",
    "map_fn": "tensors in the structure that the function gives",
    "map_flat_values": "what the function gives, in the rows of its arguments",
    "map_structure": "what the function gives, in the structure that there is",
    "numpy_function": "a tensor or as many as `Tout` names",
    "pack_sequence_as": "the structure that is given",
    "get_static_value": "NumPy's value of a tensor, and what is none as it is",
    "py_function": "as `numpy_function`",
    "scan": "tensors in the structure that the function gives",
    "switch_case": "what the chosen function gives",
    "vectorized_map": "tensors in the structure that the function gives",
    "while_loop": "the structure of the loop's variables",
}
"""Public functions whose results nobody can name the type of, and why."""


def functions_of(path: str) -> dict[str, Any]:
    """Give the public functions of a namespace by their names."""
    module, names = NAMESPACES[path]
    values = {name: value_of(module, name) for name in names}
    return {n: f for n, f in values.items() if inspect.isfunction(f) and f.__name__ == n}


@pytest.mark.parametrize("path", NAMESPACES)
def test_functions_say_what_they_give(path):
    """A public function has a concrete type for its result, or a reason why it has none."""
    vague = {
        name
        for name, function in functions_of(path).items()
        if inspect.signature(function).return_annotation in {"Any", inspect.Signature.empty}
    }
    assert vague - OF_ANY_TYPE.keys() == set()


def test_every_reason_is_needed():
    """No function of the table of those without a type has got one."""
    functions = {n: f for path in NAMESPACES for n, f in functions_of(path).items()}
    typed = [n for n in OF_ANY_TYPE if inspect.signature(functions[n]).return_annotation != "Any"]
    assert typed == []


READINGS = {
    "expr": lambda y: y.expr,
    "to_expr": lambda y: y.to_expr(),
    "entries": lambda y: y.entries,
    "to_entries": lambda y: y.to_entries(),
    "index_expr": lambda y: y.index_expr(),
    "matrix_expr": lambda y: y.matrix_expr,
    "exact": lambda y: y.exact(),
    "evalf": lambda y: y.evalf(20),
    "conditions": lambda y: y.conditions,
    "lambdify": lambda y: y.lambdify(),
}


def declared(reading: str) -> Any:
    """Give the type that a reading of a tensor says it has."""
    found = inspect.getattr_static(tf.Tensor, reading)
    names = {"sp": sp, "CompiledFormula": tf.CompiledFormula, "ResizedFormula": tf.ResizedFormula}
    return get_type_hints(getattr(found, "fget", found), localns=names)["return"]


def is_of(value: Any, type_: Any) -> bool:
    """Say whether a value is of a type: a class, a union of classes, a tuple of any length."""
    if get_origin(type_) is tuple:
        return isinstance(value, tuple) and all(isinstance(v, get_args(type_)[0]) for v in value)
    return isinstance(value, type_)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("of_array", [False, True])
def test_readings_are_of_the_types_that_they_say(reading, of_array):
    """What is read from a scalar and from an array is of SymPy's type in the signature."""
    x = tf.Variable([1.0, 2.0] if of_array else 1.5, name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x * 3.0) if bool(tf.reduce_sum(x) > 1.0) else x
    assert is_of(READINGS[reading](tape.gradient(y, x)), declared(reading))


def test_the_judge_of_types_convicts():
    """A value of another type than the one that is declared is found."""
    assert not is_of(np.float64(1.0), declared("exact"))
    assert not is_of((True,), declared("conditions"))
    assert not is_of(sp.Integer(1), declared("lambdify"))


def test_results_of_functions_on_functions_are_functions():
    """What `grad` and its kin give is a `Function`, with what the class says."""
    for make in (tf.grad, tf.value_and_grad, tf.jacobian, tf.hessian, tf.derivative):
        made = make(lambda x: x * x * x)
        assert isinstance(made, tf.Function)
        assert "def " in made.source(2.0)
    assert isinstance(tf.jvp(np.sin), tf.Function)
    assert isinstance(tf.hvp(np.sin), tf.Function)


def test_the_package_says_that_it_has_types():
    """The marker that type checkers look for lies in the package."""
    assert (Path(tf.__file__).parent / "py.typed").read_text("utf-8") == ""


# --- how much of it runs --------------------------------------------------------------------------


def test_a_warm_step_runs_few_files():
    """A step with a tape, and a call of a gradient, that were taken before stay on a short path."""
    assert len(files_run(tape_step())) <= 13
    assert len(files_run(warm_gradient())) <= 6


@pytest.mark.slow
def test_a_first_gradient_looks_at_its_own_operations_alone():
    """In a new process it runs no file that defines others, and loads no other writer of code."""
    code = (
        "import sys; from tests.files_run import files_run, first_gradient\n"
        "assert 'sympy.tensor.tensor' not in sys.modules, 'somebody makes a sum on import'\n"
        "found = files_run(first_gradient())\n"
        "assert not [name for name in found if name.startswith('ops')], found\n"
        "assert len(found) <= 30, found\n"
        "assert 'symtape.codegen.loops.scalars' not in sys.modules\n"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603 - our command


@pytest.mark.slow
def test_the_count_of_files_convicts(tmp_path):
    """A function counts by its file, and what an import runs by itself does not."""
    for name, text in {
        "one.py": "def one():\n    import two\n    return two.two",
        "two.py": "def idle(): pass\ndef two(): pass\nidle()",
        "three.py": "import four\ndef three(): return four",
        "four.py": "def idle(): pass\nidle()",
    }.items():
        (tmp_path / name).write_text(text)
    code = (
        "import sys; from pathlib import Path; from tests.files_run import files_run\n"
        f"sys.path.insert(0, {str(tmp_path)!r}); import one\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "def late(): import three; return three.three()\n"
        "assert files_run(one.one, folder) == ['one.py']\n"
        "assert files_run(one.one(), folder) == ['two.py']\n"
        "assert files_run(late, folder) == ['three.py']\n"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603 - our command
