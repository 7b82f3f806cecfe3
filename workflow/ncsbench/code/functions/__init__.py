"""Functions of six languages by tree-sitter: spans, names, documentation, tokens.

A language has one module and one row in ``registry``. Methods of Java for the NCSED corpus are
read by ``code.java``.
"""
