"""Java by tree-sitter: methods, blocks, calls of the API, Javadoc, fields to search.

Trees for Aroma belong to ``code.java_trees``.
"""
