"""A report as a page and as Markdown: complete, in order, gold apart from synthetic, no text is markup."""

import json
import re

import mistune
import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.reports.models import EvaluationReport
from workbench.reports.rendering import as_html, as_markdown
from workbench.reports.summary import rank_bins, rank_counts, rows_of
from workbench.snapshots.manifest import id_of

PRINT = "sha256:" + "a" * 64
HOSTILE = (
    """"><script>alert(1)</script><img src=http://x.example onerror='x'>&lt;b&gt; """
    "| `*_$`\n# h {{ 7 * 7 }} {% raw %} ](http://y)"
)
SAFE_TAGS = set(
    "html head meta title style body header h1 span p code time nav a main section h2 ul li div h3 dl dt dd "
    "strong b figure figcaption table thead tbody tr th td details summary svg line circle ol mark "
    "footer wbr".split()
)


def item(rank, text, expected=False, item_id="d1#0", source_uri="d1.md"):
    found = {"rank": rank, "start": 0, "end": len(text), "score": 1.5}
    return found | {
        "item_id": item_id,
        "doc_id": "d1",
        "source_uri": source_uri,
        "text": text,
        "expected": expected,
    }


def cut(rank, expected=False, item_id="d9"):
    reason = {"reason": "max_items_per_source", "expected": expected}
    return {"rank": rank, "item_id": item_id, "doc_id": "d9", "source_uri": "d9.md", "score": 0.5} | reason


def row(query_id, rank=None, kind="gold", text="disk full", items=None, **changed):
    items = (
        [item(at, "the disk is full", at == rank) for at in range(1, (rank or 2) + 1)]
        if items is None
        else items
    )
    facts = {
        "query_id": query_id,
        "query_text": text,
        "kind": kind,
        "expected_item_id": "d1#0",
        "expected_source_uri": None,
    }
    why = {"cause": None if rank else "ranked too low", "explanation": "Because.", "candidate_rank": 7}
    return facts | why | {"rank": rank, "items": items, "cut": []} | changed


def report(*rows, t=str, queries=None, **changed):
    """A report of these rows, each a query unless `queries` says otherwise; `t` is put around every text."""
    counts = {kind: sum(one["kind"] == kind for one in rows) for kind in ("gold", "synthetic")}
    found = {one["query_id"]: one for one in rows}
    together = {name for several in (queries or {}).values() for name in several}
    queries = {name: [name] for name in found if name not in together} | (queries or {})
    per_query = {
        name: {
            "kind": found[own[0]]["kind"],
            "query_text": t("q"),
            "rows": own,
            "judged": False,
            "grades": {t("d1"): 1},
            "metrics": {t("nDCG@10"): 0.5},
        }
        for name, own in queries.items()
    }
    corpus = {"name": t("toy"), "fingerprint": PRINT, "documents": 5}
    manifest = {
        "corpus": corpus,
        "chunker": {"name": t("none"), "chunk_size": None},
        "analyzer": t("plain"),
        "backend": t("csr-bm25"),
        "parameters": {t("k1"): 0.9},
        "items": 5,
        "items_fingerprint": PRINT,
        "index_fingerprint": None,
        "versions": {t("numpy"): t("2.0")},
        "created": "2025-01-01T00:00:00.000000+00:00",
    }
    manifest["snapshot_id"] = id_of(manifest)
    about = {
        "name": t("runbooks"),
        "description": t("A toy."),
        "schema_version": 1,
        "fingerprint": t("f"),
        "queries": len(rows),
    }
    hits = {kind: sum(one["rank"] is not None for one in rows if one["kind"] == kind) for kind in counts}
    means = {
        kind: {"hit_rate": hits[kind] / n, t("nDCG@10"): 0.5} if n else None for kind, n in counts.items()
    }
    return EvaluationReport.model_validate(
        {
            "dataset": about | counts,
            "corpus": corpus,
            "backend_id": t("csr-bm25"),
            "snapshot_id": manifest["snapshot_id"],
            "snapshot": manifest,
            "budget": {
                "max_total_items": 5,
                "maximum_total_characters": 2000,
                "max_items_per_source": None,
                "offset": 0,
            },
            "evaluated_at": t("2025-01-01T00:00:00Z"),
            "conventions": t("as trec_eval"),
            "metrics": means["gold"],
            "synthetic_metrics": means["synthetic"],
            "per_query": per_query,
            "system": {
                "average_latency_milliseconds": 1.25,
                "percentile_95_latency_milliseconds": 2.5,
                "index_bytes": 1234,
            },
            "evidence": list(rows),
            "warnings": [t("stale ids")],
        }
        | changed
    )


def wrapped(t):
    """A report in which every text that anyone can choose has gone through `t`."""
    found = item(1, t("a text"), True, t("d1#0"), t("d1.md"))
    return report(
        row(
            t("q1"),
            1,
            text=t("a query"),
            items=[found],
            explanation=t("Because."),
            expected_item_id=t("d1#0"),
        ),
        row(
            t("q2"),
            text=t("another"),
            explanation=t("Because."),
            expected_item_id=None,
            expected_source_uri=t("a.md"),
            cut=[cut(3, item_id=t("d9"))],
        ),
        row(t("q3"), kind="synthetic", text=t("made"), items=[]),
        t=t,
    )


def hostile(text):
    return text + HOSTILE


def read(report):
    return BeautifulSoup(as_html(report), "html.parser")


def tags(soup):
    return [tag.name for tag in soup.find_all() if tag.name not in ("mark", "wbr")]


def test_no_text_of_a_report_becomes_markup():
    soup = read(wrapped(hostile))
    assert tags(soup) == tags(read(wrapped(str)))
    assert {tag.name for tag in soup.find_all()} <= SAFE_TAGS
    assert not [
        name for tag in soup.find_all() for name in tag.attrs if name.startswith("on") or name == "src"
    ]


def test_hostile_text_is_read_as_it_was_written():
    text = " ".join(read(wrapped(hostile)).get_text().split())
    for one in (
        "a query",
        "another",
        "made",
        "Because.",
        "stale ids",
        "A toy.",
        "d9",
        "a text",
        "as trec_eval",
        "a.md",
        "d1.md",
    ):
        assert " ".join(hostile(one).split()) in text


@settings(max_examples=25, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_no_text_at_all_changes_what_the_page_is_made_of(text):
    assert tags(read(wrapped(lambda one: one + text))) == tags(read(wrapped(str)))


def test_the_page_loads_nothing_and_runs_nothing():
    html = as_html(wrapped(hostile))
    soup = BeautifulSoup(html, "html.parser")
    assert {tag["href"][0] for tag in soup.find_all(href=True)} == {"#"}
    assert not soup.find_all(
        ["script", "link", "img", "iframe", "object", "embed", "form", "base", "video", "audio"]
    )
    assert not re.search(r"url\(|@import|@font-face|https?:", soup.style.string)
    policy = soup.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_the_page_has_what_a_reader_and_a_screen_reader_need():
    soup = read(wrapped(str))
    assert as_html(wrapped(str)).startswith("<!DOCTYPE html>")
    assert soup.html["lang"] == "en"
    assert soup.find("meta", charset="utf-8")
    assert soup.find("meta", {"name": "viewport"})["content"].startswith("width=device-width")
    assert soup.title.string == "Retrieval report: runbooks, csr-bm25"
    assert [strip["aria-label"] for strip in soup.find_all("svg")] == ["found at rank 1 of 5"]


def test_headings_are_in_order_and_links_inside_lead_somewhere():
    soup = read(wrapped(str))
    levels = [int(tag.name[1]) for tag in soup.find_all(["h1", "h2", "h3"])]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    ids = [tag["id"] for tag in soup.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert {tag["href"][1:] for tag in soup.find_all("a")} <= set(ids)


def test_the_five_things_stand_at_the_top_with_the_warnings():
    soup = read(report(row("q1", 1)))
    sections = soup.main.find_all("section", recursive=False)
    assert "stale ids" in sections[0].get_text()
    assert [title.get_text() for title in sections[1].find_all("h3")] == [
        "Corpus",
        "Snapshot",
        "Backend",
        "Dataset",
        "Budget",
    ]
    facts = {title.get_text(): title.find_next("dd").get_text() for title in sections[1].find_all("dt")}
    assert (facts["maximum_total_characters"], facts["max_items_per_source"]) == ("2,000", "no limit")
    assert (facts["parameters"], facts["chunker"]) == ("k1 = 0.9", "name = none")


def test_gold_and_synthetic_rows_stand_apart():
    soup = read(report(row("g1", 1), row("s1", kind="synthetic"), row("g2")))
    gold, synthetic = soup.find(id="gold"), soup.find(id="synthetic")
    assert gold.h2.get_text() == "Gold: 1 of 2 rows found"
    assert synthetic.h2.get_text() == "Synthetic: 0 of 1 row found"
    assert "s1" not in gold.get_text() and "g1" not in synthetic.get_text()
    assert "never mixed" in synthetic.get_text()


def test_a_report_without_gold_rows_says_so():
    synthetic = report(row("s1", 1, kind="synthetic"))
    assert "nothing on this page says how good the system is" in read(synthetic).get_text()
    assert "## No gold rows" in as_markdown(synthetic)


def test_queries_stand_by_how_much_was_found_the_worst_first_and_each_once():
    part = [row("q3-1", 2), row("q3-2", expected_item_id="d5")]
    soup = read(report(row("q1", 1), row("q2"), *part, queries={"q3": ["q3-1", "q3-2"]}))
    titles = [tag.get_text() for tag in soup.find(id="gold").find_all("h3")]
    assert titles == ["All metrics", "Nothing found: 1 query", "Part found: 1 query", "All found: 1 query"]
    queries = soup.find_all("details", "query")
    assert [query.find("code").get_text() for query in queries] == ["q2", "q3", "q1"]
    assert [query.summary.find(class_="badge").get_text() for query in queries] == [
        "ranked too low",
        "1 of 2 found",
        "rank 1",
    ]


def test_a_query_of_several_rows_shows_its_evidence_once_and_every_rows_outcome():
    kept = [[item(1, "disk", at == 1), item(2, "full", at == 2), item(3, "net")] for at in (1, 2)]
    rows = [row("q1-1", 1, items=kept[0], cut=[cut(9)]), row("q1-2", 2, items=kept[1], cut=[cut(9, True)])]
    query = read(report(*rows, queries={"q1": ["q1-1", "q1-2"]})).find("details", "query")
    assert ["expected" in one["class"] for one in query.find_all("li", "item")] == [True, True, False]
    assert [one.find(class_="badge").get_text() for one in query.find("ul", "rows").find_all("li")] == [
        "rank 1",
        "rank 2",
    ]
    assert query.svg["aria-label"] == "found at rank 1, 2 of 5"
    assert len(query.find("details", "cut").find_all("li")) == 1
    assert query.find("details", "cut").find(class_="badge").get_text() == "expected"


def test_a_row_shows_its_items_their_sources_and_which_was_expected():
    soup = read(report(row("q1", 2)))
    first, second = soup.find_all("li", "item")
    assert "expected" not in first["class"] and "expected" in second["class"]
    assert "score 1.5, characters 0 to 16 of d1.md" in first.get_text()
    assert [mark.get_text() for mark in first.find_all("mark")] == ["disk", "full"]


def test_a_long_text_is_cut_for_show_and_says_what_is_missing():
    long = "word " * 400
    soup = read(report(row("q1", 1, items=[item(1, long, True) | {"end": 6000}])))
    excerpt, rest = soup.find_all("p", "text")
    assert long.startswith(excerpt.get_text() + rest.get_text())
    assert len(excerpt.get_text() + rest.get_text()) == 2000
    assert "4,000 characters are not shown" in soup.get_text()


def test_a_long_word_without_a_space_is_shown_too():
    soup = read(report(row("q1", 1, items=[item(1, "x" * 1000, True)])))
    assert [len(tag.get_text()) for tag in soup.find_all("p", "text")] == [320, 680]


def test_what_was_cut_is_counted_and_the_expected_item_is_always_named():
    soup = read(report(row("q1", cut=[cut(rank) for rank in range(1, 40)] + [cut(40, True, "wanted")])))
    block = soup.find("details", "cut")
    assert block.summary.get_text() == "Cut by the budget: 40 candidates"
    assert "candidate 40, wanted, by max_items_per_source expected" in " ".join(block.get_text().split())
    assert "and 29 more" in block.get_text()


def test_bars_count_the_rows_at_each_rank_and_for_each_cause():
    soup = read(report(row("q1", 1), row("q2", 1), row("q3", 4), row("q4")))
    ranks, causes = (
        [[cell.get_text() for cell in bar.find_all(["th", "td"])] for bar in f.find_all("tr")]
        for f in soup("figure")
    )
    assert [(name, count) for name, _, count in ranks] == [
        ("1", "2"),
        ("2", "0"),
        ("3", "0"),
        ("4", "1"),
        ("5", "0"),
        ("missed", "1"),
    ]
    assert [(name, count) for name, _, count in causes] == [("ranked too low", "1")]
    assert [bar["style"] for bar in soup.figure.find_all("div", "bar")][:2] == [
        "width: 100.0%",
        "width: 0.0%",
    ]


@given(st.integers(1, 3000))
def test_every_rank_up_to_the_budget_is_in_one_bin(most):
    bins = rank_bins(most)
    assert [rank for _, low, high in bins for rank in range(low, high + 1)] == list(range(1, most + 1))


def test_counts_by_rank_are_of_all_rows():
    rows = rows_of(report(row("q1", 3), row("q2"), row("s1", 1, kind="synthetic")), "gold")
    assert rank_counts(rows, 5) == {"1": 0, "2": 0, "3": 1, "4": 0, "5": 0, "missed": 1}


def test_the_same_report_gives_the_same_page_also_after_json():
    found = wrapped(hostile)
    again = EvaluationReport.model_validate_json(json.dumps(found.model_dump(mode="json")))
    assert as_html(again) == as_html(found)
    assert as_markdown(again) == as_markdown(found)


def as_read(markdown):
    """Markdown as an independent reader of it makes HTML, with raw HTML let through."""
    return BeautifulSoup(mistune.create_markdown(escape=False, plugins=["table"])(markdown), "html.parser")


def test_no_text_becomes_markup_in_markdown():
    soup, harmless = as_read(as_markdown(wrapped(hostile))), as_read(as_markdown(wrapped(str)))
    assert tags(soup) == tags(harmless)
    assert not soup.find_all(["script", "img", "a", "em"])


def test_hostile_text_is_read_in_markdown_as_it_was_written():
    text = " ".join(as_read(as_markdown(wrapped(hostile))).get_text().split())
    for one in ("a query", "another", "made", "Because.", "stale ids", "A toy.", "as trec_eval", "a.md"):
        assert " ".join(hostile(one).split()) in text


def test_markdown_names_the_five_things_every_row_and_what_queries_with_a_miss_found():
    text = as_markdown(report(row("q1", 1), row("q2"), row("s1", 1, kind="synthetic")))
    assert re.findall(r"^\| (\w+) \| ", text, re.MULTILINE)[:5] == [
        "Corpus",
        "Snapshot",
        "Backend",
        "Dataset",
        "Budget",
    ]
    assert "## Gold: 1 of 2 rows found" in text and "## Synthetic: 1 of 1 row found" in text
    assert (
        "| q1 | disk full | d1#0 | rank 1 |" in text and "| q2 | disk full | d1#0 | ranked too low |" in text
    )
    assert (
        "#### q2: disk full\n\n- d1#0: ranked too low. Because.\n\n| rank | item | expected | score | text |"
        in text
    )
    assert text.endswith("\n") and "\n\n\n" not in text


def test_a_row_that_found_nothing_has_no_empty_table():
    found = report(row("q1", items=[], cause="not retrieved"))
    assert "| rank | item |" not in as_markdown(found)
    assert "Nothing came back for this query within the budget." in read(found).get_text()


@pytest.mark.parametrize("render", [as_html, as_markdown])
def test_latency_and_size_are_shown(render):
    assert all(text in render(report(row("q1", 1))) for text in ("1.25 ms", "2.50 ms", "1,234"))
