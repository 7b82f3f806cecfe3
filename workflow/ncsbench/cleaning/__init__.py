"""Does cleaning training pairs help? Sets, trainings and tables of such an experiment."""
