"""What is said of a corpus that is made: copies, licences, difference from the published one.

Nothing here changes a corpus.
"""
