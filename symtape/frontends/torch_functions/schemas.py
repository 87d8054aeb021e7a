"""One call of an ATen operation, read by its schema: what it reads, and what it writes into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from symtape.frontends.torch_functions.dtypes import torch_module

Values = Callable[[Any], Any]


def tensors_in(value: Any) -> Iterator[Any]:
    """List the torch tensors in an argument or a result, which may be a list of them."""
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_in(part)
    elif isinstance(value, torch_module().Tensor):
        yield value


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


class Call:
    """An operation with its arguments.

    Attributes:
        name: The operation and its overload: "add.Tensor".
        tensors: All torch tensors among the arguments.
        written: Those that the operation writes into.
    """

    def __init__(self, operation: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self.operation, self.args, self.kwargs = operation, args, kwargs
        schema = operation._schema  # noqa: SLF001 - what torch's own tools read
        self.full_name = str(operation)
        self.name = self.full_name.partition(".")[2]
        self.tensors = [*tensors_in(args), *tensors_in(kwargs)]
        self._only_written = set()
        self.written: list[Any] = []
        for k, argument in enumerate(schema.arguments):
            if argument.alias_info is not None and argument.alias_info.is_write:
                given = kwargs.get(argument.name) if k >= len(args) else args[k]
                self.written += tensors_in(given)
                if argument.kwarg_only:
                    self._only_written.add(argument.name)

    @property
    def is_about_shapes(self) -> bool:
        """Whether it looks at no elements: it asks for sizes, or its tensors have none."""
        return self.name.partition(".")[0] in _SHAPES or any(
            [t.device.type == "meta" for t in self.tensors]
        )

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


__all__ = ["Call", "mapped", "results_of", "tensors_in"]
