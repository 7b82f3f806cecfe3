"""Floor 1: tree-sitter parsing, method spans, words, simplified parse trees."""
