"""`tf.summary`: writers that write nothing."""

from symtape.namespace import show
from symtape.summary import experimental as experimental
from symtape.training.summaries import (
    SummaryWriter as SummaryWriter,
    audio as audio,
    create_file_writer as create_file_writer,
    create_noop_writer as create_noop_writer,
    flush as flush,
    histogram as histogram,
    image as image,
    record_if as record_if,
    scalar as scalar,
    should_record_summaries as should_record_summaries,
    text as text,
    trace_export as trace_export,
    trace_off as trace_off,
    trace_on as trace_on,
    write as write,
)

show(__name__, parts="experimental")
