"""Stack Overflow and other published files as inputs: the dump, questions, what others published.

Training pairs that are made of posts belong to ``pairs``.
"""
