"""The questions at the end of lesson 01."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Choice(
        "A colleague takes 200 pages, has a language model write one question for each page, and labels "
        "that page as relevant. A plain word matcher reaches an nDCG@10 of 0.97. What is the best "
        "explanation?",
        {
            "a": (
                "Matching words is enough for what people ask of this corpus.",
                "It was shown for questions that were written with the page in view. Users ask in their "
                "own words, and nobody tested those.",
            ),
            "b": (
                "Two hundred queries are too few, and the 0.97 is mostly luck.",
                "A thousand questions made in the same way would be as easy. More queries make the number "
                "steadier; they do not mend how the queries came about.",
            ),
            "c": (
                "The questions repeat the words of their pages, so the test measures how they were written.",
                "Yes. And there is no headroom left: a better engine could not show that it is better. "
                "Look at the word overlap, and write queries as somebody who knows the symptom only.",
            ),
            "d": (
                "Only one page is labelled for each question, and that drives scores up.",
                "It mostly works the other way: an engine that puts another good page first is punished "
                "for it. That is a fault of this test too, but it does not explain a score so high.",
            ),
        },
        "c",
    ),
    Choice(
        "Your labels for thirty queries were made from a pool of two word matchers, which have Judged@10 = "
        "1.00. The better of them has nDCG@10 = 0.54. A new engine that compares meanings has nDCG@10 = "
        "0.48 and Judged@10 = 0.61. What do you do?",
        {
            "a": (
                "Judge the pages in its first ten that nobody has read, then compare.",
                "Yes. Four of ten pages that it finds were never read and count as useless. Until they are "
                "read, its 0.48 says as much about the pool as about the engine.",
            ),
            "b": (
                "Keep the word matcher, since 0.06 is far more than the noise in such a score.",
                "Noise is not the point, and with thirty queries it would not be small. The labels may "
                "have made the difference: four of ten pages that the new engine finds count as useless "
                "because nobody read them.",
            ),
            "c": (
                "Divide 0.48 by 0.61, so that only the judged part of its results counts.",
                "That assumes that the unread pages are as good as the read ones. Nobody knows. They may "
                "all be useless, or all be what the asker needs.",
            ),
            "d": (
                "Take the new engine, since it finds relevant pages that the others missed.",
                "Perhaps it does, and perhaps the unread pages are useless. Unread means unknown, in both "
                "directions.",
            ),
        },
        "a",
    ),
    Numeric(
        "Two assessors judge the same 100 pairs as relevant or not. Each says *relevant* to 10 of them, "
        "and 5 of these are the same. What is Cohen's kappa?",
        answer=4 / 9,
        decimals=2,
        praise="Equal labels: 5 + 85 = 90, so 0.90. By chance: 0.1 · 0.1 + 0.9 · 0.9 = 0.82. Kappa is 0.08 "
        "/ 0.18. The 0.90 sounded much better.",
        wrong={
            0.90: "That is the share of equal labels, 5 + 85 of 100. Most of these pairs nobody would "
            "call relevant. Take away what chance alone would give.",
            0.82: "That is the agreement by chance, 0.1 · 0.1 + 0.9 · 0.9. Kappa asks how far beyond it "
            "the two of them are.",
            0.08: "That is observed − expected, 0.90 − 0.82. Divide it by the most that there was to be "
            "earned, 1 − 0.82.",
            0.33: "That is the overlap: 5 pairs are relevant to both, 15 to either. It is a good measure "
            "too, and not the one asked for.",
            0.50: "That is the share of one assessor's relevant pairs that the other one has as well. "
            "Kappa takes all 100 pairs, and then subtracts chance.",
        },
        otherwise="Count the four kinds of pairs first: relevant to both 5, to the first only 5, to the "
        "second only 5, to neither 85. Then (observed − expected) / (1 − expected).",
    ),
    Choice(
        "Two assessors reach a kappa of 0.95. Both worked from the same notes, and some of the notes "
        "nearly name the page that answers. What does the 0.95 say about the labels?",
        {
            "a": (
                "They are right, because chance has been taken out of the number.",
                "Chance has been taken out; being led in the same way has not. Two who copy from one wrong "
                "note agree perfectly.",
            ),
            "b": (
                "Both assessors wrote the same, because it is right or because of the notes.",
                "Yes. No statistic on the grades tells these two apart. An assessor without the notes "
                "would, on a part of the pairs.",
            ),
            "c": (
                "Nothing, since the number is wrong: people never agree as well as that.",
                "The number is what it is; the grades really are nearly the same. What it means is the "
                "question.",
            ),
            "d": (
                "They are wrong, because the notes led both assessors to the same page.",
                "The notes may have led both to the right page. Agreement shows neither that the labels are "
                "right nor that they are wrong.",
            ),
        },
        "b",
    ),
    Numeric(
        "Somebody deletes the ten paraphrases from this lesson's queries, because they are so hard. How "
        "many of the 160 pages are then still relevant to at least one query? (`labelled` holds the "
        "queries; each has a `kind` and `relevant_doc_ids`.)",
        answer=112,
        decimals=0,
        praise="It was 126 with them. 14 pages are reached by paraphrases only, and without these queries "
        "the engine of this lesson would look better than it is.",
        wrong={
            126: "That is with all thirty queries. Leave out those whose kind is 'paraphrase' before you "
            "collect the pages.",
            191: "That is the number of labels that are left, 259 − 68. A page that several queries need "
            "counts once: collect them in a set.",
            65: "You take away every page that is relevant to a paraphrase. Some of them are relevant to "
            "other queries as well, and stay.",
            58: "You subtract the paraphrases' 68 labels from 126 pages. Labels and pages cannot be "
            "subtracted from each other: several labels can name one page, and other queries may need "
            "it too.",
            61: "These are the pages that the paraphrases reach. The question is how many the other "
            "queries reach.",
            14: "These are the pages that would be lost. How many are left?",
            160: "That is the whole corpus. Each of its pages was judged for every query, mostly with a 0. "
            "Relevant means above 0.",
        },
        otherwise="One set: go through the queries whose kind is not 'paraphrase', add their "
        "relevant_doc_ids, and count the set.",
    ),
    Choice(
        "You read a corpus and qrels with a few lines of your own, and score an engine. By eye its results "
        "look good, but nDCG@10 and Judged@10 are exactly 0 for every query. Where do you look first?",
        {
            "a": (
                "At the engine: perhaps it ranks from worst to best.",
                "Then the first ten would be the worst pages for each query, and you would see it. By eye "
                "these results look good.",
            ),
            "b": (
                "At the assessors: perhaps they were too strict.",
                "Strict assessors give zeros, and a page with a 0 is judged. Judged@10 would be well above "
                "0.",
            ),
            "c": (
                "At the titles: perhaps the reader has dropped them.",
                "Dropped titles cost some part of every score, and no error appears. They do not bring "
                "Judged@10 to exactly 0.",
            ),
            "d": (
                "At the ids: perhaps numbers here and text there.",
                "Yes. Where not even one result counts as judged, no id of the one file matches any of the "
                "other. 7 is not '7', and doc_7 is not 7.",
            ),
        },
        "d",
    ),
    Choice(
        "Why does each label of this collection quote words from the page, and not only name it?",
        {
            "a": (
                "So that an engine can be rewarded for putting the quoted words into its results.",
                "No engine sees the quotes. They belong to the judgments, and an engine that used them "
                "would be reading the answers.",
            ),
            "b": (
                "So that a label can be checked by others, and says where the answer is.",
                "Yes. It also makes it hard to grade a page unread. And when lesson 02 cuts the pages into "
                "chunks, the quote still says which chunk has the answer.",
            ),
            "c": (
                "So that two assessors give the same grade, and kappa becomes higher.",
                "Two assessors can quote the same words and grade them differently. Quotes make a dispute "
                "easier to settle; a high kappa is no aim in itself.",
            ),
            "d": (
                "So that any other page with these words can be counted as relevant too.",
                "The same words can occur in a page that does not answer. A label is for one page; the "
                "quote shows why.",
            ),
        },
        "b",
    ),
)
