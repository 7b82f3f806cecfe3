"""Labels by people as files: which grades there are, and how they are read and written."""
