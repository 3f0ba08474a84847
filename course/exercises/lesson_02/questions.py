"""The questions at the end of lesson 02."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Numeric(
        text="A document has 490 tokens. How many chunks of 100 tokens, each sharing 20 with the one "
        "before, are needed so that every token is in a chunk?",
        answer=6,
        decimals=0,
        praise="The first chunk holds 100 tokens, and each further one adds 80 new ones: 100 + 5 · 80 = 500 "
        "is enough.",
        wrong={
            7: "That is what the usual loop makes. Its last window starts at token 480, but the one before "
            "already reaches the end.",
            5: "That would be enough without overlap. In each chunk after the first, only 80 tokens are new.",
        },
        otherwise="How many new tokens does the first chunk hold, and how many does each further one add?",
    ),
    Choice(
        text="A word occurs in 200 of 300 chunks. By the formula of section 5, what does finding the word "
        "do to a chunk's score?",
        options={
            "a": (
                "It adds a little, because the word is in so many chunks.",
                "That is what you would want, and what Lucene's 1 + achieves. But here the argument of the "
                "logarithm is below 1.",
            ),
            "b": (
                "It adds nothing, because so frequent a word tells us nothing.",
                "The idf is 0 only where exactly half of the chunks have the word. Beyond that it keeps "
                "falling.",
            ),
            "c": (
                "It lowers the score, because the word's idf is negative.",
                "ln(100.5 / 200.5) is below zero. Lucene adds 1 inside the logarithm; rank_bm25 uses a "
                "quarter of the mean idf instead.",
            ),
            "d": (
                "It depends on how often the word occurs in the chunk.",
                "tf decides how much, never in which direction: its part of the formula is always "
                "positive. The idf decides the sign.",
            ),
        },
        answer="c",
    ),
    Numeric(
        text="A word of the query occurs three times in a chunk of mean length. With k₁ = 1.5 and the "
        "formula of section 5: how many times its idf does it add to the score?",
        answer=3 * 2.5 / 4.5,
        decimals=2,
        praise="3 · 2.5 / (3 + 1.5). At mean length b does not matter, and three occurrences count less "
        "than twice as much as one.",
        wrong={
            3.0: "That would be tf without saturation. The second occurrence says less than the first, and "
            "the third less again.",
            0.67: "The factor k₁ + 1 is missing. It changes no ranking, but with it one occurrence "
            "counts exactly one idf.",
            2.5: "That is k₁ + 1, the limit for a word that occurs very often. Three occurrences are still "
            "some way from it.",
            1.0: "That is what one occurrence adds at mean length. Put tf = 3 into the fraction.",
        },
        otherwise="At mean length the bracket with b is 1. That leaves tf · (k₁ + 1) / (tf + k₁).",
    ),
    Choice(
        text="After somebody has edited the search settings, long chunks rank above short ones much more "
        "often, for all kinds of queries. Which change is the best explanation?",
        options={
            "a": (
                "b was lowered from 0.75 to 0.",
                "With b = 0 nothing is taken off for length, and a long chunk has more words, each of them "
                "more often.",
            ),
            "b": (
                "b was raised from 0.75 to 1.",
                "That works the other way: with b = 1 the length counts fully, and long chunks are held "
                "back the most.",
            ),
            "c": (
                "The factor k₁ + 1 was left out of the formula.",
                "Every score is then divided by the same number. All scores change, but no ranking does.",
            ),
            "d": (
                "k₁ was lowered from 1.5 to 0.5.",
                "It moves rankings the same way, but only a little: k₁ multiplies the length too, so a "
                "lower k₁ makes length matter less. With b = 0 length does not matter at all.",
            ),
        },
        answer="a",
    ),
    Numeric(
        text="The stored run has ten chunks for each of the 30 queries, 300 in all: "
        "`pd.read_json(files.BM25_TOP10, lines=True)`, column `retrieved_chunk_ids`. A colleague "
        "folds each query's ten chunks to documents and calls the result a top ten. How many of the 300 "
        "places stay empty?",
        answer=46,
        decimals=0,
        praise="Every chunk whose document is already higher up leaves a hole. If you fold all hits first "
        "and cut last, no place stays empty.",
        wrong={
            22: "That is the number of queries with at least one hole. Most have more than one: count "
            "places, not queries.",
            254: "That is how many places are filled. The question is how many are not.",
            0: "That is right if all hits are folded before the cut, as in `retrieved_doc_ids`. The "
            "colleague cut first, and ten chunks seldom come from ten different documents.",
            270: "That would leave one document per query. Only chunks of the same document are merged.",
        },
        otherwise="For each query, subtract from ten the number of different documents, "
        "chunk_id.split('#')[0], among its ten chunks. Then add up.",
    ),
    Choice(
        text='A colleague reports: "nDCG@10 = 0.71 over chunks; the labels are about documents, so we cut '
        'the number off each id." What do you ask first?',
        options={
            "a": (
                "Was each document kept once before the ranking was scored?",
                "If not, relevant documents were paid for several times. In this lesson most queries have "
                "a document twice in their first ten chunks.",
            ),
            "b": (
                "Which k₁ and b were used, and were they tuned on these queries?",
                "Worth asking, and it may be worth a few hundredths. But this number may not be an nDCG at "
                "all; check that first.",
            ),
            "c": (
                "Which encoding were the chunks counted with, and how large are they?",
                "A report should say it. But the encoding moves the number up or down by chance, "
                "while repeats pay for one page several times, and can lift a query above 1.",
            ),
            "d": (
                "Why nDCG and not MRR, when people look at the first result only?",
                "That is a question about what to measure. First find out whether it was measured. MRR "
                "would hide this fault, because it pays for one result only.",
            ),
        },
        answer="a",
    ),
    Choice(
        text="On the same thirty queries, cut A has nDCG@10 = 0.55 and a quote recall of 0.30 at 2,000 "
        "tokens; cut B has 0.53 and 0.38. The 2,000 tokens go to a language model. What do you do?",
        options={
            "a": (
                "Take A: the right pages rank higher, and the model reads from the top.",
                "The model does not read pages, it reads 2,000 tokens. Quote recall says how many of the "
                "right words are among them.",
            ),
            "b": (
                "Take A: nDCG@10 is the standard metric, quote recall is home-made.",
                "A metric is not better for being well known. nDCG@10 of documents does not ask what the "
                "model gets to see.",
            ),
            "c": (
                "Take B, and report 0.38 as what users will get from it.",
                "B is a fair choice, but 0.38 is the better of two on the queries used to choose it. Only "
                "fresh queries show what users will get.",
            ),
            "d": (
                "Take B for now, and measure again on queries not used to choose.",
                "Quote recall asks what the model gets for its budget. And with thirty queries, differences "
                "are partly luck, as section 9 showed.",
            ),
        },
        answer="d",
    ),
)
