"""The bundled collection is a real test collection: whole, judged to depth, and with something to find."""

import pytest

from helpers import datasets
from helpers.base import files
from helpers.evaluation.evaluate import evaluate_retrieval
from helpers.retrieval.retrievers import CsrBM25, RankBM25
from helpers.text.analyzers import plain, plain_stemmed

pytestmark = pytest.mark.offline_too

FOLDER = files.BUNDLED_BEIR / "everyday-science"


def test_its_sizes_are_those_of_its_readme(everyday_science):
    train = datasets.load_beir("everyday-science", "train", FOLDER)
    assert (len(everyday_science.corpus), len(everyday_science.queries), len(train.queries)) == (120, 40, 12)
    assert not everyday_science.queries.keys() & train.queries.keys()


def test_every_query_has_an_answer_and_judged_misses(everyday_science):
    for query_id, grades in everyday_science.qrels.items():
        assert max(grades.values()) >= 1, query_id
        assert min(grades.values()) == 0, query_id
        assert set(grades.values()) <= {0, 1, 2}


def test_the_baseline_is_judged_to_depth_10_and_leaves_headroom(everyday_science):
    run = RankBM25(everyday_science.corpus, plain).search(everyday_science.queries, k=1000)
    found = evaluate_retrieval(run, everyday_science.qrels)
    assert found["Judged@10"] == 1
    assert 0.5 < found["nDCG@10"] < 0.8


def test_word_forms_differ_between_queries_and_passages_so_that_stemming_has_something_to_do(
    everyday_science,
):
    def ndcg(analyzer):
        run = CsrBM25(everyday_science.corpus, analyzer).search(everyday_science.queries, k=1000)
        return evaluate_retrieval(run, everyday_science.qrels)["nDCG@10"]

    assert ndcg(plain_stemmed) > ndcg(plain) + 0.02


def test_no_two_passages_are_copies(everyday_science):
    def five_grams(text):
        words = plain(text)
        return {tuple(words[i : i + 5]) for i in range(len(words) - 4)}

    grams = {doc_id: five_grams(text) for doc_id, text in everyday_science.corpus.items()}
    ids = sorted(grams)
    for i, one in enumerate(ids):
        for other in ids[i + 1 :]:
            shorter = min(len(grams[one]), len(grams[other]))
            assert len(grams[one] & grams[other]) <= 0.2 * shorter, (one, other)


@pytest.mark.parametrize("split", ["test", "train"])
def test_all_its_ids_match(split, recwarn):
    datasets.load_beir("everyday-science", split, FOLDER)
    assert not [warning for warning in recwarn if issubclass(warning.category, UserWarning)]
