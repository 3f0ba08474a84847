"""The small package behind the course. Import its modules by name: `from helpers.metrics import ndcg_at_k`."""
