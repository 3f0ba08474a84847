"""SQLite's full-text search scores as it says, takes any query, and keeps its file; the scan counts; no
retriever fails."""

import random
import sqlite3
import time
from math import log

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval import full_text
from helpers.retrieval.retrievers import CsrBM25, RankBM25, SqliteFTS5, SubstringScan
from helpers.text.analyzers import plain

RETRIEVERS = [CsrBM25, RankBM25, SqliteFTS5, SubstringScan]
PAGES = {
    "checkout": "The checkout-api is restarted by hand; what's left is a queue",
    "upgrade": "From v1.x to v2.x: an API that changed",
    "odd": 'AND OR NOT NEAR(a b) \ud800 nul\0nul é É ﬁ ß İ 漢字 👩‍💻 "quoted" text:col ^ * { } + -',
    "blank": " \n ",
    "other": "A page about backups, and another API behind the checkout",
}
WORDS = [
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "NEAR(a b, 2)",
    "checkout-api",
    "what's",
    "v2.x",
    "text:",
    "a*",
    "*reads",
    "^a",
]
QUERY = st.lists(
    st.one_of(
        st.sampled_from(WORDS),
        st.sampled_from("()\"'*:^{}+-,;%_\\\0\ud800\udfff\u0301\u200d\x1cßﬁİ"),
        st.text(max_size=5),
    ),
    max_size=12,
).flatmap(lambda parts: st.sampled_from(["", " "]).map(lambda between: between.join(parts)))
TEXTS = st.lists(
    st.lists(st.sampled_from("a b c d e f".split()), max_size=8).map(" ".join), min_size=1, max_size=8
)


def corpus_of(texts):
    return {f"d{number}": text for number, text in enumerate(texts)}


def found(retriever, query, k=100):
    return [doc_id for doc_id, _ in retriever.search({"q": query}, k)["q"]]


@pytest.fixture(scope="module", params=RETRIEVERS, ids=lambda retriever: retriever.__name__)
def over_pages(request):
    return request.param(PAGES)


# What a score is


def okapi(texts, terms):
    """SQLite's BM25 by its documentation: k1 = 1.2, b = 0.75, an idf of 1e-6 where the formula gives none
    above zero."""
    documents = [text.split() for text in texts]
    avgdl, scores = sum(map(len, documents)) / len(documents), []
    for document in documents:
        score = 0.0
        for term in dict.fromkeys(terms):
            df, tf = sum(term in other for other in documents), document.count(term)
            idf = max(log((len(documents) - df + 0.5) / (df + 0.5)), 1e-6)
            score += idf * tf * 2.2 / (tf + 1.2 * (1 - 0.75 + 0.75 * len(document) / avgdl)) if tf else 0.0
        scores.append(score)
    return {f"d{number}": score for number, score in enumerate(scores) if score > 0}


@given(TEXTS, st.lists(st.sampled_from("a b c d x".split()), max_size=6))
def test_sqlite_scores_are_okapi_bm25_with_its_parameters(texts, terms):
    run = SqliteFTS5(corpus_of(texts), tokenizer="unicode61").search({"q": " ".join(terms)}, k=100)
    assert dict(run["q"]) == pytest.approx(okapi(texts, terms), rel=1e-6)


@given(TEXTS, st.integers(1, 4))
def test_a_query_of_many_terms_scores_the_sum_of_its_parts(texts, at_a_time):
    query, retriever = "a b c d e f x y", SqliteFTS5(corpus_of(texts))
    whole = retriever.search({"q": query})["q"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(full_text, "TERMS_AT_A_TIME", at_a_time)
        assert dict(retriever.search({"q": query})["q"]) == pytest.approx(dict(whole), rel=1e-6)


@given(TEXTS.filter(any), st.lists(st.sampled_from("a b c d x".split()), max_size=9))
def test_rank_bm25_gives_the_packages_scores_to_the_last_bit(texts, terms):
    expected = BM25Okapi([plain(text) for text in texts]).get_scores(terms)
    assert RankBM25(corpus_of(texts))._scores(" ".join(terms)).tolist() == expected.tolist()


ANY = st.text(alphabet="aAbBß \n\u00a0", max_size=12)


@given(st.lists(ANY, min_size=1, max_size=5), ANY)
@example(["aaa", "Straße"], "AA aa SS a")
def test_the_scan_counts_each_different_term_wherever_it_stands(texts, query):
    terms = set(query.casefold().split())
    expected = {f"d{i}": sum(text.casefold().count(term) for term in terms) for i, text in enumerate(texts)}
    run = SubstringScan(corpus_of(texts)).search({"q": query})
    assert dict(run["q"]) == {doc_id: n for doc_id, n in expected.items() if n}


@given(
    st.lists(st.text(alphabet="abc", min_size=1, max_size=9), max_size=9),
    st.sets(st.text(alphabet="abc", min_size=1, max_size=3)),
)
def test_many_terms_are_looked_up_and_few_are_looked_for_with_the_same_counts(words, terms):
    expected = [sum(word.count(term) for term in terms) for word in words]
    assert full_text.occurrences(words, terms).tolist() == expected
    absent = {
        f"z{number}" for number in range(200)
    }  # so many that pieces of the words are looked up among them
    assert full_text.occurrences(words, terms | absent).tolist() == expected


def test_on_the_runbooks_sqlite_is_on_a_level_with_lucene_and_the_scan_is_not(runbooks):
    lucene, _, sqlite, scan = (
        evaluate_retrieval(make(runbooks.corpus).search(runbooks.queries, 160), runbooks.qrels)["nDCG@10"]
        for make in RETRIEVERS
    )
    assert sqlite == pytest.approx(lucene, abs=0.03)
    assert scan < lucene / 2


# What a query finds


@pytest.mark.parametrize(
    ("query", "page"),
    [("checkout-api", "checkout"), ("what's", "checkout"), ("v2.x", "upgrade"), ("V2.X", "upgrade")],
)
def test_names_with_punctuation_find_their_page(over_pages, query, page):
    assert page in found(over_pages, query)


def test_words_that_are_one_term_must_stand_in_a_row():
    retriever = SqliteFTS5(PAGES)
    assert found(retriever, "checkout-api") == ["checkout"]  # "other" has both words, apart
    assert set(found(retriever, "checkout api")) == {"checkout", "other", "upgrade"}


def test_a_term_counts_once_however_often_and_in_whatever_case_it_stands():
    retriever = SqliteFTS5(PAGES)
    assert retriever.search({"q": "backups Backups BACKUPS"}) == retriever.search({"q": "backups"})


def test_of_a_text_each_word_is_searched_and_a_word_keeps_its_marks():
    text = "checkout-api, हिन्दी! " * 60
    assert full_text.match_expression(text) == '"checkout" OR "api" OR "हिन्दी"'
    assert set(found(SqliteFTS5(PAGES), text)) == {"checkout", "other", "upgrade"}


def test_nothing_in_a_query_is_an_operator():
    retriever = SqliteFTS5(PAGES)
    assert found(retriever, "backups NOT page") == found(retriever, "page not backups")
    assert found(retriever, "back*") == []
    assert found(retriever, 'the "checkout') == found(retriever, "checkout the")


@pytest.mark.parametrize("query", ["", " \n\t", "\0", "\ud800", "\ud800\0 \udfff"])
def test_a_query_of_nothing_is_no_expression(query):
    assert full_text.match_expression(query) == ""
    assert found(SqliteFTS5(PAGES), query) == []


@given(QUERY)
def test_any_query_gives_a_ranking_and_the_same_again(over_pages, query):
    for k in (2, 100):
        run = over_pages.search({"q": query}, k)
        ranking = run["q"]
        assert len(ranking) <= k
        assert {doc_id for doc_id, _ in ranking} <= PAGES.keys()
        assert all(score > 0 and score == np.float32(score) for _, score in ranking)
        assert ranking == sorted(ranking, key=lambda entry: (entry[1], entry[0]), reverse=True)
        assert over_pages.search({"q": query}, k) == run


@given(st.lists(QUERY, min_size=1, max_size=4), QUERY)
def test_any_text_can_be_indexed_and_any_id_comes_back(texts, query):
    corpus = {f"\ud800 {number} é\0": text for number, text in enumerate(texts)}
    for retriever in (SqliteFTS5(corpus), SubstringScan(corpus)):
        assert set(found(retriever, query)) <= corpus.keys()
        assert retriever.doc_ids == sorted(corpus)


def long_queries(runbooks):
    pages = " ".join(runbooks.corpus.values())
    letters = random.Random(0)
    return {
        "a text": pages[:100_000],
        "all words": " ".join(dict.fromkeys(pages.split()))[:100_000],
        "words that are not there": " ".join(f"z{number}" for number in range(20_000)),
        "one phrase": "-".join(letters.choices("ab", k=50_000)),
        "phrases": " ".join("-".join(letters.choices("abc", k=50)) for _ in range(1000)),
        "one word": "a" * 100_000,
        "quotes": '"' * 100_000,
        "operators": "AND OR NOT NEAR ( ) * ^ : { } + - " * 3000,
        "marks": "\u0301" * 100_000,
        "NUL": "\0" * 100_000,
        "half surrogates": "\ud800" * 100_000,
        "Han": "漢" * 100_000,
        "emoji": "👩‍💻" * 30_000,
    }


HANGS = 10
"""Seconds after which a search hangs, on any machine. Most end in less than one; nothing here measures how
fast."""


@pytest.mark.parametrize("make", RETRIEVERS)
def test_no_query_of_100_kb_hangs(make, runbooks):
    retriever = make(runbooks.corpus)
    for name, query in long_queries(runbooks).items():
        began = time.process_time()
        retriever.search({"q": query})
        assert time.process_time() - began < HANGS, name


@pytest.mark.parametrize("make", RETRIEVERS)
def test_no_query_of_100_kb_hangs_over_two_thousand_documents(make):
    letters = random.Random(1)
    words = ["".join(letters.choices("etaoinshr", k=letters.randint(2, 9))) for _ in range(20_000)]
    retriever = make({f"d{number}": " ".join(letters.choices(words, k=60)) for number in range(2000)})
    for query in (" ".join(words[:8]), " ".join(words)[:100_000]):
        began = time.process_time()
        assert retriever.search({"q": query})["q"]
        assert time.process_time() - began < HANGS


@pytest.mark.parametrize("make", [SqliteFTS5, SubstringScan])
def test_equal_scores_go_by_doc_id_down(make):
    corpus = {"d2": "rare word", "d10": "rare word", "d9": "rare word"} | {
        f"x{i}": f"other {i}" for i in range(9)
    }
    assert found(make(corpus), "rare", k=2) == ["d9", "d2"]


@pytest.mark.parametrize("make", [SqliteFTS5, SubstringScan])
def test_a_corpus_or_a_depth_that_cannot_be_is_refused(make):
    with pytest.raises(ValueError, match="no document"):
        make({})
    with pytest.raises(ValueError, match="document 'd' is of type NoneType; needed its text"):
        make({"d": None})
    with pytest.raises(ValueError, match="k is -1"):
        make(PAGES).search({"q": "a"}, k=-1)


@pytest.mark.parametrize("make", [SqliteFTS5, SubstringScan])
def test_documents_without_text_are_no_results(make):
    assert make({"d1": "", "d2": " "}).search({"q": "cat"}) == {"q": []}


# Strict mode


@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("back*", {"other"}),
        ("checkout AND page", {"other"}),
        ("checkout NOT page", {"checkout"}),
        ('"checkout api"', {"checkout"}),
        ("NEAR(page checkout, 3)", set()),
        ("text : backups", {"other"}),
        ("  ", set()),
    ],
)
def test_in_strict_mode_a_query_is_an_expression(query, pages):
    assert set(found(SqliteFTS5(PAGES, strict=True), query)) == pages


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("what's", "syntax error near"),
        ('an "open quote', "unterminated string"),
        ("checkout-api", "no such column: api"),
        ("AND", "syntax error"),
        ("*reads", "a command"),
        ("(" * 300 + "a" + ")" * 300, "overflow"),
    ],
)
def test_what_is_no_expression_is_quoted_with_sqlites_words(query, words):
    with pytest.raises(ValueError, match=words) as raised:
        SqliteFTS5(PAGES, strict=True).search({"q7": query})
    assert str(raised.value).startswith(f"query 'q7': {query[:9]!r}"[:-1])


STRICT = SqliteFTS5(PAGES, strict=True)


@given(QUERY)
def test_in_strict_mode_any_query_gives_a_ranking_or_a_value_error(query):
    try:
        assert set(found(STRICT, query)) <= PAGES.keys()
    except ValueError as error:
        assert "SQLite says" in str(error)


# The file


@pytest.fixture
def path(tmp_path):
    return tmp_path / "50% of #1? ü" / "index.sqlite"


def test_an_index_in_a_file_finds_what_one_in_memory_finds(path, runbooks):
    in_memory = SqliteFTS5(runbooks.corpus).search(runbooks.queries)
    with SqliteFTS5(runbooks.corpus, path) as written:
        assert written.search(runbooks.queries) == in_memory
    before = path.read_bytes()
    with SqliteFTS5(path=path) as read:
        assert (read.corpus, read.doc_ids, read.path) == (None, sorted(runbooks.corpus), path)
        assert read.search(runbooks.queries) == in_memory
        assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_the_same_texts_give_the_same_bytes_in_any_order(tmp_path, runbooks):
    backwards = dict(reversed(runbooks.corpus.items()))
    one, two = (
        full_text.build(tmp_path / "one", runbooks.corpus),
        full_text.build(tmp_path / "two", backwards),
    )
    assert one.read_bytes() == two.read_bytes()


def test_the_texts_are_not_in_the_file(tmp_path):
    path = full_text.build(tmp_path / "index", {"d1": "the quick brown fox " * 500})
    assert b"brown fox" not in path.read_bytes()
    assert path.stat().st_size < 50_000


def test_no_damaged_byte_goes_unnoticed(path):
    whole = full_text.build(path, {"d1": "a cat", "d2": "a dog"}).read_bytes()
    for position in range(0, len(whole), 97):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        with pytest.raises(ValueError, match=r"index\.sqlite is .*(damaged|no SQLite file|no index)"):
            SqliteFTS5(path=path)


@pytest.mark.parametrize("kept", [0, 50, 100, 4096, -1])
def test_a_file_that_is_cut_short_is_refused(path, kept):
    path.write_bytes(full_text.build(path, {"d1": "a cat"}).read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"damaged|no SQLite file|no index"):
        SqliteFTS5(path=path)


def test_files_of_something_else_are_named_as_that(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing does not exist"):
        SqliteFTS5(path=tmp_path / "missing")
    (tmp_path / "notes.txt").write_text("notes")
    with pytest.raises(ValueError, match="notes.txt is no SQLite file"):
        SqliteFTS5(path=tmp_path / "notes.txt")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE t (a)")
    other.close()
    with pytest.raises(ValueError, match="other.db is an SQLite file, but no index"):
        SqliteFTS5(path=tmp_path / "other.db")
    with pytest.raises(OSError):
        SqliteFTS5(path=tmp_path)


def test_an_index_that_cannot_be_written_leaves_the_old_one(path):
    SqliteFTS5({"d1": "cat"}, path).close()
    with pytest.raises(ValueError, match="tokenizer 'mine' is refused by SQLite"):
        SqliteFTS5({"d1": "dog"}, path, tokenizer="mine")
    assert list(path.parent.iterdir()) == [path]
    assert found(SqliteFTS5(path=path), "cat") == ["d1"]
    with pytest.raises(OSError):
        SqliteFTS5({"d1": "dog"}, path / "below" / "a file")


def test_a_file_brings_its_tokenizer(path):
    with SqliteFTS5({"d1": "Réunions"}, path, tokenizer="unicode61 remove_diacritics 0") as written:
        assert found(written, "reunion") == []
    with SqliteFTS5(path=path) as read:
        assert read.tokenizer == "unicode61 remove_diacritics 0"
        assert (found(read, "reunions"), found(read, "RÉUNIONS")) == ([], ["d1"])
        assert read.name == "SQLite FTS5 BM25, k1=1.2, b=0.75, unicode61 remove_diacritics 0"
    with pytest.raises(
        ValueError, match="was indexed with tokenizer 'unicode61 remove_diacritics 0', asked for was 'ascii'"
    ):
        SqliteFTS5(path=path, tokenizer="ascii")


@pytest.mark.parametrize(
    "tokenizer",
    ["mine", "unicode61 no_such 1", "a'b", "x\0y", "\ud800", None, "unicode61'); DROP TABLE texts"],
)
def test_a_tokenizer_that_sqlite_does_not_have_is_refused(tokenizer):
    with pytest.raises(ValueError, match="tokenizer"):
        SqliteFTS5({"d1": "cat"}, tokenizer=tokenizer)


def test_options_of_a_tokenizer_may_hold_quotes():
    retriever = SqliteFTS5({"d1": "checkout-api", "d2": "api"}, tokenizer="unicode61 tokenchars '-_'")
    assert found(retriever, "api") == ["d2"]


def test_a_search_needs_a_corpus_or_a_file():
    with pytest.raises(ValueError, match="a corpus to index, the path of an index"):
        SqliteFTS5()


def test_an_sqlite_without_fts5_is_told_in_words(monkeypatch, path):
    class Without(sqlite3.Connection):
        def execute(self, sql, *parameters):
            if "fts5" in sql or "MATCH" in sql:
                raise sqlite3.OperationalError("no such module: fts5")
            return super().execute(sql, *parameters)

    with pytest.raises(
        sqlite3.OperationalError, match="^no such module: fts9$"
    ):  # the words of the double are SQLite's
        sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE texts USING fts9(text)")
    SqliteFTS5(PAGES, path).close()
    connect = sqlite3.connect
    monkeypatch.setattr(
        full_text.sqlite3, "connect", lambda *given, **options: connect(*given, factory=Without, **options)
    )
    for needed in ({"corpus": PAGES}, {"path": path}):
        with pytest.raises(RuntimeError, match="has no FTS5; use"):
            SqliteFTS5(**needed)
    monkeypatch.setattr(full_text, "sqlite3", None)
    with pytest.raises(RuntimeError, match="has no FTS5; use"):
        SqliteFTS5(PAGES)


def test_a_file_that_is_written_over_while_it_is_open_is_named(tmp_path):
    one, other = tmp_path / "one.sqlite", tmp_path / "other.sqlite"
    retriever = SqliteFTS5({"d1": "cat", "d2": "dog"}, one)
    SqliteFTS5({f"d{number}": f"cat x{number}" for number in range(500)}, other).close()
    with open(one, "r+b") as file:
        file.write(other.read_bytes())
    with pytest.raises(ValueError, match="the index cannot be read any more.* Write and open it again"):
        retriever.search({"q": "cat"})


# Trigrams of a word that is longer than every document


def letters_of(seed, n):
    return "".join(random.Random(seed).choices("ab\u0301", k=n))


LONG_DOCUMENTS = {f"d{n}": letters_of(n, 1000 + 50 * n) for n in range(8)}
LONG_WORD = st.one_of(
    st.builds(lambda n, start: LONG_DOCUMENTS[f"d{n}"][start:], st.integers(0, 7), st.integers(0, 400)),
    st.builds(letters_of, st.integers(0, 9), st.integers(990, 1400)),
    st.text("abc", max_size=6),
)


@pytest.mark.parametrize("strict", [False, True])
@given(words=st.lists(LONG_WORD, min_size=1, max_size=3))
def test_the_words_that_are_not_looked_for_are_in_no_document(strict, words):
    retriever = SqliteFTS5(LONG_DOCUMENTS, tokenizer="trigram")
    query = " ".join(words)
    scored = full_text.scores(retriever._index, query, len(LONG_DOCUMENTS), strict)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(full_text, "_is_too_long", lambda connection, term: False)
        assert (
            scored.tolist() == full_text.scores(retriever._index, query, len(LONG_DOCUMENTS), strict).tolist()
        )


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("quoted", ["{}", '"{}"'])
def test_a_million_letters_without_a_blank_hang_no_search_by_trigrams(strict, quoted):
    retriever = SqliteFTS5({f"d{n}": "a" * 1000 for n in range(50)}, tokenizer="trigram", strict=strict)
    began = time.process_time()
    assert found(retriever, quoted.format("a" * 1_000_000)) == []
    assert time.process_time() - began < HANGS
    retriever.close()
    with pytest.raises(ValueError, match="the index was closed"):
        found(retriever, "a" * 2000)


def test_a_file_of_something_else_is_never_replaced_by_an_index(tmp_path):
    (tmp_path / "notes.txt").write_text("notes")
    with sqlite3.connect(tmp_path / "app.db") as other:
        other.execute("CREATE TABLE users (name)")
    other.close()
    for name, what in {"notes.txt": "no index", "app.db": "an SQLite database, but no index"}.items():
        before = (tmp_path / name).read_bytes()
        with pytest.raises(ValueError, match=f"{name} is {what} of this package, and would be lost"):
            SqliteFTS5(PAGES, tmp_path / name)
        assert (tmp_path / name).read_bytes() == before


def test_an_empty_file_and_an_index_of_another_format_are_replaced(path):
    path.parent.mkdir(exist_ok=True)
    path.touch()
    written = full_text.build(path, PAGES).read_bytes()
    older = bytearray(written)
    older[68:72] = (full_text.APPLICATION_ID - 1).to_bytes(4, "big")
    path.write_bytes(older)
    assert full_text.build(path, PAGES).read_bytes() == written
