"""Which axes are of one size, and the same program at other sizes."""
