"""Tables of datasets whose right methods are named by gold, in place of judges or beside them.

Files of gold are read in ``posts.questions``; measures and intervals are those of ``evaluation``.
"""
