"""Images: turned, cut, resized, coloured, compared."""
