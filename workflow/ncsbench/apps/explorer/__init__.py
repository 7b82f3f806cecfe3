"""A dataset as pages to look at: data as scripts, and the page that shows them.

The page's own files are in ``page``.
"""
