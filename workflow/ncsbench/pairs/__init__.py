"""Training pairs of a text and a snippet of code, checked for leaks of evaluation questions."""
