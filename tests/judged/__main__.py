"""Ask the judge about everything, and print what it says.

python -m tests.judged [--only NAME] [--jobs 2] [--failures FILE]
python -m tests.judged mutants 500 --seed 1      mutants of what is right, beside differences
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Sequence
from pathlib import Path

from tests.judged import mutants
from tests.judged.table import CASES
from tests.judged.verdicts import ALLOWED, Verdict, verdicts


def judged(name: str) -> list[Verdict]:
    """Judge the candidates of a case, in a process of a pool."""
    return [v._replace(counterexample=repr(v.counterexample)) for v in verdicts(CASES[name])]


def line(v: Verdict) -> str:
    """Write one verdict."""
    mark = "  " if v.holds else "! "
    named = "     " if v.is_right else "named" if v.is_named else "  -  "
    name = f"{v.case}: {v.candidate}"
    return f"{mark}{v.verdict:9} {named} {v.seconds:6.2f}  {name:.100}  | {_first(v.cause):.160}"


def _first(text: str) -> str:
    lines = [s for s in text.strip().splitlines() if s]
    return lines[-1 if "Traceback" in text else 0] if lines else ""


def counts(found: Sequence[Verdict]) -> str:
    """Sum up."""
    right = [v for v in found if v.is_right]
    wrong = [v for v in found if not v.is_right]
    slowest = max(found, key=lambda v: v.seconds)
    lines = [
        f"functions {len({v.case for v in found})}",
        f"right accepted {sum(v.holds for v in right)} of {len(right)}",
        f"wrong refuted {sum(v.holds for v in wrong)} of {len(wrong)}",
        f"wrong accepted {sum(v.is_accepted for v in wrong)}",
        f"causes named {sum(v.is_named for v in wrong)} of {len(wrong)}",
        f"above {ALLOWED:g} s: {sum(v.seconds > ALLOWED for v in found)}",
        f"slowest {slowest.seconds:.1f} s, {slowest.case}: {slowest.candidate}",
    ]
    return "\n".join(lines)


def failures(found: Sequence[Verdict]) -> str:
    """List what the judge gets wrong."""
    parts = {
        "crashes of the judge": [v for v in found if v.verdict == "crash"],
        "right refused": [v for v in found if v.is_right and not v.holds and v.verdict != "crash"],
        "wrong accepted": [v for v in found if not v.is_right and v.is_accepted],
        "wrong undecided": [v for v in found if not v.is_right and v.verdict == "undecided"],
        "slow": [v for v in found if v.seconds > ALLOWED],
        "causes unnamed": [
            v for v in found if not v.is_right and v.verdict == "refuted" and not v.is_named
        ],
    }
    text = [counts(found), ""]
    for title, rows in parts.items():
        text.append(f"## {title}: {len(rows)}")
        for v in rows:
            text.append(f"- {v.case}: {v.candidate} [{v.verdict}, {v.seconds:.1f} s]")
            if title == "causes unnamed":
                text.append(f"    says: {v.cause}\n    asked for: {v.asked}")
            elif v.cause:
                text.append("    " + v.cause.strip().replace("\n", "\n    "))
            if title == "right refused":
                text.append(f"    at {v.counterexample}"[:1500])
    return "\n".join(text) + "\n"


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=["all", "mutants"], default="all")
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--failures", type=Path)
    given = parser.parse_args()
    names = [n for n in CASES if given.only in n]
    with multiprocessing.get_context("fork").Pool(given.jobs, maxtasksperchild=8) as pool:
        if given.what == "mutants":
            mutants.attempt(names, given.count, given.seed, pool, given.failures)
            return
        found = []
        for rows in pool.imap(judged, names):
            print("\n".join(map(line, rows)), flush=True)
            found += rows
    print(counts(found))
    if given.failures:
        given.failures.write_text(failures(found), encoding="utf-8")


if __name__ == "__main__":
    main()
