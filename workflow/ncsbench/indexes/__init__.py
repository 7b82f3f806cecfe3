"""The indexes that rankers search: inverted indexes and vectors."""
