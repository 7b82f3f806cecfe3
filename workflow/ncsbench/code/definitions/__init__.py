"""Definitions of files in eight languages by tree-sitter: functions, methods, types.

A language is one row of ``languages``. Methods of Java with a body are read by ``code.java``, the
functions of CodeSearchNet by ``code.functions``.
"""
