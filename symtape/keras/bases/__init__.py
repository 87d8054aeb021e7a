"""What layers, losses and optimizers are made of."""
