"""The driver: what an input is, which stages it goes through, and what commands ask of them.

`pipeline` is the page to read first. Nothing is imported here: a cached check loads three of these modules.
"""
