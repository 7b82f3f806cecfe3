"""Parts of a corpus with more and fewer methods to search among, and Table 1 by them.

The search itself belongs to ``rankers``.
"""
