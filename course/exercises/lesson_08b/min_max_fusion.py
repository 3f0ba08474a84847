"""Exercise: two kinds of score on one scale, then a weighted sum."""

import math

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def min_max_fusion(words, vectors, alpha):
    fused = {}
    for scores, weight in ((words, 1 - alpha), (vectors, alpha)):
        low, high = min(scores.values()), max(scores.values())
        for doc_id, score in scores.items():
            scaled = (score - low) / (high - low) if high > low else 1
            fused[doc_id] = fused.get(doc_id, 0) + weight * scaled
    return fused


MIN_MAX_FUSION = Exercise(
    name="MIN_MAX_FUSION",
    task="""\
Write `min_max_fusion(words, vectors, alpha)`: the scores of BM25 and of a dense engine as one.

`words` and `vectors` are the results of two engines for one query, `{doc_id: score}`, neither of them \
empty. `alpha` is the share of `vectors`; that of `words` is 1 − alpha. Returned is `{doc_id: score}`, in \
any order, for every document of either. **Convention**: each engine's scores are brought to 0 … 1 by \
themselves, its lowest to 0 and its highest to 1; where all of an engine's are equal, all become 1. A \
document that an engine lacks gets 0 from it, also where the other's share is 0.""",
    reference=min_max_fusion,
    cases=(
        Case(
            ({"d1": 12.0, "d2": 6.0, "d3": 3.0}, {"d2": 0.6, "d4": 0.5, "d1": 0.2}, 0.5),
            "the lesson's kind of toy: d2 gets half of 1/3 and half of 1",
        ),
        Case(
            ({"d1": 8.0, "d2": 4.0, "d3": 2.0}, {"d1": 0.1, "d2": 0.5, "d3": 0.3}, 0.25),
            "a quarter for the vectors, three for the words",
        ),
        Case(({"d1": 4.0, "d2": 2.0}, {"d3": 0.5, "d4": 0.25}, 0.5), "nothing in common: each gets its half"),
        Case(
            ({"d1": 4.0, "d2": 2.0, "d3": 3.0}, {"d1": -0.5, "d2": 0.5, "d3": 0.25}, 0.5),
            "a cosine may be below 0; its lowest becomes 0 all the same",
        ),
        Case(({"d1": 3.0, "d2": 3.0}, {"d1": 0.25, "d2": 0.5}, 0.5), "BM25's are equal, so both become 1"),
        Case(
            (
                {"d10": 9.7, "d2": 3.1, "d9": 6.4, "d100": 4.2, "d7": 6.4},
                {"d9": 0.83, "d3": 0.13, "d2": 0.41237, "d100": 0.71},
                0.3,
            ),
            "five and four documents, three of them with both; d9 gets 0.7 · 3.3 / 6.6, and 0.3 · 1",
        ),
        Case(({"d1": 7.0}, {"d2": 0.25, "d3": 0.5}, 0.75), "one result alone is its list's highest: 1"),
        Case(
            ({"d1": 4.0, "d2": 2.0, "d3": 3.0}, {"d2": 0.5, "d1": 0.25}, 0.0),
            "alpha 0: the words alone decide",
        ),
        Case(
            ({"d1": 4.0, "d2": 2.0}, {"d2": 0.5, "d3": 0.25, "d4": 0.375}, 1.0),
            "alpha 1: the vectors alone decide, and d1 has 0",
        ),
        Case(({"d1": 0.0, "d2": 0.0}, {"d1": 0.5, "d2": 0.5}, 0.25), "all equal in both: all 1"),
    ),
    hints=(
        "Normalise each engine's scores by themselves, before anything is added. Then a document's score is "
        "(1 − alpha) times one and alpha times the other, 0 where it is absent.",
        "low, high = min(scores.values()), max(scores.values()); a score becomes (score - low) / (high - "
        "low). Ask first whether high > low.",
        "for scores, weight in ((words, 1 - alpha), (vectors, alpha)): … fused[doc_id] = fused.get(doc_id, "
        "0) + weight * scaled.",
    ),
)


def _scaled(scores, equal=1):
    low, high = min(scores.values()), max(scores.values())
    return {d: (s - low) / (high - low) if high > low else equal for d, s in scores.items()}


def _shares(alpha):
    return 1 - alpha, alpha


def _fused(words, vectors, alpha, scale=_scaled, shares=_shares, absent=0, joined=sum):
    """The reference with one part exchanged."""
    both = [(scale(words), shares(alpha)[0]), (scale(vectors), shares(alpha)[1])]
    return {d: joined(share * scaled.get(d, absent) for scaled, share in both) for d in words | vectors}


@MIN_MAX_FUSION.mistake("not scaled")
def not_scaled(words, vectors, alpha):
    """You add the scores as they are. BM25's run to 12 and a cosine to 1, so alpha says nothing about
    how much each counts. Scale each engine's first."""
    return _fused(words, vectors, alpha, dict)


@MIN_MAX_FUSION.mistake("divided by the highest")
def divided_by_the_highest(words, vectors, alpha):
    """You divide by the highest score, and the lowest does not become 0. Cosines that lie close together
    then stay close together, near 1. Take off the lowest first, above and below the line."""
    return _fused(
        words, vectors, alpha,
        lambda scores: {d: s / max(scores.values()) if max(scores.values()) else 1
                        for d, s in scores.items()},
    )  # fmt: skip


@MIN_MAX_FUSION.mistake("lowest taken off above only")
def lowest_taken_off_above_only(words, vectors, alpha):
    """You take off the lowest above the line and divide by the highest. Then the best of a list is not
    1. Below the line stands the whole range, highest minus lowest."""

    def scale(scores):
        low, high = min(scores.values()), max(scores.values())
        return {d: (s - low) / high if high > low else 1 for d, s in scores.items()}

    return _fused(words, vectors, alpha, scale)


@MIN_MAX_FUSION.mistake("scaled together")
def scaled_together(words, vectors, alpha):
    """You take lowest and highest over both engines together. The cosines are then all squeezed to the
    bottom. Each engine's scores are scaled by themselves."""
    both = [*words.values(), *vectors.values()]
    low, high = min(both), max(both)
    return _fused(words, vectors, alpha, lambda scores: {
        d: (s - low) / (high - low) if high > low else 1 for d, s in scores.items()})  # fmt: skip


@MIN_MAX_FUSION.mistake("alpha on the other side")
def alpha_on_the_other_side(words, vectors, alpha):
    """You give alpha to the words. It is the share of the vectors, the second; at 0 BM25 alone
    decides."""
    return min_max_fusion(words, vectors, 1 - alpha)


@MIN_MAX_FUSION.mistake("alpha not used")
def alpha_not_used(words, vectors, alpha):
    """You give each engine half, whatever alpha is."""
    return min_max_fusion(words, vectors, 0.5)


@MIN_MAX_FUSION.mistake("words count in full")
def words_count_in_full(words, vectors, alpha):
    """You add alpha times the vectors to the words in full. The two shares sum to 1: that of the words
    is 1 − alpha."""
    return _fused(words, vectors, alpha, shares=lambda alpha: (1, alpha))


@MIN_MAX_FUSION.mistake("alpha for both")
def alpha_for_both(words, vectors, alpha):
    """You give alpha to both engines. The two shares sum to 1: that of the words is 1 − alpha."""
    return _fused(words, vectors, alpha, shares=lambda alpha: (alpha, alpha))


@MIN_MAX_FUSION.mistake("1 − alpha for both")
def one_minus_alpha_for_both(words, vectors, alpha):
    """You give 1 − alpha to both engines. The two shares sum to 1: that of the vectors is alpha."""
    return _fused(words, vectors, alpha, shares=lambda alpha: (1 - alpha, 1 - alpha))


@MIN_MAX_FUSION.mistake("no shares")
def no_shares(words, vectors, alpha):
    """You add both in full, whatever alpha is. The share of the vectors is alpha, that of the words 1 −
    alpha."""
    return _fused(words, vectors, alpha, shares=lambda alpha: (1, 1))


@MIN_MAX_FUSION.mistake("absent ones get a half")
def absent_get_a_half(words, vectors, alpha):
    """You give 0.5 for a document that an engine lacks. It has not found it: 0."""
    return _fused(words, vectors, alpha, absent=0.5)


@MIN_MAX_FUSION.mistake("absent ones get 1")
def absent_get_1(words, vectors, alpha):
    """You give 1 for a document that an engine lacks, as though it were its best. It has not found it: 0."""
    return _fused(words, vectors, alpha, absent=1)


@MIN_MAX_FUSION.mistake("multiplied")
def multiplied(words, vectors, alpha):
    """You multiply the two parts, and a document that one engine lacks gets 0. They are added."""
    return _fused(words, vectors, alpha, joined=math.prod)


@MIN_MAX_FUSION.mistake("only what both have")
def only_what_both_have(words, vectors, alpha):
    """You return only documents that both engines have. What one of them alone finds is the reason to
    ask two; from the other it gets 0."""
    fused = min_max_fusion(words, vectors, alpha)
    return {d: score for d, score in fused.items() if d in words and d in vectors}


@MIN_MAX_FUSION.mistake("only what the words have")
def only_what_the_words_have(words, vectors, alpha):
    """You go through the documents of the words only. What the dense engine alone has found is lost, and
    with it most of what it is good for."""
    fused = min_max_fusion(words, vectors, alpha)
    return {d: fused[d] for d in words}


@MIN_MAX_FUSION.mistake("only what the vectors have")
def only_what_the_vectors_have(words, vectors, alpha):
    """You return the documents of the vectors only. What the words alone have found is lost: every document
    of either engine is in the result."""
    fused = min_max_fusion(words, vectors, alpha)
    return {d: fused[d] for d in vectors}


@MIN_MAX_FUSION.mistake("an engine with share 0 left out")
def share_0_left_out(words, vectors, alpha):
    """Where an engine's share is 0 you leave out the documents that it alone has. They are in the result,
    with 0."""
    fused = min_max_fusion(words, vectors, alpha)
    counted = (words if alpha < 1 else {}) | (vectors if alpha > 0 else {})
    return {d: fused[d] for d in counted}


@MIN_MAX_FUSION.mistake("equal ones become 0")
def equal_ones_become_0(words, vectors, alpha):
    """Where all scores of an engine are equal you make them 0, as though it had found nothing. A single
    result is its list's best: 1."""
    return _fused(words, vectors, alpha, lambda scores: _scaled(scores, equal=0))


@MIN_MAX_FUSION.mistake("equal ones divided by zero")
def equal_ones_divided_by_zero(words, vectors, alpha):
    """Where all scores of an engine are equal, highest minus lowest is 0, and you divide by it. Ask
    first; a query with one result is common."""
    for scores in (words, vectors):
        1 / (max(scores.values()) - min(scores.values()))
    return min_max_fusion(words, vectors, alpha)


@MIN_MAX_FUSION.mistake("upside down")
def upside_down(words, vectors, alpha):
    """Your scale is upside down: the best of a list becomes 0. It is (score − lowest), not (highest −
    score)."""
    return _fused(words, vectors, alpha, lambda scores: {
        d: 1 - s if max(scores.values()) > min(scores.values()) else 1
        for d, s in _scaled(scores).items()})  # fmt: skip


@MIN_MAX_FUSION.mistake("absent ones filled with 0 before scaling")
def filled_before_scaling(words, vectors, alpha):
    """You give absent documents 0 before you scale, so 0 becomes the lowest score and the real lowest does
    not become 0. Scale what the engine gave; what it lacks gets 0 afterwards."""
    absent = dict.fromkeys(words | vectors, 0.0)
    return min_max_fusion(absent | words, absent | vectors, alpha)


@MIN_MAX_FUSION.mistake("in one engine only: its score without the share")
def without_the_share(words, vectors, alpha):
    """A document that one engine has alone keeps that engine's score, without its share. It then passes
    documents that both found. From the other engine it gets 0, and the shares stay."""
    a, b = _scaled(words), _scaled(vectors)
    alone = {d: s for d, s in (a | b).items() if d not in a or d not in b}
    return min_max_fusion(words, vectors, alpha) | alone


@MIN_MAX_FUSION.mistake("0 left out")
def zeros_left_out(words, vectors, alpha):
    """You leave out documents whose score is 0. They are results too, the last ones: every document of either
    engine is in the result."""
    return {d: s for d, s in min_max_fusion(words, vectors, alpha).items() if s > 0}


@MIN_MAX_FUSION.mistake("equal ones become 0.5")
def equal_become_half(words, vectors, alpha):
    """Where all of an engine's scores are equal you give 0.5. The convention is 1: each of them is the
    highest."""
    return _fused(words, vectors, alpha, lambda scores: _scaled(scores, equal=0.5))


@MIN_MAX_FUSION.mistake("the larger of the two")
def the_larger(words, vectors, alpha):
    """You keep the larger of the two parts. They are added."""
    return _fused(words, vectors, alpha, joined=max)


@MIN_MAX_FUSION.mistake("scaled after they are added")
def scaled_after_adding(words, vectors, alpha):
    """You add the scores as they are, and scale the sums. Then BM25's, which run to 12, decide alone. Scale
    each engine's scores by themselves, and add after that."""
    return _scaled(_fused(words, vectors, alpha, dict))


@MIN_MAX_FUSION.mistake("the sums scaled again")
def the_sums_scaled_again(words, vectors, alpha):
    """You scale the sums once more, so that the best document always gets 1. The weighted sums are the
    result."""
    return _scaled(min_max_fusion(words, vectors, alpha))


@MIN_MAX_FUSION.mistake("by ranks")
def by_ranks(words, vectors, alpha):
    """You bring ranks to 0 … 1, in equal steps. Asked for are the scores: how far apart they are is kept."""

    def scale(scores):
        below = {d: sum(other < s for other in scores.values()) for d, s in scores.items()}
        return _scaled(below)

    return _fused(words, vectors, alpha, scale)


@MIN_MAX_FUSION.mistake("divided by the sum")
def divided_by_the_sum(words, vectors, alpha):
    """You divide by the sum of the scores. The lowest has to become 0 and the highest 1: subtract the lowest,
    and divide by the highest minus the lowest."""
    return _fused(words, vectors, alpha, lambda s: {d: x / (sum(s.values()) or 1) for d, x in s.items()})


@MIN_MAX_FUSION.mistake("z-scores")
def z_scores(words, vectors, alpha):
    """You subtract the mean and divide by the standard deviation. That is another scale, with values below 0;
    here the lowest becomes 0 and the highest 1."""

    def scale(scores):
        mean = sum(scores.values()) / len(scores)
        spread = (sum((s - mean) ** 2 for s in scores.values()) / len(scores)) ** 0.5
        return {d: (s - mean) / spread if spread else 1.0 for d, s in scores.items()}

    return _fused(words, vectors, alpha, scale)


@MIN_MAX_FUSION.mistake("divided by the span, not moved to 0")
def not_moved_to_zero(words, vectors, alpha):
    """You divide by highest − lowest and do not take off the lowest. So the lowest is not 0, and the scales
    stay apart: (score − lowest) / (highest − lowest)."""

    def scale(scores):
        span = max(scores.values()) - min(scores.values())
        return {doc_id: score / span if span else 1 for doc_id, score in scores.items()}

    return _fused(words, vectors, alpha, scale)


@MIN_MAX_FUSION.mistake("lowest and highest looked up while scaling")
def looked_up_anew(words, vectors, alpha):
    """You look up the lowest and the highest anew for each document, in scores of which some are scaled
    already. Look both up once, before the first score is changed, and write into a dictionary of your own."""

    def scale(scores):
        scaled = dict(scores)
        for doc_id in scaled:
            low, high = min(scaled.values()), max(scaled.values())
            scaled[doc_id] = (scaled[doc_id] - low) / (high - low) if high > low else 1
        return scaled

    return _fused(words, vectors, alpha, scale)


def _on_the_scale_of(others, scores):
    low, high = min(others.values()), max(others.values())
    return {d: (s - low) / (high - low) if high > low else 1 for d, s in scores.items()}


@MIN_MAX_FUSION.mistake("the words' range for both")
def the_words_range_for_both(words, vectors, alpha):
    """You scale the vectors' scores by the lowest and highest of the words. Each engine's scores are scaled
    by themselves."""
    return _fused(words, vectors, alpha, scale=lambda scores: _on_the_scale_of(words, scores))
