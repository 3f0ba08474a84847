"""Statistics on scores per query and on labels. Nothing in this room knows what a document, a run or a metric is."""

from helpers.stats.kappa import cohen_kappa

__all__ = ["cohen_kappa"]
