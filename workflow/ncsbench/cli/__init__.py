"""The command line, a module for each thing one wants to do; it parses arguments alone."""
