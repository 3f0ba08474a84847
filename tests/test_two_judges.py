"""Two judges in one project: kept apart, compared before anything was settled, settled pair by pair."""

import json

import numpy as np
import pytest

from helpers.stats import cohen_kappa
from workbench.__main__ import main
from workbench.corpus import CorpusFolder, SourceDocument
from workbench.exchange import settle_sheet, write_differences
from workbench.labelling import Labelling, corrected_mean, read_judges
from workbench.labelling.judge_code import code_checksum
from workbench.labelling.judgment_files import read_resolved
from workbench.systems import imported

PAGES = {f"page{n}.md": f"The key number {n} hangs at the desk. Soup {n % 3}." for n in range(6)}


@pytest.fixture
def lab(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "house" / "corpus", "house")
    corpus.add([SourceDocument(doc_id, "", text, doc_id) for doc_id, text in PAGES.items()])
    lab = Labelling(tmp_path / "house")
    for query in ("key", "soup", "desk"):
        lab.add_query(query)
    return lab


def grade(lab, grades):
    """Judges every page of every query, in order, with these grades."""
    pairs = [(query_id, doc_id) for query_id in lab.questions() for doc_id in PAGES]
    for pair, one in zip(pairs, grades, strict=False):
        lab.judge(*pair, one)


FIRST = [2, 1, 0, 0, 1, 2, 0, 0, 2, 1, 1, 0, 2, 2, 0, 0, 0, 1]
SECOND = [2, 0, 0, 1, 1, 2, 0, 0, 0, 1, 2, 0, 2, 2, 0, 0, 0, 1]


def test_another_judge_sees_the_same_pools_and_nothing_of_what_was_said(lab):
    grade(lab, FIRST)
    anna = lab.second("anna")
    assert list(anna.pool("q01")["doc_id"]) == list(lab.pool("q01")["doc_id"])
    assert set(anna.pool("q01")["grade"]) == {""} and "2, answers" not in repr(anna.read("q01"))
    anna.judge("q01", "page0.md", 0)
    assert lab.verdicts()["q01", "page0.md"].grade == 2  # the project's own is as it was
    assert list(Labelling(lab.folder, judge="anna").verdicts()) == [("q01", "page0.md")]
    with pytest.raises(ValueError, match="kept apart; settle the differences"):
        anna.export()


def test_agreement_is_kappa_with_an_interval_from_whole_queries(lab):
    grade(lab, FIRST)
    grade(lab.second("anna"), SECOND)
    found = lab.agreement("anna")
    assert found.counts["pairs judged by both"] == 18
    assert found.counts["kappa, grades"] == pytest.approx(cohen_kappa(FIRST, SECOND))
    assert found.low < found.counts["kappa, grades"] < found.high
    assert int(found.table.to_numpy().sum()) == 18 and "anna, a person" in found.text()


def test_kappa_says_nothing_where_both_gave_one_grade_only(lab, capsys):
    grade(lab, [1] * 18)
    grade(lab.second("anna"), [1] * 17 + [2])
    mixed = lab.agreement("anna").text()
    assert "kappa of the grades 0.00 (95 % interval" in mixed
    assert "of relevant or not undefined: both gave one answer only" in mixed
    Labelling(lab.folder, judge="anna").judge("q03", "page5.md", 1)
    found = lab.agreement("anna")
    assert found.counts["equal grades"] == 1 and np.isnan([found.low, found.high]).all()
    assert "kappa of the grades undefined: both gave one grade only;" in found.text()
    assert main(["agreement", "anna", "--project", str(lab.folder), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["counts"]["kappa, grades"] is None and data["kappa_interval"] == [None, None]


def test_a_pair_that_is_settled_becomes_the_projects_own_and_leaves_the_agreement_as_it_was(lab):
    grade(lab, FIRST)
    grade(lab.second("anna"), SECOND)
    before, differ = lab.agreement("anna"), lab.disagreements("anna")
    assert len(differ) == 4 and tuple(differ.iloc[0]) == ("q02", "page2.md", 2, 0)  # the furthest first
    lab.resolve("anna", "q02", "page2.md", 1, "The key number 2", why="it only says where")
    assert lab.verdicts()["q02", "page2.md"].grade == 1
    assert lab.agreement("anna").counts == before.counts
    assert ("q02", "page2.md") not in set(
        zip(lab.disagreements("anna")["query_id"], lab.disagreements("anna")["doc_id"], strict=True)
    )
    (record,) = map(json.loads, (lab.folder / "judges" / "resolved.jsonl").read_text().splitlines())
    assert (record["first"], record["second"], record["final"], record["why"]) == (
        2,
        0,
        1,
        "it only says where",
    )


def test_a_pair_that_is_settled_anew_keeps_the_reasons_and_what_each_judge_said(lab):
    grade(lab, FIRST)
    grade(lab.second("anna"), SECOND)
    grade(lab.second("bob"), SECOND)
    pair, before = ("q02", "page2.md"), lab.agreement("anna").counts

    def settled(judge, grade, why=""):
        lab.resolve(judge, *pair, grade, why=why)
        return read_resolved(lab.folder)[(*pair, judge)]

    assert settled("anna", 1, "it says where").why == "it says where"
    assert settled("anna", 1).why == "it says where"
    assert settled("anna", 2).why == "before, for grade 1: it says where"
    assert settled("anna", 2, "and when").why == "before, for grade 1: it says where; and when"
    # Another judge's difference on the same pair is another one: what anna said stays.
    settled("bob", 1, "read again")
    assert lab.agreement("anna").counts == before
    assert [one.judge for one in read_resolved(lab.folder).values()] == ["anna", "bob"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("anna", "q01", "page9.md", 1), "the project has not judged 'page9.md'"),
        (("anna", "q01", "page0.md", 3), "the grade of 'page0.md' is 3; needed 2"),
        (("nobody", "q01", "page0.md", 1), "there is no judge 'nobody'; the project has anna"),
        (("anna", "q09", "page0.md", 1), "there is no query 'q09', but e.g. 'q01'"),
        (("anna", "q03", "page5.md", 1), "'anna' has not judged"),
    ],
)
def test_only_a_pair_that_both_judged_can_be_settled(lab, arguments, words):
    grade(lab, FIRST)
    grade(lab.second("anna"), SECOND[:5])
    before = lab.verdicts()
    with pytest.raises(ValueError, match=words):
        lab.resolve(*arguments)
    assert lab.verdicts() == before


def test_a_model_is_a_judge_of_its_own_and_never_becomes_a_person(lab):
    def judge(query, text):
        return 2 if query in text.lower() else 0

    n = lab.draft(judge, "llm", "words, 2026-11-22")
    assert n == int(lab.progress()["pool"].sum()) and not lab.verdicts()
    assert read_judges(lab.folder)["llm"].kind == "model"
    assert read_judges(lab.folder)["llm"].described == "words, 2026-11-22"
    assert lab.draft(judge, "llm") == 0  # nothing is judged a second time
    with pytest.raises(
        ValueError, match="'llm' is a model here; give a person another name; if it was never"
    ):
        lab.second("llm", "person")
    lab.second("anna", "person", "Anna of support")
    with pytest.raises(ValueError, match="'anna' is a person here; give the model another name"):
        lab.draft(lambda query, text: 1, "anna")
    assert read_judges(lab.folder)["anna"].kind == "person"
    with pytest.raises(ValueError, match="it has no|there is no judge|judge is 'nobody'"):
        Labelling(lab.folder, judge="nobody")


def test_a_model_judges_anew_what_it_judged_for_another_wording(lab):
    lab.draft(lambda query, text: 1, "llm")
    path = lab.folder / "queries.jsonl"
    text = next(iter(lab.questions().values())).query
    path.write_text(path.read_text().replace(text, f"{text} again"))
    theirs = Labelling(lab.folder, judge="llm")
    n = len(theirs.before())
    assert n and lab.draft(lambda query, text: 1, "llm") >= n
    assert not theirs.before() and lab.draft(lambda query, text: 1, "llm") == 0


def test_a_draft_that_breaks_off_is_taken_up_where_it_was(lab):
    asked = []

    def breaks(query, text):
        asked.append(query)
        if len(asked) == 4:
            raise TimeoutError("the endpoint is gone")
        return int(len(asked) < 4)

    with pytest.raises(RuntimeError, match="your judge raised TimeoutError: the endpoint is gone"):
        lab.draft(breaks, "llm")
    assert len(Labelling(lab.folder, judge="llm").verdicts()) == 3
    rest = lab.draft(breaks, "llm")
    grades = [verdict.grade for verdict in Labelling(lab.folder, judge="llm").verdicts().values()]
    assert grades.count(1) == 3 and grades.count(0) == rest


@pytest.mark.parametrize("said", ["relevant", 3, None, True, (1, 2, 3), 1.0])
def test_a_judge_that_says_something_else_is_told_what_is_needed(lab, said):
    with pytest.raises(ValueError, match="query 'q01', document 'page0.md': the judge said .*; needed 2"):
        lab.draft(lambda query, text: said, "llm")


def test_a_quote_that_a_model_made_up_is_dropped(lab):
    lab.draft(lambda query, text: (2, "words that stand nowhere"), "llm")
    assert {one.quote for one in Labelling(lab.folder, judge="llm").verdicts().values()} == {""}


def test_a_corrected_mean_covers_what_people_would_find_and_the_models_own_does_not():
    rng, covered, naive = np.random.default_rng(1), 0, 0
    for _ in range(400):
        people = rng.beta(2, 3, 300)
        model = np.clip(people + 0.15 + rng.normal(0, 0.05, 300), 0, 1)  # too kind
        ids = [f"q{n}" for n in range(300)]
        chosen = rng.choice(300, 60, replace=False)
        found = corrected_mean(dict(zip(ids, model, strict=True)), {ids[i]: float(people[i]) for i in chosen})
        truth, half = 0.4, 1.96 * model.std(ddof=1) / 300**0.5
        covered += found.low <= truth <= found.high
        naive += found.model - half <= truth <= found.model + half
    assert 0.92 <= covered / 400 <= 0.98 and naive == 0


@pytest.mark.parametrize("name", ["own", "Own", "other", "query_id", "doc_id", "grade", "judges", "resolved"])
def test_no_judge_has_a_name_of_our_own_files_and_tables(lab, name):
    for add in (lab.second, lambda name: lab.draft(lambda query, text: 1, name)):
        with pytest.raises(ValueError, match=f"no judge can be called '{name}': our files and tables use"):
            add(name)
    assert not (lab.folder / "judges").exists()


def test_no_system_takes_the_name_of_the_search_that_is_pooled_besides(lab):
    with pytest.raises(ValueError, match="'latent semantic' is that of a search which every project pools"):
        lab.measure({"latent semantic": "csr-bm25"})
    assert not (lab.folder / "systems.json").exists()


@pytest.mark.parametrize(
    ("people", "said"),
    [
        ({}, "0 queries were judged by people and model; needed two or more"),
        ({"q1": 0.5}, "1 query was judged by people and model; needed two or more"),
        ({"q1": 0.5, "q9": 0.1}, "people judged 'q9', which the model has not judged"),
        ({"q1": 0.5, "q2": 0.1}, "0 queries are left to the model alone; needed two or more"),
    ],
)
def test_a_correction_needs_queries_that_both_judged(people, said):
    with pytest.raises(ValueError, match=said):
        corrected_mean({"q1": 0.5, "q2": 0.7}, people)


def test_agreement_counts_a_pair_as_it_was_before_it_was_settled_with_another_judge(lab):
    grade(lab, FIRST)
    grade(lab.second("llm", "model"), SECOND)
    grade(lab.second("anna"), SECOND)
    before = lab.agreement("anna").counts["equal grades"]
    for row in lab.disagreements("llm").itertuples():
        lab.resolve("llm", row.query_id, row.doc_id, row.other)
    assert lab.agreement("anna").counts["equal grades"] == before < 1


def test_a_pair_on_which_a_judge_agreed_from_the_first_is_settled_anew_with_the_other(lab):
    grade(lab, [0])
    grade(lab.second("llm", "model"), [2])
    grade(lab.second("anna"), [0])
    lab.resolve("llm", "q01", "page0.md", 2)
    with pytest.raises(ValueError, match="both say grade 0 .* settle it anew with 'llm'"):
        lab.resolve("anna", "q01", "page0.md", 0)


def test_a_judge_that_there_is_not_has_no_disagreements(lab):
    grade(lab, FIRST)
    lab.second("llm", "model")
    with pytest.raises(ValueError, match="there is no judge 'lmm'; the project has llm"):
        lab.disagreements("lmm")


def test_a_draft_with_a_function_that_has_changed_is_refused_before_anything_is_asked(lab, recwarn):
    asked = []

    def with_prompt(prompt):
        def judge(query, text):
            asked.append(query)
            return 2 if prompt in text else 0

        return judge

    lab.draft(with_prompt("key"), "llm")
    lab.draft(with_prompt("key"), "llm")
    assert not recwarn.list
    lab.add_query("number")
    asked.clear()
    words = "the function is another than .* as 'llm', .* its 18 judgments stay; give it another name"
    with pytest.raises(ValueError, match=words):
        lab.draft(with_prompt("soup"), "llm")
    assert not asked and len(Labelling(lab.folder, judge="llm").verdicts()) == 18
    # Who knows that it judges as before, as after a mend, takes the note of the first one away.
    path = lab.folder / "judges" / "judges.json"
    noted = json.loads(path.read_text())
    del noted["llm"]["code"]
    path.write_text(json.dumps(noted))
    assert lab.draft(with_prompt("soup"), "llm") == 6 and not recwarn.list
    lab.add_query("hangs")
    with pytest.raises(ValueError, match="give it another name"):
        lab.draft(with_prompt("key"), "llm")


def test_a_function_that_keeps_a_cache_is_not_called_another_one_without_a_doubt(lab):
    kept = {"cache": {}}
    text = "def grade(query, text):\n    kept = cache\n    kept[query, text] = 0\n    return 0\n"
    exec(text, kept)  # whose text cannot be had, so that nobody sees what it writes into
    lab.draft(kept["grade"], "llm")
    lab.add_query("rooms")
    with pytest.warns(
        UserWarning, match="or what it holds; .* if it only keeps a count or a cache, all is well"
    ):
        lab.draft(kept["grade"], "llm")


def test_a_draft_is_taken_up_by_the_same_module_and_warned_of_when_its_prompt_changes(lab, recwarn):
    module = "PROMPT = 'key'\n\n\ndef grade(query, text):\n    return 2 if PROMPT in text else 0\n"
    for name, text in (("a_judge", module), ("b_judge", module), ("c_judge", module.replace("key", "soup"))):
        (lab.folder / f"{name}.py").write_text(text)
    found = [code_checksum(imported(f"{name}_judge:grade", lab.folder)) for name in "abc"]
    assert found[0] == found[1] != found[2] and not recwarn.list


def test_an_earlier_quote_that_the_document_has_lost_does_not_keep_a_pair_from_being_settled(lab):
    lab.judge("q01", "page0.md", 2, "The key number 0")
    lab.second("anna").judge("q01", "page0.md", 1)
    corpus = CorpusFolder.open(lab.folder / "corpus")
    corpus.add([SourceDocument("page0.md", "", "The bell hangs at the desk.", "page0.md")])
    with pytest.warns(UserWarning, match="earlier quote 'The key number 0' no longer stands in 'page0.md'"):
        Labelling(lab.folder).resolve("anna", "q01", "page0.md", 1)
    assert lab.verdicts()["q01", "page0.md"].quote == ""


def test_a_document_that_is_named_with_a_blank_to_settle_it_is_shown_as_it_is_written(lab):
    CorpusFolder.open(lab.folder / "corpus").add([SourceDocument("my%20key.md", "", "Key.", "my key.md")])
    lab = Labelling(lab.folder)
    lab.judge("q01", "my%20key.md", 2)
    lab.second("anna").judge("q01", "my%20key.md", 1)
    with pytest.raises(ValueError, match="'my key.md' would be 'my%20key.md', written otherwise"):
        lab.resolve("anna", "q01", "my key.md", 1)


@pytest.mark.parametrize(("query_id", "doc_id"), [("q01", ["page0.md"]), (["q01"], "page0.md")])
def test_several_documents_at_once_are_no_document(lab, query_id, doc_id):
    with pytest.raises(ValueError, match="_id is a list; needed a str"):
        lab.judge(query_id, doc_id, 2)


def test_a_new_judge_is_named_and_the_next_command_is_about_the_same_judge(lab, capsys):
    lab.second("llm", "model")
    assert main(["pool", "--project", str(lab.folder), "--judge", "zoe"]) == 0
    out, _ = capsys.readouterr()
    assert "zoe is a new judge, a person, beside llm" in out
    assert f"--out sheet.csv --judge zoe --project {lab.folder}" in out
    assert main(["pool", "--project", str(lab.folder), "--judge", "lmm"]) == 0
    assert "new judge 'lmm'; there is 'llm'" in capsys.readouterr().err


def test_what_comes_after_a_draft_is_about_the_judge_that_was_drafted(lab, capsys):
    (lab.folder / "d_judge.py").write_text("def grade(query, text):\n    return 0\n")
    assert main(["draft", "d_judge:grade", "--name", "llm", "--project", str(lab.folder)]) == 0
    assert f"next: workbench agreement llm --project {lab.folder}\n" in capsys.readouterr().out


def test_pairs_whose_query_is_gone_do_not_count_in_the_agreement_and_are_told(lab):
    grade(lab, FIRST)
    grade(lab.second("anna"), SECOND)
    path = lab.folder / "queries.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    fewer = Labelling(lab.folder)
    with pytest.warns(UserWarning, match=r"6 pairs do not count: q01 page0.md \(the query is gone\)"):
        assert fewer.agreement("anna").counts["pairs judged by both"] == 12
    assert "q01" not in set(fewer.disagreements("anna")["query_id"])
    with pytest.raises(ValueError, match="there is no query 'page0.md', but e.g. 'q02'.*the query's id"):
        fewer.resolve("anna", "page0.md", "q02", 1)


def test_a_judge_whose_arguments_are_exchanged_is_refused(lab):
    with pytest.raises(ValueError, match=r"takes \(text, query\), and it is called with query, text"):
        lab.draft(lambda text, query: 2, "llm")


def test_a_judge_that_fails_at_once_is_not_made_known(lab):
    with pytest.raises(RuntimeError, match="raised KeyError"):
        lab.draft(lambda query, text: {}["key"], "llm")
    assert read_judges(lab.folder) == {}
    lab.second("anna")
    with pytest.raises(ValueError, match="the judge said 'yes'"):
        lab.draft(lambda query, text: "yes", "llm")
    assert list(read_judges(lab.folder)) == ["anna"]


def test_a_grade_of_numpys_is_a_grade(lab):
    lab.judge("q01", "page0.md", np.int64(2))
    assert lab.verdicts()["q01", "page0.md"].grade == 2
    assert lab.draft(lambda query, text: np.int64(1), "llm") == 18
    with pytest.raises(ValueError, match="is True; needed 2"):
        lab.judge("q01", "page0.md", True)


def module_of(folder, name, text):
    """The function `grade` of a module of a project, imported afresh."""
    (folder / f"{name}.py").write_text(text)
    return imported(f"{name}:grade", folder)


@pytest.mark.parametrize(
    "text",
    [
        'SET = {"model": "MODEL"}\ndef grade(query, text):\n    return SET["model"]\n',
        'class Set:\n    model = "MODEL"\ndef grade(query, text):\n    return Set.model\n',
        "import re\nFORM = re.compile('MODEL')\ndef grade(query, text):\n    return FORM.search(text)\n",
        "import functools\n@functools.cache\ndef ask():\n    return 'MODEL'\n"
        "def grade(query, text):\n    return ask()\n",
        "class Judge:\n    def __init__(self, model):\n        self.model = model\n"
        "    def ask(self):\n        return self.model\n"
        "    def grade(self, query, text):\n        return self.ask()\ngrade = Judge('MODEL').grade\n",
        "class Judge:\n    def ask(self):\n        return 'MODEL'\n"
        "    def __call__(self, query, text):\n        return self.ask()\ngrade = Judge()\n",
    ],
)
def test_a_judge_is_another_one_when_what_it_is_set_to_changes(tmp_path, text):
    names = [f"j{abs(hash(text))}{one}" for one in "abc"]
    models = dict(zip(names, ("a", "a", "b"), strict=True))
    found = [
        code_checksum(module_of(tmp_path, name, text.replace("MODEL", model)))
        for name, model in models.items()
    ]
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize("part", ["MODEL = '@'\n", "def ask():\n    return '@'\n"])
def test_a_judge_is_another_one_when_a_module_that_it_uses_changes(tmp_path, part):
    found = []
    for n, word in enumerate("aab"):
        used = f"used{len(part)}{n}"
        (tmp_path / f"{used}.py").write_text(part.replace("@", word))
        text = f"import {used} as used\n"
        text += "def grade(query, text):\n    return used.ask() if query else used.MODEL\n"
        found.append(code_checksum(module_of(tmp_path, f"uses{len(part)}{n}", text)))
    assert found[0] == found[1] != found[2]


def test_what_a_judge_counts_or_keeps_does_not_make_it_another_one(tmp_path):
    text = (
        "from types import SimpleNamespace\n"
        "N, KEPT = 0, {}\n"
        "class Judge:\n"
        "    def __init__(self):\n        self.calls, self.log = 0, []\n"
        "        self.use = SimpleNamespace(calls=0)\n"
        "    def __call__(self, query, text):\n"
        "        global N\n        N += 1\n        KEPT[query] = text\n        self.use.calls += 1\n"
        "        self.calls += 1\n        self.log.append(query)\n        return 2\n"
        "grade = Judge()\n"
    )
    judge = module_of(tmp_path, "counting_judge", text)
    before = code_checksum(judge)
    judge("key", "text")
    assert judge.calls == 1 and code_checksum(judge) == before


@pytest.mark.parametrize("spoil", ["document", "file"])
def test_where_a_pair_cannot_be_settled_nothing_is_saved(lab, spoil):
    lab.judge("q01", "page0.md", 2)
    lab.second("anna").judge("q01", "page0.md", 1)
    if spoil == "document":
        lab.texts = {doc_id: text for doc_id, text in lab.texts.items() if doc_id != "page0.md"}
        lab.documents = {doc_id: one for doc_id, one in lab.documents.items() if doc_id != "page0.md"}
    else:
        (lab.folder / "judgments.jsonl").chmod(0o444)
    with pytest.raises(ValueError, match="there is no document 'page0.md'|judgments.jsonl is read-only"):
        lab.resolve("anna", "q01", "page0.md", 1, why="read again")
    assert not read_resolved(lab.folder) and not (lab.folder / "judges" / "resolved.jsonl").exists()


def test_pairs_whose_quote_is_no_longer_in_the_document_do_not_count_in_the_agreement(lab):
    grade(lab, FIRST)
    lab.judge("q01", "page0.md", 2, "number 0")
    grade(lab.second("anna"), SECOND)
    lab.corpus.add([SourceDocument("page0.md", "", "The key hangs at the desk. Soup.", "page0.md")])
    later = Labelling(lab.folder)
    with pytest.warns(UserWarning, match=r"1 pair does not count: q01 page0.md \(the document does not have"):
        assert later.agreement("anna").counts["pairs judged by both"] == 17
    path = lab.folder / "judges" / "anna.jsonl"
    path.write_text(path.read_text().splitlines()[0] + "\n")
    with (
        pytest.warns(UserWarning, match="1 pair does not count"),
        pytest.raises(
            ValueError, match="none of the judgments of 'anna' holds any longer.*pool --judge anna"
        ),
    ):
        later.agreement("anna")


def test_a_judge_that_has_not_judged_may_be_of_the_other_kind(lab):
    lab.second("gpt")
    assert lab.second("gpt", "model").judge_name == "gpt" and read_judges(lab.folder)["gpt"].kind == "model"


def test_where_a_judge_differs_from_a_grade_that_was_settled_with_somebody_else_is_told_apart(lab, capsys):
    grade(lab, [0, 0, 0, 0, 1, 1, 2])
    grade(lab.second("boris"), [2, 2, 1, 0, 1, 2, 2])
    grade(lab.second("dora"), [2, 1, 0, 1, 1, 1, 2])
    for page, one in (("page0.md", 2), ("page1.md", 2), ("page2.md", 1)):
        lab.resolve("boris", "q01", page, one)
    lab.resolve("dora", "q01", "page3.md", 1)
    found = lab.differences("dora")
    # page0: settled as dora says. page1: settled otherwise. page2: dora agreed at first. page3: with dora.
    assert (len(found.unsettled), found.settled, found.as_said, len(found.at_first)) == (0, 1, 1, 3)
    pairs = set(found.elsewhere.itertuples(index=False, name=None))
    assert pairs == {("q01", "page1.md", 2, 1, "boris"), ("q01", "page2.md", 1, 0, "boris")}
    said = found.text()
    added_up = "0 not settled, 1 settled with dora, 1 settled with others as dora says, 1 settled with others"
    assert f"of 3 pairs off the diagonal: {added_up} otherwise" in said
    assert "besides, 1 on the diagonal agreed at first, and was settled with others otherwise" in said
    assert "2 pairs where dora differs from the grade that counts, settled with boris:" in said
    table = lab.agreement("dora").table
    assert int(table.to_numpy().sum() - np.trace(table.reindex(columns=table.index, fill_value=0))) == 3
    assert main(["agreement", "dora", "--project", str(lab.folder), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["differ"] == [] and len(data["settled_with_others"]) == 2
    lab.resolve("dora", "q01", "page1.md", 1)  # settled anew, with dora
    assert len(lab.differences("dora").elsewhere) == 1


def test_who_was_settled_with_everywhere_leaves_nothing_apart(lab):
    grade(lab, FIRST)
    grade(lab.second("anna"), SECOND)
    for row in lab.disagreements("anna").itertuples():
        lab.resolve("anna", row.query_id, row.doc_id, row.own)  # the project's own stays
    found = lab.differences("anna")
    assert (len(found.table), found.settled, found.as_said) == (0, 4, 0)
    assert found.text() == "not settled: 0\nof 4 pairs off the diagonal: 0 not settled, 4 settled with anna"


def test_a_sheet_settles_what_was_settled_with_another_judge_too(lab, tmp_path):
    grade(lab, [0, 0])
    grade(lab.second("boris"), [2, 2])
    grade(lab.second("dora"), [1, 0])
    for page in ("page0.md", "page1.md"):
        lab.resolve("boris", "q01", page, 2)
    assert write_differences(tmp_path / "d.csv", lab, "dora") == 2
    text = (tmp_path / "d.csv").read_text(encoding="utf-8-sig")
    (tmp_path / "d.csv").write_text(text.replace("boris,,", "boris,1,read again"))
    assert settle_sheet(lab, "dora", tmp_path / "d.csv") == {"settled": 2, "known": 0, "empty": 0}
    assert {one.grade for one in lab.verdicts().values()} == {1}
    settled = read_resolved(lab.folder)
    assert settled["q01", "page0.md", "dora"].why == "read again"
    assert settled["q01", "page1.md", "boris"].final == 1  # dora had agreed from the first
    assert settle_sheet(lab, "dora", tmp_path / "d.csv") == {"settled": 0, "known": 2, "empty": 0}


def test_a_sheet_that_shows_other_grades_than_the_judges_say_now_is_refused(lab, tmp_path):
    grade(lab, [0, 0])
    grade(lab.second("boris"), [2, 2])
    grade(lab.second("dora"), [1, 1])
    assert write_differences(tmp_path / "d.csv", lab, "dora") == 2
    text = (tmp_path / "d.csv").read_text(encoding="utf-8-sig")
    (tmp_path / "d.csv").write_text(text.replace(",,\n", ",1,\n"))  # the column settled
    with pytest.raises(ValueError, match="the sheet says 1 for boris, and it is 2; .* another judge's sheet"):
        settle_sheet(lab, "boris", tmp_path / "d.csv")
    path = lab.folder / "judgments.jsonl"
    path.write_text(path.read_text().replace('"grade": 0', '"grade": 2'))
    with pytest.raises(ValueError, match="the sheet says 0 for yours, and it is 2; was it judged anew since"):
        settle_sheet(lab, "dora", tmp_path / "d.csv")
    assert not read_resolved(lab.folder)


def test_pairs_of_which_two_judges_read_different_texts_are_left_out_of_their_agreement(lab, recwarn):
    grade(lab, FIRST)
    lab.corpus.add([SourceDocument("page0.md", "", "The bell hangs at the desk.", "page0.md")])
    later = Labelling(lab.folder)
    grade(later.second("anna"), SECOND)
    with pytest.warns(UserWarning, match="3 pairs are left out: the two judged different texts of a page"):
        assert later.agreement("anna").counts["pairs judged by both"] == 15
    path = lab.folder / "judgments.jsonl"  # judgments without a checksum are compared as they are
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(one | {"checksum": None}) + "\n" for one in lines))
    recwarn.clear()
    assert later.agreement("anna").counts["pairs judged by both"] == 18 and not recwarn.list


def test_pairs_of_which_two_judges_read_different_queries_are_left_out_of_their_agreement(lab, recwarn):
    grade(lab, FIRST)
    path = lab.folder / "queries.jsonl"
    path.write_text(path.read_text().replace('"desk"', '"writing desk lamp"'))
    later = Labelling(lab.folder)
    grade(later.second("anna"), SECOND)
    with pytest.warns(UserWarning, match="6 pairs are left out: .* of a page, or of the query .q03"):
        assert later.agreement("anna").counts["pairs judged by both"] == 12
    path.write_text(path.read_text().replace('"writing desk lamp"', '"Desk "'))  # no other text for a reader
    grade(Labelling(lab.folder).second("bob"), SECOND)
    recwarn.clear()
    assert Labelling(lab.folder).agreement("bob").counts["pairs judged by both"] == 18 and not recwarn.list


def test_where_all_pairs_are_of_different_texts_nothing_is_compared(lab):
    lab.judge("q01", "page0.md", 1)
    lab.corpus.add([SourceDocument("page0.md", "", "The bell hangs at the desk.", "page0.md")])
    later = Labelling(lab.folder)
    later.second("anna").judge("q01", "page0.md", 1)
    with pytest.raises(ValueError, match="no other pair was judged by both, and 1 pair is left out"):
        later.agreement("anna")


def test_which_way_a_judge_leans_is_said_and_more_generous_only_where_queries_show_it(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "corpus", "house")
    corpus.add([SourceDocument(doc_id, "", text, doc_id) for doc_id, text in PAGES.items()])
    lab = Labelling(tmp_path)
    for n in range(8):
        lab.add_query(f"key {n}")
    grade(lab, [0, 1, 2, 0, 0, 0] * 8)
    grade(lab.second("boris"), [1, 1, 2, 0, 0, 0] * 8)
    grade(lab.second("carla"), [0, 1, 2, 0, 0, 0] * 6 + [1, 1, 1, 0, 0, 0] * 2)
    said = lab.agreement("boris").leaning
    assert said.startswith("of 8 differences, 8 are own 0 → boris 1; boris gives the higher grade in 8")
    assert said.endswith(": boris is more generous")
    assert lab.agreement("carla").leaning.endswith("carla gives the higher grade in 2, the lower in 2")


def test_a_query_whose_rows_were_shuffled_is_named_and_differences_that_are_spread_are_not(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "corpus", "house")
    corpus.add([SourceDocument(doc_id, "", text, doc_id) for doc_id, text in PAGES.items()])
    lab = Labelling(tmp_path)
    for n in range(8):
        lab.add_query(f"key {n}")
    one = [2, 0, 1, 0, 2, 0]
    grade(lab, one * 8)
    grade(lab.second("anna"), one * 5 + [0, 2, 0, 1, 0, 2] + one * 2)
    assert lab.agreement("anna").odd.startswith("far more differences than elsewhere: q06 (6 of 6 pairs); in")
    rng = np.random.default_rng(3)
    spread = [g if rng.random() < 0.8 else (g + 1) % 3 for g in one * 8]
    grade(lab.second("boris"), spread)
    grade(lab.second("carla"), [2 - g for g in one * 8])  # everywhere alike
    assert lab.agreement("boris").odd == lab.agreement("carla").odd == ""
