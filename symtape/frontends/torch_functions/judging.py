"""Which results of one run have another derivative in torch than that of what is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symtape.frontends.torch_functions import backwards
from symtape.frontends.torch_functions.backwards import Applied, is_of_function
from symtape.frontends.torch_functions.memory.content import FLOWS, Content
from symtape.frontends.torch_functions.memory.storages import Geometry, Storage
from symtape.frontends.torch_functions.regions import Regions


class Judge:
    """Compares backwards of functions, and what hooks make of gradients, once each.

    `own` are the tensors by which there are derivatives; `wrong` names what has been found.
    """

    def __init__(self, regions: Regions, own: Mapping[int, Any]) -> None:
        self._regions, self._own = regions, own
        self._checked: dict[tuple[int, Geometry, int], Any] = {}
        self._hooked: dict[int, Any] = {}
        self.wrong: set[str] = set()

    @staticmethod
    def concerns(tensor: Any) -> bool:
        """Say whether torch's graph has another way back from a tensor than its operation's."""
        return tensor.requires_grad and (is_of_function(tensor) or bool(_hooks(tensor)))

    def convicts(self, tensor: Any, storage: Storage, view: Geometry, content: Content) -> bool:
        """Say whether something is found wrong now that a result is used."""
        found = {*self._hook(tensor), *self._function(tensor, storage, view, content)}
        self.wrong |= found
        return bool(found)

    def _hook(self, tensor: Any) -> set[str]:
        """Name what has a hook that changes gradients."""
        new = [hook for hook in _hooks(tensor) if id(hook) not in self._hooked]
        self._hooked.update({id(hook): hook for hook in new})
        changed = any([backwards.changes(hook, tensor) for hook in new])
        return {f"{type(tensor.grad_fn).__name__} with a hook"} if changed else set()

    def _function(
        self, tensor: Any, storage: Storage, view: Geometry, content: Content
    ) -> set[str]:
        """Name an `autograd.Function` whose backward is not its derivative."""
        graph, around = tensor.grad_fn, self._regions.around()
        applied, key = self._regions.of(graph, storage.region), (id(storage), view, id(graph))
        if not is_of_function(tensor) or key in self._checked or applied in around:
            return set()
        if self._regions.goes_on(applied):
            return set()  # torch has not yet saved what the backward needs
        self._checked[key] = graph
        name = type(graph).__name__.removesuffix("Backward")
        if content.level < FLOWS:
            right = not backwards.connected(tensor, self._own)
        elif isinstance(applied, Applied):
            applied.close()
            name, right = applied.name, applied.agrees(tensor, content.tensor)
        else:
            right = backwards.passes_on(tensor)
        return set() if right else {name}


def _hooks(tensor: Any) -> list[Any]:
    return list((tensor._backward_hooks or {}).values())  # noqa: SLF001 - what register_hook fills
