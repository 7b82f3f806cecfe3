"""Simplified parse trees of Java, as Aroma defines them, and detection of code without a tree.

Trees of other forms of syntax do not belong here; ``code.aroma`` turns trees into features.
"""
