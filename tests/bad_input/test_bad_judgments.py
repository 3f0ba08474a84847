"""Judgments, sheets and judges that do not hold: they are named, and nothing that was judged is lost."""

import json
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from programs import main
from small_project import CORPUS, EVALUATE, NO_TEXT, said_of

from helpers.datasets import add_query, read_nuggets, trec
from helpers.judgments import agreement
from workbench import (
    CorpusFolder,
    Labelling,
    SourceDocument,
    load_dataset,
)
from workbench.exchange import (
    bring_in_judgments,
    read_queries,
)

SHEET = "query_id,query,doc_id,title,text,grade,quote\n"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("s.csv", "query_id,doc_id\nq01,d3\n", "the columns are query_id, doc_id; needed one with the grade"),
        ("s.csv", SHEET + "q01,word1,d3,,,,\n", "none of its 1 row has a grade"),
        ("s.csv", SHEET, "it has a heading and no row"),
        ("s.csv", SHEET + "q01,word2,d3,,,1,\n", "line 2: the query is 'word2', and 'q01' is 'word1' here"),
        (
            "s.csv",
            SHEET + "q01,word1,d3,Gates,How to shut,1,\n",
            "line 2: the document is 'Gates', and 'd3' is",
        ),
        (
            "s.csv",
            SHEET + "q01,word1,d3,,,1,\nq01,word2,d3,,,0,\n",
            "were its rows moved?:\n  s.csv, line 3: the query is 'word2', and 'q01' is 'word1' here",
        ),
        (
            "s.csv",
            SHEET + "q01,,d3,,,1,\nq01,,d3,,,0,\n",
            "line 3: 'q01', 'd3' has grade 1 (line 2) and grade 0; keep one, or was a part of the",
        ),
        ("s.csv", SHEET + "q01,word1,d3,a, b,c,1,\n", "line 2: 8 cells, and the heading has 7"),
        ("s.csv", SHEET + 'q01,"word1,d3,,,1,\n', "line 2: a quote is opened and never closed"),
        ("s.csv", "query_id,doc_id,grade,grade\nq01,d3,1,0\n", "the column 'grade' stands there twice"),
        ("s.csv", "q01,word1,d3,t,x,2,\n", "is no heading; needed one that names the columns"),
        ("s.csv", "sep=,\n" + SHEET, "'sep=,' is no heading but a mark for Excel"),
        ("s.csv", SHEET + "q01,word1,d3,,,\uff12,\n", "'\uff12' is not a whole number; say what it becomes"),
        ("s.csv", SHEET + "q01,word1,d3,,word5 of a cat and a dog,1,\n", "line 2: the text is that of 'd5'"),
        (
            "s.jsonl",
            '{"query_id": "q01", "doc_id": "d3", "rel": 2}\n',
            "no record has a field with the grade; needed one called grade, score, relevance or label",
        ),
        (
            "s.tsv",
            "query-id corpus-id score\nq01 d3 1\n",
            "line 1: blanks stand between the columns; needed tabs",
        ),
        ("s.txt", "query_id | doc_id | grade\nq01|d3|1\n", "line 1: bars stand between the columns"),
        (
            "s.csv",
            SHEET.encode("utf-16"),
            "save the file as UTF-8 (in Excel: CSV UTF-8); it looks like UTF-16",
        ),
        ("s.csv", (SHEET + "q01,word1,d3,Gr\xf6\xdfe,,1,\n").encode("latin1"), "it looks like Windows-1252"),
        ("s.xlsx", b"PK\x03\x04" + bytes(30), "is no text but a packed file, as .xlsx"),
        ("s.pdf", b"%PDF-1.7", "is no text but a PDF"),
        ("s.csv", NO_TEXT, "s.csv is no text: it is not UTF-8 and holds control characters"),
        (
            "s.csv",
            bytes(99),
            "it holds NUL bytes; it looks like no text at all; needed a file of",
        ),
        ("s.json", "[]", "begins no object; needed JSON lines"),
        ("s.json", '{\n "q01": 1\n}', "is an object of JSON over several lines; needed JSON lines"),
    ],
)
def test_a_sheet_of_judgments_that_cannot_be_read_is_named_with_the_line(
    project, capsys, name, content, words
):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = Path("judgments.jsonl").read_bytes()
    code, out, err = said_of(capsys, f"import judgments {name}")
    assert (code, out) == (2, "") and words in err, err
    assert Path("judgments.jsonl").read_bytes() == before


def test_a_quote_of_a_sheet_that_does_not_stand_in_its_document_is_named(project, capsys):
    Path("s.csv").write_text(SHEET + "q01,word1,d3,,,1,words of nobody\n")
    code, out, _ = said_of(capsys, "import judgments s.csv")
    assert code == 0 and "quotes that are not in their documents are left out (1): q01 d3" in out


def test_words_that_a_judge_makes_up_are_said_and_left_out(project, capsys):
    code, _, err = said_of(capsys, "draft odd_searches:judge_makes_up --name llm")
    assert code == 0 and "quotes of llm that are not in their documents are left out (" in err
    assert "): q01 d1" in err
    assert {verdict.quote for verdict in Labelling(".", judge="llm").verdicts().values()} == {""}


def test_two_judges_are_settled_on_the_command_line(project, capsys):
    lab = Labelling(".")
    lab.second("anna").judge("q01", "d1", 0)
    assert "next: workbench settle anna q01 d1 GRADE" in said_of(capsys, "agreement anna")[1]
    code, _, err = said_of(capsys, "settle q01 d1 1")
    assert code == 2 and "'q01' is a query, and the judge comes first: workbench settle anna q01 d1 1" in err
    code, out, _ = said_of(capsys, "settle anna q01 d1 1 --why 'only a part of it'")
    assert code == 0 and "not settled: 0" in out
    assert lab.verdicts()["q01", "d1"].grade == 1


def test_lost_judgments_leave_the_dataset_that_was_made_of_them(project, capsys):
    Path("judgments.jsonl").unlink()
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "judgments.jsonl is gone or empty; put judgments.jsonl back" in err
    assert Path("datasets/gold.json").is_file()


def test_judgments_of_one_model_are_never_described_as_those_of_another(project, capsys):
    assert said_of(capsys, "draft odd_searches:judge_nothing --name llm --described a")[0] == 0
    code, _, err = said_of(capsys, "draft odd_searches:judge_nothing --name llm --described b")
    assert code == 2 and "the judgments of 'llm' are described as 'a'" in err


def test_nuggets_without_a_quote_are_named(project, capsys):
    nugget = {"text": "a", "importance": "vital", "support": []}
    Path("n.jsonl").write_text(json.dumps({"query_id": "q01", "answer": "a", "nuggets": [nugget]}))
    code, _, err = said_of(capsys, "evaluate --corpus corpus --dataset datasets/gold.json --nuggets n.jsonl")
    assert code == 2 and "nuggets.0.support: needed 1 or more of them" in err


def test_a_query_whose_id_is_that_of_a_row_of_another_is_measured(project, capsys):
    lab = Labelling(".")
    with open("queries.jsonl", "a") as file:
        file.write('{"query_id": "q01-1", "query": "word5"}\n')
    lab.judge("q01", "d3", 1, "cat")
    lab.judge("q01-1", "d5", 2, "cat")
    assert said_of(capsys, "measure")[0] == 0
    assert set(load_dataset("datasets/gold.json").judgments) >= {"q01-1", "q02"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("query_id,doc_id,grade\nq01,d2,2\nq01,d", "line 3: 2 of 3 cells, and no other row ends"),
        ("query_id,doc_id,grade\nq01\nq01,d3,1\n", "line 2: 1 of 3 cells, and no other row ends"),
        ("query_id,query,doc_id,grade\n,word1,d1,2\n", "line 2: query_id is empty"),
        ("query_id,doc_id,grade\nq01,D1,2\n", "'D1' would be 'd1', written otherwise"),
        ("q01 0 d3 1,5\n", "line 1: grade '1,5' is not a whole number"),
        ("query_id iter doc_id rel\nq01 0 d3 1\n", "TREC qrels have no heading; take this line away"),
        ("qid it docno relevance\nq01 0 d3 1\n", "TREC qrels have no heading; take this line away"),
        ("q01 0 d3 1\n=======\n>>>>>>> x\n", "line 3: git could not merge two versions here"),
        ("query_id,doc_id,document_id,grade\nq01,d3,d4,2\n", "it has doc_id 'd3' and document_id 'd4'"),
        ("query_id,doc_id,grade,score\nq01,d3,1,2\n", "it has grade '1' and score '2'"),
        ('{"query_id": "q01", "doc_id": ["d3"], "grade": 1}\n', "doc_id is ['d3']; needed text"),
    ],
)
def test_a_judgment_that_says_two_things_or_none_is_refused(project, capsys, content, words):
    name = "a.jsonl" if content.startswith("{") else "a.csv" if "," in content.split()[0] else "a.txt"
    Path(name).write_text(content)
    code, out, err = said_of(capsys, f"import judgments {name}")
    assert (code, out) == (2, "") and words in err, err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("gate csr-bm25 odd_searches:cancels --limit nDCG@10:0.02", "your search raised CancelledError"),
        ("gate csr-bm25 odd_searches:leaves --limit nDCG@10:0.02", "your search raised GeneratorExit"),
        ("draft odd_searches:judge_stops --name llm", "your judge raised StopIteration"),
    ],
)
def test_no_end_of_ones_own_code_is_red_in_a_gate_or_a_traceback_of_a_judge(project, capsys, line, words):
    code, out, err = said_of(capsys, line)
    assert (code, out) == (2, "") and words in err, err


def test_a_judge_that_judges_json_lost_is_told_how_to_come_back(project, capsys):
    assert said_of(capsys, "draft odd_searches:judge_nothing --name llm")[0] == 0
    Path("judges/judges.json").unlink()
    for line in ("agreement llm", "settle llm q01 d1 2"):
        code, _, err = said_of(capsys, line)
        assert code == 2 and "make it known again: workbench pool --judge llm" in err, err
    assert said_of(capsys, "pool --judge llm --judge-is model")[0] == 0
    assert said_of(capsys, "agreement llm")[0] == 0
    assert "(300 characters); needed at most 41" in said_of(capsys, f"pool --judge {300 * 'a'}")[2]
    assert "; a name has at most 41 letters" in said_of(capsys, "agreement 'Anna Müller'")[2]


def test_a_judge_whose_grades_are_text_is_told_to_make_numbers_of_them(project, capsys):
    Path("as_text.py").write_text("def judge(query, text):\n    return '2'\n")
    code, _, err = said_of(capsys, "draft as_text:judge --name llm")
    assert code == 2 and "the judge said '2', which is text; needed the number: int('2')" in err, err


def test_grades_that_were_lost_are_missed_by_name(project, capsys):
    Path("datasets/gold.qrels").unlink()
    for line in (f"{EVALUATE} csr-bm25", "datasets datasets/gold.json"):
        code, _, err = said_of(capsys, line)
        assert code == 2 and "gold.qrels, which was beside it, is missing" in err, err


def test_a_judgment_that_no_longer_counts_is_named_with_the_reason(project, capsys):
    with open("judgments.jsonl", "a") as file:
        file.write('{"query_id": "q01", "doc_id": "gone.md", "grade": 1}\n')
    code, out, err = said_of(capsys, "measure")
    assert code == 0 and "1 judgment kept and not counted: q01 gone.md (the document is gone)" in out


def test_one_name_is_one_program_that_judges(project, capsys):
    assert said_of(capsys, "draft odd_searches:judge_nothing --name llm")[0] == 0
    code, _, err = said_of(capsys, "draft odd_searches:judge_makes_up --name llm")
    assert code == 2 and "the judgments of 'llm' are those of odd_searches:judge_nothing" in err


def test_a_judge_corrects_a_grade_in_a_file_of_their_own(project, capsys):
    Path("a.csv").write_text("query_id,doc_id,grade\nq01,d1,2\n")
    assert said_of(capsys, "import judgments a.csv --judge anna")[0] == 0
    Path("a.csv").write_text("query_id,doc_id,grade\nq01,d1,1\n")
    code, _, err = said_of(capsys, "import judgments a.csv --judge anna")
    assert code == 2 and "change its line in judges/anna.jsonl:" in err, err


def test_a_judge_whose_name_is_like_another_is_said_to_be_new(project, capsys):
    assert said_of(capsys, "pool --judge anna")[2] == ""
    code, _, err = said_of(capsys, "pool --judge ana")
    assert code == 0 and "new judge 'ana'; there is 'anna'" in err
    code, _, err = said_of(capsys, "pool --judge Anna")
    assert code == 2 and "'Anna' differs in capitals only" in err


def test_a_format_without_grades_says_so_on_both_ways(project, capsys):
    assert "this format has no grades" in said_of(capsys, "export out --format biblicus")[2]
    code, _, err = said_of(capsys, "import judgments out/dataset.json --judge anna")
    assert code == 0 and "it has no grades, so each document that a query expects is taken as grade 2" in err


def test_an_export_says_which_queries_are_left_out(project, capsys):
    with open("queries.jsonl", "a") as file:
        file.write('{"query_id": "q09", "query": "tea", "kind": "question"}\n')
    for form, why in (("trec", "no judgment"), ("biblicus", "no relevant document")):
        code, _, err = said_of(capsys, f"export out-{form} --format {form}")
        assert code == 0 and f"1 query with {why} left out: q09" in err


def test_files_of_a_project_are_no_labels_and_no_documents(project, capsys):
    code, _, err = said_of(capsys, "datasets --from-labels queries.jsonl --docs corpus --out x.json")
    assert code == 2 and "workbench measure` writes the dataset" in err
    code, _, err = said_of(capsys, "new ../again --docs .")
    assert code == 2 and "is a project itself" in err


def test_judgments_that_are_read_only_stay_as_they_are(project, capsys):
    Path("a.csv").write_text("query_id,doc_id,grade\nq01,d2,1\n")
    Path("judgments.jsonl").chmod(0o444)
    code, _, err = said_of(capsys, "import judgments a.csv")
    assert code == 2 and "judgments.jsonl is read-only" in err


def test_judgments_of_another_project_are_shown_beside_an_id_of_this_one(project, capsys):
    other = '{"query_id": "q01", "doc_id": "theirs.md", "grade": 1}\n'
    Path("judges").mkdir(exist_ok=True)
    Path("judges/judges.json").write_text('{"llm": {"kind": "model"}}')
    Path("judges/llm.jsonl").write_text(other)
    err = said_of(capsys, "agreement llm")[2]
    assert "llm judged e.g. ('q01', 'theirs.md')" in err and "llm.jsonl of another project?" in err
    Path("judgments.jsonl").write_text(other)
    err = said_of(capsys, "measure")[2]
    assert "there is no document 'theirs.md' here, but e.g. " in err and "of another project?" in err
    Path("judgments.jsonl").write_text("")
    assert "judgments.jsonl holds no judgment, or is not there" in said_of(capsys, "agreement llm")[2]


def test_a_sheet_of_judgments_is_no_list_of_queries_and_a_scale_of_five_is_mapped_whole(project, capsys):
    Path("s.csv").write_text("query_id,query,doc_id,grade,quote\nq01,soup,a.md,,\n")
    code, _, err = said_of(capsys, "import queries s.csv")
    assert code == 2 and "is a sheet of judgments" in err and "workbench import judgments" in err
    query_id = json.loads(Path("queries.jsonl").read_text().splitlines()[0])["query_id"]
    doc_id = next(iter(CorpusFolder.open("corpus").corpus))
    Path("k.csv").write_text(f"query_id,doc_id,grade\n{query_id},{doc_id},5\n")
    code, _, err = said_of(capsys, "import judgments k.csv")
    assert code == 2 and "--grades 5=2; 2 answers the query, 1 helps, 0 neither" in err


def test_blanks_behind_a_closing_quote_do_no_harm(tmp_path):
    (tmp_path / "a.csv").write_text('query,count\n"lost, key" ,3\n"a ""b"" , c",2\n')
    assert [query.text for query in read_queries(tmp_path / "a.csv")] == ["lost, key", 'a "b" , c']


def test_labels_are_not_replaced_by_the_judgments_of_their_own_export(tmp_path, capsys):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\nUse the key.")
    judged = {"doc_id": "a.md", "grade": 2, "quote": "Use the key."}
    label = {"query_id": "q1", "query": "door", "kind": "question", "relevant_doc_ids": ["a.md"]}
    labels = tmp_path / "lab.qrels"
    labels.write_text(json.dumps(label | {"judgments": [judged]}) + "\n")
    before = labels.read_text()
    line = ["--from-labels", str(labels), "--docs", str(docs), "--out", str(tmp_path / "lab.json")]
    assert main(["datasets", *line]) == 2
    assert "lab.qrels is there, belongs to no dataset file of ours" in capsys.readouterr().err
    assert labels.read_text() == before and not (tmp_path / "lab.json").exists()
    labels.rename(tmp_path / "lab.jsonl")
    line[1] = str(tmp_path / "lab.jsonl")
    assert main(["datasets", *line]) == 0 == main(["datasets", *line])


def test_a_judgment_without_a_quote_is_named_once_its_document_reads_otherwise(project, capsys):
    lab = Labelling(".")
    query_id, doc_id = next(iter(lab.verdicts()))
    page = lab.documents[doc_id]
    lab.judge(query_id, doc_id, 2)
    lab.corpus.add([replace(page, text=page.text.replace(" ", "\n"))])
    assert Labelling(".").changed() == []  # blanks are no change
    lab.corpus.add([replace(page, text="About cheese alone.")])
    assert Labelling(".").changed() == [(query_id, doc_id)]
    said = f"made before the document changed: {query_id} {doc_id}"
    for line in ("measure", "pool"):
        assert said in said_of(capsys, line)[1]
    assert "not judged; 1 judged of a text that has changed since\n" in said_of(capsys, "pool")[1]
    assert f"to read again: {query_id}: 1\n" in said_of(capsys, "pool --out s.csv")[1]
    last = Path("s.csv").read_text().splitlines()[-1]
    assert last.startswith(f"{query_id},") and last.endswith(',"2, of another text of the page",,')
    Labelling(".").judge(query_id, doc_id, 2)
    assert Labelling(".").changed() == [] and "changed since" not in said_of(capsys, "pool")[1]


def test_a_grade_taken_out_of_a_sheet_is_said_to_stay(project, capsys):
    query_id, doc_id = next(iter(Labelling(".").verdicts()))
    Path("sheet.csv").write_text(f"query_id,doc_id,grade\n{query_id},{doc_id},\nq02,{doc_id},\n")
    code, _, err = said_of(capsys, "import judgments sheet.csv")
    assert code == 2 and "fill in the grades" in err
    Path("sheet.csv").write_text(f"query_id,doc_id,grade\n{query_id},{doc_id},\nq02,{doc_id},1\n")
    _, _, err = said_of(capsys, "import judgments sheet.csv")
    assert f"1 row without a grade left out ({query_id} {doc_id}); a grade that such a pair has" in err


def test_whose_judgments_came_in_is_said_where_there_are_other_judges(project, capsys):
    lab = Labelling(".")
    lab.second("anna")
    query_id, _ = next(iter(lab.verdicts()))
    new = next(one for one in lab.documents if (query_id, one) not in lab.verdicts())
    Path("sheet.csv").write_text(f"query_id,doc_id,grade\n{query_id},{new},0\n")
    _, out, _ = said_of(capsys, "import judgments sheet.csv")
    assert "added 1 judgment to the project's own (other judges: anna)" in out
    code, _, err = said_of(capsys, "import judgments sheet.csv --judge Anna")
    assert code == 2 and "'Anna' differs in capitals only" in err and "new judge" not in err


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            '{"query_id": "q1", "answer": "A", '
            '"nuggets": [{"text": "t", "importance": "Vital", "support": []}]}',
            2,
        ),
        ('{"query_id": "q1", "answer": "A", "nuggets": []}', 1),
    ],
)
def test_a_line_of_nuggets_is_told_its_own_problems_and_the_form(tmp_path, line, complaint):
    (tmp_path / "n.jsonl").write_text(line)
    with pytest.raises(ValueError, match=r"a whole line, for example: {.query_id") as error:
        read_nuggets(tmp_path / "n.jsonl", CORPUS)
    assert str(error.value).startswith(f"{complaint} problem")
    example = str(error.value).rpartition("for example: ")[2]
    (tmp_path / "n.jsonl").write_text(example)
    assert list(read_nuggets(tmp_path / "n.jsonl", {"d1": "due by noon"})) == ["q1"]


def test_labels_are_not_written_over_what_a_project_measures(project, capsys):
    Path("l.jsonl").write_text(
        '{"query_id": "q1", "query": "x", "relevant_doc_ids": ["d1"], "judgments": []}\n'
    )
    line = "datasets --from-labels l.jsonl --docs corpus --out datasets/gold.json"
    code, _, err = said_of(capsys, line)
    assert code == 2 and "is what `workbench measure` writes of a project; give another name" in err


def test_a_judge_with_one_grade_for_everything_is_told_and_nothing_else(project, capsys):
    Path("my.py").write_text("def g(query, text): return 1")
    said_of(capsys, "draft my:g --name llm")
    code, out, err = said_of(capsys, "agreement llm")
    assert code == 0 and "which says nothing of a judge whose every grade is 1" in out and "counts" not in err


def test_what_a_judge_alone_has_judged_is_judged_first_and_not_settled(project):
    lab = Labelling(".")
    pair = ("q01", "d7")
    lab.second("llm", "model").judge(*pair, 1)
    with pytest.raises(ValueError, match=f"the project has not judged '{pair[1]}' .* judge it first, in"):
        lab.resolve("llm", *pair, 1)


def test_ids_of_two_judges_that_never_meet_are_shown():
    with pytest.raises(ValueError, match=r"e.g. \('q1', 'it/vpn.md'\) in the first and \('q1', 'vpn.md'\)"):
        agreement({"q1": {"it/vpn.md": 1}}, {"q1": {"vpn.md": 1}})


def _replaced(capsys, **texts):
    for doc_id, text in texts.items():
        Path("docs").mkdir(exist_ok=True)
        Path(f"docs/{doc_id}.md").write_text(f"---\ndoc_id: {doc_id}\n---\n{text}")
    return said_of(capsys, "ingest --corpus corpus docs")[1]


def test_judgments_of_a_document_that_is_replaced_are_named_when_it_is(project, capsys):
    Path("judgments.jsonl").write_text('{"query_id": "q01", "doc_id": "d1", "grade": 2}\n')
    Labelling(".").second("anna").judge("q02", "d1", 1)
    said = _replaced(capsys, d1="About cheese alone.", d3="New, and judged by nobody.")
    assert "2 judgments are of documents that read otherwise now: q01 d1, q02 d1 (judge anna)" in said


@pytest.mark.parametrize("text", ["word1  of a\ncat and a dog", "A cat, reworded."])
def test_judgments_that_still_hold_are_not_named_when_a_document_is_replaced(project, capsys, text):
    said = _replaced(capsys, d1=text)
    assert "replaced: d1" in said and "otherwise" not in said
    Path("judgments.jsonl").write_text("no judgment\n")
    assert "which judgments are of the replaced documents cannot be told" in _replaced(capsys, d1="Cheese.")


def test_a_judge_of_other_pairs_of_this_project_is_asked_to_judge_the_same(project, capsys):
    Labelling(".").second("otto").judge("q01", "d7", 1)
    code, _, err = said_of(capsys, "agreement otto")
    assert code == 2 and "have otto judge the same pairs: workbench pool --judge otto --out sheet.csv" in err
    assert "another project" not in err


def test_a_grade_that_was_settled_is_called_so_where_an_older_sheet_says_another(project, capsys):
    lab = Labelling(".")
    lab.second("anna").judge("q01", "d1", 1)
    lab.resolve("anna", "q01", "d1", 1)
    Path("sheet.csv").write_text("query_id,doc_id,grade\nq01,d1,2\n")
    code, _, err = said_of(capsys, "import judgments sheet.csv")
    assert code == 2 and "grade 1, now 2; the 1 was settled with anna: leave the row out" in err


def test_a_slip_in_an_id_is_shown_beside_the_id_that_is_like_it(project, capsys):
    lab = Labelling(".")
    lab.corpus.add([replace(lab.documents["d1"], doc_id="guide/login.md")])
    Path("sheet.csv").write_text("query_id,doc_id,grade\nq01,guide/logn.md,2\n")
    assert "Is 'guide/logn.md' 'guide/login.md'?" in said_of(capsys, "import judgments sheet.csv")[2]
    Path("sheet.csv").write_text("query_id,doc_id,grade\nq01,d111,2\n")
    assert "Is 'd111'" not in said_of(capsys, "import judgments sheet.csv")[2]  # numbers are always alike


def test_queries_of_beir_are_no_labels_and_the_way_into_a_project_is_named(project, capsys):
    Path("b.jsonl").write_text('{"_id": "1", "text": "soup"}\n')
    code, _, err = said_of(capsys, "datasets --from-labels b.jsonl --docs corpus --out x.json")
    assert code == 2 and "queries as BEIR has them (_id, text), without judgments; bring both into" in err


def test_a_folder_of_beir_in_the_place_of_its_judgments_is_told_which_file(project, capsys):
    said_of(capsys, "export out --format beir")
    code, _, err = said_of(capsys, "import judgments out")
    assert code == 2 and "its queries are out/queries.jsonl, its judgments out/qrels/test.tsv" in err


def test_what_another_judge_said_does_not_become_the_projects_own(project, capsys):
    Labelling(".").second("llm", "model").judge("q01", "d7", 1)
    code, _, err = said_of(capsys, "import judgments judges/llm.jsonl")
    assert code == 2 and "judges/llm.jsonl holds what llm judged, and not you" in err
    assert ("q01", "d7") not in Labelling(".").verdicts()


def test_a_difference_is_settled_by_the_project_and_not_by_the_other_judge(project):
    lab = Labelling(".")
    anna = lab.second("anna")
    anna.judge("q01", "d1", 1)
    with pytest.raises(ValueError, match=r"the labelling of 'anna'; settle with the project's own"):
        anna.resolve("anna", "q01", "d1", 1)
    assert lab.verdicts()["q01", "d1"].grade == 2 and len(lab.disagreements("anna")) == 1


def test_the_name_of_a_judge_is_given_and_not_their_labelling(project):
    lab = Labelling(".")
    with pytest.raises(ValueError, match="name is a Labelling; needed .* name, as 'anna'"):
        lab.agreement(lab.second("anna"))


@pytest.mark.parametrize("empty", ["NaN", "", "n/a", "None"])
def test_a_grade_that_pandas_left_empty_is_left_out_and_not_judged(project, capsys, empty):
    Path("x.csv").write_text(f"query_id,doc_id,grade\nq01,d3,1.0\nq02,d4,{empty}\n")
    code, _, err = said_of(capsys, "import judgments x.csv")
    assert code == 0 and "1 row without a grade left out (q02 d4)" in err
    assert ("q02", "d4") not in Labelling(".").verdicts()


def test_both_parts_of_what_was_read_and_grades_beyond_the_scale_are_told(project):
    lab = Labelling(".")
    with pytest.raises(ValueError, match="give them apart: qrels, quotes = read_judgments"):
        bring_in_judgments(lab, ({"q01": {"d3": 1}}, {}))
    with pytest.raises(ValueError, match="grades is .*; those of a project are 2, 1 and 0"):
        bring_in_judgments(lab, {"q01": {"d3": 5}}, grades={5: 3})
    with pytest.raises(ValueError, match=r"Labelling\(folder\).second\('bob'\) makes one known"):
        Labelling(".", judge="bob")


def test_judgments_that_several_bring_in_at_the_same_time_are_all_kept(project):
    lab, n = Labelling("."), 6
    barrier, failed = threading.Barrier(n), []

    def bring_in(number):
        barrier.wait()
        try:
            bring_in_judgments(Labelling("."), {"q01": {f"d{number + 3}": 1}})
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=bring_in, args=(number,)) for number in range(n)]
    [one.start() for one in threads], [one.join() for one in threads]
    assert not failed and {f"d{number + 3}" for number in range(n)} <= {doc for _, doc in lab.verdicts()}


def test_differences_that_several_settle_at_the_same_time_are_all_kept(project):
    lab, doc_ids = Labelling("."), [f"d{number}" for number in range(3, 9)]
    other = lab.second("anna")
    for doc_id in doc_ids:
        lab.judge("q01", doc_id, 0), other.judge("q01", doc_id, 1)
    threads = [
        threading.Thread(target=Labelling(".").resolve, args=("anna", "q01", one, 1)) for one in doc_ids
    ]
    [one.start() for one in threads], [one.join() for one in threads]
    kept = {json.loads(line)["doc_id"] for line in Path("judges/resolved.jsonl").read_text().splitlines()}
    assert kept == set(doc_ids) and all(lab.verdicts()["q01", one].grade == 1 for one in doc_ids)


def test_judgments_that_do_not_count_are_no_labels_without_a_problem(project, capsys):
    with open("judgments.jsonl", "a") as file:
        file.write('{"query_id": "q77", "doc_id": "d1", "grade": 2}\n')
    assert main(["labels", "."]) == 0
    said = capsys.readouterr().out
    assert "1 judgment more kept and not counted: q77 d1 (the query is gone)" in said
    assert "no problem found" not in said


def test_a_last_line_that_was_cut_off_is_called_so(project, capsys):
    with open("judgments.jsonl", "a") as file:
        file.write('{"query_id": "q01", "doc')
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "is the file cut off? If so, delete this line, and say again what it said" in err


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "run.csv",
            "query_id,doc_id,rank,score\nq01,d1,1,2\nq01,d3,2,1\n",
            "results of a search and no judgments",
        ),
        (
            "run.jsonl",
            '{"query_id": "q01", "doc_id": "d1", "rank": 1, "score": 2}\n',
            "a rank and a score, so",
        ),
        ("ltr.txt", "2 qid:q01 1:0.3 2:0.4 # d1\n", "is a line with features, as LETOR and SVMrank have it"),
        (
            "judges/resolved.jsonl",
            '{"query_id": "q01"}\n',
            "says which differences between judges were settled",
        ),
    ],
)
def test_what_is_no_judgment_and_looks_like_one_is_named(project, capsys, name, content, words):
    Path("judges").mkdir(exist_ok=True)
    Path(name).write_text(content)
    before = Path("judgments.jsonl").read_bytes()
    code, out, err = said_of(capsys, f"import judgments {name}")
    assert (code, out) == (2, "") and words in err, err
    assert Path("judgments.jsonl").read_bytes() == before


def test_a_rank_beside_a_grade_does_no_harm(project, capsys):
    Path("s.csv").write_text("query_id,doc_id,rank,grade\nq01,d3,7,1\n")
    code, _, err = said_of(capsys, "import judgments s.csv")
    assert code == 0 and "not read: 'rank'" in err


@pytest.mark.parametrize(
    ("parameters", "refused"),
    [
        ("document, query", True),
        ("text, query", True),
        ("passage, question", True),
        ("query, document", False),
        ("question, passage", False),
        ("q, d, query=None", False),
    ],
)
def test_a_judge_that_takes_the_query_second_is_refused(project, parameters, refused):
    judge = eval(f"lambda {parameters}: 1")
    if refused:
        with pytest.raises(ValueError, match=r"it is called with query, text in this order"):
            Labelling(".").draft(judge, "llm")
    else:
        Labelling(".").draft(judge, "llm")


def test_a_judge_that_takes_an_id_is_told_that_it_gets_the_text(project):
    with pytest.warns(UserWarning, match="'doc_id' is given the text of the document, not its id"):
        Labelling(".").draft(lambda query, doc_id: 1, "llm")


def test_judgments_go_into_their_project_wherever_one_works_by_now(project, monkeypatch, tmp_path):
    lab, home = Labelling("."), Path.cwd()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    before = len(lab.questions())
    query_id = lab.add_query("where is the lost property office")
    lab.judge(query_id, "d1", 1)
    assert not list(Path().iterdir()) and len(lab.questions()) == before + 1
    assert query_id in (home / "judgments.jsonl").read_text() and lab.corpus.path == home / "corpus"


def test_cells_of_quotes_that_pandas_left_empty_are_no_quotes(project, capsys):
    Path("s.csv").write_text("query_id,doc_id,grade,quote\nq01,d3,2.0,NaN\nq01,d4,NaN,NaN\n")
    code, out, err = said_of(capsys, "import judgments s.csv")
    assert code == 0 and "added 1 judgment" in out and "quote" not in out + err, out + err


def test_grades_that_all_stand_in_another_column_are_looked_for(project, capsys):
    Path("s.csv").write_text("query_id,doc_id,grade,quote\nq01,d3,,2\nq01,d4,,1\n")
    code, _, err = said_of(capsys, "import judgments s.csv")
    assert code == 2 and "none of its 2 rows has a grade; is the grade in the wrong column, as quote?" in err


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        (SHEET + "q01,,d3,,,1,\n" + SHEET, "", "line 3: this is the heading again; were two files joined"),
        (
            SHEET + "q01,,d3,,,1,\n",
            "--judge-is model",
            "the judgments become the project's own",
        ),
        ("query_id,query,kind\nq01,word1,question\n", "", "are these queries? workbench import queries"),
    ],
)
def test_what_would_go_into_the_wrong_place_is_told_its_own(project, capsys, content, more, words):
    Path("s.csv").write_text(content)
    code, _, err = said_of(capsys, f"import judgments s.csv {more}")
    assert code == 2 and words in err, err


def test_a_grade_in_quotes_is_told_to_be_text(project, capsys):
    Path("judgments.jsonl").write_text('{"query_id": "q01", "doc_id": "d1", "grade": "2"}\n')
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "needed a whole number, found '2'; write it without quotes" in err


def test_a_judge_in_other_capitals_is_shown_the_one_there_is(project, capsys):
    Labelling(".").second("anna")
    code, _, err = said_of(capsys, "agreement Anna")
    assert code == 2 and "did you mean 'anna'?" in err and "pool --judge" not in err


def test_a_quote_with_the_apostrophe_of_an_editor_is_told_so(project, tmp_path):
    text = "Don't restart the relay."
    with pytest.raises(ValueError, match="but with other quotes, dashes or blanks; copy it from"):
        add_query(tmp_path / "q.jsonl", "relay?", "question", [("a", 2, "Don\u2019t restart")], {"a": text})
    lab = Labelling(".")
    lab.corpus.add([SourceDocument("relay.md", "", text, "relay.md")])
    with pytest.raises(ValueError, match="it does with other quotes, dashes or blanks; copy the words"):
        Labelling(".").judge("q01", "relay.md", 2, "Don\u2019t restart")


def test_a_heading_above_qrels_is_called_one(tmp_path):
    (tmp_path / "a.qrels").write_text("query_id iter doc_id relevance\nq1 0 d1 1\n")
    with pytest.raises(ValueError, match="line 1: grade 'relevance' .*; is this a heading. Delete the line"):
        trec.read_qrels(tmp_path / "a.qrels")


def test_a_file_that_a_person_wrote_is_told_of_blanks_and_of_quotes_of_print(project, capsys):
    with open("judgments.jsonl", "a") as file:
        file.write('{"query_id": "q01", "doc_id": "the api.md", "grade": 2}\n')
        file.write("{“query_id”: “q01”, “doc_id”: “d2”, “grade”: 1}\n")
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "in the corpus a blank is written %20: 'the%20api.md'" in err, err
    assert 'these quotes are typographic: write straight ones (")' in err


def test_ids_that_a_spreadsheet_has_taken_the_zeros_of_are_not_sent_to_another_query(project, capsys):
    Path("z.csv").write_text("query_id,query\n001,quiet hours\n002,lift broken\n")
    assert said_of(capsys, "import queries z.csv")[0] == 0
    Path("x.tsv").write_text("query-id\tcorpus-id\tscore\n1\td1\t1\n2\td2\t1\n")
    code, _, err = said_of(capsys, "import judgments x.tsv")
    assert code == 2 and "'1' would be '001', with its zeros, which a spreadsheet takes away" in err, err


def test_a_baseline_of_a_program_that_is_gone_is_named(project, capsys):
    Path("gone_soon.py").write_text("def search(query, k):\n    return ['d1', 'd2'][:k]\n")
    code, _, err = said_of(capsys, "systems --add gone=gone_soon:search")
    assert code == 0, err
    evaluate = "evaluate --corpus corpus --dataset datasets/gold.json"
    code, _, err = said_of(capsys, f"{evaluate} --system gone_soon:search --out b.json")
    assert code == 0, err
    Path("gone_soon.py").unlink()
    del sys.modules["gone_soon"]
    code, _, err = said_of(capsys, f"{evaluate} --as-in b.json --out c.json")
    assert code == 2 and "b.json is of gone_soon:search: " in err and "in its place: --system SYSTEM" in err


def test_judgments_come_along_into_a_project_that_numbers_otherwise(project, capsys):
    old = Path("judgments.jsonl").read_text()
    assert json.loads(old.splitlines()[0])["query"] == "word1"
    Path("old.jsonl").write_text(old)
    Path("judgments.jsonl").unlink()
    lines = Path("queries.jsonl").read_text().splitlines()
    texts = [json.loads(line)["query"] for line in lines]
    records = [{"query_id": f"q{n:02d}", "query": text} for n, text in enumerate(["soup", *texts], start=1)]
    Path("queries.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    code, out, err = said_of(capsys, "import judgments old.jsonl")
    n = len(old.splitlines())
    assert code == 0 and f"added {n} judgments" in out, err
    assert err.count("matched by their texts") == 1
    now = [json.loads(line) for line in Path("judgments.jsonl").read_text().splitlines()]
    was = [json.loads(line) for line in old.splitlines()]
    kept = ("query", "doc_id", "grade", "quote")
    assert [[one[name] for name in kept] for one in now] == [[one[name] for name in kept] for one in was]
    assert {one["query_id"]: one["query"] for one in now} == {
        record["query_id"]: record["query"]
        for record in records
        if record["query"] in {one["query"] for one in was}
    }


def test_of_thousands_of_problems_twenty_are_shown(project, capsys):
    record = {"query_id": "q01", "query": "soup", "doc_id": "d1", "grade": 1}
    lines = [json.dumps(record | {"doc_id": f"d{n}"}) + "\n" for n in range(3_000)]
    Path("theirs.jsonl").write_text("".join(lines))
    code, out, err = said_of(capsys, "import judgments theirs.jsonl")
    assert (code, out) == (2, "") and "3,000 problems in" in err
    assert err.count("\n") == 22 and err.rstrip().endswith("and 2,980 more")
    Path("theirs.jsonl").write_text("".join(lines[:20]))
    err = said_of(capsys, "import judgments theirs.jsonl")[2]
    assert err.count("\n") == 21 and "more" not in err.splitlines()[-1]
