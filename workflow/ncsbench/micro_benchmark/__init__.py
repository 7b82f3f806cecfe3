"""Finding a method again by some of its own words (NCS paper, 3.1)."""
