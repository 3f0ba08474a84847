"""Lesson 08, second half: what its exercises compute beside the package, and the numbers of its questions."""

import numpy as np
import pandas as pd
import pytest

from course.exercises.lesson_08b import LESSON_08B
from course.exercises.lesson_08b.min_max_fusion import min_max_fusion
from course.exercises.lesson_08b.reciprocal_rank_fusion import reciprocal_rank_fusion
from course.exercises.lesson_08b.tune_then_confirm import tune_then_confirm
from course.exercises.questions import RIGHT, Numeric
from helpers import retrieval


def question(words):
    (found,) = [question for question in LESSON_08B.questions if words in question.text]
    return found


def random_lists(rng):
    """Two engines' results for one query, best first, with documents in common."""
    lists = []
    for _ in range(2):
        doc_ids = rng.choice([f"d{number}" for number in range(12)], size=rng.integers(1, 8), replace=False)
        scores = np.sort(rng.choice(40, size=len(doc_ids), replace=False) / 4)[::-1]
        lists.append(dict(zip(doc_ids.tolist(), scores.tolist(), strict=True)))
    return lists


@pytest.mark.parametrize("seed", range(20))
def test_the_fusions_are_those_of_the_package(seed):
    rng = np.random.default_rng(seed)
    words, vectors = random_lists(rng)
    runs = [{"q": list(scores.items())} for scores in (words, vectors)]
    ranked = dict(retrieval.reciprocal_rank_fusion(runs, k=7)["q"])
    assert reciprocal_rank_fusion([list(words), list(vectors)], 7) == pytest.approx(ranked)
    alpha = float(rng.choice([0.25, 0.5, 0.75]))
    fused = dict(retrieval.fuse(runs, "min-max", weights=[1 - alpha, alpha])["q"])
    assert min_max_fusion(words, vectors, alpha) == pytest.approx(fused)


@pytest.mark.parametrize("seed", range(20))
def test_the_alpha_is_that_of_the_package(seed):
    rng = np.random.default_rng(seed)
    alphas = [0.0, 0.25, 0.5, 0.75, 1.0]
    dev = pd.DataFrame(rng.integers(3, size=(4, 5)) / 4, columns=alphas, index=[f"q{n}" for n in range(4)])
    test = pd.DataFrame(rng.integers(5, size=(6, 5)) / 4, columns=alphas, index=[f"t{n}" for n in range(6)])
    alpha = retrieval.best_alpha(dev)
    gain = test[alpha].mean() - test[0.0].mean()
    assert tune_then_confirm(dev.to_dict(), test.to_dict()) == (alpha, pytest.approx(gain))


def test_every_typical_wrong_number_gets_an_answer_of_its_own():
    numeric = [asked for asked in LESSON_08B.questions if isinstance(asked, Numeric)]
    assert len(numeric) == 2
    for asked in numeric:
        assert asked.verdict(asked.answer)[0] == RIGHT
        assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_ranks_1_and_3_are_worth_a_little_more_than_2_and_2():
    asked = question("at rank 1 in BM25's list")
    assert asked.answer == round(1 / 61 + 1 / 63, 4)
    typical = [1 / 61 + 1 / 62, 2 / 61, 1 / 61, (1 / 61 + 1 / 63) / 2, 1 + 1 / 3]
    assert typical == pytest.approx(list(asked.wrong), abs=0.00005)
    assert 0 < 1 / 61 + 1 / 63 - 2 / 62 < 0.0001


def test_a_perfect_reranker_lifts_what_was_fetched():
    asked = question("140")
    ranks = {2: 1, 9: 1, 31: 1, 140: 1}
    run = {"q": [(f"d{rank}", 1 / rank) for rank in range(1, 201)]}
    qrels = {"q": {f"d{rank}": grade for rank, grade in ranks.items()}}
    ceiling = retrieval.candidate_ceiling(run, qrels, depth=[10, 100], metric="Recall@10")
    assert ceiling["ceiling"].tolist() == [0.5, asked.answer]
