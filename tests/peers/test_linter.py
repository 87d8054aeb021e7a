"""Exported modules against the linter that most projects use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.peers.conftest import peer
from tests.test_travel import FUNCTIONS, formula


def test_exported_modules_pass_the_linter(tmp_path: Path) -> None:
    """Ruff, with its own settings, finds nothing."""
    peer("ruff", "ruff")
    for k in range(len(FUNCTIONS)):
        formula(k).export(tmp_path / f"slope{k}.py")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", str(tmp_path)]
    subprocess.run(command, check=True)  # noqa: S603 - on what we wrote
