"""Words for what is wrong, as regular expressions: each has what its author would look for."""

from __future__ import annotations

_FACTOR = r"factor|times|multipl|scal(?:e|ing)"

SIGN = r"sign|negat|factor (?:of )?-1|-1 times|times -1|minus|opposite|−1"
TWICE = rf"twice|doubl|(?:{_FACTOR})\D*2\b|\b2(?:\.0)? ?(?:{_FACTOR})"
HALF = rf"half|halv|1/2|0\.5|(?:{_FACTOR})\D*1/2"
FACTOR = rf"{_FACTOR}|constant"
MEAN = rf"mean|average|division|1/\w+|{_FACTOR}|divided by|not divided|number of"
"""A mean where a sum is right, or the other way round."""
INSTEAD = r"is used instead of"
"""What stands there, and the formula that belongs there."""
TRANSPOSED = r"transpos|instead of [^;]*ᵀ"
MISSING = rf"missing|lacks|omit|dropped|left out|without|not (?:there|included)|forg[eo]t|{INSTEAD}"
"""A term or a factor that is not there."""
ZERO = r"zero|vanish|\b0\b"
DIAGONAL = r"diagonal"
ENTRIES = r"(?:only|right|wrong|differs?|correct) (?:on|at|where|for|in)\b"
"""Right in some entries, or where a condition holds, and wrong in others."""
POSITIVE = r"positive|>=? ?-?\d|negative|<=? ?-?\d|above|below|sign of|branch|where"
BROADCAST = r"broadcast|(?:missing|without).*sum|sum.*(?:missing|axis|axes)"
MASK = rf"{INSTEAD}|the factor \[|mask|branch|ignore|condition|where|rare|selected|outside"
TIES = r"\bties?\b|tied|equal entries|same (?:value|maximum)|kink|several maxima"
SATURATED = r"saturat|large|overflow|finite|\bnan|\binf|extreme|tail|\bfar\b"
STALE = r"stale|before the update|old value|other (?:point|value)|intermediate|forward|instead of"
FLOAT32 = r"float32|single precision|lower precision|narrow|rounded|half of the digits"
SHIFT = r"off by one|shift|one (?:step|place) (?:late|early|off)|neighbou?r|index|next|previous"
OTHER = (
    r"another function|is another one|derivative of (?:another|a different)|approximat|instead of"
)
CONVENTION = r"convention|symmetric|triang|off-diagonal|half|stored|both halves"
CANCEL = r"cancel|only at the example|at this point|coincid|elsewhere|example"
ORDER = r"order|permut|swap|exchang|revers|flip"
SWAPPED = r"swap|exchang|order|permut|belongs to|each other|interchang"
SHAPE = r"shape"
RAISES = r"rais"
NONE = r"None"
CHANGES = r"changes its input|modif|in place|mutat|overwrit"
COUNT = r"results?|number of|gives \d|\d+ (?:are|were|is) (?:asked|expected)"
COMPLEX = r"complex"
FINITE = r"\bnan|finite|\binf"
TIME = r"\bs\b|seconds|time|never"
RANDOM = r"random|same inputs|deterministic|twice|differs? from call|changes from"
UPSTREAM = r"upstream|cotangent|ignor"
CONSTANT = r"constant|rounded|digits|relative|factor|approx|0\.\d+|1\.\d+"


def any_of(*causes: str) -> str:
    """Put causes together, any of which would do."""
    return "|".join(causes)
