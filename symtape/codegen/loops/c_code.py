"""C99 for a program: one function of fused loop nests, and its header.

Arrays are row-major and without gaps; scalars are passed by value; results are written where the
caller says. Memory for what lies between, where registers do not do, is taken from `malloc` in one
piece and given back, so that the function can be called from any number of threads; where there is
none, it is known by the status that is returned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from symtape.codegen.loops.c_lines import CALLS, call_text, helper_texts
from symtape.codegen.loops.c_words import GRAMMAR, HELPERS, C, type_name
from symtape.codegen.loops.loops import NAME, Block, Let, Loop, Node, Outside, Set, Store
from symtape.codegen.loops.nests import Limits, Nests
from symtape.codegen.scope import Scope
from symtape.codegen.task import Task
from symtape.lowering.lowering import Lowered, lowered
from symtape.program.operations import DType, Shape
from symtape.program.structural import Position


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

    @property
    def declaration(self) -> str:
        """The prototype without names, which cffi would look for among its types."""
        return f"int {self.name}({', '.join([a.kind for a in self.arguments]) or 'void'})"


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
    body = _Body(nests, arguments).text
    head = _prototype(title, arguments)
    used = _helpers(body)
    include = ["#include <stdbool.h>", "#include <stdint.h>"]
    if "complex" in head + body:
        include.insert(0, "#include <complex.h>")
    own = ["#include <math.h>", "#include <stdlib.h>"]
    text = "\n".join([*sorted(include + own), *used, "", head, "{", body, "}", ""])
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
        " * or 3 where a matrix is singular, or not positive definite.\n"
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


def _helpers(body: str) -> list[str]:
    """Choose the functions that a text calls."""
    called = set(re.findall(r"\bst_\w+", body))
    own = [text for name, text in HELPERS.items() if name in called]
    return [*own, *helper_texts(sorted(called))]


class _Body:
    """Writes the statements of a function."""

    def __init__(self, nests: Nests, arguments: Sequence[Argument]) -> None:
        self.nests, self.scope = nests, nests.scope
        self.lines: list[str] = []
        self._write_block(nests.body, 1)
        body = self.lines
        self.lines = []
        words = set(NAME.findall("\n".join(body)))
        status = self.scope.word("status")
        is_checked = status in words
        if is_checked:
            self.lines.append(f"    int {status} = 0;")
        self.lines += [f"    (void){a.name};" for a in arguments if a.name not in words]
        temporary = self._memory(words)
        self.lines += body
        if temporary:
            self.lines.append(f"    free({self.scope.word('workspace')});")
        self.lines.append(f"    return {status if is_checked else '0'};")
        self.text = "\n".join(self.lines)

    def _memory(self, words: set[str]) -> bool:
        """Lay out the buffers between, widest numbers first, in one piece of memory."""
        program, workspace = self.nests.program, self.scope.word("workspace")
        own = [
            p for p in sorted(self.nests.demand.roots)
            if self.nests.buffer(p) in words and p not in program.outputs
        ]  # fmt: skip
        own.sort(key=lambda p: -program.dtypes[p].itemsize)
        sizes = [f"{prod(program.shapes[p])}*sizeof({type_name(program.dtypes[p])})" for p in own]
        if not own:
            return False
        smallest = [] if any([prod(program.shapes[p]) for p in own]) else ["1"]
        total = "\n                             + ".join(sizes + smallest)
        self.lines.append(f"    char *{workspace} = malloc({total});")
        for k, p in enumerate(own):
            kind = type_name(program.dtypes[p])
            start = (
                " + ".join([workspace, *sizes[:k]])
                if k == 0
                else (f"{self.nests.buffer(own[k - 1])} + {prod(program.shapes[own[k - 1]])}")
            )
            cast = f"({kind} *)" if k == 0 else f"({kind} *)(void *)"
            inner = f"(void *){start}" if k == 0 else f"({start})"
            self.lines.append(f"    {kind} *restrict {self.nests.buffer(p)} = {cast}{inner};")
        self.lines += [f"    if (!{workspace})", "        return 1;"]
        return True

    def _write_block(self, block: Block, depth: int) -> None:
        for node in block.nodes:
            self._write_node(node, depth)

    def _write_node(self, node: Node, depth: int) -> None:
        space = "    " * depth
        if isinstance(node, Let):
            constant = "" if node.changed else "const "
            text = f"{constant}{type_name(node.dtype)} {node.name} = {node.text};"
        elif isinstance(node, Set):
            text = f"{node.name} = {node.text};"
        elif isinstance(node, Store):
            element = f"{node.buffer}[{node.place.text('/')}]"
            value = node.text
            if value.startswith(f"{element} + "):
                text = f"{element} += {value[len(element) + 3 :]};"
            else:
                text = f"{element} = {value};"
        elif isinstance(node, Loop):
            end = node.first + node.count
            v = node.var
            self.lines.append(f"{space}for (int64_t {v} = {node.first}; {v} < {end}; ++{v}) {{")
            self._write_block(node.body, depth + 1)
            text = "}"
        elif 0 in self.nests.program.shapes[node.position]:
            return
        else:
            text = self._whole(node)
        self.lines.append(space + text)

    def _whole(self, node: Outside) -> str:
        """Call what computes a step line by line."""
        program, p = self.nests.program, node.position
        operation, *operands = program.steps[p]
        names = [self.nests.buffer(i) for i in (*operands, p)]
        shapes = [program.shapes[i] for i in operands]
        template = call_text(operation, shapes, program.dtypes[operands[0]], program.shapes[p])
        return self.scope.fill(template, [*names, self.scope.name("i")])
