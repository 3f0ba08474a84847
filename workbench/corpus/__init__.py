"""Your own documents as a corpus on disk."""

from workbench.corpus.corpus_folder import CorpusFolder, Ingested, read_texts
from workbench.corpus.formats import SourceDocument
