"""The page about clients: what agrees, how long it took, and why what does not agree does not."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.clients.comparing import Verdict, verdict
from tests.clients.sources import Client

_NOT_PARTS = {"import", "all"}


class Row(NamedTuple):
    """A client, and what its parts gave here, with TensorFlow, and with TensorFlow once more."""

    client: Client
    here: dict[Any, Any]
    there: dict[Any, Any]
    again: dict[Any, Any] = MappingProxyType({})  # type: ignore[assignment]
    problem: str = ""

    def verdicts(self) -> dict[Any, Verdict]:
        """Judge each part that TensorFlow came to, and in which it agrees with itself."""
        if not self.there:
            return {}
        parts = [p for p in {**self.there, **self.here} if p not in _NOT_PARTS]
        return {p: self._verdict(p) for p in parts}

    def _verdict(self, part: Any) -> Verdict:
        here, there, again = (gave.get(part) for gave in (self.here, self.there, self.again))
        found = verdict(here, there, self.client.kind)
        if found.word == "differs" and again is not None:
            other = verdict(again, there, self.client.kind)
            if other.word == "differs":
                return Verdict("not", f"TensorFlow gives another answer each time: {other.reason}")
        return found


def failures(rows: Sequence[Row]) -> str:
    """List what does not agree, by cause, the most frequent first."""
    causes: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for part, found in row.verdicts().items():
            if found.word in {"fails", "differs"}:
                causes[f"{found.word}: {cause(found.reason)}"].append(f"{row.client.path}[{part}]")
    ordered = sorted(causes.items(), key=lambda item: -len({w.rpartition("[")[0] for w in item[1]}))
    totals = Counter(v.word for row in rows for v in row.verdicts().values())
    lines = [str(dict(totals))]
    for text, where in ordered:
        files = {w.rpartition("[")[0] for w in where}
        lines.append(f"{len(files)} files, {len(where)} parts: {text}   <- {'; '.join(where[:4])}")
    return "\n".join(lines)


def cause(reason: str) -> str:
    """Shorten a reason so that equal causes read alike."""
    return re.sub(r"\s+", " ", reason)[:220]


def write(file: Path, rows: Sequence[Row], work: Path) -> None:
    """Write the page; where the clients were put is left out."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.client.group].append(row)
    text = "\n".join([_HEAD, *_summary(groups), *_tables(groups)]) + "\n"
    file.write_text(text.replace(f"{work}/", ""), encoding="utf-8")


_HEAD = """# Clients

Programs that were not written for symtape: each is fetched from the repository that is named, and
run as it is, once with `import tensorflow` answered by symtape and once with TensorFlow, in
processes of their own. `python -m tests.clients` makes this page anew. What would be downloaded is
made up, small, and the same for both; there is no network.

A part is a cell of a notebook, a block of a page, a script as a whole, or a unit test. It agrees if
the values of all the names that it binds, what it shows and what it prints are the same, numbers to
two thousandths in single precision and to a millionth in double; where TensorFlow raises, the same
type of error. What an error says of kernels and devices is left out, and the names of temporary
folders. Parts that TensorFlow itself cannot run here, for want of a package, of a file, or of
a name that it has taken back since, are not counted, and neither is what differs where TensorFlow
run once more differs from itself, too, as with random numbers of the machine's. Seconds are of all
parts, on one core.

What does not agree, and is not meant to:

- NumPy's functions of tensors are recorded, where TensorFlow takes them for constants
  (`autodiff.ipynb`).
- A function under `tf.function` runs as it is: nothing is traced once, so that what is printed
  while TensorFlow traces is printed on every call, and there are no graphs and no rewritten code
  to look at, and no types of results before a call (`function.ipynb`, `intro_to_graphs.ipynb`).
- There is one processor: it can have several names, over which `dtensor` lays tensors out, but
  strategies over several are refused (`random_numbers.ipynb`). What is laid out is computed whole,
  and each assignment is seen by what comes after it; TensorFlow's own step of training in
  `distribution.ipynb` leaves out updates of all variables but the last.
- What TensorFlow writes as SavedModel and as checkpoints is of formats that are not read or
  written; checkpoints, saved models and saved datasets have forms of their own
  (`checkpoint.ipynb`). JPEG files are read by the accurate transform, a few levels off what
  TensorFlow reads by default
  (`style_transfer.ipynb`, `integrated_gradients.ipynb`).
- What TensorFlow's tests ask of internals that no public name has, as protocol buffers and private
  methods, is absent.
- Where labels do not add up to 1 the gradient of a cross entropy of softmax is the derivative, and
  TensorFlow's is not (`chapter07_working-with-keras.ipynb`).
- An error or a missing name in one cell has later cells fail that need what it would have made.

**Libraries** with TensorFlow beneath run as they are, by `symtape run`. On 2026-11-27 their own
tests passed here wherever they pass with TensorFlow 2.21, but for graphs: those of POT 0.9.7 for
its TensorFlow backend (284), tensorly 0.10 (170), pymanopt 2.2 (21), eagerpy 0.30 (652),
TensorNetwork 0.4 (396), graph_nets 1.1 (331), and of tf-quant-finance's `math` and option prices
(204). Scripts that differentiate through pyhf 0.7, PennyLane 0.41, tensorcircuit 1.10, GPflow 2.11
with trieste 4.6, ddsp 3.7, phasespace 1.10 and the adversarial robustness toolbox 1.20 gave the
same numbers.
[TensorFlow Probability](probability.md) and [Keras](keras.md) have pages of their own.
"""


def _summary(groups: dict[str, list[Row]]) -> list[str]:
    lines = ["| group | parts that agree | clients that agree | seconds | TensorFlow's |"]
    lines.append("|---|---|---|---|---|")
    for name, rows in groups.items():
        words = [[v.word for v in row.verdicts().values() if v.word != "not"] for row in rows]
        counted = [w for w in words if w]
        agree = sum(w.count("agrees") for w in counted)
        whole = sum(set(w) == {"agrees"} for w in counted)
        ours, theirs = (sum(_seconds(r, which) for r in rows) for which in (0, 1))
        of = f"{agree} of {sum(map(len, counted))} | {whole} of {len(counted)}"
        lines.append(f"| {name} | {of} | {ours:.0f} | {theirs:.0f} |")
    return [*lines, ""]


def _seconds(row: Row, which: int) -> float:
    found = (row.here, row.there)[which]
    return sum(f.get("seconds", 0) for p, f in found.items() if p not in _NOT_PARTS)


def _tables(groups: dict[str, list[Row]]) -> list[str]:
    lines = []
    for name, rows in groups.items():
        lines += [f"## {name}", "", "| client | agrees | seconds | TensorFlow's | what does not |"]
        lines.append("|---|---|---|---|---|")
        lines += [_line(row) for row in rows]
        lines.append("")
    return lines


def _line(row: Row) -> str:
    found = [(p, v) for p, v in row.verdicts().items() if v.word != "not"]
    bad = [(p, v) for p, v in found if v.word != "agrees"]
    good = f"{len(found) - len(bad)} of {len(found)}"
    reasons = list(dict.fromkeys(f"{v.word}: {_cell(v.reason)}" for _, v in bad))
    text = row.problem or "; ".join(reasons[:3])
    times = " | ".join(f"{_seconds(row, which):.1f}" for which in (0, 1))
    return f"| {row.client.repo} `{row.client.path}` | {good} | {times} | {text} |"


def _cell(text: str) -> str:
    return cause(text)[:140].replace("|", "\\|")
