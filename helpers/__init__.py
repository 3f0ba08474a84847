"""What the lessons share: rooms in the order of the data, each imported by its name."""
