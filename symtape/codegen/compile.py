"""Straight-line Python for some outputs of a program, and the function that it defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symtape.codegen.lifetimes import let_go
from symtape.codegen.scope import Scope
from symtape.codegen.statements import function_texts
from symtape.codegen.writer import Writer
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.nodes import variables
from symtape.lowering.folding import folded
from symtape.program.program import Program

LARGEST = 20_000
"""How many steps a program may have for which tapes and functions write code."""


class Source:
    """Straight-line Python for some outputs of a program: `text`, and the function it defines.

    `readable` is the text where one result is no tuple.
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
        writer = Writer(program, inputs, outputs, self.scope)
        results = [writer.operand(p) for p in outputs]
        kept = {name for node in results for name in variables(node)}
        lines = let_go(writer.lines, writer.large(), kept)
        self.text, self.readable = function_texts(title, self.scope, lines, results)

    def compile(self, kernels: Mapping[str, Any] = NAMESPACE) -> Callable[..., tuple[Any, ...]]:
        """Compile the text among the kernels that it calls and nothing else."""
        return self.scope.defined(self.title, self.text, kernels)
