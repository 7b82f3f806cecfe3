"""What trainings of networks share: bits that repeat, parameters and moments as arrays."""
