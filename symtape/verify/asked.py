"""What a user asks, with the inputs taken apart into arrays."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any, NamedTuple

from symtape.verify.answers import CandidateError
from symtape.verify.frameworks.functions import (
    array_of,
    backward_of,
    framework_of,
    has_own_rule,
)
from symtape.verify.frameworks.layouts import Found, by_layout
from symtape.verify.frameworks.makers import ours
from symtape.verify.frameworks.own_rules import is_autograd, of_apply
from symtape.verify.frameworks.rule_values import OTHER_VALUE, has_other_value
from symtape.verify.frameworks.structures import Inputs
from symtape.verify.points.domain import KINDS
from symtape.verify.points.drawing import drawn
from symtape.verify.question import Question
from symtape.verify.report import Report
from symtape.verify.running.limits import limited
from symtape.verify.subject import input_names


class Further(NamedTuple):
    """What a candidate takes after the inputs, by name: cotangents or tangents."""

    names: Sequence[str]
    values: Sequence[Any]


NOTHING = Further((), ())


def _is_number(x: Any) -> bool:
    """Say whether an input is one floating number, of Python's or in an array without axes."""
    if getattr(x, "shape", None) == ():
        return bool(array_of(x).dtype.kind == "f")
    return isinstance(x, float)


_TINY = 1e-3
"""What is no larger is a tolerance, or keeps a quotient finite."""


class Asked:
    """A question, a function and a candidate of arrays, and an example of these.

    Of strategies of Hypothesis the example is one that was drawn, and there are `further_points`.
    Raises `TypeError` for what is no function, `ValueError` for names and domains that are none,
    and where there is nothing to derive by.
    """

    def __init__(
        self,
        kind: str,
        f: Any,
        candidate: Any,
        inputs: Sequence[Any],
        wrt: Any,
        domain: Mapping[str, str] | None,
    ) -> None:
        if not callable(f):
            raise TypeError(f"verify.{kind}(): expected a function, not {f!r:.60}")
        if not inputs:
            raise ValueError(f"verify.{kind}(): give an example of the inputs, too")
        if not isinstance(domain or {}, Mapping):
            raise TypeError(f"verify.{kind}(): domain= maps names to domains, not {domain!r}")
        self.call = kind, f, candidate, inputs, wrt, domain
        f, candidate = ours(f), ours(candidate)
        self.inputs = Inputs(input_names(f, len(inputs)), inputs, f, candidate)
        points = drawn(self.inputs.arrays)
        self.given = points[0] if points else list(self.inputs.arrays)
        self.further_points = points[1:]
        self.arrays = [array_of(x) for x in self.given]
        judged = self.inputs.positions(wrt, [x.dtype for x in self.arrays])
        if wrt is None and is_autograd(of_apply(candidate)):  # torch derives by no number of Python
            judged = tuple([k for k in judged if not isinstance(self.given[k], (float, complex))])
        if not judged and kind != "value":
            raise ValueError(
                f"verify.{kind}(): none of the inputs that are judged is an array of floating or "
                "complex numbers; integers have no derivative: give 2.0 for 2"
            )
        self.question = Question(kind, () if kind == "value" else judged)
        self.function = self.inputs.function(f)
        self.candidate = self.inputs.candidate(candidate, kind, judged)
        self.domain = self._stated(domain or {})

    @property
    def wanted(self) -> dict[str, tuple[int, ...] | None]:
        """The shape of what a candidate gives for each input that is judged, if it is known."""
        times = {"gradient": 1, "vjp": 1, "hessian": 2}.get(self.question.kind)
        labels = [self.inputs.labels[k] for k in self.question.wrt]
        shapes = [self.arrays[k].shape for k in self.question.wrt]
        return {n: s * times if times else None for n, s in zip(labels, shapes, strict=True)}

    def _stated(self, domain: Mapping[str, str]) -> dict[str, str]:
        """Give the domain of each array, as far as they are stated."""
        names = list(dict.fromkeys([*(p.name for p in self.inputs.parts), *self.inputs.labels]))
        for name, kind in domain.items():
            if name not in names or kind not in KINDS:
                raise ValueError(
                    f"verify.{self.question.kind}(): domain gives one of {', '.join(KINDS)} for "
                    f"one of {', '.join(names)}, and not {name}={kind!r}"
                )
        found = self.inputs.spread(domain)
        for label, x in zip(self.inputs.labels, self.arrays, strict=True):
            if x.dtype.kind == "c" and found.get(label) in {"positive", "unit"}:
                raise ValueError(
                    f"verify.{self.question.kind}(): {label} has complex numbers, which have no "
                    f"order: its domain is 'real', 'near' or 'fixed', and not {found[label]!r}"
                )
        return self._plain_numbers() | found

    def _plain_numbers(self) -> dict[str, str]:
        """Keep one number that is not judged, as a rate or a margin, on its side of 0.

        What is as small as a tolerance keeps its size.
        """
        found = {}
        for k, (label, x) in enumerate(zip(self.inputs.labels, self.given, strict=True)):
            if _is_number(x) and k not in self.question.wrt:
                if x <= 0:
                    found[label] = "fixed"
                else:
                    found[label] = "near" if x <= _TINY else "unit" if x < 1 else "positive"
        return found

    def by_own_rule(self, more: Further, seconds: float) -> Any:
        """Give what a framework computes by the rule of a candidate, or None where it has none.

        A candidate may be run to see whose it is; one that does not end is nobody's.
        """
        if not callable(self.candidate):
            return None
        try:
            with limited(seconds), redirect_stdout(io.StringIO()):
                rule = backward_of(self.candidate, self.question, self.given, more.values)
                return _failing if self._has_other_value(rule) else rule
        except TimeoutError:
            return None

    def by_layout(self, more: Further, seconds: float) -> Found:
        """Say where the own backward of a candidate of torch depends on memory, if it does."""
        candidate, kind, count = self.candidate, self.question.kind, len(self.given)
        is_torch = any(framework_of(x) == "torch" for x in self.given)
        if not (callable(candidate) and is_torch and has_own_rule(candidate, kind, count)):
            return Found("", ())
        names = [*self.inputs.labels, *more.names]
        given = of_apply(candidate)
        try:
            with limited(seconds):
                return by_layout(given, self.question, self.given, more.values, names)
        except TimeoutError:
            return Found("", ())

    def _has_other_value(self, rule: Any) -> bool:
        """Say whether a rule of JAX changes the value of its function."""
        kind = self.question.kind
        is_derived = kind != "value" and has_own_rule(self.candidate, kind, len(self.given))
        if not (is_derived and getattr(rule, "is_bilinear", False)):
            return False
        return has_other_value(self.candidate, self.question, self.arrays)

    def of_other_numbers(self) -> Iterator[tuple[str, Asked]]:
        """List the same question where an integer of Python's is larger by one, with words for it.

        It chooses a program, as a power or a number of steps does, and stays what it is elsewhere.
        """
        kind, f, candidate, inputs, *rest = self.call
        for k, part in enumerate(self.inputs.parts):
            if type(inputs[k]) is int and not any(part.has_array):
                n, name = inputs[k], part.name
                others = (*inputs[:k], n + 1, *inputs[k + 1 :])
                words = f"it is right for {name} = {n}, and wrong for {name} = {n + 1}"
                yield words, Asked(kind, f, candidate, others, *rest)

    def with_inputs(self, report: Report) -> Report:
        """Show a counterexample as the inputs that a function takes."""
        point = report.counterexample
        if point is None or self.inputs.is_plain:
            return report
        count = len(self.arrays)
        built = self.inputs.build(list(point.values())[:count])
        whole = dict(zip([p.name for p in self.inputs.parts], built, strict=True))
        return replace(report, counterexample=whole | dict([*point.items()][count:]))


def _failing(*_: Any) -> Any:
    raise CandidateError(OTHER_VALUE)
