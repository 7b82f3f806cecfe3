"""Stack Overflow and other published files as inputs: the dump, questions, files of others.

Training pairs that are made of posts belong to ``pairs``.
"""
