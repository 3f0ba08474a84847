"""Exercise: from hits on chunks to a ranking of documents."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def top_documents(hits, k):
    best = {}
    for chunk_id, score in hits:
        doc_id = chunk_id.split("#")[0]
        best[doc_id] = max(score, best.get(doc_id, score))
    ranking = sorted(best.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    return ranking[:k]


TOP_DOCUMENTS = Exercise(
    name="TOP_DOCUMENTS",
    task="""\
Write `top_documents(hits, k)`: the k best documents, given hits on chunks **in any order**.

```
>>> top_documents([("d1#0", 2.0), ("d2#0", 3.0), ("d1#4", 5.0)], 2)
[('d1', 5.0), ('d2', 3.0)]
```

**Convention** (that of `to_documents`): each document is listed once, with the score of its best chunk, \
which may be negative. The best document comes first; of documents with equal scores the higher doc_id, \
compared as text, comes first, as in `trec_eval`. k counts documents, not chunks. No doc_id contains a `#`. \
If there are no hits, return `[]`.""",
    reference=top_documents,
    cases=(
        Case(
            ([("d1#0", 2.0), ("d2#0", 3.0)], 5),
            "the better document comes first, whatever the order of the hits",
        ),
        Case(
            ([("d2#0", 3.0), ("d1#0", 2.0), ("d1#1", 2.0)], 5),
            "two fair chunks do not make one good one: d1 scores 2, not 4",
        ),
        Case(
            ([("d1#0", 3.0), ("d2#0", 2.0), ("d1#1", 1.0)], 5),
            "the chunk of d1 that comes later is not its best",
        ),
        Case(
            ([("d1#4", 1.0), ("d2#0", 2.0), ("d1#0", 3.0)], 5),
            "the chunk of d1 that comes first is not its best",
        ),
        Case(
            ([("d1#0", 9.0), ("d1#1", 8.0), ("d2#0", 7.0)], 2),
            "two documents are asked for, and there are two",
        ),
        Case(([("d1#0", 9.0), ("d2#0", 8.0), ("d3#0", 7.0)], 2), "two documents are asked for, not three"),
        Case(
            (
                [
                    ("d10#0", 1.41421),
                    ("d9#3", 1.41421),
                    ("d100#1", 1.41421),
                    ("d2#10", 2.71828),
                    ("d2#0", 0.5),
                    ("d3#0", -0.25),
                    ("d10#2", 0.75),
                    ("d1#0", 1.41419),
                ],
                3,
            ),
            "three documents tie for two places: as text d9 is the highest of them, d100 the next",
        ),
        Case(
            (
                [
                    ("d4#0", 9.87654),
                    ("d1#1", 10.0),
                    ("d3#0", 100.0),
                    ("d1#0", 9.5),
                    ("d5#0", -9.5),
                    ("d2#2", -10.0),
                    ("d4#3", -0.5),
                    ("d6#0", -100.0),
                ],
                4,
            ),
            "scores are numbers: 100 is above 10, and 10 above 9.87654",
        ),
        Case(([("d1#0", 5.0), ("d2#0", 5.0)], 2), "of equal scores the higher doc_id comes first"),
        Case(
            ([("d2#0", 5.0), ("d1#0", 5.0)], 2),
            "of equal scores the higher doc_id comes first, whichever hit came first",
        ),
        Case(([("d9#0", 5.0), ("d10#0", 5.0)], 2), "doc_ids are text, and as text d9 is higher than d10"),
        Case(
            ([("d2#0", -1.0), ("d1#0", -2.0), ("d1#1", -3.0)], 5),
            "a retriever may give negative scores; the best of them is still the best",
        ),
        Case(
            ([("d1#10", 1.5), ("d10#1", 2.5), ("d10#2", 0.5)], 5),
            "d1 and d10 are two documents; the number after # is that of the chunk",
        ),
        Case(([], 3), "no hits, no documents"),
    ),
    hints=(
        "Three steps, in this order: find each document's best score, sort, cut. If you cut first, the "
        "chunks of one document take places away from others.",
        "A dictionary from doc_id to the best score so far; chunk_id.split('#')[0] is the doc_id. Sorting "
        "pairs (score, doc_id) in reverse puts the best first, and among equals the higher doc_id.",
        "best[doc_id] = max(score, best.get(doc_id, score)) for each hit; then sorted(best.items(), "
        "key=lambda pair: (pair[1], pair[0]), reverse=True), cut with [:k].",
    ),
)


def _scores_by_document(hits):
    scores = {}
    for chunk_id, score in hits:
        scores.setdefault(chunk_id.split("#")[0], []).append(score)
    return scores


def _ranked(scores, k):
    return sorted(scores.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)[:k]


def _folded(hits, k, fold):
    return _ranked({doc_id: fold(scores) for doc_id, scores in _scores_by_document(hits).items()}, k)


@TOP_DOCUMENTS.mistake("sum of chunks")
def sum_of_chunks(hits, k):
    """You add up the scores of a document's chunks. That is a rule too, but it pays a document for its
    length: ten chunks that mention a word in passing beat the one that answers. Here the best chunk
    counts."""
    return _folded(hits, k, sum)


@TOP_DOCUMENTS.mistake("mean of chunks")
def mean_of_chunks(hits, k):
    """You take the mean of a document's chunks. Then a page with one perfect answer is pulled down by its
    other paragraphs, which nobody asked about. Here the best chunk counts."""
    return _folded(hits, k, lambda scores: sum(scores) / len(scores))


@TOP_DOCUMENTS.mistake("cut at k before merging")
def cut_before_merging(hits, k):
    """You keep the k best chunks and merge then. Chunks of one document take places from others, so you
    return fewer than k documents although there are more. Merge first, cut last."""
    return top_documents(sorted(hits, key=lambda hit: hit[1], reverse=True)[:k], k)


@TOP_DOCUMENTS.mistake("last chunk wins")
def last_wins(hits, k):
    """A later chunk of a document overwrites the earlier one. Where hits come best first, that leaves each
    document with its worst chunk. Keep the larger of the two scores."""
    return _folded(hits, k, lambda scores: scores[-1])


@TOP_DOCUMENTS.mistake("first chunk wins")
def first_wins(hits, k):
    """You keep the first chunk of each document that you meet. That is right for hits sorted best first,
    which this function is not promised: an index that is searched in parts gives them in another order. Keep
    the larger score."""
    return _folded(hits, k, lambda scores: scores[0])


@TOP_DOCUMENTS.mistake("not folded")
def not_folded(hits, k):
    """A document is in your list once for each of its chunks. A metric pays for it each time: that is the
    nDCG above 1 of section 7. Keep each document once, with its best score."""
    pairs = [(chunk_id.split("#")[0], score) for chunk_id, score in hits]
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]), reverse=True)[:k]


@TOP_DOCUMENTS.mistake("0 as the first best score")
def never_below_zero(hits, k):
    """You start each document at 0 and look for something better. A retriever may give negative scores, as
    some models do; all such documents then tie at 0. Start with the document's first score."""
    return _folded(hits, k, lambda scores: max(0, *scores))


@TOP_DOCUMENTS.mistake("reversed ties")
def ties_up(hits, k):
    """Among equal scores you put the lower doc_id first. Any fixed rule would do, but results can be
    compared only under the same rule, and trec_eval puts the higher doc_id first."""
    return sorted(top_documents(hits, len(hits)), key=lambda pair: (-pair[1], pair[0]))[:k]


@TOP_DOCUMENTS.mistake("ties as they come")
def ties_as_they_come(hits, k):
    """Documents of equal score are in the order of the hits. Then the same search can give another ranking
    tomorrow, and another nDCG. Put the higher doc_id first."""
    best = {doc_id: max(scores) for doc_id, scores in _scores_by_document(hits).items()}
    return sorted(best.items(), key=lambda pair: pair[1], reverse=True)[:k]


@TOP_DOCUMENTS.mistake("not sorted")
def not_sorted(hits, k):
    """You fold, but leave the documents in the order in which they were met. The hits come in any order, so
    sort after folding: by score, best first."""
    return [(doc_id, max(scores)) for doc_id, scores in _scores_by_document(hits).items()][:k]


@TOP_DOCUMENTS.mistake("worst first")
def worst_first(hits, k):
    """Your list begins with the worst document: sorted goes upwards unless it is told reverse=True. The
    cut at k then keeps the wrong end."""
    return top_documents(hits, len(hits))[::-1][:k]


@TOP_DOCUMENTS.mistake("two characters cut off")
def two_characters_cut_off(hits, k):
    """You cut a fixed number of characters off the chunk's id. From the tenth chunk on its number has two
    digits, and part of it stays. Cut at the #: chunk_id.split("#")[0]."""
    scores = {}
    for chunk_id, score in hits:
        scores[chunk_id[:-2]] = max(score, scores.get(chunk_id[:-2], score))
    return _ranked(scores, k)


@TOP_DOCUMENTS.mistake("ids compared by their numbers")
def by_number(hits, k):
    """You compare the ids by the numbers in them. trec_eval compares them as text, and then d9 is above d10;
    another order among equal scores can change a metric."""
    return sorted(top_documents(hits, len(hits)), key=lambda pair: (-pair[1], -_number(pair[0])))[:k]


def _number(doc_id):
    return int("".join(filter(str.isdigit, doc_id)) or 0)


@TOP_DOCUMENTS.mistake("negative scores left out")
def negative_left_out(hits, k):
    """You leave out documents with scores of 0 or below. Some engines give negative scores, and the best of
    them is still the best."""
    return [pair for pair in top_documents(hits, len(hits)) if pair[1] > 0][:k]


@TOP_DOCUMENTS.mistake("the worst chunk counts")
def worst_chunk(hits, k):
    """Each of your documents has the score of its worst chunk. Does a later, lower score overwrite the best?
    A document has the score of its best chunk: keep the higher of the two."""
    return _folded(hits, k, min)


@TOP_DOCUMENTS.mistake("k not used")
def all_documents(hits, k):
    """You return all documents. The task asks for the k best: cut the list at the end."""
    return top_documents(hits, len(hits))


@TOP_DOCUMENTS.mistake("sorted by the id")
def sorted_by_the_id(hits, k):
    """You sort by the id. The best score comes first; the id counts only where scores are equal."""
    return sorted(top_documents(hits, len(hits)))[:k]


@TOP_DOCUMENTS.mistake("cut at k before merging, ties by the id")
def cut_before_merging_ties_by_the_id(hits, k):
    """You keep the k best chunks and merge then. Chunks of one document take places from others, so you
    return fewer than k documents although there are more. Merge first, cut last."""
    return top_documents(sorted(hits, key=lambda hit: (hit[1], hit[0].split("#")[0]), reverse=True)[:k], k)


@TOP_DOCUMENTS.mistake("the first k chunks")
def first_k_chunks(hits, k):
    """You keep k chunks and merge then. Chunks of one document take places from others, so you return fewer
    than k documents although there are more. Merge first, cut last."""
    return top_documents(hits[:k], k)


@TOP_DOCUMENTS.mistake("one too many")
def one_too_many(hits, k):
    """You return k + 1 documents. The task asks for k."""
    return top_documents(hits, k + 1)


@TOP_DOCUMENTS.mistake("one too few")
def one_too_few(hits, k):
    """You return k − 1 documents. The task asks for k."""
    return top_documents(hits, k - 1)
