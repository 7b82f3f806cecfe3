"""Files that jobs write and read: atomic, checked, the same bytes each time."""
