"""Pairs of a text and a piece of code to learn from, and checks that they hold no evaluation data.

Learning from pairs belongs to ``learning``; the model of queries that filters comments is trained
in ``pairs.comment_filter``.
"""
