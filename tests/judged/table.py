"""All cases of all fields."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tests.judged.case import CASES

_TOOLS = {"__init__", "__main__", "case", "causes", "mutants", "numbers", "table", "verdicts"}

for _file in sorted(Path(__file__).parent.glob("*.py")):
    if _file.stem not in _TOOLS:
        import_module(f"tests.judged.{_file.stem}")

__all__ = ["CASES"]
