"""Ways by which a number gets into a function besides its arguments, each with a change of it.

Each function gives a reader, a function without arguments that gives 2 at first, and what makes it
give 3. A reader may read in any way that Python has.
"""

from __future__ import annotations

import abc
import argparse
import contextvars
import copy
import ctypes
import dataclasses
import decimal
import functools
import inspect
import itertools
import operator
import os
import sys
import tempfile
import threading
import types
import weakref
from collections import ChainMap, UserDict, UserList, defaultdict, deque, namedtuple
from typing import Any

import mpmath
import numpy as np

import symtape as tf

RATE = 2.0
TABLE: dict[str, Any] = {}
MODULE = sys.modules[__name__]


def a_global():
    MODULE.RATE = 2.0
    return lambda: RATE, lambda: setattr(MODULE, "RATE", 3.0)


def a_cell():
    rate = 2.0

    def change():
        nonlocal rate
        rate = 3.0

    return lambda: rate, change


def a_cell_of_a_cell():
    rate = 2.0

    def outer():
        return (lambda: rate)()

    def change():
        nonlocal rate
        rate = 3.0

    return outer, change


def a_default():
    def read(rate=2.0):
        return rate

    return read, lambda: setattr(read, "__defaults__", (3.0,))


def a_keyword_default():
    def read(*, rate=2.0):
        return rate

    return read, lambda: setattr(read, "__kwdefaults__", {"rate": 3.0})


def a_keyword_default_in_place():
    def read(*, rate=2.0):
        return rate

    return read, lambda: read.__kwdefaults__.update(rate=3.0)


def a_list_as_default():
    kept = [2.0]

    def read(kept=kept):
        return kept[0]

    return read, lambda: kept.__setitem__(0, 3.0)


def other_code():
    def read():
        return 2.0

    def other():
        return 3.0

    return read, lambda: setattr(read, "__code__", other.__code__)


def an_attribute_of_a_function():
    def read():
        return read.rate

    read.rate = 2.0
    return read, lambda: setattr(read, "rate", 3.0)


def an_attribute_that_a_function_gets():
    def read():
        try:
            return read.rate
        except AttributeError:
            return 2.0

    return read, lambda: setattr(read, "rate", 3.0)


def another_function():
    inner = lambda: 2.0  # noqa: E731 - replaced below

    def change():
        nonlocal inner
        inner = lambda: 3.0  # noqa: E731 - likewise

    return lambda: inner(), change


def a_list():
    kept = [2.0, 5.0]
    return lambda: kept[0], lambda: kept.__setitem__(0, 3.0)


def the_length_of_a_list():
    kept = [0, 0]
    return lambda: float(len(kept)), lambda: kept.append(0)


def the_sum_of_a_list():
    kept = [1.0, 1.0]
    return lambda: sum(kept), lambda: kept.append(1.0)


def the_last_of_a_list():
    kept = [1.0, 2.0]
    return lambda: kept[-1], lambda: kept.append(3.0)


def a_slice_of_a_list():
    kept = [1.0, 1.0, 7.0]
    return lambda: sum(kept[:2]), lambda: kept.__setitem__(1, 2.0)


def a_list_of_lists():
    kept = [[2.0]]
    return lambda: kept[0][0], lambda: kept[0].__setitem__(0, 3.0)


def a_list_in_a_tuple():
    kept = ([2.0],)
    return lambda: kept[0][0], lambda: kept[0].__setitem__(0, 3.0)


def whether_a_list_is_empty():
    kept: list[int] = []
    return lambda: 3.0 if kept else 2.0, lambda: kept.append(1)


def whether_something_is_in_a_list():
    kept = [1]
    return lambda: 3.0 if 2 in kept else 2.0, lambda: kept.append(2)


def a_list_that_is_unpacked():
    kept = [2.0, 0.0]

    def read():
        rate, _ = kept
        return rate

    return read, lambda: kept.__setitem__(0, 3.0)


def a_list_that_is_compared():
    kept = [1]
    return lambda: 2.0 if kept == [1] else 3.0, lambda: kept.append(1)


def a_list_that_is_matched():
    kept = [1]

    def read():
        match kept:
            case [_]:
                return 2.0
            case _:
                return 3.0

    return read, lambda: kept.append(1)


def a_dict():
    kept = {"rate": 2.0}
    return lambda: kept["rate"], lambda: kept.update(rate=3.0)


def a_dict_that_lacks_a_key():
    kept: dict[str, float] = {}
    return lambda: kept.get("rate", 2.0), lambda: kept.update(rate=3.0)


def a_key_in_a_dict():
    kept: dict[str, float] = {}
    return lambda: 3.0 if "rate" in kept else 2.0, lambda: kept.update(rate=0.0)


def the_values_of_a_dict():
    kept = {"a": 1.0, "b": 1.0}
    return lambda: sum(kept.values()), lambda: kept.update(b=2.0)


def the_first_key_of_a_dict():
    kept = {2.0: 0, 3.0: 0}
    return lambda: next(iter(kept)), lambda: kept.update({2.0: kept.pop(2.0)})


def a_dict_as_keywords():
    kept = {"rate": 2.0}
    return lambda: dict(**kept)["rate"], lambda: kept.update(rate=3.0)


def a_missing_key():
    kept: dict[str, float] = {}

    def read():
        try:
            return kept["rate"]
        except KeyError:
            return 2.0

    return read, lambda: kept.update(rate=3.0)


def a_default_dict():
    kept = defaultdict(lambda: 2.0)
    return lambda: kept["rate"], lambda: kept.update(rate=3.0)


def a_chain_map():
    kept = ChainMap({}, {"rate": 2.0})
    return lambda: kept["rate"], lambda: kept.maps[0].update(rate=3.0)


def a_user_dict():
    kept = UserDict(rate=2.0)
    return lambda: kept["rate"], lambda: kept.update(rate=3.0)


def a_user_list():
    kept = UserList([2.0])
    return lambda: kept[0], lambda: kept.__setitem__(0, 3.0)


def a_view_of_a_dict():
    kept = {"rate": 2.0}
    view = types.MappingProxyType(kept)
    return lambda: view["rate"], lambda: kept.update(rate=3.0)


def a_deque():
    kept = deque([2.0])
    return lambda: kept[0], lambda: kept.__setitem__(0, 3.0)


def a_set():
    kept = {2.0}
    return lambda: max(kept), lambda: kept.add(3.0)


def some_bytes():
    kept = bytearray([2])
    return lambda: float(kept[0]), lambda: kept.__setitem__(0, 3)


def an_iterator():
    numbers = itertools.chain([2.0] * 1, itertools.repeat(3.0))
    return lambda: next(numbers), lambda: None


def a_generator():
    def steps():
        yield 2.0
        while True:
            yield 3.0

    numbers = steps()
    return lambda: next(numbers), lambda: None


class Base:
    """What others inherit from."""

    rate = 2.0


def an_attribute():
    kept = types.new_class("Kept")()
    kept.rate = 2.0
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def an_attribute_of_an_attribute():
    kept, inner = types.new_class("Kept")(), types.new_class("Inner")()
    kept.inner, inner.rate = inner, 2.0
    return lambda: kept.inner.rate, lambda: setattr(inner, "rate", 3.0)


def an_attribute_of_a_class():
    kept = type("Kept", (), {"rate": 2.0})
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def an_attribute_of_a_base():
    base = type("Base", (), {"rate": 2.0})
    kept = type("Kept", (base,), {})
    return lambda: kept.rate, lambda: setattr(base, "rate", 3.0)


def an_attribute_of_the_base_of_an_object():
    base = type("Base", (), {"rate": 2.0})
    kept = type("Kept", (base,), {})()
    return lambda: kept.rate, lambda: setattr(base, "rate", 3.0)


def an_attribute_that_hides_that_of_the_base():
    base = type("Base", (), {"rate": 2.0})
    kept = type("Kept", (base,), {})
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def an_attribute_that_hides_that_of_the_class():
    kept = type("Kept", (), {"rate": 2.0})()
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def an_attribute_of_a_metaclass():
    meta = type("Meta", (type,), {"rate": 2.0})
    kept = meta("Kept", (), {})
    return lambda: kept.rate, lambda: setattr(meta, "rate", 3.0)


def an_attribute_of_an_abstract_class():
    class Kept(abc.ABC):
        rate = 2.0

    return lambda: Kept.rate, lambda: setattr(Kept, "rate", 3.0)


def a_property():
    class Kept:
        own = 2.0

        @property
        def rate(self):
            return self.own

    kept = Kept()
    return lambda: kept.rate, lambda: setattr(kept, "own", 3.0)


def a_property_that_is_replaced():
    kept = type("Kept", (), {"rate": property(lambda self: 2.0)})
    own = kept()
    return lambda: own.rate, lambda: setattr(kept, "rate", property(lambda self: 3.0))


def a_cached_property():
    class Kept:
        own = 2.0

        @functools.cached_property
        def rate(self):
            return self.own

    kept = Kept()

    def change():
        kept.own = 3.0
        kept.__dict__.pop("rate", None)

    return lambda: kept.rate, change


def a_descriptor():
    class Rate:
        own = 2.0

        def __get__(self, instance, owner):
            return self.own

    kept = type("Kept", (), {"rate": Rate()})
    return lambda: kept.rate, lambda: setattr(Rate, "own", 3.0)


def a_descriptor_of_an_object():
    class Rate:
        own = 2.0

        def __get__(self, instance, owner):
            return self.own

        def __set__(self, instance, value):
            raise AttributeError

    kept = type("Kept", (), {"rate": Rate()})()
    return lambda: kept.rate, lambda: setattr(Rate, "own", 3.0)


def a_slot():
    class Kept:
        __slots__ = ("rate",)

    kept = Kept()
    kept.rate = 2.0
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def a_missing_attribute():
    class Kept:
        own = {"rate": 2.0}

        def __getattr__(self, name):
            return self.own[name]

    kept = Kept()
    return lambda: kept.rate, lambda: Kept.own.update(rate=3.0)


def every_attribute():
    class Kept:
        own = 2.0

        def __getattribute__(self, name):
            return Kept.own

    kept = Kept()
    return lambda: kept.rate, lambda: type.__setattr__(Kept, "own", 3.0)


def another_dict_of_attributes():
    kept = types.new_class("Kept")()
    kept.rate = 2.0
    return lambda: kept.rate, lambda: setattr(kept, "__dict__", {"rate": 3.0})


def another_class():
    kept = type("Kept", (), {"rate": 2.0})()
    other = type("Other", (), {"rate": 3.0})
    return lambda: kept.rate, lambda: setattr(kept, "__class__", other)


def another_base():
    one, other = type("One", (), {"rate": 2.0}), type("Other", (), {"rate": 3.0})
    kept = type("Kept", (one,), {})
    return lambda: kept.rate, lambda: setattr(kept, "__bases__", (other,))


def a_method():
    class Kept:
        own = 2.0

        def rate(self):
            return self.own

    kept = Kept()
    return lambda: kept.rate(), lambda: setattr(kept, "own", 3.0)


def a_bound_method():
    class Kept:
        own = 2.0

        def rate(self):
            return self.own

    kept = Kept()
    return kept.rate, lambda: setattr(kept, "own", 3.0)


def a_method_that_is_replaced():
    kept = type("Kept", (), {"rate": lambda self: 2.0})
    own = kept()
    return lambda: own.rate(), lambda: setattr(kept, "rate", lambda self: 3.0)


def a_static_method():
    own = [2.0]
    kept = type("Kept", (), {"rate": staticmethod(lambda: own[0])})
    return lambda: kept.rate(), lambda: own.__setitem__(0, 3.0)


def a_class_method():
    kept = type("Kept", (), {"own": 2.0, "rate": classmethod(lambda cls: cls.own)})
    return lambda: kept.rate(), lambda: setattr(kept, "own", 3.0)


def an_inherited_method():
    class Kept(Base):
        def rate_of(self):
            return super().rate

    kept = Kept()
    Base.rate = 2.0
    return lambda: kept.rate_of(), lambda: setattr(Base, "rate", 3.0)


def a_call_of_an_object():
    class Kept:
        own = 2.0

        def __call__(self):
            return self.own

    kept = Kept()
    return kept, lambda: setattr(kept, "own", 3.0)


def the_truth_of_an_object_with_a_length():
    class Kept:
        own = (2.0,)

        def __len__(self):
            return len(self.own)

    kept = Kept()
    return lambda: 2.0 if kept else 3.0, lambda: setattr(kept, "own", ())


def an_object_that_is_there_or_not():
    kept = types.new_class("Kept")()
    kept.model = types.new_class("Model")()
    return lambda: 2.0 if kept.model else 3.0, lambda: setattr(kept, "model", None)


def the_truth_of_a_list():
    kept = [0.0]
    return lambda: 2.0 if kept else 3.0, kept.clear


def the_truth_of_a_dict():
    kept = {"rate": 0.0}
    return lambda: 2.0 if kept else 3.0, kept.clear


def what_a_descriptor_makes_of_an_attribute():
    class Doubled:
        def __get__(self, thing, kind=None):
            return 2.0 * thing.__dict__["rate"]

        def __set__(self, thing, value):
            thing.__dict__["rate"] = value

    kept = type("Kept", (), {"rate": Doubled()})()
    kept.rate = 1.0
    return lambda: kept.rate, lambda: setattr(kept, "rate", 1.5)


def an_element_of_an_object():
    class Kept:
        own = 2.0

        def __getitem__(self, key):
            return self.own

    kept = Kept()
    return lambda: kept["rate"], lambda: setattr(kept, "own", 3.0)


def the_length_of_an_object():
    class Kept:
        own = 2

        def __len__(self):
            return self.own

    kept = Kept()
    return lambda: float(len(kept)), lambda: setattr(kept, "own", 3)


def the_elements_of_an_object():
    class Kept:
        own = 2.0

        def __iter__(self):
            return iter([self.own])

    kept = Kept()
    return lambda: sum(kept), lambda: setattr(kept, "own", 3.0)


def the_truth_of_an_object():
    class Kept:
        own = False

        def __bool__(self):
            return self.own

    kept = Kept()
    return lambda: 3.0 if kept else 2.0, lambda: setattr(kept, "own", True)


def the_truth_that_an_object_gets():
    kept = type("Kept", (), {})
    own = kept()
    return lambda: 2.0 if own else 3.0, lambda: setattr(kept, "__bool__", lambda self: False)


def an_operator_of_an_object():
    class Kept:
        own = 2.0

        def __mul__(self, other):
            return self.own * other

    kept = Kept()
    return lambda: kept * 1.0, lambda: setattr(kept, "own", 3.0)


def the_text_of_an_object():
    class Kept:
        own = "2"

        def __str__(self):
            return self.own

    kept = Kept()
    return lambda: float(str(kept)), lambda: setattr(kept, "own", "3")


def a_context():
    class Kept:
        own = 2.0

        def __enter__(self):
            return self.own

        def __exit__(self, *_):
            return None

    kept = Kept()

    def read():
        with kept as rate:
            return rate

    return read, lambda: setattr(kept, "own", 3.0)


def whether_it_is_an_instance():
    kind = types.new_class("Kept")
    kept = kind()
    other = types.new_class("Other")
    return (
        lambda: 2.0 if isinstance(kept, kind) else 3.0,
        lambda: setattr(kept, "__class__", other),
    )


def a_data_class():
    @dataclasses.dataclass
    class Kept:
        rate: float = 2.0

    kept = Kept()
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def a_new_data_class():
    @dataclasses.dataclass
    class Kept:
        rate: float = 2.0

    def read():
        return Kept().rate

    return read, lambda: setattr(Kept.__init__, "__defaults__", (3.0,))


def a_named_tuple():
    kind = namedtuple("Kept", ["rates"])  # noqa: PYI024 - as people make them
    kept = kind([2.0])
    return lambda: kept.rates[0], lambda: kept.rates.__setitem__(0, 3.0)


def a_simple_namespace():
    kept = types.SimpleNamespace(rate=2.0)
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def options_of_a_command():
    kept = argparse.Namespace(rate=2.0)
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def a_local_of_a_thread():
    kept = threading.local()
    kept.rate = 2.0
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def a_module():
    kept = types.ModuleType("kept")
    kept.rate = 2.0
    return lambda: kept.rate, lambda: setattr(kept, "rate", 3.0)


def a_module_imported_inside():
    kept = types.ModuleType("symtape_test_kept")
    kept.rate = 2.0
    sys.modules["symtape_test_kept"] = kept

    def read():
        import symtape_test_kept  # noqa: PLC0415 - that is the way

        return symtape_test_kept.rate

    return read, lambda: setattr(kept, "rate", 3.0)


def a_function_of_a_module():
    kept = types.ModuleType("kept")
    kept.rate = lambda: 2.0
    return lambda: kept.rate(), lambda: setattr(kept, "rate", lambda: 3.0)


def a_builtin_that_is_hidden():
    names: dict[str, Any] = {}
    exec("def read(): return float(abs(-2))", names)  # noqa: S102 - a module of its own
    return names["read"], lambda: names.update(abs=lambda _: 3)


def a_partial():
    kept = functools.partial(lambda rate: rate, rate=2.0)
    return kept, lambda: kept.keywords.update(rate=3.0)


def a_partial_of_a_list():
    own = [2.0]
    kept = functools.partial(lambda rates: rates[0], own)
    return kept, lambda: own.__setitem__(0, 3.0)


def a_memory():
    own = [2.0]

    @functools.lru_cache
    def read():
        return own[0]

    def change():
        own[0] = 3.0
        read.cache_clear()

    return lambda: read(), change


def a_wrapped_function():
    own = [2.0]

    def decorated(function):
        @functools.wraps(function)
        def wrapper():
            return function() * own[0]

        return wrapper

    return decorated(lambda: 1.0), lambda: own.__setitem__(0, 3.0)


def a_tf_function():
    own = [2.0]
    return tf.function(lambda: tf.cast(own[0], tf.float64)), lambda: own.__setitem__(0, 3.0)


def a_weak_reference():
    kept = types.new_class("Kept")()
    kept.rate = 2.0
    seen = weakref.ref(kept)
    return lambda kept=kept: seen().rate, lambda: setattr(kept, "rate", 3.0)


def a_context_variable():
    kept = contextvars.ContextVar("kept", default=2.0)
    return kept.get, lambda: kept.set(3.0)


def a_getter():
    kept, get = types.SimpleNamespace(rate=2.0), operator.attrgetter("rate")
    return lambda: get(kept), lambda: setattr(kept, "rate", 3.0)


def a_name_that_is_computed():
    kept = types.new_class("Kept")()
    kept.rate = 2.0
    return lambda: getattr(kept, "ra" + "te"[:2]), lambda: setattr(kept, "rate", 3.0)


def all_attributes():
    kept = types.new_class("Kept")()
    kept.rate = 2.0
    return lambda: vars(kept)["rate"], lambda: setattr(kept, "rate", 3.0)


def the_dict_of_attributes():
    kept = types.new_class("Kept")()
    kept.rate = 2.0
    return lambda: kept.__dict__["rate"], lambda: setattr(kept, "rate", 3.0)


def all_globals():
    TABLE["rate"] = 2.0
    return lambda: globals()["TABLE"]["rate"], lambda: TABLE.update(rate=3.0)


def code_in_a_text():
    TABLE["rate"] = 2.0
    return lambda: eval("TABLE['rate']"), lambda: TABLE.update(rate=3.0)  # noqa: S307 - that is the way


def the_globals_of_a_function():
    TABLE["rate"] = 2.0
    read = lambda: read.__globals__["TABLE"]["rate"]  # noqa: E731 - as short as it is
    return read, lambda: TABLE.update(rate=3.0)


def the_frame_of_a_generator():
    TABLE["rate"] = 2.0

    def read():
        own = (k for k in [0])
        return own.gi_frame.f_globals["TABLE"]["rate"]

    return read, lambda: TABLE.update(rate=3.0)


def the_frame_of_the_caller():
    TABLE["rate"] = 2.0
    return lambda: inspect.currentframe().f_globals["TABLE"]["rate"], lambda: TABLE.update(rate=3.0)


def the_cell_of_a_function():
    rate = 2.0
    inner = lambda: rate  # noqa: E731 - as short as it is

    def change():
        nonlocal rate
        rate = 3.0

    return lambda: inner.__closure__[0].cell_contents, change


def the_environment():
    os.environ["SYMTAPE_KEPT"] = "2"
    change = functools.partial(os.environ.__setitem__, "SYMTAPE_KEPT", "3")
    return lambda: float(os.environ["SYMTAPE_KEPT"]), change


def a_file():
    handle, path = tempfile.mkstemp()
    os.close(handle)

    def write(text):
        with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - as people do
            file.write(text)

    def read():
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - as people do
            return float(file.read())

    write("2")
    return read, lambda: write("3")


def a_file_of_numbers():
    handle, path = tempfile.mkstemp()
    os.close(handle)
    np.savetxt(path, [2.0])
    return lambda: float(np.loadtxt(path)), lambda: np.savetxt(path, [3.0])


def memory_of_c():
    kept = (ctypes.c_double * 1)(2.0)
    return lambda: kept[0], lambda: kept.__setitem__(0, 3.0)


def digits_of_mpmath():
    mpmath.mp.dps = 2

    def change():
        mpmath.mp.dps = 3

    return lambda: float(mpmath.mp.dps), change


def digits_that_mpmath_computes_with():
    mpmath.mp.dps = 2

    def change():
        mpmath.mp.dps = 30

    return lambda: 2.0 if abs(mpmath.mpf(1) / 3 - 1 / 3) > 1e-6 else 3.0, change


def digits_of_decimals():
    decimal.getcontext().prec = 2

    def change():
        decimal.getcontext().prec = 3

    return lambda: float(decimal.getcontext().prec), change


def digits_that_decimals_have():
    decimal.getcontext().prec = 1

    def change():
        decimal.getcontext().prec = 8

    one, two = decimal.Decimal(9), decimal.Decimal(4)
    return lambda: 2.0 if float(one / two) == 2.0 else 3.0, change


def the_dtype_of_weights():
    tf.keras.backend.set_floatx("float32")

    def read():
        return 2.0 if tf.keras.backend.floatx() == "float32" else 3.0

    return read, lambda: tf.keras.backend.set_floatx("float64")


def the_small_number_of_losses():
    tf.keras.backend.set_epsilon(2.0)
    return tf.keras.backend.epsilon, lambda: tf.keras.backend.set_epsilon(3.0)


def whether_functions_run_eagerly():
    tf.config.run_functions_eagerly(run_eagerly=False)

    def read():
        return 3.0 if tf.config.functions_run_eagerly() else 2.0

    return read, lambda: tf.config.run_functions_eagerly(run_eagerly=True)


def an_element_of_an_array():
    data = np.array([2.0, 5.0])
    return lambda: data[0], lambda: data.__setitem__(0, 3.0)


def an_array_without_axes():
    data = np.array(2.0)
    return lambda: data, lambda: data.__setitem__((), 3.0)


def an_array_that_is_summed():
    data = np.array([1.0, 1.0])
    return lambda: data.sum(), lambda: data.__setitem__(0, 2.0)


def an_array_that_numpy_sums():
    data = np.array([1.0, 1.0])
    return lambda: np.sum(data), lambda: data.__setitem__(0, 2.0)


def an_array_that_tensorflow_sums():
    data = np.array([1.0, 1.0])
    return lambda: tf.reduce_sum(data), lambda: data.__setitem__(0, 2.0)


def an_array_that_python_sums():
    data = np.array([1.0, 1.0])
    return lambda: sum(data), lambda: data.__setitem__(0, 2.0)


def an_array_that_is_copied():
    data = np.array([1.0, 1.0])
    return lambda: np.array(data).sum(), lambda: data.__setitem__(0, 2.0)


def an_array_that_is_a_list():
    data = np.array([2.0])
    return lambda: data.tolist()[0], lambda: data.__setitem__(0, 3.0)


def an_array_that_is_a_number():
    data = np.array([2.0])
    return lambda: float(data[0]), lambda: data.__setitem__(0, 3.0)


def the_size_of_an_array():
    data = [np.zeros(2)]
    return lambda: float(data[0].size), lambda: data.__setitem__(0, np.zeros(3))


def the_length_of_an_array():
    data = np.zeros(2)

    def change():
        nonlocal data
        data = np.zeros(3)

    return lambda: float(len(data)), change


def the_dtype_of_an_array():
    data = np.zeros(2)

    def change():
        nonlocal data
        data = np.zeros(2, np.float32)

    return lambda: 2.0 if data.dtype == np.float64 else 3.0, change


def what_an_array_is():
    data: Any = np.zeros(2)

    def change():
        nonlocal data
        data = [0.0, 0.0]

    return lambda: 2.0 if isinstance(data, np.ndarray) else 3.0, change


def a_view_of_an_array():
    data = np.array([[1.0, 2.0], [3.0, 4.0]])
    view = data[:, 1]
    return lambda: view[0], lambda: data.__setitem__((0, 1), 3.0)


def the_transpose_of_an_array():
    data = np.array([[1.0, 2.0], [3.0, 4.0]])
    return lambda: data.T[1, 0], lambda: data.__setitem__((0, 1), 3.0)


def a_condition_of_an_array():
    data = np.array([1.0, -1.0])
    return lambda: 3.0 if (data > 0).all() else 2.0, lambda: data.__setitem__(1, 1.0)


def the_norm_of_an_array():
    data = np.array([2.0, 0.0])
    return lambda: np.linalg.norm(data), lambda: data.__setitem__(0, 3.0)


def the_eigenvalue_of_an_array():
    data = np.diag([1.0, 2.0])
    return lambda: np.linalg.eigh(data)[0][1], lambda: data.__setitem__((1, 1), 3.0)


def an_array_of_integers():
    data = np.array([2, 7])
    return lambda: data[0] * 1.0, lambda: data.__setitem__(0, 3)


def an_array_of_objects():
    data = np.array([2.0, None])
    return lambda: data[0], lambda: data.__setitem__(0, 3.0)


def an_array_of_records():
    data = np.array([(2.0, 1)], dtype=[("rate", float), ("n", int)])
    return lambda: data["rate"][0], lambda: data.__setitem__(0, (3.0, 1))


def a_masked_array():
    data = np.ma.array([2.0, 5.0])
    return lambda: float(data[0]), lambda: data.__setitem__(0, 3.0)


def an_iterator_over_an_array():
    data = np.array([2.0])
    return lambda: next(iter(data.flat)), lambda: data.__setitem__(0, 3.0)


def memory_of_an_array():
    data = np.array([2.0])
    view = memoryview(data)
    return lambda: view[0], lambda: data.__setitem__(0, 3.0)


def an_array_that_is_read_only():
    data = np.array([2.0])
    view = data[:]
    view.flags.writeable = False
    return lambda: view[0], lambda: data.__setitem__(0, 3.0)


def an_array_in_a_list():
    data = [np.array([2.0])]
    return lambda: data[0][0], lambda: data[0].__setitem__(0, 3.0)


def an_array_in_a_tuple():
    data = (np.array([2.0]),)
    return lambda: data[0][0], lambda: data[0].__setitem__(0, 3.0)


def another_array_in_a_list():
    data = [np.array([2.0])]
    return lambda: data[0][0], lambda: data.__setitem__(0, np.array([3.0]))


def an_array_by_another_name():
    one = np.array([1.0])
    both = [one, one]
    return lambda: both[0][0] + both[1][0], lambda: both.__setitem__(1, np.array([2.0]))


def an_array_in_an_object():
    kept = types.new_class("Kept")()
    kept.data = np.array([2.0])
    return lambda: kept.data[0], lambda: setattr(kept, "data", np.array([3.0]))


def an_array_as_default():
    data = np.array([2.0])

    def read(data=data):
        return data[0]

    return read, lambda: data.__setitem__(0, 3.0)


def a_matrix_of_scipy():
    from scipy import sparse  # noqa: PLC0415 - an extra

    data = sparse.csr_array(np.array([[2.0]]))
    return lambda: data.sum(), lambda: data.data.__setitem__(0, 3.0)


def a_variable():
    kept = tf.Variable(2.0, dtype=tf.float64)
    return lambda: kept, lambda: kept.assign(3.0)


def another_variable():
    kept = [tf.Variable(2.0, dtype=tf.float64)]
    return lambda: kept[0], lambda: kept.__setitem__(0, tf.Variable(3.0, dtype=tf.float64))


def the_number_of_a_variable():
    kept = tf.Variable(2.0, dtype=tf.float64)
    return lambda: float(kept), lambda: kept.assign(3.0)


def the_array_of_a_variable():
    kept = tf.Variable(2.0, dtype=tf.float64)
    return lambda: kept.numpy(), lambda: kept.assign(3.0)


def the_shape_of_a_variable():
    kept = [tf.Variable([0.0, 0.0])]
    return lambda: float(kept[0].shape[0]), lambda: kept.__setitem__(0, tf.Variable([0.0] * 3))


def a_variable_and_its_number():
    kept = tf.Variable(1.0, dtype=tf.float64)
    return lambda: kept + float(kept), lambda: kept.assign(1.5)


def another_tensor():
    kept = [tf.constant(2.0, tf.float64)]
    return lambda: kept[0], lambda: kept.__setitem__(0, tf.constant(3.0, tf.float64))


def a_module_of_tensorflow():
    class Kept(tf.Module):
        def __init__(self):
            super().__init__()
            self.rate = tf.Variable(2.0, dtype=tf.float64)

    kept = Kept()
    return lambda: kept.rate, lambda: setattr(kept, "rate", tf.Variable(3.0, dtype=tf.float64))


def a_derivative_of_a_function():
    own = [1.0]
    inner = tf.grad(lambda z: own[0] * z * z)

    return lambda: inner(1.0), lambda: own.__setitem__(0, 1.5)


def a_derivative_of_an_array():
    own = np.array([1.0])
    inner = tf.grad(lambda z: own[0] * z * z)
    return lambda: inner(1.0), lambda: own.__setitem__(0, 1.5)


def a_copy_of_a_list():
    kept = [2.0]
    return lambda: copy.copy(kept)[0], lambda: kept.__setitem__(0, 3.0)


def a_sorted_list():
    kept = [5.0, 2.0]
    return lambda: sorted(kept)[0], lambda: kept.__setitem__(1, 3.0)


def a_list_through_map():
    kept = [2.0]
    return lambda: next(map(lambda rate: rate, kept)), lambda: kept.__setitem__(0, 3.0)


def a_list_in_a_comprehension():
    kept = [1.0, 1.0]
    return lambda: sum([rate for rate in kept]), lambda: kept.__setitem__(0, 2.0)


def a_list_in_a_generator():
    kept = [1.0, 1.0]
    return lambda: sum(rate for rate in kept), lambda: kept.__setitem__(0, 2.0)


WAYS = [
    value
    for value in list(globals().values())
    if isinstance(value, types.FunctionType) and value.__module__ == __name__
]
