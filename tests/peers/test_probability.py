"""TensorFlow Probability with what stands in for TensorFlow: it gives what it gives with it.

Each runs all programs in a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.peers.probability_programs import BIJECTORS, DENSITIES, PROGRAMS
from tests.sampling import all_hold

TOLERANCE = {"float32": (2e-4, 2e-6), "complex64": (2e-4, 2e-6)}
"""Relative and absolute; in double they are 1e-8 and 1e-14."""
ROOT = Path(__file__).parents[2]


@pytest.fixture
def given(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give what the programs give here, and with TensorFlow."""
    module = "tests.peers.probability_programs"
    quiet = {
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TF_ENABLE_ONEDNN_OPTS": "0",
        "CUDA_VISIBLE_DEVICES": "-1",
    }
    ways = {"here": ["symtape", "run", "--quiet", "-m", module], "there": [module]}
    running = [
        subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-W", "ignore", "-m", *way, str(tmp_path / name)],
            cwd=ROOT,
            env=os.environ | quiet,
            stderr=subprocess.PIPE,
        )
        for name, way in ways.items()
    ]
    for process in running:
        _, said = process.communicate()
        assert process.returncode == 0, said.decode()
    here, there = (json.loads((tmp_path / name).read_text("utf-8")) for name in ways)
    return here, there


def test_programs_give_what_they_give_with_tensorflow(given):
    """Numbers are close, what is raised is the same, and little is, as the package lacks little."""
    here, there = given
    all_hold(lambda name: compare(here[name], there[name], name), PROGRAMS)
    raised = [name for name, found in there.items() if str(found).startswith("raises ")]
    assert len(raised) < len(PROGRAMS) / 6, raised


def test_the_page_shows_what_happens(tmp_path):
    """The example prints what docs/probability.md says, which counts the programs."""
    page = (ROOT / "docs" / "probability.md").read_text("utf-8")
    code, output = re.search(r"```py\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL).groups()
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "symtape", "run", "--quiet", "script.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == output, found.stderr[-2000:]
    assert f"runs {len(PROGRAMS)} programs twice" in page
    assert f"functions of {len(DENSITIES)} distributions" in page
    assert f"{len(BIJECTORS)} bijectors" in page


def compare(ours: Any, theirs: Any, path: str) -> None:
    """Compare numbers, lists and texts."""
    if _is_array(theirs):
        assert _is_array(ours), (path, ours, theirs)
        assert ours[:2] == theirs[:2], path
        rtol, atol = TOLERANCE.get(theirs[0], (1e-8, 1e-14))
        if theirs[0][:3] in {"flo", "com"}:
            values = [np.array(list(map(complex, x[2]))) for x in (ours, theirs)]
            np.testing.assert_allclose(*values, rtol=rtol, atol=atol, err_msg=path)
        else:
            assert ours == theirs, path
    elif isinstance(theirs, list) and isinstance(ours, list) and len(ours) == len(theirs):
        for k, (x, y) in enumerate(zip(ours, theirs, strict=True)):
            compare(x, y, f"{path}[{k}]")
    elif isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), path
        for key in theirs:
            compare(ours[key], theirs[key], f"{path}.{key}")
    else:
        assert ours == theirs, path


def _is_array(x: Any) -> bool:
    return isinstance(x, list) and len(x) == 3 and isinstance(x[0], str) and isinstance(x[2], list)
