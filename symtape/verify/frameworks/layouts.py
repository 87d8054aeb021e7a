"""What torch may hand to a backward: memory in any order, and gradients that few inputs need.

A backward that reads memory by itself, looks at `needs_input_grad`, or asks for None in the place
of zeros, may be right at all numbers and wrong for another layout of the same ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.verify.frameworks.functions import array_of
from symtape.verify.frameworks.own_rules import TORCH
from symtape.verify.question import Question

_KINDS = ("gradient", "vjp")
"""Questions that one call of torch's answers."""


class Found(NamedTuple):
    """What is wrong with a layout, and what a backward raises for one."""

    cause: str
    notes: Sequence[str]


class Way(NamedTuple):
    """Another way to ask for the same: words, the arguments, and which results are asked."""

    words: str
    args: Sequence[Any]
    wrt: Sequence[int]


def by_layout(
    given: Any, question: Question, inputs: Sequence[Any], more: Sequence[Any], names: Sequence[str]
) -> Found:
    """Say where a backward of torch gives other numbers for the same ones.

    One that draws random numbers is asked for nothing. `names` are those of inputs and `more`.
    """
    if question.kind not in _KINDS:
        return Found("", ())
    from symtape.frontends.torch_functions.dtypes import device_of, to_torch  # noqa: PLC0415 - an extra

    run = partial(_answers, given, question, len(inputs))
    args = [to_torch(array_of(x), device_of(inputs)) for x in (*inputs, *more)]
    try:
        base, again = run(args, question.wrt), run(args, question.wrt)
        if not all(map(_same, base, again)):
            return Found("", ())
    except Exception:  # noqa: BLE001 - whatever it raises is told where it is judged
        return Found("", ())
    notes = []
    for way in _ways(question.wrt, args, names, len(inputs)):
        try:
            expected = run([*map(_dense, way.args, args)], question.wrt)
            found = run(way.args, way.wrt)
        except Exception as error:  # noqa: BLE001 - see above
            notes.append(f"the candidate raises {type(error).__name__} {way.words}")
            continue
        for k, answer in zip(way.wrt, found, strict=True):
            if not _same(expected[question.wrt.index(k)], answer):
                return Found(f"{names[k]}: it is wrong {way.words}, and right elsewhere", notes)
    return Found("", notes)


def _answers(
    given: Any, question: Question, count: int, args: Sequence[Any], wrt: Sequence[int]
) -> list[Any]:
    own: Callable[..., Any] = TORCH[question.kind](given, question._replace(wrt=tuple(wrt)), count)
    return [*map(array_of, own(*args))]


def _ways(
    wrt: Sequence[int], args: Sequence[Any], names: Sequence[str], count: int
) -> Iterator[Way]:
    """List layouts of each argument, cotangents as a sum has them, and each gradient alone.

    A result that nothing is computed of has None for a cotangent.
    """
    torch = sys.modules["torch"]
    for k, x in enumerate(args):
        if not (x.ndim and x.numel() > 1 and (x.is_floating_point() or x.is_complex())):
            continue
        apart = torch.stack([x, torch.full_like(x, float("nan"))], -1)[..., 0]
        yield Way(f"where the memory of {names[k]} is not contiguous", _with(args, k, apart), wrt)
        if x.ndim > 1:
            turned = x.transpose(0, -1).contiguous().transpose(0, -1)
            yield Way(f"where the memory of {names[k]} is transposed", _with(args, k, turned), wrt)
        if k >= count:
            one = torch.ones((), dtype=x.dtype, device=x.device).expand(x.shape)
            yield Way(f"where {names[k]} is one number, expanded", _with(args, k, one), wrt)
    for k in wrt if len(wrt) > 1 else ():
        yield Way("where no other input needs a gradient", args, (k,))
    results = range(count, len(args))
    for k in results if len(results) > 1 else ():
        alone = [x if n < count or n == k else None for n, x in enumerate(args)]
        yield Way(f"where the result of {names[k]} alone is used", alone, wrt)


def _with(args: Sequence[Any], k: int, x: Any) -> list[Any]:
    return [x if n == k else own for n, own in enumerate(args)]


def _dense(x: Any, like: Any) -> Any:
    """Give the same numbers in memory without gaps, and zeros for None."""
    torch = sys.modules["torch"]
    return torch.zeros_like(like) if x is None else x.clone(memory_format=torch.contiguous_format)


def _same(a: Any, b: Any) -> bool:
    """Compare answers, but for the roundings of sums in another order."""
    if a.shape != b.shape:
        return False
    digits = np.finfo(a.dtype).eps if a.dtype.kind in "fc" else 1e-2
    size = float(np.max(np.abs(a), initial=0.0, where=np.isfinite(a)))
    near = float(np.sqrt(digits))
    return bool(np.allclose(a, b, rtol=near, atol=near * size, equal_nan=True))
