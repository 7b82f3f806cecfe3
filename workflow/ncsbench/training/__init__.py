"""Training: word vectors, query expansion, UNIF."""
