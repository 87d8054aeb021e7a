"""Libraries as code for them sees them: their words and arguments, NumPy's numbers.

What is written for a library that is not installed runs here nonetheless. A stand-in has what is
called, by that library's own names of functions and arguments, and refuses what the library
refuses: slices that run backwards, arrays on two devices, signatures that do not fit. That the
libraries have these words, and compute these numbers, is judged in `tests/peers`.
"""
