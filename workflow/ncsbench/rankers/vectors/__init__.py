"""Rankers that compare vectors of queries and methods, and rankers that reorder their results.

Vectors are learnt in ``learning``.
"""
