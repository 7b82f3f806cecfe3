"""Training pairs of a text and a snippet of code, checked for leaks; threads to choose by."""
