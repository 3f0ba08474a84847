"""Exercise: the weight of a rare word."""

from math import log, log2, log10

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def idf(term, documents):
    df = sum(term in document for document in documents)
    return log(1 + (len(documents) - df + 0.5) / (df + 0.5))


IDF = Exercise(
    name="IDF",
    task="""\
Write `idf(term, documents)`: the weight of a word, its inverse document frequency.

```
>>> round(idf("cat", [["cat", "cat"], ["dog"], ["cow"]]), 4)        # ln(1 + 2.5 / 1.5)
0.9808
```

`documents` is a list of lists of words, one for each chunk of the index. **Convention** (Lucene): ln(1 + (N \
− df + 0.5) / (df + 0.5)), the formula of section 5 with `1 +` before the fraction, so that no word gets a \
negative weight. N is the number of documents, df the number of those that contain the word, once or more; \
ln is `log` in Python. A word that no document contains gets the formula's value for df = 0.""",
    reference=idf,
    cases=(
        Case(("cat", [["cat"], ["dog"], ["cow"]]), "one document of three: ln(1 + 2.5 / 1.5), about 0.981"),
        Case(
            ("cat", [["cat", "cat"], ["dog"], ["cow"]]),
            "a document that has the word twice is still one document",
        ),
        Case(
            ("the", [["the"], ["the"], ["cow"]]),
            "a word in more than half of the documents still weighs a little",
        ),
        Case(("the", [["the"], ["the"], ["the"]]), "even a word in every document counts above zero"),
        Case(
            ("zebra", [["cat"], ["dog"], ["cow"]]), "df = 0 gives the largest weight there is, and no error"
        ),
        Case(("cat", [["cat"], ["category"], ["cow"]]), "`category` is another word"),
        Case(
            ("cat", [["cat", "cat"], ["dog"], [], ["dog", "cat", "cat"], ["dog"], ["category"], ["cat"]]),
            "three documents of seven, one of which is empty: ln(1 + 4.5 / 3.5)",
        ),
        Case(
            ("cat", [["the", "cat", "sat"], ["the", "dog"], ["a", "cow"]]),
            "N counts documents, however many words they have",
        ),
        Case(
            ("dog", [["dog", "dog", "dog"], ["dog", "cat"], ["cat", "dog", "dog"], ["cow"]]),
            "three documents of four, not six",
        ),
        Case(("cat", [["cat"], [], ["dog"]]), "a document without words is a document: N is 3"),
        Case(("cat", [["cat"]]), "an index of one document: ln(1 + 0.5 / 1.5)"),
        Case(
            ("2001", [["cfg", "2001"], ["cfg"], ["cfg"], ["cfg"], ["cfg"], ["cfg"]]),
            "a rare word weighs the most",
        ),
        Case(
            ("cfg", [["cfg", "2001"], ["cfg"], ["cfg"], ["cfg"], ["cfg"], ["cfg"]]),
            "a frequent word weighs the least",
        ),
    ),
    hints=(
        "Only two numbers are needed: how many documents there are, and in how many of them the word "
        "occurs at least once.",
        "`term in document` is True where a list holds the word, and True counts as 1 in a sum. Do not use "
        "count: that is how often.",
        "df = sum(term in document for document in documents); then log(1 + (N - df + 0.5) / (df + 0.5)) "
        "with N = len(documents).",
    ),
)


def _df(term, documents):
    return sum(term in document for document in documents)


def _odds(df, n):
    return (n - df + 0.5) / (df + 0.5)


def _idf(term, documents, df=_df, n=len, odds=_odds, weight=lambda odds: log(1 + odds)):
    """The reference with one part exchanged."""
    return weight(odds(df(term, documents), n(documents)))


def _of_all_words(term, documents):
    return sum(document.count(term) for document in documents)


def _n_words(documents):
    return sum(len(document) for document in documents)


@IDF.mistake("no 1 +")
def no_one_plus(term, documents):
    """Without 1 + a word in more than half of the documents gets a negative weight: finding what was asked
    for would lower a score. Lucene adds 1 before it takes the logarithm."""
    return _idf(term, documents, weight=log)


@IDF.mistake("negative values cut to zero")
def cut_at_zero(term, documents):
    """You cut negative values off at zero. Then all words in more than half of the documents weigh
    nothing, and a query of such words finds nothing. The 1 + of Lucene keeps them apart: small weights,
    but in order."""
    return _idf(term, documents, weight=lambda odds: max(0.0, log(odds)))


@IDF.mistake("1 + outside the logarithm")
def one_plus_outside(term, documents):
    """You add 1 to the logarithm. A word in nearly every document still gets a negative weight, and the
    weights of rare words are too large by about one. The 1 belongs inside, before the fraction, where it
    keeps the logarithm's argument above 1."""
    return _idf(term, documents, weight=lambda odds: 1 + log(odds))


@IDF.mistake("log10")
def base_ten(term, documents):
    """You take the logarithm to base 10. All weights shrink by one factor, so no ranking changes, but your
    scores cannot be compared with anybody else's. BM25 uses the natural logarithm: log, not log10."""
    return _idf(term, documents, weight=lambda odds: log10(1 + odds))


@IDF.mistake("log2")
def base_two(term, documents):
    """You take the logarithm to base 2, as nDCG does. All weights grow by one factor, so no ranking changes,
    but your scores cannot be compared with anybody else's. BM25 uses the natural logarithm: log, not log2."""
    return _idf(term, documents, weight=lambda odds: log2(1 + odds))


@IDF.mistake("collection frequency for df")
def collection_frequency(term, documents):
    """You count how often the word occurs in all documents together. That is the collection frequency. df
    asks in how many documents it occurs: an error code that one page repeats fifty times is still rare."""
    return _idf(term, documents, df=_of_all_words)


@IDF.mistake("ratio upside down")
def upside_down(term, documents):
    """Your ratio is upside down: documents with the word over those without. So the weights grow with df, and
    a word like `the` outweighs an error code. A rare word should say more."""
    return _idf(term, documents, odds=lambda df, n: 1 / _odds(df, n))


@IDF.mistake("ratio upside down, and no 1 +")
def upside_down_no_one_plus(term, documents):
    """Your ratio is upside down: documents with the word over those without. So a rare word, which should say
    the most, gets a negative weight. Turn it round, and put 1 + before it."""
    return -no_one_plus(term, documents)


@IDF.mistake("brackets around the fraction missing")
def brackets(term, documents):
    """Without brackets Python divides 0.5 by df before it adds, and the result is no longer a ratio. It
    should be the documents without the word over those with it: both sums need brackets."""
    df = _df(term, documents)
    return log(1 + len(documents) - df + 0.5 / df + 0.5)


@IDF.mistake("N / df")
def documents_over_df(term, documents):
    """Without the two 0.5 that is ln(N / df), the idf of many textbooks. It has no value for a word that no
    document has, and gives 0 to a word in all of them. Lucene's form handles both."""
    return log(len(documents) / _df(term, documents))


@IDF.mistake("N / df, or 0 for a word that no document has")
def documents_over_df_or_zero(term, documents):
    """That is ln(N / df), the idf of many textbooks, with an exception for df = 0. Lucene's form needs none:
    the two 0.5 keep the division possible, and a word in all documents still weighs a little."""
    return documents_over_df(term, documents) if _df(term, documents) else 0.0


@IDF.mistake("N / (1 + df)")
def one_more_document(term, documents):
    """That is ln(N / (1 + df)), whose 1 avoids a division by 0. It makes the weight of a word in all
    documents negative. Lucene's form avoids both: 0.5 in the fraction, and 1 + before it."""
    return log(len(documents) / (1 + _df(term, documents)))


@IDF.mistake("0 for a word that no document has")
def unknown_is_zero(term, documents):
    """You give 0 to a word that no document has. In a score that makes no difference, because its tf is 0.
    But a rarer word has a larger idf, and the formula needs no exception: it is largest at df = 0."""
    return idf(term, documents) if _df(term, documents) else 0.0


@IDF.mistake("part of a word")
def part_of_a_word(term, documents):
    """You look for the letters, and find `cat` in `category`. A document is a list of words: `term in
    document` compares whole words, as the index does. Joining the list into one text loses that."""
    df = sum(any(term in word for word in document) for document in documents)
    return log(1 + _odds(df, len(documents)))


@IDF.mistake("N counts words")
def tokens_for_documents(term, documents):
    """Your N is the number of all words. df counts documents, so N must count documents too; else a word in
    every one of them would look rare as soon as the documents are long."""
    return _idf(term, documents, n=_n_words)


@IDF.mistake("df below 1 made 1")
def at_least_one(term, documents):
    """You take 1 for df where no document has the word. The formula allows df = 0: its two 0.5 are there so
    that nothing is divided by 0."""
    return _idf(term, documents, df=lambda term, documents: max(_df(term, documents), 1))


@IDF.mistake("brackets around the denominator missing")
def brackets_of_the_denominator(term, documents):
    """Your division ends at df, and 0.5 is added afterwards. Put brackets around the whole denominator:
    (df + 0.5)."""
    df = max(_df(term, documents), 1)
    return log(1 + (len(documents) - df + 0.5) / df + 0.5)


@IDF.mistake("no halves")
def no_halves(term, documents):
    """You leave out the halves. With df = 0 you divide by 0, and with df = N the result is log(1), which is
    0. The 0.5 above and below the line prevent both."""
    return _idf(term, documents, odds=lambda df, n: (n - df) / max(df, 1))


@IDF.mistake("df not taken off N")
def df_not_taken_off(term, documents):
    """You divide N by df. The fraction sets the documents without the word against those with it: N − df
    above, df below, 0.5 added to both."""
    return _idf(term, documents, odds=lambda df, n: (n + 0.5) / (df + 0.5))


@IDF.mistake("N counts distinct words")
def n_counts_distinct_words(term, documents):
    """Your N is the number of distinct words. N is the number of documents: in how many of them does the word
    occur?"""
    return _idf(term, documents, n=lambda documents: len({w for words in documents for w in words}))


@IDF.mistake("empty documents left out")
def empty_left_out(term, documents):
    """You leave empty documents out of N. N is the number of documents in the list, whatever they hold."""
    return _idf(term, documents, n=lambda documents: sum(map(bool, documents)))


@IDF.mistake("1 + N / df, unseen words guarded")
def one_plus_n_over_df_guarded(term, documents):
    """You take ln(1 + N / df). The fraction of this convention is (N − df + 0.5) / (df + 0.5): documents
    without the word over documents with it, each plus a half."""
    df = _df(term, documents)
    return log(1 + len(documents) / df) if df else idf(term, documents)


@IDF.mistake("scikit-learn's")
def of_scikit_learn(term, documents):
    """You take ln((1 + N) / (1 + df)) + 1, as scikit-learn does. BM25 of Lucene takes
    ln(1 + (N − df + 0.5) / (df + 0.5))."""
    return log((1 + len(documents)) / (1 + _df(term, documents))) + 1


@IDF.mistake("no logarithm")
def no_logarithm(term, documents):
    """You return the fraction itself. Take the natural logarithm of 1 + the fraction."""
    return _odds(_df(term, documents), len(documents))


@IDF.mistake("no logarithm, 1 added")
def no_logarithm_one_added(term, documents):
    """You return 1 + the fraction. Take the natural logarithm of that."""
    return 1 + _odds(_df(term, documents), len(documents))


@IDF.mistake("equal documents counted once")
def equal_counted_once(term, documents):
    """You count documents with the same words once. Two documents that read alike are two documents, in N and
    in df."""
    return idf(term, {tuple(document) for document in documents})


_HALF_BELOW = (
    "The half below the line is missing: you divide by df. For a word that no document has that is "
    "a division by 0, and the 0.5 is there to prevent it: (N − df + 0.5) / (df + 0.5)."
)


@IDF.mistake("no half below the line", _HALF_BELOW)
def no_half_below(term, documents):
    return _idf(term, documents, odds=lambda df, n: (n - df + 0.5) / df)


@IDF.mistake("no half below the line, df of 0 guarded", _HALF_BELOW)
def no_half_below_guarded(term, documents):
    return _idf(term, documents, odds=lambda df, n: (n - df + 0.5) / max(df, 1))


@IDF.mistake("no half above the line")
def no_half_above(term, documents):
    """Your results are those of ln(1 + (N − df) / (df + 0.5)), which is ln((N + 0.5) / (df + 0.5)). A word in
    every document then weighs 0. The numerator is N − df + 0.5, with 1 + before the fraction."""
    return _idf(term, documents, odds=lambda df, n: (n - df) / (df + 0.5))


@IDF.mistake("1 below the line")
def one_below(term, documents):
    """You add 1 to df, below the line. The convention adds 0.5 there, as it does above."""
    return _idf(term, documents, odds=lambda df, n: (n - df + 0.5) / (df + 1))


@IDF.mistake("1 for both halves")
def ones_for_halves(term, documents):
    """You add 1 above and 1 below the line. Both are halves: (N − df + 0.5) / (df + 0.5)."""
    return _idf(term, documents, odds=lambda df, n: (n - df + 1) / (df + 1))


@IDF.mistake("N over df and a half")
def n_over_df_and_a_half(term, documents):
    """Your fraction is N / (df + 0.5). The numerator is the number of documents without the word, plus a
    half: N − df + 0.5."""
    return _idf(term, documents, odds=lambda df, n: n / (df + 0.5))


@IDF.mistake("1 + N / (1 + df)")
def one_plus_n_over_one_plus_df(term, documents):
    """You take ln(1 + N / (1 + df)). The fraction of this convention is (N − df + 0.5) / (df + 0.5):
    documents without the word over documents with it, each plus a half."""
    return _idf(term, documents, odds=lambda df, n: n / (1 + df))


@IDF.mistake("1 + N / df")
def one_plus_n_over_df(term, documents):
    """You take ln(1 + N / df), which has no value for a word that no document has. The fraction of this
    convention is (N − df + 0.5) / (df + 0.5): documents without the word over documents with it."""
    return _idf(term, documents, odds=lambda df, n: n / df)


@IDF.mistake("(1 + N) / (1 + df)")
def one_more_of_both(term, documents):
    """Your results are those of ln((1 + N) / (1 + df)), in which a word of every document weighs 0. This
    convention is ln(1 + (N − df + 0.5) / (df + 0.5))."""
    return _idf(term, documents, odds=lambda df, n: (n - df) / (1 + df))


@IDF.mistake("1 added twice")
def one_added_twice(term, documents):
    """You add 1 to the fraction twice: ln(2 + …), as log1p(1 + …) gives it. `log1p` adds 1 by itself; it is
    log(1 + …) or log1p(…)."""
    return _idf(term, documents, weight=lambda odds: log(2 + odds))


@IDF.mistake("only documents that have the word once")
def only_once(term, documents):
    """You leave a document out of df where it has the word more than once. df counts every document that has
    the word, once or more."""
    return _idf(term, documents, df=lambda term, documents: sum(d.count(term) == 1 for d in documents))


@IDF.mistake("df as a share")
def df_as_a_share(term, documents):
    """Your df is the share of the documents that have the word. In the fraction df is their
    number, next to which 0.5 is small."""
    return _idf(term, documents, odds=lambda df, n: (n - df / n + 0.5) / (df / n + 0.5))
