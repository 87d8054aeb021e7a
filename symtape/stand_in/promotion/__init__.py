"""TensorFlow's new type promotion: dtypes that are weak, and functions that know of them."""
