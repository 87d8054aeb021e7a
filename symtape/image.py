"""`tf.image`: images turned, cut, resized, coloured and compared."""

from symtape.namespace import show
from symtape.ops.image.adjusting import (
    adjust_brightness,
    adjust_contrast,
    adjust_gamma,
    adjust_hue,
    adjust_saturation,
    per_image_standardization,
)
from symtape.ops.image.batches import combined_non_max_suppression
from symtape.ops.image.colours import (
    grayscale_to_rgb,
    hsv_to_rgb,
    rgb_to_grayscale,
    rgb_to_hsv,
    rgb_to_yiq,
    rgb_to_yuv,
    yiq_to_rgb,
    yuv_to_rgb,
)
from symtape.ops.image.comparing import (
    psnr,
    ssim,
    ssim_multiscale,
)
from symtape.ops.image.conversion import (
    convert_image_dtype,
)
from symtape.ops.image.cropping import (
    central_crop,
    crop_to_bounding_box,
    pad_to_bounding_box,
    resize_with_crop_or_pad,
)
from symtape.ops.image.edges import (
    image_gradients,
    sobel_edges,
    total_variation,
)
from symtape.ops.image.files.decoding import (
    decode_and_crop_jpeg,
    decode_bmp,
    decode_gif,
    decode_image,
    decode_jpeg,
    decode_png,
    extract_jpeg_shape,
    is_jpeg,
)
from symtape.ops.image.files.encoding import (
    adjust_jpeg_quality,
    encode_jpeg,
    encode_png,
    random_jpeg_quality,
    stateless_random_jpeg_quality,
)
from symtape.ops.image.randomness import (
    random_brightness,
    random_contrast,
    random_crop,
    random_flip_left_right,
    random_flip_up_down,
    random_hue,
    random_saturation,
    stateless_random_brightness,
    stateless_random_contrast,
    stateless_random_crop,
    stateless_random_flip_left_right,
    stateless_random_flip_up_down,
    stateless_random_hue,
    stateless_random_saturation,
)
from symtape.ops.image.regions.boxes import (
    crop_and_resize,
)
from symtape.ops.image.regions.distorted import (
    sample_distorted_bounding_box,
    stateless_sample_distorted_bounding_box,
)
from symtape.ops.image.regions.drawing import draw_bounding_boxes
from symtape.ops.image.regions.glimpses import extract_glimpse
from symtape.ops.image.regions.suppression import (
    non_max_suppression,
    non_max_suppression_overlaps,
    non_max_suppression_with_scores,
)
from symtape.ops.image.resizing import (
    ResizeMethod,
    resize,
    resize_with_pad,
)
from symtape.ops.image.tiles import non_max_suppression_padded
from symtape.ops.image.turning import (
    flip_left_right,
    flip_up_down,
    rot90,
    transpose,
)
from symtape.ops.nn.windows.patches import extract_patches

__all__ = [
    "ResizeMethod",
    "adjust_brightness",
    "adjust_contrast",
    "adjust_gamma",
    "adjust_hue",
    "adjust_jpeg_quality",
    "adjust_saturation",
    "central_crop",
    "combined_non_max_suppression",
    "convert_image_dtype",
    "crop_and_resize",
    "crop_to_bounding_box",
    "decode_and_crop_jpeg",
    "decode_bmp",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_png",
    "draw_bounding_boxes",
    "encode_jpeg",
    "encode_png",
    "extract_glimpse",
    "extract_jpeg_shape",
    "extract_patches",
    "flip_left_right",
    "flip_up_down",
    "grayscale_to_rgb",
    "hsv_to_rgb",
    "image_gradients",
    "is_jpeg",
    "non_max_suppression",
    "non_max_suppression_overlaps",
    "non_max_suppression_padded",
    "non_max_suppression_with_scores",
    "pad_to_bounding_box",
    "per_image_standardization",
    "psnr",
    "random_brightness",
    "random_contrast",
    "random_crop",
    "random_flip_left_right",
    "random_flip_up_down",
    "random_hue",
    "random_jpeg_quality",
    "random_saturation",
    "resize",
    "resize_with_crop_or_pad",
    "resize_with_pad",
    "rgb_to_grayscale",
    "rgb_to_hsv",
    "rgb_to_yiq",
    "rgb_to_yuv",
    "rot90",
    "sample_distorted_bounding_box",
    "sobel_edges",
    "ssim",
    "ssim_multiscale",
    "stateless_random_brightness",
    "stateless_random_contrast",
    "stateless_random_crop",
    "stateless_random_flip_left_right",
    "stateless_random_flip_up_down",
    "stateless_random_hue",
    "stateless_random_jpeg_quality",
    "stateless_random_saturation",
    "stateless_sample_distorted_bounding_box",
    "total_variation",
    "transpose",
    "yiq_to_rgb",
    "yuv_to_rgb",
]

show(__name__, __all__)
