"""The questions at the end of the second half of lesson 09."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "A judge calls 0.40 of 2,000 passages relevant. On 100 of them, drawn at random, it says 0.42, and "
        "people say 0.30. On the other 1,900 it says 0.40. What is the corrected share, with power 1?",
        answer=0.28,
        decimals=2,
        praise="0.40 + (0.30 - 0.42). It is too kind by 0.12, and that is taken off.",
        wrong={
            0.30: "That is what people say of the 100. It is right on average, and leaves the judge out.",
            0.40: "That is the judge alone, with its error.",
            0.52: "You added the error. A judge that is too kind must come down.",
            0.35: "That is halfway between 0.30 and 0.40: half of the error stays.",
        },
        otherwise="The mean verdict on the 1,900, plus the mean of label - verdict on the 100.",
    ),
    Choice(
        "A judge has kappa 0.57 with people. System A has precision 0.36 by its verdicts, B 0.39. What "
        "do you "
        "know?",
        {
            "a": (
                "B is better, for a kappa above 0.5 is good enough",
                "Kappa says how often it agrees, not for whom. A small favour to B's results would turn the "
                "order.",
            ),
            "b": (
                "nothing of the order yet: ask for its error on A's and on B's results",
                "In the lesson a judge of this kind put four systems into another order than the labels.",
            ),
            "c": (
                "A and B are equal, since the judge errs in a fifth of cases",
                "Errors that are the same for both cancel. Whether they are the same has to be measured.",
            ),
            "d": (
                "B is better by 0.03 times 0.57",
                "Kappa is no factor of anything.",
            ),
        },
        answer="b",
    ),
    Choice(
        "You compare a search by the embeddings of model E with BM25, and judge the results by the "
        "cosine of E. "
        "What do you expect?",
        {
            "a": (
                "a fair comparison: the cosine sees no names of systems",
                "It need not see names: the search puts in front exactly what this cosine calls near.",
            ),
            "b": (
                "E's search looks better than it is",
                "By 0.17 more than BM25 in the lesson, where the truth showed no difference.",
            ),
            "c": (
                "BM25 looks better than it is",
                "That is what the word-overlap judge did.",
            ),
            "d": (
                "both look better by the same amount",
                "Then the order would be right. It was not.",
            ),
        },
        answer="b",
    ),
    Choice(
        "With 100 labels `prediction_powered` returns a power of 0.12 and says that they are worth 103. "
        "What does "
        "that tell you?",
        {
            "a": (
                "the judge saves three labels: it is of no use here, and did no harm",
                "The power was turned down by itself. With power 1 the interval would be wider than by "
                "labels "
                "alone.",
            ),
            "b": (
                "88 % of the verdicts are wrong",
                "The power is no error rate; it says how much of the verdicts is used.",
            ),
            "c": (
                "the estimate is biased, so leave the labels out",
                "The labels are what takes the bias out.",
            ),
            "d": (
                "take power 1, then the judge counts fully",
                "It would count fully, and its noise with it.",
            ),
        },
        answer="a",
    ),
    Numeric(
        "600 pairs with verdict no, in which the labels have a standard deviation of 0.2, and 200 with "
        "verdict "
        "yes and 0.4. How many of 50 labels go to the pairs with verdict yes, by Neyman?",
        answer=20,
        decimals=0,
        praise="600 · 0.2 to 200 · 0.4 is 120 to 80, and 50 · 80/200 = 20.",
        wrong={
            13: "That is by size alone, 50 · 200/800. Labels that differ more are worth more.",
            33: "That is by spread alone, 50 · 0.4/0.6. The stratum counts by its size too.",
            25: "That is half. 120 to 80 is not one to one.",
            29: "That weighs by the variance, 24 to 32. The optimum goes by the standard deviation.",
            30: "That is what the pairs with verdict no get.",
        },
        otherwise="Weigh each stratum by size · standard deviation, and share the 50 in that proportion.",
    ),
    Choice(
        "A model writes 120 queries from your pages. You keep those whose page BM25 brings back among "
        "its first "
        "three, and compare BM25 with a dense engine on them. BM25 wins. What do you report?",
        {
            "a": (
                "BM25 is better on your pages",
                "Where BM25 fails the query was thrown away. In the lesson this turned +0.05 for the dense "
                "engine into -0.02.",
            ),
            "b": (
                "nothing about these two: the filter has chosen for one of them",
                "Filter by neither, or by both, and say so; even then the queries are not those that people "
                "ask.",
            ),
            "c": (
                "the dense engine is better, since BM25 had an advantage",
                "That BM25 had an advantage does not say who would win without it.",
            ),
            "d": (
                "BM25 is better, but with a wider interval",
                "No interval takes out how the queries were chosen.",
            ),
        },
        answer="b",
    ),
)
