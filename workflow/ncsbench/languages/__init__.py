"""Java by tree-sitter: methods and their items, and streams for simplified parse trees."""
