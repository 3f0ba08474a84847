"""WordPiece: every text has the pieces of the models' own tokenizers, whatever its length and script."""

import json
import re
from pathlib import Path

import pytest

from helpers.base import files
from helpers.encoders import WordPiece

STORED = json.loads((Path(__file__).parent / "data/encoders/texts.json").read_text(encoding="utf-8"))
"""500 texts and their tokens by `tokenizers`; made by evals/benchmarks/encoder_references.py."""
TEXTS = STORED["texts"]
FOLDER = files.BUNDLED_MODELS / "splade-tiny-cut"
START = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


@pytest.fixture(scope="module")
def wordpiece():
    return WordPiece.read(FOLDER)


def test_the_500_texts_are_of_every_length(wordpiece):
    lengths = [len(ids) - 2 for ids in STORED["ids"]]
    assert len(set(TEXTS)) > 400 and len(TEXTS) == 500
    assert min(lengths) == 0 and lengths.count(1) > 5 and max(lengths) > 600


def test_500_texts_have_the_tokens_that_the_reference_finds(wordpiece):
    assert [wordpiece.encode(text) for text in TEXTS] == STORED["ids"]


def test_a_cut_text_keeps_its_beginning_and_its_end_sign(wordpiece):
    assert [wordpiece.encode(text, max_tokens=64) for text in TEXTS] == STORED["cut at 64"]


def test_a_pair_that_is_too_long_loses_of_the_longer_text_as_in_the_reference(wordpiece):
    for pair in STORED["pairs"]:
        first, second = TEXTS[pair["first"]], TEXTS[pair["second"]]
        assert wordpiece.encode_pair(first, second, pair["max_tokens"]) == (pair["ids"], pair["types"])


def test_a_pair_that_fits_is_not_cut(wordpiece):
    ids, types = wordpiece.encode_pair("the", "a pod")
    assert wordpiece.encode_pair("the", "a pod", 512) == (ids, types)
    assert ids == wordpiece.encode("the") + wordpiece.encode("a pod")[1:]


def test_the_reference_library_agrees_now_where_it_is_installed(wordpiece):
    pytest.importorskip("tokenizers")
    from evals.benchmarks.encoder_references import reference_tokenizer

    reference = reference_tokenizer(list(wordpiece.vocabulary))
    assert [wordpiece.encode(text) for text in TEXTS] == [reference.encode(text).ids for text in TEXTS]


def test_the_empty_text_is_start_and_end(wordpiece):
    assert [wordpiece.pieces_by_number[number] for number in wordpiece.encode("")] == ["[CLS]", "[SEP]"]
    assert wordpiece.tokens(" \n") == []


def test_the_longest_piece_is_taken_first_and_a_word_without_a_cut_is_unknown():
    wordpiece = WordPiece([*START, "un", "##aff", "##able", "##a", "unaff"])
    assert wordpiece.tokens("unaffable una unx") == ["unaff", "##able", "un", "##a", "[UNK]"]


def test_a_word_of_101_characters_is_unknown_whatever_its_pieces():
    wordpiece = WordPiece([*START, "x", "##x"])
    assert len(wordpiece.tokens("x" * 100)) == 100 and wordpiece.tokens("x" * 101) == ["[UNK]"]


def test_accents_and_capitals_go_only_where_the_model_wants_it():
    pieces = [*START, "cafe", "Café", "café"]
    assert WordPiece(pieces).tokens("Café") == ["cafe"]
    assert WordPiece(pieces, lowercase=False).tokens("Café") == ["Café"]
    assert WordPiece(pieces, strip_accents=False).tokens("Café") == ["café"]


def test_a_vocabulary_with_capitals_that_no_text_will_have_is_told(recwarn):
    cased = [*START, "Node", "Database", "##s", "The"]
    WordPiece(cased, lowercase=False)
    WordPiece([*START, *map(str, range(100)), "Node", "IBM", "The"])  # a few, added by hand
    assert not recwarn.list
    with pytest.warns(UserWarning, match="3 of 4 pieces have capitals, e.g. 'Node', .* give lowercase=False"):
        WordPiece(cased)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\x00b\u200bc\ufffdd", ["abcd"]),
        ("a\tb\nc\u3000d\u2028e", ["a", "b", "c", "d", "e"]),
        ("東京tower", ["東", "京", "tower"]),
        ("カタカナ 한국", ["カタカナ", "한국"]),  # no Chinese characters; hangul falls apart into its letters
        ("$5+x_y", ["$", "5", "+", "x", "_", "y"]),
        ("“ok”—…", ["“", "ok", "”", "—", "…"]),
        ("ΑΣΣ", ["ασσ"]),  # letter by letter, so the last sigma is no ς
        ("👩‍👧🎉", ["👩👧🎉"]),
        ("x\u061dy", ["x\u061dy"]),  # an end mark that came with Unicode 14: a letter to these tokenizers
    ],
)
def test_a_text_is_cleaned_and_cut_into_words_by_berts_rules(text, words):
    import unicodedata

    found = WordPiece(START).words(text)
    assert [unicodedata.normalize("NFC", word) for word in found] == words


def test_what_looks_like_a_special_token_is_one_as_in_the_models_tokenizers():
    wordpiece = WordPiece([*START, "a", "[", "]", "mask"])
    assert wordpiece.tokens("a[SEP]a [mask]") == ["a", "[SEP]", "a", "[", "mask", "]"]


def test_a_megabyte_of_text_is_cut_without_being_read_whole():
    wordpiece = WordPiece([*START, "x"])
    assert wordpiece.encode("x " * 500_000, max_tokens=8) == [2, *[4] * 6, 3]


def write_json(folder: Path, **changed) -> Path:
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    model |= {
        "max_input_chars_per_word": 100,
        "vocab": {piece: i for i, piece in enumerate([*START, "Pod", "pod"])},
    }
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
    normalizer |= {"strip_accents": None, "lowercase": True}
    said = {"model": model, "normalizer": normalizer, "pre_tokenizer": {"type": "BertPreTokenizer"}}
    for path, value in changed.items():
        part, _, key = path.partition("__")
        said[part] = said[part] | {key: value} if key else value
    (folder / "tokenizer.json").write_text(json.dumps(said), encoding="utf-8")
    return folder


def test_a_tokenizer_json_says_the_same_as_a_vocab_txt(tmp_path):
    (tmp_path / "json").mkdir()
    (tmp_path / "vocab.txt").write_text("\n".join([*START, "Pod", "pod"]) + "\n", encoding="utf-8")
    for folder in (write_json(tmp_path / "json"), tmp_path):
        assert WordPiece.read(folder).encode("Pod") == [2, 5, 3]


def test_a_model_of_capitals_is_read_as_such(tmp_path):
    assert WordPiece.read(write_json(tmp_path, normalizer__lowercase=False)).encode("Pod") == [2, 4, 3]
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "vocab.txt").write_text("\r\n".join([*START, "Pod", "pod", ""]), encoding="utf-8", newline="")
    (tmp_path / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert WordPiece.read(tmp_path).encode("Pod") == [2, 4, 3]


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"model__type": "BPE"}, "model is 'BPE'"),
        ({"model__type": "Unigram"}, "model is 'Unigram'"),
        ({"normalizer": {"type": "Lowercase"}}, "normalizer is 'Lowercase'"),
        ({"normalizer": None}, "normalizer is None"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, "pre_tokenizer is 'Whitespace'"),
        ({"model__continuing_subword_prefix": "@@"}, "continuing_subword_prefix is '@@'"),
        ({"model__max_input_chars_per_word": 200}, "max_input_chars_per_word is 200"),
    ],
)
def test_a_tokenizer_of_another_kind_is_refused_by_its_name(tmp_path, changed, what):
    with pytest.raises(ValueError, match=re.escape(f"{what}; only a BERT WordPiece can be read")):
        WordPiece.read(write_json(tmp_path, **changed))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model": [1]}, "tokenizer.json, model: needed an object, found [1]"),
        ({"normalizer": "x"}, "tokenizer.json, normalizer: needed an object, found 'x'"),
        ({"model__vocab": None}, "tokenizer.json: a vocabulary of 0 pieces"),
        ({"model__vocab": START}, "tokenizer.json, vocab: needed an object"),
        ({"model__vocab": {"[UNK]": "0"}}, "the number of '[UNK]' is '0'; needed a whole number, 0 or more"),
        ({"normalizer__lowercase": "true"}, "tokenizer.json, lowercase: needed true or false, found 'true'"),
        ({"added_tokens": [{"id": 9, "content": "[Q]"}]}, "added_tokens: '[Q]' as number 9; only [PAD]"),
        ({"added_tokens": [{"id": 9, "content": "[CLS]"}]}, "added_tokens: '[CLS]' as number 9"),
    ],
)
def test_a_tokenizer_json_that_says_something_else_is_refused_by_the_field(tmp_path, changed, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        WordPiece.read(write_json(tmp_path, **changed))


def test_special_tokens_may_be_named_again_by_their_numbers(tmp_path):
    added = [{"id": number, "content": piece} for number, piece in enumerate(START)]
    assert WordPiece.read(write_json(tmp_path, added_tokens=added)).encode("Pod") == [2, 5, 3]


@pytest.mark.parametrize(
    ("vocabulary", "settings", "message"),
    [
        (None, {}, "vocabulary is a NoneType; needed a list of texts"),
        (set(START), {}, "vocabulary is a set; needed a list of texts"),
        ([*START, None], {}, "text 4 of 5 is None; needed a str"),
        ({"[UNK]": 0, "[CLS]": 1, "[SEP]": -2}, {}, "'[SEP]' is -2; needed a whole number, 0 or more"),
        (START, {"lowercase": "no"}, "lowercase is 'no'; it can be True or False"),
    ],
)
def test_pieces_are_texts_with_whole_numbers(vocabulary, settings, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        WordPiece(vocabulary, **settings)


def test_what_cannot_be_a_vocabulary_is_named(tmp_path):
    with pytest.raises(ValueError, match=re.escape("without [UNK], [CLS], [SEP]")):
        WordPiece(["a", "b"])
    with pytest.raises(ValueError, match="4 pieces share 3 numbers"):
        WordPiece({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 2})
    with pytest.raises(ValueError, match="neither vocab.txt nor tokenizer.json"):
        WordPiece.read(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ValueError, match="tokenizer.json is no JSON"):
        WordPiece.read(tmp_path)


def test_what_is_no_text_and_room_for_nothing_are_refused(wordpiece):
    with pytest.raises(ValueError, match="a text is None of type NoneType; needed a str"):
        wordpiece.encode(None)
    with pytest.raises(ValueError, match="max_tokens is 1; needed a whole number of tokens, 2 or more"):
        wordpiece.encode("a", max_tokens=1)
