"""`symtape run`: TensorFlow scripts run unmodified, and every derivative is listed."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest

from symtape.cli import main
from symtape.cli.script import read
from symtape.errors import FormatError
from tests import forked

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"

ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "PYTHONWARNINGS"}} | {
    "PYTHONPATH": str(ROOT),
    "PYTHONIOENCODING": "utf-8",
}


def write(folder: Path, **files: str) -> None:
    """Write files, named by the part before the dot; `nb_ipynb` is the notebook `nb.ipynb`."""
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(text, "utf-8")


def dedented(code: str) -> str:
    """Take away the indentation that a script has in a table."""
    return textwrap.dedent(code) + "\n"


def python(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a folder."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def symtape(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    return forked.symtape(folder, *arguments, environment=ENVIRONMENT, stdin=stdin)


def table(output: str) -> list[list[str]]:
    """Take the table at the end of an output apart, where the columns of its head begin.

    A formula on a line of its own belongs to the row above.
    """
    lines = output.rpartition("\nwhere ")[2].splitlines()
    head = f"where {lines[0]}"
    starts = [head.index(name) for name in ("where", "derivative", "shape", "value", "formula")]
    ends = [*starts[1:], None]
    rows: list[list[str]] = []
    for line in lines[1:]:
        if line.startswith("    "):
            rows[-1][-1] = line.strip()
        else:
            rows.append([line[a:b].strip() for a, b in zip(starts, ends, strict=True)])
    return rows


def notebook(*codes: str | Sequence[str], **metadata: object) -> str:
    """Write a notebook of code cells, with some prose between them."""
    cells: list[object] = [{"cell_type": "markdown", "source": ["# Prose\n"], "metadata": {}}]
    cells += [{"cell_type": "code", "source": code, "outputs": []} for code in codes]
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


# --- as Python runs it --------------------------------------------------------------------------

LIKE_PYTHON = {
    "main": """\
        import inspect, pickle, sys
        class Kept: pass
        print(sorted(globals()), __name__, __file__, __spec__, __doc__, type(__loader__).__name__)
        print(sys.argv, sys.path[0], sys.modules["__main__"].__dict__ is globals())
        print(type(pickle.loads(pickle.dumps(Kept()))), inspect.getsource(Kept))
        print(sys.stdin.read())
        """,
    "status": "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)\n",
    "message": "raise SystemExit('an end with words')\n",
    "no_status": "import sys\nsys.exit()\nprint('never')\n",
    "uncaught": """\
        import helper
        def outer(n):
            try:
                helper.divide(n)
            except ZeroDivisionError as error:
                raise KeyError("nothing") from error
        outer(1)
        """,
    "group": """\
        def fail(n): raise ValueError(n)
        def caught(n):
            try: fail(n)
            except ValueError as error: return error
        raise ExceptionGroup("both", [caught(1), caught(2)])
        """,
    "misspelt": "number = 3\nprint(nunber)\n",
    "syntax": "x = 1\ny = = 2\n",
    "missing": "import no_such_module\n",
    "bad_helper": "import helper_with_error\n",
    "hook": """\
        import sys
        def hook(kind, error, entry): print(kind, error, entry.tb_lineno)
        sys.excepthook = hook
        1 / 0
        """,
    "bad_hook": """\
        import sys
        def hook(kind, error, entry): raise TypeError("in the hook")
        sys.excepthook = hook
        1 / 0
        """,
    "thread": """\
        import threading, time
        def later(): time.sleep(0.2); print("late")
        threading.Thread(target=later).start()
        print("early")
        """,
    "unicode": "变量 = 'é'\nprint(变量)\nraise ValueError(变量)\n",
    "warning": "import warnings\nwarnings.warn('old', DeprecationWarning)\nprint('\\d')\n",
}
"""Scripts that have nothing to do with TensorFlow; what Python does with them is right."""


@pytest.mark.parametrize("name", LIKE_PYTHON)
def test_a_script_runs_as_python_runs_it(name, tmp_path):
    """Output, errors, traceback and exit status are those of `python script.py`, byte for byte."""
    folder = tmp_path / "in there"
    folder.mkdir()
    write(
        folder,
        script_py=dedented(LIKE_PYTHON[name]),
        helper_py="def divide(n):\n    return n / 0\n",
        helper_with_error_py="raise RuntimeError('no')\n",
    )
    arguments = ("in there/script.py", "a b", "--latex", "--", "--help")
    expected = python(tmp_path, *arguments, stdin="typed")
    found = symtape(tmp_path, "run", "--quiet", *arguments, stdin="typed")
    assert found.stdout == expected.stdout
    assert found.stderr == expected.stderr
    assert found.returncode == expected.returncode


MODULES = {
    "plain": (
        "import sys\nprint(__name__, __package__, __spec__.name, sys.argv, sys.path[0])\n",
        "mod",
    ),
    "inside": ("from . import other\nprint(other.x, __package__)\n", "pack.mod"),
    "package": ("print(__name__, __package__)\n", "pack"),
    "status": ("import sys\nsys.exit(4)\n", "mod"),
    "uncaught": ("def f(): 1 / 0\nf()\n", "mod"),
}
"""Modules, and the names by which they are run."""


@pytest.mark.parametrize("case", MODULES)
def test_a_module_runs_as_python_runs_it(case, tmp_path):
    """Output, errors and status are those of `python -m NAME`, without the frames of `runpy`."""
    text, name = MODULES[case]
    (tmp_path / "pack").mkdir()
    write(tmp_path, mod_py=text)
    write(tmp_path / "pack", __init___py="", other_py="x = 3\n", mod_py=text, __main___py=text)
    expected = python(tmp_path, "-m", name, "a b", "-m", "--latex")
    found = symtape(tmp_path, "run", "--quiet", "-m", name, "a b", "-m", "--latex")
    lines = expected.stderr.splitlines(keepends=True)
    assert found.stdout == expected.stdout
    assert found.stderr == "".join(line for line in lines if "<frozen runpy>" not in line)
    assert found.returncode == expected.returncode


@pytest.mark.parametrize("name", ["no_such", "no.such.one", "bare", "..", ""])
def test_a_module_that_cannot_be_run_is_said(name, tmp_path):
    """It has status 1, as Python's, and one line."""
    (tmp_path / "bare").mkdir()
    write(tmp_path / "bare", __init___py="")
    found = symtape(tmp_path, "run", "-m", name)
    assert found.stderr == f"symtape: No module named {name} that can be run\n"
    assert (found.stdout, found.returncode) == ("", 1)


def test_what_a_package_lacks_is_told(tmp_path):
    """The error of a package around a module is its own."""
    (tmp_path / "pack").mkdir()
    write(tmp_path / "pack", __init___py="import no_such_thing\n", mod_py="")
    found = symtape(tmp_path, "run", "-m", "pack.mod")
    assert found.stderr.endswith("ModuleNotFoundError: No module named 'no_such_thing'\n")
    assert "__init__.py" in found.stderr


def test_derivatives_of_a_module_are_listed(tmp_path):
    """TensorFlow is answered, and files are told from where it runs."""
    write(
        tmp_path, mod_py="import tensorflow as tf\nimport helper\nhelper.slope(tf.Variable(2.0))\n"
    )
    code = """
        import tensorflow as tf
        def slope(v):
            with tf.GradientTape() as tape:
                y = v * v
            return tape.gradient(y, v)
        """
    write(tmp_path, helper_py=dedented(code))
    ((where, *_, formula),) = table(symtape(tmp_path, "run", "-m", "mod").stdout)
    assert (where, formula) == ("helper.py:6", "2*v")


def test_an_interrupt_is_130(tmp_path):
    """A script that ctrl-C ends has the status that a shell gives, and Python's traceback."""
    write(tmp_path, script_py="def wait():\n    raise KeyboardInterrupt\nwait()\n")
    found = symtape(tmp_path, "run", "--quiet", "script.py")
    assert found.returncode == 130
    assert found.stderr == python(tmp_path, "script.py").stderr


# --- what TensorFlow is -------------------------------------------------------------------------

IMPORTS = {
    "whole": "import tensorflow\nimport tensorflow as tf\nassert tensorflow is tf",
    "names": """\
        from tensorflow import GradientTape, Variable, math
        import symtape
        import tensorflow as tf
        assert tf.GradientTape is GradientTape is symtape.GradientTape and tf.math is math
        """,
    "modules": """\
        import tensorflow.math
        import tensorflow.linalg as linalg
        from tensorflow.math import log
        assert linalg.norm is tensorflow.linalg.norm and tensorflow.math.log is log
        """,
    "a logger": """\
        import tensorflow.compat.v1.logging as told
        from tensorflow.compat.v1.logging import ERROR, set_verbosity
        set_verbosity(ERROR)
        assert told.get_verbosity() == told.ERROR == ERROR
        """,
    "star": """\
        from tensorflow import *
        from tensorflow.math import *
        assert float(square(constant(3.0))) == float(log1p(constant(0.0))) + 9
        """,
    "keras": """\
        import tensorflow as tf
        from tensorflow import keras
        from tensorflow.keras import layers
        from tensorflow.keras.layers import Dense
        import tensorflow.keras.layers as L
        assert layers.Dense is L.Dense is Dense is tf.keras.layers.Dense is keras.layers.Dense
        """,
    "sibling": """\
        import helper
        import tensorflow as tf
        assert helper.tf is tf
        """,
    "version": """\
        import tensorflow as tf
        import importlib.util
        assert int(tf.__version__.split(".")[0]) == 2 and tf.__name__ == "tensorflow"
        assert "square" in dir(tf) and tf.__doc__ and repr(tf).startswith("<module 'tensorflow'")
        assert importlib.util.find_spec("tensorflow") and importlib.util.find_spec("numpy")
        assert hasattr(tf, "square") and not hasattr(tf, "no_such_name")
        """,
    "optional": """\
        try:
            import tensorflow.no_such_module
        except ModuleNotFoundError:
            pass
        try:
            from tensorflow import no_such_name
        except ImportError:
            pass
        """,
}


@pytest.mark.parametrize("way", IMPORTS)
def test_every_way_to_import_tensorflow_is_answered(way, tmp_path, capsys):
    """Whole modules, parts, and names of TensorFlow come from symtape, in sibling modules too."""
    write(tmp_path, script_py=dedented(IMPORTS[way]), helper_py="import tensorflow as tf\n")
    assert main(["run", "--quiet", str(tmp_path / "script.py")]) == 0
    assert capsys.readouterr() == ("", "")


MISSING = {
    "import tensorflow as tf\ntf.reduce_summ": (
        "AttributeError: symtape has no tf.reduce_summ",
        "reduce_sum",
    ),
    "from tensorflow import reduce_meen": (
        "No module named 'tensorflow.reduce_meen'",
        "reduce_mean",
    ),
    "import tensorflow.kerass": (
        "ModuleNotFoundError: No module named 'tensorflow.kerass'",
        "keras",
    ),
}


@pytest.mark.parametrize("code", MISSING)
def test_a_name_that_is_lacking_is_said_with_its_neighbours(code, tmp_path):
    """The error names the name and the nearest that exist; the traceback is the script's alone."""
    write(tmp_path, script_py=f"def use():\n    {code.replace(chr(10), chr(10) + '    ')}\nuse()\n")
    found = symtape(tmp_path, "run", "--quiet", "script.py")
    words, near = MISSING[code]
    assert found.returncode == 1
    assert words in found.stderr.splitlines()[-1]
    assert near in found.stderr.splitlines()[-1]
    assert found.stderr.count('File "') == 2
    assert "importlib" not in found.stderr


def test_errors_of_the_tape_show_only_the_script(tmp_path):
    """An error raised by symtape has TensorFlow's text and a traceback without symtape's frames."""
    write(tmp_path, script_py=f"{TAPE}tape.gradient(y, x)\ntape.gradient(y, x)\n")
    found = symtape(tmp_path, "run", "script.py")
    assert "RuntimeError: A non-persistent GradientTape can only be used" in found.stderr
    assert found.stderr.count('File "') == 1
    assert table(found.stdout) == [["script.py:5", "dy/dx", "()", "6.0", "2*x"]]


def test_nothing_remains_of_a_run(tmp_path, monkeypatch):
    """Modules, paths, arguments and import hooks are afterwards what they were before."""
    write(
        tmp_path,
        script_py="import helper, sys\nsys.path.append('x')\n",
        helper_py="import tensorflow",
    )
    tensorflow = object()
    monkeypatch.setitem(sys.modules, "tensorflow", tensorflow)
    before = (sys.modules.copy(), sys.meta_path.copy(), sys.path.copy(), sys.argv.copy())
    assert main(["run", "--quiet", str(tmp_path / "script.py")]) == 0
    assert (sys.modules, sys.meta_path, sys.path, sys.argv) == before
    assert sys.modules["tensorflow"] is tensorflow


# --- the table ----------------------------------------------------------------------------------

TAPE = """\
import tensorflow as tf
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
"""

KINDS = """\
import tensorflow as tf
from helper import slope

x = tf.Variable(3.0)
a = tf.constant([1.0, 2.0])
rows = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as outer:
    outer.watch([a, rows])
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        z = y * y
    dz_dy, dz_dx = tape.gradient(z, [y, x])
    b = a * a
    squared = rows * rows
outer.gradient(dz_dx, x)
outer.jacobian(b, a)
outer.batch_jacobian(squared, rows)
outer.hessian(z, x)
outer.gradient([y, z], x)
outer.gradient(z, a)
outer.gradient(b, a, output_gradients=tf.constant([3.0, 4.0]))
outer.gradient(z, a, unconnected_gradients="zero")
tape.gradient(
    z,
    sources={"the x": x},
)
slope(tf.Variable(3.0))
print("the end")
"""

SLOPE = """\
import tensorflow as tf

def slope(w):
    with tf.GradientTape() as tape:
        value = w * w
        return tape.gradient(value * w, w)
"""

DELTA = "2*KroneckerDelta(j, k)"
ROWS = f"""\
script.py:12 | dz/dy | () | 18.0 | 2*x**2
script.py:12 | dz/dx | () | 108.0 | 4*x**3
script.py:15 | d(dz_dx)/dx | () | 108.0 | 12*x**2
script.py:16 | db/da (jacobian) | (2, 2) | [[2. 0.] [0. 4.]] | 2 diag(a)
script.py:17 | dsquared/drows (batch) | (2, 2, 2) | [[[2. 0..... 8.]]] | {DELTA}*rows[i, j]
script.py:18 | d2z/dx2 | () | 108.0 | 12*x**2
script.py:19 | d(y + z)/dx | () | 114.0 | 2*x*(2*x**2 + 1)
script.py:20 | dz/da | | None |
script.py:21 | db/da | (2,) | [ 6. 16.] | 2 (x0 ⊙ a)
script.py:22 | dz/da | (2,) | [0. 0.] | 0
script.py:23 | dz/dx | () | 108.0 | 4*x**3
helper.py:6 | d(value * w)/dw | () | 27.0 | 3*w**2
"""


def test_every_derivative_has_its_row(tmp_path, monkeypatch):
    """Each kind of derivative is listed: place, names, shape, value and formula; None too."""
    monkeypatch.setitem(ENVIRONMENT, "COLUMNS", "120")
    write(tmp_path, script_py=KINDS, helper_py=SLOPE)
    found = symtape(tmp_path, "run", "script.py")
    assert (found.stderr, found.returncode) == ("", 0)
    assert found.stdout.startswith("the end\n\nwhere ")
    rows = [[cell.strip() for cell in row.split("|")] for row in ROWS.splitlines()]
    assert table(found.stdout) == rows


LOOP = """\
import tensorflow as tf
w = tf.Variable(1.0)
for step in range(4):
    with tf.GradientTape() as tape:
        loss = w * w
    gradient, = tape.gradient(loss, [w])
    w.assign_sub(0.25 * gradient)
first, second = tf.Variable(2.0), tf.Variable(5.0)
with tf.GradientTape(persistent=True) as tape:
    product = first * second
slopes = [tape.gradient(product, x) for x in (first, second)]
tape.gradient(product, first); tape.gradient(product, first)
"""


def test_a_loop_is_one_row(tmp_path):
    """What one place takes again is counted, its last value shown; other places have own rows."""
    write(tmp_path, script_py=LOOP)
    assert table(symtape(tmp_path, "run", "script.py").stdout) == [
        ["script.py:6 (4 times)", "dloss/dw", "()", "0.25", "2*w"],
        ["script.py:11", "dproduct/dfirst", "()", "5.0", "second"],
        ["script.py:11", "dproduct/dsecond", "()", "2.0", "first"],
        ["script.py:12", "dproduct/dfirst", "()", "5.0", "second"],
        ["script.py:12", "dproduct/dfirst", "()", "5.0", "second"],
    ]


NAMESAKES = """\
import tensorflow as tf
class Layer:
    def __init__(self, value):
        self.kernel = tf.Variable(value)
first, second = Layer(2.0), Layer(3.0)
with tf.GradientTape() as tape:
    y = first.kernel * second.kernel
    while y < 20.0:
        y = y * y
tape.gradient(y, [first.kernel, second.kernel])
"""


def test_namesakes_are_told_apart_and_paths_are_mentioned(tmp_path):
    """Variables of one name are rows of their own, named as in the formula; a path is told of."""
    write(tmp_path, script_py=NAMESAKES)
    assert table(symtape(tmp_path, "run", "script.py").stdout) == [
        ["script.py:10", "dy/dkernel", "()", "36.0", "2*kernel*kernel_1**2 on this path"],
        ["script.py:10", "dy/d(kernel_1)", "()", "24.0", "2*kernel**2*kernel_1 on this path"],
    ]


@pytest.mark.parametrize("end", ["raise ValueError('no')", "import sys; sys.exit(7)", "1 +"])
def test_the_table_is_printed_however_the_script_ends(end, tmp_path):
    """Derivatives taken before an exception or an exit are listed; the status is the script's."""
    broken = "import broken\n" if end == "1 +" else f"{end}\n"
    write(tmp_path, script_py=f"{TAPE}tape.gradient(y, x)\n{broken}", broken_py=end)
    expected = python(tmp_path, "-c", end)
    found = symtape(tmp_path, "run", "script.py")
    assert found.returncode == expected.returncode
    assert found.stderr.splitlines()[-1:] == expected.stderr.splitlines()[-1:]
    assert len(table(found.stdout)) == 1


LONG = """\
import tensorflow as tf
x = tf.Variable(0.5)
rows = tf.constant([[1.0] * 30] * 30)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(rows)
    y = x
    for k in range(3):
        y = y * y + x
    deep = x
    for k in range(300):
        deep = deep * deep
    many = rows * rows
tape.gradient(y, x)
tape.gradient(deep, x)
tape.gradient(many, rows)
"""


@pytest.mark.parametrize("columns", [56, 60, 100])
def test_the_table_fits_its_width(columns, tmp_path, monkeypatch):
    """A long formula has its own line, and loses its middle there; others are counted."""
    write(tmp_path, script_py=LONG)
    monkeypatch.setitem(ENVIRONMENT, "COLUMNS", str(columns))
    found = symtape(tmp_path, "run", "script.py")
    assert max(map(len, found.stdout.splitlines())) <= columns
    short, counted, many = [row[-1] for row in table(found.stdout)]
    assert short.startswith("2*(x + (x**2 + x)**2)*")
    assert ("..." in short) == (columns < 57)
    assert counted.startswith("(")
    assert many == "2 rows"


MANY = """\
import tensorflow as tf
X = tf.Variable(tf.ones([16, 3]), name="X")
w = tf.Variable(tf.zeros([3, 1]), name="w")
for _ in range(200):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sigmoid(X @ w) ** 2)
    tape.gradient(loss, w)
"""


MISTYPED = {
    "run --latx a.py": "symtape run: error: unrecognized arguments: --latx",
    "--latx run a.py": "symtape run: error: unrecognized arguments: --latx",
    "a.py -x": "symtape: error: a script is run by: symtape run a.py -x",
    "diff --wrtt x x": "symtape diff: error: unrecognized arguments: --wrtt x",
}


@pytest.mark.parametrize("typed", MISTYPED)
def test_what_is_typed_wrongly_is_told_by_the_command_that_was_meant(typed, capsys):
    """With its usage; and a script alone is no command."""
    with pytest.raises(SystemExit, match="2"):
        main(typed.split())
    assert capsys.readouterr().err.splitlines()[-1] == MISTYPED[typed]


@pytest.mark.parametrize("command", ["run", "diff", "verify"])
def test_the_help_of_a_command_ends_with_examples(command, capsys):
    """Each is a line that can be typed, and all fits a terminal."""
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    text = capsys.readouterr().out
    assert text.count(f"\n  symtape {command} ") >= 3
    assert max(map(len, text.splitlines())) <= 90


def test_a_table_of_a_terminal_tells_places_and_formulas(tmp_path, monkeypatch):
    """With 80 columns, values make room; where letters are few, formulas have indices."""
    write(tmp_path, script_py=MANY)
    monkeypatch.setitem(ENVIRONMENT, "COLUMNS", "80")
    (row,) = table(symtape(tmp_path, "run", "script.py").stdout)
    assert row[0] == "script.py:7 (200 times)"
    assert row[-1] == "2 Xᵀ (σ(X w)^⊙2 ⊙ (𝟏 - σ(X w)))", row
    monkeypatch.setitem(ENVIRONMENT, "PYTHONIOENCODING", "ascii")
    (row,) = table(symtape(tmp_path, "run", "script.py").stdout)
    assert row[-1].startswith("2*Sum("), row
    found = symtape(tmp_path, "diff", "norm2(A*x - y)^2", "--wrt", "x")
    assert found.stdout == "2 * A.T @ (A @ x - y)\nwhere A: m x n, x: n, y: m\n"


def test_formulas_as_latex_are_whole(tmp_path):
    """With `--latex`, formulas are LaTeX and nothing is left out of them."""
    write(tmp_path, script_py=f"{TAPE}tape.gradient(y * y, x)\n")
    found = symtape(tmp_path, "run", "--latex", "script.py")
    assert table(found.stdout) == [["script.py:5", "d(y * y)/dx", "", "None", ""]]
    write(tmp_path, script_py=LONG)
    longest = table(symtape(tmp_path, "run", "--latex", "script.py").stdout)[0][-1]
    assert "x^{2}" in longest
    assert "..." not in longest
    assert longest.count("{") == longest.count("}")


def test_any_encoding_and_names_in_any_script(tmp_path, monkeypatch):
    """Names that the output cannot encode are escaped; the script's own names are kept in full."""
    write(tmp_path, script_py=TAPE.replace("y =", "损失 =") + "tape.gradient(损失, x)\n")
    assert "d损失/dx" in symtape(tmp_path, "run", "script.py").stdout
    monkeypatch.setitem(ENVIRONMENT, "PYTHONIOENCODING", "ascii")
    found = symtape(tmp_path, "run", "script.py")
    assert r"d\u635f\u5931/dx" in found.stdout
    assert (found.stderr, found.returncode) == ("", 0)


BLOCK = """import tensorflow as tf
x = tf.ones([3, 2, 2])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
tape.jacobian(y, x)
"""


def test_a_table_in_a_file_is_not_cut(tmp_path):
    """What is written to a pipe has every column in full; a count that was not ended says so."""
    write(tmp_path, script_py=LONG)
    found = symtape(tmp_path, "run", "script.py")
    short, counted, many = table(found.stdout)
    assert short[-1].startswith("2*(x + (x**2 + x)**2)*(")
    assert "..." not in short[-1]
    assert counted[-1] == "(over 1,000,000,000 operations)"
    assert many[-2].count("2.") == 16


def test_an_array_of_many_axes_is_cut_in_a_file(tmp_path):
    """Of a Jacobian of six axes the first and the last numbers stand there, and its shape."""
    write(tmp_path, script_py=BLOCK)
    ((*_, shape, value, formula),) = table(symtape(tmp_path, "run", "script.py").stdout)
    assert shape == "(3, 2, 2, 3, 2, 2)"
    assert len(value) == 72
    assert value.startswith("[[[[[[2.")
    assert value.endswith("2.]]]]]]")
    assert formula.startswith("2*")


def test_a_script_from_a_pipe(tmp_path):
    """The file - is the standard input, and errors show its lines."""
    code = f"{TAPE}tape.gradient(y, x)\nimport sys\nprint(__name__, sys.argv)\nnunber\n"
    found = symtape(tmp_path, "run", "-", "a", "--b", stdin=code)
    assert found.stdout.startswith("__main__ ['-', 'a', '--b']\n")
    assert table(found.stdout)[0][0].startswith("<stdin>:")
    assert "    nunber\nNameError: name 'nunber'" in found.stderr
    assert found.returncode == 1


def test_null_bytes_are_no_source_code(tmp_path):
    """A script of null bytes, such as one in UTF-16, is refused in a sentence."""
    (tmp_path / "script.py").write_text("x = 1\n", "utf-16")
    found = symtape(tmp_path, "run", "script.py")
    assert found.stderr.startswith(f"symtape: {tmp_path / 'script.py'} cannot be read: it has null")
    assert (found.stdout, found.stderr.count("\n"), found.returncode) == ("", 1, 2)


@pytest.mark.parametrize("code", ["x = = 1\n", "raise ValueError\n", "import sys; sys.exit(3)\n"])
def test_of_a_script_that_fails_only_derivatives_are_told(code, tmp_path):
    """That there was none is said where a script ends well."""
    write(
        tmp_path, script_py=code, whole_py=f"{TAPE}tape.gradient(y, x)\n{code}", none_py="x = 1\n"
    )
    assert symtape(tmp_path, "run", "script.py").stdout == ""
    assert symtape(tmp_path, "run", "none.py").stdout == "\nno derivative was taken\n"
    if "=" not in code:
        assert len(table(symtape(tmp_path, "run", "whole.py").stdout)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_fork_writes_no_table_of_its_own(tmp_path):
    """A child that ends by itself is not the run that was asked for."""
    code = "import os, sys\nif os.fork() == 0: sys.exit()\nos.wait()\n"
    write(tmp_path, script_py=f"{TAPE}tape.gradient(y, x)\n{code}")
    assert symtape(tmp_path, "run", "script.py").stdout.count("where") == 1


SPAWNING = """
import multiprocessing, sys
import tensorflow as tf

def slope(value):
    x = tf.Variable(value)
    with tf.GradientTape() as tape:
        y = x * x
    return float(tape.gradient(y, x))

if __name__ == "__main__":
    for how in sys.argv[1:]:
        with multiprocessing.get_context(how).Pool(1) as pool:
            print(how, pool.map(slope, [1.0, 2.0]))
"""


@pytest.mark.slow
def test_processes_that_a_script_starts_have_tensorflow_too(tmp_path):
    """However they are started, and those of a module."""
    ways = multiprocessing.get_all_start_methods()
    write(tmp_path, script_py=SPAWNING)
    for asked in (["script.py"], ["-m", "script"]):
        found = symtape(tmp_path, "run", *asked, *ways)
        assert found.stdout.splitlines()[: len(ways)] == [f"{w} [2.0, 4.0]" for w in ways], found


@pytest.mark.parametrize("line", ["tf.Session()", "tf.compat.v1.flag", "tf.verfy"])
def test_a_name_that_is_missing_is_told_once(tmp_path, line):
    """Python guesses no other name, and shows no error behind the error."""
    write(tmp_path, script_py=f"import tensorflow as tf\n{line}\n")
    error = symtape(tmp_path, "run", "script.py").stderr
    assert re.findall("During handling|Did you mean", error) == [], error
    assert error.splitlines()[-1].startswith("AttributeError: symtape has no tf."), error


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_an_output_without_room(tmp_path):
    """One line says that there is no table, and the exit status that it failed."""
    write(tmp_path, script_py=f"{TAPE}tape.gradient(y, x)\n")
    with Path("/dev/full").open("w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "symtape", "run", "script.py"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
    assert found.stderr.startswith("symtape: can't write the table: [Errno 28]")
    assert (found.stderr.count("\n"), found.returncode) == (1, 1)


def test_a_missing_file_name_is_said_alone(tmp_path):
    """The arguments of a script are optional."""
    assert symtape(tmp_path, "run").stderr.endswith("arguments are required: FILE\n")


CLOSED = "symtape: the script closed its output; there is no table\n"
OUTPUTS = {
    "import io, sys\nsys.stdout = io.StringIO()\n": "",
    "import sys\nsys.stdout.close()\n": CLOSED,
}


@pytest.mark.parametrize("code", OUTPUTS)
def test_an_output_that_the_script_replaced_or_closed(code, tmp_path):
    """The table goes where output went first; if that is closed, a note says so."""
    write(tmp_path, script_py=f"{TAPE}tape.gradient(y, x)\n{code}")
    found = symtape(tmp_path, "run", "script.py")
    assert (found.stderr, found.returncode) == (OUTPUTS[code], 0)
    assert bool(found.stdout) is not bool(OUTPUTS[code])


def test_a_reader_that_goes_away(tmp_path):
    """A closed pipe ends the table in silence."""
    write(tmp_path, script_py=f"{TAPE}tape.gradient(y, x)\n")
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "symtape", "run", "script.py"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    os.close(writing)
    assert (ended.stderr, ended.returncode) == (b"", 0)


def test_a_script_without_derivatives_says_so(tmp_path):
    """There is a line instead of a table where nothing was derived."""
    write(tmp_path, script_py="print('nothing')\n")
    assert symtape(tmp_path, "run", "script.py").stdout == "nothing\n\nno derivative was taken\n"


# --- notebooks and pages ------------------------------------------------------------------------


def test_a_notebook_runs_cell_by_cell(tmp_path):
    """Cells share names; magics are skipped with a note; rows and tracebacks name cell and line."""
    cells = (
        ["%matplotlib inline\n", "import tensorflow as tf\n", "x = tf.Variable(3.0)"],
        "%%bash\nexit 3",
        "%%time\nwith tf.GradientTape() as tape:\n    y = x * x\n\nprint(tape.gradient(y, x))",
        "def fail():\n    return 1 / 0\nfail()",
        "print('never')",
    )
    write(tmp_path, nb_ipynb=notebook(*cells))
    found = symtape(tmp_path, "run", "nb.ipynb")
    assert found.returncode == 1
    assert found.stdout.startswith("tf.Tensor(6.0, shape=(), dtype=float32)\n\nwhere")
    assert table(found.stdout) == [["nb.ipynb, cell 3, line 5", "dy/dx", "()", "6.0", "2*x"]]
    write(tmp_path, cell_py=cells[3])
    uncaught = python(tmp_path, "cell.py").stderr.replace("cell.py", "nb.ipynb, cell 4")
    assert found.stderr == (
        "symtape: nb.ipynb, cell 1, line 1: skipped %matplotlib inline\n"
        "symtape: nb.ipynb, cell 2, line 1: skipped %%bash\n"
        "symtape: nb.ipynb, cell 3, line 1: skipped %%time\n" + uncaught
    )


PAGE = """\
# A page

```python
import tensorflow as tf
x = tf.Variable(3.0)
```

    raise ValueError("quoted, not run")

1. A list

   ```{.python .input  n=3}
   with tf.GradientTape() as tape:
       y = x * x
   ```

~~~py
print(tape.gradient(y, x))
~~~

```bash
exit 3
```
```
not python
```
````python
text = '''
```
'''
raise KeyError(text)
````
"""


def test_a_page_runs_block_by_block(tmp_path):
    """Fenced blocks of Python run in order; lines are those of the file."""
    write(tmp_path, page_md=PAGE)
    found = symtape(tmp_path, "run", "page.md")
    assert found.returncode == 1
    assert found.stdout.startswith("tf.Tensor(6.0, shape=(), dtype=float32)\n\nwhere")
    assert table(found.stdout) == [["page.md:18", "dy/dx", "()", "6.0", "2*x"]]
    assert found.stderr == (
        "Traceback (most recent call last):\n"
        f'  File "{tmp_path}/page.md", line 31, in <module>\n'
        "    raise KeyError(text)\n"
        "KeyError: '\\n```\\n'\n"
    )


MAGICS = {
    "x = (7\n % 4)\ns = '''\n%no\n!no\n'''": ("x = (7\n % 4)\ns = '''\n%no\n!no\n'''", []),
    "if 1:\n    !pip install \\\n      a b\n    x = 1": (
        "if 1:\n    pass\n\n    x = 1",
        ["2: skipped !pip install \\"],
    ),
    "files = !ls\n%time x = 1\ntf.foo?\n?x": (
        "pass\nx = 1\npass\npass",
        [
            "1: skipped files = !ls",
            "2: skipped %time x = 1",
            "3: skipped tf.foo?",
            "4: skipped ?x",
        ],
    ),
    "!echo don't ( '''\nx = 1": ("pass\nx = 1", ["1: skipped !echo don't ( '''"]),
    "\n%%timeit\nx = 1": ("", ["2: skipped %%timeit"]),
    "x = = 1\n%time y": ("x = = 1\n%time y", []),
}


@pytest.mark.parametrize("code", MAGICS)
def test_magics_are_left_out(code, tmp_path):
    """What only IPython understands is skipped; what is Python, or wrong, stays as it is."""
    write(tmp_path, nb_ipynb=notebook(code))
    script = read(str(tmp_path / "nb.ipynb"))
    source, notes = MAGICS[code]
    assert script.parts[0].source == source
    assert list(script.notes) == [f"nb.ipynb, cell 1, line {note}" for note in notes]


FENCES = {
    "```Python\n1\n```": ["1"],
    "``` python title='a'\n1\n```\n```py3\n2\n```": ["1"],
    "``` {.python}\n1\n": ["1\n"],
    "```{python}\n1\n```": ["1"],
    "```python-repl\n1\n```\n```pycon\n1\n```\n```c\n1\n```": [],
    "```python inline```\n\n```py\n1\n```": ["1"],
    "    ```python\n    1\n    ```": [],
    "- a\n\n  - b\n    ```python\n    if 1:\n      2\n    ```\n\nc\n": ["if 1:\n  2"],
    "- a\n\n      ```python\n      1\n      ```": [],
    "`````text\n```python\n1\n```\n`````\n~~~python\n```\n~~~": ["```"],
    "\r\n```python\r\n1\r\n2\r\n```\r\n": ["1\n2"],
}


@pytest.mark.parametrize("text", FENCES)
def test_blocks_of_python_are_found(text, tmp_path):
    """Fences are read as CommonMark reads them."""
    (tmp_path / "page.md").write_bytes(text.encode())
    script = read(str(tmp_path / "page.md"))
    assert [str(part.source).lstrip("\n") for part in script.parts] == FENCES[text]


WORKSHEETS = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "x"]}]}]}


def test_a_notebook_of_an_old_format(tmp_path):
    """Cells in worksheets, as before version 4, are read too."""
    write(tmp_path, old_ipynb=json.dumps(WORKSHEETS))
    assert [part.source for part in read(str(tmp_path / "old.ipynb")).parts] == ["x = 1\nx"]


WRONG = {
    "{": "cannot be read",
    "[]": "has a list of cells",
    '{"cells": 3}': "has a list of cells",
    '{"cells": [{"cell_type": "code"}]}': "has a list of cells",
    notebook("x", kernelspec={"language": "R"}): "in r, not in Python",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_notebook_is_refused(text, tmp_path):
    """A file that is no notebook, or not in Python, is refused in words."""
    write(tmp_path, nb_ipynb=text)
    with pytest.raises(FormatError, match=WRONG[text]):
        read(str(tmp_path / "nb.ipynb"))


# --- the command --------------------------------------------------------------------------------


def test_files_that_cannot_be_opened(tmp_path, capsys, monkeypatch):
    """As Python does, the command names the file and the reason, with status 2."""
    monkeypatch.chdir(tmp_path)
    assert main(["run", "none.py"]) == 2
    expected = python(tmp_path, "none.py").stderr
    assert capsys.readouterr().err == expected.replace(sys.executable, "symtape", 1)
    write(tmp_path, nb_ipynb="{")
    assert main(["run", "nb.ipynb"]) == 2
    assert capsys.readouterr().err.startswith(f"symtape: {tmp_path}/nb.ipynb cannot be read: ")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--version"], 0, "symtape 0."),
        (["--help"], 0, "run a TensorFlow script"),
        (["run", "--help"], 0, "--latex"),
        ([], 2, "run train.py"),
        (["run"], 2, "the following arguments are required: FILE"),
        (["walk"], 2, "invalid choice: 'walk'"),
        (["run", "--nothing", "x.py"], 2, "--nothing"),
    ],
)
def test_the_command_line_explains_itself(arguments, status, words, capsys):
    """Help and version are printed; what is wrong is said with status 2."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == status
    printed = capsys.readouterr()
    assert words in (printed.err if status else printed.out)


# --- the examples -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", sorted(p.name for p in EXAMPLES.iterdir() if p.suffix in {".py", ".ipynb", ".md"})
)
def test_the_examples_run(name):
    """Every example of the documentation runs unmodified, and its derivatives have formulas."""
    found = symtape(EXAMPLES, "run", name)
    assert (found.stderr, found.returncode) == ("", 0)
    assert "Error" not in found.stdout
    assert table(found.stdout)
