"""A page of LaTeX with all formulas of the tables, compiled by a stock LaTeX.

    python -m tests.latex_sheet FOLDER              references and every case
    python -m tests.latex_sheet FOLDER references   what books print alone, to be looked at
    python -m tests.latex_sheet FOLDER kernels      functions that people write kernels for

It needs `pdflatex`, and fails at the first formula that it does not take, or at a gradient of a
kernel that does not fit on a page: 1,500 characters, and twenty named parts.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import symtape as tf
from tests.cases import CASES
from tests.kernels import KERNELS
from tests.references import REFERENCES, Leaves, derived
from tests.test_case_readings import results
from tests.test_index_parts import FUNCTIONS, derivative
from tests.test_index_parts import leaves as rows
from tests.test_named_parts import MOST_CHARACTERS, MOST_PARTS

HEAD = r"""\documentclass{article}
\usepackage{amsmath,amssymb}
\usepackage[paperwidth=50cm,paperheight=30cm,margin=1cm]{geometry}
\setlength{\parindent}{0pt}
\begin{document}
"""


def of_references() -> Iterator[tuple[str, str]]:
    """Give the name and the formula of each reference."""
    for name, reference in REFERENCES.items():
        leaves = Leaves(3, 2, reference.symmetric)
        found = derived(reference, leaves)
        declared = [*reference.symmetric]
        yield name, found.latex("matrix", symmetric=declared)


def of_kernels() -> Iterator[tuple[str, str]]:
    """Give the gradient of each kernel with its parts, in matrix notation and by indices."""
    sheet = []
    for name, (function, by) in KERNELS.items():
        leaves = Leaves(3, 2)
        with tf.GradientTape() as tape:
            y = function(leaves)
        found = tape.gradient(y, getattr(leaves, by))
        sheet.append((name, found.latex(parts="auto", environment="align")))
    for name in FUNCTIONS:
        found = derivative(name, own := rows())
        options = {"parts": "auto", "environment": "align"}
        sheet += [(name, found.latex(**options, sizes=n)) for n in ("recorded", "symbolic")]
        del own
    check_room([text for _, text in sheet])
    yield from sheet


def check_room(texts: Sequence[str]) -> None:
    """Say how long the longest formula is and how many parts one has; stop where it is no page."""
    longest, most = max(map(len, texts)), max(text.count(r"\text{where}") for text in texts)
    print(f"{len(texts)} gradients of kernels, of at most {longest} characters and {most} parts")
    if longest > MOST_CHARACTERS or most > MOST_PARTS:
        sys.exit("that does not fit on a page")


def of_cases() -> Iterator[tuple[str, str]]:
    """Give the name and the formulas of each case: the results, and their gradients."""
    for case in CASES:
        if not case.inputs:
            continue
        for tensor in results(case):
            for form in ("auto", "steps"):
                with contextlib.suppress(tf.SymtapeError):  # what is refused, other tests tell
                    yield case.name, tensor.latex(form)
                    break


def plain(name: str) -> str:
    """Write a name in letters that LaTeX takes as they are."""
    return "".join(c if c.isascii() and (c.isalnum() or c in " .,+-*/()=") else "." for c in name)


def document(formulas: Iterator[tuple[str, str]]) -> str:
    """Write a document, a formula a line."""
    lines = [HEAD]
    for name, text in formulas:
        shown = text if text.startswith(r"\begin{align") else rf"$\displaystyle {text}$"
        lines.append(rf"\texttt{{{plain(name)}}}\quad {shown}\par\medskip")
    return "\n".join([*lines, r"\end{document}", ""])


def main() -> None:
    """Write and compile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("what", nargs="?", choices=["references", "kernels", "all"], default="all")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    sheets = {"references": of_references, "kernels": of_kernels, "cases": of_cases}
    if given.what != "all":
        sheets = {given.what: sheets[given.what]}
    for name, sheet in sheets.items():
        path = given.folder / f"{name}.tex"
        path.write_text(document(sheet()), "utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name]
        found = subprocess.run(  # noqa: S603 - a fixed command
            command, cwd=given.folder, capture_output=True, check=False
        )
        if found.returncode:
            sys.exit(found.stdout.decode("utf-8", "replace")[-2000:])
        print(f"{path.with_suffix('.pdf')}: {path.read_text('utf-8').count('texttt')} formulas")


if __name__ == "__main__":
    main()
