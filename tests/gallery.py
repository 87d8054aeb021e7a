"""The gallery of formulas: code in, formula out.

python -m tests.gallery --update     write docs/gallery.md from the references
"""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symtape.forms.tex.latex import Style
from tests import references
from tests.references import TABLES, Leaves, Reference, derived

PAGE = Path(__file__).parent.parent / "docs" / "gallery.md"

HEAD = """\
# A gallery of formulas

What is printed of the derivatives that books have, made by the tests from the code: a function, by
which leaf it is derived and how often, the text that `text()` gives, and `latex()`. Capitals are
matrices, small letters vectors, s a scalar; `dot`, `inv`, `T`, `tr`, `mv` and `total` are the inner
product, the inverse, the transpose, the trace, a matrix times a vector and the sum of all elements.
In the formulas vectors are columns, functions apply to each entry, ⊙ and ⊘ multiply and divide
entries, a bold 1 is a column of ones, and a derivative by a matrix has its shape, as in The Matrix
Cookbook (Petersen and Pedersen, 2012), whose equations "MC" counts. A Jacobian has a row for each
entry of the function.
"""


class _WithoutLeaves(ast.NodeTransformer):
    """Writes X for q.X."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Take the name of a leaf alone."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "q":
            return ast.Name(node.attr)
        return node


def codes() -> dict[str, str]:
    """Give the code of each reference."""
    found = {}
    files = Path(str(references.__file__)).parent.glob("*.py")
    trees = [ast.parse(file.read_text("utf-8")) for file in files]
    for table in itertools.chain.from_iterable(map(ast.walk, trees)):
        if isinstance(table, ast.Dict):
            for key, value in zip(table.keys, table.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Call):
                    (function, *_) = value.args
                    assert isinstance(function, ast.Lambda)
                    found[str(key.value)] = ast.unparse(_WithoutLeaves().visit(function.body))
    return found


def formulas(reference: Reference, found: Any) -> str:
    """Write the text and the LaTeX of a derivative."""
    formula, declared = found.formula, (*reference.symmetric,)
    text = formula.text("plain", Style("matrix", symmetric=declared))
    latex = formula.latex(Style("matrix", symmetric=declared))
    return f"```text\n{text}\n```\n\n$${latex}$$\n"


def lines() -> Iterator[str]:
    """Write the page."""
    code = codes()
    yield HEAD
    for title, table in TABLES.items():
        yield f"## {title}\n"
        for name, reference in table.items():
            times = "twice by" if reference.order == 2 else "by"
            yield f"**{name}**: `{code[name]}`, {times} `{reference.by}`\n"
            yield formulas(reference, derived(reference, Leaves(3, 2, reference.symmetric)))


def page() -> str:
    """Give the page."""
    return "\n".join(lines())


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(__doc__)
    PAGE.write_text(page(), "utf-8")
