"""A labelled collection of one's own: documents, labels with quotes, two assessors, and what the whole is like."""
