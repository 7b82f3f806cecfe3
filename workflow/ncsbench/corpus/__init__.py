"""The corpus: sources, extraction of methods, and the files made from them."""
