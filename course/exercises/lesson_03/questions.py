"""The questions at the end of lesson 03."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "A query has two relevant documents. The engine puts one at rank 2, and does not find the other. "
        "What is its average precision?",
        answer=0.25,
        decimals=2,
        praise="Precision is 1/2 at the one that was found, the other contributes 0, and both are averaged: "
        "(1/2 + 0) / 2.",
        wrong={
            0.50: "That is the precision at rank 2. The second relevant document was not found; it "
            "contributes 0, but it is one of the two that are averaged.",
            0.39: "That is nDCG, 0.631 of 1.631. Average precision notes the precision at each relevant "
            "document.",
            1.00: "The first place is lost already: at rank 2, only one of two results is relevant.",
        },
        otherwise="Write down the precision at the rank of each relevant document, 0 for the one not "
        "found, and average the two.",
    ),
    Choice(
        "You append 90 useless results to each list of ten. Which of nDCG@10, MAP, Recall@100 and "
        "P@100 fall?",
        {
            "a": (
                "P@100, and no other",
                "It would fall if it divided by the number of results returned. By trec_eval's rule P@100 "
                "always divides by 100, so an empty place costs as much as a useless result.",
            ),
            "b": (
                "none of the four",
                "Useless results at the end cost nothing in any of the four, so a longer list never hurts "
                "its score. Only its reader would notice.",
            ),
            "c": (
                "MAP and P@100",
                "MAP notes precision only at relevant documents, and the 90 new results are not relevant. "
                "P@100 divides by 100 in both cases.",
            ),
            "d": (
                "all but nDCG@10",
                "nDCG@10 indeed looks at ten places only. But recall never falls when results are added, "
                "and MAP notes precision at relevant documents only.",
            ),
        },
        answer="b",
    ),
    Numeric(
        "Section 2 found that no engine can have a mean Recall@5 of 1 on the 30 queries, since five places "
        "cannot hold 27 relevant documents. What is the highest possible mean Recall@3? (`n_relevant` "
        "still holds the number of relevant documents of each query.)",
        answer=0.50,
        decimals=2,
        praise="(n_relevant.clip(upper=3) / n_relevant).mean(). On these queries a Recall@3 of 0.5 would be "
        "as good as perfect.",
        wrong={
            0.69: "That is the ceiling of Recall@5. Three places hold less.",
            0.94: "You divide by 3: that is the ceiling of P@3. Recall divides by the number of relevant "
            "documents of each query.",
            0.33: "You divide the sum over all queries by the sum of all relevant documents. A mean over "
            "queries divides for each query first, and then averages.",
            0.35: "That is 3 divided by the mean number of relevant documents. Divide for each query first, "
            "where no query can find more than all of its documents, and then average.",
            1.00: "Only if no query had more than three relevant documents. Most have more.",
        },
        otherwise="For each query: the smaller of 3 and its number of relevant documents, divided by that "
        "number. Then the mean.",
    ),
    Choice(
        "Your tool and another one score the same run file against the same judgments, and you compare "
        "nDCG@10 query by query. Theirs is higher on many queries, and on each of these the engine missed "
        "relevant documents. It is lower on none. Where do you look first?",
        {
            "a": (
                "the gain: theirs may be 2^grade − 1",
                "Another gain moves queries that have both grades, some up and some down, and it moves "
                "rankings that missed nothing as well.",
            ),
            "b": (
                "missing queries: theirs may leave them out",
                "That changes the mean and no single query. Here single queries differ.",
            ),
            "c": (
                "equal scores: theirs may keep the order of the file",
                "Another order of equal scores moves queries with ties, some up and some down, whether the "
                "engine missed something or not.",
            ),
            "d": (
                "the ideal: theirs may be made of what was retrieved",
                "Such an ideal leaves out what the engine missed, so it is too easy to reach, but only for "
                "queries where something was missed. It is the one mistake among section 7's eight values.",
            ),
        },
        answer="d",
    ),
    Numeric(
        "A search service timed out on 6 of 30 judged queries, and its run lacks them. Over the other 24 "
        "its mean nDCG@10 is 0.60. Which mean does `trec_eval -c` give?",
        answer=0.48,
        decimals=2,
        praise="24 × 0.60 is 14.4, and 14.4 / 30 is 0.48. The six time-outs cost what they should.",
        wrong={
            0.60: "That is the mean without -c: it leaves out the six queries, as if the engine had not "
            "failed on them.",
            0.75: "You divided by 24/30. Six zeros lower a mean.",
            0.50: "Six zeros join 24 values, so the sum, 24 × 0.60, is divided by 30 and not by 29.",
            0.12: "That is what the mean loses. What is left?",
        },
        otherwise="Go back from the mean to the sum over the 24 queries, add six times 0, and divide by 30.",
    ),
    Choice(
        "System A has nDCG@10 = 0.52 and Judged@10 = 1.00, system B has 0.47 and 0.70. Now the unread "
        "pages among B's results are judged, and some are relevant. What happens to A's nDCG@10?",
        {
            "a": (
                "it stays: none of A's results has changed",
                "Its results have not, and its DCG stays. But nDCG divides by the ideal ranking, which is "
                "made of all judged pages.",
            ),
            "b": (
                "it may fall: A's ideal ranking has grown",
                "The newly relevant pages belong in the ideal of their queries, and A does not have them "
                "in its first ten. B gains by them, and A may lose.",
            ),
            "c": (
                "it may rise: more relevant pages are known",
                "A's first ten were all judged before, so none of the new ones is there. They can only "
                "join the ideal.",
            ),
            "d": (
                "nobody can tell until A is judged again",
                "A's first ten were judged, and those grades stay. What has changed is the best score that "
                "was possible.",
            ),
        },
        answer="b",
    ),
    Choice(
        "A language model gets the first five pages at once. It can answer when every page that the answer "
        "needs is among them, in any order. Which metric asks that question?",
        {
            "a": (
                "MRR",
                "It looks at the first relevant page alone. With two more pages missing it is still 1, and "
                "the model cannot answer.",
            ),
            "b": (
                "P@5",
                "It asks how many of the five pages are relevant. A question that needs only one page "
                "would be scored 0.2 at best, though the model has all that it needs.",
            ),
            "c": (
                "Recall@5",
                "It asks how much of what is needed is there. It is 1 when nothing is missing, and order "
                "plays no part.",
            ),
            "d": (
                "nDCG@5",
                "Close: it pays for each page that is found, and compares with what exists. But it also "
                "pays for order, which this reader does not see.",
            ),
        },
        answer="c",
    ),
)
