"""Exercise: rankings become one by their ranks alone."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def reciprocal_rank_fusion(rankings, k):
    fused = {}
    for ranking in rankings:
        for rank, doc_id in enumerate(ranking, start=1):
            fused[doc_id] = fused.get(doc_id, 0) + 1 / (k + rank)
    return fused


RECIPROCAL_RANK_FUSION = Exercise(
    name="RECIPROCAL_RANK_FUSION",
    task="""\
Write `reciprocal_rank_fusion(rankings, k)`: what each document is worth to several engines together.

`rankings` is a list of rankings, each a list of doc_ids, best first, none twice. Returned is \
`{doc_id: score}`, in any order, for every document of any ranking. **Convention** (Cormack, Clarke and \
Büttcher 2009): a ranking gives 1 / (k + rank) to each document that it has, ranks counted from 1, and \
nothing to others; what the rankings give is added up.""",
    reference=reciprocal_rank_fusion,
    cases=(
        Case(([["d1", "d2"], ["d2", "d3"]], 60), "d2 stands in both: 1/62 + 1/61; the others in one"),
        Case(([["d1", "d2", "d3"]], 60), "one ranking gives 1/61, 1/62 and 1/63"),
        Case(([["d1", "d2"], ["d2", "d1"]], 1), "k = 1: each gets 1/2 + 1/3"),
        Case(([["d1", "d2"], ["d1", "d3"]], 0), "k = 0: first in both, d1 gets 1 + 1"),
        Case(([["d1"], ["d2"], ["d3"]], 10), "three rankings without a document in common: 1/11 for each"),
        Case(
            (
                [
                    ["d10", "d9", "d2", "d7"],
                    [],
                    ["d9", "d3"],
                    ["d2", "d100", "d9", "d10", "d4"],
                    ["d3", "d9", "d5"],
                ],
                7,
            ),
            "five rankings, one of them empty; d9 stands in four: 1/9 + 1/8 + 1/10 + 1/9",
        ),
        Case(([["d1", "d2"], ["d1", "d2"], ["d2", "d1"]], 60), "three rankings, three shares for each"),
        Case(([["d1", "d2", "d3", "d4"], ["d4"]], 5), "the second ranking is short; d1 gets nothing from it"),
        Case(([["d1", "d2"], []], 60), "an engine that found nothing gives nothing"),
        Case(([], 60), "no ranking, no document"),
    ),
    hints=(
        "Walk through each ranking from its top, and let every document collect its share in one dict.",
        "enumerate(ranking, start=1) counts ranks; fused.get(doc_id, 0) is what a document has so far.",
        "for ranking in rankings: for rank, doc_id in enumerate(ranking, start=1): fused[doc_id] = "
        "fused.get(doc_id, 0) + 1 / (k + rank).",
    ),
)


def _documents(rankings):
    return dict.fromkeys(doc_id for ranking in rankings for doc_id in ranking)


def _shares(doc_id, rankings, k):
    return [1 / (k + ranking.index(doc_id) + 1) for ranking in rankings if doc_id in ranking]


@RECIPROCAL_RANK_FUSION.mistake("ranks from 0")
def ranks_from_0(rankings, k):
    """You count ranks from 0, so the first gets 1 / k. Ranks start at 1, in trec_eval as in this
    formula; with k = 0 the first would be a division by zero."""
    return reciprocal_rank_fusion(rankings, k - 1)


@RECIPROCAL_RANK_FUSION.mistake("the best rank alone")
def the_best_rank_alone(rankings, k):
    """You keep the largest share of each document. That two engines agree on it then counts for nothing;
    add the shares."""
    return {doc_id: max(_shares(doc_id, rankings, k)) for doc_id in _documents(rankings)}


@RECIPROCAL_RANK_FUSION.mistake("the last ranking alone")
def the_last_ranking_alone(rankings, k):
    """A later ranking overwrites what an earlier one gave. Start from what the document has, with
    fused.get(doc_id, 0), and add."""
    return {doc_id: _shares(doc_id, rankings, k)[-1] for doc_id in _documents(rankings)}


@RECIPROCAL_RANK_FUSION.mistake("the mean over all rankings")
def the_mean_over_all_rankings(rankings, k):
    """You divide by the number of rankings. The order stays, the scores are not those of the formula: it
    is a sum."""
    fused = reciprocal_rank_fusion(rankings, k)
    return {doc_id: score / len(rankings) for doc_id, score in fused.items()}


@RECIPROCAL_RANK_FUSION.mistake("the mean where it stands")
def the_mean_where_it_stands(rankings, k):
    """You divide by the number of rankings that have the document. Then one that a single engine ranks
    first beats one that both rank second, and agreement is worth nothing. Add, and do not divide."""
    return {d: sum(_shares(d, rankings, k)) / len(_shares(d, rankings, k)) for d in _documents(rankings)}


@RECIPROCAL_RANK_FUSION.mistake("only what all have")
def only_what_all_have(rankings, k):
    """You return only documents that every ranking has. What a single engine finds is the reason to ask
    two: it gets its one share."""
    fused = reciprocal_rank_fusion(rankings, k)
    return {d: score for d, score in fused.items() if all(d in ranking for ranking in rankings)}


@RECIPROCAL_RANK_FUSION.mistake("absent ones ranked last")
def absent_ones_ranked_last(rankings, k):
    """You give a document that a ranking lacks the rank behind its last. The formula gives it nothing:
    nobody knows where it would have stood."""
    return {
        d: sum(1 / (k + (r.index(d) if d in r else len(r)) + 1) for r in rankings)
        for d in _documents(rankings)
    }


@RECIPROCAL_RANK_FUSION.mistake("k left out")
def k_left_out(rankings, k):
    """You add 1 / rank, without k. Then a first place outweighs everything that stands at 2 and 3
    together; k makes the first ranks more alike."""
    return reciprocal_rank_fusion(rankings, 0)


@RECIPROCAL_RANK_FUSION.mistake("k is always 60")
def k_is_always_60(rankings, k):
    """You always take 60. That is the paper's value; here `k` is what the caller gives."""
    return reciprocal_rank_fusion(rankings, 60)


@RECIPROCAL_RANK_FUSION.mistake("ranks added")
def ranks_added(rankings, k):
    """You add k + rank, not 1 / (k + rank). A high number is then a bad document, and one that a single
    engine has looks better than one that both have."""
    return {d: sum(1 / share for share in _shares(d, rankings, k)) for d in _documents(rankings)}


@RECIPROCAL_RANK_FUSION.mistake("parentheses missing")
def parentheses_missing(rankings, k):
    """You wrote 1 / k + rank, which Python reads as (1 / k) + rank. The sum k + rank belongs in
    parentheses."""
    return {d: sum(1 / k + r.index(d) + 1 for r in rankings if d in r) for d in _documents(rankings)}


@RECIPROCAL_RANK_FUSION.mistake("ranked, without scores")
def ranked_without_scores(rankings, k):
    """You return a list of documents, best first. Asked for are their scores, `{doc_id: score}`."""
    fused = reciprocal_rank_fusion(rankings, k)
    return sorted(fused, key=lambda doc_id: fused[doc_id], reverse=True)


@RECIPROCAL_RANK_FUSION.mistake("k taken for a cut-off")
def k_as_cut_off(rankings, k):
    """You take k for a cut-off, and read only so many places. k is the constant below the line; every
    document of a ranking gets its share."""
    return reciprocal_rank_fusion([ranking[:k] for ranking in rankings], 60)


@RECIPROCAL_RANK_FUSION.mistake("cut at k, too")
def cut_at_k_too(rankings, k):
    """You read only k places of each ranking. k is the constant below the line; every document of a ranking
    gets its share."""
    return reciprocal_rank_fusion([ranking[:k] for ranking in rankings], k)


@RECIPROCAL_RANK_FUSION.mistake("ranks go on from ranking to ranking")
def ranks_go_on(rankings, k):
    """Your ranks go on from one ranking to the next. Each engine has a first place: count anew for each."""
    fused, rank = {}, 0
    for ranking in rankings:
        for doc_id in ranking:
            rank += 1
            fused[doc_id] = fused.get(doc_id, 0) + 1 / (k + rank)
    return fused


@RECIPROCAL_RANK_FUSION.mistake("ranks go on, the best alone")
def ranks_go_on_best_alone(rankings, k):
    """Two things. Your ranks go on from one ranking to the next: count anew for each. And you keep only the
    largest share of a document, where what the rankings give is added up."""
    fused, rank = {}, 0
    for ranking in rankings:
        for doc_id in ranking:
            rank += 1
            fused[doc_id] = max(fused.get(doc_id, 0), 1 / (k + rank))
    return fused


@RECIPROCAL_RANK_FUSION.mistake("ranked from the end")
def ranked_from_the_end(rankings, k):
    """You count ranks from the end of the list. Rankings are best first, and the first has rank 1."""
    return reciprocal_rank_fusion([ranking[::-1] for ranking in rankings], k)


@RECIPROCAL_RANK_FUSION.mistake("two fractions")
def two_fractions(rankings, k):
    """You add 1 / k + 1 / rank. The two are added first, below one line: 1 / (k + rank)."""
    return {
        doc_id: sum(
            1 / max(k, 1) + 1 / (ranking.index(doc_id) + 1) for ranking in rankings if doc_id in ranking
        )
        for doc_id in _documents(rankings)
    }


@RECIPROCAL_RANK_FUSION.mistake("only what the first ranking has")
def only_what_the_first_has(rankings, k):
    """You keep only documents of the first ranking. What another one found belongs in the fusion as well."""
    first = rankings[0] if rankings else []
    return {doc_id: sum(_shares(doc_id, rankings, k)) for doc_id in first}


@RECIPROCAL_RANK_FUSION.mistake("k times the rank")
def k_times_the_rank(rankings, k):
    """You multiply k by the rank. They are added: 1 / (k + rank)."""
    return {
        doc_id: sum(
            1 / (max(k, 1) * (ranking.index(doc_id) + 1)) for ranking in rankings if doc_id in ranking
        )
        for doc_id in _documents(rankings)
    }


@RECIPROCAL_RANK_FUSION.mistake("k above the line")
def k_above_the_line(rankings, k):
    """You put k above the line, too. Each ranking gives 1 / (k + rank)."""
    return {doc_id: k * sum(_shares(doc_id, rankings, k)) for doc_id in _documents(rankings)}
