"""Derivatives that a tape was asked for: plans, stages, gradients of an author's own."""
