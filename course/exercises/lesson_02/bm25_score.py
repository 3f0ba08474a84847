"""Exercise: the BM25 score of one document."""

from itertools import takewhile
from math import log
from statistics import fmean

from course.exercises.cases import Case
from course.exercises.exercise import Exercise
from course.exercises.lesson_02.idf import idf


def bm25_score(query, document, documents, k1, b):
    avgdl = sum(len(other) for other in documents) / len(documents)
    norm = 1 - b + b * len(document) / avgdl
    score = 0.0
    for term in query:
        tf = document.count(term)
        score += idf(term, documents) * tf * (k1 + 1) / (tf + k1 * norm)
    return score


PAIR, TWICE, EVERY = (
    [["cat", "sat"], ["dog", "ran"]],
    [["cat", "cat"], ["dog", "ran"]],
    [["a", "b"], ["a", "c"], ["a", "d"]],
)
LONG, TICKS = (
    [["cat", "sat", "on", "a", "mat"], ["dog"], ["hen"], ["cow"]],
    [["tick", "tick", "tick", "tock"], ["tock", "tock"]],
)
MANY = [["cat", "dog", "cat", "mat", "cat"], ["dog"], ["hen", "cat", "dog"], ["mat", "mat"], ["cow"]]
ERRORS = [["cfg", "2001", "flags", "cfg"], ["cfg", "old"], ["flags", "min", "min"], ["min"]]

BM25_SCORE = Exercise(
    name="BM25_SCORE",
    task="""\
Write `bm25_score(query, document, documents, k1, b)`: one document's score for one query.

```
>>> documents = [["cat", "cat"], ["dog", "ran"]]
>>> round(bm25_score(["cat"], documents[0], documents, 1.5, 0.75), 4)        # ln 2 · 2 · 2.5 / 3.5
0.9902
```

`query` and `document` are lists of words, and `documents` is the list of all documents, none of them empty; \
k1 is above 0. **Convention**: add up idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · dl / avgdl)) over the \
words of the query; a word that the query has twice is added twice. idf is your `idf(term, documents)`, tf \
is how often the document has the word, dl is the document's length in words (repeats counted), and avgdl \
is the mean length. An empty query gets 0.""",
    reference=bm25_score,
    cases=(
        Case(
            (["cat"], ["cat", "sat"], PAIR, 1.5, 0.75),
            "at mean length, a word that occurs once counts its idf: ln 2",
        ),
        Case(
            (["cat"], TWICE[0], TWICE, 1.5, 0.75),
            "tf is 2 and dl is 2, the mean length: ln 2 · 2 · 2.5 / 3.5",
        ),
        Case(
            (["cat"], LONG[0], LONG, 1.5, 0.75),
            "in a chunk longer than most, the word is there more easily, and counts less",
        ),
        Case((["dog"], ["dog"], LONG, 1.5, 0.75), "in a chunk shorter than most, the word counts more"),
        Case(
            (["tick"], TICKS[0], TICKS, 1.5, 0.75),
            "a length is a number of words, repeats counted: 4, at a mean of 3",
        ),
        Case((["cat"], LONG[0], LONG, 1.2, 0), "with b = 0 the length does not matter"),
        Case(
            (["cat"], LONG[0], LONG, 0.9, 1), "with b = 1 the length matters fully: 5 words, at a mean of 2"
        ),
        Case(
            (["dog", "cat", "cow", "cat"], MANY[0], MANY, 1.2, 0.6),
            "three words, each with another tf: `cow` adds nothing, and `cat` counts twice",
        ),
        Case(
            (["cat", "cat"], ["cat", "sat"], PAIR, 1.5, 0.75), "a word that the query has twice counts twice"
        ),
        Case(
            (["cat", "dog", "sat"], ["cat", "sat"], PAIR, 1.5, 0.75),
            "a word that the document lacks adds nothing, and those after it still count",
        ),
        Case(
            (["zebra"], ["cat", "sat"], PAIR, 1.5, 0.75),
            "a word that no document has adds nothing, and is no error",
        ),
        Case(([], ["cat", "sat"], PAIR, 1.5, 0.75), "nothing was asked for"),
        Case((["a"], EVERY[0], EVERY, 1.5, 0.75), "a word in every document still adds a little"),
        Case(
            (["cfg", "2001", "min"], ERRORS[0], ERRORS, 1.5, 0.75),
            "a score is a sum with one number for each word",
        ),
        Case(
            (["cat"], ["category"], [["category"], ["dog"]], 1.5, 0.75),
            "a word is a whole word: there is no cat in category",
        ),
    ),
    hints=(
        "Add up one number for each word of the query. The mean length and the part with b do not "
        "depend on the word, so compute them once, before the loop.",
        "avgdl is the sum of all lengths divided by the number of documents; norm is 1 - b + b * "
        "len(document) / avgdl. tf is document.count(term), and idf(term, documents) is the function you "
        "have.",
        "Start with score = 0.0; for term in query: tf = document.count(term), then add idf(term, "
        "documents) * tf * (k1 + 1) / (tf + k1 * norm). Return the score after the loop.",
    ),
)


def _avgdl(documents):
    return fmean(len(other) for other in documents)


def _with_norm(norm, query, document, documents, k1):
    counts = [(term, document.count(term)) for term in query]
    return sum(idf(term, documents) * tf * (k1 + 1) / (tf + k1 * norm) for term, tf in counts)


@BM25_SCORE.mistake("k1 + 1 missing")
def without_factor(query, document, documents, k1, b):
    """You leave out k1 + 1. That is a variant, not an error: Lucene since version 8 and lesson 04 do the
    same. The factor is the same for all words and chunks, and changes no ranking. But this check compares
    scores, and expects those of section 5's formula, which textbooks and rank_bm25 use."""
    return bm25_score(query, document, documents, k1, b) / (k1 + 1)


@BM25_SCORE.mistake("stops at a word that is missing")
def until_missing(query, document, documents, k1, b):
    """You stop at the first word that the document lacks, and the words after it are lost. Such a word adds
    nothing: go on with the next one, with continue and not with break."""
    found = list(takewhile(document.__contains__, query))
    return bm25_score(found, document, documents, k1, b)


@BM25_SCORE.mistake("length ratio upside down")
def ratio_upside_down(query, document, documents, k1, b):
    """You divide the mean length by the chunk's own. Then long chunks are favoured, and more so the longer
    they are. In a long chunk a word is there more easily, so it should count less: dl / avgdl."""
    return _with_norm(1 - b + b * _avgdl(documents) / len(document), query, document, documents, k1)


@BM25_SCORE.mistake("no length normalisation")
def no_length(query, document, documents, k1, b):
    """You leave the length out, so b changes nothing. A word in a chunk of ten words then says no more than
    in one of a thousand, and long chunks win by having more words in them."""
    return _with_norm(1, query, document, documents, k1)


@BM25_SCORE.mistake("length ratio left out")
def ratio_left_out(query, document, documents, k1, b):
    """You keep 1 - b and leave out what it makes room for: b * dl / avgdl. So every chunk is scored as if it
    had no words at all."""
    return _with_norm(1 - b, query, document, documents, k1)


@BM25_SCORE.mistake("length not divided by the mean")
def length_not_relative(query, document, documents, k1, b):
    """You put the length itself into the norm. BM25 asks whether a chunk is longer than the others, not how
    long it is: dl / avgdl is 1 for a chunk of mean length, whatever the unit."""
    return _with_norm(1 - b + b * len(document), query, document, documents, k1)


@BM25_SCORE.mistake("avgdl over distinct words")
def avgdl_of_distinct_words(query, document, documents, k1, b):
    """Your mean length counts each word of a document once, while dl counts repeats. The mean comes out too
    small, and nearly every chunk looks longer than the mean."""
    return _with_norm(1 - b + b * len(document) / _avgdl(map(set, documents)), query, document, documents, k1)


@BM25_SCORE.mistake("lengths in distinct words")
def lengths_in_distinct_words(query, document, documents, k1, b):
    """You measure lengths in distinct words. Then a chunk that repeats one word a hundred times counts as
    short, and is not held back for its length. dl and avgdl count every word."""
    norm = 1 - b + b * len(set(document)) / _avgdl(map(set, documents))
    return _with_norm(norm, query, document, documents, k1)


@BM25_SCORE.mistake("dl in distinct words")
def dl_in_distinct_words(query, document, documents, k1, b):
    """Your dl counts each word of the chunk once, while the mean length counts repeats. A chunk that repeats
    one word a hundred times then passes for a short one. dl counts every word: len(document)."""
    return _with_norm(1 - b + b * len(set(document)) / _avgdl(documents), query, document, documents, k1)


@BM25_SCORE.mistake("avgdl divided by the vocabulary")
def avgdl_by_vocabulary(query, document, documents, k1, b):
    """You divide the number of words by the number of distinct words: how often a word is used on average.
    avgdl is the mean length of a document: divide by the number of documents."""
    avgdl = sum(len(other) for other in documents) / len({word for other in documents for word in other})
    return _with_norm(1 - b + b * len(document) / avgdl, query, document, documents, k1)


@BM25_SCORE.mistake("repeated query term counted once")
def query_as_a_set(query, document, documents, k1, b):
    """You take the query as a set, so a word that it has twice counts once. In this form (Lucene's and
    rank_bm25's; Okapi's k₃ is left out) it counts as often as the query has it."""
    return bm25_score(sorted(set(query)), document, documents, k1, b)


@BM25_SCORE.mistake("return inside the loop")
def only_the_first_word(query, document, documents, k1, b):
    """Your score is that of the first word, so `return` is probably inside the loop. A score is the sum
    over all words of the query: return it after the loop."""
    return bm25_score(query[:1], document, documents, k1, b) if query else None


@BM25_SCORE.mistake("k1 and b ignored")
def defaults(query, document, documents, k1, b):
    """You compute with k1 = 1.5 and b = 0.75, whatever was given. Those are the defaults of rank_bm25, not
    constants of BM25; Lucene's are 1.2 and 0.75. Use the arguments."""
    return bm25_score(query, document, documents, 1.5, 0.75)


@BM25_SCORE.mistake("brackets around the denominator missing")
def brackets(query, document, documents, k1, b):
    """Your division ends at tf, and k1 times the length part is added to the score; for a word that the chunk
    lacks you divide by 0. Put brackets around the whole denominator: tf + k1 * norm."""
    norm = 1 - b + b * len(document) / _avgdl(documents)
    counts = [(term, document.count(term)) for term in query]
    return sum(idf(term, documents) * tf * (k1 + 1) / tf + k1 * norm for term, tf in counts)


@BM25_SCORE.mistake("brackets of the length part missing")
def brackets_of_the_length(query, document, documents, k1, b):
    """You lost the brackets after k1: k1 * 1 - b + b * dl / avgdl multiplies only the 1. The whole length
    part is multiplied: k1 * (1 - b + b * dl / avgdl)."""
    lengths = b * len(document) / _avgdl(documents)
    counts = [(term, document.count(term)) for term in query]
    return sum(idf(term, documents) * tf * (k1 + 1) / (tf + k1 - b + lengths) for term, tf in counts)


@BM25_SCORE.mistake("k1 not on the length")
def k1_left_of_the_sum(query, document, documents, k1, b):
    """You multiply only 1 - b by k1. All of the length part is multiplied by k1, so k1 is before
    the bracket: k1 * (1 - b + b * dl / avgdl)."""
    counts = [(term, document.count(term)) for term in query]
    lengths = b * len(document) / _avgdl(documents)
    return sum(idf(term, documents) * tf * (k1 + 1) / (tf + k1 * (1 - b) + lengths) for term, tf in counts)


@BM25_SCORE.mistake("part of a word")
def part_of_a_word(query, document, documents, k1, b):
    """You count letters in a text, so cat is found in category. A document is a list of words here, and
    `document.count(term)` counts whole ones."""
    norm, letters = 1 - b + b * len(document) / _avgdl(documents), " ".join(document)
    counts = [(term, letters.count(term)) for term in query]
    return sum(idf(term, documents) * tf * (k1 + 1) / (tf + k1 * norm) for term, tf in counts)


@BM25_SCORE.mistake("tf as yes or no")
def yes_or_no(query, document, documents, k1, b):
    """You ask whether the word is in the document, not how often. The second occurrence says less than the
    first, but it does say something: tf is document.count(term)."""
    norm = 1 - b + b * len(document) / _avgdl(documents)
    return sum(idf(term, documents) * (k1 + 1) / (1 + k1 * norm) for term in query if term in document)


@BM25_SCORE.mistake("tf not saturated")
def not_saturated(query, document, documents, k1, b):
    """You multiply idf by tf itself. Then a page that says one word fifty times beats a page which has all
    words of the query. The fraction with k1 is there to let each further occurrence say less."""
    return sum(idf(term, documents) * document.count(term) for term in query)


@BM25_SCORE.mistake("no idf")
def all_words_alike(query, document, documents, k1, b):
    """You leave the idf out, so every word counts the same, and `than` weighs as much as an error code.
    Multiply each word's part by idf(term, documents)."""
    return sum(bm25_score([term], document, documents, k1, b) / idf(term, documents) for term in query)


@BM25_SCORE.mistake("idf without 1 +")
def idf_of_section_5(query, document, documents, k1, b):
    """Your idf is that of section 5, without 1 +. A word in more than half of the documents then lowers the
    score. Call the idf of the exercise before, which is Lucene's."""
    score = 0.0
    for term in query:
        df = sum(term in other for other in documents)
        own = log((len(documents) - df + 0.5) / (df + 0.5)) / idf(term, documents)
        score += own * bm25_score([term], document, documents, k1, b)
    return score


@BM25_SCORE.mistake("relative frequency")
def relative_frequency(query, document, documents, k1, b):
    """You divide tf by the length of the document. BM25 takes the plain count, and the length comes in
    only through dl / avgdl; with both it counts twice."""
    norm, dl = 1 - b + b * len(document) / _avgdl(documents), len(document)
    counts = [(term, document.count(term) / dl) for term in query]
    return sum(idf(term, documents) * tf * (k1 + 1) / (tf + k1 * norm) for term, tf in counts)


@BM25_SCORE.mistake("all words required")
def all_words_required(query, document, documents, k1, b):
    """You give 0 as soon as one word of the query is not in the document. BM25 adds up what is there: a page
    with four of five words is still a good one."""
    return bm25_score(query, document, documents, k1, b) if set(query) <= set(document) else 0.0


@BM25_SCORE.mistake("the best word alone")
def best_word_alone(query, document, documents, k1, b):
    """You keep only the best word's part. A score is the sum over all words of the query."""
    return max((bm25_score([term], document, documents, k1, b) for term in query), default=0)


@BM25_SCORE.mistake("divided by the words of the query")
def mean_over_the_query(query, document, documents, k1, b):
    """You divide by the number of words in the query. That changes no ranking, but the formula's score is
    the plain sum."""
    return bm25_score(query, document, documents, k1, b) / max(len(query), 1)


@BM25_SCORE.mistake("b and 1 - b exchanged")
def b_exchanged(query, document, documents, k1, b):
    """You exchange b and 1 - b. With b = 0 the length should not matter, but in yours it matters fully. The
    length part is 1 - b + b * dl / avgdl."""
    return bm25_score(query, document, documents, k1, 1 - b)


@BM25_SCORE.mistake("k1 and b exchanged")
def k1_and_b_exchanged(query, document, documents, k1, b):
    """You exchange k1 and b. k1 says how soon further occurrences stop counting, b how much the length
    matters: tf + k1 * (1 - b + b * dl / avgdl)."""
    return bm25_score(query, document, documents, b, k1)


@BM25_SCORE.mistake("avgdl with the document itself left out")
def avgdl_of_the_others(query, document, documents, k1, b):
    """You leave the document itself out of the mean length. avgdl is the mean over all documents,
    including this one."""
    others = [other for other in documents if other != document] or documents
    return _with_norm(1 - b + b * len(document) / _avgdl(others), query, document, documents, k1)


@BM25_SCORE.mistake("the number of occurrences in all documents")
def tf_of_the_collection(query, document, documents, k1, b):
    """You count the word in all documents. tf is its count in this document only; otherwise every document
    would get the same tf."""
    norm = 1 - b + b * len(document) / _avgdl(documents)
    counts = [(term, sum(other.count(term) for other in documents)) for term in query]
    return sum(idf(term, documents) * tf * (k1 + 1) / (tf + k1 * norm) for term, tf in counts)


@BM25_SCORE.mistake("1 for 1 - b")
def one_for_one_minus_b(query, document, documents, k1, b):
    """You take 1 + b · dl / avgdl for the length. It is 1 − b + b · dl / avgdl: a document of average length
    comes out at 1."""
    return _with_norm(1 + b * len(document) / _avgdl(documents), query, document, documents, k1)


@BM25_SCORE.mistake("avgdl of the vocabulary of all")
def avgdl_of_the_vocabulary(query, document, documents, k1, b):
    """Your average length is the number of different words of all documents, divided by the number of
    documents. Add up the lengths: each document's words, repeats and all."""
    mean = len({word for other in documents for word in other}) / len(documents)
    return _with_norm(1 - b + b * len(document) / mean, query, document, documents, k1)


@BM25_SCORE.mistake("avgdl not divided")
def avgdl_not_divided(query, document, documents, k1, b):
    """Your avgdl is the length of all documents together. Divide it by how many there are."""
    total = sum(len(other) for other in documents)
    return _with_norm(1 - b + b * len(document) / total, query, document, documents, k1)


@BM25_SCORE.mistake("the query's length")
def length_of_the_query(query, document, documents, k1, b):
    """You compare the length of the query with avgdl. Compare the document's length, dl."""
    return _with_norm(1 - b + b * len(query) / _avgdl(documents), query, document, documents, k1)


@BM25_SCORE.mistake("brackets around k1 + 1 missing")
def brackets_of_the_factor(query, document, documents, k1, b):
    """You lost the brackets around k1 + 1: in tf * k1 + 1 only k1 is multiplied, so a word that the document
    lacks adds something too. Write tf * (k1 + 1)."""
    avgdl = sum(len(other) for other in documents) / len(documents)
    norm = 1 - b + b * len(document) / avgdl
    score = 0.0
    for term in query:
        tf = document.count(term)
        score += idf(term, documents) * (tf * k1 + 1) / (tf + k1 * norm)
    return score


@BM25_SCORE.mistake("idf squared")
def idf_squared(query, document, documents, k1, b):
    """You multiply by idf twice. The cosine of TF-IDF vectors does so, once for the query and once for the
    document; in BM25 each word has its idf once."""
    return sum(idf(term, documents) * bm25_score([term], document, documents, k1, b) for term in query)


@BM25_SCORE.mistake("repeated query term counted too often")
def repeats_squared(query, document, documents, k1, b):
    """A word that the query has twice counts four times. It should count as often as the query has it: go
    through the query's repeats, or multiply by how many there are, but not both."""
    return sum(query.count(term) * bm25_score([term], document, documents, k1, b) for term in query)


@BM25_SCORE.mistake("1 - b left out")
def one_minus_b_left_out(query, document, documents, k1, b):
    """Your length part is b · dl / avgdl. The 1 − b is missing: 1 − b + b · dl / avgdl is 1 for a
    document of mean length, and for every document if b = 0."""
    return _with_norm(b * len(document) / _avgdl(documents), query, document, documents, k1)


@BM25_SCORE.mistake("b left out")
def b_left_out(query, document, documents, k1, b):
    """Your length part is 1 − b + dl / avgdl. The ratio is multiplied by b."""
    return _with_norm(1 - b + len(document) / _avgdl(documents), query, document, documents, k1)


@BM25_SCORE.mistake("k1 left out of the denominator")
def k1_left_out(query, document, documents, k1, b):
    """Your denominator is tf and the length part, without k1. It is tf + k1 · (1 − b + b · dl / avgdl)."""
    counts = [(term, document.count(term)) for term in query]
    norm = 1 - b + b * len(document) / _avgdl(documents)
    return sum(idf(term, documents) * tf * (k1 + 1) / (tf + norm) for term, tf in counts)


@BM25_SCORE.mistake("avgdl made a whole number")
def avgdl_made_whole(query, document, documents, k1, b):
    """Your mean length is a whole number. Lengths are whole numbers, but their mean may be 2.5: divide with
    `/`, and do not round."""
    return _with_norm(1 - b + b * len(document) / int(_avgdl(documents)), query, document, documents, k1)


@BM25_SCORE.mistake("the longest document for avgdl")
def longest_for_avgdl(query, document, documents, k1, b):
    """You compare with the longest document. avgdl is the mean of all lengths: a document of mean length is
    neither favoured nor held back."""
    longest = max(len(other) for other in documents)
    return _with_norm(1 - b + b * len(document) / longest, query, document, documents, k1)


@BM25_SCORE.mistake("lengths in letters")
def lengths_in_letters(query, document, documents, k1, b):
    """You measure lengths in letters. dl and avgdl count words: a document with long words is not longer than
    others."""
    ratio = len("".join(document)) / fmean(len("".join(other)) for other in documents)
    return _with_norm(1 - b + b * ratio, query, document, documents, k1)


@BM25_SCORE.mistake("the logarithm of tf")
def logarithm_of_tf(query, document, documents, k1, b):
    """You multiply idf by ln(1 + tf). That grows more slowly than tf, but has no limit, and knows neither k1
    nor the length. BM25 has the fraction tf · (k1 + 1) / (tf + k1 · …)."""
    return sum(idf(term, documents) * log(1 + document.count(term)) for term in query)
