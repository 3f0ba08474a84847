"""Every figure of the course. The only room that imports matplotlib; nothing is computed here that a lesson quotes."""

from helpers.show.lessons_01_to_04 import (
    cost_figure,
    discount_figure,
    idf_figure,
    lab_figure,
    ladder_figure,
    lengths_figure,
    overlap_figure,
    per_query_figure,
)

__all__ = [
    "cost_figure",
    "discount_figure",
    "idf_figure",
    "lab_figure",
    "ladder_figure",
    "lengths_figure",
    "overlap_figure",
    "per_query_figure",
]
