"""The questions at the end of lesson 06."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Choice(
        "A and B answered the same 30 queries. The scores of both range from 0 to 1, since some queries are "
        "easy and some hard, and B is slightly ahead on most. A paired test gives p = 0.01, an unpaired "
        "one p = 0.60. Which of the two tests answers your question, and why?",
        {
            "a": (
                "the unpaired one: it is the more careful of the two",
                "A larger p is not more careful if the test asks something else. The unpaired test treats "
                "easy and hard queries as luck, although both systems had the very same ones.",
            ),
            "b": (
                "the paired one: it has the smaller p, so more power",
                "It has more power here, but you must not choose a test by its p. Taking the smaller of "
                "two p-values means looking twice, and raises more false alarms.",
            ),
            "c": (
                "the paired one: both systems had the same queries",
                "A hard query lowers both scores, and that cancels in their difference. The unpaired test "
                "is for two separate groups, as in split traffic.",
            ),
            "d": (
                "neither: tests that disagree are both unsafe",
                "They disagree because they ask different things. One asks about differences within a "
                "query, the other about two groups of queries that have nothing to do with each other.",
            ),
        },
        answer="c",
    ),
    Numeric(
        "B differs from A on only five of 30 queries, and is better on all five. What is the p-value of "
        "the exact two-sided sign-flip test?",
        answer=0.0625,
        decimals=4,
        praise="Of the 32 patterns of five signs only two, all + and all −, go as far: 2/32. So five queries "
        "that moved can never give p < 0.05, however much they moved; six can.",
        wrong={
            0.0312: "That is 1/32, for all + alone. Had A won all five, you would have called that a "
            "finding too, so a two-sided test counts both.",
            0.0333: "That is 1/30. Count patterns of signs, not queries.",
            0.0667: "That is 2/30. Count patterns of signs, not queries: five differences have 32.",
            0.1667: "That is 5/30, the share of queries that moved. The test asks how often chance alone "
            "gives a mean as far from 0.",
            0.0606: "That is 2/33: you added the observed pattern, as for patterns drawn at random. Here "
            "all 32 are counted, and the observed one is already among them.",
            0.0000: "Perhaps you counted 2 in 2³⁰. But flipping a difference of 0 changes nothing: only the "
            "five that moved must all be +, and the other 25 signs are free.",
        },
        otherwise="Only the five that moved matter. How many patterns of signs do they have, and in how many "
        "of these is the sum as far from 0?",
    ),
    Choice(
        "On your 30 queries B is ahead by 0.03 in nDCG@10, p = 0.25. The 95 % interval of the difference "
        'is −0.02 to 0.08. Somebody writes: "There is no difference between A and B." What would you write '
        "instead?",
        {
            "a": (
                '"These queries could miss a gain of 0.05, or a loss"',
                "The interval includes both, and a large p says only that chance could have done this. "
                "These 30 queries cannot show that there is no difference.",
            ),
            "b": (
                '"A and B are equally good with a probability of 0.25"',
                "p is worked out as if they were equally good, so it cannot be the probability that they "
                "are. It says how often chance alone would go at least as far.",
            ),
            "c": (
                '"B is better by 0.03, but this is not significant"',
                "The second half takes back what the first half claims. By the same interval, A may be "
                "better by 0.02.",
            ),
            "d": (
                '"Power was too low, since the p-value is above 0.05"',
                "Power is worked out for the smallest difference that would matter, not for the one that "
                "came out. For that one it only repeats the p-value.",
            ),
        },
        answer="a",
    ),
    Numeric(
        "Three systems are compared with a baseline: p = 0.010, 0.020 and 0.030. What is the third p, "
        "adjusted by Holm's correction?",
        answer=0.04,
        decimals=2,
        praise="The factors 3, 2 and 1 give 0.03, 0.04 and 0.03. But no value may be below the one before "
        "it, so the third is raised to 0.04. All three are below 0.05.",
        wrong={
            0.03: "Its own factor is 1, but the second has become 0.04, and a larger p must not come out "
            "smaller.",
            0.09: "That is Bonferroni, with the factor 3 for all of them. Holm's factor falls each time.",
            0.06: "The factor 2 belongs to the second. The third is multiplied by 1, and then raised to "
            "the one before it.",
            0.02: "Adjusted values are never below the p-values themselves.",
        },
        otherwise="Multiply by 3, 2 and 1, the smallest p first. Then raise each value that is below the one "
        "before it.",
    ),
    Choice(
        "The judgments were made from the results of A. B is new. Judged@10 is 1.00 for A and 0.70 for B, "
        "nDCG@10 is 0.52 for A and 0.47 for B, and the paired test gives p = 0.01. What do you report?",
        {
            "a": (
                "A is better: p = 0.01 allows for chance",
                "It allows for chance in the choice of queries. But it is not chance that three of B's ten "
                "results were never read, and that mostly counts against B.",
            ),
            "b": (
                "A is better, after Holm's correction for two metrics",
                "Holm corrects for looking several times. Here one look is wrong already: 30 % of B's "
                "results count as useless only because nobody opened them.",
            ),
            "c": (
                "it is open, until there are more queries",
                "With more queries judged in the same way, p gets smaller and the conclusion no better. B's "
                "results have to be judged.",
            ),
            "d": (
                "it is open, until B's results are judged too",
                "Pool the first ten of both, judge what is new, and score both again. Until then report "
                "the bounds: the lowest and the highest value that any grades of the unread pages could "
                "give.",
            ),
        },
        answer="d",
    ),
    Numeric(
        'At the end of the exercises, `by_query["nDCG@10"]` holds the score of Lucene\'s BM25 minus that of '
        "the plain one, for each of the 30 queries of the runbooks. Leave out the one query that moved "
        "most, in either direction. What is the mean difference of the other 29?",
        answer=0.0480,
        decimals=4,
        praise="One loss takes away more than a third of the lead. Without it the test of section 2 would "
        "give p = 0.01 instead of 0.25; on the 79 test queries the lead is 0.007. If one query spoils a "
        "result, that is a reason to look at it, not to drop it.",
        wrong={
            0.0303: "That is the mean of all 30. Which difference is furthest from 0?",
            0.0464: "You divide by 30. Without that query there are 29.",
            -0.0480: "The size is right, but not the sign. Take Lucene minus plain.",
            0.0314: "You divide by 29, but your sum still includes all 30.",
            0.0221: "You left out the query with the largest gain. Another one moved further, downwards.",
        },
        otherwise='differences = by_query["nDCG@10"]; the query is max(differences, key=lambda q: '
        "abs(differences[q])). Take the mean of the others.",
    ),
)
