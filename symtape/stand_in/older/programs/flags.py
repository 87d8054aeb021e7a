"""`tf.compat.v1.flags`: what a program is told on its command line, by absl, as in TensorFlow."""

from __future__ import annotations

import sys
from functools import wraps
from typing import Any

from symtape import extras

_FORMER = {"flag_name": "name", "default_value": "default", "docstring": "help"}
"""Arguments of definitions as TensorFlow 1 called them before it took absl's."""
_WITH_FORMER = frozenset(
    f"DEFINE_{kind}" for kind in ("string", "boolean", "bool", "float", "integer")
)


def absl(module: str) -> Any:
    """Import a module of absl; `ExtraNotInstalledError` where there is none."""
    return extras.imported(f"absl.{module}", f"tf.compat.v1.{module}, which is absl's", "keras")


NAMES = frozenset(
    """
    ArgumentParser ArgumentSerializer BaseListParser BooleanFlag BooleanParser
    CantOpenFlagFileError CsvListSerializer DuplicateFlagError EnumClassFlag
    EnumClassListSerializer EnumClassParser EnumClassSerializer EnumFlag EnumParser Error Flag
    FlagHolder FlagNameConflictsWithMethodError FlagValues FloatParser IllegalFlagValueError
    IntegerParser ListParser ListSerializer MultiEnumClassFlag MultiFlag UnparsedFlagAccessError
    UnrecognizedFlagError ValidationError WhitespaceSeparatedListParser
    DEFINE DEFINE_alias DEFINE_bool DEFINE_boolean DEFINE_enum DEFINE_enum_class DEFINE_flag
    DEFINE_float DEFINE_integer DEFINE_list DEFINE_multi DEFINE_multi_enum
    DEFINE_multi_enum_class DEFINE_multi_float DEFINE_multi_integer DEFINE_multi_string
    DEFINE_spaceseplist DEFINE_string
    adopt_module_key_flags declare_key_flag disclaim_key_flags doc_to_help flag_dict_to_args
    get_help_width mark_bool_flags_as_mutual_exclusive mark_flag_as_required
    mark_flags_as_mutual_exclusive mark_flags_as_required multi_flags_validator override_value
    register_multi_flags_validator register_validator set_default text_wrap validator
    """.split()
)
"""What TensorFlow 2.21 shows of absl's, besides `FLAGS`."""


class _Flags:
    """absl's flags, which are read from the command line when the first of them is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # whoever looks at objects asks for such names of all of them
            raise AttributeError(name)
        flags = absl("flags").FLAGS
        if name in flags and not flags.is_parsed():
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(absl("flags").FLAGS, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(absl("flags").FLAGS, name)

    def __getitem__(self, name: str) -> Any:
        return absl("flags").FLAGS[name]

    def __setitem__(self, name: str, flag: Any) -> None:
        absl("flags").FLAGS[name] = flag

    def __contains__(self, name: str) -> bool:
        return name in absl("flags").FLAGS

    def __iter__(self) -> Any:
        return iter(absl("flags").FLAGS)

    def __len__(self) -> int:
        return len(absl("flags").FLAGS)

    def __dir__(self) -> list[str]:
        return dir(absl("flags").FLAGS)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return absl("flags").FLAGS(*args, **options)

    def __str__(self) -> str:
        return str(absl("flags").FLAGS)


FLAGS = _Flags()


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(f"tf.compat.v1.flags has no {name}", name=name)
    found = getattr(absl("flags"), name)
    return _with_former_arguments(found) if name in _WITH_FORMER else found


def _with_former_arguments(define: Any) -> Any:
    absl("flags").disclaim_key_flags()  # a flag is of the script that defines it, not of this file

    @wraps(define)
    def defined(*args: Any, **options: Any) -> Any:
        return define(*args, **{_FORMER.get(k, k): v for k, v in options.items()})

    return defined
