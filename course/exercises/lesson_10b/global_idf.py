"""Exercise: the IDF of a collection, out of what its shards count."""

from collections import Counter
from math import log

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def global_idf(shards):
    n = sum(len(shard) for shard in shards)
    df = Counter(term for shard in shards for document in shard for term in sorted(set(document)))
    return {term: log(1 + (n - count + 0.5) / (count + 0.5)) for term, count in df.items()}


GLOBAL_IDF = Exercise(
    name="GLOBAL_IDF",
    task="""\
Write `global_idf(shards)`: the IDF of every term of a collection that lies in shards.

`shards` is a list; each shard is a list of its documents, and a document is the list of its terms. A shard \
may be empty, and so may a document. Returned is `{term: idf}` for every term of any document. \
**Convention**: Lucene's, idf = ln(1 + (N − df + 0.5) / (df + 0.5)). N is the number of documents of all \
shards, empty documents included. df is in how many of them the term stands, however often.""",
    reference=global_idf,
    cases=(
        Case(([[["a"]]],), "one shard, one document"),
        Case(([[["a"], ["b"]], [["b"]]],), "b stands in both shards: df 2 of N 3"),
        Case(([[["a", "a", "a"]], [["b"]]],), "three times in one document: df is 1"),
        Case(
            ([[["a"]], [["b"], ["b"], ["b"]]],),
            "a shard of one document and one of three: each document counts once",
        ),
        Case(([[["a"]], []],), "an empty shard adds nothing"),
        Case(
            ([[["a", "b"], ["b", "c", "b"], []], [], [["b"], ["c", "b", "d"]], [["c", "b"], ["e"]]],),
            "seven documents, one of them empty, in four shards: b has df 5, c 3, and a, d and e have 1",
        ),
        Case(([[["a"], []], [[]]],), "documents without terms count in N"),
        Case(
            ([[["a"], ["a"]], [["b"]]],),
            "a is in every document of its shard, and not in every document of all",
        ),
        Case(([[["a"]], [["a"]], [["a"], ["b"]]],), "three shards"),
    ),
    hints=(
        "IDF needs two numbers, N and df. Both are counts of documents, and counts of parts add up.",
        "Let each shard count its own documents and, for each term, those that have it. Add the counts of "
        "all shards. Only then compute the IDF, once for each term.",
        "df = Counter(); for each document df.update(set(document)). N is sum(map(len, shards)).",
    ),
)


def _idf(n, df):
    return log(1 + (n - df + 0.5) / (df + 0.5))


def _documents(shards):
    return [document for shard in shards for document in shard]


def _df(shards):
    return Counter(term for document in _documents(shards) for term in sorted(set(document)))


def _n(shards):
    return sum(map(len, shards))


def _weighed(shards, n=_n, df=_df, idf=_idf):
    """The reference with one part exchanged."""
    return {term: idf(n(shards), count) for term, count in df(shards).items()}


def _each(shards):
    return [global_idf([shard]) for shard in shards]


@GLOBAL_IDF.mistake("local idf of the last")
def local_idf_of_the_last(shards):
    """You compute an IDF in each shard, and where two shards have a term the last one wins. A term's
    weight then depends on which shard it was met in. Add N and df of all shards first, and compute the
    IDF once."""
    return {term: idf for own in _each(shards) for term, idf in own.items()}


@GLOBAL_IDF.mistake("local idf of the first")
def local_idf_of_the_first(shards):
    """You compute an IDF in each shard, and where two shards have a term the first one wins. A term's
    weight then depends on which shard it was met in. Add N and df of all shards first, and compute the
    IDF once."""
    return {term: idf for own in _each(shards)[::-1] for term, idf in own.items()}


def _local(shards):
    found = {}
    for shard, own in zip(shards, _each(shards), strict=True):
        for term, idf in own.items():
            found.setdefault(term, []).append((idf, len(shard)))
    return found


@GLOBAL_IDF.mistake("mean of local")
def mean_of_local(shards):
    """You compute an IDF in each shard and take the mean. The logarithm of a sum is no mean of logarithms,
    and a shard of one document would count as much as one of a million. Add N and df, then compute."""
    return {term: sum(idf for idf, _ in own) / len(own) for term, own in _local(shards).items()}


@GLOBAL_IDF.mistake("weighted mean of local")
def weighted_mean_of_local(shards):
    """You compute an IDF in each shard, and weigh them by the shards' sizes. The logarithm of a sum is no
    mean of logarithms. Add N and df of all shards, then compute the IDF once."""
    return {
        term: sum(idf * size for idf, size in own) / sum(size for _, size in own)
        for term, own in _local(shards).items()
    }


@GLOBAL_IDF.mistake("sum of local")
def sum_of_local(shards):
    """You add up the IDFs of the shards. What adds up are the counts, N and df; the IDF is computed from
    their sums."""
    total = Counter()
    for own in _each(shards):
        total.update(own)
    return dict(total)


_N_OF_ONE = (
    "You add up df over all shards, and your N is that of one shard. N is summed too: a term can stand in "
    "more documents than one shard has."
)


@GLOBAL_IDF.mistake("n of the largest shard", _N_OF_ONE)
def n_of_the_largest(shards):
    return _weighed(shards, n=lambda shards: max(map(len, shards)))


@GLOBAL_IDF.mistake("n of the last shard", _N_OF_ONE)
def n_of_the_last(shards):
    return _weighed(shards, n=lambda shards: len(shards[-1]))


@GLOBAL_IDF.mistake("n of the first shard", _N_OF_ONE)
def n_of_the_first(shards):
    return _weighed(shards, n=lambda shards: len(shards[0]))


@GLOBAL_IDF.mistake("n of the largest shard, not below df", _N_OF_ONE)
def n_of_the_largest_cut(shards):
    return _weighed(shards, n=lambda shards: max(map(len, shards)), idf=lambda n, df: _idf(max(n, df), df))


@GLOBAL_IDF.mistake("n counts shards")
def n_counts_shards(shards):
    """Your N is the number of shards. It is the number of documents of all shards together."""
    return _weighed(shards, n=len)


@GLOBAL_IDF.mistake("n is the mean of the shards")
def n_is_the_mean(shards):
    """Your N is the mean number of documents of a shard. df is added up over all shards, and so is N."""
    return _weighed(shards, n=lambda shards: _n(shards) / len(shards))


@GLOBAL_IDF.mistake("n counts terms")
def n_counts_terms(shards):
    """Your N is the number of different terms. It is the number of documents of all shards."""
    return _weighed(shards, n=lambda shards: len(_df(shards)))


@GLOBAL_IDF.mistake("n counts words")
def n_counts_words(shards):
    """Your N is the number of all words, each as often as it stands there. It is the number of documents of
    all shards."""
    return _weighed(shards, n=lambda shards: sum(map(len, _documents(shards))))


@GLOBAL_IDF.mistake("df counts shards")
def df_counts_shards(shards):
    """You count in how many shards a term stands. df is asked of documents: add up, over the shards, the
    documents that have it."""
    return _weighed(shards, df=lambda shards: _df([[sum(shard, [])] for shard in shards]))


_OCCURRENCES = (
    "You count every occurrence. A term that stands three times in one document has df 1: count each "
    "document once, with set(document)."
)


@GLOBAL_IDF.mistake("df counts occurrences", _OCCURRENCES)
def df_counts_occurrences(shards):
    return _weighed(shards, df=lambda shards: Counter(t for document in _documents(shards) for t in document))


@GLOBAL_IDF.mistake("df counts occurrences, not above n", _OCCURRENCES)
def df_counts_occurrences_cut(shards):
    df = Counter(t for document in _documents(shards) for t in document)
    return {term: _idf(_n(shards), min(count, _n(shards))) for term, count in df.items()}


@GLOBAL_IDF.mistake("df counts occurrences, n − df not below 0", _OCCURRENCES)
def df_counts_occurrences_not_below(shards):
    df = Counter(t for document in _documents(shards) for t in document)
    return {term: log(1 + max(0, _n(shards) - count + 0.5) / (count + 0.5)) for term, count in df.items()}


@GLOBAL_IDF.mistake("df of documents that are alike")
def df_of_different_documents(shards):
    """You count documents with the same terms once. Each of them is a document: all count, in N and in
    df."""
    return _weighed(
        shards,
        n=lambda shards: len({*map(tuple, _documents(shards))}),
        df=lambda shards: _df([dict.fromkeys(map(tuple, _documents(shards)))]),
    )


@GLOBAL_IDF.mistake("empty left out")
def empty_left_out(shards):
    """You leave documents without terms out of N. Here they count, as they do in one index over the same
    documents; else cutting the collection into shards would change the weights."""
    return _weighed(shards, n=lambda shards: sum(map(bool, _documents(shards))))


@GLOBAL_IDF.mistake("largest df")
def largest_df(shards):
    """You take the df of one shard. The shards hold different documents, so nothing is counted twice: add
    them up."""
    df = {}
    for shard in shards:
        for term, count in _df([shard]).items():
            df[term] = max(df.get(term, 0), count)
    return {term: _idf(_n(shards), count) for term, count in df.items()}


@GLOBAL_IDF.mistake("terms of all documents left out")
def in_all_left_out(shards):
    """You leave out terms that stand in every document. Their IDF is small, and above 0 by this formula:
    every term is in the result."""
    return {term: idf for term, idf in global_idf(shards).items() if _df(shards)[term] < _n(shards)}


@GLOBAL_IDF.mistake("without the 1")
def without_the_1(shards):
    """You leave out the 1 + of the formula. A term of more than half of the documents then gets a weight
    below 0."""
    return _weighed(shards, idf=lambda n, df: log((n - df + 0.5) / (df + 0.5)))


@GLOBAL_IDF.mistake("ln(N / df)")
def plain_idf(shards):
    """You take ln(N / df). By this convention 0.5 is added twice: ln(1 + (N − df + 0.5) / (df + 0.5))."""
    return _weighed(shards, idf=lambda n, df: log(n / df))


@GLOBAL_IDF.mistake("ln(1 + N / df)")
def plain_idf_with_1(shards):
    """You take ln(1 + N / df). By this convention it is ln(1 + (N − df + 0.5) / (df + 0.5))."""
    return _weighed(shards, idf=lambda n, df: log(1 + n / df))


@GLOBAL_IDF.mistake("df not taken from N")
def df_not_taken_from_n(shards):
    """Above the line you have N + 0.5. It is N − df + 0.5: the documents without the term, beside those with
    it."""
    return _weighed(shards, idf=lambda n, df: log(1 + (n + 0.5) / (df + 0.5)))


@GLOBAL_IDF.mistake("no 0.5 below the line")
def no_half_below(shards):
    """You add 0.5 above the line and not below it. It is (N − df + 0.5) / (df + 0.5)."""
    return _weighed(shards, idf=lambda n, df: log(1 + (n - df + 0.5) / df))


@GLOBAL_IDF.mistake("without the logarithm")
def without_the_logarithm(shards):
    """You leave out the logarithm. It is ln(1 + (N − df + 0.5) / (df + 0.5)): without it a rare term
    counts far too much."""
    return _weighed(shards, idf=lambda n, df: 1 + (n - df + 0.5) / (df + 0.5))


@GLOBAL_IDF.mistake("the df returned")
def the_df_returned(shards):
    """You return the df of each term. Compute its IDF from that and N."""
    return dict(_df(shards))
