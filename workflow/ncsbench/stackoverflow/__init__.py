"""Floor 2: posts of a Stack Exchange dump, read as a stream, and the code in their bodies."""
