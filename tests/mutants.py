"""Change the code at random places, and tell which changes no test notices.

    python -m tests.mutants cover                    which tests run which lines, kept in a file
    python -m tests.mutants try 300 --seed 1 [PATH …]    changes below some paths, and who notices

It needs Python 3.12 or later, whose `sys.monitoring` tells the lines of a test at little cost. Each
change is made in a copy of the repository. Of the tests that run its line, some of every function
are run until one fails, then all of these functions; a change that they pass is printed, to be
looked at by a person: a test is missing, or the change changes nothing. A line that no test of this
process runs is tried by the tests that start others. What runs only beside a framework is tried by
the tests in tests/peers that have it, and left out where it is not installed.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

from tests import forked

ROOT = Path(__file__).parent.parent
COVER = ROOT / ".mutants"
"""Which tests run which lines; not kept in the repository."""
PLACES = ["symtape"]
"""Where changes are made, unless paths are given."""
ALWAYS = "tests/test_architecture.py::test_names_that_a_module_lists_are_its_own"
"""A test that imports all modules, and runs none of their lines when it is not the first."""
BESIDE = {
    "symtape/frontends/torch_functions": ("torch", "tests/peers/test_from_torch.py"),
    "symtape/frontends/jax_functions": ("jax", "tests/peers/test_from_jax.py"),
    "symtape/frontends/functions.py": ("torch", "tests/peers/test_from_torch.py"),
    "symtape/frontends/imported.py": ("torch", "tests/peers/test_from_torch.py"),
    "symtape/frontends/places.py": ("jax", "tests/peers/test_from_jax.py"),
    "symtape/verify/frameworks/functions.py": ("torch", "tests/peers/test_verify_frameworks.py"),
    "symtape/verify/frameworks/own_rules.py": ("torch", "tests/peers/test_verify_frameworks.py"),
    "symtape/verify/frameworks/rules_of_jax.py": ("jax", "tests/peers/test_verify_rules.py"),
}
"""What runs only as a framework does: the module of that, and the tests that have it."""
STARTS = (subprocess.Popen.__init__.__code__, forked.Server.run.__code__)
"""What starts another process, whose lines nobody notes."""
OF_EACH = 40
"""So many tests of a function that is parametrized stand for all that run a line."""
SECONDS = 200
"""A change for which some tests take more of a processor does not end: it was noticed."""


# --- which tests run which lines ------------------------------------------------------------------


class Lines:
    """A plugin of pytest's that notes the lines of the package that each test runs."""

    tool = 3

    def __init__(self) -> None:
        self.found: dict[str, dict[str, int]] = defaultdict(dict)
        self.now = ""
        self.failed: set[str] = set()
        self.package = str(ROOT / "symtape")
        events = sys.monitoring.events
        sys.monitoring.use_tool_id(self.tool, "mutants")
        sys.monitoring.register_callback(self.tool, events.PY_START, self.start)
        sys.monitoring.register_callback(self.tool, events.LINE, self.line)
        sys.monitoring.set_events(self.tool, events.PY_START)

    def start(self, code: Any, _: int) -> Any:
        """Listen to the lines of our own code; other code is heard of once for each test."""
        if code.co_filename.startswith(self.package):
            sys.monitoring.set_local_events(self.tool, code, sys.monitoring.events.LINE)
            self.line(code, code.co_firstlineno)
        elif code in STARTS:
            self.found["processes"][self.now] = 0
        return sys.monitoring.DISABLE

    def line(self, code: Any, number: int) -> Any:
        """Note a line once for each test."""
        self.found[f"{code.co_filename[len(str(ROOT)) + 1 :]}:{number}"][self.now] = 0
        return sys.monitoring.DISABLE

    def pytest_runtest_setup(self, item: Any) -> None:
        """Begin with a test."""
        self.now = item.nodeid
        sys.monitoring.restart_events()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note what fails without any change: it would notice every one."""
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Keep some tests of each function, and listen no more."""
        for event in (sys.monitoring.events.PY_START, sys.monitoring.events.LINE):
            sys.monitoring.register_callback(self.tool, event, None)
        COVER.mkdir(exist_ok=True)
        kept = {
            place: list(few([t for t in tests if t not in self.failed]))
            for place, tests in self.found.items()
        }
        path = Path(tempfile.mkstemp(suffix=".json", dir=COVER)[1])
        path.write_text(json.dumps(kept))


def few(tests: Any) -> Iterator[str]:
    """Give some tests of each function."""
    seen: dict[str, int] = defaultdict(int)
    for test in random.Random(0).sample(list(tests), len(tests)):
        function = test.partition("[")[0]
        seen[function] += 1
        if test and seen[function] <= OF_EACH:
            yield test


def pytest_configure(config: Any) -> None:
    """Take part in a run of pytest that was started to cover; its workers do so, too."""
    config.pluginmanager.register(Lines())


def cover() -> int:
    """Run all tests, and keep which lines they run."""
    shutil.rmtree(COVER, ignore_errors=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants", "--ignore=tests/peers"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603 - our command


def covered() -> dict[str, dict[str, int]]:
    """Read which tests run which lines, and which run any line of a file, in this order.

    What runs as its file is imported, as tables do, is tried by tests of all that imports from it.
    """
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for path in sorted(COVER.glob("*.json")):
        for place, tests in json.loads(path.read_text()).items():
            found[place] |= dict.fromkeys(tests, 0)
            found[place.partition(":")[0]] |= dict.fromkeys(tests, 0)
    return found


# --- changes --------------------------------------------------------------------------------------


class Change(NamedTuple):
    """A piece of a file, as characters from and to, and what stands there instead."""

    path: Path
    line: int
    start: int
    stop: int
    text: str
    source: str
    """The whole file as it was: people may edit it while changes are tried."""
    is_inside: bool
    """Whether it is inside of a function: what is not runs once, as the file is imported."""

    def applied(self) -> str:
        """Give the text of the file with the change."""
        return self.source[: self.start] + self.text + self.source[self.stop :]

    def __str__(self) -> str:
        """Show the lines before and after."""
        before = self.source.splitlines()
        after = self.applied().splitlines()
        k = next((k for k, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
        place = self.path.relative_to(ROOT)
        return f"{place}:{self.line}\n  - {before[k].strip()}\n  + {after[k].strip()}"


SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", " in ": " not in ",
    "not in": "in", "is not": "is", " is ": " is not ", "+": "-", "-": "+", "**": "*", "*": "/",
    "//": "/", "/": "*", "%": "*", "|": "&", "&": "|", "@": "*", " and ": " or ", " or ": " and ",
}  # fmt: skip


class Changes(ast.NodeVisitor):
    """Lists the changes of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = path.read_text(encoding="utf-8")
        lines = self.source.splitlines(keepends=True)
        self.starts = [sum(map(len, lines[:k])) for k in range(len(lines) + 1)]
        self.lines = lines
        self.depth = 0
        self.found: list[Change] = []
        self.visit(ast.parse(self.source))

    def at(self, line: int, column: int) -> int:
        """Give the place in the text of a line and a column, which counts bytes."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node: Any) -> tuple[int, int]:
        """Give the characters of a node."""
        return (
            self.at(node.lineno, node.col_offset),
            self.at(node.end_lineno, node.end_col_offset),
        )

    def add(self, node: Any, start: int, stop: int, text: str) -> None:
        """Add a change, if it is one."""
        if self.source[start:stop] != text:
            place = self.path, node.lineno, start, stop
            self.found.append(Change(*place, text, self.source, is_inside=self.depth > 0))

    def between(self, left: Any, right: Any) -> None:
        """Change the operator between two operands."""
        start, stop = self.span(left)[1], self.span(right)[0]
        gap = self.source[start:stop]
        if "#" in gap:
            return
        sign = next((s for s in sorted(SWAPS, key=len, reverse=True) if s in gap), None)
        if sign is not None:
            k = start + gap.index(sign)
            self.add(right, k, k + len(sign), SWAPS[sign])

    def visit(self, node: Any) -> None:
        """List the changes of a node and of what is below it."""
        if _is_for_types(node):
            return
        self.depth += isinstance(node, _FUNCTIONS)
        getattr(self, f"_{type(node).__name__.lower()}", lambda _: None)(node)
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "type_params"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_text(child) and not _asserts(child):
                    self.visit(child)
        self.depth -= isinstance(node, _FUNCTIONS)

    def _compare(self, node: Any) -> None:
        self.between(node.left, node.comparators[0])

    def _binop(self, node: Any) -> None:
        self.between(node.left, node.right)

    def _boolop(self, node: Any) -> None:
        self.between(*node.values[:2])

    def _unaryop(self, node: Any) -> None:
        if isinstance(node.op, (ast.Not, ast.USub)):
            self.add(node, self.span(node)[0], self.span(node.operand)[0], "")

    def _constant(self, node: Any) -> None:
        value = node.value
        made = {
            bool: lambda: repr(not value), int: lambda: repr(value + 1),
            float: lambda: repr(value * 2 + 1), str: lambda: repr(f"{value}XX"),
        }.get(type(value))  # fmt: skip
        start, stop = self.span(node)
        if made is not None:
            quoted = self.source[start] in "\"'rbf"
            text = made() if quoted or not isinstance(value, str) else f"{value}XX"
            self.add(node, start, stop, text)

    def _if(self, node: Any) -> None:
        start, stop = self.span(node.test)
        self.add(node.test, start, stop, f"not ({self.source[start:stop]})")

    _ifexp = _while = _if

    def _call(self, node: Any) -> None:
        given = sorted([*node.args, *node.keywords], key=lambda n: (n.lineno, n.col_offset))
        for before, after in pairwise(given):
            is_named = isinstance(after, ast.keyword) and after.arg is not None
            if is_named and not _asserts(after):
                self.add(after, self.span(before)[1], self.span(after)[1], "")

    def _expr(self, node: Any) -> None:
        self.add(node, *self.span(node), "pass")

    def _raise(self, node: Any) -> None:
        self.add(node, *self.span(node), "pass")

    def _augassign(self, node: Any) -> None:
        self.add(node, *self.span(node), "pass")

    def _return(self, node: Any) -> None:
        if node.value is not None:
            self.add(node, *self.span(node), "return None")


def _is_text(node: Any) -> bool:
    """Say whether a statement is a docstring."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


_FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def _is_for_types(node: Any) -> bool:
    """Say whether a statement is read by checkers of types alone, or says nothing: `...`."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_constant and node.value.value is ...


def _asserts(node: Any) -> bool:
    """Say whether an argument asserts what is so, and decides nothing: `zip(…, strict=True)`."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


# --- who notices ----------------------------------------------------------------------------------


def noticed(change: Change, tests: list[str], tree: Path, seconds: int = SECONDS) -> bool:
    """Say whether a test fails in a tree that has the change, or they do not end."""
    path = tree / change.path.relative_to(ROOT)
    path.write_text(change.applied(), encoding="utf-8")
    chosen = tree / "chosen"
    chosen.write_text("\n".join(tests), encoding="utf-8")
    options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", f"@{chosen}"]
    pytest = [sys.executable, "-B", "-m", "pytest", *options]
    limited = ["sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh", *pytest]
    try:
        ended = subprocess.run(  # noqa: S603 - our command
            limited, cwd=tree, capture_output=True, timeout=5 * seconds, check=False
        )
    except subprocess.TimeoutExpired:
        print(f"{change}\n  waited without an end, which counts as noticed\n", flush=True)
        return True
    finally:
        path.write_text(change.source, encoding="utf-8")
    return ended.returncode != 0


def trees(count: int, folder: str) -> Queue[Path]:
    """Copy the repository."""
    made: Queue[Path] = Queue()
    for k in range(count):
        tree = Path(folder) / str(k)
        for name in ("symtape", "tests", "docs"):
            shutil.copytree(ROOT / name, tree / name)
        for name in ("pyproject.toml", "README.md"):
            shutil.copyfile(ROOT / name, tree / name)
        made.put(tree)
    return made


def beside(path: Path) -> tuple[str, str] | None:
    """Give the framework beside which alone a file runs, and the tests that try it."""
    place = str(path.relative_to(ROOT))
    return next((known for folder, known in BESIDE.items() if place.startswith(folder)), None)


def is_missing(path: Path) -> bool:
    """Say whether the framework beside which alone a file runs is not installed."""
    known = beside(path)
    return known is not None and importlib.util.find_spec(known[0]) is None


@cache
def importers(file: str) -> tuple[str, ...]:
    """List the files of the package that import names from one, whose tables they may read."""
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "symtape").rglob("*.py")}
    words = (f"from {module} import", f"import {module}\n")
    found = [path for path, text in texts.items() if any(word in text for word in words)]
    return tuple(sorted(str(path.relative_to(ROOT)) for path in found))


def tests_of(change: Change, tests: dict[str, dict[str, int]]) -> list[str]:
    """List the tests that try a change: first what runs its line, last what starts processes."""
    known = beside(change.path)
    if known is not None:
        return [known[1]]
    file = str(change.path.relative_to(ROOT))
    if not change.is_inside:
        of_file = {t: 0 for own in (file, *importers(file)) for t in few(tests[own])}
        return sorted([*of_file, ALWAYS], key=lambda t: t in tests["processes"])
    own = tests[f"{file}:{change.line}"] or tests["processes"]
    others = dict.fromkeys([*few(tests[file]), ALWAYS], 0)
    return sorted(own | others, key=lambda t: (t in tests["processes"], t not in own))


def attempt(given: argparse.Namespace) -> None:
    """Try changes, and print those that nobody notices."""
    paths = given.paths or PLACES
    files = [f for p in paths for f in ([ROOT / p] if p.endswith(".py") else (ROOT / p).rglob("*"))]
    own = [f for f in sorted(files) if f.suffix == ".py" and not is_missing(f)]
    changes = [c for f in own for c in Changes(f).found]
    chosen = random.Random(given.seed).sample(changes, min(given.count, len(changes)))
    chosen = chosen[given.after :]
    tests = covered()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        free = trees(given.jobs, folder)
        tried: list[bool] = []

        def judge(change: Change) -> bool:
            known = tests_of(change, tests)
            within = [test for test in known if test not in tests["processes"]]
            tree = free.get()
            try:
                functions = [*dict.fromkeys(test.partition("[")[0] for test in known)]
                found = noticed(change, within if given.quick else known, tree) or (
                    not given.quick and noticed(change, functions, tree, 10 * SECONDS)
                )
            finally:
                free.put(tree)
            if not found:
                print(f"{change}\n  {len(known)} tests\n", flush=True)
            tried.append(found)
            print(f"{sum(tried)} of {len(tried)}", file=sys.stderr, flush=True)
            return found

        list(pool.map(judge, chosen))
    print(f"{sum(tried)} of {len(chosen)} were noticed, seed {given.seed}")


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("cover")
    trying = commands.add_parser("try")
    trying.add_argument("count", type=int)
    trying.add_argument("paths", nargs="*", default=PLACES)
    trying.add_argument("--seed", type=int, default=0)
    trying.add_argument("--jobs", type=int, default=2)
    trying.add_argument("--after", type=int, default=0, help="so many were tried before")
    trying.add_argument("--quick", action="store_true", help="some tests of each function, and "
                        "none that start processes: others may notice what is printed")  # fmt: skip
    given = parser.parse_args()
    if given.command == "cover":
        sys.exit(cover())
    attempt(given)


if __name__ == "__main__":
    main()
