"""A checkpoint that is restored: values go to variables that are there, and to those that come."""

from __future__ import annotations

import warnings
from typing import Any, NoReturn

from symtape.errors import InvalidArgumentError
from symtape.ops.tracking import Trackable
from symtape.tensor.dtypes import KERNEL_NAMES
from symtape.tensor.shape import TensorShape
from symtape.tensor.variables.variable import Variable
from symtape.training.files import Saved, SavedNode, Value
from symtape.training.parts import (
    graph,
    identity_of,
    is_tracked,
    is_variable,
    parts_of,
    variable_of,
)


class Restoration:
    """Which objects of a program the objects of a checkpoint are, as far as they are there yet."""

    def __init__(self, saved: Saved, root: Any) -> None:
        self.saved = saved
        self.bound: dict[int, Any] = {}
        self._containers: list[tuple[int, Any]] = []
        self.bind(0, root)

    def bind(self, place: int, thing: Any) -> None:
        """Let an object be one of the checkpoint's, and its parts those of that one by name."""
        pending = [(place, thing)]
        while pending:
            place, thing = pending.pop()
            if place in self.bound:
                self._check_same(place, thing)
                continue
            self.bound[place] = thing
            node = self.saved.nodes[place]
            if isinstance(thing, Variable):
                self._assign(node, thing)
            elif isinstance(thing, Trackable):
                self.wait_for(place, thing)
            else:
                self._containers.append((place, thing))
            pending += self._matches(node, thing)

    def _matches(self, node: SavedNode, thing: Any) -> list[tuple[int, Any]]:
        found = [(node.parts[name], v) for name, v in parts_of(thing) if name in node.parts]
        return found[::-1]

    def _check_same(self, place: int, thing: Any) -> None:
        if identity_of(self.bound[place]) != identity_of(thing):
            warnings.warn(
                "Inconsistent references when loading the checkpoint into this object graph: two "
                f"objects of the program were one when it was saved, and {thing!r} keeps its value",
                stacklevel=4,
            )

    def wait_for(self, place: int, thing: Trackable) -> None:
        """Hear of attributes that are set later on, and of what was put into containers."""
        node = self.saved.nodes[place]

        def arrived(name: str, value: Any) -> None:
            if name == "_value" and isinstance(value, Variable) and is_variable(thing):
                self.bound[place] = value  # a variable of Keras' that had none
                self._assign(node, value)
            part = node.parts.get(name.removeprefix("_") if name == "_save_counter" else name)
            if part is not None and part not in self.bound and is_tracked(value):
                self.bind(part, variable_of(value))
            self.look_again()

        vars(thing)["_waiting"] = arrived

    def look_again(self) -> None:
        """Find what was put into lists and dicts."""
        for place, container in self._containers:
            for other, value in self._matches(self.saved.nodes[place], container):
                if other not in self.bound:
                    self.bind(other, value)

    def _assign(self, node: SavedNode, variable: Variable) -> None:
        value = node.value
        if value is None and "_value" in node.parts:  # a variable of Keras', as it once was saved
            self.bound[node.parts["_value"]] = variable
            value = self.saved.nodes[node.parts["_value"]].value
        if value is None:
            return
        if value.dtype != variable.dtype.name:
            names = [KERNEL_NAMES.get(n, n) for n in (variable.dtype.name, value.dtype)]
            raise InvalidArgumentError.of(
                "RestoreV2",
                f"tensor_name = {value.key}; expected dtype {names[0]} does not equal original "
                f"dtype {names[1]}",
            )
        if not TensorShape(variable.shape).is_compatible_with(value.shape):
            raise ValueError(
                f"Received incompatible tensor with shape {value.shape} when attempting to restore "
                f"variable with shape {variable.shape} and name {variable.name}."
            )
        # what a file has is on no device, and a variable on several would not take it
        variable.put(Variable.converted(variable, self.saved.array(value)))


class CheckpointLoadStatus:
    """What `Checkpoint.restore` gives: it can be asked what was found on either side."""

    def __init__(self, restoration: Restoration, root: Any) -> None:
        self._restoration, self._root = restoration, root

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Raise `AssertionError` unless all values went to variables, and all variables got one."""
        self.assert_existing_objects_matched()
        restoration = self._restoration
        for place, (path, value) in _paths(restoration.saved).items():
            if value is not None and place not in restoration.bound:
                raise AssertionError(
                    f"Unresolved object in checkpoint (root){path}: attributes {{\n"
                    f'  name: "VARIABLE_VALUE"\n  full_name: "{value.name}"\n'
                    f'  checkpoint_key: "{value.key}"\n}}\nhas_checkpoint_values {{\n'
                    "  value: true\n}\n"
                )
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Raise `AssertionError` unless all variables of the program got a value."""
        lost = self._unmatched()
        if lost:
            raise AssertionError(
                f"Found {len(lost)} Python objects that were not bound to checkpointed values, "
                "likely due to changes in the Python program. Showing "
                f"{min(len(lost), 10)} of {len(lost)} unmatched objects: {lost[:10]}"
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Raise `AssertionError` if nothing but the root was found."""
        lost = self._unmatched()
        if lost and len(self._restoration.bound) <= 1:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means "
                "that the checkpoint does not match the Python program. The following objects have "
                f"no matching checkpointed value: {lost}"
            )
        return self

    def _unmatched(self) -> list[Any]:
        self._restoration.look_again()
        bound = {identity_of(thing) for thing in self._restoration.bound.values()}
        found = [node.thing for node in graph(self._root) if node.key is not None]
        return [variable for variable in found if identity_of(variable) not in bound]

    def expect_partial(self) -> CheckpointLoadStatus:
        """Give oneself: nobody is warned of values that found no variable."""
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Do nothing: values are there already."""

    run_restore_ops = initialize_or_restore


class InitializationOnlyStatus:
    """What `Checkpoint.restore` of no path gives: every assertion fails."""

    def _fail(self) -> NoReturn:
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_consumed = assert_existing_objects_matched = assert_nontrivial_match = _fail

    def expect_partial(self) -> InitializationOnlyStatus:
        """Give oneself."""
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Do nothing: variables have their first values already."""

    run_restore_ops = initialize_or_restore


def _paths(saved: Saved) -> dict[int, tuple[str, Value | None]]:
    """Say of each object of a checkpoint where it is, as attributes of the root, and its value."""
    found: dict[int, tuple[str, Value | None]] = {0: ("", saved.nodes[0].value)}
    queue = [0]
    for place in queue:
        for name, part in saved.nodes[place].parts.items():
            if part not in found:
                found[part] = (f"{found[place][0]}.{name}", saved.nodes[part].value)
                queue.append(part)
    return found
