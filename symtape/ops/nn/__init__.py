"""What networks are made of: convolutions, pools, normalization, losses."""
