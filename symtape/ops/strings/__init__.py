"""Operations on tensors of text, a module for each group."""
