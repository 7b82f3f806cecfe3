"""Reading YAML and JSON files, and typed options that say what is wrong with a value.

The options themselves lie beside the code that they configure.
"""
