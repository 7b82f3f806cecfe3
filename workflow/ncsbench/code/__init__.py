"""Source code as syntax: Java, the functions of six languages, Aroma's features.

This package reads one text at a time. Where texts come from and which parts are kept belongs to
``corpus``.
"""
