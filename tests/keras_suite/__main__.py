"""Runs Keras' own tests: `python -m tests.keras_suite` writes the table, `check` holds it.

`python -m tests.keras_suite [START…]` runs all files, or those whose paths below `keras/src` begin
so, on symtape. Tests that fail run on TensorFlow, too, which says whether they pass there. What was
found goes into `tests/golden/keras_suite.json` and `docs/keras.md`.
`python -m tests.keras_suite check SECONDS` runs as many files as that time allows, spread over all
folders, and fails if a test fails that the table does not list.
"""

from __future__ import annotations

import argparse
import sys

from tests.keras_suite.running import ends, files, folder
from tests.keras_suite.table import Record, keep, kept, record


def write(starts: list[str]) -> None:
    """Run files and write the table; what is not run keeps its lines."""
    wanted = [f for f in files() if not starts or f.startswith(tuple(starts))]
    if not wanted:
        sys.exit(f"no file of Keras' tests begins with {' or '.join(starts)}")
    ours = ends("symtape", wanted)
    theirs = ends("tensorflow", sorted(t for t, found in ours.items() if found.end == "failed"))
    old = kept() if starts else {}
    keep(dict(sorted({**old, **record(ours, theirs)}.items())))


def chosen(found: Record, seconds: float) -> list[str]:
    """Choose files for a time: of each folder in turn the one that takes least for its tests."""
    left: dict[str, list[str]] = {}
    for file, entry in found.items():
        if entry["passed"]:
            left.setdefault(folder(file), []).append(file)
    for members in left.values():
        members.sort(key=lambda f: found[f]["seconds"] / found[f]["passed"], reverse=True)
    taken: list[str] = []
    while any(left.values()):
        for members in left.values():
            if members and found[members[-1]]["seconds"] <= seconds:
                seconds -= found[members[-1]]["seconds"]
                taken.append(members.pop())
            else:
                members.clear()
    return sorted(taken)


def check(seconds: float) -> int:
    """Run a selection; give how many tests fail that the table does not list."""
    found = kept()
    told: list[str] = []
    passed = 0
    for test, end in ends("symtape", chosen(found, seconds)).items():
        file, _, name = test.partition("::")
        known = {*found[file]["failed"], *found[file].get("failed_there_too", ())}
        passed += end.end == "passed"
        if end.end == "failed" and name not in known:
            told.append(f"{test}: {end.why}")
    print(f"{passed} of Keras' tests pass, {len(told)} fail that docs/keras.md does not list")
    print("\n".join(told))
    return len(told)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        "python -m tests.keras_suite",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("start", nargs="*", metavar="START", help="or `check SECONDS`")
    start = parser.parse_args().start
    if start[:1] == ["check"]:
        return min(check(float(start[1])), 1)
    write(start)
    return 0


if __name__ == "__main__":
    sys.exit(main())
