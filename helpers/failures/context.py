"""Found, and still not read: what of the first k documents is in a context of so many tokens."""

from collections.abc import Sequence
from functools import lru_cache
from math import inf

import numpy as np
import pandas as pd
from tiktoken import Encoding

from helpers.base import check_whole
from helpers.failures.misses import ranks_of
from helpers.failures.report import FailureReport
from helpers.records import Chunk
from helpers.text import token_offsets, tokens

UNREAD = {"query_id": str, "doc_id": str, "grade": int, "rank": int, "tokens": float}


def unread(report: FailureReport, budget: int, encoding: Encoding | None = None) -> pd.DataFrame:
    """The relevant documents among the first k whose quote is not in a context of `budget` tokens.

    The context is filled with what the retriever finds, best first: chunks where the system cuts. A row for
    each quote that is not whole in it, in the order of the labels: `query_id`, `doc_id`, `grade`, `rank`, and
    the `tokens` that it would take (inf: the chunks do not hold the quote). `encoding` counts the tokens
    (`encoding_or_stand_in`). Raises ValueError for a report without labels, and a budget that is no whole
    number from 1 up.
    """
    check_whole("budget", budget, of="tokens")
    if report.labels is None:
        raise ValueError("the report has no labels; without quotes nothing can be looked for in a context")
    encoding, rows = encoding or tokens.encoding_or_stand_in(), []
    for label in report.labels:
        ranks = ranks_of(report.run.get(label.query_id, [])[: report.k])
        quoting = [j for j in label.judgments if j.grade > 0 and j.quote.strip() and j.doc_id in ranks]
        pieces = report.index.pieces({"": label.query})[""] if quoting else []
        for judged in quoting:
            start = report.dataset.corpus.get(judged.doc_id, "").find(judged.quote)
            span = start, start + len(judged.quote)
            needed = tokens_needed(pieces, judged.doc_id, span, encoding) if start >= 0 else inf
            if needed > budget:
                rows.append((label.query_id, judged.doc_id, judged.grade, ranks[judged.doc_id], needed))
    return pd.DataFrame(rows, columns=list(UNREAD)).astype(UNREAD)


def tokens_needed(ranked: Sequence[Chunk], doc_id: str, span: tuple[int, int], encoding: Encoding) -> float:
    """How many tokens of context it takes, pieces in order, until all of a span of a document is in it.

    `span` is (start, end) in characters of the document. inf where the pieces do not hold it.

    >>> from helpers.text import load_stand_in
    >>> ranked = [Chunk("d1", 0, "one two", 0, 7), Chunk("d2", 0, " three four five", 0, 16)]
    >>> tokens_needed(ranked, "d2", (0, 6), load_stand_in())
    3
    """
    missing, before = np.arange(*span), 0
    for chunk in ranked:
        if chunk.doc_id == doc_id:
            inside = (chunk.start <= missing) & (missing < chunk.end)
            # The piece that holds all that was still missing is read only up to the last of it.
            if inside.all():
                last = missing.max(initial=chunk.start) - chunk.start
                return before + int(np.searchsorted(token_offsets(chunk.text, encoding), last, side="right"))
            missing = missing[~inside]
        before += _n_tokens(chunk.text, encoding)
    return inf


@lru_cache(maxsize=1 << 16)
def _n_tokens(text: str, encoding: Encoding) -> int:
    return len(tokens.encode(text, encoding))
