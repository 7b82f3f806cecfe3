"""What one run of the workflow computes: configuration, dataset, models, variants."""
