"""Datasets of tensors, numbers, generators, and other datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from symtape.data.elements.specs import DatasetSpec, NoneTensorSpec
from symtape.data.elements.structures import builder, flatten, mapped, up_to
from symtape.data.held import Held, truth, whole
from symtape.data.stages.generating import Generated
from symtape.data.stages.joining import Zip
from symtape.data.stages.sources import Range, Slices, Whole
from symtape.ops.checks.values import Assert
from symtape.ops.composite import CompositeSpec
from symtape.ops.files.reading import matching_files
from symtape.ops.spec import TensorSpec
from symtape.ops.strings.texts import reduce_join
from symtape.tensor import dtypes
from symtape.tensor.convert import convert


class Making(Held):
    """How datasets are made."""

    @classmethod
    def from_tensor_slices(cls, tensors: Any, name: str | None = None) -> Self:
        """Make a dataset of the rows of tensors along their first axis.

        `tensors` is a structure of them: tuples, named tuples, dicts; a list becomes a tensor.
        Raises `ValueError` for scalars, and for first axes of different sizes.

        >>> import symtape as tf
        >>> list(tf.data.Dataset.from_tensor_slices([1, 2]).as_numpy_iterator())
        [np.int32(1), np.int32(2)]
        """
        return cls._of("_TensorSliceDataset", Slices(tensors))

    @classmethod
    def from_tensors(cls, tensors: Any, name: str | None = None) -> Self:
        """Make a dataset of one element.

        >>> import symtape as tf
        >>> len(tf.data.Dataset.from_tensors([1, 2]))
        1
        """
        return cls._of("_TensorDataset", Whole(tensors))

    @classmethod
    def range(cls, *args: Any, **kwargs: Any) -> Self:
        """Count from a start (0) to a stop in steps (of 1); `output_type` is int64.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(5, 1, -2)]
        [5, 3]
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(
                "Invalid `args`. The length of `args` should be between 1 and 3 but was "
                f"{len(args)}."
            )
        dtype = dtypes.as_dtype(kwargs.pop("output_type", dtypes.int64))
        kwargs.pop("name", None)
        if kwargs:
            raise TypeError(
                f"tf.data.Dataset.range() got an unexpected keyword argument {next(iter(kwargs))!r}"
            )
        numbers = [whole(value) for value in args]
        start, stop, step = [0, *numbers, 1] if len(numbers) == 1 else [*numbers, 1][:3]
        return cls._of("_RangeDataset", Range(start, stop, step, dtype))

    @classmethod
    def counter(
        cls, start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64, name: str | None = None
    ) -> Self:
        """Count from a start without end.

        >>> import symtape as tf
        >>> [int(n) for n, _ in zip(tf.data.Dataset.counter(3, 2), "abc")]
        [3, 5, 7]
        """
        kind = dtypes.as_dtype(dtype)
        if kind.is_floating:  # added up, as TensorFlow does
            first, by = convert(start, kind), convert(step, kind)
            endless: Any = cls.from_tensors(0)
            counted: Self = endless.repeat().scan(first, lambda total, _: (total + by, total))
            return counted
        stop = -(1 << 62) if whole(step) < 0 else 1 << 62
        stage = Range(whole(start), stop, whole(step), kind, endless=True)
        return cls._of("_ScanDataset", stage)

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Self:
        """Put the elements of datasets side by side, in a structure as the datasets are in.

        It ends with the shortest.

        >>> import symtape as tf
        >>> pairs = tf.data.Dataset.zip(tf.data.Dataset.range(2), tf.data.Dataset.range(10, 13))
        >>> [(int(a), int(b)) for a, b in pairs]
        [(0, 10), (1, 11)]
        """
        if not args and datasets is None:
            raise TypeError("Must pass at least one dataset to `zip`.")
        if args and datasets is not None:
            raise TypeError("Both `*args` and `datasets` cannot be set.")
        if args:
            datasets = args[0] if len(args) == 1 else args
        found = flatten(datasets)
        for dataset in found:
            _check_zipped(dataset)
        made = cls._of("_ZipDataset", Zip([dataset.stage for dataset in found], datasets))
        for dataset in found:
            made.settings = made.settings.merge(dataset.settings)
        return made

    @classmethod
    def from_generator(
        cls,
        generator: Any,
        output_types: Any = None,
        output_shapes: Any = None,
        args: Sequence[Any] | None = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> Self:
        """Make a dataset of what a function's generator yields, called anew for each iteration.

        `output_signature` is a structure of `tf.TensorSpec`, or `output_types` and
        `output_shapes` one of dtypes and shapes. What is yielded is converted to these dtypes,
        but must be ragged or sparse where the spec is; `InvalidArgumentError` is raised for
        another structure or shape.

        >>> import symtape as tf
        >>> spec = tf.TensorSpec([], tf.float32)
        >>> halves = tf.data.Dataset.from_generator(
        ...     lambda: (n / 2 for n in range(3)), output_signature=spec
        ... )
        >>> [float(x) for x in halves]
        [0.0, 0.5, 1.0]
        """
        if not callable(generator):
            raise TypeError("`generator` must be a Python callable.")
        signature = _signature(output_types, output_shapes, output_signature)
        given = () if args is None else tuple([convert(arg).numpy() for arg in args])
        return cls._of("_FlatMapDataset", Generated(generator, signature, given))

    @classmethod
    def list_files(
        cls, file_pattern: Any, shuffle: Any = None, seed: Any = None, name: str | None = None
    ) -> Any:
        """Make a dataset of the names of the files that fit one or several patterns.

        Files are looked for now. Their order is random, and another one each time, unless
        `shuffle` is False; it is TensorFlow's for the same `seed` and global seed. Raises
        `InvalidArgumentError` if there is none.

        >>> import pathlib, tempfile
        >>> import symtape as tf
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> for name in ("b.txt", "a.txt"):
        ...     _ = (folder / name).write_text("")
        >>> found = tf.data.Dataset.list_files(str(folder / "*.txt"), shuffle=False)
        >>> [pathlib.Path(file.numpy().decode()).name for file in found]
        ['a.txt', 'b.txt']
        """
        patterns = convert(file_pattern, dtypes.string)
        files = matching_files(patterns)
        count = len(files)
        listed = reduce_join(patterns, separator=", ").numpy().decode()
        Assert(convert(count > 0), [f"No files matched pattern: {listed}"], summarize=1)
        names: Any = cls.from_tensor_slices(files)
        return names.shuffle(count, seed=seed) if shuffle is None or truth(shuffle) else names


def _check_zipped(dataset: Any) -> None:
    if isinstance(dataset, Held):
        return
    expected = "Inputs are expected to be (nested) structures of `tf.data.Dataset` objects"
    if isinstance(dataset, list):
        raise TypeError(
            f"Invalid input to `zip`. {expected}. Python `list` is not supported and you should "
            "use `tuple` instead."
        )
    raise TypeError(
        f"Invalid input to `zip`. {expected} but encountered object of type {type(dataset)}."
    )


def _signature(types: Any, shapes: Any, signature: Any) -> Any:
    """Read the signature of a generator; raises `TypeError` unless there is just one."""
    if signature is None:
        if types is None:
            raise TypeError(
                "To specify the output signature you need to provide either the "
                "`output_signature` argument or the `output_types` argument."
            )
        if shapes is None:
            return mapped(lambda dtype: TensorSpec(None, dtype), types)
        pairs = zip(flatten(types), up_to(types, shapes), strict=True)
        return builder(types)([TensorSpec(shape, dtype) for dtype, shape in pairs])
    for other, value in (("output_types", types), ("output_shapes", shapes)):
        if value is not None:
            raise TypeError(
                f"The `{other}` argument can not be used together with the `output_signature` "
                "argument."
            )
    for spec in flatten(signature):
        if not isinstance(spec, (TensorSpec, CompositeSpec, DatasetSpec, NoneTensorSpec)):
            raise TypeError(
                "`output_signature` must contain objects that are subclass of `tf.TypeSpec` but "
                f"found {type(spec)} which is not."
            )
    return signature
