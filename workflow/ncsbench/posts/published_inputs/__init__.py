"""Published files that others keep: they are got once, and checked by their hash from then on.

Archives of repositories belong to ``corpus.archives``.
"""
