"""Indexes that rankers search: inverted indexes of words, and vectors.

A way of scoring belongs to ``rankers``.
"""
