"""Archives of repositories: asked for politely, once each, and kept in the store."""
