"""Your own documents as an evaluation project, made in one step."""

from helpers.base import name_wrong_types
from workbench.projects.baseline import baseline_system, keep_baseline
from workbench.projects.by_judges import ByJudges, by_judges, corrections, leanings
from workbench.projects.drafts import draft_queries
from workbench.projects.measuring import (
    PROJECT_BUDGET,
    Measured,
    analyze_project,
    measure_project,
)
from workbench.projects.new import TEMPLATE, duplicates_in_words, new_project
from workbench.projects.segments import by_segment, segment_note

name_wrong_types(globals())
