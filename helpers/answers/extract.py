"""An answer without a model: sentences of the context, picked by their words.

So retrieval, context and answer can be scored end to end by one rule, offline and alike each time.
"""

import re
from collections import Counter
from collections.abc import Iterable
from math import sqrt

import numpy as np
from tiktoken import Encoding

from helpers.answers.contexts import Context, shown_of
from helpers.base import check_type, check_whole
from helpers.records import Corpus
from helpers.retrieval import as_terms, check_analyzer, check_corpus
from helpers.text import Analyzer, lucene_english, tokens

_ENDS = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[^\W\d_a-z]|[\"'*`(\[])|\n+")
"""Where a sentence ends: at a full stop before a capital letter or mark, and at every line end."""


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """`(start, end)` of the sentences of a text, blanks at their ends left out; a line ends a sentence.

    >>> text = "Stop it. Then wait 2.5 min.\\n| a | row |"
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Stop it.', 'Then wait 2.5 min.', '| a | row |']
    """
    ends = [(found.start(), found.end()) for found in _ENDS.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    spans = []
    for start, end in zip(starts, [*(start for start, _ in ends), len(text)], strict=True):
        inside = text[start:end]
        if inside.strip():
            first = start + len(inside) - len(inside.lstrip())
            spans.append((first, start + len(inside.rstrip())))
    return spans


class ExtractiveAnswerer:
    """Answers with sentences of the context: near to the query, and unlike those that were picked before.

    Sentences are compared by the cosine of their tf · idf, idf from `corpus`. The next is the one with the
    highest `closeness` · cosine(query) - (1 - closeness) · (highest cosine with a picked sentence): maximal
    marginal relevance. One that does not fit into the rest of the budget is passed over; a sentence without a
    word of the query is never picked.

    Source: Carbonell and Goldstein, The use of MMR, diversity-based reranking for reordering documents and
    producing summaries, SIGIR 1998.

    >>> from helpers.text import load_stand_in
    >>> corpus = {"d1": "The relay is old. Restart the relay. Lunch is at noon."}
    >>> answerer = ExtractiveAnswerer(corpus, load_stand_in())
    >>> [corpus["d1"][start:end] for _, start, end in answerer.answer("restart", [("d1", 0, 54)], budget=20)]
    ['Restart the relay.']
    """

    def __init__(
        self,
        corpus: Corpus,
        encoding: Encoding,
        analyzer: Analyzer = lucene_english,
        closeness: float = 0.7,
    ):
        if not 0 <= closeness <= 1:
            raise ValueError(f"closeness is {closeness!r}; needed a share from 0 to 1")
        check_corpus(corpus)
        check_analyzer(analyzer)
        check_type("encoding", encoding, Encoding, "helpers.text.encoding_or_stand_in() gives one")
        self.corpus, self.encoding, self.analyzer, self.closeness = corpus, encoding, analyzer, closeness
        df = Counter(term for text in corpus.values() for term in set(self._terms(text)))
        self.idf = {term: np.log(1 + len(corpus) / n) for term, n in df.items()}

    def answer(self, query: str, context: Context, budget: int) -> list[tuple[str, int, int]]:
        """Sentences of at most `budget` tokens in all, `(doc_id, start, end)`, in the order of being picked.

        Raises ValueError for a budget that is no whole number from 1 up, and for a context with a document
        that the corpus lacks.
        """
        check_whole("budget", budget, of="tokens")
        pieces = shown_of(context, self.corpus)
        sentences = [
            (doc_id, start + first, start + last)
            for doc_id, spans in pieces.items()
            for start, end in spans
            for first, last in sentence_spans(self.corpus[doc_id][start:end])
        ]
        vectors = [self._vector(self.corpus[doc_id][start:end]) for doc_id, start, end in sentences]
        asked = self._vector(query)
        near = [_cosine(asked, vector) for vector in vectors]
        left, said, picked = [i for i, value in enumerate(near) if value > 0], [0.0] * len(near), []
        while left:
            # The best of what is left; among equals the earlier one.
            best = max(left, key=lambda i: (self.closeness * near[i] - (1 - self.closeness) * said[i], -i))
            left.remove(best)
            doc_id, start, end = sentences[best]
            length = len(tokens.encode(self.corpus[doc_id][start:end], self.encoding))
            if length > budget:
                continue
            budget -= length
            picked.append(sentences[best])
            for i in left:
                said[i] = max(said[i], _cosine(vectors[best], vectors[i]))
        return picked

    def _terms(self, text: str) -> Iterable[str]:
        return as_terms(self.analyzer(text), self.analyzer)

    def _vector(self, text: str) -> dict[str, float]:
        """The tf · idf of a text's terms, brought to length 1; a term that the corpus lacks is left out."""
        counts = Counter(term for term in self._terms(text) if term in self.idf)
        weights = {term: n * self.idf[term] for term, n in counts.items()}
        length = sqrt(sum(weight**2 for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()} if length else {}


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    shorter, longer = sorted((one, other), key=len)
    return float(sum(weight * longer[term] for term, weight in shorter.items() if term in longer))
