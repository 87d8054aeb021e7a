"""`tf.summary`: writers that write nothing."""

from symtape.namespace import show
from symtape.summary import experimental
from symtape.training.summaries import (
    SummaryWriter,
    audio,
    create_file_writer,
    create_noop_writer,
    flush,
    histogram,
    image,
    record_if,
    scalar,
    should_record_summaries,
    text,
    trace_export,
    trace_off,
    trace_on,
    write,
)

__all__ = [
    "SummaryWriter",
    "audio",
    "create_file_writer",
    "create_noop_writer",
    "experimental",
    "flush",
    "histogram",
    "image",
    "record_if",
    "scalar",
    "should_record_summaries",
    "text",
    "trace_export",
    "trace_off",
    "trace_on",
    "write",
]

show(__name__, __all__)
