"""The CodeSearchNet challenge: annotations, measures, rankings, and Tables 1 to 4."""
