"""A dataset with its runs, written for other tools: BEIR's layout, TREC files."""
