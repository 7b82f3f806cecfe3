"""Base forms of English words, from the word list of the package simplemma.

It is a module of its own beside ``words``, so that only rules that need base forms depend on the
package.
"""

from __future__ import annotations


def lemmatise(word: str) -> str:
    """Return the base form of an English word, lower-case; words that the list lacks stay.

    The word is read without its sentence: ``views`` gives ``view`` whether it is a noun or a verb.
    The list is loaded at the first call, and results are cached by the package.
    """
    import simplemma

    return simplemma.lemmatize(word.lower(), lang="en").lower() if word else ""
