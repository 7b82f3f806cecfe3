"""Rankers that search nothing themselves: fusions of other rankings, and rankings in files.

A sentence encoder orders the candidates of a base here, too. Other rankers that reorder one base
belong to ``rankers.vectors``, or to ``rankers.lexical`` where they compare no vectors. Options are
in ``rankers.lexical.order_options`` and ``rankers.vectors.encoder_options``.
"""
