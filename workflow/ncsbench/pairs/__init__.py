"""Pairs of a text and a piece of code to learn from, and checks that they hold no evaluation data.

Learning from pairs belongs to ``learning``.
"""
