"""Runs many files of Keras' tests in processes, and goes on where one of them dies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

_AT_ONCE = 12
"""How many files one process runs: starting one takes seconds, and what is left behind grows."""
_SECONDS_PER_FILE = 1800


class End(NamedTuple):
    """How a test ended."""

    end: str
    why: str = ""
    seconds: float = 0.0


def files() -> list[str]:
    """List the files of tests in the wheel of Keras, below `keras/src`."""
    spec = find_spec("keras")
    assert spec, 'pip install "symtape[keras]"'
    assert spec.origin
    root = Path(spec.origin).parent / "src"
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*_test.py"))


def folder(file: str) -> str:
    """Name the folder that a file, or a test in it, is counted in; layers have several."""
    parts = file.partition("::")[0].split("/")[:-1]
    return "/".join(parts[:2]) if parts and parts[0] in {"layers", "backend"} else parts[0]


def ends(engine: str, wanted: Sequence[str]) -> dict[str, End]:
    """Run files, or single tests, with an engine: `symtape` or `tensorflow`.

    Gives how each test ended. Files run a dozen at a time, and tests two hundred, in as many
    processes as there are processors.
    """
    chunks: list[list[str]] = []
    for _, group in groupby(wanted, key=folder):
        members = list(group)
        size = 200 if "::" in members[0] else _AT_ONCE
        chunks += [members[k : k + size] for k in range(0, len(members), size)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(partial(_chunk, engine), chunks))
    return {test: end for ended in found for test, end in ended.items()}


def _chunk(engine: str, members: list[str]) -> dict[str, End]:
    """Run some files in one process; those that it did not come to, in the next."""
    found: dict[str, End] = {}
    while members:
        with tempfile.TemporaryDirectory() as place:
            out = Path(place) / "ends.jsonl"
            command = [sys.executable, "-m", "tests.keras_suite.inside", engine, str(out), *members]
            died = ""
            try:
                code = subprocess.run(  # noqa: S603 - our own module
                    command,
                    check=False,
                    capture_output=True,
                    timeout=_SECONDS_PER_FILE * min(len(members), _AT_ONCE),
                    env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"},
                ).returncode
                died = f"the process ended with {code}" if code < 0 else ""
            except subprocess.TimeoutExpired:
                died = "the process took too long"
            entries = list(_entries(out))
        ended = {e["test"]: End(e["end"], e["why"], e["seconds"]) for e in entries if "why" in e}
        found |= ended
        begun = [e["test"] for e in entries if e["end"] == "begun"]
        if not died:
            return found
        last = begun[-1] if begun else members[0]
        found.setdefault(last, End("failed", died))
        reached = last if last in members else last.partition("::")[0]
        members = members[members.index(reached) + 1 :]
    return found


def _entries(out: Path) -> Iterator[dict[str, str]]:
    if out.exists():
        for line in out.read_text("utf-8").splitlines():
            yield json.loads(line)
