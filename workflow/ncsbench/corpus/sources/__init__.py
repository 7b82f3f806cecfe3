"""Sources of files of code: repositories as folders, clones and archives in a store.

This folder gives bytes with their place; the meaning of the bytes belongs to ``code``.
"""
