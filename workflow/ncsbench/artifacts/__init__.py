"""Files that jobs write and read: written atomically, checked, with the same bytes each time."""
