"""Which comments are like queries: rules, and a language model of queries (NLQF, ICSE 2022)."""
