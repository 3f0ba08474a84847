"""Your own documents as a corpus on disk."""

from workbench.corpus.corpus_folder import CorpusFolder, Ingested
from workbench.corpus.formats import SourceDocument
