"""A search of one's own that cannot be measured, or answers oddly: it is named, and never a score of 0."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_project import CORPUS, DATA, EVALUATE, NO_TEXT, QUERIES, right, said_of

from helpers.failures import RetrievalErrorAnalyzer, System, analyze
from helpers.judgments import (
    circularity,
)
from helpers.monitoring import RetrievalABTest
from helpers.retrieval import (
    CsrBM25,
    HybridRetriever,
    Reranker,
)
from helpers.text import plain
from workbench import (
    CorpusFolder,
    Labelling,
    SourceDocument,
    evaluate_run,
)
from workbench.systems import open_system, own_code


class Mine:
    """A search of one's own that is there already."""

    def __init__(self, answer):
        self.answer = answer

    def search(self, queries, k):
        return self.answer(queries)


def test_a_search_that_is_there_already_is_analyzed_as_it_is():
    report = analyze(DATA, System("mine", Mine(right)), changes={})
    assert report.evaluation["Hit@10"] == 1 and not len(report.misses)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: System("mine", 5), "build is a int; needed a retriever with search"),
        (lambda: System("mine", CsrBM25, chunker="fixed"), "chunker is 'fixed'; needed a function that cuts"),
        (lambda: System("mine", Mine(right), chunker=plain), "its documents cannot be cut any more"),
    ],
)
def test_what_is_no_system_is_refused_when_it_is_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda queries: [("d1", 1.0)], "search gave a list; needed {query_id: "),
        (lambda queries: None, "search gave a NoneType; needed {query_id: "),
        (
            lambda queries: {query_id: [(f"idx/d{query_id[1:]}", 1.0)] for query_id in queries},
            "no id that search gave is one of the 12 in the corpus, e.g. 'idx/d0' and 'd0'",
        ),
    ],
)
def test_what_a_search_gives_that_is_no_run_of_this_corpus_is_no_vocabulary_gap(answer, words):
    with pytest.raises(ValueError, match=words):
        analyze(DATA, System("mine", Mine(answer)))


class WithoutK:
    """An engine that gives as many as it likes."""

    corpus = CORPUS

    def search(self, queries):
        return right(queries)


@pytest.mark.parametrize(
    "use",
    [
        lambda one: analyze(DATA, System("mine", one)),
        lambda one: analyze(DATA, System("mine", lambda corpus: one)),
        lambda one: HybridRetriever({"mine": one, "BM25": CsrBM25(CORPUS)}),
        lambda one: Reranker(one, RetrievalErrorAnalyzer),
        lambda one: circularity(DATA, {"mine": one}),
        lambda one: RetrievalABTest(CsrBM25(CORPUS), one),
    ],
)
def test_a_search_that_takes_no_k_is_named_before_anything_is_searched(use):
    with pytest.raises(ValueError, match=r"search takes \(queries\); needed search\(queries, k\): give it k"):
        use(WithoutK())


def test_documents_that_only_the_search_has_are_named_once_and_keep_their_ranks():
    def answer(queries):
        return {q: [("zz", 3.0), (f"d{q[1:]}", 2.0), ("yy", 0.5)] for q in queries}

    words = r"2 of \d+ ids that search gave are no documents .* e\.g\. 'zz', 'yy'; the corpus has e\.g\. 'd0'"
    with pytest.warns(UserWarning, match=words) as warned:
        report = analyze(DATA, System("mine", Mine(answer)), k=1)
    assert len([one for one in warned if "no documents" in str(one.message)]) == 1
    assert set(report.misses["rank"]) == {2.0} and not {"zz", "yy"} & set(report.misses["neighbour"])


def test_a_search_that_finds_nothing_for_any_query_is_told_to_have_an_empty_index():
    words = f"system 'mine': search found nothing for any of the {len(QUERIES)} queries, so all"
    for answer in (lambda queries: {}, lambda queries: dict.fromkeys(queries, [])):
        with pytest.warns(UserWarning, match=words):
            analyze(DATA, System("mine", Mine(answer)))
    with pytest.warns(UserWarning, match="change 'other': search found nothing for any"):
        analyze(DATA, System("mine", Mine(right)), changes={"other": System("empty", Mine(answer))})


@pytest.mark.parametrize(
    "form", [dict, iter, lambda hits: tuple(np.array(part) for part in zip(*hits, strict=True))]
)
def test_a_search_may_answer_in_any_form_that_evaluation_takes(form):
    def answer(queries):
        return {query_id: form(hits) for query_id, hits in right(queries).items()}

    for k in (1, 10):
        assert not len(analyze(DATA, System("mine", Mine(answer)), k=k).misses)


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("odd_searches:unordered", "gave a set, which has no order"),
        ("odd_searches:undecided", "a dict with equal scores, which say no order"),
        (
            "odd_searches:distances",
            "gave a dict whose scores rise from 0 to 3; write the best first. Distances",
        ),
        ("odd_searches:unnumbered", "rank 1: score <odd_searches.Number"),
        ("odd_searches:frame", "gave a Frame; needed a list of (id, score) pairs"),
        ("csr-bm25 --allow-unknown", "--allow-unknown has no effect on csr-bm25"),
        ("-x", "argument --system: it needs a value after it"),
        ("raw.jsonl", "this looks like a raw response of Elasticsearch"),
        (
            "random:search",
            "random is a module of Python's own, which was imported in place of your random.py",
        ),
        ("judgments.csv", "it looks like CSV: needed blanks between the columns"),
        ("noise.run", "noise.run is no text"),
        ("spread.json", "is an object of JSON over several lines; needed JSON lines"),
        ("odd_searches:alone", "odd_searches:alone takes (query); needed a function f(query, k)"),
        ("odd_searches:later", "is async, so it gives no answer"),
        (
            "odd_searches:breaks",
            "query 'q01': your search raised KeyError: 'index' (odd_searches.py, line 15)",
        ),
        ("odd_searches:Unbound.search", "takes (self, query, k); needed a function f(query, k)"),
        ("odd_searches.py:search", "odd_searches.py is there: write odd_searches:search"),
        ("odd_searches", "odd_searches.py is there: write odd_searches:search"),
        ("odd_searches.py", "odd_searches.py is there: write odd_searches:search"),
        ("BM25", "did you mean csr-bm25?"),
        ("''", "names no system; needed a file of results"),
        (300 * "n", "a name may have 255 bytes at most"),
    ],
)
def test_a_search_that_cannot_be_measured_is_named_with_what_to_write(project, capsys, system, words):
    Path("judgments.csv").write_text("query_id,doc_id,score\nq01,d1,2\n")
    Path("spread.json").write_text('{\n "q01": {"d1": 1}\n}')
    Path("raw.jsonl").write_text('{"took": 1, "hits": {"total": 1, "hits": [{"_id": "d1", "_score": 2}]}}\n')
    Path("random.py").write_text("def search(query, k): return []\n")
    Path("noise.run").write_bytes(NO_TEXT)
    code, out, err = said_of(capsys, f"{EVALUATE} {system}")
    assert (code, out) == (2, "") and words in err, err


def test_a_search_that_finds_nothing_is_no_search_that_was_judged_to_the_end(project, capsys):
    code, out, _ = said_of(capsys, f"{EVALUATE} odd_searches:nothing")
    assert code == 0 and "found nothing for 2 of 2 queries ('q01', 'q02')" in out
    assert "Judged@10                    undefined" in out
    assert said_of(capsys, "systems --remove mine --add none=odd_searches:nothing")[0] == 0
    row = next(line for line in said_of(capsys, "measure")[1].splitlines() if line.startswith("none "))
    assert row.split()[1:3] == ["0.000", "undefined"]


def test_an_answer_without_an_end_is_taken_as_far_as_was_asked(project, capsys):
    code, out, _ = said_of(capsys, f"{EVALUATE} odd_searches:endless")
    assert code == 0 and "further pieces of a document" in out


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("stops", "query 'q01': your search raised StopIteration: (odd_searches.py, line"),
        ("cancels", "query 'q01': your search raised CancelledError: (odd_searches.py, line"),
        ("leaves", "query 'q01': your search raised GeneratorExit: (odd_searches.py, line"),
        ("mixed", "rank 2: some hits have a score and some have none"),
    ],
)
def test_no_end_of_a_search_of_ones_own_is_a_verdict(project, capsys, system, words):
    line = f"evaluate --corpus corpus --dataset datasets/gold.json --system odd_searches:{system}"
    code, out, err = said_of(capsys, line)
    assert (code, out) == (2, "") and words in err, err


def test_a_search_that_prints_closes_stdout_and_leaves_the_folder_changes_no_answer(project, capsys):
    line = "evaluate --corpus corpus --dataset datasets/gold.json --system odd_searches:closes"
    code, out, err = said_of(capsys, f"{line} --out r.json --json")
    assert code == 0 and json.loads(out)["report"] == "r.json" and "looking" in err
    assert Path("r.json").is_file()


def test_a_run_whose_ids_and_texts_are_of_different_queries_is_refused(project, capsys):
    Path("a.jsonl").write_text('{"query_id": "q01", "query": "word2", "hits": ["d1"]}\n')
    line = "evaluate --corpus corpus --dataset datasets/gold.json --system a.jsonl"
    code, _, err = said_of(capsys, line)
    assert code == 2 and "'q01' is 'word2' there and 'word1' here" in err


@pytest.mark.parametrize(
    "verb", [f"{EVALUATE} odd_searches:ends", "draft odd_searches:judge_ends --name llm"]
)
def test_a_program_of_ones_own_cannot_end_ours_without_a_word(project, capsys, verb):
    code, out, err = said_of(capsys, verb)
    assert (code, out) == (2, "") and "os._exit(0), which ends the whole program" in err, err


def test_a_block_of_ones_own_code_gives_back_the_folder_and_the_exit():
    folder, leave = os.getcwd(), os._exit
    with pytest.raises(RuntimeError, match="mine: your search raised KeyError: 'key'"), own_code("mine"):
        os.chdir("/")
        raise KeyError("key")
    assert (os.getcwd(), os._exit) == (folder, leave)


def test_a_search_that_is_empty_for_many_hits_is_asked_for_few(project, capsys):
    Path("shallow.py").write_text(
        "def search(query, k):\n    return [] if k > 50 else [DOC]\nDOC = 'lunch.md'\n"
    )
    doc_id = json.loads(Path("judgments.jsonl").read_text().splitlines()[0])["doc_id"]
    Path("shallow.py").write_text(Path("shallow.py").read_text().replace("lunch.md", doc_id))
    code, out, _ = said_of(capsys, f"{EVALUATE} shallow:search")
    assert code == 0 and "when asked for 10, none when asked for 100; has your search a limit on k?" in out


def test_a_syntax_error_of_ones_own_module_has_one_place(project, capsys):
    Path("unclosed.py").write_text("def search(query, k)\n")
    err = said_of(capsys, "systems --add other=unclosed:search")[2]
    assert "(unclosed.py, line 1)" in err and "__init__" not in err


class Rigid:
    def __init__(self, address):
        self.address = address.lower()

    def search(self, query, k):
        return ["d1"]


def test_of_a_class_that_is_made_otherwise_an_object_is_asked_for(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "corpus")
    corpus.add([SourceDocument("d1", "", "soup", "d1")])
    with pytest.raises(ValueError, match=r"is a class; making it .* make an object in its module"):
        open_system(f"{__name__}:Rigid", corpus)


SAME = "def search(query, k):\n    return ['{0}', '{1}']\n"


def test_a_search_that_answers_every_query_alike_is_asked_whether_it_gets_the_query(project, capsys):
    lab = Labelling(".")
    first, second = list(lab.documents)[:2]
    for query in ("first", "second", "third"):
        lab.judge(lab.add_query(query), first, 2)
    lab.export()
    Path("deaf.py").write_text(SAME.format(first, second))
    _, out, _ = said_of(capsys, f"{EVALUATE} deaf:search")
    assert "deaf:search gave all 5 queries the same 2 documents in the same order; does the text" in out


def test_a_module_that_is_a_program_is_told_where_and_how_to_part_it(project, capsys):
    Path("prog.py").write_text("import argparse\n\nargparse.ArgumentParser().parse_args(['-x'])\n")
    code, _, err = said_of(capsys, f"{EVALUATE} prog:search")
    assert code == 2 and "SystemExit: 2 (prog.py, line 3)" in err and 'if __name__ == "__main__":' in err


def test_an_error_of_a_hundred_thousand_letters_is_told_in_short(project, capsys):
    Path("verbose.py").write_text("def search(query, k):\n    raise ValueError('x' * 100_000 + 'end')\n")
    code, _, err = said_of(capsys, f"{EVALUATE} verbose:search")
    assert code == 2 and len(err) < 3000 and "xend" in err


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            {"took": 3, "timed_out": False, "hits": {"hits": []}},
            "gave a dict with 'took', 'timed_out', 'hits', of",
        ),
        (pd.Series([2, 1], index=["d1", "d2"]), r"gave a Series; .*: list\(found.items\(\)\) makes pairs"),
    ],
)
def test_what_an_engine_answers_with_is_named_where_it_is_no_ranking(found, words, tmp_path):
    corpus = CorpusFolder.init(tmp_path / "one")
    corpus.add([SourceDocument("d1", "", "soup", "d1"), SourceDocument("d2", "", "key", "d2")])
    with pytest.raises(ValueError, match=words):
        open_system(lambda query, k: found, corpus).search({"q1": "soup"}, 5)


def test_a_search_of_one_query_is_no_maker_of_retrievers():
    with pytest.raises(ValueError, match=r"build takes \(query, k\); needed what makes a retriever"):
        analyze(DATA, System("mine", lambda query, k: ["d1"]))


@pytest.mark.parametrize(
    "search", [lambda query, k: [f"d{n}" for n in range(9)], lambda query, k: [("d1", 9.0), ("d2", 8.0)]]
)
@pytest.mark.filterwarnings("error")
def test_nothing_is_said_against_a_search_that_answers_as_it_should(made, search):
    corpus, _, dataset, budget = made
    evaluate_run(corpus, search, dataset, budget)


def test_systems_that_were_changed_by_hand_are_measured_as_they_are_now(project):
    lab = Labelling(".")
    Path("systems.json").write_text('{"mine": "csr-bm25", "other": "substring-scan"}')
    assert list(lab.systems.measured) == ["mine", "other"]
    Path("systems.json").write_text('{"mine": "odd_serches:search"}')
    with pytest.raises(ValueError, match="odd_serches"):
        lab.systems.measured  # noqa: B018


def test_an_object_whose_search_takes_one_query_is_told_to_give_its_method(made):
    class Engine:
        def search(self, query, k):
            return [query.lower()]

    with pytest.raises(
        RuntimeError, match="where it takes one query as text, give the method: engine.search"
    ):
        evaluate_run(made[0], Engine(), *made[2:])


def test_a_search_that_gives_one_page_whatever_is_asked_is_asked_about():
    class Page:
        def search(self, queries, k):
            return {query_id: [("d0", 2.0), ("d1", 1.0)] for query_id in queries}

    with pytest.warns(UserWarning, match="gave never more than 2 hits, though .* does it pass k on"):
        analyze(DATA, System("mine", Page()), k=2)


@pytest.mark.parametrize(
    ("file", "spec", "words"),
    [
        ("src/app/s.py", "app.s:search", "src/app/s.py is there: write src.app.s:search, or"),
        ("src/mine_7.py", "mine_7:search", "src/mine_7.py is there: write src.mine_7:search, or"),
        ("my-code/mine_7.py", "mine_7:search", "my-code/mine_7.py is there: set PYTHONPATH=my-code"),
        ("src/app/t.py", "app.s:search", "there is no module 'app'; run it in the folder of app.py"),
    ],
)
def test_a_module_one_folder_below_is_found_and_named_as_it_can_be_imported(
    project, capsys, file, spec, words
):
    Path(file).parent.mkdir(parents=True)
    Path(file).write_text("def search(query, k):\n    return ['d1']\n")
    code, _, err = said_of(capsys, f"systems --add b={spec}")
    assert code == 2 and words in err


def test_what_is_no_search_is_named_by_its_argument_with_all_that_is_one(made):
    corpus, _, dataset, budget = made
    for call, name in (
        (lambda: open_system(None, corpus), "spec is None"),
        (lambda: open_system(5, corpus), "spec is 5"),
        (lambda: evaluate_run(corpus, None, dataset, budget), "run is None"),
    ):
        with pytest.raises(
            ValueError, match=rf"^{name}; needed a file of results .*a function f\(query, k\)"
        ):
            call()
    with pytest.raises(ValueError, match=r"spec is the corpus, .* open_system takes \(spec, corpus\)"):
        open_system(corpus, "csr-bm25")
    with pytest.raises(ValueError, match="corpus is a dict; needed a CorpusFolder"):
        open_system("csr-bm25", corpus.corpus.copy())
    with pytest.raises(ValueError, match="it is a set; needed a function .*; as text a file of results"):
        open_system({"d1"}, corpus)


def test_a_module_beside_the_working_folder_and_not_in_the_project_is_told_where_it_belongs(
    project, capsys, monkeypatch
):
    monkeypatch.chdir("..")
    Path("here_only.py").write_text("def search(query, k): return []")
    code, _, err = said_of(capsys, "systems --project project --add m=here_only:search")
    assert code == 2 and "and here_only.py is in the working folder: move it into project" in err


def test_hits_with_the_names_of_trec_are_read_and_an_answer_that_is_no_json_is_shown(project, capsys):
    Path("hits.jsonl").write_text('{"qid": "q01", "docid": "d1", "score": 1.5}\n')
    assert said_of(capsys, f"{EVALUATE} hits.jsonl")[0] == 0
    Path("web.py").write_text("import json\ndef search(query, k): return json.loads('<html>Log in')\n")
    code, _, err = said_of(capsys, f"{EVALUATE.replace('x.json', 'y.json')} web:search")
    assert code == 2 and "(web.py, line 2); what it read begins '<html>Log in'" in err


def test_a_corpus_without_a_document_is_told_so(made, tmp_path):
    with pytest.raises(ValueError, match="corpus 'c' holds no document; ingest some first"):
        evaluate_run(CorpusFolder.init(tmp_path / "c"), lambda query, k: ["d1"], *made[2:])


def hits_of(**fields):
    """A line of JSON for each of five hits of two queries; a field is what it is for the hit of a place."""
    lines = [
        {"query_id": f"q0{q}", "doc_id": f"d{q + place}"} | {name: of(place) for name, of in fields.items()}
        for q in (1, 2)
        for place in range(5)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (hits_of(relevance=lambda place: place % 3), "it has a relevance and no score, so it is a judgment"),
        (hits_of(similarity=lambda place: 0.9 - place), "'d1' has 'similarity', but no score and no rank"),
        (hits_of(distance=lambda place: 0.1 + place), "'d1' has 'distance', but no score and no rank"),
        (
            hits_of(score=lambda place: 0.1 * min(place, 3)),
            "rise from line to line, 0 to 0.3, and so in each",
        ),
        (hits_of(score=lambda place: 9 - place, Rank=lambda place: 9 - place), "of its ranks"),
        ('{"query_id": "q01", "query_text": "soup", "hits": ["d1"]}\n', "'q01' is 'soup' there"),
        (
            '{"query_id": "q01", "hits": []}\n{"query": "word1", "hits": ["d1"]}\n',
            "by its id, and by its text",
        ),
        ('{"query_id": "q01", "hits": {"d5": 2, "d1": 1, "d4": 4, "d3": 3}}\n', "1 to 4, as ranks are"),
    ],
)
def test_hits_whose_order_would_be_guessed_are_refused(project, capsys, content, words):
    Path("hits.jsonl").write_text(content)
    code, _, err = said_of(capsys, f"{EVALUATE} hits.jsonl")
    assert code == 2 and words in err, err


@pytest.mark.parametrize(
    "content",
    [
        hits_of(score=lambda place: 9.5 - place),
        hits_of(rank=lambda place: place + 1, distance=lambda place: 0.1 + place),
        hits_of(Rank=lambda place: f"{place + 1}"),
        hits_of(title=lambda place: "Doors", page=lambda place: 12 - place),
        '{"query_id": "q01", "hits": {"d1": 4, "d2": 3, "d3": 2, "d4": 1}}\n',
    ],
)
def test_hits_that_say_their_order_are_read_in_it(project, capsys, content):
    Path("hits.jsonl").write_text(content)
    code, out, err = said_of(capsys, f"{EVALUATE} hits.jsonl")
    assert code == 0 and "several systems" not in out + err, err
    assert json.loads(Path("reports/x.json").read_text())["evidence"][0]["items"][0]["doc_id"] == "d1"


def test_hits_of_several_systems_in_one_file_are_told(project, capsys):
    lines = hits_of(score=lambda place: 9 - place, system=lambda place: "AB"[place % 2])
    Path("hits.jsonl").write_text(lines)
    said_of(capsys, f"{EVALUATE} hits.jsonl")
    warned = "\n".join(json.loads(Path("reports/x.json").read_text())["warnings"])
    assert "its lines name several systems, system 'A', 'B': all are taken for one" in warned


def test_a_program_does_not_run_with_the_settings_of_another_of_the_same_name(made, tmp_path):
    for folder, sign in (("one", 1), ("two", -1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "shared_settings_here.py").write_text(f"SIGN = {sign}\n")
        search = "from shared_settings_here import SIGN\ndef search(query, k): return ['d1', 'd2'][::SIGN]\n"
        (tmp_path / folder / f"search_{folder}.py").write_text(search)
    open_system("search_one:search", made[0], home=tmp_path / "one")
    with pytest.raises(ValueError, match="shared_settings_here is that of .*, which was imported in place"):
        open_system("search_two:search", made[0], home=tmp_path / "two")


def test_a_search_with_filters_in_the_place_of_k_is_not_given_the_number_of_hits(made):
    def mine(query, filters=None):
        return []

    with pytest.raises(ValueError, match="so 'filters' would be given the number of hits"):
        open_system(mine, made[0])
