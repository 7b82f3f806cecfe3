"""Posts of a Stack Exchange dump, read as a stream, and the code in their bodies."""
