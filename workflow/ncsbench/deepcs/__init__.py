"""DeepCS and CARLCS: networks that read the name, the API sequence and the tokens of a method."""
