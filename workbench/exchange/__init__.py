"""Queries, judgments and runs of other tools come in, and a project's go out."""

from helpers.base import name_wrong_types
from workbench.exchange.asked_queries import AskedQuery
from workbench.exchange.bring_in import BroughtIn, bring_in_judgments, bring_in_queries
from workbench.exchange.exports import FORMATS, export_project
from workbench.exchange.judgments_in import read_judgments
from workbench.exchange.odd_queries import personal_data
from workbench.exchange.peers import as_qrels, as_run, to_ir_measures_qrels, to_ir_measures_run
from workbench.exchange.queries_in import read_queries, sample_searches
from workbench.exchange.settling import settle_sheet, write_differences
from workbench.exchange.sheets import write_sheet

name_wrong_types(globals())
