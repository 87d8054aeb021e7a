"""Which code is closed: every value that it can get at is named in its bytecode.

A value comes to a function as an argument, a constant, a global name, a variable of an enclosing
function, an attribute of one of these, or as the result of a call. Code that has other ways, or
steps that are not known here, as those of a later Python, is not closed.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FrameType, FunctionType, GeneratorType, MethodType, TracebackType
from typing import NamedTuple

_KNOWN = frozenset(
    """
    BEFORE_WITH BINARY_OP BINARY_SLICE BINARY_SUBSCR BUILD_CONST_KEY_MAP BUILD_INTERPOLATION
    BUILD_LIST BUILD_MAP BUILD_SET BUILD_SLICE BUILD_STRING BUILD_TEMPLATE BUILD_TUPLE CACHE CALL
    CALL_FUNCTION_EX CALL_KW
    CHECK_EXC_MATCH COMPARE_OP CONTAINS_OP CONVERT_VALUE COPY COPY_FREE_VARS DELETE_DEREF
    DELETE_FAST DELETE_SUBSCR DICT_MERGE DICT_UPDATE END_FOR END_SEND EXTENDED_ARG FORMAT_SIMPLE
    FORMAT_VALUE FORMAT_WITH_SPEC FOR_ITER GET_ITER GET_LEN GET_YIELD_FROM_ITER IS_OP
    JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP_FORWARD JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP
    KW_NAMES LIST_APPEND LIST_EXTEND LIST_TO_TUPLE LOAD_ASSERTION_ERROR LOAD_ATTR LOAD_CLOSURE
    LOAD_COMMON_CONSTANT LOAD_CONST LOAD_DEREF LOAD_FAST LOAD_FAST_AND_CLEAR LOAD_FAST_BORROW
    LOAD_FAST_BORROW_LOAD_FAST_BORROW LOAD_FAST_CHECK LOAD_FAST_LOAD_FAST LOAD_GLOBAL LOAD_METHOD
    LOAD_SMALL_INT MAKE_CELL MAKE_FUNCTION MAP_ADD NOP NOT_TAKEN POP_EXCEPT POP_ITER
    POP_JUMP_BACKWARD_IF_FALSE POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE
    POP_JUMP_BACKWARD_IF_TRUE POP_JUMP_FORWARD_IF_FALSE POP_JUMP_FORWARD_IF_NONE
    POP_JUMP_FORWARD_IF_NOT_NONE POP_JUMP_FORWARD_IF_TRUE POP_JUMP_IF_FALSE POP_JUMP_IF_NONE
    POP_JUMP_IF_NOT_NONE POP_JUMP_IF_TRUE POP_TOP PRECALL PUSH_EXC_INFO PUSH_NULL RAISE_VARARGS
    RERAISE RESUME RETURN_CONST RETURN_GENERATOR RETURN_VALUE SEND SET_ADD SET_FUNCTION_ATTRIBUTE
    SET_UPDATE STORE_DEREF STORE_FAST STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST STORE_SLICE
    STORE_SUBSCR SWAP TO_BOOL UNARY_INVERT UNARY_NEGATIVE UNARY_NOT UNARY_POSITIVE UNPACK_EX
    UNPACK_SEQUENCE WITH_EXCEPT_START YIELD_VALUE
""".split()
)
"""Steps that get at nothing but what the stack, the variables and the names of the code hold."""

_INTRINSICS = {
    "INTRINSIC_UNARY_POSITIVE", "INTRINSIC_LIST_TO_TUPLE", "INTRINSIC_STOPITERATION_ERROR",
}  # fmt: skip
"""Likewise, of those that Python 3.12 and later write as `CALL_INTRINSIC_1`."""

_INTERPRETERS = frozenset().union(
    *[
        vars(kind)
        for kind in (
            CodeType,
            FrameType,
            FunctionType,
            GeneratorType,
            MethodType,
            TracebackType,
            type,
        )
    ]
)
"""Attributes of the interpreter's own objects, through which code gets at what it does not name."""


class Names(NamedTuple):
    """What closed code reads by name: globals, and variables of enclosing functions."""

    globals: tuple[str, ...]
    free: tuple[str, ...]


@lru_cache(maxsize=4096)
def names_of(code: CodeType) -> Names | None:
    """List what code reads by name, functions within it included; None if it is not closed.

    >>> names_of((lambda x: abs(x) * rate).__code__)
    Names(globals=('abs', 'rate'), free=())
    >>> names_of((lambda x: x.__class__).__code__) is None
    True
    """
    found: dict[str, None] = {}
    for own in _all_code(code):
        for step in dis.get_instructions(own):
            if not _is_known(step, code.co_freevars):
                return None
            if step.opname == "LOAD_GLOBAL":
                found[step.argval] = None
    return Names(tuple(found), code.co_freevars)


def _all_code(code: CodeType) -> Iterator[CodeType]:
    pending = [code]
    while pending:
        own = pending.pop()
        yield own
        pending += [constant for constant in own.co_consts if isinstance(constant, CodeType)]


def _is_known(step: dis.Instruction, outer: tuple[str, ...]) -> bool:
    name = step.opname
    if name in {"LOAD_ATTR", "LOAD_METHOD"}:
        return step.argval[:2] != "__" and step.argval not in _INTERPRETERS
    if name in {"STORE_DEREF", "DELETE_DEREF"}:
        return step.argval not in outer
    if name == "LOAD_SPECIAL":  # as `BEFORE_WITH` does
        return step.argrepr in {"__enter__", "__exit__"}
    if name == "CALL_INTRINSIC_1":
        return step.argrepr in _INTRINSICS
    return name in _KNOWN
