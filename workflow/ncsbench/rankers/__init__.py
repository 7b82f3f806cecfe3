"""Rankers behind one protocol, one module per ranker."""
