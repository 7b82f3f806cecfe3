"""Results to look at: static pages of a dataset's tables, questions and methods."""
