"""The questions at the end of the first half of lesson 08."""

from course.exercises.questions import Choice, Numeric

QUESTIONS = (
    Choice(
        "You encode a query alone, and again in a batch with a long page. The two vectors have a cosine of "
        "0.85. In the mean, which tokens do you look at?",
        {
            "a": (
                "the query's first and last: [CLS] and [SEP] were left out of one of them",
                "They are the same in both batches. What the second batch has more of stands behind them.",
            ),
            "b": (
                "those of the page: attention reads across the texts of a batch",
                "Each text attends to itself. A batch is many texts computed side by side, and none of them "
                "sees another.",
            ),
            "c": (
                "padding: it fills the query up to the page's length, and no mask leaves it out",
                "Alone there is nothing to fill. That two batches give two vectors is the symptom, and a "
                "test of two lines.",
            ),
            "d": (
                "none: in 32 bits two batches never give the same vector",
                "They differ in the seventh digit. A cosine of 0.85 is not rounding.",
            ),
        },
        answer="c",
    ),
    Numeric(
        "A query has the vector (3, 4), a document (8, 6). What is the cosine? (No computer needed.)",
        answer=0.96,
        decimals=2,
        praise="48, divided by 5 and by 10. The document is twice as long as (4, 3) and scores the same.",
        wrong={
            48.0: "That is the inner product, which a longer document would raise. Divide it by both "
            "lengths.",
            9.6: "That is divided by the query's length, 5. The document's, 10, is still in it.",
            4.8: "That is divided by the document's length, 10. The query's, 5, is still in it.",
            0.02: "You divided by the squares, 25 and 100. The lengths are their roots.",
            0.04: "That is 1 minus the cosine: a distance.",
            16.26: "That is the angle, in degrees. Its cosine is asked for.",
            5.39: "That is the distance between the two points.",
        },
        otherwise="Multiply number by number and add: 24 and 24. Then divide by the length of each vector, "
        "the root of its sum of squares.",
    ),
    Choice(
        "Your pages have 2,000 word pieces, the model reads 256. You encode whole pages; nDCG@10 is 0.08 "
        "below BM25's. What do you report?",
        {
            "a": (
                "the model is worse than BM25 on these pages",
                "Of each page it has seen an eighth, and BM25 all of it. Perhaps it is worse; this does not "
                "show it.",
            ),
            "b": (
                "nothing yet: first cut the pages, and let the best chunk speak for each",
                "Nobody who uses the model would encode whole pages. Compare BM25 with the model as it would "
                "be used, and say how pages were cut.",
            ),
            "c": (
                "the model with max_tokens=2000 in place of 256, which costs only time",
                "BERT has vectors for 512 positions and no more, and this model was trained on 256 at most. "
                "It raises, or is another model.",
            ),
            "d": (
                "both on pages cut at 256, so that they read the same",
                "Then BM25 is crippled as well. A fair comparison gives each its best form, not the same "
                "handicap.",
            ),
        },
        answer="b",
    ),
    Choice(
        "On 300 queries a dense model has 0.645 and BM25 0.679. The difference is −0.034, its interval "
        "−0.071 to +0.003, p = 0.07. Which sentence may stand in the report?",
        {
            "a": (
                "the two are equally good, since p is above 0.05",
                "Not shown to be different is not shown to be equal. A loss of 0.07 is as well inside the "
                "interval as no difference.",
            ),
            "b": (
                "BM25 is better by 0.034",
                "These queries say so on average, but other queries of the kind might not: 0 is inside the "
                "interval.",
            ),
            "c": (
                "the dense model could be better by 0.05 with other queries of this kind",
                "The interval ends at +0.003. That much is what it does rule out.",
            ),
            "d": (
                "a gain worth having is ruled out; whether it is a loss is open",
                "Read an interval from both ends: above +0.003 hardly, below −0.071 hardly. For a change "
                "that costs money the first is what counts.",
            ),
        },
        answer="d",
    ),
    Choice(
        "A colleague multiplies SPLADE's query weights by the collection's IDF. nDCG@10 rises by 0.0015, "
        "interval −0.016 to +0.019. What do you say?",
        {
            "a": (
                "IDF belongs there after all: the number went up",
                "By a tenth of what the interval leaves open on either side. Over other queries it would go "
                "down as often.",
            ),
            "b": (
                "leave it out: the model has learned what a word is worth, and this shows no more",
                "Weights are to be applied once. For queries without a model, plain pieces, IDF was worth "
                "0.036, with 0 well outside of the interval.",
            ),
            "c": (
                "it is a fault, for it ruins every learned model",
                "It may, with another model or collection; here it did not. Whoever says that it always "
                "does has not measured.",
            ),
            "d": (
                "take the square root of IDF, which is in between",
                "That is one more variant, looked for on the test queries. What would decide between them?",
            ),
        },
        answer="b",
    ),
    Numeric(
        "8.8 million passages, 384 numbers each, two bytes a number: how many gigabytes (10⁹ bytes) must "
        "be held to search exactly?",
        answer=6.8,
        decimals=1,
        praise="8.8 million times 768 bytes. Each query then reads all of it, where BM25 reads the lists "
        "of its own words. That is what an approximate index is for.",
        wrong={
            13.5: "That is four bytes a number. These are stored in two.",
            3.4: "That is one byte a number: another precision, and other vectors.",
            27.0: "That is eight bytes a number, as our search computes; two are stored.",
            6758.4: "That is in megabytes.",
            0.8: "You count bits as bytes somewhere: two bytes are sixteen bits.",
            6.3: "You divided by 2³⁰, the binary gigabyte. Asked is 10⁹.",
        },
        otherwise="Multiply the three: 8.8 million × 384 × 2 bytes, then divide by a billion.",
    ),
    Choice(
        "A new model leads BM25 by 0.06 on a public collection, p < 0.001. Its card says: trained on the "
        "collection's training queries, among others. What does the figure say about your documents?",
        {
            "a": (
                "as much as any: training and test queries are different queries",
                "They are of one kind, with one set of documents and one habit of labelling. The model has "
                "learned all three; BM25 has not, and on your documents neither will have.",
            ),
            "b": (
                "nothing at all: such a model must not be used",
                "It may be good. The figure is not evidence of it; your own queries would be.",
            ),
            "c": (
                "the lead holds, at a smaller size: discount it by half",
                "By which rule half? Nobody knows the share that was training. Measure where it has not "
                "trained.",
            ),
            "d": (
                "little: it shows what training on the collection is worth, and BM25 had none",
                "To compare, tune BM25 on the same training queries, or take documents and queries that no "
                "card names. Best are your own.",
            ),
        },
        answer="d",
    ),
)
