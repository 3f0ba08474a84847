"""The questions at the end of lesson 04, second half."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Choice(
        "`bm25l` was made to lift long documents. On your collection it beats `lucene`, both at k₁ = 1.2 "
        "and b = 0.75. Before you credit the lifting, which run do you look at?",
        {
            "a": (
                "`bm25l` with a larger δ",
                "That moves it further away, and the question stays open: is it the formula, or a "
                "parameter that both have?",
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
                "What a floor does to common words disappears there. But neither of these two has a floor; "
                "their IDF is the same.",
            ),
        },
        answer="c",
    ),
    Choice(
        "Your first run on a BEIR dataset gives nDCG@10 = 0.83; the best paper has 0.71. Which count do "
        "you look at first?",
        {
            "a": (
                "results kept for each query, 100 or 1,000",
                "nDCG@10 looks at ten of them. More results change Recall@100 and MAP, and nothing at rank "
                "10.",
            ),
            "b": (
                "documents in the corpus, beside the paper's",
                "In a smaller haystack everybody finds the needle. If the numbers agree, ask next whether "
                "grades of 0 count as relevant: of the nine faults these two flatter.",
            ),
            "c": (
                "ids that run and judgments have in common",
                "Ids that do not match are never found. That makes a figure worse, down to a flat zero, "
                "and yours is too good.",
            ),
            "d": (
                "terms in the vocabulary, after stemming",
                "Another analyzer moves BM25 by a hundredth or two. Twelve hundredths above every paper "
                "need another explanation.",
            ),
        },
        answer="b",
    ),
    Choice(
        "A third of your reciprocal ranks are exactly one half, and none is 1. Either queries find "
        "themselves, or ranks are counted from 2. What tells the two apart?",
        {
            "a": (
                "the first document of a few result lists",
                "If it is the query itself, drop it before you evaluate. If it is a relevant document, the "
                "counting is wrong.",
            ),
            "b": (
                "Recall@100, which only one of them lowers",
                "Neither moves it much: the relevant documents are still among the hundred, one place "
                "further down or counted so.",
            ),
            "c": (
                "nDCG@10, which only one of them lowers",
                "It can fall with either: behind rank 1 a relevant document earns less, whether it is "
                "there or is only counted so. A mean does not say why.",
            ),
            "d": (
                "the number of queries that were evaluated",
                "It finds a wrong split. Here all queries can be there, and each is one rank off.",
            ),
        },
        answer="a",
    ),
    Choice(
        "The vectors of a corpus lie in a cache that knows the corpus by a fingerprint and the model by "
        "its name. The model is trained anew and keeps its name. If nobody looks further, whose figures "
        "does the next evaluation print?",
        {
            "a": (
                "the new model's: its vectors have another fingerprint",
                "The fingerprint is that of the texts, and they are the same. Nothing in this cache knows "
                "the new vectors.",
            ),
            "b": (
                "the old model's, as they were",
                "Only the documents come from the cache. The queries are encoded now, by the new model.",
            ),
            "c": (
                "nobody's: old documents meet new queries",
                "And no error says so. To encode a few documents again and compare them with the stored "
                "rows costs little, and finds it.",
            ),
            "d": (
                "nobody's: the two models' numbers of dimensions clash",
                "They would if they differed. A model that is trained anew mostly keeps its dimensions, "
                "and nothing clashes.",
            ),
        },
        answer="c",
    ),
    Numeric(
        'The last collection of the benchmark, `benchmark["sizes"][-1]`, has 8.8 million documents. How '
        "many microseconds does the memory need at least to hand over the postings of a query there, at 8 "
        "bytes a posting?",
        answer=87,
        decimals=0,
        praise="A ninefold collection has a ninefold floor. The compiled loop took 483 µs there, so it is "
        "other work that costs most of the time.",
        wrong={
            10: "That is the floor for one million documents. The postings of a term grow with the "
            "collection.",
            11: "You counted each posting as one byte; it has eight, four for the document and four for "
            "the weight.",
            483: "That is what the compiled loop took, one second divided by its queries a second. The "
            "floor asks for the reading alone.",
            80_510: "That is the time to read all postings. An index reads those of the query's own terms "
            "only.",
            11_538: "That is how many queries a second the memory would allow. The time of one query is "
            "its inverse.",
            0: "That may be right in seconds or in milliseconds. A microsecond is a millionth of a second.",
        },
        otherwise='8 times `"postings read a query"` of that size, divided by `benchmark["bytes a '
        'second"]`, gives seconds; times a million gives microseconds.',
    ),
    Numeric(
        "A collection consists of two forums. On forum A, with 100 queries, your nDCG@10 is 0.40, on forum "
        "B, with 900 queries, 0.20. Which figure for both do you put beside a published one, if it was "
        "made as for cqadupstack?",
        answer=0.30,
        decimals=2,
        praise="Each forum counts the same, however many queries it has: (0.40 + 0.20) / 2. The "
        "mean over queries is 0.22, and the system would look worse than it is.",
        wrong={
            0.22: "That is the mean over all 1,000 queries, where forum B decides nearly alone. For "
            "cqadupstack it is the mean of the forums.",
            0.38: "You weighted each forum by the other's queries. In the published figure the number of "
            "queries plays no part.",
            0.60: "That is the sum. Divide by the number of forums.",
        },
        otherwise="For cqadupstack the figure is the mean of the forums' figures, and the smallest forum "
        "counts as much as the largest.",
    ),
)
