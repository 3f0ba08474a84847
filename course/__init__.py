"""What makes notebooks a course: exercises, the runner behind `python -m course`, and the teacher's pages."""
