"""What is learnt of words: vectors, vectors of queries, expansions, translations.

Networks have folders of their own.
"""
