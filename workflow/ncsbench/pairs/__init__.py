"""Floor 3: training pairs of a text and a piece of code, apart from the evaluation questions."""
