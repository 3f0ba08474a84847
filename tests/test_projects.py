"""A project of one's own documents: made in one step, labelled without a loss, measured and gated."""

import os
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbclient import NotebookClient
from small_project import said_of

from helpers.base import files
from helpers.datasets import QUERY_KINDS
from helpers.text.analyzers import plain
from workbench.corpus.corpus_folder import CorpusFolder
from workbench.corpus.formats import SourceDocument
from workbench.dataset_files.dataset_file import load_dataset
from workbench.labelling import pool_systems
from workbench.labelling.judgment_files import JUDGMENTS_FILE, QUERIES_FILE
from workbench.labelling.labelling import Labelling
from workbench.projects import baseline_system, keep_baseline, new
from workbench.projects.drafts import draft_queries
from workbench.projects.new import new_project
from workbench.reports.evaluate_run import evaluate_run
from workbench.reports.models import load_report
from workbench.snapshots.snapshot import build_snapshot

PAGES = {
    "doors.md": ("Doors", "The key opens the door. Ask the porter for the key."),
    "fire.md": ("Fire", "Leave the house by the stairs and call the brigade."),
    "lunch.md": ("Lunch", "Soup is served at noon.\nThe cook makes the soup."),
    "rooms.md": ("Rooms", "Book a room with the porter. The key hangs at the desk."),
    "winter.md": ("Winter", "Close the windows. Salt lies in the cellar."),
}


@pytest.fixture
def project(tmp_path):
    """A folder with a corpus of five pages and nothing else that labelling needs."""
    pages = [SourceDocument(doc_id, title, text, doc_id) for doc_id, (title, text) in PAGES.items()]
    CorpusFolder.init(tmp_path / "house" / "corpus", name="house").add(pages)
    return tmp_path / "house"


@pytest.fixture
def docs(tmp_path):
    """The same pages as files."""
    (tmp_path / "docs").mkdir()
    for name, (title, text) in PAGES.items():
        (tmp_path / "docs" / name).write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    return tmp_path / "docs"


class Fixed:
    """A system that gives the same documents for every query, best first."""

    def __init__(self, *doc_ids):
        self.doc_ids = doc_ids

    def search(self, queries, k):
        return {
            query_id: [(doc_id, 9.0 - i) for i, doc_id in enumerate(self.doc_ids[:k])] for query_id in queries
        }


# Labelling


@given(st.lists(st.permutations(list(PAGES)), min_size=1, max_size=4), st.integers(1, 5), st.randoms())
def test_a_pool_is_what_any_system_has_in_its_first_k_and_its_order_knows_no_system(rankings, k, random):
    def pooled(rankings):
        systems = pool_systems.PoolSystems(None, k, {})
        systems.retrievers = {str(i): Fixed(*ranking) for i, ranking in enumerate(rankings)}
        return systems.pooled("q1", "?")

    assert pooled(rankings) == sorted({doc_id for ranking in rankings for doc_id in ranking[:k]})
    assert pooled(random.sample(rankings, len(rankings))) == pooled(rankings)


def test_a_pool_says_of_each_document_how_it_opens_and_not_who_found_it(project):
    lab = Labelling(project)
    pool = lab.pool(lab.add_query("porter's key"))
    assert list(pool.columns) == ["doc_id", "title", "excerpt", "grade", "before"]
    assert pool.values.tolist()[0] == ["doors.md", "Doors", PAGES["doors.md"][1], "", ""]
    assert list(pool["doc_id"]) == sorted(pool["doc_id"]) and "rooms.md" in set(pool["doc_id"])


def test_a_long_document_is_cut_between_words_in_its_excerpt(project):
    CorpusFolder.open(project / "corpus").add(
        [SourceDocument("long.md", "Long", "porters " * 500, "long.md")]
    )
    lab = Labelling(project)
    excerpt = lab.pool(lab.add_query("porters")).set_index("doc_id").loc["long.md", "excerpt"]
    assert excerpt == "porters " * 19 + "porters …"


def test_judgments_are_there_after_a_restart(project):
    lab = Labelling(project)
    query_id = lab.add_query("where is the key?")
    lab.judge(query_id, "doors.md", 2, "porter for the key")
    again = Labelling(project)
    assert again.pool(query_id).set_index("doc_id").loc["doors.md", "grade"] == 2
    assert again.labels()[0].judgments[0].quote == "porter for the key"


def test_a_write_that_is_interrupted_costs_no_judgment(project, monkeypatch):
    lab = Labelling(project)
    lab.judge(lab.add_query("where is the key?"), "doors.md", 2)
    before = (project / JUDGMENTS_FILE).read_bytes()
    write_text = type(project).write_text

    def interrupted(path, text, **options):
        write_text(path, text[: len(text) // 2], **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(project), "write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lab.judge("q01", "rooms.md", 1)
    monkeypatch.undo()
    assert (project / JUDGMENTS_FILE).read_bytes() == before
    assert len(Labelling(project).verdicts()) == 1
    assert sorted(path.name for path in project.iterdir()) == ["corpus", JUDGMENTS_FILE, QUERIES_FILE]


def test_a_program_killed_in_the_middle_of_a_write_leaves_the_judgments_before_it(project):
    lab = Labelling(project)
    lab.judge(lab.add_query("where is the key?"), "doors.md", 2)
    # What such a program leaves behind:
    (project / f".{JUDGMENTS_FILE}.0.partial").write_text('{"query_id": "q0')
    assert list(Labelling(project).verdicts()) == [("q01", "doors.md")]


def test_two_open_notebooks_do_not_write_over_each_other(project):
    one, other = Labelling(project), Labelling(project)
    assert [one.add_query("where is the key?"), other.add_query("when is lunch?")] == ["q01", "q02"]
    one.judge("q02", "lunch.md", 2)
    other.judge("q01", "doors.md", 1)
    assert len(one.verdicts()) == len(other.verdicts()) == 2


def test_the_later_judgment_replaces_the_earlier_one(project):
    lab = Labelling(project)
    lab.add_query("where is the key?")
    lab.judge("q01", "rooms.md", 2)
    lab.judge("q01", "rooms.md", 0)
    assert {pair: verdict.grade for pair, verdict in lab.verdicts().items()} == {("q01", "rooms.md"): 0}


def test_a_quote_may_differ_in_blanks_only_and_is_saved_as_it_stands(project):
    lab = Labelling(project)
    lab.add_query("when is lunch?")
    lab.judge("q01", "lunch.md", 2, "at noon. The  cook")
    assert lab.verdicts()["q01", "lunch.md"].quote == "at noon.\nThe cook"
    with pytest.raises(ValueError, match="'at one o'clock'|\"at one o'clock\" does not stand in 'lunch.md'"):
        lab.judge("q01", "lunch.md", 2, "at one o'clock")


@pytest.mark.parametrize("grade", [3, -1, True, "2", 2.0, None])
def test_a_grade_is_two_one_or_zero(project, grade):
    lab = Labelling(project)
    lab.add_query("when is lunch?")
    with pytest.raises(ValueError, match="needed 2 .answers the query., 1 .helps. or 0"):
        lab.judge("q01", "lunch.md", grade)
    assert not (project / JUDGMENTS_FILE).exists()


def test_a_line_that_was_copied_and_not_filled_in_is_no_judgment(project):
    lab = Labelling(project)
    lab.add_query("when is lunch?")
    with pytest.raises(ValueError, match="grade of 'lunch.md' is still three dots"):
        eval(next(line for line in lab.read().lines().splitlines() if "lunch.md" in line))


def test_a_copied_line_takes_a_quote_with_line_breaks_quotation_marks_and_backslashes(project):
    words = "It's in \"C:\\new\\users\".\nAsk 'them'."
    CorpusFolder.open(project / "corpus").add(
        [SourceDocument('an"odd.md', "Odd", f"Before. {words} After.", "odd.md")]
    )
    lab = Labelling(project)
    lab.add_query("them")
    line = next(line for line in lab.read().lines().splitlines() if "odd" in line)
    eval(line.replace("...", "2").replace('""" """', f'""" {words} """'))
    assert lab.labels()[0].judgments[0].quote == words


def test_words_are_found_in_a_long_document_with_what_is_around_them(project):
    text = "soup " * 5000 + "The  spare\nKEY is here. " + "soup " * 5000
    CorpusFolder.open(project / "corpus").add([SourceDocument("long.md", "Long", text, "long.md")])
    lab = Labelling(project)
    found = lab.find("long.md", "spare key")
    assert (
        found.count("\n") == 0
        and "soup The spare KEY is here. soup" in found
        and found[0] == found[-1] == "…"
    )
    assert len(lab.find("long.md", "soup").split("\n\n")) == 11  # ten passages, and how many there are
    assert "10,000 times" in lab.find("long.md", "soup")
    assert lab.find("long.md", "porter") == "'porter' does not stand there"
    with pytest.raises(ValueError, match="no document 'lnog.md'; did you mean 'long.md'"):
        lab.find("lnog.md", "soup")
    with pytest.raises(ValueError, match="at least one"):
        lab.find("long.md", " ")


def test_an_unknown_document_is_refused_with_those_of_a_similar_name(project):
    lab = Labelling(project)
    lab.add_query("when is lunch?")
    with pytest.raises(ValueError, match="no document 'lunhc.md'; did you mean 'lunch.md'"):
        lab.judge("q01", "lunhc.md", 2)
    with pytest.raises(ValueError, match="no query 'q9'; queries.jsonl has q01"):
        lab.judge("q9", "lunch.md", 2)


def test_the_same_question_is_added_once_and_a_number_is_never_given_twice(project):
    lab = Labelling(project)
    assert [lab.add_query(text) for text in ("Where is it?", "who?", " where  is it? ")] == [
        "q01",
        "q02",
        "q01",
    ]
    lab.judge("q02", "doors.md", 1)
    (project / QUERIES_FILE).write_text((project / QUERIES_FILE).read_text().splitlines()[0] + "\n")
    assert lab.add_query("a third one") == "q03"  # q02 would get the judgments of a question that is gone


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [(" ", "question", "what somebody would type"), ("a", "gold", "kind is 'gold'")],
)
def test_a_query_needs_words_and_a_kind(project, text, kind, message):
    with pytest.raises(ValueError, match=message):
        Labelling(project).add_query(text, kind)


def test_all_that_is_wrong_in_a_file_is_said_with_its_line(project):
    (project / JUDGMENTS_FILE).write_text(
        '{"query_id": "q01", "doc_id": "doors.md", "grade": 5}\n\nnonsense\n'
        '{"query_id": "q01", "doc_id": "a", "grade": 1}\n{"query_id": "q01", "doc_id": "a", "grade": 2}\n'
    )
    with pytest.raises(ValueError) as caught:
        Labelling(project)
    told = str(caught.value).splitlines()
    assert told[0] == f"3 problems in {project / JUDGMENTS_FILE}:"
    assert [line.split(":")[0] for line in told[1:]] == ["line 1, grade", "line 3", "line 5"]


def test_the_next_page_to_read_is_the_first_with_something_left(project):
    lab = Labelling(project)
    assert "no query yet" in repr(lab.read())
    lab.add_query("soup"), lab.add_query("windows")
    assert lab.read().query_id == "q01"
    for doc_id in lab.pool("q01")["doc_id"]:
        lab.judge("q01", doc_id, 0)
    assert lab.read().query_id == "q02"
    for doc_id in lab.pool("q02")["doc_id"]:
        lab.judge("q02", doc_id, 0)
    assert "Nothing is left" in repr(lab.read())
    assert lab.read("q01").lines() == ""


def test_a_page_shows_documents_as_text_whatever_is_in_them(project):
    evil = SourceDocument("evil.md", "<b>porter</b>", "<script>alert(1)</script> porter & key", "evil.md")
    CorpusFolder.open(project / "corpus").add([evil])
    lab = Labelling(project)
    page = lab.read(lab.add_query("<i>porter</i>"))._repr_html_()
    assert "<script" not in page and "<i>" not in page and "<b>porter" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; porter &amp; key" in page


def test_progress_counts_what_is_left_of_each_pool(project):
    lab = Labelling(project, k=1)
    lab.add_query("soup")
    assert list(lab.pool("q01")["doc_id"]) == ["lunch.md"]
    lab.judge("q01", "doors.md", 1)  # outside the pool
    assert lab.progress().loc["q01"].tolist() == ["soup", "question", 1, 0, 1, 1, 0]
    lab.judge("q01", "lunch.md", 2)
    assert lab.progress().loc["q01", ["judged", "left", "relevant"]].tolist() == [1, 0, 2]


def reworded(project, old, new):
    """The project with another wording of a query."""
    path = project / QUERIES_FILE
    path.write_text(path.read_text().replace(old, new))
    return Labelling(project)


def all_judged(project, *queries):
    """A project in which each pool is read to its end."""
    lab = Labelling(project)
    for query_id in [lab.add_query(query) for query in queries]:
        for doc_id in lab.pool(query_id)["doc_id"]:
            lab.judge(query_id, doc_id, int(doc_id == "lunch.md"))
    return lab


def test_what_was_judged_for_another_wording_of_its_query_is_offered_again_until_it_is_judged(project):
    all_judged(project, "soup", "windows")
    lab = reworded(project, "windows", "salt")
    again = list(lab.before())
    assert again and {query_id for query_id, _ in again} == {"q02"}
    assert set(lab.before().values()) <= {f"{n}, of another wording of the query" for n in (0, 1)}
    assert lab.progress()["again"].tolist() == [0, len(again)]
    assert lab.labels()[1].judgments  # they count meanwhile
    assert "judge it again (workbench pool offers it) or give" in lab.doubts()[0]
    page, pool = lab.read(), lab.pool("q02").set_index("doc_id")
    assert page.query_id == "q02" and page.lines().count("lab.judge(") == len(pool)
    assert "of another wording of the query: read it again]" in repr(page)
    assert f"{len(again)} of them of a text that has changed since" in page.count()
    assert set(pool["grade"]) == {""} and pool.loc[again[0][1], "before"] == lab.before()[again[0]]
    assert f"Judged of a text that has changed since: {len(again)}, in q02." in lab.coverage()
    for _, doc_id in again:
        lab.judge("q02", doc_id, lab.verdicts()["q02", doc_id].grade)
    for doc_id in lab.pool("q02")["doc_id"]:
        lab.judge("q02", doc_id, 0)
    assert not lab.before() and not lab.unread() and not lab.doubts()
    assert "Nothing is left" in repr(lab.read()) and "has changed" not in lab.coverage()


def test_what_was_judged_of_another_text_of_its_page_is_offered_after_what_nobody_judged(project):
    lab = all_judged(project, "soup", "porter")
    lab.judge("q01", "lunch.md", 2, "Soup is served")
    lab.add_query("salt")
    pages = [
        SourceDocument(doc_id, title, f"{text} House 7.", doc_id) for doc_id, (title, text) in PAGES.items()
    ]
    lab.corpus.add(pages)  # each page has another foot
    lab = Labelling(project)
    unjudged, again = {("q03", doc_id) for doc_id in lab.pool("q03")["doc_id"]}, set(lab.before())
    pairs = [(query_id, doc_id) for query_id, _, doc_id, *_ in lab.unread()]
    assert set(pairs[: len(unjudged)]) == unjudged and set(pairs[len(unjudged) :]) == again
    assert again == set(lab.changed()) == lab.verdicts().keys() - {("q01", "lunch.md")}  # it has its quote
    assert lab.read().query_id == "q03" and lab.progress()["left"].tolist() == [0, 0, len(unjudged)]
    assert lab.before()["q02", "rooms.md"] == "0, of another text of the page"
    lab = reworded(project, "porter", "who keeps the key")
    both = "0, of another wording of the query and another text of the page"
    assert lab.before()["q02", "rooms.md"] == both


def test_judgments_of_a_query_that_is_gone_are_not_said_to_count(project):
    lab = all_judged(project, "soup", "porter")
    page = SourceDocument("rooms.md", "Rooms", "Rooms are booked online.", "rooms.md")
    lab.corpus.add([page])
    lab = Labelling(project)
    assert ("q02", "rooms.md") in lab.changed()
    path = project / QUERIES_FILE
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    lab = Labelling(project)
    assert {query_id for query_id, _ in [*lab.changed(), *lab.before()]} <= {"q01"}
    assert not any("q02" in said for said in lab.doubts())


def test_a_judgment_that_does_not_count_for_another_reason_is_not_said_to_count_for_another_wording(project):
    lab = all_judged(project, "soup")
    lab.judge("q01", "fire.md", 2, "by the stairs")
    page = SourceDocument("fire.md", "Fire", "Take the lift.", "fire.md")
    lab.corpus.add([page])
    lab = reworded(project, "soup", "soup at noon")
    assert ("q01", "fire.md") in lab.stale() and ("q01", "fire.md") not in lab.before()
    for query_id, doc_id in lab.before():
        lab.judge(query_id, doc_id, 1)
    assert lab.doubts() == []


def test_a_query_in_other_capitals_is_the_same_and_a_slip_may_be_mended_in_both_files(project):
    all_judged(project, "soup", "porter")
    assert not reworded(project, "porter", "Porter").before()
    assert reworded(project, "Porter", "the porter").before()
    path = project / JUDGMENTS_FILE
    path.write_text(path.read_text().replace('"porter"', '"the porter"'))
    assert not Labelling(project).before() and not Labelling(project).doubts()


def test_coverage_says_how_deep_each_system_is_judged(project):
    lab = Labelling(project, k=2)
    lab.systems.retrievers = {
        "csr-bm25": Fixed("doors.md", "fire.md"),
        "mine": Fixed("doors.md", "lunch.md"),
        "latent semantic": Fixed("rooms.md", "winter.md"),
    }
    lab.add_query("a key", "identifier"), lab.add_query("another")
    lab.judge("q01", "doors.md", 2, "The key")
    lab.judge("q01", "fire.md", 0)
    said = re.sub(" +", " ", lab.coverage())  # the columns are aligned with blanks
    assert "5 documents. 2 queries, 1 of them with a relevant document. 1 distinct documents (20.0%)" in said
    assert "| identifier | 1 |\n| question | 1 |" in said
    assert "1 of the 1 judgments of grade 1 or 2 quote" in said
    assert "Pooled and not judged: 8, in q01, q02." in said  # 5 pooled for each, 2 of them judged
    for row in (
        "csr-bm25 | 1.00 | 0",
        "mine | 0.50 | 1",
        "latent semantic | 0.00 | 2",
    ):
        assert f"| {row} |\n" in said + "\n"


def test_a_judgment_of_what_is_gone_or_changed_is_kept_and_not_counted(project, capsys):
    lab = Labelling(project)
    lab.add_query("where is the key?"), lab.add_query("lunch")
    lab.judge("q01", "doors.md", 2, "porter for the key")
    lab.judge("q02", "lunch.md", 2, "at noon")
    CorpusFolder.open(project / "corpus").add(
        [SourceDocument("lunch.md", "Lunch", "Soup at one.", "lunch.md")]
    )
    (project / QUERIES_FILE).write_text((project / QUERIES_FILE).read_text().splitlines()[1] + "\n")
    lab = Labelling(project)
    assert lab.stale() == {
        ("q01", "doors.md"): "the query is gone",
        ("q02", "lunch.md"): "the document does not have the quote: it has changed, or the quote is mistyped",
    }
    assert lab.export() is None and len(lab.verdicts()) == 2
    assert "- q01, doors.md: the query is gone" in lab.coverage()
    capsys.readouterr()
    lab.judge("q02", "lunch.md", 2, "Soup at one")
    lab.export()
    assert "1 judgment kept and not counted" in capsys.readouterr().out


def test_only_queries_with_a_relevant_document_become_gold(project, capsys):
    lab = Labelling(project)
    lab.add_query("where is the key?"), lab.add_query("soup"), lab.add_query("salt")
    lab.add_query("aliens")  # for which no search finds anything
    for doc_id in lab.pool("q01")["doc_id"]:
        lab.judge("q01", doc_id, {"doors.md": 2, "rooms.md": 1}.get(doc_id, 0))
    lab.judge("q02", "winter.md", 1)
    dataset = load_dataset(lab.export())
    rows = [(row.query_id, row.query_text, row.expected_item_id, row.kind) for row in dataset.queries]
    assert rows == [
        ("q01-1", "where is the key?", "doors.md", "gold"),
        ("q01-2", "where is the key?", "rooms.md", "gold"),
        ("q02", "soup", "winter.md", "gold"),
    ]
    said = capsys.readouterr().out
    assert "2 queries, 3 relevant documents" in said
    assert "not read yet, and in no mean: 1 query (q03)" in said
    assert "in no mean: 1 query for which no search finds anything: q04; if you know a page" in said
    assert re.search(r"\d+ documents? of their pools not judged, .* \(q02: \d+\)", said)


def test_a_gold_file_says_how_many_systems_were_pooled_and_how_much_of_it_is_judged(project):
    lab = Labelling(project)
    lab.add_query("where is the key?"), lab.add_query("soup"), lab.add_query("aliens")
    n = sum(len(lab.pool(query_id)) for query_id in ("q01", "q02"))  # the third has no answer
    lab.judge("q01", lab.pool("q01")["doc_id"][0], 2)
    lab.judge("q02", lab.pool("q02")["doc_id"][0], 1)
    said = "the first 10 documents of 2 systems, and of latent semantic search; 2 of these"
    assert f"{said} {n} documents are judged." in load_dataset(lab.export()).description


def test_a_query_that_stands_there_twice_is_one_query_and_says_one_thing(project, capsys):
    lab = Labelling(project)
    lab.add_query("soup"), lab.judge("q01", "lunch.md", 2)
    with open(project / "queries.jsonl", "a") as file:
        file.write('{"query_id": "q02", "query": "soup"}\n')
    for doc_id in lab.pool("q02")["doc_id"]:
        lab.judge("q02", doc_id, 2 if doc_id == "lunch.md" else 0)
    with pytest.warns(UserWarning, match="become one query with it"):
        gold = lab.export()
    said = capsys.readouterr().out
    assert "gold.json: 1 query, 1 relevant document" in said and "not judged" not in said
    before = gold.read_text()
    lab.judge("q02", "lunch.md", 0)
    with pytest.raises(
        ValueError, match="'q01' and 'q02' have one text, 'soup', and grade 'lunch.md' 2 and 0"
    ):
        lab.export()
    assert gold.read_text() == before


def test_when_all_judgments_are_withdrawn_no_gold_file_stays(project, capsys):
    lab = Labelling(project)
    lab.add_query("soup")
    lab.judge("q01", "lunch.md", 2)
    path = lab.export()
    lab.judge("q01", "lunch.md", 0)
    assert path.exists() and lab.export() is None and not path.exists()


def test_a_folder_without_a_corpus_is_no_project(tmp_path):
    with pytest.raises(FileNotFoundError, match="is no project"):
        Labelling(tmp_path)


# Drafts

DOCUMENTS = [
    SourceDocument(doc_id, title, f"{text}\n\n## More of {title}\n\nnothing", doc_id)
    for doc_id, (title, text) in PAGES.items()
]


@given(st.permutations(DOCUMENTS), st.integers(1, 7), st.integers(0, 3))
def test_a_drafted_query_is_synthetic_and_has_only_words_of_the_page_that_it_expects(documents, limit, rng):
    drafted = draft_queries(documents, limit=limit, rng=rng)
    assert drafted == draft_queries(DOCUMENTS, limit=limit, rng=rng)
    assert len(drafted.queries) == min(limit, 5) == len({row.expected_item_id for row in drafted.queries})
    assert len({row.query_text for row in drafted.queries}) == len(drafted.queries)
    pages = {document.doc_id: set(plain(f"{document.title} {document.text}")) for document in documents}
    for row in drafted.queries:
        assert row.kind == "synthetic"
        assert set(plain(row.query_text)) <= pages[row.expected_item_id]


def test_the_templates_take_turns_and_stand_in_for_one_another():
    pages = [SourceDocument("a", "Doors", "## Lost keys\n", "a"), SourceDocument("b", "", "## Soup\n", "b")]
    texts = {
        row.expected_item_id: row.query_text
        for row in draft_queries(pages, ["what is {title}?", "{heading}"]).queries
    }
    assert texts["a"] in ("what is Doors?", "Lost keys") and texts["b"] == "Soup"


def test_a_name_that_two_pages_share_asks_for_neither():
    pages = [
        SourceDocument(doc_id, "Overview", f"## Steps\n## {name}\n", doc_id)
        for doc_id, name in (("a", "Keys"), ("b", "overview"))
    ]
    assert [row.query_text for row in draft_queries(pages, ["{title}", "{heading}"]).queries] == ["Keys"]


def test_rare_terms_are_those_of_the_fewest_pages():
    words = "porter stairs soup cellar noon desk window brigade".split()
    pages = [
        SourceDocument(str(i), "", f"common shared {word} {word} {word}s twice{word}", str(i))
        for i, word in enumerate(words)
    ]
    for row in draft_queries(pages, ["{terms}"]).queries:
        word = words[int(row.expected_item_id)]
        assert row.query_text == f"{word} {word}s twice{word}"


@pytest.mark.parametrize("templates", ["{title}", [], ["no name"], ["{author}"], ["{title"], ["{}"]])
def test_a_template_that_cannot_be_filled_is_refused(templates):
    with pytest.raises(ValueError, match="template"):
        draft_queries(DOCUMENTS, templates)


def test_documents_without_anything_of_their_own_give_no_query():
    with pytest.raises(ValueError, match="no query could be drafted from 2 documents"):
        draft_queries([SourceDocument(doc_id, "Same", "the same text", doc_id) for doc_id in "ab"])


# A new project


def test_a_folder_of_500_mixed_files_becomes_a_project_that_says_what_it_left_out(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    for i in range(496):
        (docs / f"{i:03d}.{('md', 'txt', 'html')[i % 3]}").write_text(
            f"Page {i} tells of thing{i} and other{i} matters"
        )
    (docs / "binary.md").write_bytes(b"\x00\x01" * 500)
    (docs / "empty.txt").write_bytes(b"")
    (docs / "latin.txt").write_bytes("Die Größe der Straße".encode("latin-1"))
    (docs / "huge.txt").write_bytes(b"lorem ipsum\n" * (50 * 2**20 // 12))
    made = new_project(tmp_path / "my-eval", docs)
    assert (made.documents, made.drafted) == (497, 50)
    reasons = dict(made.left_out)
    assert set(reasons) == {"binary.md", "empty.txt", "huge.txt"}
    told = (made.folder / "left_out.md").read_text(encoding="utf-8")
    assert told.startswith(
        "# What was left out\n\n497 documents were read into `corpus/`. 3 of what was found were left out:"
    )
    assert (
        all(f"- `{path}`: {reason}" in told for path, reason in reasons.items())
        and "latin.txt" in told.split("look at these")[1]
    )
    assert "Größe" in Labelling(made.folder).documents["latin.txt"].text
    assert {row.kind for row in load_dataset(made.folder / "datasets" / "synthetic.json").queries} == {
        "synthetic"
    }


def test_a_reason_that_holds_for_many_files_does_not_hide_the_others(tmp_path, docs):
    for i in range(30):
        (docs / f"a{i:02d}.png").write_bytes(b"\x89PNG")
    (docs / "z.md").write_text("")
    made = new_project(tmp_path / "my-eval", docs)
    told = (made.folder / "left_out.md").read_text(encoding="utf-8")
    assert told.index("- `z.md`: empty") < told.index("## 30 times: files ending in .png are no documents")
    assert all(f"`a{i:02d}.png`" in told for i in range(30))
    assert "31 left out" in str(made) and "30 times: files ending in .png" in str(made)


def test_a_folder_that_holds_something_is_left_alone(tmp_path, docs):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("precious")
    with pytest.raises(ValueError, match="mine holds other files already"):
        new_project(tmp_path / "mine", docs)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
    (tmp_path / "empty").mkdir()
    assert new_project(tmp_path / "empty", docs).documents == 5


def test_a_failure_leaves_nothing_behind(tmp_path, docs):
    for path in docs.iterdir():
        path.write_bytes(b"\x00")
    with pytest.raises(ValueError, match="no document could be read.*\ndoors.md: "):
        new_project(tmp_path / "my-eval", docs)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        new_project(tmp_path / "my-eval", tmp_path / "nowhere")
    assert [path.name for path in tmp_path.iterdir()] == ["docs"]


def test_a_project_does_not_stand_among_its_own_documents(docs):
    with pytest.raises(ValueError, match="lies inside"):
        new_project(docs / "my-eval", docs)


def test_the_template_is_whole_and_names_no_computer_and_no_address(tmp_path, docs):
    assert {path.name for path in new.TEMPLATE.iterdir()} == set(new.PATHS)
    for name in new.PATHS:
        text = (new.TEMPLATE / name).read_text(encoding="utf-8")
        assert not re.search(
            r"https?:|github\.com|/home/|/work/|/Users/|/root/|/tmp/|[A-Z]:\\\\Users", text
        ), name
    made = new_project(tmp_path / "my-eval", docs)
    assert not re.search(r"@[A-Z_]+@", "".join(page.read_text() for page in made.folder.glob("*.md")))
    assert all(str(tmp_path) not in path.read_text() for path in made.folder.rglob("*") if path.is_file())


def test_a_project_says_of_every_kind_of_query_what_it_is():
    manual, notebook = ((new.TEMPLATE / name).read_text() for name in ("manual.md", "1_label.ipynb"))
    assert [
        kind for kind in QUERY_KINDS if f"`{kind}`" not in manual or f"| `{kind}` |" not in notebook
    ] == []


def test_every_link_and_command_of_the_readme_and_the_manual_leads_somewhere(tmp_path, docs):
    folder = new_project(tmp_path / "my-eval", docs).folder
    readme, manual = ((folder / name).read_text(encoding="utf-8") for name in ("README.md", "manual.md"))
    links = re.findall(r"\]\(([^)]+)\)", readme + manual)
    assert all((folder / link).exists() for link in links if not link.startswith("#"))
    heads = {re.sub(r"\W+", "-", head.lower()) for head in re.findall(r"^## (.+)$", manual, re.M)}
    assert {link[1:] for link in links if link.startswith("#")} == heads
    assert len(readme.split()) < 1000  # who begins reads it whole
    ours = {"systems", "import", "pool", "measure", "export", "agreement", "settle"}
    assert {"ingest", "snapshot", "query", "evaluate"} | ours == set(
        re.findall(r"^    workbench (\w+)", readme + manual, re.M)
    )


@pytest.mark.parametrize("name", ["1_label.ipynb", "2_evaluate.ipynb"])
def test_a_notebook_of_the_template_is_valid_and_has_no_outputs(name):
    notebook = nbformat.read(new.TEMPLATE / name, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5) and all(cell.id for cell in notebook.cells)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert not [
        cell for cell in notebook.cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)
    ]


def outputs_of(folder, *code):
    """What both notebooks show in a project, run before the given code and after it: two texts a round."""
    rounds = []
    cells = [nbformat.v4.new_code_cell(text) for text in ("%reset -f", *code, "%reset -f")]
    whole = nbformat.v4.new_notebook()
    for extra in ([], cells):
        whole.cells += extra
        for name in ("1_label.ipynb", "2_evaluate.ipynb"):
            own = nbformat.read(folder / name, 4).cells
            rounds.append([cell for cell in own if cell.cell_type == "code"])
            whole.cells += [
                *rounds[-1],
                nbformat.v4.new_code_cell("%reset -f"),
            ]  # no notebook may lean on the other
    NotebookClient(
        whole, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return ["\n".join(map(_shown, cells)) for cells in rounds]


def _shown(cell):
    return "\n".join(
        output.get("text")
        or "\n".join(text for kind, text in output.data.items() if kind in ("text/plain", "text/markdown"))
        for output in cell.outputs
    )


def test_both_notebooks_run_on_a_fresh_project_and_show_gold_apart_once_there_are_judgments(tmp_path, docs):
    folder = tmp_path / "moved"
    shutil.move(new_project(tmp_path / "my-eval", docs).folder, folder)
    label = (
        "from workbench.labelling import Labelling\nlab = Labelling()",
        "lab.add_query('where is the key?'), lab.add_query('when is lunch?')",
        "lab.judge('q01', 'doors.md', 2, 'Ask the porter'); lab.judge('q02', 'lunch.md', 2, 'at noon')",
    )
    fresh_label, fresh, label, found = outputs_of(folder, *label)
    assert "no query yet" in fresh_label and "No gold dataset yet" in fresh_label
    assert "No gold numbers yet" in fresh and "SYNTHETIC, 5 drafted" in fresh and "no baseline yet" in fresh
    assert "GOLD, " not in fresh
    assert "2 queries, 2 relevant documents" in label and "q01" in label
    gold, synthetic = found.split("SYNTHETIC, 5 drafted queries. Not to be quoted as quality.")
    assert (
        "GOLD, 2 queries" in gold
        and "nDCG@10" in gold
        and "nDCG@10" in synthetic
        and "new: baseline.json" in found
    )
    assert (folder / "reports" / "gold-csr-bm25.html").is_file()


needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="the gate is a shell script")


def run_gate(folder, *arguments, **environment):
    variables = (
        os.environ
        | {"WORKBENCH": f"{sys.executable} -m workbench", "PYTHONPATH": str(files.ROOT)}
        | environment
    )
    command = ["bash", str(folder / "gate.sh"), *arguments]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, cwd=folder.parent)
    return done.returncode, done.stdout + done.stderr


@needs_bash
def test_the_gate_is_green_on_the_baseline_and_red_on_a_search_that_is_worse(tmp_path):
    folder = _project_with_gold(tmp_path)
    code, said = run_gate(folder)
    assert code == 2 and "baseline.json is not in " in said
    _keep_baseline(folder)
    code, said = run_gate(folder)
    assert code == 0 and "GREEN, the same answers" in said and "guards no search of yours yet" in said, said
    # A search of one's own, as a program and as a file of its results
    (folder / "my_search.py").write_text("def search(query, k):\n    return ['hammer.txt']\n")
    code, said = run_gate(folder, SYSTEM="my_search:search")
    assert code == 1 and "RED, worse" in said and "my_search:search" in said and "q01" in said, said
    # Once its report is the baseline, nothing is said against a search that has not changed.
    ours = (folder / "baseline.json").read_bytes()
    shutil.copy(folder / "reports" / "candidate.json", folder / "baseline.json")
    code, said = run_gate(folder, SYSTEM="my_search:search")
    assert code == 0 and "GREEN" in said and "guards no search" not in said, said
    (folder / "baseline.json").write_bytes(ours)
    (folder / "best.run").write_text("q01 Q0 other/anchor.txt 1 1 x\n")
    code, said = run_gate(folder, SYSTEM="best.run")
    assert code == 2 and "'other/anchor.txt'" in said, said


STAND_IN = """#!/usr/bin/env bash
echo "$*" >>"$COMMANDS"
case "$1" in
  snapshot) echo 0123456789abcdef ;;
  gate)
    light=GREEN
    if [ "$VERDICT" = 3 ]; then light=YELLOW; fi
    echo "## Retrieval gate: $light" >reports/gate.md
    echo "$SAYS" >&2
    case "$VERDICT $*" in 3*--fail-if-unsure*) exit 3 ;; 3*) exit 0 ;; esac
    exit "$VERDICT" ;;
esac
if [ "$1" = "$FAILS" ]; then exit 1; fi
"""


@pytest.fixture
def gate_alone(tmp_path):
    """The script of the gate beside files for it, and a program that only writes down what it is asked."""
    for name in ("datasets", "reports"):
        (tmp_path / name).mkdir()
    for name in ("datasets/gold.json", "baseline.json"):
        (tmp_path / name).touch()
    shutil.copy(new.TEMPLATE / "gate.sh", tmp_path)
    (tmp_path / "program").write_text(STAND_IN)
    (tmp_path / "program").chmod(0o755)
    variables = {"WORKBENCH": str(tmp_path / "program"), "COMMANDS": str(tmp_path / "commands")}
    return tmp_path, variables | {"FAILS": "", "VERDICT": "0", "SAYS": "", "GITHUB_ACTIONS": ""}


@needs_bash
@pytest.mark.parametrize("says", ["the reports cannot be compared", "'nDCG@10' is no limit"])
def test_the_gate_advises_another_corpus_only_where_the_reports_cannot_be_compared(gate_alone, says):
    folder, variables = gate_alone
    code, said = run_gate(folder, **variables | {"VERDICT": "2", "SAYS": says})
    assert code == 2 and says in said
    assert ("bash gate.sh --other-corpus" in said) == ("compared" in says)


@pytest.mark.skipif(shutil.which("dash") is None, reason="needs dash")
def test_the_gate_says_to_a_shell_that_is_no_bash_what_to_run(gate_alone):
    command = ["dash", str(gate_alone[0] / "gate.sh")]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "") and "run it with bash: bash gate.sh" in ran.stderr


@needs_bash
def test_the_gate_compares_the_snapshot_that_it_built(gate_alone):
    folder, variables = gate_alone
    assert run_gate(folder, **variables | {"SYSTEM": "--backend csr-bm25"})[0] == 0
    _, snapshot, evaluation, *_ = (folder / "commands").read_text().splitlines()
    assert snapshot == "snapshot --corpus corpus --backend csr-bm25 --quiet"
    asked = "evaluate --corpus corpus --as-in baseline.json --snapshot 0123456789abcdef"
    assert evaluation == f"{asked} --dataset datasets/gold.json --out reports/candidate.json"


@needs_bash
def test_the_gate_guards_the_readers_own_search_as_it_comes(tmp_path, monkeypatch, capsys):
    folder = _project_with_gold(tmp_path)
    program = "def search(query, k):\n    return [f'{query[:-1]}.txt']\n"
    (folder / "own_one.py").write_text(program)
    monkeypatch.chdir(folder)
    assert said_of(capsys, "systems --add mine=own_one:search")[0] == 0
    code, said, _ = said_of(capsys, "measure")
    assert code == 0 and "baseline for mine: new: baseline.json" in said
    code, said = run_gate(folder)
    assert code == 0 and "GREEN" in said and "guards no search" not in said, said
    # It is measured as it is now, and a worse one is RED.
    (folder / "own_one.py").write_text("def search(query, k):\n    return ['hammer.txt']\n")
    code, said = run_gate(folder)
    assert code == 1 and "RED, worse" in said and "own_one:search" in said, said


@needs_bash
def test_a_search_that_became_worse_is_no_baseline_of_itself_once_its_documents_are_judged(
    tmp_path, monkeypatch, capsys
):
    """As the warning of documents that nobody judged asks for: pool, judge, measure, and the gate again."""
    folder = _project_with_gold(tmp_path)
    lab, words = Labelling(folder), "anchor barrel candle dagger easel feather garden hammer".split()
    ids = [question.query_id for question in lab.labels()]

    def write(found):
        rows = [f"{query_id} Q0 {doc_id} 1 9 x\n" for query_id, (doc_id,) in found.items()]
        (folder / "mine.run").write_text("".join(rows))

    good = {query_id: [f"{word}.txt"] for query_id, word in zip(ids, words, strict=True)}
    write(good)
    monkeypatch.chdir(folder)
    assert said_of(capsys, "systems --add mine=mine.run")[0] == 0
    assert "new: baseline.json" in said_of(capsys, "measure")[1]
    worse = {query_id: [f"{word}.txt"] for query_id, word in zip(ids, [*words[1:], words[0]], strict=True)}
    write(worse)
    assert run_gate(folder)[0] == 1
    lab = Labelling(folder)
    for query_id, (doc_id,) in worse.items():
        lab.judge(query_id, doc_id, 0)
    code, said, _ = said_of(capsys, "measure")
    assert "counted baseline.json anew, by what this search found then" in said
    assert "nDCG@10 1.000; now it has 0.000; bash gate.sh compares the two" in said
    before = load_report(folder / "baseline.json")
    assert before.metrics["nDCG@10"] == 1 and before.backend_id == "mine.run"
    code, said = run_gate(folder)
    assert code == 1 and "RED, worse" in said and "1.000      0.000" in said, said
    # A query that is new since then is in no comparison: nobody knows what was found then.
    lab = Labelling(folder)
    lab.judge(lab.add_query("an anchor and a barrel"), "anchor.txt", 2)
    write(worse | {list(lab.questions())[-1]: ["anchor.txt"]})
    then = (folder / "baseline.json").read_bytes()
    said = said_of(capsys, "measure")[1]
    assert (folder / "baseline.json").read_bytes() == then
    assert "kept: baseline.json, nDCG@10 1.000; now it has 0.000; 1 query is new, and not in it" in said
    code, said = run_gate(folder)
    assert code == 1 and "1.000      0.000" in said and "1 query is not in the baseline" in said
    lab.judge(ids[0], "candle.txt", 1)  # and where one that was there is judged on, it stays out
    assert (
        "counted baseline.json anew" in (said := said_of(capsys, "measure")[1]) and "1 query is new" in said
    )
    before = load_report(folder / "baseline.json")
    assert list(before.per_query) == ids and len(before.evidence) == 9 and run_gate(folder)[0] == 1
    # New documents in the same change do not hide it, though then nobody could find them.
    CorpusFolder.open(folder / "corpus").add([SourceDocument("new.txt", "", "a new page", "new.txt")])
    lab = Labelling(folder)
    lab.judge(ids[0], "hammer.txt", 0), lab.judge(ids[0], "new.txt", 2)
    said = said_of(capsys, "measure")[1]
    assert "for it was better, even without the documents that are new" in said
    assert re.search(r"nDCG@10 0\.9\d+; now it has 0\.000", said) and run_gate(folder)[0] == 1
    # What is accepted, is accepted by hand.
    shutil.copy(folder / "reports" / "candidate.json", folder / "baseline.json")
    assert run_gate(folder)[0] == 0 and "kept: " in said_of(capsys, "measure")[1]


@needs_bash
def test_with_new_documents_a_search_that_is_not_shown_to_be_worse_has_a_new_baseline(
    tmp_path, monkeypatch, capsys
):
    folder = _project_with_gold(tmp_path)
    lab, words = Labelling(folder), "anchor barrel candle dagger easel feather garden hammer".split()
    ids = [question.query_id for question in lab.labels()]
    found = {query_id: f"{word}.txt" for query_id, word in zip(ids, words, strict=True)}

    def write():
        rows = [f"{query_id} Q0 {doc_id} 1 9 x\n" for query_id, doc_id in found.items()]
        (folder / "mine.run").write_text("".join(rows))

    write()
    monkeypatch.chdir(folder)
    assert said_of(capsys, "systems --add mine=mine.run")[0] == 0
    assert "new: baseline.json" in said_of(capsys, "measure")[1]
    CorpusFolder.open(folder / "corpus").add([SourceDocument("new.txt", "", "a new page", "new.txt")])
    Labelling(folder).judge(ids[0], "new.txt", 2)
    found[ids[0]] = "new.txt"
    write()
    said = said_of(capsys, "measure")[1]
    assert "replaced baseline.json, because of other queries, judgments" in said
    assert "nDCG@10 1.000; now it has 0.952" in said
    assert "the documents have changed too, so it is what this search finds now" in said
    assert run_gate(folder)[0] == 0


def test_a_program_that_only_a_report_names_is_not_run(tmp_path, monkeypatch, capsys):
    folder = _project_with_gold(tmp_path)
    (folder / "own_two.py").write_text("def search(query, k):\n    return ['hammer.txt']\n")
    monkeypatch.chdir(folder)
    asked = "evaluate --corpus corpus --dataset datasets/gold.json --out"
    assert said_of(capsys, f"{asked} mine.json --system own_two:search --max-total-items 3")[0] == 0
    code, _, said = said_of(capsys, f"{asked} again.json --as-in mine.json")
    assert code == 2 and "is of own_two:search, which is none of the project's systems (csr-" in said
    assert "workbench systems --add NAME=own_two:search" in said
    assert said_of(capsys, "systems --add mine=own_two:search")[0] == 0
    assert said_of(capsys, f"{asked} again.json --as-in mine.json")[0] == 0
    first, again = (load_report(folder / name) for name in ("mine.json", "again.json"))
    assert first.metrics == again.metrics and again.budget.max_total_items == 3
    # Its budget counts, and the report stays.
    code, _, said = said_of(capsys, f"{asked} again.json --as-in mine.json --max-total-items 5")
    assert code == 2 and "--max-total-items has no effect with --as-in" in said
    assert said_of(capsys, f"{asked} mine.json --as-in mine.json")[0] == 2


def test_a_search_of_ours_is_measured_again_with_its_settings(tmp_path, monkeypatch, capsys):
    folder = _project_with_gold(tmp_path)
    monkeypatch.chdir(folder)
    settings = "--parameter k1=0.5 --chunker fixed --chunk-size 8 --overlap 2"
    assert said_of(capsys, f"snapshot --corpus corpus --backend csr-bm25 {settings}")[0] == 0
    asked = "evaluate --corpus corpus --dataset datasets/gold.json --out"
    assert said_of(capsys, f"{asked} tuned.json --max-total-items 3")[0] == 0
    assert said_of(capsys, "snapshot --corpus corpus --backend rank-bm25")[0] == 0
    assert said_of(capsys, f"{asked} again.json --as-in tuned.json")[0] == 0
    tuned, again = (load_report(folder / name) for name in ("tuned.json", "again.json"))
    assert (tuned.snapshot_id, tuned.budget) == (again.snapshot_id, again.budget)
    assert again.snapshot.parameters["k1"] == 0.5


@needs_bash
@pytest.mark.parametrize("verdict", [0, 1, 2, 3])
def test_the_gate_ends_as_the_comparison_does(gate_alone, verdict):
    folder, variables = gate_alone
    variables |= {"VERDICT": str(verdict), "SAYS": "the reports cannot be compared" if verdict == 2 else ""}
    variables |= {"GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    code, said = run_gate(folder, "--other-corpus", **variables)
    assert code == (0 if verdict == 3 else verdict)
    assert ("YELLOW is not GREEN" in said) == (verdict == 3) and "::warning" not in said
    assert ("bash gate.sh --other-corpus" in said) == (verdict == 2)
    assert ("## Retrieval gate: not asked" in (folder / "summary.md").read_text()) == (verdict == 2)
    version, evaluation, report, gate = (folder / "commands").read_text().splitlines()
    assert version == "--version"
    dataset = "--dataset datasets/gold.json --out reports/candidate.json"
    assert evaluation == f"evaluate --corpus corpus --as-in baseline.json {dataset}"
    assert report == "report reports/candidate.json --out reports/candidate.html"
    asked = "gate baseline.json reports/candidate.json --limit nDCG@10:0.02"
    assert gate == f"{asked} --markdown reports/gate.md --junit reports/gate.xml --other-corpus"
    # Of what the queries cannot tell GitHub shows a warning, and a project may stop it.
    code, said = run_gate(folder, **variables | {"UNSURE": "3", "GITHUB_ACTIONS": "true"})
    assert code == verdict
    assert ("::warning title=retrieval gate::YELLOW is not GREEN" in said) == (verdict == 3)
    assert ("::error title=retrieval gate::" in said) == (verdict == 2)


@needs_bash
@pytest.mark.parametrize("step", ["--version", "snapshot", "evaluate", "report"])
def test_a_step_of_the_gate_that_breaks_off_is_never_called_worse(gate_alone, step):
    folder, variables = gate_alone
    assert run_gate(folder, **variables | {"FAILS": step, "SYSTEM": "--backend csr-bm25"})[0] == 2


@needs_bash
def test_a_gate_without_the_package_cannot_be_asked(gate_alone):
    folder, variables = gate_alone
    code, said = run_gate(folder, **variables | {"WORKBENCH": "no-such-program"})
    assert code == 2 and "`no-such-program` cannot be started; install the package" in said


def _project_with_gold(tmp_path):
    """Eight queries in the plural for pages in the singular: a search without stems finds none of them."""
    (tmp_path / "docs").mkdir()
    words = "anchor barrel candle dagger easel feather garden hammer".split()
    for word in words:
        (tmp_path / "docs" / f"{word}.txt").write_text(f"the {word} is here and stays here")
    folder = new_project(tmp_path / "my-eval", tmp_path / "docs").folder
    lab = Labelling(folder)
    for word in words:
        lab.judge(lab.add_query(f"{word}s"), f"{word}.txt", 2)
    lab.export()
    return folder


def _keep_baseline(folder):
    from workbench.projects import PROJECT_BUDGET
    from workbench.reports.models import save_report

    corpus = CorpusFolder.open(folder / "corpus")
    dataset = load_dataset(folder / "datasets" / "gold.json")
    report = evaluate_run(corpus, build_snapshot(corpus, "csr-bm25"), dataset, PROJECT_BUDGET)
    save_report(folder / "baseline.json", report)


@pytest.mark.parametrize(("name", "words"), [("", "the name of a system is ''"), ("b\nc", "cannot be shown")])
def test_a_name_that_the_file_of_systems_cannot_hold_is_refused_before_it_is_written(project, name, words):
    with pytest.raises(ValueError, match=words):
        Labelling(project).measure({"a": "csr-bm25", name: "csr-bm25"})
    assert not (project / "systems.json").exists()


def test_systems_that_somebody_else_adds_meanwhile_are_not_lost(project):
    (project / "slow_one.py").write_text(
        "from workbench.labelling import write_systems\n"
        "def search(query, k):\n"
        f"    write_systems(__import__('pathlib').Path({str(project)!r}), {{'other': 'csr-bm25'}})\n"
        "    return ['doors.md']\n"
    )
    lab = Labelling(project)
    lab.add_query("where is the key")
    with pytest.raises(ValueError, match="systems.json was changed by somebody else meanwhile"):
        lab.measure({"mine": "slow_one:search"})
    assert pool_systems.read_systems(project) == {"other": "csr-bm25"}


def test_of_two_projects_that_are_made_in_one_moment_one_is_refused(docs, tmp_path, monkeypatch):
    def somebody_was_first(folder):
        (folder / "corpus").mkdir(parents=True)

    checked = iter([lambda _: None, somebody_was_first])
    monkeypatch.setattr(new, "check_free", lambda folder: next(checked, lambda _: None)(folder))
    with pytest.raises(ValueError, match="mine was made by another program in this moment, and stays"):
        new_project(tmp_path / "mine", docs)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["corpus"]


def test_a_project_in_an_empty_folder_leaves_that_folder_the_same(docs, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    before = os.stat(".").st_ino
    new_project(".", docs)
    assert os.stat(".").st_ino == before and os.path.isfile("corpus/corpus.jsonl")


def test_a_file_keeps_its_link_and_who_may_write_it(project, tmp_path):
    lab = Labelling(project)
    lab.add_query("where is the key")
    shared = tmp_path / "shared.jsonl"
    os.replace(project / QUERIES_FILE, shared)
    shared.chmod(0o664)
    (project / QUERIES_FILE).symlink_to(shared)
    lab.add_query("when is soup served")
    assert (project / QUERIES_FILE).is_symlink() and len(shared.read_text().splitlines()) == 2
    assert shared.stat().st_mode & 0o777 == 0o664


def test_drafts_with_odd_random_numbers_are_refused_by_name(project):
    with pytest.raises(ValueError, match="rng is -1; needed a whole number from 0 up"):
        draft_queries(Labelling(project).corpus.documents, rng=-1)


@needs_bash
@pytest.mark.parametrize("code", ["130", "141"])
def test_a_gate_that_was_stopped_does_not_say_that_reports_were_not_compared(gate_alone, code):
    folder, variables = gate_alone
    ended, said = run_gate(folder, **variables | {"VERDICT": code})
    assert ended == int(code) and "gate.sh:" not in said


@needs_bash
@pytest.mark.parametrize(
    ("more", "unsure", "ends"), [((), "0", 0), ((), "4", 4), (("--fail-if-unsure",), "0", 3)]
)
def test_the_pages_of_a_gate_say_of_yellow_what_it_ends_with(gate_alone, more, unsure, ends):
    folder, variables = gate_alone
    code, said = run_gate(folder, *more, **variables | {"VERDICT": "3", "UNSURE": unsure})
    assert code == ends and "YELLOW is not GREEN" in said
    asked = (folder / "commands").read_text().splitlines()[-1]
    assert ("--fail-if-unsure" in asked) == (ends != 0)


@needs_bash
def test_a_gate_that_could_not_be_asked_says_so_in_place_of_an_earlier_answer(gate_alone):
    folder, variables = gate_alone
    assert run_gate(folder, **variables)[0] == 0 and (folder / "reports" / "gate.md").exists()
    (folder / "reports" / "gate.xml").touch()
    assert run_gate(folder, **variables | {"FAILS": "evaluate"})[0] == 2
    page = (folder / "reports" / "gate.md").read_text()
    assert page.startswith("## Retrieval gate: not asked") and "the system could not be evaluated" in page
    (suite,) = ElementTree.parse(folder / "reports" / "gate.xml").getroot()
    assert suite.get("errors") == "1" and suite.find("testcase/error") is not None


@needs_bash
def test_the_gate_asked_for_help_runs_nothing_and_keeps_its_last_answer(gate_alone):
    folder, variables = gate_alone
    (folder / "reports" / "gate.md").write_text("the last answer")
    code, said = run_gate(folder, "--help", **variables)
    assert code == 0 and "bash gate.sh --other-corpus" in said and "workbench gate --help" in said
    assert not (folder / "commands").exists() and (folder / "reports" / "gate.md").is_file()


@needs_bash
def test_the_gate_is_of_its_own_folder_whatever_the_shell_looks_for(gate_alone, tmp_path):
    folder, variables = gate_alone
    (tmp_path / "elsewhere" / folder.name).mkdir(parents=True)
    command = ["bash", f"{folder.name}/gate.sh"]
    environment = os.environ | variables | {"CDPATH": str(tmp_path / "elsewhere")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=folder.parent)
    assert done.returncode == 0, done.stderr


@needs_bash
def test_blanks_before_what_the_gate_measures_do_no_harm(gate_alone):
    folder, variables = gate_alone
    code, said = run_gate(folder, **variables | {"SYSTEM": "  --backend rank-bm25"})
    assert code == 0 and "snapshot --corpus corpus --backend rank-bm25" in (folder / "commands").read_text()


def test_a_baseline_of_other_settings_is_not_replaced_without_a_word(made):
    corpus, _, dataset, budget = made
    default, tuned = (
        evaluate_run(corpus, build_snapshot(corpus, "csr-bm25", parameters=settings), dataset, budget)
        for settings in ({}, {"k1": 2.5})
    )
    folder = corpus.path.parent
    assert keep_baseline(folder, tuned) == "new: baseline.json"
    kept = keep_baseline(folder, default)
    assert f"baseline.json is of csr-bm25 {tuned.snapshot_id} with other settings" in kept
    assert baseline_system(folder, {"plain": default, "tuned": tuned}) == "tuned"
    with pytest.raises(ValueError, match="there is no report, so none can be the baseline"):
        baseline_system(folder, {})
