"""The data card: a description of a dataset for others.

The figures in it come from the corpus and the tables.
"""
