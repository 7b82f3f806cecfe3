"""Evaluation questions: the published file, and the choice of questions from posts.

Reading answers as code belongs to ``evaluation.judge``.
"""
