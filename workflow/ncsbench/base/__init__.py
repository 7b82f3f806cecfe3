"""Parts that every room uses: files, configuration, rankings, text, and what networks share.

It holds the folders ``configuration``, ``files``, ``networks``, ``runs`` and ``text``, and nothing
else. Code that knows Java, posts, models or a paper does not belong here.
"""
