"""The names that symtape has, and those of TensorFlow's, as docs/tensorflow.md lists them.

`python -m tests.names` writes the list anew; `python -m tests.names tensorflow` first records which
names the TensorFlow that is installed has.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import symtape
from symtape.absent import ABSENT
from symtape.errors import ExtraNotInstalledError
from symtape.stand_in.naming.names import STAND_INS
from symtape.stand_in.older.by_name import OLDER, older_form, older_names
from tests.goldens import FOLDER, keep, kept

PAGE = Path(__file__).parents[1] / "docs" / "tensorflow.md"
GOLDEN = FOLDER / "names.json"
HEADING = "## Names that exist\n"
LAST = "## Names that are absent on purpose, and what to use\n"


def names_of(module: ModuleType) -> list[str]:
    """List the public names of a namespace, small and capital letters alike."""
    further = ["bfloat16"] if module is symtape else []  # which needs an extra
    return sorted([*module.__all__, *further], key=lambda n: (n.lower(), n))


def value_of(module: ModuleType, name: str) -> Any:
    """Look a name up; what needs an extra that is not installed is nothing."""
    try:
        return getattr(module, name)
    except ExtraNotInstalledError:
        return None


def namespaces() -> dict[str, list[str]]:
    """List every namespace, beginning with `tf`, and its names; one with two paths once."""
    found: dict[str, list[str]] = {}
    pending = [("tf", symtape)]
    while pending:
        path, module = pending.pop(0)
        found[path] = names_of(module)
        inner = [(f"{path}.{n}", value_of(module, n)) for n in found[path]]
        modules = [pair for pair in inner if isinstance(pair[1], ModuleType)]
        pending += [(p, m) for p, m in modules if m.__name__ == p.replace("tf", "symtape", 1)]
    return found


INTRODUCTION = """
Of each namespace: which of TensorFlow's names give what TensorFlow gives (exact), which differ on
purpose, with the tests of the table above that say how, which only refuse, which are not
TensorFlow's (own), which are there where `import tensorflow` is answered, as by `symtape run`, and
nowhere else (answered; of namespaces that are there alone, a part), and which of TensorFlow's are
absent. Of `tf.keras` stands what is built in.

| namespace | | names | how, or why |
|---|---|---|---|
"""
_NOT_ASKED_FOR = "no script that was measured asks for it"


def record() -> None:
    """Write which names TensorFlow has in the namespaces that symtape has, but for Keras."""
    tf = importlib.import_module("tensorflow")
    found = {}
    for path in namespaces():
        try:
            module = attrgetter(path.partition(".")[2])(tf) if "." in path else tf
        except AttributeError:
            continue
        if not path.startswith("tf.keras"):
            found[path] = sorted(n for n in dir(module) if not n.startswith("_"))
    keep(GOLDEN, found)


@cache
def deviating() -> dict[str, list[str]]:
    """Read of the page which names deviate: a row names them before it names its test."""
    found: dict[str, list[str]] = defaultdict(list)
    table = PAGE.read_text("utf-8").partition("## Where symtape differs")[2].partition("\n## ")[0]
    for row in table.splitlines():
        cells = row.split("|")
        if len(cells) == 6:
            said = re.split(r" but for | with a ", cells[1])[0]
            for name in set(re.findall(r"`(?:tf\.)?([\w.]+)[^`]*`", said)):
                found[name] += re.findall(r"`(\w+)`", cells[4])
    return dict(found)


def deviations_of(path: str, name: str) -> list[str]:
    """List the tests that say how a name deviates."""
    module = attrgetter(path.partition(".")[2])(symtape) if "." in path else symtape
    if isinstance(value_of(module, name), ModuleType):
        return []
    within = f"{path}.{name}".partition(".")[2]
    return sorted({*deviating().get(name, []), *deviating().get(within, [])})


def refuses(path: str, name: str) -> bool:
    """Say whether a name is there only to say what to use instead."""
    module = attrgetter(path.partition(".")[2])(symtape) if "." in path else symtape
    found = value_of(module, name)
    says = (getattr(found, "__doc__", None) or "").startswith(("Raise", "Refuse"))
    return says and getattr(found, "__annotations__", {}).get("return") == "NoReturn"


def rows_of(path: str, names: list[str], theirs: list[str] | None) -> Iterator[tuple[str, ...]]:
    """List the rows of a namespace: a state, the names in it, and how or why they are."""
    known = set(names if theirs is None else theirs)
    tests = {name: ", ".join(f"`{t}`" for t in deviations_of(path, name)) for name in names}
    refused = [name for name in names if name in known and not tests[name] and refuses(path, name)]
    exact = [n for n in names if n in known and not tests[n] and n not in refused]
    own = [name for name in names if name not in known]
    if exact:
        yield "exact", _listed(exact), ""
    for name in names:
        if name in known and tests[name]:
            yield "deviates", _listed([name]), tests[name]
    if refused:
        yield "refused", _listed(refused), "a call says what to use instead"
    if own:
        yield "own", _listed(own), ""
    others = sorted(known.difference(names), key=lambda n: (n.lower(), n))
    if answered := [name for name in others if is_answered(f"{path}.{name}")]:
        yield "answered", _listed(answered), "by `symtape run`"
    missing: dict[str, list[str]] = defaultdict(list)
    for name in (name for name in others if name not in answered):
        missing[ABSENT.get(f"{path}.{name}", _NOT_ASKED_FOR)].append(name)
    for why, lacking in missing.items():
        yield "absent", _listed(lacking), why


def answered_alone() -> dict[str, list[str]]:
    """List the namespaces that are answered and are none of symtape's, and what is in them."""
    found: dict[str, set[str]] = defaultdict(set)
    older = {f"{OLDER}{name}": f"{older_form.__module__}:" for name in older_names()}
    for name, target in (STAND_INS | older).items():
        holder, _, last = f"tf.{name}".rpartition(".")
        if name.startswith(("python.", "compiler.", "__internal__.")):
            continue  # insides of TensorFlow's, which Keras reads
        if ":" not in target:
            found[f"tf.{name}"].update(getattr(importlib.import_module(target), "__all__", ()))
        elif not exists(holder):
            found[holder].add(last)
    return {path: sorted(names, key=str.lower) for path, names in sorted(found.items()) if names}


def is_answered(path: str) -> bool:
    """Say whether a name, or one in it, stands in where `import tensorflow` is answered."""
    name = path.removeprefix("tf.")
    return any(known == name or known.startswith(f"{name}.") for known in STAND_INS)


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def section() -> str:
    """Write the list as it stands on the page."""
    theirs = kept(GOLDEN)
    parts = [HEADING, INTRODUCTION]
    for path, names in namespaces().items():
        rows = rows_of(path, names, theirs.get(path))
        parts += [f"| `{path}` | {' | '.join(row)} |\n" for row in rows]
    for path, names in answered_alone().items():
        parts.append(f"| `{path}` | answered | {_listed(names)} | by `symtape run` |\n")
    return "".join([*parts, "\n", "\n".join(absent())])


def absent() -> list[str]:
    """Write why names are absent: a reason with its names to a line."""
    reasons: dict[str, list[str]] = {}
    for path, reason in ABSENT.items():
        if not exists(path) and not is_answered(path):
            reasons.setdefault(reason, []).append(f"`{path}`")
    lines = [f"- {', '.join(paths)}: {reason}." for reason, paths in sorted(reasons.items())]
    return [LAST, *lines, ""]


def exists(path: str) -> bool:
    """Say whether symtape has a name, with dots."""
    holder: Any = symtape
    for name in path.split(".")[1:]:
        holder = getattr(holder, name, None)
    return holder is not None


def split(page: str) -> tuple[str, str, str]:
    """Take a page apart: what is before the list, the list, and what is after it."""
    start = page.index(HEADING)
    last = page.find(LAST, start)
    end = re.compile(r"^## ", re.MULTILINE).search(page, max(start, last) + len(HEADING))
    stop = end.start() if end else len(page)
    return page[:start], page[start:stop], page[stop:]


def listed(heading: str) -> set[str]:
    """Read the names, with dots, under some heading of the page."""
    _, _, rest = PAGE.read_text("utf-8").partition(f"\n{heading}\n")
    return set(re.findall(r"`([\w.]+)`", re.split(r"^## ", rest, flags=re.MULTILINE)[0]))


if __name__ == "__main__":
    if sys.argv[1:] == ["tensorflow"]:
        record()
    before, _, after = split(PAGE.read_text("utf-8"))
    PAGE.write_text(before + section() + ("\n" if after else "") + after, "utf-8")
