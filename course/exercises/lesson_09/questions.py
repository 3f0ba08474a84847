"""The questions at the end of the first half of lesson 09."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        "A query has three vital nuggets and two okay ones. A context holds two vital nuggets and one "
        "okay one "
        "whole, and more than half of a quote of the third vital one. What is its `vital` score (not "
        "strict)?",
        answer=0.83,
        decimals=2,
        praise="(1 + 1 + 1/2) / 3. The strict score is 0.67.",
        wrong={
            0.67: "That is the strict score. Here a nugget of which half a quote is there counts a half.",
            0.70: "That is the score over all five, (2 + 1/2 + 1) / 5. `vital` is over the three vital ones.",
            1.0: "The third is there in part only; it counts a half.",
            0.60: "That is all strict, 3 of 5. `vital` leaves the okay ones out.",
        },
        otherwise="Over the three vital nuggets: whole counts 1, half a quote or more counts 1/2.",
    ),
    Choice(
        "A tool reports context precision 0.90 for your system, computed as RAGAS does. Your own count "
        "says that "
        "the context holds 40 % of the vital facts. Which of the two is wrong?",
        {
            "a": (
                "the tool: 0.90 cannot go with 40 %",
                "It can. A context of one useful passage has precision 1, whatever it lacks.",
            ),
            "b": (
                "the count: precision is the stricter",
                "Neither is stricter. They ask different questions of the same context.",
            ),
            "c": (
                "neither: precision is about what is there, recall about what is missing",
                "RAGAS divides by the useful pieces of this context. What was never retrieved costs nothing.",
            ),
            "d": (
                "both: without a language model neither can be known",
                "With quotes both can be read off positions.",
            ),
        },
        answer="c",
    ),
    Choice(
        "In the lesson two systems had nearly the same nDCG@10, and one held about a fifth more of the vital "
        "nuggets in 2,000 tokens. What differed between them that nDCG@10 cannot see?",
        {
            "a": (
                "how the pages were cut",
                "nDCG@10 is of pages: whichever piece brings a page up, the page counts. The context has the "
                "piece.",
            ),
            "b": (
                "the grades of the pages",
                "Those are the same labels for both, and nDCG@10 sees nothing else.",
            ),
            "c": (
                "how many queries were asked",
                "The same 131 for both.",
            ),
            "d": (
                "the order of the first ten pages",
                "That is the one thing that nDCG@10 does see.",
            ),
        },
        answer="a",
    ),
    Choice(
        "Your answers lack facts. You count: of the missing ones 50 % had no page in the context, 5 % "
        "were cut "
        "through, 45 % were in the context whole and not in the answer. A colleague wants larger overlaps "
        "between chunks. What do you say?",
        {
            "a": (
                "yes: overlap is the cheapest change",
                "It pays for every shared token twice, and could mend at most the 5 % that are cut through.",
            ),
            "b": (
                "no: that mends at most 5 %; look at retrieval, or at what answers",
                "Half of the loss is before the cut, nearly half after it.",
            ),
            "c": (
                "no: chunks should be removed altogether",
                "That is another experiment; whether it helps is to be measured, and fewer pages would fit.",
            ),
            "d": (
                "yes, if nDCG@10 goes up with it",
                "nDCG@10 of pages does not see what the context holds.",
            ),
        },
        answer="b",
    ),
    Choice(
        "A search is to stay silent when it has no answer. On 150 test questions, 15 of them without an "
        "answer, "
        "a threshold makes it silent on 45, among them 13 of the 15. What do you report?",
        {
            "a": (
                "it recognises 87 % of unanswerable questions",
                "True, and half of the story: for that it refuses 32 questions that have an answer.",
            ),
            "b": (
                "it is right 87 % of the time",
                "13 of 15 is recall. When it is silent, it is right in 13 of 45 cases.",
            ),
            "c": (
                "recall 13 of 15, precision 13 of 45, and how many questions are refused in all",
                "Both, with their counts: 15 is few, and the interval of 13 of 15 is wide.",
            ),
            "d": (
                "nothing: 15 questions are too few",
                "They are few, so say how many. A precision of 13 in 45 is already a result.",
            ),
        },
        answer="c",
    ),
)
