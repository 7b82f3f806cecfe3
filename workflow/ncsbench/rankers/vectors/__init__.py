"""Rankers that compare vectors of queries and methods, and those that reorder their results.

Vectors are learnt in ``learning``.
"""
