"""Record what the TensorFlow that is installed answers: `python -m tests.answers [TABLE …]`."""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import tensorflow as tf

from tests.answers import TABLES

for chosen in sys.argv[1:] or TABLES:
    TABLES[chosen].record(tf)
