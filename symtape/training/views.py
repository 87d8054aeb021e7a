"""What a checkpoint and a program consist of, and how they match: CheckpointView, TrackableView."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from symtape.errors import NotFoundError
from symtape.training import files
from symtape.training.parts import graph, identity_of, is_tracked, parts_of


class CheckpointView:
    """The objects of a checkpoint by their numbers, of which 0 is the root, and their parts.

    Raises `NotFoundError` where there is no checkpoint, and `FormatError` for files of another
    form.

    >>> import tempfile
    >>> from symtape.tensor.variables.variable import Variable
    >>> from symtape.training.checkpoint import Checkpoint
    >>> checkpoint = Checkpoint(w=Variable(1.0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     view = CheckpointView(checkpoint.write(folder + "/ckpt"))
    >>> view.children(0)
    {'w': 1}
    """

    def __init__(self, save_path: str | os.PathLike[str]) -> None:
        path = os.fspath(save_path)
        if not Path(path + files.INDEX).is_file():
            raise NotFoundError(
                message="Unsuccessful TensorSliceReader constructor: Failed to find any matching "
                f"files for {path}"
            )
        self._nodes = files.read(path).nodes

    def children(self, node_id: int) -> dict[str, int]:
        """Give the numbers of the parts of an object by their names."""
        return dict(self._nodes[node_id].parts)

    def descendants(self) -> list[int]:
        """List the numbers of all objects, those nearest to the root first."""
        found = [0]
        for node in found:
            found += [k for k in self._nodes[node].parts.values() if k not in found]
        return found

    def match(self, obj: Any) -> dict[int, Any]:
        """Give the objects of a program that those of the checkpoint are, by their names.

        Raises `ValueError` for what a checkpoint does not look at.
        """
        if not is_tracked(obj):
            raise ValueError(f"Expected a Trackable, got {obj} of type {type(obj)}.")
        found, pending = {0: obj}, [0]
        for node in pending:
            ours = dict(parts_of(found[node]))
            for name, place in self._nodes[node].parts.items():
                if name in ours and place not in found:
                    found[place] = ours[name]
                    pending.append(place)
        return found

    def diff(self, obj: Any) -> tuple[dict[int, Any], list[int], list[Any]]:
        """Give what `match` gives, what only the checkpoint has, and what only the program has.

        Raises `ValueError` for what a checkpoint does not look at.
        """
        found = self.match(obj)
        matched = {identity_of(thing) for thing in found.values()}
        own = TrackableView(obj).descendants()
        alone = [thing for thing in own if identity_of(thing) not in matched]
        return found, [k for k in self.descendants() if k not in found], alone


class TrackableView:
    """An object of a program, and all its parts, as a checkpoint would keep them.

    >>> from symtape.tensor.variables.variable import Variable
    >>> from symtape.training.checkpoint import Checkpoint
    >>> TrackableView.children(Checkpoint(w=Variable(1.0)))
    {'w': <tf.Variable 'Variable:0' shape=() dtype=float32, numpy=1.0>}
    """

    def __init__(self, root: Any) -> None:
        self._root = root

    @property
    def root(self) -> Any:
        """The object."""
        return self._root

    @classmethod
    def children(cls, obj: Any) -> dict[str, Any]:
        """Give the parts of an object by their names."""
        return dict(parts_of(obj))

    def descendants(self) -> list[Any]:
        """List the object and all its parts, the nearest first."""
        return [node.thing for node in graph(self._root)]
