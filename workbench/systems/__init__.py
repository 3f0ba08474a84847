"""Any search over a corpus: one of ours, a file of its results, or a program of your own."""

from helpers.base import name_wrong_types
from workbench.systems.answers import check_takes, own_code, written_otherwise
from workbench.systems.hits_file import read_hits
from workbench.systems.importing import imported
from workbench.systems.system import DEPTH, SearchSystem, check_spec, open_system

name_wrong_types(globals())
