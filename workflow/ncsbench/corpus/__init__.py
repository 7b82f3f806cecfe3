"""Floor 2: sources, extraction and the corpus artifacts made from them."""
