"""The stratumc compiler."""
