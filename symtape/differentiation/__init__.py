"""Derivatives that their author writes, forward mode, and checks by differences."""
