"""Judging what several systems find, in a notebook, and what the judgments cover."""

from helpers.base import name_wrong_types
from workbench.labelling.gold import nothing_found_in_words
from workbench.labelling.judges import (
    agreements_in_words,
    check_judge,
    corrected_mean,
    forget_judge,
    read_judges,
)
from workbench.labelling.judgment_files import (
    JUDGMENTS_FILE,
    QUERIES_FILE,
    Question,
    SavedJudgment,
    alike_segments,
    as_segment,
    judged_queries,
    read_questions,
    read_resolved,
    read_verdicts,
    verdicts_path,
    write_records,
)
from workbench.labelling.labelling import (
    Labelling,
)
from workbench.labelling.pool_systems import SYSTEMS_FILE, read_systems, write_systems
from workbench.labelling.stale import judged_before_change, quoted_in, stale_in_words, text_checksum

name_wrong_types(globals())
