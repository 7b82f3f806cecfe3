"""Pairs of a text and a piece of code to learn from, and what keeps them honest.

Learning from them belongs to ``learning``.
"""
