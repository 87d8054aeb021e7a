"""What training loops use around derivatives: checkpoints, strategies and summaries."""
