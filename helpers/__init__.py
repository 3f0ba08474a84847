"""What the lessons share; each room is imported by its name."""
