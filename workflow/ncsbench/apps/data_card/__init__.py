"""What describes a dataset to others: data card, Croissant file, list of its release.

Its figures come from the corpus and the tables.
"""
