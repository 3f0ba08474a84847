"""Your own documents as a corpus on disk."""

from helpers.base import name_wrong_types
from workbench.corpus.corpus_folder import CorpusFolder, Ingested, read_texts
from workbench.corpus.formats import ENDINGS, SourceDocument, as_id
from workbench.corpus.near_duplicates import NearDuplicates
from workbench.corpus.reading import KEEP, LEAVE_OUT, check_no_project, n_left_out

name_wrong_types(globals())
