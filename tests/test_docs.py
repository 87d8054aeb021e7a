"""The documents run: every Python block of README and docs, with the output that they show.

In a block, an expression followed by a remark shows its value, as `print` or the prompt would write
it: `dz_dx.expr  # 4*x**3`. A statement that raises shows that: `1 / 0  # ZeroDivisionError: …`. In
both, `…` stands for any text. What a block prints otherwise is in the ```text block after it. The
blocks of a page share their names.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from symtape.codegen.backends import BACKENDS
from symtape.exchange.operations import SCHEMAS
from symtape.ops.numpy.scipy_families import OF_NUMBERS, SEVERAL
from symtape.ops.numpy.scipy_ufuncs import UFUNCS
from tests import names as namebook

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


class Block(NamedTuple):
    """A Python block of a page, the line that it starts at, and the output shown after it."""

    line: int
    code: str
    output: str | None


FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*?$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def blocks(text: str) -> list[Block]:
    """Find the Python blocks of a page."""
    fences = list(FENCE.finditer(text))
    found = []
    for k, fence in enumerate(fences):
        if fence[1] == "python":
            after = fences[k + 1] if k + 1 < len(fences) else None
            follows = after is not None and after[1] == "text"
            adjacent = follows and not text[fence.end() : after.start()].strip()
            line = text.count("\n", 0, fence.start()) + 2
            found.append(Block(line, fence[2], after[2] if adjacent else None))
    return found


class Shown(NamedTuple):
    """What a statement gave, beside the remark that says what it gives."""

    line: int
    remark: str
    shown: tuple[str, ...]


def run(block: Block, names: dict[str, Any]) -> tuple[list[Shown], str]:
    """Run a block statement by statement; give what the remarks are about, and the other output."""
    lines = block.code.split("\n")
    remarks: list[Shown] = []
    printed = io.StringIO()
    for statement in ast.parse(block.code).body:
        remark = remark_after(lines, statement)
        line = block.line + statement.lineno - 1
        with contextlib.redirect_stdout(io.StringIO()) as own:
            value, raised = execute(statement, line, names, expected=remark is not None)
        if remark is not None and (raised or isinstance(statement, ast.Expr)):
            only = raised or own.getvalue().rstrip("\n")
            remarks.append(Shown(line, remark, (only,) if only else (str(value), repr(value))))
        else:
            printed.write(own.getvalue())
    return remarks, printed.getvalue()


def remark_after(lines: list[str], statement: ast.stmt) -> str | None:
    """Give the remark behind the last line of a statement."""
    last = lines[(statement.end_lineno or 0) - 1].encode()[statement.end_col_offset :].decode()
    return last.partition("#")[2].strip() if last.strip().startswith("#") else None


def execute(
    statement: ast.stmt, line: int, names: dict[str, Any], *, expected: bool
) -> tuple[Any, str]:
    """Run one statement; give its value, and the exception if one is expected."""
    file = f"<block, line {line}>"
    try:
        if isinstance(statement, ast.Expr):
            return eval(compile(ast.Expression(statement.value), file, "eval"), names), ""  # noqa: S307
        exec(compile(ast.Module([statement], []), file, "exec"), names)  # noqa: S102
    except Exception as error:
        if not expected:
            raise
        return None, f"{type(error).__name__}: {error}"
    return None, ""


def agrees(remark: str, shown: str) -> bool:
    """Compare a remark with what was shown; `…` stands for any text."""
    pattern = ".*".join(map(re.escape, remark.split("…")))
    return re.fullmatch(pattern, shown, re.DOTALL) is not None


def failures(text: str) -> Iterator[str]:
    """Run all blocks of a page, and say where it shows something else than what happens."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(text):
        remarks, printed = run(block, names)
        for line, remark, shown in remarks:
            if not any(agrees(remark, text) for text in shown):
                yield f"line {line}: shown {remark!r}, got {shown[-1]!r}"
        if (block.output or "") != printed:
            yield f"line {block.line}: the block prints\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_show_what_happens(page, monkeypatch):
    """Every Python block of a page runs, and gives what the page says it gives."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)  # which those set who run tests in parallel
    assert list(failures(page.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "page",
    [
        "```python\n1 + 1  # 3\n```",
        "```python\nprint(2)\n```\n\n```text\n3\n```",
        "```python\nprint(2)\n```",
        "```python\nx = 1 / 0  # ValueError: …\n```",
        "```python\nx = [\n    1,\n]\nx  # [2]\n```",
    ],
)
def test_the_judge_of_pages_convicts(page):
    """A page that shows a wrong value, output or error is found."""
    assert len(list(failures(page))) == 1


def test_the_judge_of_pages_acquits():
    """A page that shows what happens passes, and a block knows the names of those before it."""
    page = (
        "```python\nx = 2  # any remark\nx + 1  # 3\nprint(x)  # 2\nprint(x)\n```\n"
        "```text\n2\n```\n"
        "```python\nx / 0  # ZeroDivisionError: …by zero\n```\n"
    )
    assert list(failures(page)) == []


def test_the_readme_command_is_the_one_that_ci_runs():
    """The two commands of the README stand in `.ci/run` word for word."""
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = [fence[2].strip() for fence in FENCE.finditer(readme) if fence[1] == "sh"]
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert len(commands) == 2
    assert set(commands) <= set(script)


def test_the_page_lists_the_names_that_exist():
    """The list in docs/tensorflow.md is that of the package; `python -m tests.names` renews it."""
    _, listed, _ = namebook.split(namebook.PAGE.read_text("utf-8"))
    assert listed.strip() == namebook.section().strip()


def test_the_readme_links_every_page():
    """A page that nobody links is not found."""
    readme = (ROOT / "README.md").read_text("utf-8")
    assert {f"docs/{page.name}" for page in PAGES[1:]} <= set(LINK.findall(readme))


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("backends.md", list(BACKENDS)),
        ("format.md", [schema.name for schema in SCHEMAS.values()]),
        ("scipy.md", [*UFUNCS, *SEVERAL, *OF_NUMBERS]),
    ],
)
def test_a_page_names_every_row_of_its_table(page, names):
    """Pages have every backend, every kind of operation, and every function of SciPy's."""
    shown = set(re.findall(r"`\"?(\w+)\"?`", (ROOT / "docs" / page).read_text("utf-8")))
    assert [name for name in names if name not in shown] == []


def test_links_lead_somewhere():
    """Every relative link of a page is to a file that exists."""
    missing = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in LINK.findall(FENCE.sub("", page.read_text("utf-8")))
        if not (page.parent / target).exists()
    ]
    assert missing == []


HOUSE = [page for page in PAGES if page.name not in {"clients.md", "keras.md"}]
"""The pages that speak of our own files alone."""

FILE = re.compile(r"`((?:\w+/)*\w+\.py|(?:\w+/)+)`")
NAMED = re.compile(r"`(\w+)`(?:, [^`(),]+,)? (?:in|of) `([\w/]+\.py)`|`(\w+)` \(`([\w/]+\.py)`\)")


def ends(files: Iterable[str]) -> dict[str, list[str]]:
    """List the files and folders that a path may mean, which may begin at any folder."""
    found: dict[str, list[str]] = {}
    for file in files:
        parts = file.split("/")
        for start in range(len(parts)):
            for stop in range(start + 1, len(parts)):
                found[f"{'/'.join(parts[start:stop])}/"] = []
            found.setdefault("/".join(parts[start:]), []).append(file)
    return found


def lost(text: str, known: dict[str, list[str]], read: Callable[[str], str]) -> Iterator[str]:
    """List what a text says is in our files, and is not."""
    yield from (path for path in FILE.findall(text) if path not in known)
    for found in NAMED.findall(" ".join(text.split())):
        name, path = filter(None, found)
        if not any(re.search(rf"\b{name}\b", read(file)) for file in known.get(path, ())):
            yield f"{name} in {path}"


def test_files_that_are_named_are_there():
    """What pages and docstrings say is in a file of ours is in it."""
    paths = [path for room in ("symtape", "tests") for path in (ROOT / room).rglob("*")]
    known = ends(str(path.relative_to(ROOT)) for path in paths if path.is_file())
    found = {
        path.name: [*lost(path.read_text("utf-8"), known, lambda p: (ROOT / p).read_text("utf-8"))]
        for path in (*HOUSE, *(ROOT / "symtape").rglob("*.py"))
    }
    assert {name: gone for name, gone in found.items() if gone} == {}


def test_files_that_are_gone_are_found():
    """A file, a folder, and a name that moved elsewhere are told."""
    text = "`here` in `room/file.py`, `gone` (`file.py`), `other.py`, `room/`, `rooms/`"
    found = lost(text, ends(["symtape/room/file.py"]), {"symtape/room/file.py": "here = 1"}.get)
    assert [*found] == ["other.py", "rooms/", "gone in file.py"]
