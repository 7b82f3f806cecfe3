"""Base forms of English words, from the word list of the package simplemma.

Apart from ``words``, so that only rules that need base forms depend on the package.
"""

from __future__ import annotations


def lemmatise(word: str) -> str:
    """The base form of an English word, lower-case; a word that the list lacks stays as it is.

    The word is read without its sentence: ``views`` gives ``view`` whether it is a noun or a verb.
    The list is loaded at the first call, and results are cached by the package.
    """
    import simplemma

    return simplemma.lemmatize(word.lower(), lang="en").lower() if word else ""
