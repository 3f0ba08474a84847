"""Every figure of the course, with matplotlib; nothing is computed here that a lesson quotes.

A figure is imported when it is first asked for: a lesson that draws nothing does not wait for matplotlib.
"""

from importlib import import_module

from helpers.base import name_wrong_types

MODULE_OF = {
    "bounds_figure": "comparisons",
    "budget_figure": "comparisons",
    "changes_figure": "failures",
    "clicks_by_rank_figure": "online",
    "cost_figure": "lessons_01_to_04",
    "differences_figure": "comparisons",
    "discount_figure": "lessons_01_to_04",
    "first_rank_figure": "failures",
    "gains_figure": "comparisons",
    "idf_figure": "lessons_01_to_04",
    "intervals_figure": "comparisons",
    "kept_figure": "comparisons",
    "lab_figure": "lessons_01_to_04",
    "ladder_figure": "lessons_01_to_04",
    "lengths_figure": "lessons_01_to_04",
    "monitor_figure": "online",
    "online_power_figure": "online",
    "overlap_figure": "lessons_01_to_04",
    "peeking_figure": "online",
    "per_query_figure": "lessons_01_to_04",
    "power_figure": "comparisons",
    "scatter_figure": "comparisons",
    "sets_figure": "failures",
    "sorted_scores_figure": "failures",
    "tradeoff_figure": "comparisons",
}
__all__ = list(MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in MODULE_OF:
        raise AttributeError(f"helpers.show has no {name!r}; it has {', '.join(MODULE_OF)}")
    globals()[name] = getattr(import_module(f"helpers.show.{MODULE_OF[name]}"), name)
    name_wrong_types(globals())
    return globals()[name]


def __dir__() -> list[str]:
    return __all__
