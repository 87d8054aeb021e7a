"""Checks that raise where they fail: `tf.debugging`."""
