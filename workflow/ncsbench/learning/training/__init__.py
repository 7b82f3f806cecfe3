"""Learning about words: word vectors, vectors of query words, expansions, translations.

Networks have folders of their own; the words and the choice of pairs that they share with
translations are here.
"""
