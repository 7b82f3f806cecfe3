"""Evaluation questions: reading the published file, and selecting questions from posts."""
