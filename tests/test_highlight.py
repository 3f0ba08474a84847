"""Marked text says what the analyzer matched and does no harm; a table says the ledger's numbers."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.failures.highlight import BAR_BLUE, BAR_ORANGE, highlight, ledger_table
from helpers.retrieval.ledger import explain, why_above
from helpers.retrieval.retrievers import CsrBM25, RankBM25
from helpers.text.analyzers import ANALYZERS, lucene_english, plain

CORPUS = {"d1": "pod killed", "d2": "the pod of a pod", "d3": "disk full", "d4": "the disk of the pod"}
TEXTS = st.lists(
    st.sampled_from(
        [
            "crash",
            "Crashes",
            "IL-6",
            "3.7",
            "can't",
            "東京都",
            "é",
            "e\u0301",
            "<b>",
            '"x"',
            "&amp;",
            "'s",
            " ",
            "\n",
            "/",
            "🙂",
        ]
    )
).map("".join)


def marked(text, query, analyzer=lucene_english):
    return [
        unescape(word)
        for word in re.findall("<mark>(.*?)</mark>", highlight(text, query, analyzer), re.DOTALL)
    ]


@given(TEXTS, TEXTS, st.sampled_from(list(ANALYZERS.values())))
def test_without_its_marks_the_html_is_the_escaped_text(text, query, analyzer):
    html = highlight(text, query, analyzer)
    bare = html.replace("<mark>", "").replace("</mark>", "")
    assert unescape(bare) == text
    assert not set(bare) & set("<>\"'")


@given(TEXTS, TEXTS, st.sampled_from(list(ANALYZERS.values())))
def test_every_mark_has_a_term_of_the_query_and_every_common_term_a_mark(text, query, analyzer):
    words = marked(text, query, analyzer)
    asked = set(analyzer(query))
    assert all(asked & set(analyzer(word)) for word in words)
    assert asked & set(analyzer(text)) == asked & {term for word in words for term in analyzer(word)}


def test_a_stemmed_match_is_marked():
    assert marked("It crashes. A crash, crashing!", "crashed") == ["crashes", "crash", "crashing"]
    assert marked("It crashes. A crash.", "crash", plain) == ["crash"]


def test_stopwords_are_marked_only_by_an_analyzer_that_keeps_them():
    assert marked("the pod", "the pods") == ["pod"]
    assert marked("the pod", "the pods", plain) == ["the"]


@pytest.mark.parametrize(
    ("text", "query", "analyzer", "words"),
    [
        ("(IL-6)", "il", plain, ["IL"]),
        ("(IL-6)", "IL-6", lucene_english, ["IL", "6"]),
        ("3.7 mg", "3", lucene_english, []),
        ("3.7/IL-6", "3.7 il", lucene_english, ["3.7", "IL"]),
        ("3.7 mg", "3", plain, ["3"]),
        ("the patient's", "patients", lucene_english, ["patient's"]),
        ("v2.x-deploy", "deploy", lucene_english, ["deploy"]),
    ],
)
def test_a_word_is_what_the_analyzer_makes_a_term_of(text, query, analyzer, words):
    assert marked(text, query, analyzer) == words


def test_words_of_any_script_are_found():
    assert marked("東京都の天気", "京") == ["京"]
    assert marked("Größe: ÜBER 5", "über", plain) == ["ÜBER"]
    assert marked("cafe\u0301s 🙂", "🙂 cafe\u0301s") == ["cafe\u0301s", "🙂"]


def test_an_analyzer_of_one_s_own_is_enough():
    def trigrams(text):
        return [word[i : i + 3] for word in text.lower().split() for i in range(len(word) - 2)]

    assert marked("Crash of pods", "rash", trigrams) == ["Crash"]


def test_a_script_in_a_document_is_harmless():
    html = highlight("<script>alert('pod')</script> & \"pod\"", "pod", plain)
    assert html == (
        "&lt;script&gt;alert(&#x27;<mark>pod</mark>&#x27;)&lt;/script&gt; &amp; &quot;<mark>pod</mark>&quot;"
    )


def test_a_query_without_terms_marks_nothing():
    assert highlight("pod & disk", "?!", plain) == "pod &amp; disk"
    assert highlight("", "pod", plain) == ""


class Table(HTMLParser):
    """The cells of a table by row, and the style of each bar; every tag must close."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.bars, self.open = [], [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open += [] if tag == "br" else [tag]
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
        if tag == "div" and "td" in self.open:
            self.bars.append(dict(attrs)["style"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"th", "td"} & set(self.open):
            self.rows[-1][-1] += data


def width(bar):
    return float(re.search(r"width:([\d.]+)%", bar)[1])


def test_a_table_says_the_ledger_and_its_total():
    frame = explain(CsrBM25(CORPUS), "killed pods", "d1")
    table = ledger_table(frame)
    rows = Table(table._repr_html_()).rows
    assert rows[0] == ["term", "score", "", "in query", "tf", "df", "idf", "weight"]
    assert [row[0] for row in rows[1:]] == ["kill", "pod", "total"]
    assert [row[1] for row in rows[1:]] == [
        f"{value:.3f}" for value in (*frame["score"], frame["score"].sum())
    ]
    assert rows[1][3:6] == ["1", "1", "1"]
    for row in rows:
        assert " ".join(row).split() == [word for word in _line(table, row[0]).split() if "█" not in word]


def _line(table, start):
    return next(line for line in repr(table).splitlines() if line.startswith(start))


def test_a_bar_is_as_long_as_its_share_of_the_largest_score():
    frame = explain(CsrBM25(CORPUS), "killed pods", "d1")
    bars = Table(ledger_table(frame)._repr_html_()).bars
    assert [width(bar) for bar in bars] == pytest.approx(
        [100, 100 * frame["score"].iloc[1] / frame["score"].iloc[0]], abs=0.1
    )
    assert all("margin-left:0.0%" in bar and BAR_BLUE in bar for bar in bars)


def test_what_favours_the_other_document_is_orange_and_goes_to_the_left():
    frame = why_above(CsrBM25(CORPUS), "killed pods", "d1", "d2")
    right, left = Table(ledger_table(frame)._repr_html_()).bars
    assert (BAR_BLUE in right, BAR_ORANGE in left) == (True, True)
    assert "margin-left:0.0%" in left
    assert f"margin-left:{width(left)}%" in right  # the first begins at the zero where the second ends
    assert width(right) + width(left) == pytest.approx(100, abs=0.1)
    assert re.search(r"kill +0\.\d+ +█+ ", repr(ledger_table(frame)))
    assert re.search(r"pod +-0\.\d+ +░+ ", repr(ledger_table(frame)))


def test_a_negative_score_goes_to_the_left():
    # In three of four documents, with no term rare enough to lift the mean: rank-bm25's floor is below zero.
    retriever = RankBM25({f"d{i}": "pod" for i in range(3)})
    frame = explain(retriever, "pod", "d0")
    assert frame["score"].iloc[0] < 0
    assert BAR_ORANGE in Table(ledger_table(frame)._repr_html_()).bars[0]


def test_terms_left_out_become_a_row_so_that_the_total_stays():
    frame = explain(CsrBM25(CORPUS), "the killed pods of a disk", "d1")
    rows = Table(ledger_table(frame.head(1))._repr_html_()).rows
    assert [row[0] for row in rows] == ["term", "kill", "other terms", "total"]
    assert float(rows[1][1]) + float(rows[2][1]) == pytest.approx(float(rows[3][1]), abs=0.0011)
    assert "other terms" not in repr(ledger_table(frame.round(3)))


def test_nothing_of_a_query_or_an_id_is_html():
    corpus = {"<i>1": "<b> x", "d2": "y"}
    retriever = CsrBM25(corpus, str.split)
    for frame in (
        explain(retriever, "<b> <script>", "<i>1"),
        why_above(retriever, "<b> <script>", "<i>1", "d2"),
    ):
        html = ledger_table(frame)._repr_html_()
        assert not re.search("<(b|i|script)>(?!\\d)", html)
        assert "&lt;script&gt;" in html


def test_no_style_sheet_is_needed():
    html = ledger_table(explain(CsrBM25(CORPUS), "pod", "d1"))._repr_html_()
    assert "<style" not in html
    assert "class=" not in html


def test_an_empty_ledger_is_a_table_with_a_total_of_zero():
    retriever = CsrBM25(CORPUS)
    for frame in (explain(retriever, "!", "d1"), why_above(retriever, "!", "d1", "d2")):
        assert Table(ledger_table(frame)._repr_html_()).rows[-1][:2] == ["total", "0.000"]


def test_a_frame_that_is_no_ledger_is_refused():
    frame = explain(CsrBM25(CORPUS), "pod", "d1")
    with pytest.raises(ValueError, match="needed the frame as explain or why_above gave it"):
        ledger_table(frame[["tf", "score"]])
    frame.attrs = {}
    with pytest.raises(ValueError, match=r"attrs \[\]"):
        ledger_table(frame)


def test_a_long_piece_of_joined_numbers_is_read_a_bounded_number_of_times():
    read = []

    def analyzer(text):
        read.append(len(text))
        return lucene_english(text)

    text = '{"pod":' + "1.2," * 1000 + "}"
    html = highlight(text, "pod", analyzer)
    assert html.replace("<mark>pod</mark>", "pod") == text.replace('"', "&quot;") and "<mark>" in html
    assert sum(read) < 500 * len(text)  # 2,000 times without a bound, and more the longer it is


def test_what_is_no_text_cannot_be_marked():
    with pytest.raises(ValueError, match="the text is a NoneType, the query a str"):
        highlight(None, "pod", plain)
