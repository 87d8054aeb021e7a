"""Images as the bytes of files."""
