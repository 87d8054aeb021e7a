"""TensorFlow's bases of objects that hold variables, as far as Keras builds on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from symtape.ops import tracking


class Trackable(tracking.Trackable):
    """The base of what a checkpoint can hold: it knows its parts by name."""

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Note a part; raises `ValueError` for another one of the same name."""
        children = self.__dict__.setdefault("_self_tracked_children", {})
        if name in children and children[name] is not trackable and not overwrite:
            raise ValueError(
                f"Called Trackable._track_trackable() with name='{name}', but a Trackable with "
                "this name is already declared as a dependency. Names must be unique (or "
                "overwrite=True)."
            )
        children[name] = trackable
        return trackable

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """Give the parts by name."""
        return dict(self.__dict__.get("_self_tracked_children", {}))

    def _lookup_dependency(self, name: str, cached_dependencies: Any = None) -> Any:
        """Give the part of a name, or None."""
        return self.__dict__.get("_self_tracked_children", {}).get(name)


class AutoTrackable(Trackable):
    """A trackable whose attributes are its parts."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Trackable) and getattr(self, "_self_setattr_tracking", True):
            self._track_trackable(value, name, overwrite=True)
        super().__setattr__(name, value)

    def checkpoint_parts(self) -> dict[str, Any]:
        """Give what a checkpoint looks at, by name: attributes.

        Where a model of Keras' has another in `_functional`, layers are parts of that one: its own
        list of them has an input in front once it is built, and other numbers before.
        """
        found = {k: v for k, v in vars(self).items() if not k.startswith("_self_")}
        if found.get("_functional") is not None:
            found.pop("_layers", None)
        return found

    def __delattr__(self, name: str) -> None:
        self.__dict__.get("_self_tracked_children", {}).pop(name, None)
        super().__delattr__(name)


def no_automatic_dependency_tracking(method: Callable[..., Any]) -> Callable[..., Any]:
    """Have what a method assigns be no part of its object."""

    @wraps(method)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = getattr(self, "_self_setattr_tracking", True)
        self._self_setattr_tracking = False
        try:
            return method(self, *args, **kwargs)
        finally:
            self._self_setattr_tracking = before

    return wrapper


class ListWrapper(list[Any]):
    """What TensorFlow makes of a list in an `AutoTrackable`; nothing here makes one."""


class _DictWrapper(dict[Any, Any]):
    """What TensorFlow makes of a dict in an `AutoTrackable`; nothing here makes one."""
