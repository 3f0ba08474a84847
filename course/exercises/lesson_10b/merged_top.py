"""Exercise: the best of a collection, out of the best of its shards."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def merged_top(shards, k):
    hits = [hit for shard in shards for hit in shard]
    return sorted(hits, key=lambda hit: (hit[1], hit[0]), reverse=True)[:k]


MERGED_TOP = Exercise(
    name="MERGED_TOP",
    task="""\
Write `merged_top(shards, k)`: the k best documents of a collection that was searched in shards.

`shards` is a list with the result of each shard: a list of pairs (doc_id, score), best first, each document \
in one shard only. A shard may have found nothing. Returned is one such list, best first, of at most k \
pairs. **Convention**: equal scores stand by doc_id from Z to A, as everywhere in the course. The scores of \
all shards can be compared: the shards were weighed with the same statistics.""",
    reference=merged_top,
    cases=(
        Case(([[("d1", 2.0)]], 1), "one shard, one document"),
        Case(([[("d1", 3.0)], [("d2", 5.0)]], 2), "the second shard holds the best document"),
        Case(
            ([[("d1", 5.0), ("d2", 4.0), ("d3", 3.0)], [("d4", 2.0)]], 3),
            "the three best are all in one shard",
        ),
        Case(
            ([[("d1", 5.0), ("d2", 4.0), ("d3", 3.0)], [("d4", 2.0), ("d5", 1.0)]], 4),
            "three of the four best are in the first shard, one is in the second",
        ),
        Case(
            ([[("d1", 5.0)], [("d2", 4.0)], [("d3", 9.0)]], 1), "one is asked for: of all shards, not of each"
        ),
        Case(([[("d1", 2.0)], [("d2", 2.0)]], 2), "of equal scores the later id goes first"),
        Case(([[("d9", 2.0)], [("d2", 2.0)]], 2), "here the earlier shard has the later id"),
        Case(([[("d1", -1.0)], [("d2", 0.0)]], 2), "a score may be 0 or below, as that of a cosine"),
        Case(
            (
                [
                    [("d10", 9.51234), ("d2", 7.25), ("d7", 3.0), ("d1", 2.0)],
                    [],
                    [("d9", 100.25), ("d4", 7.25), ("d8", 6.5)],
                    [("d30", 10.125), ("d5", 7.25)],
                ],
                5,
            ),
            "nine hits; d5 and d4 are taken, and d2, with the same score, is not",
        ),
        Case(
            ([[("d9", 2.0)], [("d2", 2.0), ("d10", 2.0)]], 2),
            "ids are text: 'd9' comes after 'd2', and 'd2' after 'd10'",
        ),
        Case(
            ([[("d2", 1.0)], [("d1", 1.0), ("d0", 1.0)], [("d3", 1.0)]], 2),
            "a tie is cut at k: the two latest ids stay",
        ),
        Case(([[], [("d1", 1.0)], []], 3), "shards that found nothing, and fewer than k"),
        Case(
            ([[("d1", 1.00000012)], [("d2", 1.0)]], 1),
            "scores that differ in the seventh digit are not equal",
        ),
        Case(
            ([[("d1", 12.0)], [("d2", 3.0)]], 2),
            "shards score on one scale: 12 is above 3, whatever else its shard has",
        ),
    ),
    hints=(
        "Every document of the k best is among the k best of its own shard, so nothing but these lists is "
        "needed.",
        "Put all hits into one list and sort it once: by score, then by doc_id, both downwards.",
        "sorted(hits, key=lambda hit: (hit[1], hit[0]), reverse=True)[:k]",
    ),
)


@MERGED_TOP.mistake("no cut")
def no_cut(shards, k):
    """Your result as a whole is not cut at k. The k best are at its top: sort the hits of all shards
    together, then cut at k."""
    return merged_top(shards, sum(map(len, shards)))


@MERGED_TOP.mistake("one after the other")
def one_after_the_other(shards, k):
    """You take shard after shard until k are found. Then a document of the last shard can never be first.
    All lists have to be sorted together before anything is cut."""
    return [hit for shard in shards for hit in shard][:k]


@MERGED_TOP.mistake("in rotation")
def in_rotation(shards, k):
    """You take the first of every shard, then the second of every shard, and so on. A shard that holds the
    three best documents then gives up two places. Shards are weighed with the same statistics, so their
    scores can be compared: sort by score."""
    depth = max(map(len, shards), default=0)
    return [shard[rank] for rank in range(depth) for shard in shards if rank < len(shard)][:k]


_SHARE = (
    "You take k divided by the number of shards from each. All of the k best may lie in one shard: each has "
    "to offer k."
)


@MERGED_TOP.mistake("share of k", _SHARE)
def share_of_k(shards, k):
    each = -(-k // max(len(shards), 1))
    return merged_top([shard[:each] for shard in shards], k)


@MERGED_TOP.mistake("share of k, rounded down", _SHARE)
def share_of_k_rounded_down(shards, k):
    return merged_top([shard[: k // max(len(shards), 1)] for shard in shards], k)


@MERGED_TOP.mistake("share of k, rounded down, at least one", _SHARE)
def share_of_k_at_least_one(shards, k):
    return merged_top([shard[: max(1, k // max(len(shards), 1))] for shard in shards], k)


@MERGED_TOP.mistake("earlier id first")
def earlier_id_first(shards, k):
    """Of equal scores you put the earlier id first. trec_eval puts the later one first, and one index does
    so too: with the other order the same collection gives another ranking as soon as it is cut into
    shards."""
    return sorted((hit for shard in shards for hit in shard), key=lambda hit: (-hit[1], hit[0]))[:k]


@MERGED_TOP.mistake("ties as they come")
def ties_as_they_come(shards, k):
    """Of equal scores you keep those that come first, so the number of shards, and their order, decide who
    is among the k. Sort by score and then by id."""
    return sorted((hit for shard in shards for hit in shard), key=lambda hit: -hit[1])[:k]


@MERGED_TOP.mistake("shard decides ties")
def shard_decides_ties(shards, k):
    """Of equal scores you put the document of the later shard first. That is right only while the shards
    hold ids in their order. Compare the ids."""
    numbered = [(score, number, doc_id) for number, shard in enumerate(shards) for doc_id, score in shard]
    return [(doc_id, score) for score, _, doc_id in sorted(numbered, reverse=True)[:k]]


@MERGED_TOP.mistake("normalised first")
def normalised_first(shards, k):
    """You divide each shard's scores by its best score before you merge, as one does with systems that
    score differently. Here all shards score alike, and dividing makes the first of every shard equal."""
    scores = {doc_id: score for shard in shards for doc_id, score in shard}
    scaled = [[(doc_id, score / shard[0][1]) for doc_id, score in shard] for shard in shards]
    return [(doc_id, scores[doc_id]) for doc_id, _ in merged_top(scaled, k)]


@MERGED_TOP.mistake("rounded")
def rounded(shards, k):
    """You round the scores before you compare them. What differs in the seventh digit becomes a tie, and
    ids decide it. Round where a number is printed."""
    hits = [hit for shard in shards for hit in shard]
    return sorted(hits, key=lambda hit: (round(hit[1], 4), hit[0]), reverse=True)[:k]


@MERGED_TOP.mistake("normalised, and returned so")
def normalised_and_returned(shards, k):
    """You divide each shard's scores by its best score, and return the quotients. Here all shards score
    alike: compare the scores as they are, and return them."""
    return merged_top([[(doc_id, score / shard[0][1]) for doc_id, score in shard] for shard in shards], k)


@MERGED_TOP.mistake("in rotation, each round by score")
def in_rotation_by_score(shards, k):
    """The first of every shard stand before all seconds in your result. A shard may hold the three best
    documents. Shards are weighed with the same statistics, so their scores can be compared: sort all hits
    together, by score."""
    depth = max(map(len, shards), default=0)
    rounds = [[shard[rank] for shard in shards if rank < len(shard)] for rank in range(depth)]
    return [hit for hits in rounds for hit in merged_top([hits], len(hits))][:k]


@MERGED_TOP.mistake("one of each shard")
def one_of_each_shard(shards, k):
    """You take the best of each shard alone. A shard's second may be better than another's first: each has to
    offer k."""
    return merged_top([shard[:1] for shard in shards], k)


@MERGED_TOP.mistake("one shard alone")
def one_shard_alone(shards, k):
    """You return the hits of one shard alone, the one with the highest score. The others hold documents of
    the k best, too: put the hits of all together."""
    return merged_top([max(shards, key=lambda shard: [score for _, score in shard[:1]])], k)


@MERGED_TOP.mistake("one more than k")
def one_more_than_k(shards, k):
    """You return k + 1 hits where there are as many. At most k are asked for."""
    return merged_top(shards, k + 1)


@MERGED_TOP.mistake("one fewer than k")
def one_fewer_than_k(shards, k):
    """You return k − 1 hits where there are k. As many as k are asked for."""
    return merged_top(shards, k - 1)


@MERGED_TOP.mistake("lowest first")
def lowest_first(shards, k):
    """You begin with the lowest score. The highest comes first."""
    hits = [hit for shard in shards for hit in shard]
    return sorted(hits, key=lambda hit: (hit[1], hit[0]))[:k]


@MERGED_TOP.mistake("ids as numbers")
def ids_as_numbers(shards, k):
    """Among equal scores 'd10' stands before 'd9' in your result, as if ids were numbers. They are text, and
    'd9' is later in the alphabet."""
    hits = [hit for shard in shards for hit in shard]
    return sorted(hits, key=lambda hit: (hit[1], int(hit[0][1:])), reverse=True)[:k]


@MERGED_TOP.mistake("by id alone")
def by_id_alone(shards, k):
    """Your hits stand by their ids, whatever they score. The score decides, and the id only among equal
    scores."""
    hits = [hit for shard in shards for hit in shard]
    return sorted(hits, reverse=True)[:k]


@MERGED_TOP.mistake("equal scores fall together, the last stays")
def equal_fall_together(shards, k):
    """Of documents with equal scores only one is left in your result. Each is a hit of its own; scores are
    no keys, ids are."""
    hits = {score: (doc_id, score) for shard in shards for doc_id, score in shard}
    return merged_top([list(hits.values())], k)


@MERGED_TOP.mistake("equal scores fall together, the latest id stays")
def equal_fall_together_latest(shards, k):
    """Of documents with equal scores only that with the latest id is left in your result. Each is a hit of
    its own; scores are no keys, ids are."""
    hits = {score: (doc_id, score) for doc_id, score in merged_top(shards, sum(map(len, shards)))[::-1]}
    return merged_top([list(hits.values())], k)
