"""Backward passes as people write them, right and wrong: they judge the judge of derivatives."""
