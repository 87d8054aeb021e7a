"""What is run of a file: the cells of a notebook, the blocks of a page, or a script as a whole."""

from __future__ import annotations

import re
from pathlib import Path

from symtape.cli import script

_TAB = re.compile(r"\s*(?:%%tab|#@tab) +([\w, ]+)")
_SELECTED = "class tab:\n    selected = staticmethod(lambda *names: 'tensorflow' in names)\n"


def parts_of(file: Path) -> list[tuple[str, str]]:
    """Read the parts of a file, each with the name that tracebacks show for it."""
    if file.suffix == ".md" and "%%tab" in (text := file.read_text(encoding="utf-8")):
        return _tabs(file, text)
    found = [(p.filename, _text(p.source)) for p in script.read(str(file)).parts]
    return [(name, source) for name, source in found if _is_code(source)]


def _tabs(file: Path, text: str) -> list[tuple[str, str]]:
    """Read a page whose blocks say for which framework they are."""
    blocks = re.findall(r"^```\{\.python[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    found = [("tabs", _SELECTED)]
    for number, source in enumerate(blocks, 1):
        if _is_chosen(source) and "interact_select" not in source:
            lines = _TAB.sub("", source, count=1).split("\n")
            kept = [line for line in lines if not line.lstrip().startswith(("%", "!"))]
            found.append((f"{file}, block {number}", "\n".join(kept)))
    return found


def _is_chosen(source: str) -> bool:
    tab = _TAB.match(source)
    return tab is None or bool({"tensorflow", "all"} & set(re.split(r"[, ]+", tab[1])))


def _is_code(source: str) -> bool:
    lines = [line.strip() for line in source.split("\n")]
    return any(line and not line.startswith("#") for line in lines)


def _text(source: str | bytes) -> str:
    return source if isinstance(source, str) else source.decode("utf-8-sig")
