"""From a text to terms, tokens and chunks; the same for documents and for queries."""

from helpers.base import name_wrong_types
from helpers.text import tokens
from helpers.text.analyzers import (
    ANALYZERS,
    Analyzer,
    lucene_english,
    plain,
    plain_stemmed,
    plain_stopped,
    stem,
    unicode_words,
)
from helpers.text.chunking import (
    chunk_corpus,
    chunk_fixed,
    chunk_paragraphs,
    chunk_recursive,
    to_corpus,
    token_offsets,
)
from helpers.text.tokens import encoding_or_stand_in, load_stand_in
from helpers.text.words import (
    FUNCTION_WORDS,
    content_terms,
    content_words,
    word_overlap,
)

name_wrong_types(globals())
