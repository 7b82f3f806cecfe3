"""Published files on servers of others: downloaded once, and checked from then on."""
