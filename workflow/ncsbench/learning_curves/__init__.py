"""Learning curves: the effect of more training pairs, and the losses of training."""
