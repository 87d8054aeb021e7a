"""Operations along axes: sums, running sums, extrema, segments, order, norms."""
