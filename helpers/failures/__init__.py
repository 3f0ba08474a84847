"""Why queries fail: score ledgers, causes tested by counterfactuals, and a browser for both."""

from helpers.failures.analyzer import RetrievalErrorAnalyzer
from helpers.failures.browser import browse
from helpers.failures.causes import CAUSES, is_said_otherwise
from helpers.failures.controls import control_rewordings
from helpers.failures.counterfactuals import telling_words
from helpers.failures.highlight import highlight, ledger_table
from helpers.failures.report import FailureReport, analyze
from helpers.failures.rewordings import load_rewordings, reword
from helpers.failures.system import Index, System
