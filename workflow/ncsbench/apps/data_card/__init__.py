"""Descriptions of a dataset for others: data card, and the released files.

The figures in them come from the corpus and the tables.
"""
