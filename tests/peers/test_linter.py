"""Exported modules against the linter that most projects use."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_travel import FUNCTIONS, formula


def test_exported_modules_pass_the_linter(tmp_path: Path) -> None:
    """Ruff, with its own settings, finds nothing."""
    ruff = shutil.which("ruff") or pytest.skip("needs ruff: pip install ruff")
    for k in range(len(FUNCTIONS)):
        formula(k).export(tmp_path / f"slope{k}.py")
    subprocess.run([ruff, "check", "--isolated", str(tmp_path)], check=True)  # noqa: S603 - on what we wrote
