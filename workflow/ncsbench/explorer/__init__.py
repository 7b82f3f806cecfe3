"""Static pages of a dataset's tables, questions and methods, for readers to explore results."""
