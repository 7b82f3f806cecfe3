"""An index of a folder of one's own code, and what is asked of it."""
