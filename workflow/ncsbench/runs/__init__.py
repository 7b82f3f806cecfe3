"""Rankings, in memory and as TREC files."""
