"""Where files of code come from: repositories as folders, clones and archives in a store.

It gives bytes with their place; what they mean belongs to ``code``.
"""
