"""One call of an ATen operation, read by its schema: what it reads, and what it writes into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from symtape.frontends.torch_functions.dtypes import torch_module

Values = Callable[[Any], Any]


def tensors_in(value: Any) -> list[Any]:
    """List the torch tensors in an argument or a result, which may be a list of them."""
    kind, found, waiting = torch_module().Tensor, [], [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, kind):
            found.append(part)
        elif isinstance(part, (list, tuple)):
            waiting += reversed(part)
        elif isinstance(part, dict):
            waiting += reversed(part.values())
    return found


def mapped(value: Any, function: Values) -> Any:
    """Put what a function gives in place of each torch tensor of an argument."""
    if isinstance(value, (list, tuple)):
        return [mapped(part, function) for part in value]
    return function(value) if isinstance(value, torch_module().Tensor) else value


_SHAPES = frozenset(
    "is_same_size sym_size sym_numel sym_stride sym_storage_offset dim is_contiguous size stride "
    "_has_compatible_shallow_copy_type is_complex is_floating_point is_pinned _linalg_check_errors "
    "_assert_async _assert_tensor_metadata record_stream _use_cudnn_ctc_loss "
    "_use_miopen_ctc_loss".split()
)


class Written(NamedTuple):
    """An argument that an operation writes into: its place and name, and whether it needs that."""

    place: int
    name: str
    is_named: bool


@lru_cache(maxsize=4096)
def _schema(operation: Any) -> tuple[str, tuple[Written, ...]]:
    """Give the name of an operation and what it writes into, as its schema says."""
    arguments = operation._schema.arguments  # noqa: SLF001 - what torch's own tools read
    written = [
        Written(k, argument.name, argument.kwarg_only)
        for k, argument in enumerate(arguments)
        if argument.alias_info is not None and argument.alias_info.is_write
    ]
    return str(operation), tuple(written)


class Call:
    """An operation with its arguments.

    Attributes:
        name: The operation and its overload: "add.Tensor".
        tensors: All torch tensors among the arguments.
        written: Those that the operation writes into.
    """

    def __init__(self, operation: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self.operation, self.args, self.kwargs = operation, args, kwargs
        self.full_name, written = _schema(operation)
        self.name = self.full_name.partition(".")[2]
        self.tensors = tensors_in((args, kwargs))
        self._only_written = {own.name for own in written if own.is_named}
        self.written: list[Any] = []
        for own in written:
            given = kwargs.get(own.name) if own.place >= len(args) else args[own.place]
            self.written += tensors_in(given)

    @property
    def is_about_shapes(self) -> bool:
        """Whether it looks at no elements: it asks for sizes, or its tensors have none."""
        return self.name.partition(".")[0] in _SHAPES or any(
            [t.device.type == "meta" for t in self.tensors]
        )

    @property
    def widens(self) -> bool:
        """Whether torch computes with more digits than narrow tensors have, up to the result.

        What works element by element rounds once, however it is computed.
        """
        return torch_module().Tag.pointwise not in self.operation.tags

    @property
    def draws(self) -> bool:
        """Whether it draws random numbers: what it writes over decides none of them."""
        return torch_module().Tag.nondeterministic_seeded in self.operation.tags

    @property
    def decides_sizes(self) -> bool:
        """Whether the sizes of its results hang on values, as those of a list of places do."""
        return torch_module().Tag.dynamic_output_shape in self.operation.tags

    def beside(self, function: Values) -> tuple[list[Any], dict[str, Any]]:
        """Give the arguments with other values for tensors, without those only written into."""
        kwargs = {
            name: mapped(value, function)
            for name, value in self.kwargs.items()
            if name not in self._only_written
        }
        return [mapped(value, function) for value in self.args], kwargs

    def with_tensors(self, function: Values) -> tuple[list[Any], dict[str, Any]]:
        """Give all arguments with other values for tensors."""
        kwargs = {name: mapped(value, function) for name, value in self.kwargs.items()}
        return [mapped(value, function) for value in self.args], kwargs

    def __str__(self) -> str:
        shown = [f"{str(t.dtype).removeprefix('torch.')}{list(t.shape)}" for t in self.tensors]
        return f"{self.full_name}({', '.join(shown)})"


def results_of(result: Any) -> list[Any]:
    """List what an operation gave."""
    return list(result) if isinstance(result, (list, tuple)) else [result]
