"""Where every table comes from: the jobs and files between it and the raw sources."""
