"""Learning about words: word vectors, vectors of query words, expansions, translations.

Networks have folders of their own.
"""
