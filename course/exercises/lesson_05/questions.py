"""The questions at the end of lesson 05."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        text="A word with idf 3 occurs twice in a document that is twice as long as the mean. The query "
        "has the word once. What does the word contribute to the score of Lucene's BM25, with k₁ = 0.9 and "
        "b = 0.4?",
        answer=3 * 2 / (2 + 0.9 * (0.6 + 0.4 * 2)),
        decimals=2,
        praise="The length makes the bracket 0.6 + 0.4 · 2 = 1.4, k₁ times that is 1.26, and 3 · 2 / (2 + "
        "1.26) is left.",
        wrong={
            2.07: "That is the contribution in a document of mean length. This one is twice as long, so k₁ "
            "is multiplied by 0.6 + 0.4 · 2.",
            2.21: "You halve the length's part where it should double: dl / avgdl is 2. BM25 holds a long "
            "document back; it does not help it.",
            3.50: "That includes the factor k₁ + 1, as in lesson 02. Lucene has left it out since version "
            "8, and so does CsrBM25.",
            1.80: "You multiply only 0.6 by k₁. It belongs before the bracket: 0.9 · (0.6 + 0.4 · 2).",
            1.76: "k₁ is missing: it multiplies the whole of 0.6 + 0.4 · 2.",
            6.00: "That is idf · tf. In BM25 the second occurrence counts for less than the first.",
            0.61: "That is the weight on the document's side. Multiply it by the idf.",
        },
        otherwise="First compute k₁ · (1 − b + b · dl / avgdl) with dl / avgdl = 2, then idf · tf / (tf + "
        "that).",
    ),
    Choice(
        text="The wrong page scores 6.8, the right one 5.9. Word by word, wrong minus right: `do` +0.9, "
        "`when` +0.7, `certificate` 0, `renew` −0.7. What do you conclude?",
        options={
            "a": (
                "The wrong page is more about certificates, so the label may be in error.",
                "`certificate` contributes the same to both, and `renew` speaks for the right page. Nothing "
                "here says that the wrong page is about the question.",
            ),
            "b": (
                "`certificate` has an idf of 0 here, so it cannot tell pages apart.",
                "A difference of 0 says that both pages get the same from the word. That may be a lot.",
            ),
            "c": (
                "Two words that say little decide; without them the right page is above.",
                "`do` and `when` give the wrong page a lead of 1.6, and its whole lead is 0.9. Take them "
                "out of the query, search again, and see whether the order changes.",
            ),
            "d": (
                "The wrong page is longer, and b should be raised to hold it back.",
                "A longer page gets less for the same count. But the differences do not say which page is "
                "longer: lengths are elsewhere in the ledger.",
            ),
        },
        answer="c",
    ),
    Choice(
        text="A colleague raises k from 10 to 20, and 25 of 40 missed pages are back. He says that in most "
        "cases the short list was to blame. Of 40 useless pages that had about the same ranks, 24 are back "
        "too. What do you answer?",
        options={
            "a": (
                "Right: if a change brings a page back, the page was missed for lack of it.",
                "A larger k brings back whatever is ranked 11 to 20, whatever the reason for that rank. "
                "If a change helps useless pages just as much, it says nothing about the missed ones.",
            ),
            "b": (
                "No: it brings back whatever is ranked 11 to 20, useful or not.",
                "25 of 40 and 24 of 40 are practically the same. These pages are near misses: that "
                "describes where they are, not what put them there.",
            ),
            "c": (
                "No: the 24 useless pages will crowd out the 25.",
                "Nothing is crowded out, because the list has become longer. Its reader has more to read "
                "past, which is a cost, but not a reason for the misses.",
            ),
            "d": (
                "Right, but k = 40 should be tried before anything is concluded.",
                "With k large enough every retrieved page is back, useful or not. So a larger k shows "
                "less, not more.",
            ),
        },
        answer="b",
    ),
    Choice(
        text='A page on "downtime" is missed by a query on "outage". You replace "outage" with "downtime" '
        "in the query, and the page comes up at rank 2. What has been shown?",
        options={
            "a": (
                "that a list of synonyms would raise the mean over all queries",
                "It would bring this page back, but for other queries it might bring in pages that nobody "
                "asked for. The mean must be measured.",
            ),
            "b": (
                "that BM25 is the wrong engine for this collection",
                "One word was missing. How many misses are of this kind, and what another engine would "
                "miss instead, is still open.",
            ),
            "c": (
                "that other words are enough; whether it must be this one, only a control can tell",
                "The page is in the index: so much is certain. But any word of the page helps to "
                "find it, whatever the word means. Compare with words of the page that were chosen "
                "without regard to meaning.",
            ),
            "d": (
                "that different words were the cause, since nothing else was changed",
                "With a random word of that page nothing else would have changed either, and the page "
                "would probably have come back as well. A test that everything passes shows nothing.",
            ),
        },
        answer="c",
    ),
    Numeric(
        text="Ten of the 30 labelled queries are of kind `paraphrase` (`load_labels(files.QUERIES, "
        "runbooks.corpus)`). Let `CsrBM25(runbooks.corpus)` retrieve ten documents for each of them "
        "(`k=10`). What is the median rank of the first relevant document over these ten queries, with "
        "misses counted as misses?",
        answer=2.0,
        decimals=1,
        praise="The ranks are 1, 1, 1, 1, 2, 2, 2, 4 and two misses: the fifth and the sixth of the ten are "
        "both 2. The two failures count, and need no rank for that.",
        wrong={
            1.5: "You left out the two queries that found nothing within ten. They are the worst of "
            "all, and they count.",
            1.75: "That is the mean rank over the eight queries that found something. The question asks "
            "for the median over all ten.",
            4.4: "That is the mean, with more than ten documents retrieved. The median is the rank of the "
            "query in the middle.",
            1.0: "Either you counted a miss as 0, which is better than rank 1, although a miss belongs at "
            "the other end. Or you took the median over all 30 queries: 19 of those have a relevant document "
            "at rank 1, but only 4 of the paraphrases do.",
        },
        otherwise="For each of the ten queries, take the rank of the first document with grade 1 or more, or "
        "None where there is none. Then use your `median_first_rank`.",
    ),
    Choice(
        text="Above a missed page there is one that nobody has judged, and it contains the quoted answer "
        "word for word (`quote also in` names it). What do you do?",
        options={
            "a": (
                "Read the page, and judge it as you would if another engine had returned it.",
                "The quote is a reason to look. The page may be a copy, or may quote the answer to warn "
                "against it. And a grade must not depend on which engine returned the page.",
            ),
            "b": (
                "Give the page grade 2 at once, since it contains the answer.",
                "The quote alone is not a judgment. And if labels change by rule whenever they lower this "
                "engine's score, they are made to suit it.",
            ),
            "c": (
                "Leave the labels as they are, since changing them would be cheating.",
                "Labels have errors, and you may correct them if you read the page, write the change down, "
                "and score every engine anew.",
            ),
            "d": (
                "Leave the query out of the mean until somebody complains.",
                "Then the engine's failures decide which queries count, and the mean rises for no reason. "
                "Judge the page, and keep the query.",
            ),
        },
        answer="a",
    ),
)
