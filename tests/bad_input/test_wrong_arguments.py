"""Arguments that people hold by mistake, room by room: refused in words, or taken for what they are."""

import json
import os
import warnings
from collections import Counter, UserDict

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from helpers import show
from helpers.answers import (
    ExtractiveAnswerer,
    context_scores,
    fill_context,
    nugget_scores,
    supporting,
)
from helpers.answers.contexts import shown, shown_of
from helpers.base import WrongType
from helpers.datasets import (
    Answer,
    Judgment,
    LabelledQuery,
    Nugget,
    add_query,
    load_runbooks,
    published,
    published_figures,
    trec,
)
from helpers.encoders import WordPiece, encoded
from helpers.evaluation import (
    compare,
    evaluate_retrieval,
    load_results,
    provenance,
    ranking,
    result_row,
    results_table,
    save_results,
)
from helpers.failures import (
    RetrievalErrorAnalyzer,
    System,
    analyze,
    control_rewordings,
    difference_interval,
    highlight,
    ledger_table,
    telling_words,
)
from helpers.judgments import (
    OverlapJudge,
    agreement,
    overlap_frame,
    semantic_accuracy_evaluation,
    write_verdicts,
)
from helpers.metrics import mrr, recall_at_k
from helpers.monitoring import (
    AccuracyMonitor,
    clicks_by_document,
    clicks_by_rank,
    feedback_event,
    interleave,
)
from helpers.records import Chunk, Dataset, grade_of
from helpers.retrieval import (
    CosineScorer,
    CsrBM25,
    DenseRetriever,
    HybridRetriever,
    LatentRetriever,
    LatentSemantic,
    LearnedSparseRetriever,
    RankBM25,
    Reranker,
    SparseIndex,
    SqliteFTS5,
    SubstringScan,
    candidate_ceiling,
    count_terms,
    explain,
    fuse,
    save_encoded_corpus,
    to_documents,
    top_k,
    tuning_curve,
    weigh,
)
from helpers.retrieval.sparse import retrieve_all_queries
from helpers.scale import (
    Binary,
    Bm25s,
    Exact,
    ShardedIndex,
    VectorSearch,
    check_shards,
    count_shard,
    neighbour_recall,
    write_shards,
)
from helpers.stats import (
    bootstrap_interval,
    bootstrap_intervals,
    cohen_kappa,
    detectable_difference,
    false_alarm_rate,
    holm,
    max_t,
    non_inferiority,
    pilot_interval,
    power,
    power_curve,
    queries_needed,
    randomisation_tests,
    t_intervals,
)
from helpers.text import (
    chunk_corpus,
    chunk_paragraphs,
    load_stand_in,
    lucene_english,
    plain,
    stem,
    to_corpus,
    token_offsets,
    tokens,
)
from workbench.budget import Item, QueryBudget, within_budget
from workbench.exchange import (
    AskedQuery,
    personal_data,
    sample_searches,
    to_ir_measures_qrels,
    to_ir_measures_run,
)

CORPUS = {"d1": "an outage of the database", "d2": "the lunch menu", "d3": "downtime in May"}
QUERIES = {"q1": "outage"}
NUGGET = Nugget(text="x", importance="vital", support=[{"doc_id": "d2", "quote": "lunch"}])
BY_LENGTH = csr_matrix([[2, 0, 1], [1, 0, 0]])


class Cutter:
    """A tokenizer that was not made yet: its class is at hand."""

    def __call__(self, text):
        return text.split()


@pytest.mark.parametrize("build", [CsrBM25, RankBM25, Bm25s, ShardedIndex])
@pytest.mark.parametrize(
    ("analyzer", "complaint"),
    [
        (Cutter, "analyzer is the class Cutter; give a function"),
        (
            lambda text: {"input_ids": [1], "attention_mask": [1]},
            "gave {'input_ids': .*needed a list",
        ),
        (lambda text: UserDict(input_ids=[1]), "gave {'input_ids': .*needed a list"),
    ],
)
def test_what_gives_the_same_terms_for_every_text_is_no_analyzer(build, analyzer, complaint):
    with pytest.raises(ValueError, match=complaint):
        build(CORPUS, analyzer=analyzer).search(QUERIES, 3)


@pytest.mark.parametrize("analyzer", [str.upper, lambda text: None, lambda text: {"input_ids": [1]}, "plain"])
def test_an_analyzer_is_held_to_terms_wherever_one_is_taken(analyzer, tmp_path):
    complaint = "needed a list of terms|analyzer is 'plain'; give a function"
    with pytest.raises(ValueError, match=complaint):
        ExtractiveAnswerer(CORPUS, load_stand_in(), analyzer)
    with pytest.raises(ValueError, match=complaint):
        highlight("a text", "text", analyzer)
    with pytest.raises(ValueError, match=complaint):
        write_shards(tmp_path / "index", CORPUS, analyzer=analyzer)


def test_a_generator_of_terms_marks_as_a_list_does():
    assert highlight("the cats sat", "cats", lambda text: iter(plain(text))) == "the <mark>cats</mark> sat"


@pytest.mark.parametrize("value", ["no", None, 1, "bm25+"])
def test_a_flag_is_true_or_false(value, tmp_path):
    write_shards(tmp_path / "index", CORPUS)
    for call in (
        lambda: CsrBM25(CORPUS, plain, 0.9, 0.4, value),
        lambda: ShardedIndex(CORPUS, lucene_lengths=value),
        lambda: write_shards(tmp_path / "other", CORPUS, lucene_lengths=value),
        lambda: check_shards(tmp_path / "index", verify=value),
        lambda: SqliteFTS5(CORPUS, strict=value),
        lambda: LearnedSparseRetriever(CORPUS, None, use_idf=value),
    ):
        with pytest.raises(ValueError, match=f"is {value!r}; needed True or False".replace("+", r"\+")):
            call()


@pytest.mark.parametrize(
    "settings", [{"k1": -1}, {"k1": float("inf")}, {"b": 40}, {"b": True}, {"k1": "0.9"}]
)
def test_parameters_out_of_range_are_refused_by_every_bm25(settings):
    for build in (CsrBM25, Bm25s, ShardedIndex):
        with pytest.raises(ValueError, match="k1 and delta are finite numbers from 0 up"):
            build(CORPUS, **settings)


def test_numbers_of_numpys_are_written_into_an_index(tmp_path):
    folder = tmp_path / "index"
    write_shards(folder, CORPUS, np.int64(2), k1=np.int64(1), b=np.float32(0.5), lucene_lengths=np.True_)
    found = ShardedIndex.open(folder).search(QUERIES, 3)
    assert found == CsrBM25(CORPUS, k1=1, b=0.5, lucene_lengths=True).search(QUERIES, 3)


def test_the_name_of_a_model_is_no_model():
    complaint = r"the model is the text 'all-MiniLM-L6-v2'; .*load_encoder\('all-MiniLM-L6-v2'\)"
    for call in (
        lambda model: CosineScorer(model).scores("a", ["b"]),
        lambda model: VectorSearch(Exact([[1.0]]), ["d1"], model).search(QUERIES, 1),
        lambda model: RetrievalErrorAnalyzer(CORPUS, model).analyze_failures("outage", [], ["d1"]),
    ):
        with pytest.raises(ValueError, match=complaint):
            call("all-MiniLM-L6-v2")


def test_what_has_no_order_gives_no_rows(tmp_path):
    with pytest.raises(ValueError, match="texts is a set, without an order; give a list"):
        count_terms({"a cat", "a dog"}, plain)
    with pytest.raises(ValueError, match="texts is a set, without an order; give a list"):
        LatentSemantic(CORPUS.values()).encode({"outage", "lunch"})
    for doc_ids in ({"d1", "d2"}, pd.DataFrame({"d1": [1], "d2": [2]})):
        with pytest.raises(ValueError, match="needed a list of ids, in the order of the rows"):
            save_encoded_corpus(tmp_path / "c", BY_LENGTH, np.ones(3), doc_ids)


def test_pieces_without_an_order_are_no_context():
    pieces = {("d2", 0, 14), ("d1", 0, 9)}
    answer = Answer(query_id="q1", answer="x", nuggets=[NUGGET])
    for call in (
        lambda: supporting([NUGGET], pieces, CORPUS),
        lambda: context_scores(answer, pieces, CORPUS),
        lambda: fill_context(set(chunk_paragraphs("a\n\nb", "d1")), load_stand_in(), 5),
        lambda: nugget_scores({"vital", "okay"}, ["support", "support"]),
        lambda: RetrievalErrorAnalyzer(CORPUS).analyze_failures("outage", {"d2", "d3"}, ["d1"]),
    ):
        with pytest.raises(ValueError, match="are a set; give a list"):
            call()


def test_nuggets_from_a_generator_are_looked_for_in_every_piece():
    pieces = [("d1", 0, 9), ("d2", 0, 14)]
    assert supporting(iter([NUGGET]), pieces, CORPUS) == supporting([NUGGET], pieces, CORPUS) == [False, True]


def test_what_a_generator_gives_in_place_of_chunks_is_named():
    with pytest.raises(ValueError, match="one of the chunks is a str; needed a Chunk"):
        to_corpus(iter(["a text"]))
    with pytest.raises(ValueError, match="a piece of ranked is a str; needed a Chunk"):
        fill_context(iter(["a text"]), load_stand_in(), 5)


def test_tokens_are_counted_of_a_text_with_an_encoding():
    with pytest.raises(ValueError, match="encoding is a str; needed an Encoding; encoding_or_stand_in"):
        tokens.count_tokens("a text", "cl100k_base")
    with pytest.raises(ValueError, match="text is a bytes; needed a str"):
        tokens.encode(b"a text", load_stand_in())
    with pytest.raises(ValueError, match="encoding is a str; needed an Encoding"):
        ExtractiveAnswerer(CORPUS, "cl100k_base")


def test_every_text_of_a_shard_has_a_number():
    with pytest.raises(ValueError, match=r"numbers of the shape \(1,\) for 2 texts"):
        count_shard(np.array([0]), ["a", "b"], plain)


@pytest.mark.parametrize("queries", [["outage"], {"outage"}, pd.Series(QUERIES), iter(QUERIES.items())])
def test_an_index_is_asked_a_dict_of_queries(queries):
    index = System("BM25", CsrBM25).index(CORPUS)
    for ask in (index.search, index.pieces):
        with pytest.raises(ValueError, match="queries is a .*needed a dict {query_id: text}"):
            ask(queries)


def test_a_system_has_its_name_first():
    with pytest.raises(ValueError, match="the name of a system is a type; .*System.name, build, chunker"):
        System(CsrBM25, "BM25")


@pytest.mark.parametrize(
    ("rewordings", "complaint"),
    [
        ({"q1": {"outage": "downtime"}}, "rewordings has the key 'q1'; needed"),
        ({("q1", "d3"): "downtime"}, r"rewordings, \('q1', 'd3'\): is a str; needed a dict"),
        (pd.DataFrame({"q1": ["downtime"]}), "rewordings is a DataFrame; needed a dict"),
        ({("q7", "d3"): {"outage": "downtime"}}, "are of other queries, .*'q7'.* the dataset has 'q1'"),
    ],
)
def test_rewordings_that_would_change_nothing_are_refused(rewordings, complaint):
    toy = Dataset("toy", "test", CORPUS, QUERIES, {"q1": {"d3": 1}}, "written by hand")
    with pytest.raises(ValueError, match=complaint):
        analyze(toy, System("BM25", CsrBM25), k=1, rewordings=rewordings)
    with pytest.raises(ValueError, match="rewording"):
        control_rewordings(analyze(toy, System("BM25", CsrBM25), k=1), rewordings)


def test_words_that_no_document_has_are_the_last_to_tell():
    assert telling_words("downtime, friday", "x", Counter(downtim=2), n_documents=4) == ["downtime", "friday"]


@pytest.mark.parametrize(
    ("retrieved", "expected", "complaint"),
    [
        ([["d2", "d3"]], ["d1"], r"retrieved: \['d2', 'd3'\] is of type list"),
        (pd.DataFrame({"doc_id": ["d2"]}), ["d1"], "retrieved_docs are a DataFrame with the columns doc_id"),
        (["d2"], pd.DataFrame({"doc_id": ["d1"]}), "expected_docs is a DataFrame"),
    ],
)
def test_the_columns_of_a_table_are_no_documents(retrieved, expected, complaint):
    with pytest.raises(ValueError, match=complaint):
        RetrievalErrorAnalyzer(CORPUS).analyze_failures("outage", retrieved, expected)


def test_a_corpus_by_numbers_covers_nothing_and_is_refused():
    with pytest.raises(ValueError, match=r"corpus: doc_id 1 is of type int; ids are text, use str\(\)"):
        RetrievalErrorAnalyzer({1: "an outage"})


def test_a_table_without_a_column_is_told_what_it_has():
    table = pd.DataFrame({"difference": [0.1], "low": [0.0], "high": [0.2]}, index=["dense"])
    lacks = r"has no 'diff low', 'diff high'; it has 'difference', 'low', 'high'"
    with pytest.raises(WrongType, match="gains_figure: table " + lacks):
        show.gains_figure(table, "BM25", "nDCG@10", "gains")
    with pytest.raises(WrongType, match=r"tradeoff_figure: systems\['exact'\] " + lacks):
        show.tradeoff_figure({"exact": table}, "BM25", "nDCG@10", "trade")


def test_a_dict_without_a_key_is_told_what_it_has():
    values = pd.DataFrame({"BM25": [0.1, 0.2]}, index=["q1", "q2"])
    with pytest.raises(WrongType, match="per_query_figure: texts has no 'q1'; it has 'Q1', 'q2'"):
        show.per_query_figure(values, {"q1": "x", "q2": "x"}, {"Q1": "one", "q2": "two"}, "t")


def test_a_confidence_in_percent_is_no_share():
    table = pd.DataFrame({"difference": [0.1], "diff low": [0.0], "diff high": [0.2]}, index=["dense"])
    for draw in (
        lambda: show.gains_figure(table, "BM25", "nDCG@10", "gains", confidence=95),
        lambda: show.intervals_figure(table, "BM25", "nDCG@10", 30, confidence=95),
    ):
        with pytest.raises(ValueError, match="confidence is 95; needed a share between 0 and 1"):
            draw()


def test_a_table_of_counts_is_weighed_as_before():
    assert weigh(BY_LENGTH, k1=np.float32(0.5)).documents.toarray() == pytest.approx(
        weigh(BY_LENGTH, k1=0.5).documents.toarray()
    )


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        ({"q1": "mail jo@example.com"}, r"texts is a dict; give a list of texts, .*its values\(\)"),
        (pd.DataFrame({"query": ["mail jo@example.com"]}), "texts is a DataFrame; give a list of texts"),
        (["mail jo@example.com", None], "text 2 is a NoneType; needed a str"),
    ],
)
def test_personal_data_are_not_looked_for_among_ids(texts, complaint):
    with pytest.raises(ValueError, match=complaint):
        personal_data(texts)


def test_what_ir_measures_would_not_find_is_not_handed_to_it():
    with pytest.raises(ValueError, match="qrels: query_id 1 is of type int"):
        to_ir_measures_qrels({1: {"d1": 1}})
    with pytest.raises(ValueError, match="qrels, query 'q1', document 'd1': grade None is not"):
        to_ir_measures_qrels({"q1": {"d1": None}})
    with pytest.raises(ValueError, match="run: query_id 1 is of type int"):
        to_ir_measures_run({1: [("d1", 1.0)]})
    with pytest.raises(ValueError, match="query 'q1'.*'d1'"):
        to_ir_measures_run({"q1": {"d1": "high"}})


def test_a_budget_and_a_sample_take_what_has_an_order():
    with pytest.raises(ValueError, match="candidates are a set; give a list"):
        within_budget({Item("a", "a", "a", 1.0, "x", 0, 1)}, QueryBudget(max_total_items=1))
    with pytest.raises(ValueError, match="candidates is a NoneType; needed an Iterable; a list of Item"):
        within_budget(None, QueryBudget(max_total_items=1))
    with pytest.raises(ValueError, match="queries are a set; give a list"):
        sample_searches({AskedQuery("vpn"), AskedQuery("wifi")}, 1)


def test_numbers_of_numpy_in_rows_of_results_are_saved_as_numbers(tmp_path):
    path = save_results("bm25", [{"nDCG@10": np.float32(0.5), "queries": np.int64(5)}], tmp_path)
    assert load_results(path) == [{"nDCG@10": 0.5, "queries": 5}]
    with pytest.raises(ValueError, match="a row holds {'a'}, a set; needed texts, numbers"):
        save_results("bm25", [{"runs": {"a"}}], tmp_path)


def test_the_values_of_two_dicts_are_not_paired_by_their_order():
    with pytest.raises(ValueError, match="the first rater's labels are the values of a dict"):
        cohen_kappa({"a": 1, "b": 0}.values(), {"b": 0, "a": 1}.values())


def test_a_chunk_lies_within_its_text():
    def by_bytes(text):
        return [Chunk("", 0, text, 0, len(text.encode()))]

    assert len(chunk_corpus({"d1": "plain"}, by_bytes)) == 1
    with pytest.raises(ValueError, match="document 'd1': by_bytes: chunk 0 ends at 6, .* not bytes"):
        chunk_corpus({"d1": "naïve"}, by_bytes)
    titled = chunk_corpus({"d1": "a cat"}, lambda text: [Chunk("", 0, f"Pets: {text}", 0, 5)])
    assert titled[0].text == "Pets: a cat"  # a text may say more than its piece
    for start, end in ((-1, 2), (47, 40)):
        with pytest.raises(ValueError, match=f"start is {start} and end {end}; they count characters from 0"):
            Chunk("d1", 0, "abc", start, end)


def test_grades_of_a_dataset_are_numbers():
    with pytest.raises(ValueError, match=r"qrels\['q1'\]\['d1'\] is a str; needed a Real; use int\(\)"):
        Dataset("toy", "test", {"d1": "a cat"}, {"q1": "cats"}, {"q1": {"d1": "2"}}, source="hand")


def test_a_list_that_rises_throughout_may_hold_distances():
    run = {"q1": [("d1", 0.1), ("d3", 0.4), ("d2", 0.9)]}
    with pytest.raises(ValueError, match="give minus that as the score; if they are scores, sort"):
        evaluate_retrieval(run, {"q1": {"d1": 1}})


def test_figures_of_the_monitor_are_numbers():
    history = pd.DataFrame({"precision": ["0,5", "0,6"]}, index=[1, 2])
    with pytest.raises(ValueError, match="history, 'precision': '0,5' is no number"):
        show.monitor_figure(history, "t")


def test_a_piece_that_begins_behind_its_document_is_of_another_version():
    with pytest.raises(ValueError, match="a piece begins at 4,000, and 'd1' has 5 characters"):
        shown_of([("d1", 4000, 5000)], {"d1": "a cat"})
    assert shown_of([("d1", 0, 5000)], {"d1": "a cat"}) == {"d1": [(0, 5000)]}


def test_words_are_not_weighed_by_the_counts_of_another_corpus():
    with pytest.raises(ValueError, match="df of 'downtim' is 12, and n_documents 4"):
        telling_words("Downtime in the bay", "outage", Counter(downtim=12), 4)


def test_pieces_of_a_vocabulary_have_no_line_breaks():
    with pytest.raises(ValueError, match="end with a line break; read them with splitlines"):
        WordPiece(["[PAD]\n", "[UNK]\n", "[CLS]\n", "[SEP]\n", "a\n"])


def test_nobody_who_clicks_is_no_list_of_clicks():
    run = {"q1": [("d1", 2.0)]}
    with pytest.raises(ValueError, match=r"clicks_on gave None for query 'q1'; .*\[\] where nothing"):
        interleave(run, run, lambda query_id, doc_ids: None, 5)


def test_a_document_whose_id_is_none_is_asked_for_another_field():
    class Document:
        id, page_content, metadata = None, "a cat", {"doc_id": "d1"}

    with pytest.raises(ValueError, match="a retrieved Document has None for its id; give the doc_ids"):
        RetrievalErrorAnalyzer({"d1": "a cat"}).analyze_failures("cat", [Document()], {"d1"})


def test_a_time_is_told_in_seconds():
    with pytest.raises(ValueError, match="needed a number of seconds since 1970"):
        feedback_event("relay", ["d1"], {"d1"}, timestamp="2026-11-23T14:00:00Z")


class Token:
    def __init__(self, text):
        self.text = text


@pytest.mark.parametrize(
    ("analyzer", "words"),
    [
        (lambda text: [Token(word) for word in text.split()], "gave objects, Token; needed texts"),
        (lambda text: set(text.split()), "gave {.*} for a text; needed a list of terms"),
    ],
)
def test_terms_are_texts_as_often_as_they_come(analyzer, words):
    with pytest.raises(ValueError, match=words):
        CsrBM25(CORPUS, analyzer)
    with pytest.raises(ValueError, match=words):
        RankBM25(CORPUS, analyzer)


def test_a_text_in_the_place_of_its_id_is_seen():
    with pytest.raises(ValueError, match="of several lines; the text comes first, then its doc_id"):
        chunk_paragraphs("d1", "Some text.\n\nMore text.")


def test_figures_are_drawn_of_intervals_numbers_and_days_that_fit():
    table = pd.DataFrame({"difference": [0.1], "diff low": [0.2], "diff high": [-0.02]}, index=["a"])
    with pytest.raises(ValueError, match="row 'a': difference 0.1, diff low 0.2, diff high -0.02"):
        show.gains_figure(table, "BM25", "nDCG@10", "t")
    with pytest.raises(ValueError, match="k is 0"):
        show.discount_figure(0)
    good = {"difference": [0.0], "diff low": [-0.1], "diff high": [0.1]}
    with pytest.raises(ValueError, match="'hnsw': 'per second' holds '1,200'; needed numbers"):
        show.tradeoff_figure(
            {"hnsw": pd.DataFrame({"per second": ["1,200"], **good})}, "exact", "nDCG@10", "t"
        )
    history = pd.DataFrame({"MRR": [0.5, 0.6]}, index=pd.to_datetime(["2026-01-01", "2026-01-08"]))
    with pytest.raises(ValueError, match="events has '2026-01-05', and the index holds Timestamps"):
        show.monitor_figure(history, "t", {"2026-01-05": "deploy"})


def test_the_one_element_that_is_wrong_is_shown_and_not_the_first_few():
    first_ranks = {f"q{n}": float(n) for n in range(1, 30)} | {"q20": None}
    scores = pd.Series(dict.fromkeys(first_ranks, 0.5), name="nDCG@10")
    with pytest.raises(WrongType, match=r"first_ranks\['q20'\] is None; needed float"):
        show.sorted_scores_figure(scores, first_ranks, 10, "t")


def test_what_is_no_retriever_is_told_before_its_corpus():
    with pytest.raises(ValueError, match="first is a .*; needed a retriever with search"):
        Reranker(Cutter, CsrBM25(CORPUS))


def test_ids_of_a_file_keep_no_line_breaks():
    with pytest.raises(ValueError, match=r"document 'd1' in relevant is 'd1\\n' in retrieved; take the"):
        recall_at_k(["d1\n", "d2\n"], {"d1"}, k=10)


def test_counts_are_no_labels_of_two_raters():
    with pytest.warns(UserWarning, match="the raters share no label .20 and 10.: are these counts"):
        cohen_kappa([20, 5], [10, 15])


def test_every_text_of_a_dataset_is_one():
    with pytest.raises(ValueError, match=r"queries\['q2'\] is a float"):
        Dataset("toy", "test", {"d1": "a cat"}, {"q1": "cats", "q2": float("nan")}, {}, source="hand")


def test_ends_of_a_piece_are_whole_numbers():
    with pytest.raises(ValueError, match=r"start and end are whole numbers of characters; use int\(\)"):
        shown([("d1", 5.0, 9.0)])


def test_the_kind_that_was_meant_is_named_and_not_none():
    system = System("BM25", CsrBM25)
    data = Dataset("toy", "test", CORPUS, QUERIES, {"q1": {"d1": 1}}, "by hand")
    with pytest.raises(WrongType, match=r"changes\['scan'\] is <class .*; needed System"):
        analyze(data, system, k=1, changes={"scan": RankBM25})
    with pytest.raises(ValueError, match=r"needed a LabelledQuery; qrels have grades alone"):
        analyze(data, system, labels=data.qrels)


def test_one_ranking_is_no_run():
    with pytest.raises(ValueError, match=r"run is a list; needed a dict {query_id: \[\(chunk_id, score\)"):
        to_documents([("vpn.md#0", 3.0)])


def test_limits_stay_as_they_were_made():
    with pytest.raises(ValueError, match="for another max_total_items make a new QueryBudget"):
        QueryBudget(max_total_items=5).max_total_items = 6


def test_results_are_of_the_dataset_and_of_metrics_that_there_are(tmp_path):
    data = Dataset("toy", "test", CORPUS, QUERIES, {"q1": {"d1": 1}}, "by hand")
    found = evaluate_retrieval({"q1": {"d1": 1.0}}, data.qrels)
    other = Dataset("shop", "test", CORPUS, {"x9": "z"}, {"x9": {"d1": 1}}, "by hand")
    with pytest.raises(ValueError, match="1 of the 1 queries of the evaluation, e.g. 'q1', are not among"):
        result_row(other, "bm25", found)
    with pytest.raises(ValueError, match="there is no metric 'ndcg_cut_10'; did you mean 'nDCG@10'"):
        result_row(data, "bm25", found, published={"ndcg_cut_10": 0.4})
    row = result_row(data, "bm25", found)
    for rows in (row, [0.1, 0.2]):
        with pytest.raises(ValueError, match="make it with result_row|give a list of what result_row makes"):
            save_results("one", rows, folder=tmp_path)


def test_no_text_of_a_dataset_is_a_gap_in_a_table():
    with pytest.raises(ValueError, match=r"corpus\['d2'\] is .*'' where there is none"):
        Dataset("shop", "test", {"d1": "cat", "d2": float("nan")}, {"q1": "cats"}, {"q1": {"d1": 1}}, "x")


def test_scores_in_the_place_of_differences_are_told():
    with pytest.warns(
        UserWarning, match="no difference is below 0, and 92% or more are above: are these scores"
    ):
        non_inferiority([n / 12 for n in range(12)], limit=0.02)
    scores = {"A": [0.5, 0.6, 0.7, 0.4, 0.8, 0.6], "B": [0.5, 0.7, 0.7, 0.4, 0.9, 0.6]}
    with pytest.warns(UserWarning, match="no difference is below 0, and 100% .*: are these scores"):
        max_t(pd.DataFrame(scores))


def test_scores_in_the_place_of_differences_are_told_by_all_that_plan_with_them(recwarn):
    scores = [n / 12 for n in range(12)]
    asked = [
        lambda given: power(given, n=30, effect=0.1),
        lambda given: power_curve(given, sizes=[10, 20], effects=[0.1, 0.2]),
        lambda given: detectable_difference(given, n=30),
        lambda given: queries_needed(given, effect=0.2),
        lambda given: queries_needed(given, effect=-0.2),
        lambda given: pilot_interval(given, n=30),
        lambda given: false_alarm_rate(given, n_simulations=100),
    ]
    for ask in asked:
        recwarn.clear()
        ask(scores)
        assert ["are these scores" in str(one.message) for one in recwarn] == [True]
    recwarn.clear()
    for ask in asked:
        ask(pd.Series(scores, name="difference"))  # a candidate that never loses
        ask([one - 0.2 for one in scores])
    assert not recwarn.list


def test_a_table_whose_columns_are_queries_is_told_to_lie_on_its_side():
    table = pd.DataFrame({"A": [0.1, 0.2], "B": [0.3, 0.4]}, index=pd.Index(["q1", "q2"], name="query_id"))
    for ask in (bootstrap_intervals, t_intervals, max_t, randomisation_tests):
        with pytest.raises(ValueError, match=r"a column for each query_id \(e.g. 'q1'\); .* give table.T"):
            ask(table.T)
    assert bootstrap_intervals(table).index.tolist() == ["A", "B"]


def test_scales_of_two_raters_that_begin_at_another_number_are_told(recwarn):
    first = [0, 1, 2, 0, 1, 2]
    with pytest.warns(UserWarning, match="of the second rater is that of the first plus 1: does one scale"):
        cohen_kappa(first, [one + 1 for one in first])
    with pytest.warns(UserWarning, match="of the second rater is that of the first minus 3"):
        cohen_kappa([one + 3 for one in first], first)
    qrels = {"q1": {f"d{n}": grade for n, grade in enumerate(first)}}
    with pytest.warns(UserWarning, match="that of the first plus 1"):
        agreement(qrels, {"q1": {doc_id: grade + 1 for doc_id, grade in qrels["q1"].items()}})
    recwarn.clear()
    cohen_kappa(first, first)
    cohen_kappa([0, 1] * 5, [1, 0] * 5)  # who says the reverse is on the same scale
    cohen_kappa([0] * 5, [1] * 5)
    cohen_kappa(first, [1, 2, 3, 1, 2, 2])
    assert not recwarn.list


def test_what_gives_no_hybrid_is_told():
    run = {"q1": [("d1", 2.0), ("d2", 1.0)]}
    with pytest.warns(UserWarning, match="run 1 and run 2 have the same documents with the same scores"):
        fuse([run, dict(run)])
    two_systems = {"q1": [("d1", 0.9), ("d2", 0.5)]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fuse([run, two_systems])  # which find the same in the same order
    old, new = CsrBM25({"d1": "a cat"}), CsrBM25({"d1": "a cat", "d2": "cat cat"})
    with pytest.warns(UserWarning, match="old lacks 1 document of new, e.g. 'd2', which count there as not"):
        HybridRetriever({"old": old, "new": new})


MANY = {f"q{number}": "outage lunch" for number in range(5)}


class Gives:
    """A search, or a scorer, that gives what a function makes."""

    name = "mine"

    def __init__(self, made):
        self.made = made

    def search(self, queries, k):
        return {query_id: self.made(query) for query_id, query in queries.items()}

    def scores(self, query, texts):
        return self.made(texts)


def test_a_part_of_a_fusion_that_adds_nothing_is_told(recwarn):
    bm25 = CsrBM25(CORPUS)
    silent, flat = Gives(lambda query: []), Gives(lambda query: [("d1", 1.0), ("d2", 1.0), ("d3", 1.0)])
    with pytest.warns(UserWarning, match="silent found nothing for any of the 5 queries, so it adds nothing"):
        HybridRetriever({"bm25": bm25, "silent": silent}).search(MANY)
    with pytest.warns(UserWarning, match="run 2: all scores of a query are equal, .* ranked by their ids"):
        fuse([bm25.search(MANY), flat.search(MANY, 3)])
    recwarn.clear()
    by_ids = Gives(lambda query: [("d3", 1.0), ("d2", 1.0), ("d1", 1.0)])  # as the house has ties
    fuse([bm25.search(MANY), by_ids.search(MANY, 3)])
    fuse([bm25.search(MANY), flat.search(MANY, 3)], "min-max")  # where each of them counts 1
    HybridRetriever({"bm25": bm25, "silent": silent}).search(QUERIES)
    fuse([silent.search(MANY, 3), by_ids.search({}, 3) | dict.fromkeys(MANY, [])])
    assert not recwarn.list


@pytest.mark.parametrize("error", [TimeoutError("no answer"), ValueError("no index"), KeyError("d7")])
def test_an_error_in_a_search_says_which_part_it_was(error):
    def broken(query):
        raise error

    hybrid = HybridRetriever({"bm25": CsrBM25(CORPUS), "mine": Gives(broken)})
    with pytest.raises(type(error)) as raised:
        hybrid.search(QUERIES)
    with pytest.raises(type(error)):  # said once, however often it comes
        hybrid.search(QUERIES)
    assert raised.value is error
    if isinstance(error, KeyError):
        assert error.args == ("d7",)
    else:
        assert str(error).startswith("mine: no ") and str(error).count("mine") == 1


LONG = {f"d{number:02}": "outage " * (number + 1) for number in range(12)}


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (lambda texts: [0.5] * len(texts), "mine gives all texts of a query the same score"),
        (
            lambda texts: sorted(map(len, texts), reverse=True),
            "fall from the first text .*; were they sorted",
        ),
        (lambda texts: range(1, len(texts) + 1), "are 1, 2, 3 and so on, .*: if they are ranks, give -rank"),
    ],
)
def test_scores_of_a_scorer_that_are_something_else_are_told(scores, words):
    first = CsrBM25(LONG)
    with pytest.warns(UserWarning, match=words):
        Reranker(first, Gives(lambda texts: list(scores(texts))), depth=11).search(MANY)


def test_nothing_is_said_of_scores_that_order_texts(recwarn):
    first, model = CsrBM25(LONG), LatentSemantic(RUNBOOKS.corpus.values(), dimensions=50)
    queries = dict(list(RUNBOOKS.queries.items())[:6])
    # Numbers of places, the best of which is the highest; few texts in the order that they have; and a
    # scorer that is the first retriever.
    by_place = Gives(lambda texts: [*range(len(texts), 0, -1)])
    Reranker(first, by_place).search(MANY)
    Reranker(CsrBM25(CORPUS), Gives(lambda texts: [0.9, 0.1][: len(texts)])).search(MANY)
    Reranker(DenseRetriever(RUNBOOKS.corpus, model), model, depth=20).search(queries)
    Reranker(first, Gives(lambda texts: [0.5] * len(texts))).search({"q1": "outage"})
    assert not recwarn.list


class Encoder:
    """A model of this house, through whatever a reader of its vectors does to them."""

    name = "mine"

    def __init__(self, does):
        self.does, self.model = does, LatentSemantic(RUNBOOKS.corpus.values(), dimensions=50)

    def encode(self, texts):
        return self.does(self.model.encode, texts)


RUNBOOKS = load_runbooks()


def test_a_model_that_gives_other_vectors_the_next_time_is_told(recwarn):
    rng = np.random.default_rng(0)
    for does in (
        lambda encode, texts: encode(sorted(texts, key=len)),
        lambda encode, texts: encode(texts) * (rng.random((len(texts), 50)) > 0.2),
    ):
        with pytest.warns(UserWarning, match="mine gives '.*' another vector when it is encoded again"):
            DenseRetriever(RUNBOOKS.corpus, Encoder(does))
    recwarn.clear()

    def in_few_bits(encode, texts):
        rows = encode(texts)
        return np.rint(rows * 100 / np.abs(rows).max())  # by the largest of its batch

    def once(encode, texts):
        if len(texts) < len(RUNBOOKS.corpus):
            raise RuntimeError("texts of this corpus only, all of them")
        return encode(texts)

    for does in (in_few_bits, once):
        DenseRetriever(RUNBOOKS.corpus, Encoder(does))
    assert not recwarn.list


def test_a_model_that_learns_from_all_documents_learns_from_them_alone(recwarn):
    class Learner:
        learnt = ()

        def encode_documents(self, texts):
            self.learnt = *self.learnt, len(texts)
            return LatentSemantic(texts, dimensions=3).encode(texts)

        def encode_queries(self, texts):
            return np.ones((len(texts), 3))

    model = Learner()
    DenseRetriever(RUNBOOKS.corpus, model)
    assert model.learnt == (len(RUNBOOKS.corpus),) and not recwarn.list


def test_rows_of_other_texts_are_told_and_those_of_fewer_bits_are_not(recwarn):
    ids, model = list(RUNBOOKS.corpus), Encoder(lambda encode, texts: encode(texts))
    rows = model.encode(list(RUNBOOKS.corpus.values()))
    with pytest.warns(UserWarning, match="has the row that mine makes of .*; give the ids in the order"):
        DenseRetriever(RUNBOOKS.corpus, model, vectors=(ids, rows[::-1]))
    recwarn.clear()
    DenseRetriever(RUNBOOKS.corpus, model, vectors=(ids[::-1], rows[::-1]))
    DenseRetriever(RUNBOOKS.corpus, model, vectors=(ids, np.sign(rows)))
    assert not recwarn.list


def test_a_model_fitted_on_other_texts_is_told(recwarn):
    other = LatentSemantic(["cats and dogs", "a dog barks", "birds sing at dawn"])
    with pytest.warns(UserWarning, match="12 of 12 texts a vector of zeros, .* fitted on other texts"):
        LatentRetriever(LONG, other)
    recwarn.clear()
    LatentRetriever(LONG | {f"e{number}": " " for number in range(30)})  # which have nothing to be found by
    assert not recwarn.list


def test_terms_in_other_capitals_are_told(recwarn):
    texts = {"d1": "Database Outage", "d2": "Lunch Menu", "d3": "Payroll in May"}
    for retriever in (CsrBM25(texts, str.split), RankBM25(texts, str.split)):
        with pytest.warns(UserWarning, match="1 query shares no term .* other capitals, e.g. 'Lunch' for"):
            retriever.search({"q1": "lunch today", "q2": "Outage"})
        recwarn.clear()
        retriever.search({"q1": "lunch in", "q2": "Outage", "q3": "holidays"})
        assert not recwarn.list


def test_whole_sentences_as_terms_are_told(recwarn):
    japanese = {"d1": "データベースが停止しています", "d2": "昼食のメニュー", "d3": "東京都の天気"}
    thai = {"d1": "ฐานข้อมูลล่มเมื่อคืน", "d2": "เมนูอาหารกลางวัน"}
    for texts, analyzer, query in ((japanese, plain, "データベース"), (thai, lucene_english, "ฐานข้อมูล")):
        with pytest.warns(UserWarning, match="makes whole sentences terms, .* give an analyzer that parts"):
            CsrBM25(texts, analyzer).search({"q1": query})
    recwarn.clear()
    words = {"d1": "データベース が 停止 し て い ます", "d2": "昼食 の メニュー", "d3": "東京都 の 天気"}
    CsrBM25(words, plain).search({"q1": "東京", "q2": "天"})  # parted otherwise than in the documents
    CsrBM25(japanese).search({"q1": "停止", "q2": "大阪"})
    assert not recwarn.list


def test_sentences_that_full_text_search_takes_for_words_are_told(tmp_path, recwarn):
    japanese = {"d1": "データベースが停止しています", "d2": "昼食のメニュー", "d3": "東京都の天気"}
    SqliteFTS5(japanese, tmp_path / "index.sqlite").close()
    with (
        SqliteFTS5(path=tmp_path / "index.sqlite") as retriever,
        pytest.warns(UserWarning, match="tokenizer makes whole sentences terms, .* the tokenizer 'trigram'"),
    ):
        retriever.search({"q1": "データベース"})
    recwarn.clear()
    retriever = SqliteFTS5(japanese)
    retriever.search({"q1": "大阪", "q2": "weather"})  # which nothing has, in whatever pieces
    parted = {"d1": "データベース が 停止 し て い ます", "d2": "昼食 の メニュー", "d3": "東京都 の 天気"}
    SqliteFTS5(parted).search({"q1": "天"})
    SqliteFTS5(japanese, tokenizer="trigram").search({"q1": "データベース"})
    assert not recwarn.list


def test_words_too_short_for_trigrams_are_told(recwarn):
    retriever = SqliteFTS5(CORPUS, tokenizer="trigram")
    with pytest.warns(UserWarning, match="1 query with words of under three letters, e.g. 'q1' with 'db'"):
        retriever.search({"q1": "db", "q2": "lunch"})
    recwarn.clear()
    retriever.search({"q1": "an outage", "q2": "holidays"})
    SqliteFTS5(CORPUS).search({"q1": "db"})
    assert not recwarn.list


def test_a_matrix_on_its_side_is_asked_about():
    matrix = csr_matrix(np.ones((3, 5)))
    with pytest.raises(ValueError, match=r"is its matrix \(5 × 3\) on its side\? Needed documents × terms"):
        SparseIndex(matrix.T.tocsr()).search(csr_matrix(np.ones((1, 5))), 1)
    with pytest.raises(ValueError, match="an index of 5; count them in its columns"):
        SparseIndex(matrix).search(csr_matrix(np.ones((1, 4))), 1)
    with pytest.raises(ValueError, match="are the 5 vectors of documents on their side"):
        Exact(np.ones((5, 3))).nearest(np.ones((1, 5)), 1)


def test_bits_that_are_all_alike_are_told(recwarn):
    rows = np.random.default_rng(0).normal(size=(50, 16))
    with pytest.warns(UserWarning, match="all 50 vectors have the same signs, so all have the same bits"):
        Binary(np.abs(rows))
    recwarn.clear()
    Binary(np.maximum(rows, 0))  # of which the zeros say something
    Binary(np.abs(rows[:2]))
    assert not recwarn.list


def test_exact_rows_come_second(recwarn):
    exact, found = np.array([[4, 2, 7]]), np.array([[4, -1, -1]])
    with pytest.warns(UserWarning, match="exact has fewer rows than found for 1 query, .* changed places"):
        neighbour_recall(exact, found)
    recwarn.clear()
    assert neighbour_recall(found, exact).tolist() == [1 / 3]
    neighbour_recall(np.array([[4, 2, -1]]), np.array([[4, 2, -1]]))  # of a filter that leaves two
    neighbour_recall(np.array([[4, 2, 7, 1]]), np.array([[4, 2]]))
    assert not recwarn.list


def test_what_is_tuned_on_is_not_what_is_measured_on(recwarn):
    cells = {0.0: [0.1, 0.9, 0.1], 1.0: [0.6, 0.2, 0.6]}
    dev, test = pd.DataFrame(cells, index=["q1", "q2", "q3"]), pd.DataFrame({0.0: [0.3], 1.0: [0.5]})
    with pytest.warns(UserWarning, match="3 queries are in dev and in test, e.g. 'q1'"):
        tuning_curve(dev, dev, sizes=[2], n_draws=5)
    recwarn.clear()
    tuning_curve(dev, test, sizes=[2], n_draws=5)
    tuning_curve(pd.DataFrame(cells), test, sizes=[2], n_draws=5)  # other queries of the same numbers
    assert not recwarn.list


class Dead:
    """A model behind an address that answers the same whatever it is asked."""

    name = "dead"

    def encode(self, texts):
        return np.ones((len(texts), 4))


class Words:
    """Counts of hashed words: two seeds are two models of one width."""

    def __init__(self, seed=0):
        self.seed = seed

    def encode(self, texts):
        words = [np.random.default_rng([self.seed, *text.encode()]).normal(size=32) for text in texts]
        return np.array(words)


@pytest.mark.parametrize(("seed", "told"), [(0, False), (1, True)])
def test_vectors_of_another_model_than_that_of_the_queries_are_told(recwarn, seed, told):
    DenseRetriever(CORPUS, Words(), vectors=(list(CORPUS), Words(seed).encode(list(CORPUS.values()))))
    DenseRetriever(CORPUS, Words(), vectors=(list(CORPUS), np.sign(Words().encode(list(CORPUS.values())))))
    assert [("are they of another model" in str(one.message)) for one in recwarn] == [True] * told


def test_distances_of_a_scorer_are_told():
    corpus = {f"d{n}": "disk " * n for n in range(1, 13)}

    class Distance:
        def scores(self, query, texts):
            return [1 / (1 + text.count("disk")) for text in texts]

    first = SubstringScan(corpus)
    queries = {f"q{n}": "disk" for n in range(5)}
    order = [len(corpus[doc_id]) for doc_id, _ in first.search({"q": "disk"}, k=12)["q"]]
    assert order == sorted(order, reverse=True)
    with pytest.warns(UserWarning, match="rise from the first text to the last, .* if they are distances"):
        Reranker(first, Distance()).search(queries, k=12)


def test_a_model_that_gives_all_texts_one_vector_is_told():
    with pytest.warns(UserWarning, match="dead gives all 3 texts the same vector, so every document scores"):
        DenseRetriever(CORPUS, Dead())


@pytest.mark.parametrize("term", ["Running", "running dogs"])
def test_what_is_stemmed_is_one_word_in_small_letters(term):
    with pytest.raises(ValueError, match=f"term is '{term}'; needed one word in small letters; of a text"):
        stem(term)


def test_a_gap_among_labels_or_documents_is_no_label_and_no_document():
    with pytest.warns(UserWarning, match="2 labels such as 'n/a' count as a label of their own"):
        cohen_kappa(["1", "0", "n/a", "1", "N/A", "0"], ["1", "0", "1", "1", "0", "0"])
    with pytest.raises(ValueError, match="retrieved has an empty id several times, a gap that was filled"):
        recall_at_k(["d1", "", ""], {"d1"}, 3)


def test_what_a_name_is_needed_for_is_no_evaluation():
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    found = evaluate_retrieval({"q1": [("d1", 1.0)], "q2": [("d1", 1.0)]}, qrels)
    with pytest.raises(ValueError, match="baseline is a Evaluation; give the name of a system: 'A' or 'B'"):
        compare({"A": found, "B": found}, baseline=found)


@pytest.mark.parametrize(("passages", "told"), [(["d1", "d2"], True), (["停電の夜1", "d2"], False)])
def test_ids_in_the_place_of_passages_are_told(recwarn, passages, told):
    OverlapJudge(CORPUS)([("outage", passage) for passage in passages])
    assert ["are these ids" in str(one.message) for one in recwarn] == [True] * told


def test_a_system_that_nobody_has_published_a_figure_of_is_told_those_there_are():
    with pytest.warns(UserWarning, match="figure of a system 'BM25'; there are 'BM25 .Anserini, flat.', "):
        assert published("scifact", "BM25") == {}


def test_a_figure_with_a_comma_is_no_number_of_a_table(tmp_path):
    row = {"dataset": "toy", "system": "BM25", "metrics": {"nDCG@10": "0,53"}, "published": {}}
    for use in (results_table, lambda rows: save_results("one", rows, folder=tmp_path)):
        with pytest.raises(ValueError, match="row 1: nDCG@10 is '0,53'; needed a number"):
            use([row])


def test_a_byte_that_is_no_utf_8_is_no_half_of_a_character():
    text = b"caf\xe9 bar".decode("utf-8", "surrogateescape")
    with pytest.raises(ValueError, match="is a byte that was no UTF-8; read its file in its own encoding"):
        token_offsets(text, load_stand_in())


def test_a_comparison_in_the_place_of_its_table_is_told():
    scores = {"q1": 0.2, "q2": 0.4, "q3": 0.6}
    found = compare({"A": scores, "B": {**scores, "q3": 0.9}})
    with pytest.raises(WrongType, match="it is a Comparison; give its table, Comparison.table"):
        show.intervals_figure(found, "A", "nDCG@10", 3)


def test_ids_as_the_truth_beside_texts_are_told():
    texts = [["Restart the relay after a power cut."], ["Lunch is at noon."]]
    with pytest.warns(UserWarning, match="every text of ground_truth is one word, as 'd1': are these ids"):
        semantic_accuracy_evaluation(["restart relay", "lunch"], texts, [["d1"], ["d2"]])


def test_chunks_of_a_text_whose_blanks_were_joined_are_told(recwarn):
    text = "Restart the relay.\n\n\n    Step 1:   switch    off.\n    Step 2:   wait   ten   seconds."

    def joined(text, size=20):
        plain = " ".join(text.split())
        starts = range(0, len(plain), size)
        return [Chunk("", i, plain[n : n + size], n, min(n + size, len(plain))) for i, n in enumerate(starts)]

    with pytest.warns(UserWarning, match="the text of chunk 1 begins at 26 and not at 20"):
        chunk_corpus({"d1": text}, joined)
    recwarn.clear()
    chunk_corpus({"d1": " ".join(text.split())}, joined)
    chunk_corpus({"d1": text}, lambda text: [Chunk("", 0, " ".join(text.split()), 0, len(text))])
    assert not recwarn.list


def test_a_part_of_a_hybrid_that_gives_none_is_named():
    class Own:
        def search(self, queries, k):
            return dict.fromkeys(queries)

    with pytest.raises(ValueError, match="own gave None for 'q1'; needed a list for each"):
        HybridRetriever({"bm": CsrBM25(CORPUS), "own": Own()}).search(QUERIES, 3)


def test_lists_of_different_depth_are_not_compared_deeper_without_a_word():
    qrels = {f"q{q}": {f"d{q}-{place}": 1 for place in (3, 30)} for q in range(8)}
    lists = {q: [(f"d{q[1:]}-{place}", -float(place)) for place in range(60)] for q in qrels}
    short, long = (evaluate_retrieval({q: one[:k] for q, one in lists.items()}, qrels) for k in (10, 60))
    with pytest.warns(UserWarning, match="the lists of 'short' end at rank 10, those of others go deeper"):
        compare({"short": short, "long": long}, "Recall@100")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare({"short": short, "long": long}, "nDCG@10")


@pytest.mark.parametrize(("name", "near"), [("scifcat", "scifact"), ("my-set", None)])
def test_a_name_that_is_nearly_one_of_beirs_is_asked_about(recwarn, name, near):
    assert published_figures(name).empty
    assert [f"did you mean {near!r}" in str(one.message) for one in recwarn] == [True] * bool(near)
    assert len(published_figures("BeIR/scifact")) == len(published_figures("SciFact")) > 0


def test_a_piece_that_ends_behind_its_document_is_told():
    with pytest.warns(UserWarning, match="a piece ends at 30, and 'd2' has 14 characters: .* bytes or"):
        shown_of([("d2", 4, 30)], CORPUS)


@pytest.mark.parametrize("named", ["measure", "metric"])
def test_a_table_of_measures_is_turned_so_that_a_row_is_a_query(named):
    table = pd.DataFrame({"query_id": ["q1"], named: ["nDCG@10"], "value": [0.5]})
    with pytest.raises(ValueError, match=f"a row for each {named} of each query; give table.pivot"):
        compare({"A": table, "B": table})


def test_what_was_read_before_is_told_to_be_so():
    results = iter([{"retrieved": ["d1"], "relevant": ["d1"]}])
    assert mrr(results) == 1.0
    with pytest.raises(ValueError, match="can it be read only once, and was it read before"):
        mrr(results)


def test_digits_of_another_script_are_no_grade_and_a_candidate_has_a_score():
    with pytest.raises(ValueError, match="write it in the digits 0 to 9"):
        grade_of("２", "labels.csv, line 7")
    with pytest.raises(ValueError, match="the score of candidate 1"):
        within_budget([Item("a", "a", "a", "x", "t", 0, 1)], QueryBudget(max_total_items=5))
    with pytest.raises(ValueError, match="k1 and delta are finite numbers"):
        CsrBM25(CORPUS, k1=10**400)


def test_limits_of_names_are_told(tmp_path):
    with pytest.raises(ValueError, match="a whole number from 1 to 2,147,483,647"):
        evaluate_retrieval({"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}, k_values=[10**12])
    with pytest.raises(ValueError, match="holds a character that no name can"):
        trec.write_run({"q1": [("d1", 1.0)]}, "a\0b")
    with pytest.raises(ValueError, match="tag is ''; give the system's name"):
        trec.write_run({"q1": [("d1", 1.0)]}, tmp_path / "a.run", tag="")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="is a pipe or a device, which would be replaced"):
        trec.write_run({"q1": [("d1", 1.0)]}, tmp_path / "pipe")


def test_one_of_several_retrievers_that_is_none_is_shown():
    with pytest.raises(ValueError, match="one of the retrievers, 'csr-bm25', is a str; needed a retriever"):
        HybridRetriever([CsrBM25(CORPUS), "csr-bm25"])


def test_an_engine_elsewhere_is_given_itself_and_not_what_makes_it():
    class Elsewhere:
        def __init__(self, corpus):
            pass

        def search(self, queries, k):
            return {query_id: [("d1", 2.0), ("d3", 1.0)] for query_id in queries}

    data = Dataset("toy", "test", CORPUS, QUERIES, {"q1": {"d2": 1}}, "by hand")
    with pytest.raises(ValueError, match=r"of a search that is there already give System\(name, it\)"):
        analyze(data, System("mine", Elsewhere), k=2)


def test_rows_of_results_are_those_that_were_saved(tmp_path):
    path = tmp_path / "r.json"
    for content, words in (
        ("[3]", "row 1 is 3, of type int; make it with result_row"),
        ('[{"metrics": {"MAP": "0,41"}}]', "row 1: MAP is '0,41'; needed a number"),
    ):
        path.write_text(content)
        with pytest.raises(ValueError, match=words):
            load_results(path)


def test_of_several_runs_the_one_that_is_wrong_is_named():
    with pytest.raises(ValueError, match="run 2: query 'q1'"):
        fuse([{"q1": [("d1", 1.0)]}, {"q1": [("d1", "x")]}])


def test_a_table_of_one_query_and_a_sorted_column_are_asked_about():
    with pytest.warns(UserWarning, match="1 query and 3 systems: its rows are queries, its columns systems"):
        randomisation_tests(pd.DataFrame({"q1": [0.1], "q2": [0.2], "q3": [0.3]}))
    ratings = pd.Series([2, 0, 1, 0]).sort_values()
    with pytest.warns(UserWarning, match="labels is a Series in another order than its numbers"):
        cohen_kappa(ratings, [2, 0, 1, 0])


def test_nothing_is_said_of_depths_to_which_nobody_searched():
    words = "most lists of the run have 2 documents; if they were cut there, the depths 5 say nothing more"
    with pytest.warns(UserWarning, match=words):
        run = {query_id: [("d1", 2.0), ("d2", 1.0)] for query_id in ("q1", "q2")}
        candidate_ceiling(run, {"q1": {"d2": 1}}, depth=[1, 5])


def test_a_ledger_is_printed_of_the_frame_as_it_was_made():
    frame = explain(CsrBM25(CORPUS), "outage", "d1")
    with pytest.raises(ValueError, match="needed the frame as explain or why_above gave it"):
        ledger_table(frame.reset_index())


def test_a_metric_that_was_not_measured_is_named_with_those_that_were():
    found = evaluate_retrieval({"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}, metrics=["MRR"])
    with pytest.raises(KeyError, match="'nDCG@20' was not measured, only MRR; name it in metrics="):
        found["nDCG@20"]
    assert found.get("nDCG@20") is None


def test_a_ranking_has_the_id_of_its_query_first():
    with pytest.raises(ValueError, match=r"query_id is .{,200}; the order is ranking\(query_id, results\)"):
        ranking({"q1": [("d1", 1.0)]}, "q1")


@pytest.mark.parametrize("test", [max_t, randomisation_tests])
def test_a_joint_test_is_of_differences_and_not_of_scores(test):
    scores = pd.DataFrame({"a": np.linspace(0, 1, 12), "b": np.linspace(0.1, 0.9, 12)})
    with pytest.warns(UserWarning, match="no difference is below 0, and 92% or more are above: are these"):
        test(scores)


@pytest.mark.filterwarnings("error")
def test_a_candidate_that_never_loses_is_compared_without_a_word():
    old = {f"q{n:02d}": n / 20 for n in range(12)}
    compare({"old": old, "new": {q: score + 0.1 + score / 5 for q, score in old.items()}}, correction="max-t")
    non_inferiority(pd.Series([0.1, 0.2] * 6, name="difference"), limit=0.02)


def test_numbers_that_are_no_categories_and_levels_that_are_alphas_are_told():
    scores = [n / 7 for n in range(1, 12)]
    with pytest.warns(UserWarning, match="different numbers with decimals count as labels of their own"):
        cohen_kappa(scores, scores)
    with pytest.warns(UserWarning, match="confidence is 0.05, .* was 0.95 meant"):
        bootstrap_interval(scores, confidence=0.05)


def test_results_say_what_of_the_judgments_the_corpus_lacks():
    qrels = {"q1": {"d1": 1, "d9": 1}}
    data = Dataset("ops", "test", CORPUS, QUERIES, qrels, "by hand")
    found = evaluate_retrieval({"q1": {"d1": 1.0}}, qrels)
    with pytest.warns(UserWarning, match="1 of 2 judgments of 'ops' are of documents that its corpus lacks"):
        result_row(data, "bm25", found)
    with pytest.raises(ValueError, match="published nDCG@10 is 67.9; needed a share from 0 to 1"):
        result_row(data, "bm25", found, published={"nDCG@10": 67.9})


@pytest.mark.parametrize("places", [(40.0, 47.0), ("40", "47")])
def test_places_of_a_chunk_are_whole_numbers(places):
    with pytest.raises(ValueError, match="start is .* places count characters"):
        Chunk("doc_012", 3, "a piece", *places)


def test_rows_of_verdicts_are_no_table(tmp_path):
    with pytest.raises(ValueError, match="rows is a table; give its rows, one a pair"):
        write_verdicts({}, pd.DataFrame({"query_id": ["q1"]}), CORPUS, QUERIES, tmp_path / "v.jsonl")


def test_a_whole_answer_of_an_engine_is_no_ranking():
    answer = {"took": 3, "hits": {"total": {"value": 1}, "hits": [{"_id": "d1", "_score": 1.0}]}}
    with pytest.raises(ValueError, match="a whole answer, where pairs were needed; of Elasticsearch give"):
        evaluate_retrieval({"q1": answer}, {"q1": {"d1": 1}})


def test_corpus_and_queries_in_exchanged_places_and_turned_judgments_are_told():
    with pytest.raises(ValueError, match="have corpus and queries changed places, or are the judgments"):
        Dataset("mine", "test", QUERIES, CORPUS, {"q1": {"d1": 1}}, "by hand")
    with pytest.raises(ValueError, match=r"inside: needed \{query_id: \{doc_id: grade\}\}"):
        evaluate_retrieval({"q1": {"d1": 1.0}}, {"d1": {"q1": 1}})


def test_a_chunk_has_its_number_before_its_text():
    with pytest.raises(ValueError, match="chunk_idx is .*; the order is doc_id, chunk_idx, text, start, end"):
        Chunk("d1", "a cat", 0, 0, 5)


def test_clusters_without_the_ids_of_the_differences_are_given_them():
    differences = pd.Series([1.0, 0.0, 0.0], index=["q1", "q2", "q3"])
    with pytest.raises(ValueError, match=r"in one order give clusters.set_axis\(differences.index\)"):
        difference_interval(differences, pd.Series(["c1", "c1", "c2"]))


def test_a_metric_with_a_wrong_call_says_what_it_takes():
    with pytest.raises(TypeError, match="it takes results, as in mrr"):
        mrr({"q": {"d": 1.0}}, {"q": {"d": 1}})


def test_a_column_of_ids_that_was_sorted_keeps_its_order():
    matrix, idf = csr_matrix([[1.0], [2.0], [3.0]]), np.ones(1)
    shuffled = pd.Series(["b", "c", "a"], index=[1, 2, 0])
    assert retrieve_all_queries({"q": {0: 1.0}}, matrix, idf, shuffled) == retrieve_all_queries(
        {"q": {0: 1.0}}, matrix, idf, ["b", "c", "a"]
    )


def test_a_title_in_front_of_a_chunk_is_no_text_of_the_document():
    ranked, tokens = [Chunk("d1", 0, "Handbook: Reset the router.", 0, 17)], load_stand_in()
    assert fill_context(ranked, tokens, budget=100) == [("d1", 0, 17)]
    ((_, start, end),) = fill_context(ranked, tokens, budget=2)
    assert start == end == 0


LOG = pd.DataFrame(
    {"impression": [0, 0, 1, 1], "query_id": "q1", "rank": [1, 2, 1, 2], "doc_id": ["d1", "d2"] * 2}
).assign(clicked=[True, False, True, True])


@pytest.mark.parametrize("rates", [clicks_by_rank, clicks_by_document])
@pytest.mark.parametrize("dtype", ["Int64", "Float64", "float64", object])
def test_a_rank_that_is_missing_is_named_in_every_kind_of_column(rates, dtype):
    log = LOG.assign(rank=pd.Series([1, 2, 1, None], dtype=dtype))
    for examined in (None, [1, 0.5]):
        with pytest.raises(ValueError, match=r"row 3 .*: rank is .*; needed a whole number from 1 up"):
            rates(log, examined)


def test_a_log_has_impressions_and_is_a_table():
    with pytest.raises(ValueError, match=r"row 0 .*: impression is nan; needed an id"):
        clicks_by_rank(LOG.assign(impression=np.nan))
    with pytest.raises(ValueError, match=r"the click log is a list; needed a table: pd.DataFrame\(log\)"):
        clicks_by_rank(LOG.to_dict("records"))


def test_a_log_of_clicks_alone_and_chances_turned_round_are_told(recwarn):
    with pytest.warns(
        UserWarning, match="every row of the click log is clicked, and ranks above are missing"
    ):
        clicks_by_rank(LOG.iloc[1:].assign(clicked=True))
    with pytest.warns(UserWarning, match="examined rises from 0.3 at rank 1 to 1 at rank 2; is it turned"):
        clicks_by_document(LOG, [0.3, 1.0])
    recwarn.clear()
    clicks_by_rank(LOG.assign(clicked=True), [1.0, 0.5])  # everybody liked everything
    clicks_by_rank(LOG.assign(clicked=True, impression=range(4)))  # one document an impression
    clicks_by_rank(LOG, [0.95, 1.0])  # estimates of two ranks that are looked at alike
    clicks_by_rank(LOG, [1.0, 0.2, 0.5])
    assert not recwarn.list


def test_chances_of_ranks_may_be_a_dict():
    assert clicks_by_rank(LOG, {2: 0.5, 1: 1}).equals(clicks_by_rank(LOG, [1, 0.5]))


def test_queries_that_are_logged_newest_first_or_in_milliseconds_are_told(recwarn):
    monitor = AccuracyMonitor()
    for second in (1.7e9, 1.7e9, 1.7e9 + 5):
        monitor.log_query_result("q", ["d1"], {"d1"}, timestamp=second)
    assert not recwarn.list
    with pytest.warns(
        UserWarning, match="older than the one logged before it, .*; replay a log oldest first"
    ):
        monitor.log_query_result("q", ["d1"], {"d1"}, timestamp=1.7e9)
    with pytest.warns(UserWarning, match="if it counts milliseconds, divide it by 1000"):
        monitor.log_query_result("q", ["d1"], {"d1"}, timestamp=1.7e12)


class OfTwoSides:
    """A model as those of sentence-transformers are, from version 5 on."""

    def encode(self, texts):
        return [[text.count("query: "), text.count("passage: "), 1] for text in texts]

    def encode_query(self, texts):
        return self.encode([f"query: {text}" for text in texts])

    def encode_document(self, texts):
        return self.encode([f"passage: {text}" for text in texts])


def test_a_model_with_a_method_for_each_side_is_asked_by_it():
    assert encoded(OfTwoSides(), ["a"], "query").tolist() == [[1, 0, 1]]
    assert encoded(OfTwoSides(), ["a"], "document").tolist() == [[0, 1, 1]]


class Embeddings:
    def embed_documents(self, texts):
        return [[1.0, 2.0]] * len(texts)


class CrossEncoder:
    def predict(self, pairs):
        return [1.0] * len(pairs)


def test_models_of_other_libraries_are_to_be_wrapped():
    with pytest.raises(ValueError, match=r"wrap it: encode_documents\(texts\) gives its embed_documents"):
        DenseRetriever({"d1": "a"}, Embeddings())
    with pytest.raises(ValueError, match=r"wrap it: scores\(query, texts\) gives model.predict\("):
        Reranker(CsrBM25({"d1": "a"}), CrossEncoder())


def test_vectors_that_are_bits_or_of_ids_are_told(recwarn):
    texts = {"d1": "a cat", "d2": "a dog"}
    rows = np.array([[3, 200], [7, 1]], dtype=np.uint8)
    with pytest.warns(UserWarning, match="whole numbers from 0 to 255, as bits that were packed have"):
        DenseRetriever(texts, OfTwoSides(), vectors=(list(texts), rows))
    model = OfTwoSides()
    with pytest.warns(UserWarning, match="vectors has none of the texts .*; its keys are texts"):
        CosineScorer(model, {"d1": [0, 1, 1]}).scores("cat", ["a cat"])
    recwarn.clear()
    CosineScorer(model, {"cat": [0, 1, 1]}).scores("cat", ["cat", "a dog"])
    assert not recwarn.list


def test_judgments_that_come_one_by_one_are_saved(tmp_path):
    judged = zip(["d1"], [2], ["a cat"], strict=True)
    label = add_query(tmp_path / "mine.jsonl", "which pet?", "question", judged, {"d1": "This is a cat."})
    assert [one.doc_id for one in label.judgments] == ["d1"]


def test_columns_of_nuggets_are_paired_by_their_index():
    importances = pd.Series(["vital", "okay"], index=["n1", "n2"])
    held = pd.Series(["not_support", "support"], index=["n2", "n1"])
    assert nugget_scores(importances, held)["vital"] == 1


def test_labels_of_two_types_and_endless_ones_are_told_or_counted():
    with pytest.warns(UserWarning, match="both 1 and '1' are among the labels, and count as two"):
        cohen_kappa([1, 0, "1"], [1, 0, 1])
    assert cohen_kappa([float("inf"), 1.0], [1.0, 1.0]) == 0


def test_a_query_without_a_relevant_document_has_no_overlap():
    nothing = LabelledQuery(
        query_id="q1",
        query="cat",
        relevant_doc_ids=[],
        kind="partial",
        judgments=[Judgment(doc_id="d1", grade=0)],
    )
    table = overlap_frame({"d1": "a cat"}, [nothing])
    assert table[["paragraph", "relevant"]].isna().all(axis=None) and table.loc["q1", "judged 0"] == 1


class OwnIndex:
    n = 2

    def __init__(self, *found):
        self.found = found

    def nearest(self, queries, k, allowed=None):
        return self.found


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ((np.array([[0.9]]), np.array([[1]])), "the first that the index gave is float64 .* row numbers"),
        ((np.array([[2]]), np.array([[0.9]])), "the index gave row 2; there are 2, from 0 on"),
        ((np.array([[1]]),), "the index gave a tuple; needed two arrays, rows and scores"),
    ],
)
def test_what_an_index_of_ones_own_gives_is_looked_at(found, words):
    with pytest.raises(ValueError, match=words):
        VectorSearch(OwnIndex(*found), ["d1", "d2"], OfTwoSides()).search({"q": "a"}, 1)


def test_an_index_of_ones_own_need_not_know_its_size():
    search = VectorSearch(OwnIndex(np.array([[1]]), np.array([[0.5]])), ["d1", "d2"], OfTwoSides())
    assert search.search({"q": "a"}, 1) == {"q": [("d2", 0.5)]} and np.isnan(search.bytes_a_document)


ROW = {"dataset": "a", "system": "b", "metrics": {"MAP": 0.1}, "published": {}}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (ROW | {"published": None}, "row 1: published is None; needed a dict"),
        (ROW | {"metrics": [1]}, r"row 1: metrics is \[1\]; needed a dict"),
    ],
)
def test_rows_of_results_hold_dicts_of_numbers(row, words, tmp_path):
    (tmp_path / "r.json").write_text(json.dumps([row]))
    for read in (lambda: results_table([row]), lambda: load_results(tmp_path / "r.json")):
        with pytest.raises(ValueError, match=words):
            read()


def test_sizes_of_a_dataset_are_numbers():
    row = ROW | {"split": "test", "documents": "5", "queries": 2, "conventions": "TREC"}
    with pytest.raises(ValueError, match="row 1: documents is '5'; needed how many there are"):
        provenance([row])


def test_scores_of_several_queries_have_no_one_order_and_lost_documents_no_ledger():
    with pytest.raises(ValueError, match=r"scores has the shape \(1, 2\); needed one number for every"):
        top_k(np.array([[0.1, 0.2]]), 1)
    corpus = {"d1": "a cat", "d2": "a dog"}
    retriever = CsrBM25(corpus)
    del corpus["d1"]
    with pytest.raises(ValueError, match="the corpus has lost 'd1' since it was indexed"):
        retriever.explain("cat", "d1")


def test_the_row_of_the_baseline_is_no_comparison():
    with pytest.raises(ValueError, match=r"p is nan; .*: leave out the baseline's own row, as with .dropna"):
        holm(pd.Series({"a": np.nan, "b": 0.02}))


def test_labels_that_come_one_by_one_are_those_of_the_queries():
    labels = [LabelledQuery(query_id="q1", query="cat", relevant_doc_ids=[], kind="question", judgments=[])]
    dataset = Dataset("toy", "test", {"d1": "a cat"}, {"q1": "cat"}, {"q1": {"d1": 1}}, "by hand")
    assert analyze(dataset, System("BM25", CsrBM25), iter(labels), k=1).labels == labels


@pytest.mark.parametrize("retriever", [CsrBM25, RankBM25, SubstringScan])
def test_accents_of_another_form_than_those_of_the_documents_are_told(retriever, recwarn):
    texts = {"d1": "R\u00fcckerstattung f\u00fcr Bestellungen", "d2": "\u00d6ffnungszeiten der Kantine"}
    made = retriever(texts)
    made.search({"q1": "R\u00fcckerstattung", "q2": "kantine"})
    assert not recwarn.list
    with pytest.warns(UserWarning, match=r"the accents of 1 query, e.g. 'q1', are of another form"):
        made.search({"q1": "Ru\u0308ckerstattung", "q2": "kantine"})


def test_a_part_whose_ids_have_a_folder_in_front_shares_no_document():
    class Mine:
        def search(self, queries, k):
            found = CsrBM25(CORPUS).search(queries, k)
            return {q: [(f"docs/{doc_id}", score) for doc_id, score in hits] for q, hits in found.items()}

    both = HybridRetriever({"bm25": CsrBM25(CORPUS), "mine": Mine()})
    with pytest.warns(UserWarning, match="have no document in common, e.g. 'd1' and 'docs/d1'"):
        both.search(QUERIES, k=10)


def test_several_metrics_in_one_text_are_parted_in_the_cure():
    with pytest.raises(ValueError, match=r"give a list of names, \['nDCG@10', 'Recall@100'\]"):
        evaluate_retrieval({"q": {"d": 1.0}}, {"q": {"d": 1}}, metrics="nDCG@10,Recall@100")
