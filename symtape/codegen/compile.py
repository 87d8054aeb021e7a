"""Straight-line Python for some outputs of a program, and the function that it defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtape.codegen.lifetimes import let_go
from symtape.codegen.scope import Scope
from symtape.codegen.statements import function_texts
from symtape.codegen.writer import Writer
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.nodes import Phrase, variables
from symtape.lowering.constants import constants
from symtape.lowering.folding import folded
from symtape.program.program import Program

LARGEST = 20_000
"""How many steps a program may have for which tapes and functions write code."""


class Source:
    """Straight-line Python for some outputs of a program: `text`, and the function it defines.

    `readable` is the text where one result is no tuple: the lines `before` the function, which make
    what no argument decides, and its `definition`.
    """

    def __init__(
        self,
        program: Program,
        inputs: Sequence[int],
        outputs: Sequence[int],
        names: Sequence[str | None] | Scope | None = None,
        title: str = "f",
        *,
        exactly: bool = False,
    ) -> None:
        program, inputs, outputs = folded(program, inputs, outputs, exactly=exactly)
        labels = names or [f"v{p}" for p in inputs]
        self.title = title
        self.scope = labels if isinstance(labels, Scope) else Scope(labels, apart=[title])
        given: dict[int, Phrase] = dict(self.scope.arguments(inputs))
        self.before: list[str] = []
        self.kept = self._kept(program, constants(program, given, outputs))
        writer = Writer(program, given | self.kept, outputs, self.scope)
        results = [writer.operand(p) for p in outputs]
        given_back = {name for node in results for name in variables(node)}
        lines = let_go(writer.lines, writer.large(), given_back)
        text, self.definition = function_texts(title, self.scope, lines, results)
        first = "\n".join([*self.before, "", "", ""]) if self.before else ""
        self.text, self.readable = first + text, first + self.definition

    def _kept(self, program: Program, positions: Sequence[int]) -> dict[int, Phrase]:
        """Write what is computed once, before the function, and give its variables."""
        if not positions:
            return {}
        writer = Writer(program, {}, positions, self.scope, "c")
        self.before += [text for text, _, _ in writer.lines]
        return {p: writer.operand(p) for p in positions}

    def compile(self, kernels: Mapping[str, Any] = NAMESPACE) -> Callable[..., tuple[Any, ...]]:
        """Compile the text among the kernels that it calls and nothing else."""
        with np.errstate(all="ignore"):
            function = self.scope.defined(self.title, self.text, kernels)
        for variable in self.kept.values():  # nobody may change what the next call reads
            np.asarray(function.__globals__[variable.text]).setflags(write=False)
        return function
