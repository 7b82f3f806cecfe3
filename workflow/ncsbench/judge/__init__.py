"""The judge: reads answers as Java, indexes a corpus, scores and finds similar methods."""
