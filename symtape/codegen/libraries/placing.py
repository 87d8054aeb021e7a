"""Maps of indices that are known when code is written: slices, places in zeros, windows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.codegen.libraries.arrays import Arrays

Array = Any


class Placing(Arrays):
    """What moves elements to places; first axes are a batch."""

    # --- one axis ---------------------------------------------------------------------------------

    def _cut(self, x: Array, axis: int, first: int, step: int, count: int) -> Array:
        """Take evenly spaced elements of an axis, counted from the front; steps are positive."""
        stop = first + step * (count - 1) + 1 if count else first
        return x[(slice(None),) * axis + (slice(first, stop, step), ...)]

    def _zeros(self, x: Array, axis: int, n: int) -> Array:
        """Make zeros that fit beside an array along an axis."""
        return self._full((*x.shape[:axis], n, *x.shape[axis + 1 :]), 0, x)

    def _joined(self, parts: Sequence[Array], axis: int) -> Array:
        kept = [p for p in parts if p.shape[axis]]
        return kept[0] if len(kept) == 1 else self.xp.concatenate(kept or parts[:1], axis=axis)

    def _spaced(self, x: Array, axis: int, first: int, step: int, size: int) -> Array:
        """Put the elements of an axis at evenly spaced places of zeros."""
        count = x.shape[axis]
        if not count or not size:
            return self._zeros(x, axis, size)
        if step > 1:
            wide = self.xp.reshape(x, (*x.shape[: axis + 1], 1, *x.shape[axis + 1 :]))
            wide = self._joined((wide, self._zeros(wide, axis + 1, step - 1)), axis + 1)
            x = self.xp.reshape(wide, (*x.shape[:axis], count * step, *x.shape[axis + 1 :]))
        room = min(x.shape[axis], size - first)
        x = self._cut(x, axis, 0, 1, room) if room < x.shape[axis] else x
        after = size - first - room
        return self._joined((self._zeros(x, axis, first), x, self._zeros(x, axis, after)), axis)

    def placed(self, x: Array, ranges: Any, sizes: tuple[int, ...]) -> Array:
        """Put x at some ranges of zeros, for the last axes; see `Embed`."""
        rank = len(x.shape)
        for k, ((start, step, count), size) in enumerate(zip(ranges, sizes, strict=True)):
            axis, first = rank - len(sizes) + k, start
            if step < 0:
                x, first = self.xp.flip(x, axis=axis), start + step * (count - 1)
            if (first, abs(step), count) != (0, 1, size):
                x = self._spaced(x, axis, first, abs(step), size)
        return x

    # --- windows ----------------------------------------------------------------------------------

    def windows(self, x: Array, sliding: Sequence[Any], after: int) -> Array:
        """Look at an array through windows; see `Windows`."""
        number = len(sliding)
        first = len(x.shape) - after - number
        for k, (size, stride, dilation) in enumerate(sliding):
            axis, inner = first + k, first + number + k
            n = x.shape[axis]
            count = max((n - (size - 1) * dilation - 1) // stride + 1, 0)
            if not count:
                shape = list(x.shape)
                shape[axis] = 0
                shape.insert(inner, size)
                x = self._full(tuple(shape), 0, x)
            elif size <= count:
                parts = [self._cut(x, axis, dilation * w, stride, count) for w in range(size)]
                x = self.xp.stack(parts, axis=inner)
            else:
                parts = [self._cut(x, axis, stride * c, dilation, size) for c in range(count)]
                x = self._moved(self.xp.stack(parts, axis=axis), axis + 1, inner)
        return x

    def _moved(self, x: Array, source: int, target: int) -> Array:
        order = [k for k in range(len(x.shape)) if k != source]
        order.insert(target, source)
        return self.xp.transpose(x, tuple(order)) if source != target else x

    def overlap(
        self, x: Array, sliding: Sequence[Any], sizes: tuple[int, ...], after: int
    ) -> Array:
        """Add windows up where they overlap; see `Overlap`."""
        number = len(sliding)
        first = len(x.shape) - after - 2 * number
        for k in reversed(range(number)):
            size, stride, dilation = sliding[k]
            axis, inner = first + k, first + number + k
            count = x.shape[axis]
            if not count or not size:
                shape = [*x.shape[:axis], sizes[k], *x.shape[axis + 1 :]]
                del shape[inner]
                x = self._full(tuple(shape), 0, x)
                continue
            if size > count:  # window by window
                x = self._moved(x, inner, axis)
                size, count, stride, dilation, inner = count, size, dilation, stride, axis + 1
            parts = [
                self._spaced(self._one(x, inner, w), axis, dilation * w, stride, sizes[k])
                for w in range(size)
            ]
            x = sum(parts[1:], parts[0])
        return x

    def _one(self, x: Array, axis: int, place: int) -> Array:
        return x[(slice(None),) * axis + (place, ...)]

    # --- broadcasting and diagonals ---------------------------------------------------------------

    def spread(self, x: Array, shape: tuple[int, ...], axes: tuple[int, ...]) -> Array:
        """Insert axes, and repeat the array along them up to a shape."""
        thin = tuple([1 if k in axes else n for k, n in enumerate(shape)])
        return self.xp.broadcast_to(self.xp.reshape(x, thin), shape)

    def on_diagonals(self, core: Array, term: Sequence[int], output: Sequence[int]) -> Array:
        """Put a core with axes `term` on the diagonals that `output` has by naming one twice."""
        sizes = dict(zip(term, core.shape, strict=True))
        places = [i if i not in output[:k] else None for k, i in enumerate(output)]
        shape = tuple([sizes[i] for i in output])
        kept = [i for i in places if i is not None]
        core = self.xp.transpose(core, tuple([list(term).index(i) for i in kept]))
        core = self.xp.reshape(core, tuple([1 if i is None else sizes[i] for i in places]))
        mask = None
        for k, i in enumerate(output):
            if places[k] is None:
                first = list(output).index(i)
                same = self._line(sizes[i], first, len(output), core) == self._line(
                    sizes[i], k, len(output), core
                )
                mask = same if mask is None else mask & same
        return self.xp.where(mask, self.xp.broadcast_to(core, shape), 0)

    def _line(self, n: int, axis: int, rank: int, x: Array) -> Array:
        shape = [1] * rank
        shape[axis] = n
        return self.xp.reshape(self._arange(n, x), tuple(shape))

    def take_diagonal(self, x: Array, term: Sequence[int]) -> Array:
        """Take the diagonals of axes that have one name; axes stay in order of first naming."""
        names = list(term)
        while len(set(names)) < len(names):
            i = next(i for i in names if names.count(i) > 1)
            first = names.index(i)
            second = names.index(i, first + 1)
            rest = [k for k in range(len(names)) if k not in {first, second}]
            n = x.shape[first]
            x = self.xp.transpose(x, (*rest, first, second))
            x = self.xp.reshape(x, (*x.shape[:-2], n * n))[..., :: n + 1]
            x = self._moved(x, len(rest), first)
            del names[second]
        return x

    # --- blocks -----------------------------------------------------------------------------------

    def assemble(self, shape: tuple[int, ...], placements: Sequence[Any], *blocks: Array) -> Array:
        """Add blocks up, each at its places in zeros; see `Assemble`."""
        whole = tuple([(0, ((1, k),)) for k in range(len(shape))])
        total = None
        for (counts, forms), block in zip(placements, blocks, strict=True):
            wide = self.xp.broadcast_to(block, counts)
            if (counts, forms) != (shape, whole):
                wide = self.xp.reshape(self._in_line(wide, counts, forms, shape), shape)
            total = wide if total is None else total + wide
        return total

    def _in_line(self, x: Array, counts: Any, forms: Any, shape: tuple[int, ...]) -> Array:
        """Put a block at its places in the result, written as one line.

        The place in that line is affine in the indices of the block. Sorted by stride, each index
        becomes one axis of evenly spaced elements, which the next one repeats.
        """
        widths = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
        start, strides = 0, [0] * len(counts)
        for (offset, parts), width in zip(forms, widths, strict=True):
            start += offset * width
            for stride, k in parts:
                strides[k] += stride * width
        size = math.prod(shape)
        if 0 in counts or not size:
            return self._full((size,), 0, x)
        for k, stride in enumerate(strides):
            if stride < 0:
                x = self.xp.flip(x, axis=k)
                start, strides[k] = start + stride * (counts[k] - 1), -stride
        order = sorted([k for k in range(len(counts)) if counts[k] > 1], key=lambda k: -strides[k])
        x = self.xp.transpose(x, (*[k for k in range(len(counts)) if counts[k] == 1], *order))
        x = self.xp.reshape(x, tuple([counts[k] for k in order]))
        if not _are_nested([(counts[k], strides[k]) for k in order]):
            return self._by_number(x, [(counts[k], strides[k]) for k in order], start, size)
        while order:
            last = order.pop()
            reach = strides[last] * (counts[last] - 1) + 1
            room = strides[order[-1]] if order else reach
            x = self._spaced(x, len(order), 0, strides[last], room)
            if order:
                x = self.xp.reshape(x, (*x.shape[:-2], x.shape[-2] * room))
                counts = [*counts]
                counts[order[-1]], strides[order[-1]] = x.shape[-1], 1
        x = self.xp.reshape(x, (math.prod(x.shape),))
        return self._spaced(x, 0, start, 1, size)

    def _by_number(self, x: Array, axes: Any, start: int, size: int) -> Array:
        """Take for each place of the line the element that stands there, or a zero."""
        places = np.full(size, math.prod([n for n, _ in axes]))
        at: Any = start
        for n, stride in axes:
            at = np.add.outer(at, stride * np.arange(n))
        places[np.ravel(at)] = np.arange(np.size(at))
        line = self.xp.reshape(x, (math.prod(x.shape),))
        line = self.xp.concatenate((line, self._zeros(line, 0, 1)), axis=0)
        return self.xp.take(line, self._fixed(places, x), axis=0)


def _are_nested(axes: Sequence[tuple[int, int]]) -> bool:
    """Say whether each stride, from the largest down, is beyond the reach of those after it."""
    reach = 1
    for n, stride in reversed(axes):
        if stride < reach:
            return False
        reach += stride * (n - 1)
    return True
