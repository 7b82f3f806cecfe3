"""Floor 3: evaluation questions, chosen from the posts of a dump and curated by hand."""
