"""Operations that act element by element."""
