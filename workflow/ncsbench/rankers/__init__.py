"""Rankers behind one protocol, and the stages that make an index and a run of any of them.

The modules of this folder are what rankers share, and ``bm25`` as the example. A kind of ranker is
a module with the kind's name here or in ``lexical``, ``vectors`` or ``combined``; ``registry``
finds it. Learning belongs to ``learning``, measuring to ``evaluation``.
"""
