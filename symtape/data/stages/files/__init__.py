"""Stages whose elements come from files, or go there."""
