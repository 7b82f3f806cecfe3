"""Where Java files come from: repositories as folders, clones and archives, and what they hold."""
