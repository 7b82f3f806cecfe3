"""The forms of configuration files: dataset, model, pairs, CodeSearchNet, cleaning, run.

The models and settings that follow from these files are made in ``pipeline.runs``; the options of
a stage are defined beside the stage.
"""
