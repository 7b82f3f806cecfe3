"""Statements about a finished corpus: copies, licences, difference from the published one.

Nothing here changes a corpus.
"""
