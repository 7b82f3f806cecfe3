"""Corpora of functions in one language: from repositories, and as CodeSearchNet released them."""
