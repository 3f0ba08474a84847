"""The questions at the end of lesson 04, second half."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Choice(
        "`bm25l` was designed to help long documents. On your collection it beats `lucene`, both at "
        "k₁ = 1.2 and b = 0.75. Which run do you look at before you say that this help is the reason?",
        {
            "a": (
                "`bm25l` with a larger δ",
                "That moves it further away from `lucene` and leaves the question open: is it the formula, "
                "or a parameter that both have?",
            ),
            "b": (
                "`lucene` with b = 0",
                "That takes the length out of `lucene` altogether. It tells you whether length matters, "
                "not what `bm25l` does about it.",
            ),
            "c": (
                "`lucene` with k₁ = 1.7",
                "As computed here, `bm25l` is `lucene` with k₁ larger by 0.5, up to a constant. If the two "
                "runs agree, you have tuned k₁.",
            ),
            "d": (
                "both, without stopwords",
                "Without stopwords a floor under the IDF has little effect. But neither of these two has a "
                "floor; their IDF is the same.",
            ),
        },
        answer="c",
    ),
    Choice(
        "Your first run on a BEIR dataset gives nDCG@10 = 0.83; the best published figure is 0.71. "
        "Which count do you look at first?",
        {
            "a": (
                "the number of results kept for each query, 100 or 1,000",
                "nDCG@10 looks at ten of them. More results change Recall@100 and MAP, and nothing at rank "
                "10.",
            ),
            "b": (
                "the number of documents in the corpus, beside the paper's",
                "In a smaller haystack everybody finds the needle. If the numbers agree, ask next whether "
                "grades of 0 count as relevant: of the nine faults, these two make a figure better.",
            ),
            "c": (
                "the number of ids that run and judgments have in common",
                "Ids that do not match are never found. That makes a figure worse, down to a flat zero, "
                "and yours is too good.",
            ),
            "d": (
                "the number of terms in the vocabulary, after stemming",
                "Another analyzer moves BM25 by a hundredth or two. Twelve hundredths above every paper "
                "needs another explanation.",
            ),
        },
        answer="b",
    ),
    Choice(
        "A third of your reciprocal ranks are exactly one half, and none is 1. Either queries "
        "find themselves, or ranks are counted from 2. What shows you which of the two it is?",
        {
            "a": (
                "the first document of a few result lists",
                "If it is the query itself, drop it before you evaluate. If it is a relevant document, the "
                "counting is wrong.",
            ),
            "b": (
                "Recall@100, which only one of them lowers",
                "Neither changes it much: the relevant documents are still among the hundred. They are one "
                "place further down, or are counted as if they were.",
            ),
            "c": (
                "nDCG@10, which only one of them lowers",
                "It can fall with either: a relevant document earns less one rank further down, whether it "
                "really is there or is only counted so. A mean does not say why.",
            ),
            "d": (
                "the number of queries that were evaluated",
                "It reveals a wrong split. Here all queries can be evaluated, each of them one rank off.",
            ),
        },
        answer="a",
    ),
    Choice(
        "The vectors of a corpus are kept in a cache that recognises the corpus by a fingerprint and the "
        "model by its name. The model is trained again and keeps its name. If nothing else is checked, "
        "whose figures does the next evaluation print?",
        {
            "a": (
                "the new model's: its vectors have another fingerprint",
                "The fingerprint is that of the texts, which have not changed. Nothing in this cache "
                "depends on the new vectors.",
            ),
            "b": (
                "the old model's, as they were",
                "Only the documents come from the cache. The queries are encoded now, by the new model.",
            ),
            "c": (
                "neither's: the old model's documents meet the new model's queries",
                "And no error says so. It costs little to encode a few documents again and compare them "
                "with the stored rows, and that finds it.",
            ),
            "d": (
                "neither's: the two models differ in their number of dimensions, and the program stops",
                "A model that is trained again usually keeps its number of dimensions, and then nothing "
                "stops.",
            ),
        },
        answer="c",
    ),
    Numeric(
        'The last two collections of the benchmark, `benchmark["sizes"][-2:]`, have 1 and 8.8 million '
        "documents. By what factor does the time of a query grow from the first to the second for "
        '`"Measure First, compiled"`, with the 100 best kept? (`["systems"]`, then the name, then '
        '`["queries per second"]["100"]`.)',
        answer=6.8,
        decimals=1,
        praise="8.8 times the documents, 8.8 times the postings of a query, and 6.8 times the time: part of "
        "the cost does not grow with the collection.",
        wrong={
            8.8: "That is the growth of the documents, and of the postings that a query reads. Divide the "
            "times.",
            0.1: "You divided the queries per second as they are. More queries a second is less time for "
            "each, so the fraction is upside down.",
            4.4: "That is the factor from 100,000 documents to a million. Take the last two sizes.",
            36.4: "That is the factor for SciPy's path. Take the compiled one.",
            9.1: "That is the factor for the product with the whole matrix. Take the compiled path.",
        },
        otherwise="The time of a query is 1 divided by the queries per second. Divide the time at 8.8 "
        "million documents by the time at one million.",
    ),
    Numeric(
        "A collection consists of two forums. On forum A, with 100 queries, your nDCG@10 is 0.40; on forum "
        "B, with 900 queries, it is 0.20. The published figure for this collection was computed as for "
        "cqadupstack. Which figure of yours do you put beside it?",
        answer=0.30,
        decimals=2,
        praise="Each forum counts the same, however many queries it has: (0.40 + 0.20) / 2. The "
        "mean over queries is 0.22, which would make the system look worse than it is.",
        wrong={
            0.22: "That is the mean over all 1,000 queries, which forum B decides almost alone. For "
            "cqadupstack it is the mean of the forums.",
            0.38: "You weighted each forum by the other's queries. In the published figure the number of "
            "queries plays no part.",
            0.60: "That is the sum. Divide by the number of forums.",
        },
        otherwise="For cqadupstack the figure is the mean of the forums' figures, and the smallest forum "
        "counts as much as the largest.",
    ),
)
