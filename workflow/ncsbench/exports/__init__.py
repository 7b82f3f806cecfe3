"""A dataset that was run, written for other tools: BEIR's layout, TREC files."""
