"""Evaluation questions: the published file, and the choice of questions from posts.

Reading answers as code belongs to ``evaluation.judge``; questions that are selected by published
figures belong to ``evaluation.published``.
"""
