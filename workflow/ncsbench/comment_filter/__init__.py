"""Filters of comments that are like queries: rules and a language model (NLQF, ICSE 2022)."""
