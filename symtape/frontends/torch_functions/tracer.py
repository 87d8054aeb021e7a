"""One run of a torch function: a symtape value beside each of torch's, operation by operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType
from typing import Any, NamedTuple, cast

from symtape.errors import OpError, SymtapeError, UnsupportedError
from symtape.frontends.torch_functions import backwards, decompositions, lines
from symtape.frontends.torch_functions.backwards import Applied
from symtape.frontends.torch_functions.compare import difference
from symtape.frontends.torch_functions.dtypes import numpy_dtype, to_numpy, torch_module
from symtape.frontends.torch_functions.judging import Judge
from symtape.frontends.torch_functions.memory.content import (
    CONSTANT,
    FLOWS,
    SEEN,
    TAINTED,
    Content,
    Late,
    Taken,
    Whole,
)
from symtape.frontends.torch_functions.memory.links import links_of
from symtape.frontends.torch_functions.memory.storages import OUTSIDE, Geometry, Storage, Storages
from symtape.frontends.torch_functions.memory.views import as_dtype, by_places, widened
from symtape.frontends.torch_functions.regions import Regions
from symtape.frontends.torch_functions.rules.creation import EMPTY, OF_SHAPES, spoil
from symtape.frontends.torch_functions.rules.table import READ, WIDE, Step, rule_of
from symtape.frontends.torch_functions.schemas import Call, results_of, tensors_in
from symtape.functions.tracing.proxies.tensors import Standin
from symtape.ops.elementwise.comparison import equal
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.reductions.reduction import reduce_all
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import shape_of, value_of


class Operand(NamedTuple):
    """A value beside a torch tensor, and what it depends on."""

    tensor: Tensor
    level: int


_ENDS = frozenset({"detach.default"})
"""Operations whose results are not in torch's graph."""

_FAULTS = (SymtapeError, OpError, TypeError, ValueError, ArithmeticError, NotImplementedError)
"""What a rule raises for what it does not take."""


class Tracer:
    """What is known of torch's tensors while a function runs."""

    def __init__(self, end: FrameType) -> None:
        self.mode: Any = None
        self.end = end
        self.checks_backwards = True
        self.storages = Storages(by_places)
        self._own: dict[int, Any] = {}
        self._entered: dict[int, Storage] = {}
        self.regions = Regions(end, lambda tensor: self.operand(tensor).tensor)
        self._judge = Judge(self.regions, self._own)
        self._made: dict[int, Any] = {}
        self._new: list[Any] = []
        self._place: lines.Place | None = None
        self._views: set[tuple[int, int, Geometry]] = set()
        self._cut: dict[tuple[int, Geometry], tuple[Content, Tensor]] = {}

    # --- tensors ----------------------------------------------------------------------------------

    def enter(self, tensor: Any, value: Tensor, *, flows: bool) -> None:
        """Put a value beside a torch tensor that comes from outside."""
        content = Whole(value, FLOWS if flows else SEEN)
        self._entered[id(tensor)] = storage = self.storages.bind(tensor, content)
        storage.is_in_graph = True
        self._own[id(tensor)] = tensor

    def beneath(self, tensor: Any) -> Any:
        """Give a torch tensor without its graph, of which the value beside has a derivative."""
        made = tensor.detach()
        self._made[id(made)] = made
        return made

    def value(self, tensor: Any) -> Tensor:
        """Give the value beside a torch tensor, without a derivative where torch has none."""
        self._place = None  # no call of torch's goes on
        self.regions.find()  # nor a function that marks a result as one without a derivative
        found, level = self.operand(tensor)
        if level == TAINTED and THREAD.state.recordings:
            names = ", ".join(sorted(self._judge.wrong))
            raise UnsupportedError(
                f"the backward of {names} is not the derivative of its "
                "forward, as in a straight-through estimator, and symtape has that of the forward: "
                'say backward="forward" to have it, or use the function outside of all tapes'
            )
        wrong = difference(found.raw, to_numpy(tensor), [found.raw], wide=True)
        if wrong:
            raise self.error("a result", f"differs from torch's: {wrong}")
        if THREAD.state.recordings and self.checks_backwards and level < FLOWS:
            self._found_unconnected(tensor)
        return found

    def _found_unconnected(self, tensor: Any) -> None:
        """Raise where torch's graph connects a result to what its value does not come from."""
        if tensor.grad_fn is not None and backwards.connected(tensor, self._own):
            raise self.error("a result", "has a derivative in torch that nobody followed")

    def operand(self, tensor: Any) -> Operand:
        """Find the value beside a torch tensor that is read."""
        storage = self.storages.find(tensor) or self._outside(tensor)
        view = Geometry.of(tensor)
        try:
            content = storage.read(view)
        except LookupError as error:
            raise self.error(f"a view of {view.dtype}{list(view.shape)}", str(error)) from None
        if content.level == CONSTANT:
            content = self._as_it_is(tensor, storage, view, content)
        if self._entered.get(id(tensor), storage) is not storage:
            raise self.error("an argument or parameter", "was given other memory: assign no .data")
        if (
            self.checks_backwards
            and Judge.concerns(tensor)
            and self._judge.convicts(tensor, storage, view, content)
        ):
            storage.write(view, Whole(content.tensor, TAINTED))
            content = storage.read(view)
        if content.level < FLOWS or not self._is_cut(tensor, storage):
            return Operand(content.tensor, content.level)
        key = (id(storage), view)
        known = self._cut.get(key)
        if known is None or known[0] is not content:
            known = self._cut[key] = (content, stop_gradient(content.tensor))
        return Operand(known[1], SEEN)

    def _as_it_is(self, tensor: Any, storage: Storage, view: Geometry, content: Content) -> Content:
        """Read a constant anew that was filled by no operation.

        NumPy's code may change what comes from outside, and a call of torch's fills memory that it
        reserves itself, as with a list of numbers. Raises `UnsupportedError` for what other code
        filled, as a kernel does that is given an address: of what, nobody followed.
        """
        theirs = to_numpy(tensor)
        if not difference(content.tensor.raw, theirs, []):
            return content
        if storage.reserved_at not in (OUTSIDE, self._place):
            what = f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"
            raise self.error(
                f"a tensor {what}", "was filled by no operation of torch's, but as a kernel does"
            )
        storage.write(view, Whole(Tensor(theirs.copy()), CONSTANT))
        return storage.read(view)

    def _is_cut(self, tensor: Any, storage: Storage) -> bool:
        """Say whether torch's graph ends here: `detach`, `no_grad`, or a new leaf.

        What an `autograd.Function` or a decomposition computes has no graph of its own inside; nor
        has what torch makes under its graph, as copies of conjugates, which nobody else sees.
        """
        for region in self.regions.around():
            view = (id(region), id(storage), Geometry.of(tensor))
            if storage.region is region or view in self._views:
                return False
        if not tensor.requires_grad:
            return self._made.get(id(tensor)) is not tensor
        return tensor.grad_fn is None and id(tensor) not in self._own

    def _outside(self, tensor: Any) -> Storage:
        """Make a tensor that the function took from elsewhere a leaf, named as in its code."""
        whole = tensor
        size = tensor.element_size()
        if tensor.untyped_storage().nbytes() != tensor.numel() * size and tensor.numel():
            whole = tensor.detach()
            whole = whole.as_strided((whole.untyped_storage().nbytes() // size,), (1,), 0)
        value, name = to_numpy(whole), lines.name_of(tensor, self.end)
        if not tensor.ndim and name is None and value.dtype.kind != "V":  # as torch.tensor(2.0)
            made: Any = Literal.of(value.item(), value.dtype)
        else:
            made = Tensor(value)
            made.label = name
        storage = self.storages.bind(whole, Whole(made, CONSTANT))
        storage.reserved_at = OUTSIDE
        return storage

    # --- operations -------------------------------------------------------------------------------

    def run(self, operation: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Run an operation for real, and beside it; gives what torch gives."""
        call = Call(operation, args, kwargs)
        self._look_back()
        if call.is_about_shapes:
            return operation(*args, **kwargs)
        if not links_of(call.name) and not rule_of(call.name) and decompositions.is_composite(call):
            with self.mode():
                return operation.decompose(*args, **kwargs)
        self.regions.find()
        operands = {id(t): self.operand(t) for t in call.tensors}
        before = {id(t): (t, Geometry.of(t)) for t in call.written}
        level = max([x.level for x in operands.values()], default=CONSTANT)
        ours: Sequence[Any] | None = None
        if level > CONSTANT and not links_of(call.name) and not rule_of(call.name):
            ours = self._decomposed(call)
        result = operation(*args, **kwargs)
        results = results_of(result)
        if links_of(call.name):
            self._link(call, results, before)
        elif isinstance(result, (bool, int, float, complex)):
            self._left(call, [operands[id(t)] for t in call.tensors], result)
        else:
            if any([t.device.type == "meta" for t in tensors_in(results)]):
                return result
            ours = self._computed(call, results, operands, level) if ours is None else ours
            for k, made in enumerate(results):
                if isinstance(made, torch_module().Tensor):
                    value = ours[k] if k < len(ours) else None
                    self._settle(call, made, value, operands, level, before)
        return result

    def _decomposed(self, call: Call) -> Sequence[Any]:
        """Run what an operation is made of, where there is no rule for it."""
        outer = self.regions.current
        own = self.regions.current = decompositions.Region(outer, call.name)
        try:
            with self.mode():
                results = None if own.is_in_itself else decompositions.run(call, self._copied)
        finally:
            region, self.regions.current = self.regions.current, outer
        if results is None:
            raise self.error(
                str(call), "is not in the table of operations, and torch has no decomposition of it"
            )
        self.regions.current = region
        try:
            tensor = torch_module().Tensor
            return [self.operand(t).tensor if isinstance(t, tensor) else None for t in results]
        finally:
            self.regions.current = outer

    def _copied(self, tensor: Any) -> Any:
        """Copy a torch tensor that is going to be written into, with the value beside it."""
        value = self.operand(tensor)
        copy = tensor.detach().clone()
        self.storages.bind(copy, Whole(*value)).region = self.regions.current
        return copy

    def _computed(
        self, call: Call, results: Sequence[Any], operands: dict[int, Operand], level: int
    ) -> Sequence[Any]:
        """Compute the results beside torch's by the rule of the operation."""
        found = rule_of(call.name)
        if found is None:
            return [None] * len(results)
        beside = {k: widened(x.tensor) if call.widens else x.tensor for k, x in operands.items()}
        depending = frozenset([id(beside[k]) for k, x in operands.items() if x.level > CONSTANT])
        step = Step(call.name, results, call.args, self.put, depending)
        args, kwargs = call.beside(lambda t: beside[id(t)])
        try:
            made = found[1](step, *args, **kwargs)
        except _FAULTS as error:
            if level == CONSTANT:
                return [None] * len(results)
            raise self.error(str(call), f"cannot be followed: {error}") from error
        return made if isinstance(made, (list, tuple)) else [made]

    def _settle(
        self,
        call: Call,
        made: Any,
        ours: Tensor | Callable[[], Tensor] | None,
        operands: dict[int, Operand],
        level: int,
        before: dict[int, tuple[Any, Geometry]],
    ) -> None:
        """Compare a result with torch's, and put it beside."""
        written = id(made) in before
        if not written and self.storages.find(made) is not None:
            return  # torch gave an operand, or a view of one
        if not written and call.name.partition(".")[0] in EMPTY:
            self._reserve(made)
            return
        theirs = to_numpy(made)
        if call.name.partition(".")[0] in OF_SHAPES:
            level = CONSTANT
        if ours is None or (callable(ours) and level == CONSTANT):
            taken = self._taken(call, theirs, operands, level)
            if not written:
                self.storages.bind(made, taken).region = self.regions.current
                return
            ours, level = taken.tensor, taken.level
        compared = partial(self._compared, call, theirs, operands)
        if callable(ours):
            late = Late(partial(self._late, call, ours, compared), theirs.shape, level)
            self.storages.bind(made, late).region = self.regions.current
            return
        if shape_of(ours) != theirs.shape and written:
            ours = broadcast_to(ours, theirs.shape)
        ours = compared(ours)
        if level > CONSTANT and not any([ours is x.tensor for x in operands.values()]):
            self._adopt(ours, theirs)
        if theirs.dtype.kind not in "fcV":
            level = min(level, SEEN)
        if written:
            self._written(made, ours, level, operands[id(made)], before[id(made)][1])
        else:
            storage = self.storages.bind(made, Whole(ours, level))
            storage.region = self.regions.current
            if level >= FLOWS and torch_module().is_grad_enabled():
                storage.is_in_graph = True
                self._new.append(made)

    def _late(self, call: Call, compute: Callable[[], Tensor], compared: Any) -> Tensor:
        try:
            made = compute()
        except _FAULTS as error:
            raise self.error(str(call), f"cannot be followed: {error}") from error
        return cast("Tensor", compared(made))

    def _compared(
        self, call: Call, theirs: Any, operands: dict[int, Operand], ours: Tensor
    ) -> Tensor:
        """Give what a rule computed in torch's dtype, if it is what torch has."""
        ours = as_dtype(ours, theirs.dtype)
        values = [x.tensor.raw for x in operands.values()]
        wide = (rule_of(call.name) or ("",))[0] in WIDE
        wrong = difference(ours.raw, theirs, values, wide=wide)
        if wrong:
            raise self.error(str(call), f"gives {wrong}; please report this", "wrong value")
        return ours

    def _taken(self, call: Call, theirs: Any, operands: dict[int, Operand], level: int) -> Content:
        """Take a result as torch has it, which no derivative flows through.

        A formula holds as long as what it came of is as it was: from when somebody reads it, or at
        once, where its size is decided, too.
        """
        name = (rule_of(call.name) or ("",))[0]
        if level >= FLOWS and name not in READ and theirs.size and theirs.dtype.kind in "fcV":
            raise self.error(str(call), "has a result that nobody followed")
        sources = self._sources(call, operands) if level > CONSTANT else []
        for source in sources:
            value_of(source, call.full_name)
        taken = Taken(Tensor(theirs), min(level, SEEN), sources)
        return Whole(taken.tensor, taken.level) if call.decides_sizes else taken

    @staticmethod
    def _sources(call: Call, operands: dict[int, Operand]) -> list[Tensor]:
        """List what decides a result that is taken; random numbers overwrite what was there."""
        gone = {id(t) for t in call.written} if call.draws else set()
        return [x.tensor for k, x in operands.items() if x.level > CONSTANT and k not in gone]

    def _reserve(self, made: Any) -> None:
        """Put beside new memory what nobody computes, until it is filled."""
        spoil(made)
        storage = self.storages.bind(made, Whole(Tensor(to_numpy(made)), CONSTANT))
        storage.region, storage.reserved_at = self.regions.current, self._place

    def _look_back(self) -> None:
        """Find among the newest results those that torch made beneath its graph.

        They have no gradient although they depend on what has, and the call that made them goes on.
        """
        place = lines.place(self.end)
        if place == self._place:
            self._made.update({id(t): t for t in self._new if not t.requires_grad})
        self._place, self._new = place, []

    @staticmethod
    def _adopt(ours: Tensor, theirs: Any) -> None:
        """Keep the last digits as torch has them, so that both go on from one value.

        A traced function has stand-ins for tensors; the number of a literal is everybody's.
        """
        if type(ours) in (Tensor, Standin):
            ours.raw = theirs

    def _written(
        self, made: Any, ours: Tensor, level: int, old: Operand, geometry: Geometry
    ) -> None:
        storage = self.storages.find(made)
        if storage is None or Geometry.of(made) != geometry:  # `out` was given another size
            self.storages.bind(made, Whole(ours, level)).region = self.regions.current
            return
        held = storage.read(geometry)
        if held.level >= FLOWS and self.regions.current is None:
            is_aside = old.level < FLOWS and storage.is_in_graph
            if is_aside and level >= FLOWS:
                raise self.error("writing what has a derivative into", "a detached tensor")
            if is_aside or (old.level >= FLOWS and not torch_module().is_grad_enabled()):
                ours, level = held.tensor + stop_gradient(ours - held.tensor), held.level
        storage.write(geometry, Whole(ours, level))
        storage.region = self.regions.current

    def put(self, tensor: Any, value: Tensor, level: int = SEEN) -> None:
        """Tell that torch has written into a tensor of which the schema does not say it.

        Its graph does not know of that, so no derivative flows.
        """
        storage = self.storages.find(tensor) or self._outside(tensor)
        value = stop_gradient(as_dtype(value, numpy_dtype(tensor.dtype)))
        storage.write(Geometry.of(tensor), Whole(value, level))

    def _link(
        self, call: Call, results: Sequence[Any], before: dict[int, tuple[Any, Geometry]]
    ) -> None:
        """Remember how views lie in what they are views of, as it was before the call."""
        operand = call.tensors[0]
        parent = before[id(operand)][1] if id(operand) in before else Geometry.of(operand)
        storage = self.storages.find(operand)
        views, links = [Geometry.of(t) for t in results], links_of(call.name)
        if storage is None or links is None:
            raise self.error(str(call), "is a view of nothing")
        if call.name not in _ENDS and torch_module().is_grad_enabled():
            self._new += [] if self._is_cut(operand, storage) else results
        if self.regions.current is not None and not self._is_cut(operand, storage):
            key = (id(self.regions.current), id(storage))
            self._views.update([(*key, Geometry.of(t)) for t in results])
        made = links(parent, views, *call.args[1:], **call.kwargs)
        for result, view, link in zip(results, views, made, strict=False):
            if self.storages.find(result) is storage:
                storage.link(view, parent, link)
                if isinstance(self.regions.current, Applied):
                    storage.read(view)  # while the tape of the function follows
            else:  # where torch made a copy of it
                self.storages.bind(
                    result, link.read(storage.read(parent))
                ).region = self.regions.current

    @staticmethod
    def _left(call: Call, operands: Sequence[Operand], result: Any) -> None:
        """Let Python have a number: a truth value or an integer leaves a guard."""
        values = [stop_gradient(x.tensor) if x.level >= FLOWS else x.tensor for x in operands]
        if max([x.level for x in operands], default=CONSTANT) == CONSTANT:
            return
        if call.name == "_local_scalar_dense.default":
            type(result)(values[0] if not shape_of(values[0]) else with_shape(values[0], ()))
        elif shape_of(values[0]) == shape_of(values[-1]):  # torch.equal
            bool(reduce_all(equal(values[0], values[-1])))

    def error(self, what: str, why: str, kind: str = "cannot be imported") -> UnsupportedError:
        """Make an error that names an operation and the user's line."""
        return UnsupportedError(f"tf.from_torch: {kind}: {what} {why}\n{lines.user_line(self.end)}")
