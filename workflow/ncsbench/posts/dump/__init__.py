"""Posts of a Stack Exchange dump, read as a stream from XML or 7z, and the code in them.

``posts.questions`` and ``pairs`` decide which posts become questions or pairs.
"""
