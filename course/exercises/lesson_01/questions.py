"""The questions at the end of lesson 01."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Choice(
        "A colleague takes 200 pages, has a language model write one question for each page, and labels "
        "that page as relevant. A plain word matcher reaches an nDCG@10 of 0.97. What is the best "
        "explanation?",
        {
            "a": (
                "Matching words is enough for the questions that people ask here.",
                "That was shown only for questions written with the page in view. Users ask in their own "
                "words, and those were not tested.",
            ),
            "b": (
                "Two hundred queries are too few, and the 0.97 is mostly luck.",
                "A thousand questions made in the same way would be as easy. More queries make the number "
                "steadier; they do not change how the queries were written.",
            ),
            "c": (
                "The questions repeat the words of their pages, so the test measures how they were written.",
                "Yes. And there is no headroom left: a better engine could not show that it is better. "
                "Look at the word overlap, and write queries as somebody who knows only the symptom.",
            ),
            "d": (
                "Only one page is labelled for each question, and that drives scores up.",
                "That mostly works the other way: an engine that puts another good page first is punished "
                "for it. It is another fault of this test, but it does not explain so high a score.",
            ),
        },
        "c",
    ),
    Choice(
        "Your labels for thirty queries come from a pool filled by two word matchers, which therefore have "
        "Judged@10 = 1.00. The better of them has nDCG@10 = 0.54. A new engine that compares meanings has "
        "nDCG@10 = 0.48 and Judged@10 = 0.61. What do you do?",
        {
            "a": (
                "Judge the pages in its first ten that nobody has read, then compare.",
                "Yes. Four in ten of the pages that it finds were never read and count as useless. Until "
                "they are read, its 0.48 says as much about the pool as about the engine.",
            ),
            "b": (
                "Keep the word matcher, since 0.06 is far more than the noise in such a score.",
                "Noise is not the point, and with thirty queries it would not be small. The labels may have "
                "made the difference: four in ten of the pages that the new engine finds count as useless "
                "because nobody read them.",
            ),
            "c": (
                "Divide 0.48 by 0.61, so that only the judged part of its results counts.",
                "That assumes that the unread pages are as good as the read ones, and nobody knows whether "
                "they are. They may all be useless, or all be what the asker needs.",
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
        "Two assessors judge the same 100 pairs as relevant or not. Each calls 10 of them relevant, and 5 "
        "of these are the same pairs. What is Cohen's kappa?",
        answer=4 / 9,
        decimals=2,
        praise="Equal labels: 5 + 85 = 90, so 0.90. By chance: 0.1 · 0.1 + 0.9 · 0.9 = 0.82. Kappa is 0.08 "
        "/ 0.18. The 0.90 sounded much better.",
        wrong={
            0.90: "That is the share of equal labels, 5 + 85 of 100. Nobody would call most of these pairs "
            "relevant. Take away what chance alone would give.",
            0.82: "That is the agreement by chance, 0.1 · 0.1 + 0.9 · 0.9. Kappa asks how far the two "
            "assessors are beyond it.",
            0.08: "That is observed − expected, 0.90 − 0.82. Divide it by the most that could be earned "
            "beyond chance, 1 − 0.82.",
            0.33: "That is the overlap: 5 pairs are relevant to both, 15 to either. It is a good measure "
            "too, but not the one asked for.",
            0.50: "That is the share of one assessor's relevant pairs that the other also calls relevant. "
            "Kappa uses all 100 pairs, and then subtracts chance.",
        },
        otherwise="Count the four kinds of pairs first: 5 are relevant to both, 5 only to the first, 5 only "
        "to the second, 85 to neither. Then compute (observed − expected) / (1 − expected).",
    ),
    Choice(
        "Two assessors reach a kappa of 0.95. Both worked from the same notes, and some of the notes "
        "nearly name the page that answers. What does the 0.95 say about the labels?",
        {
            "a": (
                "They are right, because chance has been taken out of the number.",
                "Chance has been taken out; the influence of the notes has not. Two assessors who copy from "
                "one wrong note agree perfectly.",
            ),
            "b": (
                "The assessors agree, because they are right or because of the notes.",
                "Yes. No statistic on the grades can say which of the two it was. An assessor who judged "
                "some of the pairs without the notes could.",
            ),
            "c": (
                "Nothing, since the number must be wrong: people never agree so well.",
                "The number is not wrong: the grades really are nearly the same. The question is what it "
                "means.",
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
        "Somebody deletes the ten paraphrases from this lesson's 30 queries because they are so hard. How "
        "many of the 160 pages are then still relevant to at least one query? (`labelled` holds the "
        "queries; each has a `kind` and `relevant_doc_ids`.)",
        answer=112,
        decimals=0,
        praise="It was 126 with them, so 14 pages are relevant only to paraphrases. Without these queries "
        "the engine on raw words would look better than it is.",
        wrong={
            126: "That is with all thirty queries. Leave out those whose kind is 'paraphrase' before you "
            "collect the pages.",
            191: "That is the number of labels that are left, 259 − 68. A page that several queries need "
            "counts once: collect the pages in a set.",
            65: "You take away every page that is relevant to a paraphrase. Some of these pages are "
            "relevant to other queries as well, and stay.",
            58: "You subtract the paraphrases' 68 labels from 126 pages. Labels and pages cannot be "
            "subtracted from each other: several labels can name one page, and other queries may need "
            "it too.",
            61: "These are the pages that the paraphrases reach. The question is how many the other "
            "queries reach.",
            14: "These are the pages that would be lost. How many are left?",
            160: "That is the whole corpus. Each of its pages was judged for every query, mostly with a 0. "
            "A relevant page has a grade above 0.",
        },
        otherwise="Build one set: go through the queries whose kind is not 'paraphrase', add their "
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
                "Dropped titles cost part of the scores, without any error, but they do not bring Judged@10 "
                "to exactly 0.",
            ),
            "d": (
                "At the ids: perhaps one file has numbers, the other text.",
                "Yes. Where not even one result counts as judged, no id of one file matches any id of the "
                "other. The number 7 is not '7', and doc_7 is not 7.",
            ),
        },
        "d",
    ),
    Choice(
        "Why do this collection's labels quote words from a relevant page instead of only naming it?",
        {
            "a": (
                "So that an engine can be rewarded for putting the quoted words into its results.",
                "No engine sees the quotes. They belong to the judgments, and an engine that used them "
                "would be reading the answers.",
            ),
            "b": (
                "So that others can check a label, and see where the answer is.",
                "Yes. It also makes it hard to grade a page unread. And when lesson 02 cuts the pages into "
                "chunks, the quote still says which chunk has the answer.",
            ),
            "c": (
                "So that two assessors give the same grade, and kappa goes up.",
                "Two assessors can quote the same words and grade them differently. Quotes make a dispute "
                "easier to settle; a high kappa is not an aim in itself.",
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
