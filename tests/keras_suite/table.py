"""The page `docs/keras.md`: how many of Keras' tests pass, by folder, and why others do not."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.keras_suite.running import End, folder

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "golden" / "keras_suite.json"
PAGE = ROOT / "docs" / "keras.md"
HEADING = "## Keras' own tests\n"

REASONS = (
    ("saved_model|SavedModel|Function' object has no attribute", "SavedModel is not written"),
    ("lite|litert|onnx|openvino", "formats of other runtimes are not written"),
    (
        r"tf\.lookup|tf\.strings|as_string|string|cross_hashed",
        "texts that are crossed have no hashes",
    ),
    ("float8|type_value", "dtypes of eight bits or fewer do not exist"),
    ("MirroredStrategy|replica|logical_device|DistributedValues", "there is one replica"),
    (
        r"tf\.io|No module named .pandas|decode_|tf\.audio|encode_",
        "files of images and sounds are not read",
    ),
    ("takes more than|took too long", "takes too long"),
)
"""What the last words of a failing test say, and what that comes from."""

Record = dict[str, dict[str, Any]]


def record(ours: Mapping[str, End], theirs: Mapping[str, End]) -> Record:
    """Note for each file how many tests pass, and of the others whether TensorFlow passes them."""
    files: dict[str, Any] = defaultdict(lambda: {"passed": 0, "seconds": 0, "failed": {}})
    for test, found in sorted(ours.items()):
        file, _, name = test.partition("::")
        entry = files[file]
        entry["seconds"] = round(entry["seconds"] + found.seconds, 1)
        if found.end == "passed":
            entry["passed"] += 1
        elif found.end != "skipped":
            there = theirs.get(test, End("missing")).end
            if there == "passed":
                entry["failed"][name] = reason(found.why)
            else:
                entry.setdefault("failed_there_too", []).append(name)
    return dict(sorted(files.items()))


def reason(why: str) -> str:
    """Put the error of a test into words: what does not exist here, or the error itself.

    >>> reason("ImportError: no '/home/me/keras/src/tree_test.py' at 0x7f00")
    "ImportError: no '…/tree_test.py' at 0x"
    """
    plain = re.sub(r"\x1b\[[0-9;]*m", "", why)
    for pattern, words in REASONS:
        if re.search(pattern, plain):
            return words
    lines = [x for x in plain.splitlines() if x.strip() and "encountered when calling" not in x]
    first = lines[0] if lines else plain
    first = re.sub(r"(?<![\w.])(/[\w.+-]+)+/", "…/", first)  # folders of one machine
    return re.sub(r"0x[0-9a-f]+", "0x", first)[:120]


def keep(found: Record) -> None:
    """Write what was noted, and the page."""
    KEPT.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    before, mark, _ = PAGE.read_text("utf-8").partition(HEADING)
    assert mark, f"{PAGE} has no heading {HEADING!r}"
    PAGE.write_text(before + HEADING + "\n" + text(found), "utf-8")


def kept() -> Record:
    """Read what was noted."""
    found: Record = json.loads(KEPT.read_text("utf-8"))
    return found


def text(found: Record) -> str:
    """Write the tables: a line for each folder, and the tests that fail by their reasons."""
    passed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    why: dict[str, Counter[str]] = defaultdict(Counter)
    for file, entry in found.items():
        passed[folder(file)] += entry["passed"]
        failed[folder(file)] += len(entry["failed"])
        for words in entry["failed"].values():
            why[words][file] += 1
    lines = ["| folder | pass on TensorFlow | of these on symtape | |", "|---|---|---|---|"]
    lines += [_row(n, passed[n], failed[n]) for n in sorted(set(passed) | set(failed))]
    lines.append(_row("**all**", passed.total(), failed.total()))
    lines += ["", "| why a test fails | tests | files |", "|---|---|---|"]
    for words, files in sorted(why.items(), key=lambda row: -row[1].total()):
        shown = ", ".join(f"`{file}` {n}" for file, n in files.most_common(4))
        more = f", and {len(files) - 4} more" if len(files) > 4 else ""
        lines.append(f"| {words.replace('|', chr(92) + '|')} | {files.total()} | {shown}{more} |")
    return "\n".join(lines) + "\n"


def _row(name: str, passed: int, failed: int) -> str:
    share = f"{100 * passed / (passed + failed):.1f} %" if passed + failed else ""
    return f"| {name} | {passed + failed} | {passed} | {share} |"
