"""Corpora of functions in one language: from repositories, and as CodeSearchNet released them.

Filters, duplicates, parts and annotations belong here; the challenge's measures and tables belong
to ``studies.codesearchnet``.
"""
