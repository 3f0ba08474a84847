"""The questions at the end of the second half of lesson 10."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "A term stands in 3 of the 10 documents of one shard, and in 9 of the 90 of the other. What is its "
        "Lucene IDF, ln(1 + (N − df + 0.5) / (df + 0.5)), in the collection? (To 2 decimals.)",
        answer=2.09,
        decimals=2,
        praise="N is 100 and df is 12: ln(1 + 88.5 / 12.5).",
        wrong={
            1.70: "That is the mean of the two shards' IDFs. Counts add up; logarithms do not.",
            1.15: "That is the IDF in the small shard alone.",
            2.26: "That is the IDF in the large shard alone.",
            3.40: "You add up the two shards' IDFs. Add up N and df, and compute once.",
        },
        otherwise="Add N and df over the shards, 100 and 12, then compute the IDF once.",
    ),
    Choice(
        "Four shards, each with its own IDF, have nDCG@10 0.680; one index has 0.679. A colleague concludes "
        "that local statistics do no harm. What do you say?",
        {
            "a": (
                "he is right: it is even better",
                "A difference of a thousandth, on 300 queries, shows nothing of the kind.",
            ),
            "b": (
                "nearly every ranking has changed; this collection's mean happened not to, and with more "
                "shards it falls",
                "In the lesson 10 of 300 lists of ten stayed the same, and with 64 shards nDCG@10 fell.",
            ),
            "c": (
                "the metric is wrong: Recall@100 would have shown it",
                "It might or might not. That rankings differ is seen without any metric.",
            ),
            "d": (
                "documents should be dealt out by topic instead",
                "Then a topic's words would be common in its own shard and weigh little there.",
            ),
        },
        answer="b",
    ),
    Numeric(
        "You want the 100 best documents of a collection in 16 shards. How many results must each shard "
        "offer, so that the answer is certain to be exact?",
        answer=100,
        decimals=0,
        praise="All of them may lie in one shard.",
        wrong={
            7: "100 / 16, rounded up. Shards do not share the best evenly; all may lie in one of them.",
            6: "100 / 16. Shards do not share the best evenly; all may lie in one of them.",
            10: "Enough on average, if documents are dealt out at random. Exact it is not.",
            1600: "That is what all together offer. Each of them offers 100.",
            1: "Then no shard could have two of the best.",
        },
        otherwise="Think of the worst case: how many of the 100 can lie in one shard?",
    ),
    Choice(
        'Two engines are given the same texts, and both say "BM25". nDCG@10 is 0.662 and 0.685. What do '
        "you look at first?",
        {
            "a": (
                "which of them is faster",
                "Speed says nothing of why the rankings differ.",
            ),
            "b": (
                "what each makes of a text: stems, stopwords, where words end",
                "In the lesson the same engine gave both of these figures, with and without stems.",
            ),
            "c": (
                "a hundred queries more: it may be chance",
                "An interval is needed before one is called better. Why they differ shows on one query.",
            ),
            "d": (
                "whether one of them has a bug",
                "Perhaps; first the settings that a text passes through.",
            ),
        },
        answer="b",
    ),
    Choice(
        "Sixteen shards of a million documents take 21 ms of processor time a query in one process, and "
        "some ten times as much when Dask's workers on the same machine search them. When does Dask pay?",
        {
            "a": (
                "always: more workers are more speed",
                "On one machine it only adds messages to the same work.",
            ),
            "b": (
                "never",
                "Not on one machine; there are collections that no single machine holds.",
            ),
            "c": (
                "when the collection does not fit on one machine, or building it takes too long on one",
                "And shards on disk, read as they are needed, put that day off.",
            ),
            "d": (
                "when there are many queries at the same time",
                "Then run the same index in several processes: nothing has to be merged.",
            ),
        },
        answer="c",
    ),
)
