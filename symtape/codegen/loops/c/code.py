"""C99 for a program: one function of fused loop nests, and its header.

Arrays are row-major and without gaps; scalars are passed by value; results are written where the
caller says. Memory for what lies between, where registers do not do, is taken from `malloc` in one
piece and given back, so that the function can be called from any number of threads; where there is
none, it is known by the status that is returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

from symtape.codegen.expressions import element
from symtape.codegen.loops.c.helpers import helper_texts
from symtape.codegen.loops.c.lines import CALLS, call_of
from symtape.codegen.loops.c.words import GRAMMAR, C, type_name
from symtape.codegen.loops.loops import Let, Line, Loop, Outside, Set, Store, walk, words
from symtape.codegen.loops.nests import Limits, Nests
from symtape.codegen.scope import Scope
from symtape.codegen.task import Task
from symtape.lowering.lowering import Lowered, lowered
from symtape.program.kinds.structural import Position
from symtape.program.operations import DType, Shape

_ALIGNED = 64
"""Memory of a step begins at a multiple of so many bytes."""


class Argument(NamedTuple):
    """One parameter of the function: its name, dtype and shape, and whether it is a result."""

    name: str
    dtype: DType
    shape: Shape
    is_result: bool

    @property
    def text(self) -> str:
        """The declaration."""
        return f"{self.kind}{self.name}"

    @property
    def kind(self) -> str:
        """The declaration without the name."""
        name = type_name(self.dtype)
        if self.is_result:
            return f"{name} *restrict "
        return f"const {name} *restrict " if self.shape else f"{name} "


class CSource(NamedTuple):
    """The text of a function of C, of its header, and what it is called with."""

    name: str
    text: str
    header: str
    arguments: tuple[Argument, ...]


def _prototype(name: str, arguments: Sequence[Argument]) -> str:
    inner = f",\n{' ' * (5 + len(name))}".join([a.text for a in arguments]) or "void"
    return f"int {name}({inner})"


def c_source(task: Task, title: str = "f", limits: Limits | None = None) -> CSource:
    """Write a task in C; raises `UnsupportedError` for what is no loop."""
    program = lowered(task.program, task.inputs, task.outputs)
    scope = Scope(task.names, GRAMMAR)
    for dtype in program.dtypes:
        type_name(dtype)
    results = {p: scope.name(f"out{k}") for k, p in enumerate(program.outputs)}
    nests = Nests(program, C, scope, lambda p: _is_loop(program, p), limits, results)
    arguments = (
        *_arguments(program, scope.names, program.inputs, is_result=False),
        *_arguments(program, list(results.values()), program.outputs, is_result=True),
    )
    body = _Body(nests, arguments)
    head = _prototype(title, arguments)
    include = ["#include <stdbool.h>", "#include <stdint.h>"]
    own = ["#include <math.h>", "#include <stdlib.h>"]
    if any([dtype.kind == "c" for dtype in program.dtypes]):
        own.append("#include <complex.h>")
    helpers = [f"\n{text}" for text in helper_texts(body.called)]
    text = "\n".join([*sorted(include + own), *helpers, "", head, "{", *body.lines, "}", ""])
    guard = f"SYMTAPE_{title.upper()}_H"
    header = "\n".join(
        [f"#ifndef {guard}", f"#define {guard}", "", *include, "", _manual(arguments),
         f"{head};", "", "#endif", ""]
    )  # fmt: skip
    return CSource(title, text, header, arguments)


def _is_loop(program: Lowered, p: int) -> bool:
    """Say whether loops compute a step; some others are computed line by line."""
    operation = program.steps[p][0]
    if type(operation) is Position:
        return operation.which != "argsort"
    return type(operation) not in CALLS


def _manual(arguments: Sequence[Argument]) -> str:
    lines = ["/* Arrays are row-major and without gaps, and results overlap no other array."]
    lines += [
        f" * {a.name}: {type_name(a.dtype)} {list(a.shape) if a.shape else ''}".rstrip()
        for a in arguments
    ]
    lines.append(
        " * Returns 0, or 1 where there is no memory left, or 2 where an index is out of range,\n"
        " * or 3 where a matrix is singular, or not positive definite, or 4 where integers are\n"
        " * divided by 0, or 5 where they have negative exponents.\n"
        " * The function keeps no state: it can be called from any number of threads. */"
    )
    return "\n".join(lines)


def _arguments(
    program: Lowered, names: Sequence[str], positions: Sequence[int], *, is_result: bool
) -> list[Argument]:
    return [
        Argument(name, program.dtypes[p], program.shapes[p], is_result)
        for name, p in zip(names, positions, strict=True)
    ]


class _Body:
    """Writes the statements of a function."""

    def __init__(self, nests: Nests, arguments: Sequence[Argument]) -> None:
        self.nests, self.scope = nests, nests.scope
        self.called: set[str] = set()
        self.spelling = replace(C.spelling, word=self._word)
        self.status = self.scope.word("status")
        self.lines: list[str] = []
        self._write(nests.lines, 1)
        body, used = self.lines, words(nests.lines)
        for line in walk(nests.lines):
            if isinstance(line, Outside) and 0 not in nests.shape(line.position):
                used.update(map(nests.buffer, self._buffers(line)))
        is_checked = not self.called.isdisjoint({"status", "&status"})
        self.lines = [f"    int {self.status} = 0;"] if is_checked else []
        self.lines += [f"    (void){a.name};" for a in arguments if a.name not in used]
        has_memory = self._memory(used)
        self.lines += body
        if has_memory:
            self.lines.append(f"    free({self.scope.word('workspace')});")
        self.lines.append(f"    return {self.status if is_checked else '0'};")

    def _word(self, word: str) -> str:
        """Note what is called, and say the status by its name."""
        self.called.add(word)
        return f"&{self.status}" if word == "&status" else word

    def _buffers(self, line: Outside) -> list[int]:
        return [*self.nests.program.steps[line.position][1:], line.position]

    def _memory(self, used: set[str]) -> bool:
        """Lay out the buffers between in one piece of memory, each where any number may begin."""
        program, workspace = self.nests.program, self.scope.word("workspace")
        made, end = list[str](), 0
        for p in sorted(self.nests.demand.roots - set(program.outputs)):
            name = self.nests.buffer(p)
            if name in used:
                kind = type_name(program.dtypes[p])
                start = f"(void *)({workspace} + {end})"
                made.append(f"    {kind} *restrict {name} = ({kind} *){start};")
                size = prod(program.shapes[p]) * program.dtypes[p].itemsize
                end += -(-size // _ALIGNED) * _ALIGNED
        if made:
            self.lines += [f"    char *{workspace} = malloc({max(end, 1)});", *made]
            self.lines += [f"    if (!{workspace})", "        return 1;"]
        return bool(made)

    def _write(self, lines: Sequence[Line], depth: int) -> None:
        space = "    " * depth
        for line in lines:
            if isinstance(line, Loop):
                v, end = line.var, line.first + line.count
                self.lines.append(f"{space}for (int64_t {v} = {line.first}; {v} < {end}; ++{v}) {{")
                self._write(line.body, depth + 1)
                self.lines.append(f"{space}}}")
            elif isinstance(line, Outside):
                self._whole(line)
            else:
                self.lines.append(f"{space}{self._assignment(line)};")

    def _assignment(self, line: Let | Set | Store) -> str:
        value = line.node.write(self.spelling)
        if isinstance(line, Store):
            return f"{element(line.buffer, line.place).write(self.spelling)} = {value}"
        if isinstance(line, Set):
            return f"{line.name} = {value}"
        constant = "" if line.changed else "const "
        return f"{constant}{type_name(line.dtype)} {line.name} = {value}"

    def _whole(self, line: Outside) -> None:
        """Call what computes a step line by line."""
        program, p, i = self.nests.program, line.position, self.scope.name("i")
        operation, *operands = program.steps[p]
        if 0 in program.shapes[p]:
            return
        shapes = [program.shapes[k] for k in operands]
        names = [self.nests.buffer(k) for k in self._buffers(line)]
        dtype = program.dtypes[operands[0]]
        call, count = call_of(operation, shapes, dtype, program.shapes[p], names, i)
        self.called.add("status")
        head = f"    if (!{self.status})"
        if count > 1:
            head = f"    for (int64_t {i} = 0; {i} < {count} && !{self.status}; ++{i})"
        self.lines += [head, f"        {self.status} = {call.write(self.spelling)};"]
