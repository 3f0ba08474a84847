"""Why queries fail, file by file in reading order: `system` is what is searched and can be built again with
one thing changed, `misses` are the relevant documents it did not find, each with a useless one beside it,
`changes` and `rewordings` are what is changed, `trials` search again, and `report` compares what comes back
with its control; `controls` has more of those, `context` what a token budget leaves out. `highlight` and
`browser` show scores and misses; `analyzer` sorts misses without searching again.
"""

from helpers.base import name_wrong_types
from helpers.failures.analyzer import RetrievalErrorAnalyzer
from helpers.failures.browser import browse
from helpers.failures.changes import usual_changes
from helpers.failures.context import unread
from helpers.failures.controls import control_rewordings
from helpers.failures.highlight import highlight, ledger_table
from helpers.failures.report import FailureReport, analyze, difference_interval
from helpers.failures.rewordings import document_frequencies, load_rewordings, reword, telling_words
from helpers.failures.system import Index, System

name_wrong_types(globals())
