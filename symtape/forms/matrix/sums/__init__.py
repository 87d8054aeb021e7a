"""Sums of products: what their terms share is taken out, or multiplied out, as it is shorter."""
