"""The questions at the end of the second half of lesson 08."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "A document stands at rank 1 in BM25's list and at rank 3 in the dense engine's. What does "
        "reciprocal rank fusion with k = 60 give it?",
        answer=0.0323,
        decimals=4,
        praise="1/61 + 1/63. At rank 2 in both it would have got 1/62 + 1/62, nearly the same.",
        wrong={
            0.0325: "That is 1/61 + 1/62. At rank 3 the second list gives 1/63.",
            0.0328: "That is 1/61 twice. The second list has it at rank 3.",
            0.0164: "That is 1/61, the first list's share. The second has the document too.",
            0.0161: "That is the mean of the two shares. They are added.",
            1.3333: "That is 1/1 + 1/3: without k.",
        },
        otherwise="Each list gives 1 / (60 + rank). Add the two shares.",
    ),
    Choice(
        "A colleague found alpha = 0.85 best, by the theoretical minimum, on your pages. You use min–max on "
        "the "
        "same pages and the same model. Which alpha do you take from this?",
        {
            "a": (
                "0.85: pages and model are the same",
                "The scale is another. The theoretical minimum squeezes cosines together, so they need a "
                "large share to count at all; min–max spreads them.",
            ),
            "b": (
                "0.15: min–max turns it round",
                "It does not turn anything round; it spreads the cosines from 0 to 1.",
            ),
            "c": (
                "none: a weight belongs to its method, so tune anew, or take 0.5",
                "In the lesson that very swap cost SciFact 0.044 in nDCG@10.",
            ),
            "d": (
                "0.68, halfway between 0.85 and 0.5, to be careful",
                "Halfway between a number of another scale and a guess is neither.",
            ),
        },
        answer="c",
    ),
    Choice(
        "You have 30 labelled queries in all. You try 21 alphas and four methods on them, and the best has "
        "nDCG@10 0.63 against BM25's 0.56. What may the report say?",
        {
            "a": (
                "+0.07, with a paired test over the 30 queries",
                "The test does not know that the row was chosen among 84 because it is high.",
            ),
            "b": (
                "+0.07, with Holm's correction over 84",
                "That would guard the p-value; the estimate of 0.07 would still be too high. And p would "
                "have "
                "little left.",
            ),
            "c": (
                "that fusion looks promising; how much it gains, other queries must say",
                "Nothing is left to confirm it. On new queries, run the one that you chose, once.",
            ),
            "d": (
                "the mean gain of the 84, to be fair to all",
                "Nobody would operate 84 systems. It is honest about luck and says nothing of the one you "
                "would run.",
            ),
        },
        answer="c",
    ),
    Numeric(
        "A query has four relevant pages. BM25 has them at ranks 2, 9, 31 and 140. A perfect reranker gets "
        "BM25's first 100. What recall@10 does it reach?",
        answer=0.75,
        decimals=2,
        praise="Three of four: it can lift the page at rank 31, and cannot see the one at 140.",
        wrong={
            0.50: "That is BM25's own recall@10. A perfect reranker lifts the page at rank 31 too.",
            1.0: "The page at rank 140 is not among the candidates. What was not fetched cannot be ranked.",
            0.30: "That is precision: three of ten. Recall is of the four relevant ones.",
            0.25: "That is the share that stays out of reach, or the one page that is lifted.",
        },
        otherwise="Which of the four are among the first 100? A perfect reranker puts all of these on top.",
    ),
    Choice(
        "On 13 queries with an identifier the hybrid differs from BM25 by −0.02, interval −0.10 to +0.06, "
        "p = 0.6. A loss of 0.05 would cost you customers. What follows?",
        {
            "a": (
                "no loss: p = 0.6 is far from 0.05",
                "A large p says that these queries do not show a loss. A loss of 0.10 is inside the "
                "interval.",
            ),
            "b": (
                "a loss of 0.02, below the 0.05 that matters, so adopt",
                "0.02 is the middle of what is possible. The lower end is what the margin is about.",
            ),
            "c": (
                "it cannot be told: the interval allows a loss of more than 0.05",
                "Proof that a loss is small needs an interval that ends above −0.05. More such queries give "
                "a narrower one.",
            ),
            "d": (
                "reject: the lower end is below −0.05",
                "Harm is not proved either: the interval holds gains. Rejecting is what the upper end would "
                "have to say.",
            ),
        },
        answer="c",
    ),
    Choice(
        "A collection was judged five years ago, from the first ten of three BM25 engines. You compare BM25 "
        "with a hybrid: nDCG@10 0.59 and 0.59, judged@10 1.00 and 0.68. What do you do next?",
        {
            "a": (
                "reject the hybrid: it costs more and gains nothing",
                "A third of what it shows counts as wrong because nobody has read it. In the lesson such "
                "labels hid a gain of 0.06.",
            ),
            "b": (
                "leave unjudged pages out of both rankings, and compare again",
                "That helps whom it helps: relevant pages that only the hybrid finds are left out with the "
                "others.",
            ),
            "c": (
                "count unjudged pages as relevant",
                "Then the engine that shows most unread pages wins. It is the other end of what is possible.",
            ),
            "d": (
                "have the hybrid's unjudged first ten judged, then compare",
                "Pages that nobody has read decide here, and they can be read. `pool` lists them.",
            ),
        },
        answer="d",
    ),
)
