"""Lesson 08, first half: the references beside `helpers`, and the numbers of questions and feedback."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.exercises import contents as ex
from course.exercises.questions import RIGHT, Numeric
from helpers.base import files
from helpers.encoders import bundled_model, load_encoder, pooling
from helpers.retrieval import DenseRetriever

VALUES = st.integers(-40, 40).map(lambda quarters: quarters / 4)
TOKENS = st.lists(st.tuples(st.lists(VALUES, min_size=3, max_size=3), st.booleans()), min_size=1, max_size=8)
POINTS = st.lists(VALUES, min_size=2, max_size=2)


def reference(name):
    return ex.EXERCISES[name].reference


def question(words):
    (found,) = [question for question in ex.LESSON_08.questions if words in question.text]
    return found


class Given:
    """A model that gives the vectors that are written in its texts."""

    def encode(self, texts):
        return [json.loads(text) for text in texts]


@given(tokens=TOKENS)
def test_the_masked_mean_is_the_one_of_helpers(tokens):
    vectors, mask = [vector for vector, _ in tokens], [int(own) for _, own in tokens]
    if not any(mask):
        with pytest.raises(ValueError, match="no token is the text's own"):
            reference("MASKED_MEAN")(vectors, mask)
        return
    (theirs,) = pooling.mean(np.array([vectors]), np.array([mask]))
    assert reference("MASKED_MEAN")(vectors, mask) == pytest.approx(theirs.tolist())


@given(tokens=TOKENS, padding=st.lists(st.lists(VALUES, min_size=3, max_size=3), max_size=5))
def test_padding_changes_nothing_wherever_it_stands(tokens, padding):
    own = [vector for vector, _ in tokens]
    alone = reference("MASKED_MEAN")(own, [1] * len(own))
    behind = reference("MASKED_MEAN")(own + padding, [1] * len(own) + [0] * len(padding))
    before = reference("MASKED_MEAN")(padding + own, [0] * len(padding) + [1] * len(own))
    assert alone == behind == before


def test_of_a_batch_it_gives_each_text_the_vector_that_the_encoder_gives_it():
    encoder = load_encoder(files.BUNDLED_MODELS / "splade-tiny-cut", pooling="mean")
    texts = [
        "Pods killed with exit code 137",
        "no",
        "which alert fires when the disk of the database is full",
    ]
    ids = [encoder.tokenizer.encode(text) for text in texts]
    longest = max(map(len, ids))
    mask = np.array([[1] * len(one) + [0] * (longest - len(one)) for one in ids])
    numbers = np.array([one + [0] * (longest - len(one)) for one in ids])
    hidden = encoder.bert.hidden_states(numbers, mask)
    means = [reference("MASKED_MEAN")(h, m) for h, m in zip(hidden.tolist(), mask.tolist(), strict=True)]
    assert np.allclose(pooling.unit(np.array(means)), encoder.encode(texts), atol=1e-5)


@given(query=POINTS, documents=st.lists(POINTS, min_size=1, max_size=6), k=st.integers(1, 7))
def test_the_ranking_is_the_one_of_the_dense_retriever(query, documents, k):
    vectors = {f"d{number}": vector for number, vector in enumerate(documents)}
    corpus = {doc_id: json.dumps(vector) for doc_id, vector in vectors.items()}
    theirs = DenseRetriever(corpus, Given()).search({"q": json.dumps(query)}, k)["q"]
    ours = reference("RANK_BY_COSINE")(query, vectors, k)
    assert [doc_id for doc_id, _ in ours] == [doc_id for doc_id, _ in theirs]
    assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], abs=1e-6)


def test_on_everyday_science_it_gives_the_ranking_that_the_last_cells_compare(everyday_science):
    known = bundled_model("everyday-science")
    doc_ids = sorted(everyday_science.corpus)
    rows = known.encode_documents([everyday_science.corpus[doc_id] for doc_id in doc_ids])
    vectors = dict(zip(doc_ids, rows.astype(float).tolist(), strict=True))
    query_id, text = next(iter(everyday_science.queries.items()))
    query = known.encode_queries([text])[0].astype(float).tolist()
    ours = reference("RANK_BY_COSINE")(query, vectors, 10)
    theirs = DenseRetriever(everyday_science.corpus, known).search({query_id: text}, 10)[query_id]
    assert [doc_id for doc_id, _ in ours] == [doc_id for doc_id, _ in theirs]


def test_every_typical_wrong_number_gets_an_answer_of_its_own():
    numeric = [question for question in ex.LESSON_08.questions if isinstance(question, Numeric)]
    assert len(numeric) == 2
    for asked in numeric:
        assert asked.verdict(asked.answer)[0] == RIGHT
        assert [asked.verdict(value)[1] for value in asked.wrong] == list(asked.wrong.values())


def test_the_cosine_of_3_4_and_8_6_is_48_over_50():
    asked, query, document = question("(3, 4)"), np.array([3.0, 4.0]), np.array([8.0, 6.0])
    dot, lengths = query @ document, (np.linalg.norm(query), np.linalg.norm(document))
    assert lengths == (5, 10) and dot == 48
    assert reference("RANK_BY_COSINE")([3, 4], {"d": [8, 6]}, 1) == [("d", asked.answer)]
    angle = math.degrees(math.acos(asked.answer))
    typical = [
        dot,
        dot / 5,
        dot / 10,
        dot / 25 / 100,
        1 - asked.answer,
        angle,
        np.linalg.norm(query - document),
    ]
    assert [round(value, 2) for value in typical] == list(asked.wrong)


def test_the_vectors_of_8_8_million_passages_take_6_8_gigabytes():
    asked, numbers = question("8.8 million"), 8_800_000 * 384
    assert round(2 * numbers / 1e9, 1) == asked.answer
    typical = [4 * numbers / 1e9, numbers / 1e9, 8 * numbers / 1e9, 2 * numbers / 1e6, 2 * numbers / 8e9]
    typical.append(2 * numbers / 2**30)
    assert [round(value, 1) for value in typical] == list(asked.wrong)
    assert "768 bytes" in asked.praise and 2 * 384 == 768


def stored():
    path = files.ROOT / "evals" / "benchmarks" / "dense_quality.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_interval_in_the_question_is_the_measured_one():
    asked, row = question("0.645 and BM25 0.679"), stored()["dense"]["all-MiniLM-L6-v2"]
    low, high = f"{abs(row['low']):.3f}", f"+{row['high']:.3f}"
    assert f"{abs(row['difference']):.3f}" == "0.034" and "−0.034" in asked.text
    assert f"−{low} to {high}" in asked.text and f"{row['p']:.2f}" == "0.07"


def test_what_idf_is_worth_is_the_measured_gain():
    asked, rows = question("multiplies SPLADE"), stored()["learned sparse"]["does IDF help"]
    learned, free = rows["splade-tiny"], rows["inference-free"]
    assert f"{learned['difference']:.4f}" == "0.0015" and "0.0015" in asked.text
    assert f"−{-learned['low']:.3f} to +{learned['high']:.3f}" in asked.text
    assert f"{free['difference']:.3f}" in asked.options["b"][1] and free["low"] > 0


def test_a_page_of_2000_pieces_is_seen_to_an_eighth():
    asked = question("2,000 word pieces")
    assert 0.12 < 256 / 2000 < 0.13 and "an eighth" in asked.options["a"][1]


def test_the_lessons_verdicts_follow_from_the_stored_faults():
    faults = {(row["fault"][0], row["what"]): row for row in stored()["faults"]}
    worst = {
        number: max(abs(r["difference"]) for (n, _), r in faults.items() if n == number)
        for number in "12345678"
    }
    assert worst["1"] > 0.6 and worst["8"] > 0.6 and worst["2"] > 0.3
    assert worst["3"] < 0.03 and worst["7"] < 0.01


def test_each_stored_fault_was_measured_with_vectors_of_its_own():
    """A placeholder, as the right vectors in the place of those in 8 bits, would show as equal figures."""
    found = stored()
    assert "provisional" not in found
    truncated = [row for row in found["faults"] if row["fault"].startswith("6")]
    assert len({row["nDCG@10"] for row in truncated}) == len(truncated) == 3
    in_8_bits = [row for row in found["faults"] if row["fault"].startswith("7")]
    assert len(in_8_bits) == 3 and all(row["win"] + row["loss"] > 0 for row in in_8_bits)
