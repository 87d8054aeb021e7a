"""What slides windows over images: convolutions, pools, patches, morphology."""
