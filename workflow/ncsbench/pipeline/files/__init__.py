"""The forms of configuration files: dataset, model, pairs, CodeSearchNet, cleaning, run.

What follows from them is in ``pipeline.runs``; options of a stage lie beside the stage.
"""
