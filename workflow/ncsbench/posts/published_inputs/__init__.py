"""Published files that others keep: got once, checked by their hash from then on.

Archives of repositories belong to ``corpus.archives``.
"""
