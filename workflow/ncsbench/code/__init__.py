"""Source code as syntax: Java, the functions of six languages, Aroma's features.

It reads one text at a time. Where texts come from and what is kept of them belongs to ``corpus``.
"""
