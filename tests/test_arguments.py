"""An argument of a wrong type is named where it was given; errors that somebody wrote stay as they are."""

import importlib
import inspect
import pickle
from types import FunctionType

import numpy as np
import pandas as pd
import pytest

from helpers.base import WrongType, check_k, check_option, check_whole
from helpers.base.arguments import _named, fits
from helpers.datasets.labels import Judgment
from helpers.evaluation import evaluate_retrieval
from helpers.judgments import CosineJudge
from helpers.monitoring import AccuracyMonitor
from helpers.retrieval import Bm25WithVectors, CsrBM25, DenseRetriever, LatentRetriever, LatentSemantic
from helpers.scale import Exact, filtered_after
from helpers.stats import cohen_kappa, holm, power_curve, t_interval
from helpers.text import chunk_corpus, chunk_fixed, plain, stem, word_overlap
from workbench import CorpusFolder, SourceDocument
from workbench.budget import QueryBudget
from workbench.dataset_files import from_qrels, to_beir

ROOMS = [
    *(
        f"helpers.{room}"
        for room in ("answers", "datasets", "encoders", "evaluation", "failures", "judgments")
    ),
    *(f"helpers.{room}" for room in ("monitoring", "retrieval", "scale", "stats", "text")),
    *(f"workbench.{room}" for room in ("corpus", "dataset_files", "exchange", "labelling", "projects")),
    *(f"workbench.{room}" for room in ("reports", "snapshots", "systems")),
]


class Thing:
    """What no function can use."""

    def __repr__(self):
        return "a thing"


def public_functions():
    for room in ROOMS:
        for name, found in vars(importlib.import_module(room)).items():
            if (
                isinstance(found, FunctionType)
                and not name.startswith("_")
                and found.__module__.startswith(room)
            ):
                yield pytest.param(found, id=f"{room}.{name}")


@pytest.mark.parametrize("function", public_functions())
def test_a_thing_in_place_of_every_argument_is_refused_in_words(function):
    parameters = inspect.signature(function).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    try:
        function(*[Thing() for _ in needed])  # some can use anything
    except (ValueError, OSError) as error:
        assert "object has no attribute" not in str(error) and "not supported" not in str(error)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: stem(None), "stem: term is None; needed str"),
        (lambda: plain(5), "plain: text is 5; needed str"),
        (lambda: word_overlap(None, "a"), "word_overlap: query is None"),
        (lambda: holm(0.03), r"holm: p_values is 0.03; .*as in holm\({"),
        (lambda: power_curve([0.1, 0.2], 30, 0.05), r"power_curve: sizes is 30; needed Iterable\[int\]"),
        (lambda: chunk_fixed("a b c", encoding="cl100k_base"), "chunk_fixed: encoding is 'cl100k_base'"),
        (lambda: cohen_kappa([[1], [2]], [[1], [2]]), r"cohen_kappa: first\[0\] is \[1\]"),
    ],
)
def test_the_argument_its_value_and_its_type_are_named(call, said):
    with pytest.raises(WrongType, match=said):
        call()


def test_errors_that_somebody_wrote_stay_as_they_are():
    with pytest.raises(ValueError, match="give {query_id: score}, a Series, or a list") as error:
        t_interval(None)
    assert not isinstance(error.value, WrongType)


def test_a_fault_in_somebodys_own_function_is_no_wrong_argument():
    def chunker(text):
        return {}["missing"]

    with pytest.raises(Exception) as error:
        chunk_corpus({"d1": "a text"}, chunker)
    assert not isinstance(error.value, WrongType) and "missing" in str(error.value)


def test_a_missing_argument_is_still_what_python_says():
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        stem()


def test_functions_keep_their_signature_and_can_be_sent_to_other_processes():
    assert list(inspect.signature(evaluate_retrieval).parameters)[:2] == ["run", "qrels"]
    assert pickle.loads(pickle.dumps(evaluate_retrieval)) is evaluate_retrieval
    assert CsrBM25.__init__.__name__ == "__init__"


@pytest.mark.parametrize(
    "value, hint, expected",
    [
        (np.float32(1), float, True),
        (True, int, False),
        (np.int64(3), int, True),
        ([("d1", 2.0)], list[tuple[str, float]], True),
        ([("d1",)], list[tuple[str, float]], False),
        ({"q": {"d": 1}}, dict[str, dict[str, int]], True),
        ({"q": ["d"]}, dict[str, dict[str, int]], False),
        (None, str | None, True),
        (iter("ab"), list[str], False),
    ],
)
def test_a_value_is_held_against_its_type_with_what_is_in_it(value, hint, expected):
    assert fits(value, hint) is expected


class Service:
    """A model that a server computes, and the server is down."""

    name = "service"

    def encode_documents(self, texts):
        return {"error": "down"}["embedding"]

    encode_queries = encode_documents


@pytest.mark.parametrize("made_by", [DenseRetriever, LatentRetriever, Bm25WithVectors])
def test_an_error_of_ones_own_object_stays_what_it_is(made_by):
    with pytest.raises(KeyError, match="embedding"):
        made_by({"d1": "a cat", "d2": "a dog"}, model=Service())


def test_another_argument_of_a_wrong_type_is_named_beside_ones_own_object():
    with pytest.raises(WrongType, match="cosine_of: texts is 5; needed list"):
        _named(cosine_of)(Service(), 5)


def cosine_of(model: LatentSemantic, texts: list[str]) -> None:
    model.encode_documents(texts)


def test_numbers_in_a_list_are_not_blamed_for_another_argument():
    index, allowed = Exact(np.eye(3, dtype=np.float32)), np.ones(3, bool)
    with pytest.raises(ValueError, match="k is 2.0; needed a whole number"):
        filtered_after(index, [[1.0, 0.0, 0.0]], 2.0, allowed, 3)


def test_a_number_of_numpys_is_a_number_in_a_record():
    assert QueryBudget(max_total_items=np.int64(5)) == QueryBudget(max_total_items=5)
    assert Judgment(doc_id="d1", grade=np.int64(0)).grade == 0
    with pytest.raises(ValueError, match="max_total_items: needed a whole number, found 5.0"):
        QueryBudget(max_total_items=np.float64(5))


def test_a_classmethod_names_its_arguments_too():
    with pytest.raises(WrongType, match=r"AccuracyMonitor.load: path is None; needed str | Path"):
        AccuracyMonitor.load(None)


def test_an_option_that_cannot_be_compared_is_no_option():
    for given in (np.ones(3), pd.Series(["linear"]), pd.DataFrame({"gain": ["linear"]}), ["linear"]):
        with pytest.raises(ValueError, match="it can be 'linear' or 'exponential'"):
            check_option("gain", given, ["linear", "exponential"])


def test_a_whole_number_of_numpys_becomes_pythons():
    assert type(check_whole("draws", np.int64(3))) is type(check_k(np.int64(3))) is int


@pytest.mark.parametrize("system", ["all-MiniLM-L6-v2", ""])
def test_the_name_of_a_model_is_no_model(system):
    with pytest.raises(ValueError, match=f"the model is the text {system!r}; a name is loaded first"):
        CosineJudge(system)([("lost badge", "call security")])


def test_a_corpus_that_is_a_folder_is_led_to_its_texts(tmp_path):
    corpus = CorpusFolder.init(tmp_path / "corpus")
    corpus.add([SourceDocument("d1", "", "a cat", "d1")])
    dataset = from_qrels({"q1": "cat"}, {"q1": {"d1": 1}}, "pets", "")
    with pytest.raises(WrongType, match=r"needed dict\[str, str\]: give its texts, CorpusFolder.corpus"):
        to_beir(dataset, tmp_path / "out", corpus)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: stem("a", "b"), "takes 1 positional argument but 2 were given; it takes term"),
        (lambda: chunk_fixed("a", size=5), "unexpected keyword argument 'size'; did you mean chunk_size?"),
        (lambda: chunk_fixed(), "missing 1 required positional argument: 'text'; it takes text, chunk_size"),
    ],
)
def test_a_call_that_a_function_cannot_take_is_told_what_it_takes(call, said):
    with pytest.raises(TypeError, match=said):
        call()
