"""Which facts a context or an answer holds, read off its quotes: exact, and without a model.

A nugget is there where a quote that states it lies whole in what is shown, and partly there where half of
such a quote does. The scores are those of the TREC RAG track (AutoNuggetizer), whose assignments a language
model makes; here positions in documents do.

Source: Pradeep et al., The great nugget recall: automating fact extraction and RAG evaluation with large
language models, SIGIR 2025.
"""

from collections import Counter
from collections.abc import Sequence
from numbers import Real

import numpy as np

from helpers.answers.contexts import Context, shown, shown_of
from helpers.base import check_option, counted, warn
from helpers.datasets import Answer, LabelledQuery, Nugget
from helpers.records import Corpus
from helpers.stats import check_in_order, in_one_order

SUPPORT, PARTIAL, NO_SUPPORT = ASSIGNMENTS = ("support", "partial_support", "not_support")
"""How far something holds a nugget, in the words of AutoNuggetizer."""
IMPORTANCES = ("vital", "okay")
STAGES = ("no page", "another passage", "cut through", "not picked", "answered")
"""How far a nugget gets: no page that states it is in the context; the page is, by another passage; the
passage is, in part; it is whole in the context and not in the answer; it is in the answer."""


def nugget_shares(nuggets: Sequence[Nugget], context: Context, corpus: Corpus) -> list[float]:
    """For each nugget how much of its best quote a context shows, from 0 to 1, blanks not counted.

    Of several quotes that state it the one that is shown most counts. Raises ValueError where a document
    lacks a quote: the nuggets were made for another corpus; and where the corpus lacks a document of the
    context, as where a piece has the id of its chunk.

    >>> quote = {"doc_id": "d1", "quote": "by noon"}
    >>> nugget = Nugget(text="It is due by noon.", importance="vital", support=[quote])
    >>> nugget_shares([nugget], [("d1", 0, 9)], {"d1": "due by noon"})  # 4 of 6 letters
    [0.6666666666666666]
    """
    visible = shown_of(context, corpus)
    shares = []
    for nugget in nuggets:
        found = [_share(one.doc_id, one.quote, visible, corpus) for one in nugget.support]
        shares.append(max(found))
    return shares


def assignment(share: float) -> str:
    """The share of a quote that is shown as one of `ASSIGNMENTS`: all of it, half of it or more, less.

    Raises ValueError for a share that is not from 0 to 1.

    >>> assignment(1.0), assignment(0.5), assignment(0.4)
    ('support', 'partial_support', 'not_support')
    """
    if not isinstance(share, Real) or not 0 <= share <= 1:
        raise ValueError(f"share is {share!r}; needed a number from 0 to 1")
    return SUPPORT if share == 1 else PARTIAL if share >= 0.5 else NO_SUPPORT


def nugget_scores(importances: Sequence[str], assignments: Sequence[str]) -> dict[str, float]:
    """The six scores of the TREC RAG track for one answer: `vital`, `all` and `weighted`, each also `strict`.

    A supported nugget counts 1, one that is partly supported 1/2 and, strictly, 0. `vital` is the mean over
    vital nuggets, `all` over all, and in `weighted` an okay nugget weighs half a vital one. Without a nugget
    of the kind a score is 0, as in the track's own code. Two Series are paired by their index. Raises
    ValueError for lists of unequal length and for other words than those of `IMPORTANCES` and `ASSIGNMENTS`.

    >>> importances = ["vital", "vital", "okay"]
    >>> found = nugget_scores(importances, ["support", "partial_support", "not_support"])
    >>> found["vital"], found["vital strict"], found["all"], found["weighted"]
    (0.75, 0.5, 0.5, 0.6)
    """
    check_in_order(importances, "importances")
    check_in_order(assignments, "assignments")
    if len(importances) != len(assignments):
        found = f"{len(importances)} importances and {len(assignments)} assignments"
        raise ValueError(f"{found}; needed one of each a nugget")
    assignments = in_one_order(importances, assignments, "importances", "assignments")
    for one, other in zip(importances, assignments, strict=True):
        check_option("importance", one, IMPORTANCES)
        check_option("assignment", other, ASSIGNMENTS)
    weights = {"vital": {"vital": 1, "okay": 0}, "all": {"vital": 1, "okay": 1}}
    weights["weighted"] = {"vital": 1, "okay": 0.5}
    worth = {
        "": {SUPPORT: 1, PARTIAL: 0.5, NO_SUPPORT: 0},
        " strict": {SUPPORT: 1, PARTIAL: 0, NO_SUPPORT: 0},
    }
    scores = {}
    for name, weight in weights.items():
        total = sum(weight[importance] for importance in importances)
        for ending, value in worth.items():
            held = sum(weight[i] * value[a] for i, a in zip(importances, assignments, strict=True))
            scores[name + ending] = held / total if total else 0.0
    return scores


def context_scores(answer: Answer, context: Context, corpus: Corpus) -> dict[str, float]:
    """What a context is worth to somebody who must write the answer: `nugget_scores`, and four more.

    `sufficient` is 1 where every vital nugget lies whole in it, so that the reference answer could be
    written, else 0. `precision` is the share of its pieces that hold a nugget by themselves (`supporting`),
    `ranked precision` the same where early pieces count more (`ranked_precision`). `first` is the place of
    the first such piece, from 1 (infinite where there is none).
    """
    check_in_order(context, "pieces of the context")
    context = list(context)  # it is read twice
    shares = nugget_shares(answer.nuggets, context, corpus)
    importances = [nugget.importance for nugget in answer.nuggets]
    scores = nugget_scores(importances, list(map(assignment, shares)))
    useful = supporting(answer.nuggets, context, corpus)
    return scores | {
        "sufficient": float(scores["vital strict"] == 1),
        "precision": sum(useful) / len(useful) if useful else 0.0,
        "ranked precision": ranked_precision(useful),
        "first": float(useful.index(True) + 1) if True in useful else float("inf"),
    }


def supporting(nuggets: Sequence[Nugget], context: Context, corpus: Corpus) -> list[bool]:
    """For each piece of a context, in its order, whether it, alone, holds a quote of a nugget whole."""
    check_in_order(context, "pieces of the context")
    nuggets = list(nuggets)  # they are read once for each piece
    return [1.0 in nugget_shares(nuggets, [piece], corpus) for piece in context]


def ranked_precision(useful: Sequence[bool]) -> float:
    """The mean of precision@k over the ranks k of useful pieces: what RAGAS calls context precision.

    Average precision, but divided by the useful pieces of this context and not by all that there are: what
    was never retrieved costs nothing. 0 where no piece is useful. Raises ValueError for what is neither True
    nor False, 1 nor 0: the text "0" would count as useful, and so would every probability.

    Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented
    generation, EACL 2024 (demonstrations); the formula is that of the library's documentation.

    >>> ranked_precision([True, False, True])  # (1/1 + 2/3) / 2
    0.8333333333333333
    """
    check_in_order(useful, "useful pieces")
    useful = list(useful)
    for i, one in enumerate(useful):
        if not isinstance(one, (Real, np.bool_)) or one not in (0, 1):
            cure = "of a grade or a probability say from where on a piece is useful, such as grade > 0"
            raise ValueError(f"useful, item {i}: {one!r:.60}; needed True or False, 1 or 0; {cure}")
    ranks = [rank for rank, one in enumerate(useful, start=1) if one]
    return sum(n / rank for n, rank in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0


def passage_grade(label: LabelledQuery, answer: Answer | None, passage: Context, corpus: Corpus) -> int:
    """The grade of a passage by the quotes that it holds whole: 2, 1 or 0.

    2 for a quote of a vital nugget or of a page that answers (grade 2), 1 for one of an okay nugget or of a
    page that helps. A passage that cuts a quote in two does not hold it. Raises ValueError as
    `nugget_shares`.
    """
    quotes = [(one.doc_id, one.quote, one.grade) for one in label.judgments if one.grade]
    for nugget in answer.nuggets if answer else ():
        grade = 2 if nugget.importance == "vital" else 1
        quotes += [(one.doc_id, one.quote, grade) for one in nugget.support]
    visible = shown_of(passage, corpus)
    return max((grade for d, quote, grade in quotes if _share(d, quote, visible, corpus) == 1), default=0)


def stages(nuggets: Sequence[Nugget], context: Context, answer: Context, corpus: Corpus) -> Counter[str]:
    """How many nuggets get how far on their way into an answer: a count for each of `STAGES`.

    `answer` is what an answer shows of the documents, in the form of a context. Warns where it shows all of
    the context and a nugget that the context lacks: the two have changed places.
    """
    nuggets, context, answer = list(nuggets), list(context), list(answer)  # they are read twice
    found: Counter[str] = Counter(dict.fromkeys(STAGES, 0))
    pages = {doc_id for doc_id, _, _ in context}
    in_context, in_answer = (nugget_shares(nuggets, one, corpus) for one in (context, answer))
    beyond = sum(said == 1 > read for read, said in zip(in_context, in_answer, strict=True))
    if beyond and context and shown([*answer, *context]) == shown(answer):
        said = f"the answer shows all of the context and {counted(beyond, 'nugget')} that it lacks"
        warn(f"{said}; have the two changed places? The order is nuggets, context, answer, corpus")
    for nugget, read, said in zip(nuggets, in_context, in_answer, strict=True):
        if said == 1:
            found["answered"] += 1
        elif read == 1:
            found["not picked"] += 1
        elif read > 0:
            found["cut through"] += 1
        else:
            there = any(one.doc_id in pages for one in nugget.support)
            found["another passage" if there else "no page"] += 1
    return found


def _share(doc_id: str, quote: str, visible: dict[str, list[tuple[int, int]]], corpus: Corpus) -> float:
    """How much of a quote is visible, blanks not counted."""
    if doc_id not in visible:
        return 0.0
    text = corpus[doc_id]
    start = text.find(quote)
    if start < 0:
        raise ValueError(f"the quote {quote[:50]!r} is not in document {doc_id!r}; another corpus?")
    end = start + len(quote)
    seen = "".join(text[max(first, start) : min(last, end)] for first, last in visible[doc_id])
    return _n_letters(seen) / _n_letters(quote)


def _n_letters(text: str) -> int:
    return len("".join(text.split()))
