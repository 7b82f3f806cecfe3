"""Simplified parse trees of Java, as Aroma defines them, and the code that has none.

Trees of other forms of syntax do not belong here; ``code.aroma`` turns trees into features.
"""
