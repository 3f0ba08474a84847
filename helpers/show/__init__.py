"""Every figure of the course, with matplotlib; nothing is computed here that a lesson quotes."""

from helpers.show.comparisons import (
    bounds_figure,
    budget_figure,
    differences_figure,
    intervals_figure,
    power_figure,
    scatter_figure,
)
from helpers.show.failures import causes_figure, first_rank_figure, sorted_scores_figure
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
from helpers.show.online import clicks_by_rank_figure, monitor_figure, online_power_figure, peeking_figure
