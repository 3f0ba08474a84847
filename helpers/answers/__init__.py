"""From retrieved pieces to an answer, in the order of the data: `contexts` fills a budget, `nuggets` says
which facts are in it, `extract` answers without a model."""

from helpers.answers.contexts import Context, fill_context, redundancy, shown
from helpers.answers.extract import ExtractiveAnswerer, sentence_spans
from helpers.answers.nuggets import (
    ASSIGNMENTS,
    STAGES,
    assignment,
    context_scores,
    nugget_scores,
    nugget_shares,
    passage_grade,
    ranked_precision,
    stages,
    supporting,
)
from helpers.base import name_wrong_types

name_wrong_types(globals())
