"""The questions at the end of lesson 05."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        text="A word with idf 3 occurs twice in a document that is twice as long as the mean; the query "
        "has it once. What does it bring to the score of Lucene's BM25, with k₁ = 0.9 and b = 0.4?",
        answer=3 * 2 / (2 + 0.9 * (0.6 + 0.4 * 2)),
        decimals=2,
        praise="The length makes the bracket 0.6 + 0.4 · 2 = 1.4, k₁ times that is 1.26, and 3 · 2 / (2 + "
        "1.26) is left.",
        wrong={
            2.07: "That is what it brings in a document of mean length. This one is twice as long, so k₁ "
            "is multiplied by 0.6 + 0.4 · 2.",
            2.21: "You halve the length's part where it should double: dl / avgdl is 2. A long document is "
            "held back, not helped.",
            3.50: "That has the factor k₁ + 1, as in lesson 02. Lucene leaves it out since version 8, and "
            "so does CsrBM25.",
            1.80: "You multiply only 0.6 by k₁. It belongs before the bracket: 0.9 · (0.6 + 0.4 · 2).",
            1.76: "k₁ is missing: it multiplies the whole of 0.6 + 0.4 · 2.",
            6.00: "That is idf · tf. BM25 lets the second occurrence say less than the first.",
            0.61: "That is the weight on the document's side. Multiply it by the idf.",
        },
        otherwise="First k₁ · (1 − b + b · dl / avgdl) with dl / avgdl = 2, then idf · tf / (tf + that).",
    ),
    Choice(
        text="The wrong page scores 6.8, the right one 5.9. Word by word, wrong less right: `do` +0.9, "
        "`when` +0.7, `certificate` 0, `renew` −0.7. What do you conclude?",
        options={
            "a": (
                "The wrong page is more about certificates, so the label may be in error.",
                "`certificate` brings both the same, and `renew` speaks for the right page. Nothing here "
                "says that the wrong one is about the question.",
            ),
            "b": (
                "`certificate` has an idf of 0 here, so it tells no pages apart.",
                "A difference of 0 says that both pages get the same from the word. That may be a great "
                "deal.",
            ),
            "c": (
                "Two words that say little decide; without them the right page is above.",
                "`do` and `when` bring the wrong page 1.6, and it leads by 0.9. Take them out of the "
                "query, search again, and look whether it is so.",
            ),
            "d": (
                "The wrong page is longer, and b should be raised to hold it back.",
                "A longer page gets less for the same count. A difference cannot say whether it is longer: "
                "lengths are elsewhere in the ledger.",
            ),
        },
        answer="c",
    ),
    Choice(
        text="A colleague raises k from 10 to 20, and 25 of 40 missed pages are back. He says: in most cases "
        "the short list was to blame. Of 40 useless pages that had about the same ranks 24 are back too. "
        "What do you answer?",
        options={
            "a": (
                "Right: what comes back by a change was missed for want of it.",
                "A larger k brings back whatever is ranked 11 to 20, for whatever reason it is ranked so "
                "low. A change that helps useless pages as much says nothing about the missed ones.",
            ),
            "b": (
                "No: it brings back whatever is ranked 11 to 20, useful or not.",
                "25 of 40 and 24 of 40 are the same. They are near misses: that describes where they are, "
                "and not what put them there.",
            ),
            "c": (
                "No: the 24 useless pages will crowd out the 25.",
                "Nothing is crowded out, the list has become longer. Its reader has more to read past, which "
                "is a price, and not a reason for the misses.",
            ),
            "d": (
                "Right, but k = 40 should be tried before anything is concluded.",
                "With k large enough every retrieved page is back, useful or not. That shows less and less.",
            ),
        },
        answer="b",
    ),
    Choice(
        text='A page on "downtime" is missed by a query on "outage". You exchange "outage" for "downtime", '
        "and the page comes up at rank 2. What has been shown?",
        options={
            "a": (
                "that a list of synonyms would raise the mean over all queries",
                "It would bring this page back, and for other queries bring in pages that nobody asked "
                "for. The mean must be measured.",
            ),
            "b": (
                "that BM25 is the wrong engine for this collection",
                "One word was missing. How many misses are of this kind, and what another engine would "
                "miss instead, is still open.",
            ),
            "c": (
                "that other words are enough; whether it must be this one, only a control can tell",
                "Index, cut and k are cleared of suspicion. But a word of the page finds the page whatever "
                "it means: compare with words of it that were chosen without regard to meaning.",
            ),
            "d": (
                "that different words were the cause, since nothing else was changed",
                "With a word drawn by lot from that page nothing else is changed either, and it would "
                "probably have brought the page back as well. A test that everything passes shows nothing.",
            ),
        },
        answer="c",
    ),
    Numeric(
        text="Ten of the 30 labelled queries are of kind `paraphrase` (`load_labels(files.QUERIES, "
        "runbooks.corpus)`). `CsrBM25(runbooks.corpus)` gives each ten documents (`k=10`). What is "
        "the median rank of the first relevant one over these ten queries, misses counted as misses?",
        answer=2.0,
        decimals=1,
        praise="1, 1, 1, 1, 2, 2, 2, 4 and two misses: the fifth and the sixth of the ten have rank 2. "
        "The two failures count, and do not have to be given a rank.",
        wrong={
            1.5: "You left out the two queries that found nothing within ten. They are the worst of all, "
            "and count.",
            1.75: "That is the mean rank over the eight queries that found something. The question asks "
            "for the median over all ten.",
            4.4: "That is the mean, and with more than ten documents. A median asks for the query in the "
            "middle.",
            1.0: "Either you counted a miss as 0, which is better than rank 1 and belongs at the other end; "
            "or that is the median over all 30 queries, of which 19 have a relevant document in the first "
            "place. Of the paraphrases 4 have.",
        },
        otherwise="For each of the ten queries the rank of the first document with grade 1 or more, None "
        "where there is none; then your `median_first_rank`.",
    ),
    Choice(
        text="Above a missed page there is one that nobody has judged, and it contains the quoted answer "
        "word for word (`quote also in` names it). What do you do?",
        options={
            "a": (
                "Read the page, and judge it as if another engine had brought it.",
                "The quote is a reason to look. The page may be a copy, or may quote the answer to warn "
                "against it. And a grade must not depend on whose result it was.",
            ),
            "b": (
                "Give the page grade 2 at once, since it contains the answer.",
                "Words in a page are no judgment. And labels that change by rule whenever they lower this "
                "engine's score are made for it.",
            ),
            "c": (
                "Leave the labels as they are; to change them is to cheat.",
                "Labels have errors, and may be put right if it is done by reading and written down, and "
                "every engine is scored anew.",
            ),
            "d": (
                "Leave the query out of the mean until somebody complains.",
                "Then the queries that count are chosen by the engine's failures, and the mean rises for "
                "no reason. Judge, and keep it.",
            ),
        },
        answer="a",
    ),
)
