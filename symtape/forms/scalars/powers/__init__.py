"""Powers, roots and exponentials in their shortest form."""
