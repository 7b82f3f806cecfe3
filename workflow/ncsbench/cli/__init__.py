"""The command line, with a module for each task of a user; modules only parse arguments."""
