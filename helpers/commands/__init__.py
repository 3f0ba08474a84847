"""What the verbs of `python -m helpers` do; the command line itself is in `__main__`."""
