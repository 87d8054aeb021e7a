"""The house: which room may import which, and which operation lacks which reading.

`docs/architecture.md` says why. A room is a package or a module right under `symtape`.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from symtape.calculus import pullback
from symtape.exact.balls import matrices as balls
from symtape.exchange import operations as file_operations
from symtape.forms.index import entry as index
from symtape.forms.matrix.reading import steps
from symtape.kernels import scalar_code
from symtape.program import operations
from symtape.program.evaluation import evaluation
from symtape.program.functions import scalar
from symtape.program.kinds import structural
from symtape.program.operations import Operation
from tests.sampling import LONG, all_hold

PACKAGE = Path(__file__).parents[1] / "symtape"

ROOMS = (
    ("__init__",),
    (
        "autodiff",
        "bitwise",
        "config",
        "debugging",
        "dtypes",
        "image",
        "linalg",
        "math",
        "nn",
        "random",
        "signal",
    ),
    ("__main__", "pytest_plugin"),
    (
        "audio",
        "autodiff",
        "bitwise",
        "config",
        "debugging",
        "distribute",
        "dtypes",
        "image",
        "io",
        "linalg",
        "lookup",
        "math",
        "nn",
        "quantization",
        "random",
        "ragged",
        "signal",
        "strings",
        "summary",
        "test",
        "train",
        "saved_model",
    ),
    ("__main__",),
    ("cli",),
    ("verify",),
    ("stand_in",),
    ("report", "notation", "frontends"),
    ("keras", "data", "differentiation", "training"),
    ("tape", "ops", "functions"),
    ("tensor",),
    ("forms", "compiled"),
    ("codegen",),
    ("lowering",),
    ("kernels", "exact"),
    ("calculus", "exchange"),
    ("program",),
    ("extras", "late"),
    ("cache", "errors", "nest", "signatures", "version"),
    ("calls", "namespace"),
    ("absent",),
)
"""From the top of the house to the bottom; those on one line are strangers to each other."""

FLOOR = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}

RUNTIME = {"numpy", "sympy", "mpmath", "annotationlib"}
"""What may be imported at the top of a file: the dependencies, and what SymPy depends on.

Later Pythons have further modules of their own.
"""


# --- who imports whom ---------------------------------------------------------------------------


def module_name(path: Path, root: Path = PACKAGE) -> str:
    """Name the module of a file: `symtape.program.scalar`."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(("symtape", *(parts[:-1] if parts[-1] == "__init__" else parts)))


SOURCES = {module_name(path): path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def nodes(text: str) -> tuple[ast.AST, ...]:
    """Parse a source, once for the tests of this file, and list its nodes."""
    return tuple(ast.walk(ast.parse(text)))


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """Keep no trees after the tests of this file."""
    yield
    nodes.cache_clear()


def imported(text: str, modules: set[str]) -> Iterator[str]:
    """List our own modules that a source imports anywhere, functions included."""
    for node in nodes(text):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.partition(".")[0] == "symtape")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            if node.module is not None and node.module.partition(".")[0] == "symtape":
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    yield inner if inner in modules else node.module


def room(module: str) -> str:
    """Name the room that a module is in; the public face is `__init__`."""
    return module.split(".")[1] if "." in module else "__init__"


def offences(sources: dict[str, str]) -> list[str]:
    """List the imports that go up, sideways, or to a room that nobody has put on a floor."""
    found = []
    for module, text in sources.items():
        for other in imported(text, set(sources)):
            here, there = room(module), room(other)
            if here != there and FLOOR.get(here, 99) >= FLOOR.get(there, -1):
                found.append(f"{module} imports {other}")
    return found


def circles(sources: dict[str, str]) -> list[str]:
    """Give one circle of modules that import each other, or nothing."""
    graph = {module: set(imported(text, set(sources))) for module, text in sources.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.slow
def test_imports_go_down():
    """A room imports only the rooms below it, inside of functions too."""
    assert offences(SOURCES) == []


@pytest.mark.slow
def test_no_module_imports_itself_through_others():
    """No circle of imports exists between modules, inside of rooms too."""
    assert circles(SOURCES) == []


def readings_past_the_door(text: str) -> list[int]:
    """List the lines that read the value of a tensor without telling recordings."""
    own = {"Algorithm", "alg", "algorithm", "self"}  # members of an enum, and their own attributes
    return [
        n.lineno
        for n in nodes(text)
        if isinstance(n, ast.Attribute)
        and (
            n.attr == "raw"
            or (n.attr == "value" and not own & set(ast.unparse(n.value).split(".")))
        )
    ]


@pytest.mark.slow
def test_values_are_read_through_the_door():
    """`ops`, `keras` and `data` read values by `value_of` and `look_at`, which recordings hear."""

    def judge(module: str) -> None:
        assert readings_past_the_door(SOURCES[module]) == []

    all_hold(judge, [m for m in SOURCES if room(m) in {"ops", "keras", "data"}])


LET_GO = {
    "symtape.ops.numpy.protocol", "symtape.ops.random.generator",
    "symtape.ops.indexing.variable_places",
}  # fmt: skip
"""Where values leave for good: NumPy's functions, states of generators, and assignments."""


def test_operations_say_what_their_choices_hold_for():
    """What an operation takes of a value decides something, unless it is only looked at."""
    takes = {m for m, s in SOURCES.items() if room(m) == "ops" and "value_of" in s}
    assert takes == LET_GO


def test_readings_past_the_door_are_found():
    """The judge of readings convicts."""
    assert readings_past_the_door("def f(x):\n    return x.raw + tensor(x).value.shape") == [2, 2]


def unbounded(source: str) -> list[str]:
    """List the functions that remember every answer, although a user decides how many there are."""
    return [
        node.name
        for node in nodes(source)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(d, ast.Name) and d.id == "cache" for d in node.decorator_list)
        and any(ast.unparse(a.annotation or a) not in COUNTED for a in node.args.args)
    ]


COUNTED = {"int", "str", "ModuleType"}
"""Numbers of operands, names of our own and modules: there are few."""


@pytest.mark.slow
def test_what_is_remembered_has_a_bound():
    """A long session that makes ever new operations does not grow without end."""

    def judge(module: str) -> None:
        assert unbounded(SOURCES[module]) == []

    all_hold(judge, SOURCES)


def test_memory_without_a_bound_is_found():
    """The judge convicts a cache of operations, and lets one of nothing go."""
    text = "@cache\ndef f(operation: Map): ...\n@cache\ndef g(): ...\n"
    assert unbounded(text) == ["f"]


READS_TEXT = {
    "symtape.codegen.scope": "labels that people give",
    "symtape.codegen.loops.c.words": "labels that people give, which no macro of C may be",
    "symtape.compiled.bundle": "files of our own, whose statements an exported module takes over",
}
"""Where code is written and text is read all the same, and which text."""


def readers_of_text(sources: dict[str, str]) -> list[str]:
    """List the modules that write code and import what reads text, `re` or `ast`."""
    return [
        module
        for module, text in sources.items()
        if room(module) in {"kernels", "lowering", "codegen", "compiled"}
        and not module.startswith(tuple(READS_TEXT))
        and any([name in {"re", "ast", "tokenize"} for name in packages(text)])
    ]


UNEXPLAINED = re.compile(r"# (noqa(: [A-Z0-9, ]+)?|type: ignore(\[[^\]]*\])?)$")
"""A judge that is told to look away, and nothing behind it that says why."""


def unexplained(source: str) -> list[int]:
    """List the lines that a judge of the code is told to look away from, without a reason."""
    lines = enumerate(source.splitlines(), 1)
    return [number for number, line in lines if UNEXPLAINED.search(line)]


def test_who_silences_a_judge_says_why():
    """Whatever ruff or mypy shall not look at has its reason beside it."""
    found = {name: unexplained(text) for name, text in SOURCES.items()}
    assert not {name: lines for name, lines in found.items() if lines}


def test_silence_without_a_reason_is_found():
    """An exception is found with and without the names of rules; one with a reason is not."""
    silent = ["x = y  # type: ignore[misc]", "def f(x): ...  # noqa: ARG001", "import a  # noqa"]
    told = [
        "x = y  # type: ignore[misc]  # because",
        "import a  # noqa: E402 - read first",
        "x = 1",
    ]
    assert unexplained("\n".join([*told, *silent])) == [4, 5, 6]


def packages(text: str) -> Iterator[str]:
    """List the packages that a source imports, within functions too."""
    for node in nodes(text):
        if isinstance(node, ast.Import):
            yield from [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module).partition(".")[0]


@pytest.mark.slow
def test_no_code_that_we_wrote_is_read_again():
    """Code is made of nodes, which know what they name and how they bind: no text is parsed."""
    assert readers_of_text(SOURCES) == []


def test_readers_of_text_are_found():
    """The judge convicts a room that writes code, and lets others go."""
    text = "def f():\n    from re import sub\n"
    assert readers_of_text({"symtape.kernels.a": text, "symtape.forms.a": text}) == [
        "symtape.kernels.a"
    ]


_OWN_READERS = {"symtape.signatures", "symtape.stand_in.inner.inspecting"}
"""Who asks Python itself: the one that all others ask, and what stands for TensorFlow's own."""


def readers_of_signatures(sources: dict[str, str]) -> list[str]:
    """List the modules that have `inspect` read annotations, which may name what is not there."""
    return [
        module
        for module, text in sources.items()
        for node in nodes(text)
        if module not in _OWN_READERS
        and (
            (isinstance(node, ast.Attribute) and ast.unparse(node) == "inspect.signature")
            or (isinstance(node, ast.ImportFrom) and "signature" in [a.name for a in node.names])
            or (isinstance(node, ast.Attribute) and node.attr == "get_annotations")
        )
    ]


@pytest.mark.slow
def test_signatures_are_read_in_one_place():
    """Annotations of what others wrote are not computed, from Python 3.14 on."""
    assert readers_of_signatures(SOURCES) == []


def test_readers_of_signatures_are_found():
    """The judge convicts both ways to name it."""
    text = "import inspect\nfrom inspect import signature\ninspect.signature(abs)"
    assert len(readers_of_signatures({"symtape.ops.a": text})) == 2


def test_every_room_has_a_floor():
    """Every package and module right under `symtape` is in the list of rooms."""
    assert {room(module) for module in SOURCES} <= FLOOR.keys()


@pytest.mark.parametrize(
    "sources",
    [
        {"symtape.program.a": "from symtape.calculus import b", "symtape.calculus.b": ""},
        {"symtape.program.a": "def f():\n    import symtape.tape\n", "symtape.tape": ""},
        {"symtape.tape": "from symtape.ops.math import sin", "symtape.ops.math": ""},
        {"symtape.forms.a": "import symtape.compiled.b as b", "symtape.compiled.b": ""},
        {"symtape.ops.math": "from symtape import GradientTape", "symtape": ""},
        {"symtape.attic": "from symtape import errors", "symtape.errors": ""},
    ],
)
def test_the_judge_of_imports_convicts(sources):
    """An import that goes up, sideways, into the face, or from a room without floor is found."""
    assert len(offences(sources)) == 1


def test_the_judge_of_circles_convicts():
    """Two modules of one room that import each other are found."""
    sources = {
        "symtape.program.a": "from symtape.program import b",
        "symtape.program.b": "def f():\n    from symtape.program.a import c\n",
    }
    assert circles(sources)


def top_level(text: str) -> Iterator[str]:
    """List the packages that a source imports as it is imported itself."""
    pending: list[ast.AST] = [nodes(text)[0]]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            yield from (a.name.partition(".")[0] for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module).partition(".")[0]
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Try)):
            pending.extend(ast.iter_child_nodes(node))


@pytest.mark.slow
def test_only_the_dependencies_are_imported_at_the_top():
    """Whatever is optional is imported where it is needed, so that the core runs without it."""
    allowed = RUNTIME | sys.stdlib_module_names | {"symtape"}
    found = {module: set(top_level(text)) - allowed for module, text in SOURCES.items()}
    assert {module: extra for module, extra in found.items() if extra} == {}


# --- which operation has which reading ------------------------------------------------------------

TABLES = {
    "pullback": pullback.RULES,
    "evaluation": evaluation.RULES,
    "index": index.RULES,
    "file": file_operations.SCHEMAS,
}

WHOLE = [*TABLES.values(), balls._RULES, steps.RULES]
"""Tables that are made of others."""

GAPS = {
    "pullback": {
        "Input": "a leaf receives its cotangent and passes nothing on",
        "Constant": "likewise",
        "Count": "a count does not change",
        "Position": "a place does not change",
        "Item": "opened up before anything is derived",
        "Call": "opened up before anything is derived",
    },
    "evaluation": {
        "Input": "given",
        "Item": "opened up before anything is read",
        "Call": "opened up before anything is read",
    },
    "index": {
        "Input": "written as the name of the leaf",
        "Item": "opened up before anything is read",
        "Call": "opened up before anything is read",
        "Position": "the order of symbols has no formula",
    },
    "file": {
        "Item": "opened up before anything is saved",
        "Call": "opened up before anything is saved",
    },
}
"""The readings that a kind of operation does not have, and why."""


def kinds() -> list[type[Operation]]:
    """List the kinds of operations that a step can have."""
    for found in pkgutil.iter_modules([str(PACKAGE / "program")]):
        importlib.import_module(f"symtape.program.{found.name}")
    pending, made = [Operation], []
    while pending:
        inner = pending.pop().__subclasses__()
        pending += inner
        made += [kind for kind in inner if not kind.__subclasses__()]
    return [kind for kind in made if kind.__module__.startswith("symtape.program.")]


@pytest.mark.parametrize("table", TABLES)
def test_every_kind_of_operation_has_every_reading(table):
    """A kind has a rule in each table, or a gap with its reason, and never both."""
    lacking = {kind.__name__ for kind in kinds()} - {kind.__name__ for kind in TABLES[table]}
    assert lacking == GAPS[table].keys()


def kinds_of(table: object) -> set[type[Operation]]:
    """List the kinds that are keys of a table, alone or several in one row."""
    if not isinstance(table, (dict, set, frozenset, tuple)):
        return set()
    keys = [k for row in table for k in (row if isinstance(row, tuple) else (row,))]
    return {k for k in keys if isinstance(k, type) and issubclass(k, Operation)}


def assigned(text: str) -> set[str]:
    """List the names that a module makes itself, at its top."""
    found: set[str] = set()
    for node in nodes(text)[0].body:  # type: ignore[attr-defined]  # a module has one
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {t.id for t in targets if isinstance(t, ast.Name)}
    return found


def tables() -> dict[str, object]:
    """List the tables of all modules that are keyed by kinds; a part of a full table is none."""
    found: dict[str, object] = {}
    for module, text in SOURCES.items():
        values = vars(importlib.import_module(module)) if " import" in text else {}
        for name in sorted(assigned(text) & values.keys()):
            if kinds_of(values[name]) and not is_part(values[name]):
                found[f"{module.removeprefix('symtape.')} {name}"] = values[name]
    return found


def is_part(table: object) -> bool:
    """Say whether all rules of a table are in another one, which was made of it."""
    return isinstance(table, dict) and any(
        full is not table and all([full.get(kind) is rule for kind, rule in table.items()])
        for full in WHOLE
    )


PARTIAL = {
    "calculus.batching RULES": "refused by name: `vectorize` cannot map over its rows",
    "calculus.directional _FREE_OF_WEIGHTS": "a rule that is not linear has no transpose",
    "calculus.linearity RULES": "its result is linear in no operand",
    "calculus.pullback ADJOINTS": "a reverse rule of its own",
    "calculus.terms.along MATRICES": "asked of these kinds alone, by the row of propagation",
    "calculus.terms.expansion RULES": "a factor of its own",
    "calculus.terms.sizeless RULES": "has no sizes among its parameters",
    "calculus.terms.propagation THROUGH": "the axes that it touches are multiplied out",
    "codegen.libraries.adapters.dask_library _LEADS": "its batch is all but its own axes",
    "codegen.libraries.adapters.dask_library _WORDS": "NumPy's kernel, applied to blocks",
    "codegen.libraries.source _SEEN_THROUGH": "makes arrays of its own",
    "codegen.libraries.source _COUNTS": "its 64 bits are asked for: it may compute large numbers",
    "codegen.loops.c.lines CALLS": "loops, and no function of C's own",
    "codegen.loops.demand VIEWS": "its elements are computed, not found elsewhere",
    "codegen.loops.elements RULES": "has memory of its own",
    "codegen.loops.statements MAKERS": "filled element by element",
    "codegen.python_code WRITERS": "refused by name: plain Python has no arrays",
    "codegen.shaped SHAPED": "the form that needs no shapes",
    "codegen.statements FUSED": "a statement of its own",
    "exact.balls.matrices _RULES": "no operation on matrices",
    "exact.balls.spectra WHOLE": "solved by elimination",
    "exact.precise_matrices _WHOLE": "solved by elimination",
    "forms.domains _WITHOUT_CASES": "it may have cases, and nothing is cancelled by what it is of",
    "forms.expression _CHOOSING": "decides nothing by values",
    "forms.index.kinds.matrices OF_MATRICES": "written of entries, and of no matrix as a whole",
    "forms.matrix.reading.steps RULES": "refused by name: it has index notation",
    "kernels.pattern RULES": "every element may differ from zero",
    "codegen.libraries.writers WRITERS": "what NumPy writes, in the library's words",
    "kernels.source WRITERS": "its rule over any kind of number, over floats; calls have kernels",
    "kernels.source WHOLES": "has one result",
    "kernels.source ALONE": "a part of the whole",
    "lowering.blocks FLOWS": "computed outside of the loop over rows",
    "lowering.blocks _ELEMENTWISE": "no step of a loop over rows by itself",
    "lowering.constants _NEVER_RAISE": "computed anew in each call, which hears what it raises",
    "lowering.folder NUMBERS": "is computed, if of nothing but numbers",
    "lowering.folding REWRITES": "computes with whole operands, and carries no number further",
    "lowering.unrolling _KINDS": "its program is computed by NumPy's arrays",
    "program.cofactors _BY_ELEMENTS": "a step of its own, of matrices that are joined again",
    "program.cofactors _OF_MATRICES": "has no cofactors",
    "program.evaluation.exact_matrices RULES": "no operation on matrices",
    "program.evaluation.symbolic_matrices _WHOLE": "solved by elimination",
    "program.sizes.rules RULES": "every axis keeps its size",
    "program.sizes.resizing AGAIN": "has no sizes among its parameters",
    "stand_in.dtensor.rules RULES": "its result has a layout that is not known",
    "tensor.recording.looking _MOVING": "all of its result is known, or nothing of it",
    "verify.numbers.cancelling _LINEAR": "what is not listed is as large as its value",
    "verify.causes.derived _KINDS": "an intermediate result, in words",
}
"""The tables that not every kind is in, and what a kind gets that has no row there."""


@pytest.mark.slow
def test_every_table_of_kinds_is_known():
    """A table that is keyed by kinds, wherever it is, is full or says what a missing row means."""
    full = [id(table) for table in TABLES.values()]
    found = {name for name, table in tables().items() if id(table) not in full}
    assert found == PARTIAL.keys()


def test_tables_of_kinds_are_found():
    """The judge of tables sees those with one kind a row and with several, and no others."""
    assert kinds_of({(operations.Map, operations.AddN): 1, operations.Cast: 2}) == {
        operations.Map,
        operations.AddN,
        operations.Cast,
    }
    assert kinds_of([operations.Map]) == kinds_of({"map": operations.Map}) == set()
    assert assigned("from a import b\nc = d = b\ne: int = 1\ndef f():\n    g = 1\n") == {
        "c",
        "d",
        "e",
    }


def test_there_are_kinds_to_look_at():
    """The list of kinds holds the workhorses, and no kind that is only a base of others."""
    names = {kind.__name__ for kind in kinds()}
    assert {"Map", "Einsum", "Slice", "Extremum", "Constant"} <= names
    assert not {"Operation", "Structural"} & names


def test_every_discrete_kind_has_no_slope():
    """What has no derivative at all has no reverse rule that could be wrong."""
    discrete = {kind for kind in kinds() if getattr(kind, "discrete", False) is True}
    assert {operations.Count, structural.Position} <= discrete
    assert not discrete & pullback.RULES.keys()


# --- scalar functions ---------------------------------------------------------------------------

SCALARS = {name: made for name, made in vars(scalar).items() if isinstance(made, scalar.Kind)}
LOGIC = {"both", "either", "one_of", "negation", "is_nan", "is_inf", "is_finite"}
"""Functions that give truth values, which have no slope."""


def test_every_scalar_function_has_numpy_code_and_a_slope_for_each_argument():
    """A scalar function has its line in each table, and as many slopes as arguments."""

    def judge(name: str) -> None:
        made = SCALARS[name]
        assert made in scalar_code.FUNCTIONS
        arity = made.definition.__code__.co_argcount
        assert len(made.slopes) == (0 if name in LOGIC else arity)
        assert made.name == name

    all_hold(judge, SCALARS)


def test_names_that_a_module_lists_are_its_own():
    """What `from module import *` gives is there."""

    def judge(module: str) -> None:
        found = importlib.import_module(module)
        assert [name for name in found.__all__ if not hasattr(found, name)] == []

    all_hold(judge, [m for m, text in SOURCES.items() if "\n__all__" in text])


def test_what_waits_for_a_longer_run_is_a_test() -> None:
    """Whoever renames a test renames it in the list, too."""
    for file, names in LONG.items():
        text = (PACKAGE.parent / file).read_text("utf-8")
        for name in names:
            assert f"def {name.partition('[')[0]}(" in text, name
