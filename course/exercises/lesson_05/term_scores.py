"""Exercise: what each word of a query brings to the BM25 score of a document."""

from itertools import takewhile

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    norm = k1 * (1 - b + b * len(doc_terms) / avgdl)
    scores = {}
    for term in query_terms:
        tf = doc_terms.count(term)
        if tf > 0 and term in idf:
            scores[term] = scores.get(term, 0.0) + idf[term] * tf / (tf + norm)
    return scores


IDF = {"disk": 2.0, "full": 1.0, "pod": 1.5}
THREE = ["disk", "disk", "disk", "full"]

TERM_SCORES = Exercise(
    name="TERM_SCORES",
    task="""\
Write `term_scores(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4)`: what each word of the query \
contributes to the BM25 score of a document, as `{term: score}`. The values add up to the document's score.

`query_terms` and `doc_terms` are lists of words, repeats included. `idf` is `{term: idf}` for the words of \
the collection, and `avgdl` is the mean number of words in its documents.

**Convention** (Lucene): a word contributes idf · tf / (tf + k1 · (1 − b + b · dl / avgdl)), once for each \
time that the query has it. Here tf is the word's count in the document, and dl is the number of words in \
the document. Leave out a word that the document or `idf` lacks.""",
    reference=term_scores,
    cases=(
        Case(
            (["disk"], ["disk", "full"], IDF, 2),
            "at mean length only idf, tf and k1 count: 2 · 1 / (1 + 0.9)",
        ),
        Case(
            (["disk", "disk"], ["disk", "full"], IDF, 2),
            "a word that the query has twice contributes twice as much",
        ),
        Case((["full"], THREE, IDF, 2), "dl is a number of words, repeats counted: 4, at a mean of 2"),
        Case(
            (["disk"], THREE, IDF, 4),
            "three occurrences contribute more than one, but less than three times as much",
        ),
        Case((["disk"], ["disk"], IDF, 4), "in a document shorter than most, the word counts more"),
        Case(
            (["pod", "disk"], ["disk", "full"], IDF, 2),
            "a word that the document lacks has no line in the ledger",
        ),
        Case(
            (["disk", "zebra"], ["disk", "full"], IDF, 2),
            "a word that neither the document nor the collection has is left out",
        ),
        Case(
            (["new", "disk"], ["disk", "new"], IDF, 2),
            "a new document has a word that the collection does not know: left out",
        ),
        Case(
            (
                ["pod", "disk", "pod", "zebra", "full", "pod"],
                ["disk", "full", "disk", "pod", "cat", "disk", "pod"],
                {"full": 0.405, "pod": 1.099, "cat": 0.7, "disk": 2.197},
                3,
                1.2,
                0.6,
            ),
            "three words of the query are there: once, twice and three times, in seven words",
        ),
        Case(
            (["disk", "the"], ["disk", "the"], {"disk": 2.0, "the": 0.0}, 2),
            "both have `the`, whose idf is 0: it contributes 0, and has its line",
        ),
        Case(
            (["disk", "full"], ["disk", "full"], IDF, 2),
            "each word has its own part; the sum is the score, not 1",
        ),
        Case((["disk"], THREE, IDF, 2, 1.2, 0), "with b = 0 the length does not matter"),
        Case((["disk"], THREE, IDF, 2, 1.2, 1), "with b = 1 the length matters fully"),
        Case((["disk"], ["disks", "full"], IDF, 2), "a word is a whole word: there is no disk in disks"),
        Case((["pod"], ["disk", "full"], IDF, 2), "the two share no word, so nothing scores"),
        Case(([], ["disk", "full"], IDF, 2), "the query has no words"),
        Case(
            (["full", "pod", "full"], ["pod", "disk", "full", "pod"], IDF, 3, 1.5, 0.75), "all of it at once"
        ),
    ),
    hints=(
        "It is the loop of a BM25 score. But what a word contributes is not added to one number; it is "
        "stored under the word.",
        "norm = k1 * (1 - b + b * len(doc_terms) / avgdl) does not depend on the word, so it goes before "
        "the loop. In the loop tf is doc_terms.count(term); skip a term with tf 0, or without an entry in "
        "idf.",
        "For term in query_terms: if tf > 0 and term in idf, then scores[term] = scores.get(term, 0.0) + "
        "idf[term] * tf / (tf + norm). Return scores after the loop.",
    ),
)


def _with_norm(norm, query_terms, doc_terms, idf):
    """Repeats of the query counted, `norm` in the place of k1 · (1 − b + b · dl / avgdl)."""
    counts = {term: doc_terms.count(term) for term in query_terms if term in doc_terms and term in idf}
    return {term: query_terms.count(term) * idf[term] * tf / (tf + norm) for term, tf in counts.items()}


@TERM_SCORES.mistake("repeated query term counted once")
def query_as_a_set(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """A word that the query has twice contributes only once. The score counts it as often as the query has
    it: add its parts up in one line of the ledger."""
    return term_scores(sorted(set(query_terms)), doc_terms, idf, avgdl, k1, b)


@TERM_SCORES.mistake("repeated query term counted too often")
def repeats_squared(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You multiply by how often the query has a word, and also loop over its repeats. Twice becomes four
    times. Do one or the other."""
    scores = term_scores(query_terms, doc_terms, idf, avgdl, k1, b)
    return {term: query_terms.count(term) * score for term, score in scores.items()}


@TERM_SCORES.mistake("length in distinct words")
def length_in_distinct_words(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You measure the document in distinct words. Then a page that says one word a hundred times is as short
    as that word, and is not held back. dl counts every word."""
    return _with_norm(k1 * (1 - b + b * len(set(doc_terms)) / avgdl), query_terms, doc_terms, idf)


@TERM_SCORES.mistake("length ratio upside down")
def ratio_upside_down(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You divide the mean length by the document's own, so long pages are favoured. A long page has
    a word more easily, so the word should contribute less: dl / avgdl."""
    return _with_norm(k1 * (1 - b + b * avgdl / len(doc_terms)), query_terms, doc_terms, idf)


@TERM_SCORES.mistake("no length normalisation")
def no_length(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You leave the length out, so b changes nothing. The ledger then cannot show that a page lost because it
    is long."""
    return _with_norm(k1, query_terms, doc_terms, idf)


@TERM_SCORES.mistake("k1 not on the length")
def k1_left_of_the_sum(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You multiply only 1 - b by k1. It belongs before the whole bracket: k1 * (1 - b + b * dl / avgdl)."""
    return _with_norm(k1 * (1 - b) + b * len(doc_terms) / avgdl, query_terms, doc_terms, idf)


@TERM_SCORES.mistake("k1 and b ignored")
def defaults(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You compute with k1 = 0.9 and b = 0.4, whatever was given. A ledger explains a score only with the
    engine's own parameters."""
    return term_scores(query_terms, doc_terms, idf, avgdl)


@TERM_SCORES.mistake("no idf")
def no_idf(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You leave the idf out, so a word of every page contributes as much as an error code. Multiply by
    idf[term]."""
    return term_scores(query_terms, doc_terms, dict.fromkeys(idf, 1.0), avgdl, k1, b)


@TERM_SCORES.mistake("idf not looked at")
def no_idf_at_all(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You do not use `idf` at all. So a frequent word contributes as much as a rare one, and so does a word
    that the collection does not know. Multiply by idf[term], and leave out what is not in it."""
    return term_scores(query_terms, doc_terms, dict.fromkeys(query_terms, 1.0), avgdl, k1, b)


@TERM_SCORES.mistake("idf squared")
def idf_squared(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You multiply by idf twice, once for the query and once for the document. The cosine of TF-IDF vectors
    does so; in BM25 each word has its idf once."""
    squared = {term: value**2 for term, value in idf.items()}
    return term_scores(query_terms, doc_terms, squared, avgdl, k1, b)


@TERM_SCORES.mistake("k1 + 1")
def with_factor(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You multiply by k1 + 1, as section 5 of lesson 02 and rank_bm25 do. That is a variant and changes no
    ranking. But a ledger explains one engine's numbers: CsrBM25, like Lucene since version 8, leaves the
    factor out."""
    return {
        term: score * (k1 + 1)
        for term, score in term_scores(query_terms, doc_terms, idf, avgdl, k1, b).items()
    }


@TERM_SCORES.mistake("tf not saturated")
def not_saturated(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You multiply idf by tf itself. In BM25 each further occurrence counts for less; without that you
    cannot explain its score."""
    asked = [term for term in query_terms if term in doc_terms and term in idf]
    return {term: asked.count(term) * idf[term] * doc_terms.count(term) for term in asked}


@TERM_SCORES.mistake("shares of the score")
def shares(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You divide each part by the sum. Shares add up to 1 for the best page and for the worst, and cannot be
    compared between two documents. A ledger keeps the parts as they are."""
    scores = term_scores(query_terms, doc_terms, idf, avgdl, k1, b)
    return {term: score / sum(scores.values()) for term, score in scores.items()}


@TERM_SCORES.mistake("0 for every word without a part")
def zero_for_the_rest(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You write down 0 for words that the document or `idf` lacks, as the table of `explain` does. The
    convention here lists only what scored: a word without a part has no line."""
    return dict.fromkeys(query_terms, 0.0) | term_scores(query_terms, doc_terms, idf, avgdl, k1, b)


@TERM_SCORES.mistake("0 for what the document lacks")
def zero_for_what_the_document_lacks(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You write down 0 for words that the document lacks, as the table of `explain` does. The convention here
    lists only what scored: a word without a part has no line."""
    known = [term for term in query_terms if term in idf]
    return dict.fromkeys(known, 0.0) | term_scores(query_terms, doc_terms, idf, avgdl, k1, b)


@TERM_SCORES.mistake("0 for a word without idf")
def zero_for_the_unknown(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You write down 0 for a word of the document that `idf` does not know. The index has no such word, so no
    line in the ledger either."""
    there = [term for term in query_terms if term in doc_terms]
    return dict.fromkeys(there, 0.0) | term_scores(query_terms, doc_terms, idf, avgdl, k1, b)


@TERM_SCORES.mistake("unknown word raises")
def needs_every_idf(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You look up idf[term] for every word, but people also ask for words that the collection does not have.
    Those are left out."""
    there = {term: idf[term] for term in query_terms if term in doc_terms}
    return term_scores(query_terms, doc_terms, there, avgdl, k1, b)


@TERM_SCORES.mistake("repeats multiply tf")
def repeats_multiply_tf(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You multiply tf by how often the query has the word, inside the fraction, where it saturates. In
    Lucene a word that the query has twice contributes its whole part twice."""
    norm = k1 * (1 - b + b * len(doc_terms) / avgdl)
    counts = {
        t: doc_terms.count(t) * query_terms.count(t) for t in query_terms if t in doc_terms and t in idf
    }
    return {term: idf[term] * tf / (tf + norm) for term, tf in counts.items()}


@TERM_SCORES.mistake("length not divided by the mean")
def length_not_relative(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You put the length itself into the norm. BM25 asks whether a page is longer than the others:
    dl / avgdl is 1 for a page of mean length."""
    return _with_norm(k1 * (1 - b + b * len(doc_terms)), query_terms, doc_terms, idf)


@TERM_SCORES.mistake("b and 1 - b exchanged")
def b_exchanged(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You exchange b and 1 - b. With b = 0 the length should not matter: 1 - b + b * dl / avgdl."""
    return term_scores(query_terms, doc_terms, idf, avgdl, k1, 1 - b)


@TERM_SCORES.mistake("relative frequency")
def relative_frequency(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You divide tf by the length of the document. BM25 takes the plain count; the length comes in by
    dl / avgdl only."""
    norm, dl = k1 * (1 - b + b * len(doc_terms) / avgdl), len(doc_terms)
    scores = term_scores(query_terms, doc_terms, idf, avgdl, k1, b)
    counts = {term: doc_terms.count(term) / dl for term in scores}
    return {t: query_terms.count(t) * idf[t] * tf / (tf + norm) for t, tf in counts.items()}


@TERM_SCORES.mistake("other defaults")
def other_defaults(query_terms, doc_terms, idf, avgdl, k1=1.2, b=0.75):
    """Your k1 and b are others than the task's where a call leaves them out: it says k1=0.9, b=0.4, those of
    lesson 04's index. With others the ledger explains another score."""
    return term_scores(query_terms, doc_terms, idf, avgdl, k1, b)


@TERM_SCORES.mistake("the words of the document")
def words_of_the_document(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You give the part of every word of the document. Only words of the query bring something to its
    score."""
    return term_scores(sorted(set(doc_terms)), doc_terms, idf, avgdl, k1, b)


@TERM_SCORES.mistake("tf not in the denominator")
def tf_not_in_the_denominator(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You divide by the length part alone, so that the tenth occurrence counts as much as the first. The
    denominator is tf + k1 · (…)."""
    norm = k1 * (1 - b + b * len(doc_terms) / avgdl)
    asked = [term for term in query_terms if term in doc_terms and term in idf]
    return {term: asked.count(term) * idf[term] * doc_terms.count(term) / norm for term in asked}


@TERM_SCORES.mistake("the query's length")
def length_of_the_query(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You take the length of the query for dl. It is the number of words of the document."""
    return _with_norm(k1 * (1 - b + b * len(query_terms) / avgdl), query_terms, doc_terms, idf)


@TERM_SCORES.mistake("b left out")
def b_left_out(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """Your length part is 1 − b + dl / avgdl. The ratio is multiplied by b."""
    return _with_norm(k1 * (1 - b + len(doc_terms) / avgdl), query_terms, doc_terms, idf)


@TERM_SCORES.mistake("an idf of 0 taken for none")
def zero_idf_taken_for_none(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You leave out a word whose idf is 0. `idf` has it, so it has a line, with the value 0. Only a word that
    the document or `idf` lacks is left out: ask `term in idf`."""
    return term_scores(query_terms, doc_terms, {t: value for t, value in idf.items() if value}, avgdl, k1, b)


@TERM_SCORES.mistake("1 - b left out")
def one_minus_b_left_out(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """Your length part is b · dl / avgdl. 1 − b belongs to it: 1 − b + b · dl / avgdl is 1 for a document of
    mean length."""
    return _with_norm(k1 * b * len(doc_terms) / avgdl, query_terms, doc_terms, idf)


@TERM_SCORES.mistake("1 for 1 - b")
def one_for_one_minus_b(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """Your length part is 1 + b · dl / avgdl. It is 1 − b + b · dl / avgdl: a document of mean length comes
    out at 1."""
    return _with_norm(k1 * (1 + b * len(doc_terms) / avgdl), query_terms, doc_terms, idf)


@TERM_SCORES.mistake("length ratio left out")
def ratio_left_out(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You keep 1 − b and leave out what it makes room for: b · dl / avgdl. So every document counts as if it
    had no words at all."""
    return _with_norm(k1 * (1 - b), query_terms, doc_terms, idf)


@TERM_SCORES.mistake("k1 and b exchanged")
def k1_and_b_exchanged(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You exchange k1 and b. k1 says how soon further occurrences stop counting, b how much the length
    matters: tf + k1 · (1 − b + b · dl / avgdl)."""
    return term_scores(query_terms, doc_terms, idf, avgdl, b, k1)


@TERM_SCORES.mistake("k1 left out")
def k1_left_out(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """Your denominator is tf and the length part, without k1. It is tf + k1 · (1 − b + b · dl / avgdl)."""
    return term_scores(query_terms, doc_terms, idf, avgdl, 1, b)


@TERM_SCORES.mistake("brackets of the length part missing")
def brackets_of_the_length(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You lost the brackets after k1: k1 * 1 - b + b * dl / avgdl multiplies only the 1. The whole length
    part is multiplied: k1 * (1 - b + b * dl / avgdl)."""
    return _with_norm(k1 - b + b * len(doc_terms) / avgdl, query_terms, doc_terms, idf)


@TERM_SCORES.mistake("tf as yes or no")
def yes_or_no(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You ask whether the word is in the document, not how often. The second occurrence counts for less than
    the first, but it does count: tf is doc_terms.count(term)."""
    norm = k1 * (1 - b + b * len(doc_terms) / avgdl)
    asked = [term for term in query_terms if term in doc_terms and term in idf]
    return {term: asked.count(term) * idf[term] / (1 + norm) for term in asked}


@TERM_SCORES.mistake("the score of the document")
def the_whole_score(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You return the score of the document, one number. Return its parts: what each word contributes, under
    the word."""
    return sum(term_scores(query_terms, doc_terms, idf, avgdl, k1, b).values())


@TERM_SCORES.mistake("stops at a word that is missing")
def until_missing(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You stop at the first word that the document or `idf` lacks, and the words after it are lost. Leave
    that word out and go on with the next."""
    found = takewhile(lambda term: term in doc_terms and term in idf, query_terms)
    return term_scores(list(found), doc_terms, idf, avgdl, k1, b)


@TERM_SCORES.mistake("all words required")
def all_words_required(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You return nothing as soon as one word of the query is missing. BM25 adds up what is there; only the
    word that is missing has no line."""
    missing = any(term not in doc_terms or term not in idf for term in query_terms)
    return {} if missing else term_scores(query_terms, doc_terms, idf, avgdl, k1, b)


@TERM_SCORES.mistake("part of a word")
def part_of_a_word(query_terms, doc_terms, idf, avgdl, k1=0.9, b=0.4):
    """You count letters in a text, so disk is found in disks. A document is a list of words here, and
    `doc_terms.count(term)` counts whole ones."""
    norm, letters = k1 * (1 - b + b * len(doc_terms) / avgdl), " ".join(doc_terms)
    counts = {term: letters.count(term) for term in query_terms if term in letters and term in idf}
    return {term: query_terms.count(term) * idf[term] * tf / (tf + norm) for term, tf in counts.items()}
