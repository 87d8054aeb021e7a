"""`tf.raw_ops`: TensorFlow's kernels by their names, each with the words that it takes."""

from functools import partial as _partial

from symtape.namespace import show
from symtape.stand_in.raw.calling import kernel
from symtape.stand_in.raw.kernels import KERNELS

__all__ = sorted(KERNELS)  # noqa: PLE0605 - a name for each kernel
show(
    __name__,
    __all__,
    {name: _partial(kernel, name) for name in KERNELS},
    path="tf.raw_ops",
    otherwise="use the public name of the operation",
)
