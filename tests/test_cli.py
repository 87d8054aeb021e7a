"""`symtape run`: TensorFlow scripts run unmodified, and every derivative is listed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from symtape.cli import main
from symtape.cli.script import read
from symtape.errors import FormatError

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


def python(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a folder."""
    return subprocess.run(
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
    return python(folder, "-m", "symtape", *arguments, stdin=stdin)


def table(output: str) -> list[list[str]]:
    """Take the table at the end of an output apart: its rows, cut where the head's columns begin."""
    lines = output.rpartition("\nwhere ")[2].splitlines()
    head = f"where {lines[0]}"
    starts = [head.index(name) for name in ("where", "derivative", "shape", "value", "formula")]
    ends = [*starts[1:], None]
    return [
        [line[a:b].strip() for a, b in zip(starts, ends, strict=True)] for line in lines[1:]
    ]


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
    lines = LIKE_PYTHON[name].splitlines()
    margin = len(lines[0]) - len(lines[0].lstrip())
    folder = tmp_path / "in there"
    folder.mkdir()
    write(
        folder,
        script_py="\n".join(line[margin:] for line in lines) + "\n",
        helper_py="def divide(n):\n    return n / 0\n",
        helper_with_error_py="raise RuntimeError('no')\n",
    )
    arguments = ("in there/script.py", "a b", "--latex", "--", "--help")
    expected = python(tmp_path, *arguments, stdin="typed")
    found = symtape(tmp_path, "run", "--quiet", *arguments, stdin="typed")
    assert found.stdout == expected.stdout
    assert found.stderr == expected.stderr
    assert found.returncode == expected.returncode


def test_an_interrupt_is_130(tmp_path):
    """A script that ctrl-C ends has the status that a shell gives, and Python's traceback."""
    write(tmp_path, script_py="def wait():\n    raise KeyboardInterrupt\nwait()\n")
    found = symtape(tmp_path, "run", "--quiet", "script.py")
    assert found.returncode == 130
    assert found.stderr == python(tmp_path, "script.py").stderr


# --- what TensorFlow is -------------------------------------------------------------------------

IMPORTS = """\
import sys
import tensorflow
import tensorflow as tf
from tensorflow import GradientTape, Variable
from tensorflow import keras
from tensorflow.keras import layers
import tensorflow.keras.layers as L
import tensorflow.keras.backend
from tensorflow import *
import helper
import symtape
assert tensorflow is tf and tf.GradientTape is GradientTape is symtape.GradientTape
assert layers.Dense is L.Dense is tf.keras.layers.Dense is keras.layers.Dense
assert constant is tf.constant and helper.GradientTape is GradientTape
assert int(tf.__version__.split(".")[0]) == 2 and tf.__name__ == "tensorflow"
assert "square" in dir(tf)
print("done")
"""


def test_every_way_to_import_tensorflow_is_answered(tmp_path):
    """Whole modules, parts, and names of TensorFlow come from symtape, in sibling modules too."""
    write(
        tmp_path,
        script_py=IMPORTS.replace("import tensorflow.keras.backend\n", ""),
        helper_py="import tensorflow as tf\nGradientTape = tf.GradientTape\n",
    )
    found = symtape(tmp_path, "run", "--quiet", "script.py")
    assert (found.stdout, found.stderr, found.returncode) == ("done\n", "", 0)


MISSING = {
    "import tensorflow as tf\ntf.reduce_summ": (
        "AttributeError: module 'tensorflow' has no attribute 'reduce_summ'",
        "reduce_sum",
    ),
    "from tensorflow import reduce_meen": ("No module named 'tensorflow.reduce_meen'", "reduce_mean"),
    "import tensorflow.kerass": ("ModuleNotFoundError: No module named 'tensorflow.kerass'", "keras"),
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
    write(tmp_path, script_py="import helper, sys\nsys.path.append('x')\n", helper_py="import tensorflow")
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
    squares = rows * rows
outer.gradient(dz_dx, x)
outer.jacobian(b, a)
outer.batch_jacobian(squares, rows)
outer.hessian(z, x)
outer.gradient([y, z], x)
outer.gradient(z, a)
outer.gradient(b, a, output_gradients=[3.0, 4.0])
outer.gradient(z, a, unconnected_gradients="zero")
tape.gradient(
    z,
    sources={"the x": x},
)
slope(x)
print("the end")
"""

SLOPE = """\
import tensorflow as tf

def slope(w):
    with tf.GradientTape() as tape:
        value = w * w
        return tape.gradient(value * w, w)
"""

ROWS = """\
script.py:12 | dz/dy | () | 18.0 | 2*x**2
script.py:12 | dz/dx | () | 108.0 | 4*x**3
script.py:15 | d(dz_dx)/dx | () | 108.0 | 12*x**2
script.py:16 | db/da (jacobian) | (2, 2) | [[2. 0.] [0. 4.]] | 2*KroneckerDelta(i, j)*a[i]
script.py:17 | dsquares/drows (batch) | (2, 2, 2) | [[[2. 0... 8.]]] | 2*KroneckerDelta(j, k)*rows[i, j]
script.py:18 | d2z/dx2 | () | 108.0 | 12*x**2
script.py:19 | d(y + z)/dx | () | 114.0 | 2*x*(2*x**2 + 1)
script.py:20 | dz/da | | None |
script.py:21 | db/da | (2,) | [ 6. 16.] | 2*x0[i]*a[i]
script.py:22 | dz/da | (2,) | [0. 0.] | 0
script.py:23 | dz/dx | () | 108.0 | 4*x**3
helper.py:6 | d(value * w)/dw | () | 27.0 | 3*w**2
"""


def test_every_derivative_has_its_row(tmp_path):
    """Each kind of derivative is listed: place, names, shape, value and formula; None too."""
    write(tmp_path, script_py=KINDS, helper_py=SLOPE)
    found = symtape(tmp_path, "run", "script.py")
    assert (found.stderr, found.returncode) == ("", 0)
    assert found.stdout.startswith("the end\n\nwhere ")
    rows = [[cell.strip() for cell in row.split("|")] for row in ROWS.splitlines()]
    assert table(found.stdout) == rows


def test_a_script_without_derivatives_says_so(tmp_path):
    """There is a line instead of a table where nothing was derived."""
    write(tmp_path, script_py="print('nothing')\n")
    assert symtape(tmp_path, "run", "script.py").stdout == "nothing\n\nno derivative was taken\n"
