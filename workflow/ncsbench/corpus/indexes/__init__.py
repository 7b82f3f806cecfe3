"""Indexes that rankers search: inverted indexes of words, and vectors.

Scoring belongs to ``rankers``, but for BM25 of one field (``text_field``), which several share.
"""
