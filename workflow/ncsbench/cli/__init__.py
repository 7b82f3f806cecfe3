"""The command line, one module per stage, argument parsing only."""
