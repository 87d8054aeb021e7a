"""Datasets of files: lines, records, tables."""
