"""Tables of datasets whose right methods are named by gold."""
