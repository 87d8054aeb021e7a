"""The examples of the documentation print under TensorFlow what they print under symtape."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symtape.cli import main
from tests.sampling import all_hold

EXAMPLES = sorted(
    str(path) for path in (Path(__file__).parents[2] / "docs" / "examples").iterdir() if path.suffix
)

RUN_ALL = """\
import contextlib, io, json, sys
from symtape.cli.script import read
printed = {}
for file in sys.argv[1:]:
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()) as out:
        for part in read(file).parts:
            exec(compile(part.source, part.filename, "exec"), names)
    printed[file] = out.getvalue()
print(json.dumps(printed))
"""


@pytest.fixture
def printed(tensorflow):
    """Run every example with TensorFlow, in one process of its own."""
    ended = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", RUN_ALL, *EXAMPLES],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


def test_examples_print_what_tensorflow_prints(printed, capsys):
    """The same scripts, unmodified, give the same text."""

    def judge(file: str) -> None:
        assert main(["run", "--quiet", file]) == 0
        assert capsys.readouterr().out == printed[file]

    all_hold(judge, EXAMPLES)
