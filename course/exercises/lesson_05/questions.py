"""The questions at the end of lesson 05."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        text="A word with idf 3 stands twice in a document that is twice as long as the mean; the query "
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
            1.80: "You multiply only 0.6 by k₁. It stands before the bracket: 0.9 · (0.6 + 0.4 · 2).",
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
                "A longer page gets less for the same count. Whether it is longer a difference cannot say: "
                "lengths stand elsewhere in the ledger.",
            ),
        },
        answer="c",
    ),
    Choice(
        text="Of 40 missed documents 22 were outweighed, 10 had a gap in vocabulary, 8 were cut by the "
        "budget. A colleague raises k from 10 to 20, 25 of the 40 are back, and he says: most misses "
        "were the budget's fault. What do you answer?",
        options={
            "a": (
                "Right: what comes back by a change was missed for want of it.",
                "A larger k brings back whatever stands between rank 11 and 20, for whatever reason it "
                "stands so low. A remedy that helps against everything tells nothing about the cause.",
            ),
            "b": (
                "Wrong: it brings back what stands at 11 to 20, whatever put it there.",
                "Only in 8 cases did relevant documents hold all places above. In the others useless ones "
                "stand there, and a reader of 20 has to read past them.",
            ),
            "c": (
                "Wrong: only 8 documents can come back when k is raised.",
                "Those 8 are the ones for which k is all that is wrong. But every document at rank 11 to "
                "20 comes back, also one that was outweighed.",
            ),
            "d": (
                "Right, but k = 40 should be tried before anything is concluded.",
                "With k large enough every retrieved document is back. That proves less and less.",
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
                "that words alone would do; whether just this word, a control must say",
                "Index, cut and k are cleared of suspicion. But a word of the page finds the page whatever "
                "it means: compare with words of it that were chosen without regard to meaning.",
            ),
            "d": (
                "that the gap in vocabulary is the cause, since nothing else was changed",
                "A word drawn by lot from that page is nothing else changed either, and would probably "
                "have brought it back as well. What anything passes is no proof of this one thing.",
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
        praise="1, 1, 1, 1, 2, 2, 2, 4 and two misses: the fifth and the sixth of the ten stand at rank 2. "
        "The two failures count, and do not have to be given a rank.",
        wrong={
            1.5: "You left out the two queries that found nothing within ten. They are the worst of all, "
            "and count.",
            1.75: "That is the mean rank over the eight queries that found something. Asked is the median "
            "over all ten.",
            4.4: "That is the mean, and with more than ten documents. Asked is the query in the middle.",
            1.0: "Either you counted a miss as 0, which is better than rank 1 and belongs at the other end; "
            "or that is the median over all 30 queries, of which 19 have a relevant document in the first "
            "place. Of the paraphrases 4 have.",
        },
        otherwise="For each of the ten queries the rank of the first document with grade 1 or more, None "
        "where there is none; then your `median_first_rank`.",
    ),
    Choice(
        text="A miss is labelled a possible label error: an unjudged page, which stands above, contains "
        "the quoted answer word for word. What do you do?",
        options={
            "a": (
                "Read the page, and judge it as if another engine had brought it.",
                "The quote is a reason to look. The page may be a copy, or may quote the answer to warn "
                "against it. And a grade must not depend on whose result it was.",
            ),
            "b": (
                "Give the page grade 2 at once, since the answer stands in it.",
                "Words in a page are no judgment. And labels that change by rule whenever they lower this "
                "engine's score are made for it.",
            ),
            "c": (
                "Leave the labels as they are; whoever changes them cheats.",
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
