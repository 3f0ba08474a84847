"""Judging what several systems find, in a notebook, and what the judgments cover."""

from workbench.labelling.judgment_files import JUDGMENTS_FILE, QUERIES_FILE
from workbench.labelling.labelling import Labelling
