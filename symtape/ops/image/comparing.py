"""How alike two images are: peak signal-to-noise ratio, structural similarity."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from symtape.ops.arguments import plain, same_dtype, tensor
from symtape.ops.elementwise.activation import relu
from symtape.ops.elementwise.arithmetic import (
    add,
    divide,
    multiply,
    squared_difference,
    subtract,
)
from symtape.ops.elementwise.arithmetic import pow as power
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import log, square
from symtape.ops.image.arguments import asserted
from symtape.ops.image.conversion import convert_image_dtype
from symtape.ops.nn.windows.depthwise import depthwise_conv2d
from symtape.ops.nn.windows.pooling import avg_pool
from symtape.ops.reductions.reduction import reduce_mean, reduce_prod
from symtape.ops.shapes.joining import pad, stack
from symtape.ops.shapes.shaping import with_shape
from symtape.ops.signal.arguments import at_least
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """20 log₁₀(max_val) - 10 log₁₀(mean of (a - b)²) of images, or of each image of a batch.

    `max_val` is the largest number that the dtype of the images has there. Raises
    `InvalidArgumentError` for fewer than three axes, `ValueError` for shapes that do not fit.

    >>> psnr([[[1.0]]], [[[0.9]]], 1.0).numpy().round(3)
    np.float32(20.0)
    """
    first, second, largest = _read(a, b, max_val)
    error = reduce_mean(squared_difference(first, second), [-3, -2, -1])
    _check_shapes(first, second)
    peak = divide(multiply(log(largest), np.float32(20)), np.log(np.float32(10)))
    return subtract(peak, multiply(log(error), np.float32(10 / np.log(10))))


def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Tensor:
    """The structural similarity of images, or of the images of batches; of equal ones it is 1.

    Means, variances and covariances are taken over windows of `filter_size` rows and columns,
    weighted by a Gaussian. With `return_index_map` there is one number for each window. Raises
    `ValueError` for fewer than three axes and for shapes that do not fit, `InvalidArgumentError`
    for images that are smaller than a window.

    >>> ssim(np.ones((3, 3, 1)), np.ones((3, 3, 1)), 1.0, filter_size=2).numpy()
    np.float32(1.0)
    """
    _check_shapes(tensor(img1), tensor(img2))
    first, second, largest = _read(img1, img2, max_val)
    window = (filter_size, filter_sigma)
    similar, _ = _per_channel(first, second, largest, window, (k1, k2))
    if not return_index_map:
        similar = reduce_mean(similar, [-3, -2])
    return reduce_mean(similar, [-1])


_POWERS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Sequence[float] = _POWERS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The product of powers of the structural similarity at several scales, each half the last.

    All but the last scale leave the brightness out. The other arguments and the errors are those
    of `ssim`.

    >>> image = np.ones((4, 4, 1))
    >>> ssim_multiscale(image, image, 1.0, (0.5, 0.5), filter_size=2).numpy()
    np.float32(1.0)
    """
    _check_shapes(tensor(img1), tensor(img2))
    first, second, largest = _read(img1, img2, max_val)
    window, factors = (filter_size, filter_sigma), []
    for k in range(len(power_factors)):
        if k > 0:
            first, second = _halved(first), _halved(second)
        similar, structure = _per_channel(first, second, largest, window, (k1, k2))
        last = k == len(power_factors) - 1
        factors.append(relu(reduce_mean(similar if last else structure, [-3, -2])))
    powers = convert(np.array(power_factors, np.float32))
    return reduce_mean(reduce_prod(power(stack(factors, -1), powers), [-1]), [-1])


def _read(a: Any, b: Any, max_val: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Convert images to float32, and the largest number that they can have."""
    first, second = tensor(a), tensor(b)
    largest = convert_image_dtype(cast(convert(max_val), first.dtype), dtypes.float32)
    images = [convert_image_dtype(x, dtypes.float32) for x in (first, second)]
    return images[0], images[1], largest


def _check_shapes(a: Tensor, b: Tensor) -> None:
    own, other = shape_of(at_least(a, 3)), shape_of(at_least(b, 3))
    if own[-3:] != other[-3:]:
        raise ValueError(f"Shapes {own[-3:]} and {other[-3:]} are incompatible")
    for n, m in zip(own[-4::-1], other[-4::-1], strict=False):
        if n != m and 1 not in (n, m):
            raise ValueError(f"Two images are not compatible: {own} and {other}")
    same_dtype("ShapeN", a, b)


def _per_channel(
    a: Tensor, b: Tensor, largest: Tensor, window: tuple[int, float], k: tuple[float, float]
) -> tuple[Tensor, Tensor]:
    """Compare windows: how alike they are, and how alike without their brightness."""
    size = int(plain(window[0]))
    for x in (a, b):
        if min(shape_of(x)[-3:-1]) < size:
            raise asserted(shape_of(x), size)
    weights = np.tile(_gaussian(size, float(window[1])), (1, 1, shape_of(a)[-1], 1))
    least = [square(multiply(largest, np.float32(factor))) for factor in k]
    first, second = _mean(a, weights), _mean(b, weights)
    product = multiply(multiply(first, second), 2.0)
    squares = add(square(first), square(second))
    brightness = divide(add(product, least[0]), add(squares, least[0]))
    joint = subtract(multiply(_mean(multiply(a, b), weights), 2.0), product)
    own = subtract(_mean(add(square(a), square(b)), weights), squares)
    structure = divide(add(joint, least[1]), add(own, least[1]))
    return multiply(brightness, structure), structure


@lru_cache(maxsize=16)
def _gaussian(size: int, sigma: float) -> Any:
    places = np.arange(size) - (size - 1) / 2
    line = np.exp(-(places**2) / (2 * sigma**2))
    square_ = np.outer(line, line)
    return (square_ / square_.sum()).astype(np.float32)[:, :, None, None]


def _mean(x: Tensor, weights: Any) -> Tensor:
    """The weighted mean of every window."""
    shape = shape_of(x)
    flat = with_shape(x, (int(np.prod(shape[:-3])), *shape[-3:]))
    found = depthwise_conv2d(flat, weights, [1, 1, 1, 1], "VALID")
    return with_shape(found, (*shape[:-3], *shape_of(found)[1:]))


def _halved(x: Tensor) -> Tensor:
    """The means of two rows of two; an odd last row or column is repeated."""
    shape = shape_of(x)
    flat = with_shape(x, (int(np.prod(shape[:-3])), *shape[-3:]))
    odd = [n % 2 for n in shape[-3:-1]]
    if any(odd):
        flat = pad(flat, [(0, 0), *[(0, n) for n in odd], (0, 0)], "SYMMETRIC")
    found = avg_pool(flat, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    return with_shape(found, (*shape[:-3], *shape_of(found)[1:]))
