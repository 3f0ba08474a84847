"""Exercise: the IDF of a collection, out of what its shards count."""

from collections import Counter
from math import log

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def global_idf(shards):
    n = sum(len(shard) for shard in shards)
    df = Counter(term for shard in shards for document in shard for term in set(document))
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


def _each(shards):
    return [global_idf([shard]) for shard in shards]


@GLOBAL_IDF.mistake("local idf of the last")
def local_idf_of_the_last(shards):
    """You compute an IDF in each shard, and where two shards have a term the last one wins. A term's
    weight then depends on which shard it was met in. Add N and df of all shards first, and compute the
    IDF once."""
    return {term: idf for own in _each(shards) for term, idf in own.items()}


@GLOBAL_IDF.mistake("mean of local")
def mean_of_local(shards):
    """You compute an IDF in each shard and take the mean. The logarithm of a sum is no mean of logarithms,
    and a shard of one document would count as much as one of a million. Add N and df, then compute."""
    found = {}
    for own in _each(shards):
        for term, idf in own.items():
            found.setdefault(term, []).append(idf)
    return {term: sum(values) / len(values) for term, values in found.items()}


@GLOBAL_IDF.mistake("sum of local")
def sum_of_local(shards):
    """You add up the IDFs of the shards. What adds up are the counts, N and df; the IDF is computed from
    their sums."""
    total = Counter()
    for own in _each(shards):
        total.update(own)
    return dict(total)


@GLOBAL_IDF.mistake("n of the shard")
def n_of_the_shard(shards):
    """You add up df over all shards and still divide by one shard's number of documents. N is summed too,
    or df can exceed it, and the logarithm of something below 0 has no value."""
    n = max(map(len, shards))
    df = Counter(term for shard in shards for document in shard for term in set(document))
    return {term: _idf(n, count) for term, count in df.items() if n - count + 0.5 > 0}


@GLOBAL_IDF.mistake("df counts shards")
def df_counts_shards(shards):
    """You count in how many shards a term stands. df is asked of documents: add up, over the shards, the
    documents that have it."""
    n = sum(len(shard) for shard in shards)
    df = Counter(term for shard in shards for term in {t for document in shard for t in document})
    return {term: _idf(n, count) for term, count in df.items()}


@GLOBAL_IDF.mistake("df counts occurrences")
def df_counts_occurrences(shards):
    """You count every occurrence. A term that stands three times in one document has df 1: count each
    document once, with set(document)."""
    n = sum(len(shard) for shard in shards)
    df = Counter(term for shard in shards for document in shard for term in document)
    return {term: _idf(n, min(count, n)) for term, count in df.items()}


@GLOBAL_IDF.mistake("empty left out")
def empty_left_out(shards):
    """You leave documents without terms out of N. Here they count, as they do in one index over the same
    documents; else cutting the collection into shards would change the weights."""
    return global_idf([[document for document in shard if document] for shard in shards])


@GLOBAL_IDF.mistake("largest df")
def largest_df(shards):
    """You take the df of one shard. The shards hold different documents, so nothing is counted twice: add
    them up."""
    n = sum(len(shard) for shard in shards)
    df = {}
    for shard in shards:
        for term, count in Counter(t for document in shard for t in set(document)).items():
            df[term] = max(df.get(term, 0), count)
    return {term: _idf(n, count) for term, count in df.items()}
