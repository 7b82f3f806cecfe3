"""Rankings of methods for queries: in memory, as data frames, and as TREC files.

Judgements and measures of rankings belong to ``evaluation``.
"""
