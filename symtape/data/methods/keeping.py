"""Datasets in files of their own: `save`, `snapshot` and `load`."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from symtape.data.held import Held, text_in
from symtape.data.stages.base import INFINITE, Failed
from symtape.data.stages.files.keeping import CachedInFiles, Loaded, Place, read_index, stored
from symtape.data.stages.files.leaves import check_stored
from symtape.errors import NotFoundError, UnsupportedError
from symtape.tensor import dtypes
from symtape.tensor.convert import convert

_COMPRESSIONS = {None: "", "": "", "NONE": "", "AUTO": "", "GZIP": "GZIP"}


class Keeping(Held):
    """How datasets are kept in files, and read again."""

    def save(
        self,
        path: Any,
        compression: str | None = None,
        shard_func: Any = None,
        checkpoint_args: Any = None,
    ) -> None:
        """Write the elements into a folder, which is made; one that is there has these ones then.

        Elements are tensors, in tuples and dicts. `compression` is "GZIP", or None. The files are
        symtape's own. Raises `UnsupportedError` for other elements, for what has no end, for parts
        (`shard_func`), and for checkpoints on the way.

        >>> import tempfile
        >>> import symtape as tf
        >>> folder = tempfile.mkdtemp()
        >>> tf.data.Dataset.range(3).save(folder)
        >>> [int(n) for n in tf.data.Dataset.load(folder)]
        [0, 1, 2]
        """
        _refuse("save", shard_func=shard_func, checkpoint_args=checkpoint_args)
        place = _place("save", path, compression)
        check_stored(self.element_spec)
        if self.stage.cardinality == INFINITE:
            raise UnsupportedError("tf.data.Dataset.save: there is no end; take a number of them")
        try:
            Path(place.described).parent.mkdir(parents=True, exist_ok=True)
            deque(stored(place, self.stage.run(), self.element_spec), maxlen=0)
        except Failed as failure:
            raise failure.framed("SaveDatasetV2") from None

    def snapshot(
        self,
        path: Any,
        compression: str | None = "AUTO",
        reader_func: Any = None,
        shard_func: Any = None,
        name: str | None = None,
    ) -> Self:
        """Keep the elements of the first iteration that comes to its end, for all later ones.

        They are in a folder of this dataset's own within `path`: whether another one, of this
        process or a later one, makes the same elements nobody can tell, so it makes them. Raises
        `UnsupportedError` for elements that are no tensors, for the parts of `reader_func` and
        `shard_func`, and for an unknown `compression`.

        >>> import tempfile
        >>> import symtape as tf
        >>> dataset = tf.data.Dataset.range(5).shuffle(5).snapshot(tempfile.mkdtemp())
        >>> [int(n) for n in dataset] == [int(n) for n in dataset]
        True
        """
        _refuse("snapshot", reader_func=reader_func, shard_func=shard_func)
        packed = "AUTO" if compression == "SNAPPY" else compression
        folder = f"{text_in(convert(path, dtypes.string))}/{uuid4().hex}"
        place = _place("snapshot", folder, packed)
        check_stored(self.element_spec)
        Path(place.described).parent.mkdir(parents=True, exist_ok=True)
        return self._then("_MapDataset", CachedInFiles(self.stage, place))

    @classmethod
    def load(
        cls,
        path: Any,
        element_spec: Any = None,
        compression: str | None = None,
        reader_func: Any = None,
        wait: bool = False,
    ) -> Self:
        """Read what `save` has written with the same `compression`.

        Without `element_spec` elements are as they were; named tuples need one. What is there is
        whole: nothing is to `wait` for. Raises `NotFoundError` where nothing is, `FormatError` for
        files of another form, and, where an element is asked for, `InvalidArgumentError` for
        another spec and `DataLossError` for damaged files; `UnsupportedError` for a `reader_func`
        and another compression.

        >>> import symtape as tf
        >>> tf.data.Dataset.load("/no/such/folder")
        Traceback (most recent call last):
        symtape.errors.NotFoundError: there is no dataset in /no/such/folder
        """
        _refuse("load", reader_func=reader_func)
        place = _place("load", path, compression)
        try:
            index = read_index(place)
        except OSError:
            raise NotFoundError(message=f"there is no dataset in {text_in(path)}") from None
        spec = index.spec if element_spec is None else element_spec
        if spec is None:
            raise UnsupportedError(
                "tf.data.Dataset.load: the elements are no tuples and dicts; give element_spec="
            )
        return cls._of("_LoadDataset", Loaded(place, index, spec))


def _refuse(method: str, **arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise UnsupportedError(
                f"tf.data.Dataset.{method}: elements are in one file, in order; leave out {name}="
            )


def _place(method: str, path: Any, compression: Any) -> Place:
    if compression not in _COMPRESSIONS:
        raise UnsupportedError(
            f"tf.data.Dataset.{method}: compression={compression!r}; it is 'GZIP', or None"
        )
    return Place.folder(text_in(path), _COMPRESSIONS[compression])
