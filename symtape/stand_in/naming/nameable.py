"""What can be named, inherited from and asked for, and not used: packages that name it load.

Keras 2, TensorFlow Lite and graphs are not here, and neither is what rewrites code. A package that
has them in a default argument, in a test of types or as a base of a class works as far as nobody
uses them.
"""

from __future__ import annotations

from pkgutil import resolve_name
from types import ModuleType
from typing import Any, NoReturn

from symtape.errors import UnsupportedError

_GRAPHS = "it is built on TensorFlow's graphs and protocol buffers, and here are none"
OLDER_KERAS = "tf_keras"
_NO_GRAPHS = "there are no graphs and sessions: call functions, and decorate them with tf.function"
_NO_BUFFERS = "it is made of protocol buffers, and here are none; tf.save keeps what is here"
_BOUNDS = "use tf.random.stateless_parameterized_truncated_normal"
REASONS = {
    OLDER_KERAS: f"{_GRAPHS}: use keras, which is Keras 3 (pip install 'symtape[keras]')",
    "tf.lite": f"{_GRAPHS}: use tf.save, and lambdify for code that stands alone",
    "tf.core": _NO_BUFFERS,
    "tf.python.saved_model.nested_structure_coder": _NO_BUFFERS,
    "tf.queue": "use tf.data, or Python's queues",
    "tf.tpu": "there is one processor; leave out what places work on others",
    "tf.Graph": _NO_GRAPHS,
    "tf.compat.v1.Graph": _NO_GRAPHS,
    "tf.Operation": _NO_GRAPHS,
    "tf.compat.v1.Operation": _NO_GRAPHS,
    "tf.compat.v1.colocate_with": "there is one processor; leave it out",
    "tf.python.keras": "that is Keras 2 within TensorFlow; import from tensorflow.keras",
    "tf.python.ops.linalg.linear_operator_addition": "add what to_dense() gives",
    "tf.python.ops.nn_ops.Convolution": "use tf.nn.convolution",
    "tf.python.ops.random_ops.parameterized_truncated_normal": _BOUNDS,
    **dict.fromkeys(
        (
            *("tf.python.autograph.core.converter", "tf.python.autograph.converters"),
            "tf.python.autograph.pyct",
        ),
        "it rewrites code, and functions run as they are here",
    ),
}
"""Why what is below a name cannot be used, and what to do."""

_INSIDES = "tf.python."
_PARTS_OF_KERAS = (
    *("Input", "Model", "Sequential", "activations", "applications", "backend", "callbacks"),
    *("constraints", "datasets", "experimental", "export", "initializers", "layers", "losses"),
    *("metrics", "mixed_precision", "models", "optimizers", "preprocessing", "regularizers"),
    *("saving", "utils"),
)
"""What `from tf_keras import *` binds."""
_SCHEDULES = (
    *("CosineDecay", "CosineDecayRestarts", "ExponentialDecay", "InverseTimeDecay"),
    *("LearningRateSchedule", "PiecewiseConstantDecay", "PolynomialDecay"),
)
SAME = {
    f"{OLDER_KERAS}.optimizers.{name}": f"tensorflow.keras.optimizers:{name}"
    for name in (
        *("Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lion", "Nadam"),
        *("Optimizer", "RMSprop", "SGD", *(f"schedules.{name}" for name in _SCHEDULES)),
    )
}
"""What takes the same steps in Keras 2 and 3 (`tests/peers/test_probability.py` compares them)."""
_PRIVATE = ("__internal__", "_v1")
_OF_TENSORS = ("dtype", "numpy", "read", "read_value", "shape")
"""By these attributes it is told what is like a tensor: no name is."""
_RESULT = "()"
_REGISTERS = tuple(
    f"{OLDER_KERAS}.{name}"
    for name in (
        *("__internal__.", "utils.get_custom_objects", "utils.register_keras_serializable"),
        "saving.register_keras_serializable",
    )
)
"""By these packages register what they have as they load; nobody can ask for it."""
_MAKES = tuple(f"{OLDER_KERAS}.{name}." for name in ("constraints", "initializers", "regularizers"))
"""Below these, small letters are classes, too."""


def reason_of(name: str) -> str | None:
    """Say why a name can only be named; None for what is here, or has no such name at all.

    >>> reason_of("tf.math.exp"), reason_of("tf.lite.Interpreter") is None
    (None, False)
    """
    parts = name.replace(_RESULT, "").split(".")
    if parts[:3] == ["tf", "compat", "v2"]:
        parts = ["tf", *parts[3:]]
    above = (".".join(parts[:k]) for k in range(len(parts), 0, -1))
    return next((REASONS[path] for path in above if path in REASONS), None)


class Nameable(ModuleType):
    """A name that is not here, and what it holds and gives; using that raises `UnsupportedError`.

    >>> lite = Nameable("tf.lite")
    >>> isinstance(3, lite.Interpreter), lite.OpsSet.SELECT
    (False, <not here: tf.lite.OpsSet.SELECT>)
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []
        self.__all__ = [*_PARTS_OF_KERAS] if name == OLDER_KERAS else []
        self._base = type(name.rpartition(".")[2], (), {"__new__": _refusing(self)})

    def __getattr__(self, name: str) -> Any:
        if name in _OF_TENSORS or (name.startswith("_") and not self._may_hold(name)):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if self.__name__.endswith(_RESULT) and not self._registers:
            self.refuse()
        full = f"{self.__name__}.{name}"
        made = resolve_name(SAME[full]) if full in SAME else Nameable(full)
        setattr(self, name, made)
        return made

    def _may_hold(self, name: str) -> bool:
        """Say whether a name with an underscore is one; private modules hold private functions."""
        return name in _PRIVATE or (
            self.__name__.startswith(_INSIDES) and not name.startswith("__") and name[-1] != "_"
        )

    @property
    def _registers(self) -> bool:
        return self.__name__.startswith(_REGISTERS)

    def __call__(self, *args: Any, **kwargs: Any) -> Nameable:
        """Give what stands for an object of a class, and for what packages register.

        Other functions have effects, and are refused.
        """
        is_class = self.__name__.rpartition(".")[2][:1].isupper()
        makes = is_class and self.__name__.startswith(OLDER_KERAS)
        if not (makes or self.__name__.startswith(_MAKES) or self._registers):
            self.refuse()
        return Nameable(f"{self.__name__}{_RESULT}")

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type]:
        return (self._base,)

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self._base)

    def __subclasscheck__(self, subclass: type) -> bool:
        return issubclass(subclass, self._base)

    def __or__(self, other: Any) -> Any:
        """Join types in an annotation, where any of them may be none of a class."""
        return other | self._base if isinstance(other, type) else self._base

    __ror__ = __or__

    def refuse(self, *_: Any) -> NoReturn:
        """Say why this cannot be used."""
        raise UnsupportedError(f"{self.__name__}: {reason_of(self.__name__)}")

    __bool__ = __iter__ = __len__ = __getitem__ = __array__ = __enter__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = refuse
    __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = __float__ = __int__ = __index__ = refuse

    def __setitem__(self, key: Any, value: Any) -> None:
        """Take what is registered: nothing of it can be used."""

    def __exit__(self, *_: object) -> None:
        """Stand beside `__enter__`, which refuses."""

    def __repr__(self) -> str:
        return f"<not here: {self.__name__}>"


def _refusing(nameable: Nameable) -> Any:
    """Make what a class that inherits from a name does instead of making an object."""

    def made(cls: type, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(
            f"{cls.__name__}: {nameable.__name__}, from which it inherits: "
            f"{reason_of(nameable.__name__)}"
        )

    return made
