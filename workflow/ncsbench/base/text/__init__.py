"""Words, lemmas, analyzers and vocabularies of text; text of others made safe to show.

Words of source code belong here, too; its syntax belongs to ``code``.
"""
