"""Posts of a Stack Exchange dump, read as a stream from XML or 7z, and the code in them.

Which posts become questions or pairs is decided in ``posts.questions`` and ``pairs``.
"""
