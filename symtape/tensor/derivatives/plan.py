"""A derivation: derived once for a structure, interpreted at first, then compiled."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any

from symtape.calculus import derive
from symtape.codegen.compile import LARGEST, Source
from symtape.kernels.interpret import NARROW, execute, kernels_for
from symtape.lowering.blocks import is_large
from symtape.program.operations import Call, Input
from symtape.program.placing import placed_sums
from symtape.program.program import Builder, shared
from symtape.program.sizes.axes import Alike
from symtape.tensor.derivatives.anew import Anew
from symtape.tensor.derivatives.transforms import DERIVATIONS, groups_of, placed, rows_of
from symtape.tensor.indexing.slices import joined, parts_of
from symtape.tensor.lazy.results import LateTensor, Pending
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Tensor

WEIGHTED = "gradients with output_gradients"


_LATE = 10_000
"""How many entries a Jacobian or Hessian has that is computed when it is asked for."""


LinearMap = tuple[int, list[int]]
"""A target, and the versions of a source, as positions of the derived program."""


@contextmanager
def _without_collections() -> Iterator[None]:
    """Pause the garbage collector: a derivation makes many small objects, no cycles among them.

    Looking for cycles over and over takes a twentieth of the time of a long tape.
    """
    pause = gc.isenabled()
    if pause:
        gc.disable()
    try:
        yield
    finally:
        if pause:
            gc.enable()


class Plan:
    """A derived program, where its values come from, and the function that computes it."""

    __slots__ = (
        "_call",
        "_computed",
        "_function",
        "_is_large",
        "_kernels",
        "_read",
        "_schedule",
        "_wanted",
        "alike",
        "by",
        "chosen",
        "compiled",
        "computed",
        "derived",
        "ends",
        "entered",
        "extra",
        "fed",
        "fresh",
        "has_no_notation",
        "inputs",
        "is_late",
        "kind",
        "labelled",
        "leaves",
        "maps",
        "places",
        "program",
        "ranks",
        "recipes",
        "results",
        "rows",
        "runs",
        "size",
        "slices",
        "sources",
        "targets",
        "unwatched",
    )  # fmt: skip

    def __init__(
        self, recording: Recording, what: tuple[Any, ...], seeds: Sequence[Tensor]
    ) -> None:
        with _without_collections():
            self._derive(recording, what, seeds)
        self._call: Call | None = None
        self._function: Callable[..., Any] | None = None
        self.compiled: Callable[..., list[Tensor]] | None = None
        self.chosen: Sequence[int] | None = None  # all that was recorded, or these positions
        self.runs = 0
        self.fresh = True
        self.size = len(self.derived.program)
        self._kernels = kernels_for(self.derived.program.dtypes)

    def _derive(self, recording: Recording, what: tuple[Any, ...], seeds: Sequence[Tensor]) -> None:
        self.program, self.places = recording.program()
        self.entered = recording.entered()
        b = Builder(self.program)
        seeded = [b.enter(*seed.leaf_step()) for seed in seeds]
        kind, *arguments = what
        self.rows = rows_of(self.program, self.places, kind, arguments)
        self.derived = DERIVATIONS[kind](b.finish(), self.places, seeded, *arguments)
        self.maps = self._maps(kind, arguments)
        self._find_sources(kind, arguments, weighted=bool(seeds))
        program = self.derived.program
        held: dict[int, int] = {}
        for p, tensor in enumerate(recording.tensors):
            if tensor is not None:  # an inner derivative may be what entered, which has the name
                held.setdefault(self.places[p], p)
        held |= {p: -1 - k for k, p in enumerate(seeded)}
        self.results = [p for p in self.derived.outputs if p is not None]
        self.slices = [parts_of(program, p) for p in self.results] if kind == "gradient" else []
        self.extra = [p for parts in self.slices for part in parts for p in part]
        self.ends = self._ends(arguments)
        inner = [*recording.alike, *self._versions(kind, arguments)]
        ends = zip(self.results, self.ends, strict=False)  # those of some kinds are not told
        self.alike = [*inner, *[(p, tuple([self.places[i] for i in own])) for p, own in ends]]
        self.recipes = [] if seeds else self._recipes(kind, arguments, inner)
        self.fed = [(p, held[p]) for p in program.schedule([*self.results, *self.extra], held)[1]]
        self._find_leaves(held)
        computed, first = shared(program)
        self._computed = placed_sums(computed)
        self._wanted = [first[p] for p in [*self.results, *self.extra]]
        known = {first[p]: at for p, at in reversed(held.items())}
        self._schedule, taken = self._computed.schedule(self._wanted, known)
        self._read = [(p, known[p]) for p in taken]
        self._is_large = is_large(self._computed, self._schedule)
        self.is_late = kind != "gradient" and any(
            prod(program.shapes[p]) >= _LATE for p in self.results
        )

    def _maps(self, kind: str, arguments: Sequence[Any]) -> list[LinearMap]:
        """Say of each result that has rows and columns what it is the Jacobian of, and by what."""
        if self.rows is None:
            return []
        if kind == "jacobian":
            target, sources, _ = arguments
            pairs = zip(self.derived.outputs, sources, strict=True)
            return [
                (self.places[target], placed(self.places, group))
                for p, group in pairs
                if p is not None
            ]
        targets, source = arguments
        group = placed(self.places, source)
        slope = derive.gradient(self.program, placed(self.places, targets), [group]).outputs[0]
        return [] if slope is None else [(slope, group)]

    def _ends(self, arguments: Sequence[Any]) -> list[tuple[int, ...]]:
        """Say whose axes the axes of each result are: the target's, then those of the source."""
        sources = [i for _, i in self.sources]
        if not any([self.program.shapes[p] for p, _ in self.sources]) and self.kind != "jacobian":
            return []
        if self.kind == "gradient":
            return [(i,) for i in sources]
        if self.kind == "hessian":
            return [(i, i) for i in sources]
        has_batch = self.kind != "jacobian" or bool(arguments[2])
        return [] if has_batch else [(arguments[0], i) for i in sources]

    def _versions(self, kind: str, arguments: Sequence[Any]) -> list[Alike]:
        """Say that the versions of a source, as a variable has them, are as long as the first."""
        if kind == "directional":
            return []
        own = [placed(self.places, group) for group in groups_of(kind, arguments)]
        return [(p, (first,)) for first, *others in filter(None, own) for p in others]

    def _recipes(self, kind: str, arguments: Sequence[Any], inner: Sequence[Alike]) -> list[Anew]:
        """Say how each result is derived anew."""
        outputs = [k for k, p in enumerate(self.derived.outputs) if p is not None]
        targets = [self.places[i] for i in self.targets]
        is_batch = kind == "jacobian" and bool(arguments[2])
        found = []
        for k, (at, _) in zip(outputs, self.sources, strict=True):
            of = {"gradient": [at], "hessian": [at, at], "jacobian": [*targets, at]}[kind]
            what = kind, tuple(arguments), self.places, k
            found.append(Anew(*what, tuple(targets), tuple(of), is_batch, inner))
        return found

    def _find_sources(self, kind: str, arguments: Sequence[Any], *, weighted: bool) -> None:
        """Tell what was asked for: recorded targets, and of each result by what it is."""
        self.kind = kind
        self.targets = (arguments[0],) if kind == "jacobian" else tuple(arguments[0])
        self.sources: list[tuple[int, int]] = []
        self.computed: list[int] = []
        self.by: list[tuple[int, bool]] = []
        self.ranks: list[int] = []
        if kind == "directional":
            self.has_no_notation = "derivatives along directions"
            return
        outputs = zip(self.derived.outputs, groups_of(kind, arguments), strict=True)
        at = [group[0] for p, group in outputs if p is not None]
        self.sources = [(self.places[i], i) for i in at]
        steps = self.program.steps
        self.by = [(i, type(steps[p][0]) is Input) for p, i in self.sources]
        self.computed = [i for i, is_leaf in self.by if not is_leaf]
        self.ranks = [len(self.program.shapes[p]) for p, _ in self.sources]
        batches = "Jacobians of batches" if kind == "jacobian" and arguments[2] else ""
        self.has_no_notation = WEIGHTED if weighted else batches

    @property
    def call(self) -> Call:
        """The whole derivation as one step, for the tapes that record it."""
        if self._call is None:
            fed = tuple([p for p, _ in self.fed])
            self._call = Call(self.derived.program, fed, (*self.results, *self.extra))
        return self._call

    def _find_leaves(self, held: dict[int, int]) -> None:
        """List every leaf, and those that the results and the conditions depend on."""
        program = self.derived.program
        self.inputs = [(p, held[p]) for p in program.inputs() if p in held]
        decided = [g.position for g in program.guards]
        read = set(program.schedule([*self.results, *decided], dict(self.inputs))[1])
        self.leaves = [(p, at) for p, at in self.inputs if p in read]
        self.labelled = [at for p, at in self.inputs if p not in read]
        by = {at for _, at in self.sources}
        steps = [(program.steps[p], at) for p, at in self.leaves]
        self.unwatched = [
            (k, step, at)
            for k, (step, at) in enumerate(steps)
            if at not in by and not step[0].watched
        ]

    def compute(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Compute the results from the tensors that the tape holds, large ones when asked for.

        Rows and places of those that are sums of rows follow. What was `compiled` does the same.
        """
        values = [tensors[i].raw for _, i in self._read]
        if self.is_late and not THREAD.state.recordings:
            pending = Pending(lambda: self._run(values))
            program = self.derived.program
            return [
                LateTensor(pending, k, program.shapes[p], program.dtypes[p])
                for k, p in enumerate(self.results)
            ]
        return [Tensor(value) for value in self._run(values)]

    def with_rows(self, computed: Sequence[Tensor], tensors: Sequence[Tensor]) -> list[Tensor]:
        """Let results that are sums of rows remember these."""
        given = {p: tensors[at] for p, at in self.inputs}
        extra = iter(computed[len(self.results) :])
        found = []
        for result, parts in zip(computed, self.slices, strict=False):
            pairs = [(next(extra), next(extra)) for _ in parts]
            rows = [
                (values, given.get(part.indices, places))
                for part, (values, places) in zip(parts, pairs, strict=True)
            ]
            found.append(joined(result, rows) if rows else result)
        return found

    def _run(self, values: Sequence[Any]) -> Sequence[Any]:
        """Compute step by step the first time, then with code."""
        run = THREAD.state.run
        if self._function is None:
            self.runs += 1
            is_first = self.runs == 1 and not self._is_large
            if is_first or self.size > LARGEST or self._kernels is NARROW:
                known = {p: value for (p, _), value in zip(self._read, values, strict=True)}
                found: Sequence[Any] = run(
                    execute, self._computed, self._schedule, known, self._wanted, self._kernels
                )
                return found
            self._compile()
            if self.results and not self.is_late:
                self.compiled = self._from_tensors()
        computed: Sequence[Any] = run(self._function, *values)
        return computed

    def _compile(self) -> None:
        positions = [p for p, _ in self._read]
        source = Source(self._computed, positions, self._wanted, exactly=not self._is_large)
        self._function = source.compile()

    def _from_tensors(self) -> Callable[..., list[Tensor]]:
        """Make the function of what a tape holds."""
        names = [f"r{k}" for k in range(len(self._wanted))]
        values = "".join([f", tensors[{i}].raw" for _, i in self._read])
        text = f"""
def compute(tensors, run):
    {", ".join(names)}, = run(f{values})
    return [{", ".join([f"Tensor({name})" for name in names])}]
"""
        namespace: dict[str, Any] = {"f": self._function, "Tensor": Tensor}
        exec(text, namespace)  # noqa: S102 - our names
        compute: Callable[..., list[Tensor]] = namespace["compute"]
        return compute
