"""The command line, a module for each thing that one wants to do.

A command parses its arguments and calls one function; anything else belongs to another room.
"""
