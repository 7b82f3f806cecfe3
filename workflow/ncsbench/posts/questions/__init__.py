"""Evaluation questions: the published file, and choosing questions from posts.

Answers as code belong to ``evaluation.judge``.
"""
