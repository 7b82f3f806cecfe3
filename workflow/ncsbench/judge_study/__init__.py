"""The judge study: how much the choice of the judge matters."""
