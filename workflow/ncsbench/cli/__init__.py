"""Floor 5: the command line, one module per stage, argument parsing only."""
