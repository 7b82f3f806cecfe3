"""Reading and checking of configuration files and typed options."""
