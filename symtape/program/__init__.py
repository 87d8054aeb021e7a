"""Operations and straight-line programs: what a tape recorded, as exact mathematics."""
