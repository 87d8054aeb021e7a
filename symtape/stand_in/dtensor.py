"""TensorFlow's `dtensor`, of which there is nothing here: there is one processor."""

from symtape.namespace import show

__all__: list[str] = []
show(
    __name__,
    __all__,
    path="tf.experimental.dtensor",
    otherwise="there is one processor, and a tensor is whole; compute with it as it is",
)
