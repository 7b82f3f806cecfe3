"""Text: words, lemmas and analyzers; third-party text made safe to show."""
