"""The command line, with a module for each kind of task.

A command parses its arguments and calls one function; anything else belongs to another package.
"""
