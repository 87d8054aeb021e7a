"""Regions of images: boxes and glimpses."""
