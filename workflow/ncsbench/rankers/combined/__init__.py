"""Rankers that search nothing themselves: fusions of other rankings, and rankings in files.

Rankers that reorder one base belong to ``rankers.vectors``, or to ``rankers.lexical`` where they
compare no vectors. Options are in ``rankers.lexical.order_options``.
"""
