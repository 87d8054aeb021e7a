"""Scripts that read flags as TensorFlow 1 had them, with absl, which TensorFlow brings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_cli import symtape, write

SCRIPT = """\
import sys
import tensorflow.compat.v1 as tf
from tensorflow.compat.v1 import app, flags
sys.argv = ["train.py", "--rate=0.5", "rest"]
flags.DEFINE_float(flag_name="rate", default_value=0.1, docstring="of learning")
flags.DEFINE_enum("loss", "l1", ["l1", "l2"], "which")
assert tf.flags.FLAGS.rate == 0.5 and flags.FLAGS["loss"].value == "l1"
own = flags.FLAGS.get_key_flags_for_module(sys.modules["__main__"])
assert [f.name for f in own] == ["rate", "loss"]
def main(rest):
    assert rest == ["train.py", "--unknown=3", "rest"] and app.flags.FLAGS.loss == "l2"
try:
    app.run(argv=["train.py", "--loss=l2", "--unknown=3", "rest"])
except SystemExit as end:
    assert not end.code
"""


@pytest.mark.usefixtures("tensorflow")
def test_a_script_reads_flags_and_starts_by_app_run(tmp_path: Path) -> None:
    """By their old arguments, for the script that defines them."""
    write(tmp_path, script_py=SCRIPT)
    found = symtape(tmp_path, "run", "--quiet", "script.py")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


@pytest.mark.usefixtures("tensorflow")
def test_what_flags_have_not_is_no_name_of_theirs(tmp_path: Path) -> None:
    """A name that absl lacks is told as that of any other namespace."""
    write(tmp_path, script_py="import tensorflow as tf\ntf.compat.v1.flags.DEFINE_colour('x')\n")
    error = symtape(tmp_path, "run", "script.py").stderr.splitlines()[-1]
    assert error.startswith("AttributeError: ")
    assert "DEFINE_colour" in error
