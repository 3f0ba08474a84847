"""`workbench evaluate --nuggets`: which facts the evidence holds, on the bundled lab."""

import json

import pytest

from helpers.answers import nugget_shares
from helpers.base import files
from helpers.datasets import read_nuggets
from workbench.__main__ import main
from workbench.corpus import CorpusFolder
from workbench.reports import load_report, score_nuggets


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab") / "wiki"
    assert main(["lab", "--corpus", str(folder)]) == 0
    return folder


def evaluated(lab, *more):
    budget = ["--max-total-items", "5", "--maximum-total-characters", "20000"]
    dataset = lab / "datasets" / "runbooks.json"
    return main(["evaluate", "--corpus", str(lab), "--dataset", str(dataset), *budget, *more])


def test_eval_says_which_facts_the_evidence_holds(lab, tmp_path, capsys):
    out = tmp_path / "report.json"
    capsys.readouterr()
    assert evaluated(lab, "--nuggets", str(files.NUGGETS), "--out", str(out)) == 0
    said = capsys.readouterr().out
    corpus = CorpusFolder.open(lab).corpus
    answers = read_nuggets(files.NUGGETS, corpus)
    report = load_report(out)
    scores = score_nuggets(report, answers, corpus)
    assert f"nuggets: {len(scores)} of the queries have them" in said
    assert f"vital strict   {scores['vital strict'].mean():.4f}  (" in said
    query_id = scores.index[0]
    (items,) = {
        tuple((one.doc_id, one.start, one.end) for one in row.items)
        for row in report.evidence
        if row.query_id in report.per_query[query_id].rows
    }
    vital = [nugget for nugget in answers[query_id].nuggets if nugget.importance == "vital"]
    shares = nugget_shares(vital, items, corpus)
    assert scores.loc[query_id, "vital strict"] == pytest.approx(sum(s == 1 for s in shares) / len(shares))


def test_nuggets_of_other_documents_or_queries_are_refused(lab, tmp_path, capsys):
    line = json.loads(files.NUGGETS.read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "nuggets.jsonl"
    path.write_text(json.dumps(line | {"query_id": "other"}))
    assert evaluated(lab, "--nuggets", str(path)) != 0
    assert "none of them was asked" in capsys.readouterr().err
    path.write_text("\n".join([json.dumps(line), json.dumps(line | {"query_id": "other"})]))
    assert evaluated(lab, "--nuggets", str(path)) == 0
    lacking = "nuggets of 1 query that the dataset lacks, and nothing is said of them: other"
    assert lacking in capsys.readouterr().err
    line["nuggets"][0]["support"][0]["quote"] = "not a quote of any page"
    path.write_text(json.dumps(line))
    assert evaluated(lab, "--nuggets", str(path)) != 0
    assert "stands 0 times" in capsys.readouterr().err
    path.write_text("")
    assert evaluated(lab, "--nuggets", str(path)) != 0
    assert "the file holds no query" in capsys.readouterr().err


def test_the_facts_are_data_with_json(lab, tmp_path, capsys):
    capsys.readouterr()
    more = ["--nuggets", str(files.NUGGETS), "--out", str(tmp_path / "report.json"), "--json"]
    assert evaluated(lab, *more) == 0
    rows = json.loads(capsys.readouterr().out)["nuggets"]
    assert rows[0]["query_id"] and 0 <= rows[0]["vital strict"] <= 1


def test_an_allowed_id_of_no_document_holds_nothing_and_one_of_another_corpus_is_refused(lab, tmp_path):
    corpus = CorpusFolder.open(lab).corpus
    assert evaluated(lab, "--out", str(tmp_path / "report.json")) == 0
    report, answers = load_report(tmp_path / "report.json"), read_nuggets(files.NUGGETS, corpus)
    whole = score_nuggets(report, answers, corpus)
    (row,) = [one for one in report.evidence if one.query_id in report.per_query[whole.index[0]].rows][:1]
    gone = row.items[0].doc_id
    with pytest.raises(ValueError, match=f"the context has '{gone}', which the corpus lacks"):
        score_nuggets(report, answers, {doc_id: text for doc_id, text in corpus.items() if doc_id != gone})
    unknown = row.items[0].model_copy(update={"doc_id": "of nobody", "text": "", "start": 0, "end": 0})
    changed = row.model_copy(update={"items": [*row.items, unknown]})
    report = report.model_copy(update={"evidence": [changed, *report.evidence[1:]]})
    assert score_nuggets(report, answers, corpus)["vital"].tolist() == whole["vital"].tolist()
