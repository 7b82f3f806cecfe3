"""The origin of every table: the jobs and files between it and the raw sources."""
