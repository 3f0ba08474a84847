"""The questions at the end of lesson 04, second half."""

from helpers.exercises.questions import Choice, Numeric

QUESTIONS = (
    Choice(
        "On your collection `bm25l` beats `lucene`, both at k₁ = 1.2 and b = 0.75. Before you believe that long documents were "
        "treated unfairly, which run do you look at?",
        {
            "a": (
                "`bm25l` with a larger δ",
                "That moves it further away, and the question stays open: is it the formula, or a parameter that both have?",
            ),
            "b": (
                "`lucene` with b = 0",
                "That takes the length out of `lucene` altogether. It tells you whether length matters, not what `bm25l` does about it.",
            ),
            "c": (
                "`lucene` with k₁ = 1.7",
                "As computed here, `bm25l` is `lucene` with k₁ larger by 0.5, up to a constant. If the two runs agree, you have tuned "
                "k₁.",
            ),
            "d": (
                "both, without stopwords",
                "What a floor does to common words disappears there. But neither of these two has a floor; their IDF is the same.",
            ),
        },
        answer="c",
    ),
    Choice(
        "Your first run on a BEIR dataset gives nDCG@10 = 0.83; the best paper has 0.71. Which count do you look at first?",
        {
            "a": (
                "results kept for each query, 100 or 1,000",
                "nDCG@10 looks at ten of them. More results change Recall@100 and MAP, and nothing at rank 10.",
            ),
            "b": (
                "documents in the corpus, beside the paper's",
                "In a smaller haystack everybody finds the needle. If the numbers agree, ask next whether grades of 0 count as relevant: "
                "these two faults flatter.",
            ),
            "c": (
                "ids that run and judgments have in common",
                "Ids that do not match are never found. That makes a figure worse, down to a flat zero, and yours is too good.",
            ),
            "d": (
                "terms in the vocabulary, after stemming",
                "Another analyzer moves BM25 by a hundredth or two. Twelve hundredths above every paper need another explanation.",
            ),
        },
        answer="b",
    ),
    Choice(
        "A third of your reciprocal ranks are exactly one half, and hardly any is 1. Either queries find themselves, or ranks are "
        "counted from 2. What tells the two apart?",
        {
            "a": (
                "the first document of a few result lists",
                "If it is the query itself, drop it before you evaluate. If it is a relevant document, the counting is wrong.",
            ),
            "b": (
                "Recall@100, which only one of them lowers",
                "Neither moves it much: the relevant documents are still among the hundred, one place further down or counted so.",
            ),
            "c": (
                "nDCG@10, which only one of them lowers",
                "It can fall with either: behind rank 1 a relevant document earns less, whether it stands there or is only counted so. "
                "A mean does not say why.",
            ),
            "d": (
                "the number of queries that were evaluated",
                "It finds a wrong split. Here all queries can be there, and each is one rank off.",
            ),
        },
        answer="a",
    ),
    Numeric(
        "Fault 6 took every judged page for a relevant one. What is Judged@10 of the same run, `runbook_run`, by the runbooks' own "
        "judgments? The table there says it already, under another name.",
        answer=0.990,
        decimals=3,
        praise="P@10 counts relevant pages among ten. Where all judged pages pass for relevant it counts judged ones, so it is Judged@10. "
        "The fault measured how thoroughly the pool was judged.",
        wrong={
            0.297: "That is P@10 with the grades as given: the share of relevant pages. Judged pages include those that were judged not "
            "relevant.",
            0.993: "That is nDCG@10, which pays by rank. Judged@10 is a share: how many of ten have any grade.",
            0.282: "That is Recall@10, whose denominator is all pages that count as relevant. Judged@10 divides by ten.",
            0.140: "That is the share of relevant among judged pages. Judged@10 asks how many of the ten results have any grade.",
        },
        otherwise="Judged@10 is the share of the first ten results that have a grade, 0 included. Which column of the table treats "
        "every page with a grade alike, and which row is a share of ten?",
    ),
    Choice(
        "The vectors of a corpus lie in a cache that knows the corpus by a fingerprint and the model by its name. The model is trained "
        "anew and keeps its name. If nobody looks further, whose figures does the next evaluation print?",
        {
            "a": (
                "the new model's: its vectors have another fingerprint",
                "The fingerprint is that of the texts, and they are the same. Nothing in this cache knows the new vectors.",
            ),
            "b": (
                "the old model's, as they were",
                "Only the documents come from the cache. The queries are encoded now, by the new model.",
            ),
            "c": (
                "nobody's: the two models' numbers of dimensions clash",
                "They would if they differed. A model that is trained anew mostly keeps its dimensions, and nothing clashes.",
            ),
            "d": (
                "nobody's: old documents meet new queries",
                "And no error says so. To encode a few documents again and compare them with the stored rows costs little, and finds "
                "it.",
            ),
        },
        answer="d",
    ),
    Numeric(
        "An index holds 50 million postings of 8 bytes. A query reads 80,000 of them, and the memory hands over 20 GB a second "
        "(1 GB = 10⁹ bytes). How many microseconds does a query take at least?",
        answer=32,
        decimals=0,
        praise="640,000 bytes at 20,000 bytes a microsecond: 32 µs, or some 31,000 queries a second, if nothing but reading took time and "
        "no posting was in the processor's own memory already.",
        wrong={
            4: "You counted each posting as one byte; it has eight.",
            20_000: "That is the time to read all 50 million. An index reads the postings of the query's own terms only.",
            31_250: "That is how many queries a second are possible. The time of one is its inverse.",
            256: "You counted bits. The memory's 20 GB a second are bytes, like the 8 of a posting.",
            0: "That is about right in milliseconds or seconds. A microsecond is a millionth of a second.",
        },
        otherwise="Bytes that a query reads, divided by bytes a second, gives seconds; times a million gives microseconds.",
    ),
)
