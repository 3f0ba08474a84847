"""Encoders: vectors and SPLADE weights are PyTorch's, batches change nothing, and bad weights are named."""

import json
import pickle
import re
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.special import erf

from helpers.base import files
from helpers.datasets import load_beir_corpus, load_beir_queries, load_runbooks
from helpers.encoders import (
    Bert,
    CrossEncoder,
    DenseEncoder,
    SparseEncoder,
    WordPiece,
    encoded,
    find_weights,
    load_encoder,
    pooling,
    read_known,
    read_safetensors,
    settings,
    write_safetensors,
)
from helpers.encoders.bert import gelu
from helpers.encoders.encode import padded
from tests.tiny_model import WIDTH, WORDS, write_model

DATA = Path(__file__).parent / "data" / "encoders"
"""Outputs of PyTorch and tokens of 500 texts; made by evals/benchmarks/encoder_references.py."""
TEXTS = json.loads((DATA / "texts.json").read_text(encoding="utf-8"))["texts"]
OUTPUTS = np.load(DATA / "outputs.npz")
CUT = files.BUNDLED_MODELS / "splade-tiny-cut"
SENTENCES = [
    "cats sleep",
    "",
    "dogs bark and birds sing",
    "cats",
    "a b c a b c a b c",
    "queue drain",
    "cats sleep",
]


@pytest.fixture(scope="module")
def sparse():
    return load_encoder(CUT)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("model") / "tiny")


def changed(folder: Path, to: Path, config: dict | None = None, **tensors) -> Path:
    """A copy of a model with other tensors (None: without it) or another config."""
    shutil.copytree(folder, to)
    held = read_safetensors(folder / "model.safetensors") | {
        name.replace("__", "."): tensor for name, tensor in tensors.items()
    }
    held = {name: tensor for name, tensor in held.items() if tensor is not None}
    write_safetensors(held, to / "model.safetensors")
    said = json.loads((folder / "config.json").read_text()) | (config or {})
    (to / "config.json").write_text(json.dumps(said))
    return to


# The forward pass


def loaded(name: str) -> Bert:
    config = json.loads((DATA / name / "config.json").read_text())
    return Bert(read_safetensors(DATA / name / "model.safetensors"), config)


def test_hidden_states_are_pytorchs_on_a_random_model_with_pairs_and_padding():
    own = OUTPUTS["mask"].astype(bool)
    found = loaded("tiny_bert").hidden_states(OUTPUTS["ids"], OUTPUTS["mask"], OUTPUTS["types"])
    assert np.abs(found[own] - OUTPUTS["tiny_bert"][own]).max() < 1e-5
    assert found.dtype == np.float32 and not found[~own].any()


def test_a_cross_encoders_scores_are_pytorchs():
    found = loaded("tiny_cross_encoder").relevance(OUTPUTS["ids"], OUTPUTS["mask"], OUTPUTS["types"])
    assert np.abs(found - OUTPUTS["tiny_cross_encoder"]).max() < 1e-5


def test_splade_weights_of_500_texts_are_pytorchs(sparse):
    stored = np.load(DATA / "splade_tiny_cut.npz")
    parts = stored["data"], stored["indices"].astype(np.int32), stored["indptr"]
    reference = csr_matrix(parts, shape=(500, sparse.dimensions))
    found = sparse.encode_documents(TEXTS)
    assert abs(found - reference).max() < 1e-5 and reference.nnz > 20_000
    assert abs(found.nnz - reference.nnz) <= 5  # a weight of rounding size may be there or not


def test_vectors_of_500_texts_are_pytorchs():
    dense = load_encoder(CUT, pooling="mean")
    assert np.abs(dense.encode(TEXTS) - np.load(DATA / "splade_tiny_cut.npz")["means"]).max() < 1e-5


def test_in_64_bits_the_same_comes_out_but_for_the_rounding_of_32(sparse):
    wide = load_encoder(CUT, dtype="float64")
    assert 0 < abs(wide.encode_documents(TEXTS[:40]) - sparse.encode_documents(TEXTS[:40])).max() < 1e-5


def test_minilm_gives_pytorchs_vectors_where_both_are_here():
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folder = find_weights("all-MiniLM-L6-v2") or pytest.skip("the weights of all-MiniLM-L6-v2 are not here")
    model, ours = transformers.BertModel.from_pretrained(folder).eval(), load_encoder("all-MiniLM-L6-v2")
    with torch.inference_mode():
        ids = [torch.tensor([ours.tokenizer.encode(text, ours.max_tokens)]) for text in TEXTS]
        means = torch.cat([model(numbers).last_hidden_state.mean(1) for numbers in ids])
    reference = torch.nn.functional.normalize(means).numpy()
    assert np.abs(ours.encode(TEXTS) - reference).max() < 1e-5


def test_gelu_is_the_exact_one_within_32_bits():
    values = np.linspace(-30, 30, 200_001).astype(np.float32)
    exact = values.astype(np.float64) * 0.5 * (1 + erf(values.astype(np.float64) * 0.5**0.5))
    assert np.abs(gelu(values.copy()) - exact).max() < 1e-6
    assert np.allclose(gelu(values.astype(np.float64)), exact)
    extremes = gelu(np.array([-1e15, -200, 0, 200], dtype=np.float32))
    assert extremes.tolist() == [0, 0, 0, 200]


def test_a_texts_vector_does_not_depend_on_its_padding_or_its_neighbours(tiny):
    bert = load_encoder(tiny).bert
    ids, mask = padded([[2, 4, 8, 3], [2, 5, 9, 7, 6, 10, 3], [2, 3]])
    together = bert.hidden_states(ids, mask)
    for row, length in enumerate([4, 7, 2]):
        alone = bert.hidden_states(ids[row : row + 1, :length], mask[row : row + 1, :length])
        assert np.abs(together[row, :length] - alone[0]).max() < 1e-6


def test_old_names_of_layer_normalisation_and_a_prefix_are_the_same_model(tiny, tmp_path):
    def old(name):
        return "bert." + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("Norm.bias", "Norm.beta")

    weights = {old(name): tensor for name, tensor in read_safetensors(tiny / "model.safetensors").items()}
    older = shutil.copytree(tiny, tmp_path / "older")
    write_safetensors(weights, older / "model.safetensors")
    assert np.array_equal(load_encoder(older).encode(SENTENCES), load_encoder(tiny).encode(SENTENCES))


def test_a_decoder_of_its_own_is_used_in_place_of_the_embeddings(tmp_path):
    folder = write_model(tmp_path / "one", sparse=True)
    zeros = np.zeros((len(WORDS), WIDTH), dtype=np.float32)
    bias = np.linspace(-1, 1, len(WORDS), dtype=np.float32)
    own = changed(
        folder, tmp_path / "own", cls__predictions__decoder__weight=zeros, cls__predictions__bias=bias
    )
    found = load_encoder(own).encode_documents(["cats"]).toarray()[0]
    assert np.allclose(found, np.log1p(np.maximum(bias, 0)))


# Encoding


@pytest.mark.parametrize("batch_size", [1, 2, 3, 100])
def test_the_batch_size_changes_neither_order_nor_vectors(tiny, batch_size):
    expected = np.concatenate([load_encoder(tiny).encode([text]) for text in SENTENCES])
    found = load_encoder(tiny, batch_size=batch_size).encode(SENTENCES)
    assert SENTENCES[0] == SENTENCES[6] and np.array_equal(expected[0], expected[6])
    assert np.abs(found - expected).max() < 1e-6  # the last bits are the matrix product's


def test_sparse_rows_stand_in_the_order_of_their_texts(sparse):
    texts = TEXTS[100:120]
    found = load_encoder(CUT, batch_size=7).encode_documents(texts).toarray()
    alone = [sparse.encode_documents([text]).toarray()[0] for text in texts]
    assert np.abs(found - alone).max() < 1e-5 and found.dtype == np.float32


def test_more_texts_than_are_sorted_at_once_keep_their_order(tiny, monkeypatch):
    expected = load_encoder(tiny).encode(SENTENCES * 3)
    monkeypatch.setattr("helpers.encoders.encode.WINDOW", 4)
    assert np.abs(load_encoder(tiny).encode(SENTENCES * 3) - expected).max() < 1e-6


def test_vectors_of_a_cosine_model_have_length_one_and_those_of_a_dot_model_their_own(tiny, tmp_path):
    assert np.allclose(np.linalg.norm(load_encoder(tiny).encode(SENTENCES), axis=1), 1)
    dot = shutil.copytree(tiny, tmp_path / "dot")
    (dot / "modules.json").write_text('[{"type": "sentence_transformers.models.Transformer"}]')
    vectors = load_encoder(dot).encode(SENTENCES)
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).min() > 0.01
    assert np.allclose(pooling.unit(vectors), load_encoder(tiny).encode(SENTENCES), atol=1e-6)


def test_the_empty_text_is_start_and_end_and_no_text_is_no_row(tiny, sparse):
    encoder = load_encoder(tiny)
    tokens, vectors = encoder.token_vectors("")
    assert tokens == ["[CLS]", "[SEP]"]
    assert np.allclose(encoder.encode([""])[0], pooling.unit(vectors.mean(axis=0)[None])[0], atol=1e-6)
    assert encoder.encode([]).shape == (0, WIDTH)
    assert sparse.encode_queries([]).shape == (0, sparse.dimensions)


def test_pooling_is_over_the_texts_own_tokens(tiny):
    for name in ("mean", "cls", "max"):
        encoder = load_encoder(tiny, pooling=name)
        _, vectors = encoder.token_vectors("cats")
        by_hand = {"mean": vectors.mean(axis=0), "cls": vectors[0], "max": vectors.max(axis=0)}[name]
        found = encoder.encode(["cats", "dogs bark and birds sing"])[0]  # in one batch with a longer text
        assert np.allclose(found, by_hand / np.linalg.norm(by_hand), atol=1e-6)


def test_prefixes_stand_before_queries_and_documents(tiny):
    plain, encoder = load_encoder(tiny), load_encoder(tiny, prefixes={"query": "cats ", "document": "dogs "})
    assert np.array_equal(encoder.encode_queries(["bark"]), plain.encode(["cats bark"]))
    assert np.array_equal(encoder.encode_documents(["bark"]), plain.encode(["dogs bark"]))
    assert encoder.name.endswith("document 'dogs ', query 'cats '")


def test_a_longer_text_is_cut_so_that_what_stands_behind_changes_nothing(tiny):
    encoder = load_encoder(tiny, max_tokens=5)
    assert np.array_equal(encoder.encode(["cats dogs birds sing"]), encoder.encode(["cats dogs birds bark"]))
    assert encoder.token_vectors("cats dogs birds sing")[0] == ["[CLS]", "cats", "dogs", "birds", "[SEP]"]


def test_the_fingerprint_is_of_everything_that_vectors_depend_on_and_of_nothing_else(tiny, tmp_path):
    other_weights = write_model(tmp_path / "weights", seed=1)
    other_words = shutil.copytree(tiny, tmp_path / "words")
    (other_words / "vocab.txt").write_text("\n".join([*WORDS[:-1], "other"]) + "\n")
    changes = [{"max_tokens": 9}, {"pooling": "cls"}, {"prefixes": {"query": "a "}}, {"dtype": "float64"}]
    different = [load_encoder(tiny, **one) for one in changes]
    different += [load_encoder(tiny), load_encoder(other_weights), load_encoder(other_words)]
    assert len({encoder.fingerprint for encoder in different}) == len(different)
    copied = shutil.copytree(tiny, tmp_path / "copied")
    assert load_encoder(copied, batch_size=3).fingerprint == load_encoder(tiny).fingerprint


def test_an_encoder_made_by_hand_has_the_fingerprint_of_its_weights(tiny):
    config, tokenizer = json.loads((tiny / "config.json").read_text()), WordPiece.read(tiny)
    weights = dict(read_safetensors(tiny / "model.safetensors"))
    one = DenseEncoder(Bert(weights, config), tokenizer)
    weights["embeddings.word_embeddings.weight"] = weights["embeddings.word_embeddings.weight"] * 2
    other = DenseEncoder(Bert(weights, config), tokenizer)
    assert (
        one.fingerprint
        == DenseEncoder(Bert(read_safetensors(tiny / "model.safetensors"), config), tokenizer).fingerprint
    )
    assert one.fingerprint != other.fingerprint


def test_a_folders_own_files_say_how_it_is_used(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "said")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    assert load_encoder(folder).name == "said, cls, cosine, 16 tokens"
    assert load_encoder(folder, pooling="max", max_tokens=9).name == "said, max, cosine, 9 tokens"
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_lasttoken": true}')
    with pytest.raises(
        ValueError, match=r"config.json asks for lasttoken; .* or give pooling=, one of 'mean'"
    ):
        load_encoder(folder)


def test_the_heads_of_the_weights_say_what_a_model_is(tiny, tmp_path):
    assert isinstance(load_encoder(tiny), DenseEncoder)
    assert isinstance(load_encoder(write_model(tmp_path / "sparse", sparse=True)), SparseEncoder)
    assert isinstance(load_encoder(tmp_path / "sparse", pooling="cls"), DenseEncoder)
    assert isinstance(load_encoder(DATA / "tiny_cross_encoder"), CrossEncoder)
    with pytest.raises(ValueError, match="no head for masked words"):
        load_encoder(tiny, pooling="splade")


def test_a_cross_encoder_scores_each_text_with_the_query_alone():
    encoder = load_encoder(DATA / "tiny_cross_encoder", batch_size=2)
    texts = ["the pod is drained.", "", "a queue, a node, a pod " * 9, "node"]
    found = encoder.scores("drain the node", texts)
    assert np.allclose(found, [encoder.scores("drain the node", [text])[0] for text in texts], atol=1e-5)
    assert encoder.scores("drain", []).shape == (0,)


def test_a_splade_vector_is_read_in_words(sparse):
    terms = sparse.terms(sparse.encode_queries(["pod evicted"]))
    assert {"pod", "evicted"} <= set(list(terms)[:4]) and list(terms.values()) == sorted(terms.values())[::-1]


@pytest.fixture(scope="module")
def whole():
    return load_encoder(find_weights("splade-tiny") or pytest.skip("the weights of splade-tiny are not here"))


def test_the_cut_model_cuts_every_bundled_text_as_the_whole_one_does_where_that_is_here(sparse, whole):
    wiki, science = load_runbooks(queries="all"), files.BUNDLED_BEIR / "everyday-science"
    for texts in (wiki.corpus, wiki.queries, load_beir_corpus(science), load_beir_queries(science)):
        for text_id, text in texts.items():
            assert sparse.tokenizer.tokens(text) == whole.tokenizer.tokens(text), text_id


def test_the_cut_model_weighs_kept_words_as_the_whole_one_does_where_that_is_here(sparse, whole):
    columns = [whole.tokenizer.vocabulary[piece] for piece in sparse.tokenizer.vocabulary]
    pages = [text[:2000] for text in list(load_runbooks().corpus.values())[:5]]
    assert abs(whole.encode_documents(pages)[:, columns] - sparse.encode_documents(pages)).max() < 0.02


# Bad input


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"batch_size": 0}, "batch_size is 0; needed a whole number of texts, 1 or more"),
        ({"max_tokens": 2}, "max_tokens is 2; needed a whole number of tokens, 3 or more"),
        ({"max_tokens": 0}, "max_tokens is 0; needed a whole number of tokens, 3 or more"),
        ({"pooling": ""}, "pooling is ''; it can be 'mean' or 'cls' or 'max'"),
        ({"prefixes": ["query: "]}, "prefixes is a list; needed a dict of them"),
        ({"prefixes": {"query": None}}, "the prefix of a query is None; needed a text, '' for none"),
        ({"max_tokens": 33}, "max_tokens is 33; the model has 32 positions"),
        ({"dtype": "float16"}, "dtype is 'float16'; it can be 'float32' or 'float64'"),
        ({"pooling": "median"}, "pooling is 'median'; it can be 'mean' or 'cls' or 'max'"),
        (
            {"prefixes": {"passage": "p: "}},
            "prefixes has the key 'passage'; it can have 'document' and 'query'",
        ),
    ],
)
def test_settings_that_cannot_be_are_named(tiny, settings, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load_encoder(tiny, **settings)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("cats", "texts is a str; needed a list of texts"),
        ({"d1": "cats"}, "texts is a dict; needed a list of texts"),
        (["cats", None], "text 1 of 2 is None; needed a str"),
        (None, "texts is a NoneType; needed a list of texts"),
        ({"cats"}, "texts is a set; needed a list of texts"),
        (iter(["cats"]), "texts is a list_iterator; needed a list of texts"),
        (np.array([["cats"]]), "texts is a ndarray; needed a list of texts"),
    ],
)
def test_what_is_no_list_of_texts_is_refused(tiny, texts, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load_encoder(tiny).encode(texts)


def test_a_query_that_is_no_text_has_no_score():
    with pytest.raises(ValueError, match="query: text 0 of 1 is None; needed a str"):
        load_encoder(DATA / "tiny_cross_encoder").scores(None, ["node"])


@pytest.mark.parametrize("model", [None, 5, b"contriever", "", " ", "~nobody-of-that-name/x", "x" * 5000])
def test_what_is_neither_a_folder_nor_a_models_name_is_refused(model):
    with pytest.raises(ValueError, match="needed its folder|neither a folder nor a model of the catalogue"):
        load_encoder(model)


def test_an_unknown_kind_of_text_is_refused(tiny):
    with pytest.raises(ValueError, match="kind is 'passage'; it can be 'document' or 'query'"):
        load_encoder(tiny).encode(["cats"], kind="passage")


def test_a_tensor_that_is_missing_or_of_another_shape_is_named_with_the_shape_needed(tiny, tmp_path):
    name = "encoder.layer.0.output.dense.weight"
    without = changed(tiny, tmp_path / "without", encoder__layer__0__output__dense__weight=None)
    with pytest.raises(ValueError, match=re.escape(f"tensor '{name}' of shape (8, 16) is missing")):
        load_encoder(without)
    turned = changed(
        tiny, tmp_path / "turned", encoder__layer__0__output__dense__weight=np.zeros((16, 8), np.float32)
    )
    with pytest.raises(
        ValueError, match=re.escape(f"tensor '{name}' has the shape (16, 8); config.json asks for (8, 16)")
    ):
        load_encoder(turned)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"model_type": "distilbert"}, "model_type is 'distilbert'; only a model with 'bert'"),
        ({"hidden_act": "relu"}, "hidden_act is 'relu'; only a model with 'gelu'"),
        ({"position_embedding_type": "relative_key"}, "position_embedding_type is 'relative_key'"),
        ({"num_hidden_layers": 0}, "num_hidden_layers is 0; needed a whole number, 1 or more"),
        ({"num_attention_heads": 3}, "hidden_size 8 for 3 attention heads; needed a multiple"),
        ({"num_hidden_layers": 2}, "tensor 'encoder.layer.1.attention.self.query.weight'"),
        ({"hidden_size": 8.0}, "hidden_size is 8.0; needed a whole number, 1 or more"),
        ({"vocab_size": "18"}, "vocab_size is '18'; needed a whole number, 1 or more"),
        ({"is_decoder": True}, "is_decoder is True; only a model with False"),
        ({"layer_norm_eps": None}, "layer_norm_eps is None; needed a number from 0 to 1"),
        ({"layer_norm_eps": float("nan")}, "layer_norm_eps is nan; needed a number from 0 to 1"),
        ({"layer_norm_eps": -1.0}, "layer_norm_eps is -1.0; needed a number from 0 to 1"),
    ],
)
def test_a_model_that_is_no_bert_is_refused_by_what_differs(tiny, tmp_path, config, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load_encoder(changed(tiny, tmp_path / "other", config=config))


def test_a_head_that_config_says_is_not_tied_must_be_there(tmp_path):
    splade = write_model(tmp_path / "splade", sparse=True)
    with pytest.raises(ValueError, match="tie_word_embeddings is False, but there is no .*decoder.weight"):
        load_encoder(changed(splade, tmp_path / "untied", config={"tie_word_embeddings": False}))


NORM = "embeddings__LayerNorm__"


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({f"bert__{NORM}bias": np.ones(8, np.float32)}, "weights has both 'embeddings.LayerNorm.bias' and"),
        (
            {f"{NORM}gamma": np.ones(8, np.float32)},
            "both embeddings.LayerNorm.gamma and embeddings.LayerNorm.w",
        ),
        ({f"{NORM}bias": np.ones(8, np.uint8)}, "is of type uint8; needed floating-point numbers"),
        ({f"{NORM}bias": np.full(8, 1e300)}, "holds a value beyond float32; give dtype='float64'"),
    ],
)
def test_tensors_that_are_two_things_at_once_or_no_weights_are_refused(tiny, tmp_path, tensors, message):
    with pytest.raises(ValueError, match=message):
        load_encoder(changed(tiny, tmp_path / "spoilt", **tensors))


def test_weights_too_large_to_compute_give_an_error_and_no_vector(tiny, tmp_path):
    wider = {"encoder__layer__0__intermediate__dense__weight": np.full((16, 8), 3e38, np.float32)}
    encoder = load_encoder(changed(tiny, tmp_path / "large", **wider))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.raises(ValueError, match="a token's vector is not finite"):
            encoder.encode(["cats"])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", "[1]", "config.json: needed an object, found [1]"),
        ("config.json", "[" * 100_000, "config.json is no JSON"),
        ("config.json", "{".encode("utf-16"), "config.json is not valid UTF-8"),
        ("vocab.txt", b"[UNK]\ncaf\xe9\n", "vocab.txt is not valid UTF-8"),
        ("vocab.txt", "", "vocab.txt: a vocabulary of 0 pieces without [UNK], [CLS], [SEP]"),
        ("tokenizer_config.json", "[]", "tokenizer_config.json: needed an object, found []"),
        ("tokenizer_config.json", "{", "tokenizer_config.json is no JSON"),
        (
            "tokenizer_config.json",
            '{"do_lower_case": "false"}',
            "tokenizer_config.json, do_lower_case: needed true or false, found 'false'",
        ),
        ("sentence_bert_config.json", "[1]", "sentence_bert_config.json: needed an object"),
        (
            "sentence_bert_config.json",
            '{"max_seq_length": "x"}',
            "sentence_bert_config.json, max_seq_length is 'x'; needed a whole number of tokens, 3 or more",
        ),
        ("modules.json", "{}", "modules.json: needed a list, found {}"),
        ("modules.json", '["a"]', "modules.json: needed an object, found 'a'"),
        ("modules.json", '[{"type": "sentence_transformers.models.Dense"}]', "a step is 'sentence_trans"),
        ("1_Pooling/config.json", "[]", "config.json: needed an object, found []"),
        (
            "1_Pooling/config.json",
            '{"pooling_mode_mean_tokens": 1}',
            "pooling_mode_mean_tokens: needed true or false, found 1",
        ),
        ("1_Pooling/config.json", '{"word_embedding_dimension": 9}', "files of two models"),
        ("1_SpladePooling/config.json", '{"pooling_strategy": "sum"}', "is 'sum'; it can be 'max'"),
        ("downloaded.json", "[]", "downloaded.json is no record of a download"),
    ],
)
def test_a_small_file_of_a_model_that_says_nothing_is_refused_by_its_name(
    tiny, tmp_path, name, content, message
):
    folder = shutil.copytree(tiny, tmp_path / "said")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=re.escape(message)):
        load_encoder(folder)


def test_a_mark_of_byte_order_is_no_part_of_a_file(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "marked")
    for name in ("config.json", "vocab.txt"):
        (folder / name).write_bytes(b"\xef\xbb\xbf" + (folder / name).read_bytes())
    assert load_encoder(folder).fingerprint == load_encoder(tiny).fingerprint


def test_a_vocabulary_of_another_model_is_refused(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "words")
    (folder / "vocab.txt").write_text("\n".join([*WORDS, "more"]) + "\n")
    with pytest.raises(ValueError, match="19 word pieces for 18 word embeddings"):
        load_encoder(folder)


@pytest.mark.parametrize(
    ("ids", "mask", "message"),
    [
        ([[1, 2]], [[1]], "ids of shape (1, 2), mask (1, 1)"),
        ([[1, 99]], [[1, 1]], "word piece number 99; the model has 18"),
        ([[1] * 33], [[1] * 33], "33 tokens, the model has 32 positions; cut at max_tokens=32"),
        ([[1.5, 2.0]], [[1, 1]], "ids of type float64, types int64; needed whole numbers"),
    ],
)
def test_numbers_that_the_model_has_no_place_for_are_refused(tiny, ids, mask, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load_encoder(tiny).bert.hidden_states(np.array(ids), np.array(mask))


@pytest.mark.parametrize(("types", "message"), [([[0, 2]], "types run from 0 to 2"), ([[0]], "types (1, 1)")])
def test_a_pair_is_of_two_texts(tiny, types, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load_encoder(tiny).bert.hidden_states(np.array([[1, 2]]), np.array([[1, 1]]), np.array(types))


def test_a_text_without_a_token_of_its_own_has_no_pooled_vector():
    for pool in (pooling.mean, pooling.max):
        with pytest.raises(ValueError, match="a token of its own in each text"):
            pool(np.ones((1, 2, 3)), np.zeros((1, 2)))


def test_words_are_read_from_the_vector_of_one_text(sparse):
    with pytest.raises(ValueError, match=r"csr_matrix of the shape \(2, 9221\); needed one text's"):
        sparse.terms(sparse.encode_queries(["pod", "node"]))


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", "model.safetensors"])
def test_a_folder_that_lacks_a_file_says_which(tiny, tmp_path, name):
    folder = shutil.copytree(tiny, tmp_path / "lacking")
    (folder / name).unlink()
    with pytest.raises(ValueError, match=f"holds no .*{name}"):
        load_encoder(folder)


def test_a_pickle_in_place_of_weights_is_refused_and_never_run(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "pickled")
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="pytorch_model.bin"):
        load_encoder(folder)
    (folder / "model.safetensors").write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(ValueError, match="is a pickle or an archive of one, and reading a pickle runs"):
        load_encoder(folder)


# The file of weights


def test_the_reference_library_reads_what_we_write_and_we_what_it_writes(tmp_path):
    library = pytest.importorskip("safetensors.numpy")
    tensors = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.ones(3, np.float16),
        "c": np.array([7]),
    }
    write_safetensors(tensors, tmp_path / "ours.safetensors")
    library.save_file(tensors, tmp_path / "theirs.safetensors")
    theirs = library.load_file(tmp_path / "ours.safetensors")
    ours = read_safetensors(tmp_path / "theirs.safetensors")
    for name, tensor in tensors.items():
        for found in (ours[name], theirs[name]):
            assert np.array_equal(found, tensor) and found.dtype == tensor.dtype


def test_every_type_is_read_as_it_is_and_brain_floats_are_widened(tmp_path):
    path = tmp_path / "types.safetensors"
    tensors = {kind: np.array([1, 2], dtype=kind) for kind in ("f8", "f4", "f2", "i8", "i4", "u1")}
    write_safetensors(tensors | {"scalar": np.array(3.0), "none": np.empty((0, 4), np.float32)}, path)
    found = read_safetensors(path)
    assert all(np.array_equal(found[kind], tensors[kind]) and found[kind].dtype == kind for kind in tensors)
    assert found["scalar"] == 3 and found["none"].shape == (0, 4) and not found["f4"].flags.writeable
    write_raw(path, {"x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}, b"\x80\x3f\x20\xc1")
    assert read_safetensors(path)["x"].tolist() == [1.0, -10.0]


def write_raw(path: Path, header: object, data: bytes = b"", length: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes((len(text) if length is None else length).to_bytes(8, "little") + text + data)
    return path


def entry(begin: int, end: int, kind: str = "F32", shape: object = None) -> dict:
    return {
        "dtype": kind,
        "shape": [(end - begin) // 4] if shape is None else shape,
        "data_offsets": [begin, end],
    }


@pytest.mark.parametrize(
    ("header", "n_bytes", "message"),
    [
        (b"{", 0, "the header is no JSON"),
        (b"[" * 100_000, 0, "the header is no JSON"),
        (b'{"a": 1, "a": 2}', 0, "the header is no JSON (a name stands in it twice)"),
        ({"a": entry(0, 4, kind=["F32"])}, 4, "entry of tensor 'a'"),
        ({"a": entry(0, 4, shape={})}, 4, "entry of tensor 'a'"),
        ({"a": entry(0, 4, shape=[1] * 70)}, 4, "entry of tensor 'a'"),
        ({"a": entry(0, 0, shape=[0, 2**62, 2**62])}, 0, "entry of tensor 'a'"),
        ([1], 0, "the header is a list, needed an object"),
        ({"a": 7}, 0, "the header's entry of tensor 'a' is 7"),
        ({"a": entry(0, 4, shape=[-1])}, 4, "entry of tensor 'a'"),
        ({"a": entry(0, 4, shape="1")}, 4, "entry of tensor 'a'"),
        ({"a": entry(0, 4, kind="F8_E4M3")}, 4, "is of type 'F8_E4M3'; needed F64, F32"),
        ({"a": entry(0, 8, shape=[3])}, 8, "F32 of shape [3], takes 12 bytes; its header gives it 8"),
        ({"a": entry(0, 8), "b": entry(4, 12)}, 12, "tensor 'b' overlaps the tensor before it"),
        ({"a": entry(4, 8)}, 8, "tensor 'a' leaves a gap before it"),
        ({"a": entry(0, 8)}, 4, "its tensors take 8 bytes, it holds 4"),
        ({"a": entry(0, 8)}, 9, "its tensors take 8 bytes, it holds 9"),
    ],
)
def test_a_header_that_lies_about_its_file_is_refused(tmp_path, header, n_bytes, message):
    path = write_raw(tmp_path / "bad.safetensors", header, b"\0" * n_bytes)
    with pytest.raises(ValueError, match=re.escape(message)):
        read_safetensors(path)


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"a": [1]}, "tensor 'a' is a list; needed a NumPy array"),
        ({"__metadata__": np.ones(1)}, "'__metadata__', which is the header's own"),
        ({1: np.ones(1)}, "name 1 is of type int"),
        ([np.ones(1)], "tensors is a list; needed arrays by name"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(tmp_path, tensors, message):
    with pytest.raises(ValueError, match=message):
        write_safetensors(tensors, tmp_path / "model.safetensors")
    assert not list(tmp_path.iterdir())


def test_weights_that_are_not_there_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.safetensors is no file; needed weights"):
        read_safetensors(tmp_path / "none.safetensors")


@pytest.mark.parametrize("content", [b"", b"1234567", b"\xff" * 20])
def test_a_file_that_is_cut_says_so(tmp_path, content):
    path = tmp_path / "cut.safetensors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="no safetensors file, or cut; get it again"):
        read_safetensors(path)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite_are_named(tiny, tmp_path, value):
    spoilt = np.ones(8, dtype=np.float32)
    spoilt[5] = value
    folder = changed(tiny, tmp_path / "spoilt", embeddings__LayerNorm__bias=spoilt)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="not finite .* in embeddings.LayerNorm.bias"):
            load_encoder(folder)


@pytest.mark.parametrize("letters", range(40, 120))
def test_no_length_of_a_header_makes_good_weights_a_pickle(tmp_path, letters):
    path = tmp_path / "model.safetensors"
    write_safetensors({"x" * letters: np.ones(1, np.float32)}, path)
    assert read_safetensors(path)["x" * letters].tolist() == [1.0]


def test_weights_with_more_layers_than_the_config_says_are_refused():
    config = json.loads((CUT / "config.json").read_text())
    weights = read_safetensors(CUT / "model.safetensors")
    with pytest.raises(ValueError, match=r"says 1 layers, but the weights have encoder\.layer\.1\."):
        Bert(weights, config | {"num_hidden_layers": 1})


STEPS = [
    {"type": "sentence_transformers.models.Transformer", "path": ""},
    {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
    {"type": "sentence_transformers.models.Normalize", "path": "2_Normalize"},
]


def said_in(folder: Path, **said: object) -> Path:
    """A folder with more settings, by the path of their file."""
    for name, content in said.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content))
    return folder


def test_a_pooling_whose_file_is_missing_is_not_guessed(tiny, tmp_path):
    folder = said_in(shutil.copytree(tiny, tmp_path / "model"), **{"modules.json": STEPS})
    with pytest.raises(ValueError, match="names a pooling, and .*1_Pooling.config.json is missing"):
        load_encoder(folder)
    assert load_encoder(folder, pooling="cls").pooling == "cls"


def test_a_pooling_is_read_where_the_steps_say_that_it_is(tiny, tmp_path):
    steps = [{**step, "path": step["path"].replace("1_", "2_")} for step in STEPS]
    pooling = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    folder = shutil.copytree(tiny, tmp_path / "model")
    assert (
        load_encoder(said_in(folder, **{"modules.json": steps, "2_Pooling/config.json": pooling})).pooling
        == "cls"
    )


@pytest.mark.parametrize(
    "modes", [("mean_tokens", "lasttoken"), ("cls_token", "mean_sqrt_len_tokens"), ("weightedmean_tokens",)]
)
def test_a_pooling_that_cannot_be_computed_is_named_with_all_its_modes(tiny, tmp_path, modes):
    folder = shutil.copytree(tiny, tmp_path / "model")
    said_in(folder, **{"1_Pooling/config.json": {f"pooling_mode_{mode}": True for mode in modes}})
    with pytest.raises(ValueError, match=rf"asks for {' . '.join(sorted(modes))}; .* or give pooling="):
        load_encoder(folder)


def test_prompts_and_similarity_of_a_folder_are_its_own(tiny, tmp_path):
    own = {"prompts": {"query": "query: ", "passage": "passage: "}, "similarity_fn_name": "dot"}
    folder = shutil.copytree(tiny, tmp_path / "model")
    encoder = load_encoder(said_in(folder, **{"config_sentence_transformers.json": own}))
    assert (encoder.similarity, encoder.prefixes) == ("dot", {"query": "query: ", "document": "passage: "})
    own = {"prompts": {"query": "q: ", "other": "o: "}, "default_prompt_name": "other"}
    encoder = load_encoder(said_in(folder, **{"config_sentence_transformers.json": own}))
    assert (encoder.similarity, encoder.prefixes) == ("cosine", {"query": "q: ", "document": "o: "})
    assert load_encoder(folder, prefixes={}).prefixes == {"query": "", "document": ""}
    said_in(folder, **{"config_sentence_transformers.json": {"similarity_fn_name": "euclidean"}})
    with pytest.raises(ValueError, match="similarity_fn_name is 'euclidean'; it can be 'cosine' or 'dot'"):
        load_encoder(folder)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
def test_weights_that_end_in_zeros_are_a_download_that_broke_off(tiny, tmp_path, share):
    weights = shutil.copytree(tiny, tmp_path / "model") / "model.safetensors"
    data = weights.read_bytes()
    lost = int(len(data) * share)
    weights.write_bytes(data[:-lost] + bytes(lost))
    with pytest.raises(ValueError, match="ends in zeros: did the download break off"):
        load_encoder(tmp_path / "model")


@pytest.mark.parametrize("content", ["shorter", "other"])
def test_weights_that_are_written_over_are_not_computed_with(tiny, tmp_path, content):
    weights = shutil.copytree(tiny, tmp_path / "model") / "model.safetensors"
    encoder = load_encoder(tmp_path / "model")
    other = (write_model(tmp_path / "other", seed=1) / "model.safetensors").read_bytes()
    weights.write_bytes(b"" if content == "shorter" else other)
    for ask in (encoder.encode_queries, encoder.encode_documents):
        with pytest.raises(ValueError, match="was written over after it was loaded; load the encoder again"):
            ask(["cats"])


def test_weights_that_are_replaced_are_still_those_that_were_loaded(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "model")
    encoder = load_encoder(folder)
    before = encoder.encode(["cats"])
    (write_model(tmp_path / "other", seed=1) / "model.safetensors").replace(folder / "model.safetensors")
    assert (encoder.encode(["cats"]) == before).all()
    with pytest.raises(ValueError, match="is another file than was loaded"):
        _ = encoder.fingerprint


def test_weights_in_parts_are_named(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "model")
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    with pytest.raises(
        ValueError, match="its weights are in parts .model-00001-of-00002.safetensors.: write"
    ):
        load_encoder(folder)


def test_a_model_that_is_async_is_told_so():
    class Later:
        async def encode(self, texts):
            return [[1.0]] * len(texts)

    with pytest.raises(
        ValueError, match="Later: encode is async and gave a coroutine; needed one that is not"
    ):
        encoded(Later(), ["cats"])


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("model.safetensors", read_safetensors),
        ("vectors.npz", read_known),
        ("tokenizer.json", lambda path: settings.read_json(path)),
        ("vocab.txt", lambda path: settings.read_text(path)),
    ],
)
def test_a_pointer_of_git_lfs_is_named_in_the_place_of_every_file_of_a_model(tmp_path, name, read):
    (tmp_path / name).write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 90868376\n"
    )
    with pytest.raises(ValueError, match=f"{name}: a Git LFS pointer .*git lfs pull"):
        read(tmp_path / name)


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", "model.safetensors"])
def test_a_model_of_which_one_file_is_a_pointer_of_git_lfs_is_refused_with_its_name(tmp_path, name):
    folder = write_model(tmp_path / "tiny")
    (tmp_path / "tiny" / name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:abc\n")
    with pytest.raises(ValueError, match=f"{name}: a Git LFS pointer .*git lfs pull"):
        load_encoder(tmp_path / "tiny")
    assert folder
