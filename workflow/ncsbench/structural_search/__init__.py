"""Aroma's search of a corpus for methods that resemble a snippet of code."""
