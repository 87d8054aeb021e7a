"""What programs of TensorFlow 1 begin with: their command line, settings and sessions."""
