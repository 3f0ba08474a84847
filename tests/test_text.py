"""What an analyzer must do so that documents and queries meet, and meet as in Lucene."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from helpers.text import analyzers
from helpers.text.analyzers import ANALYZERS, STOPWORDS, lucene_english, plain, stem, unicode_words


def test_lucene_has_33_stopwords():
    assert len(STOPWORDS) == 33
    assert {"a", "the", "with"} <= STOPWORDS
    assert not {"we", "from", "were", "he"} & STOPWORDS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # WB6, WB7, WB12: a dot stays between letters and between digits, not at the end.
        ("U.S.A. v1.2.3", ["U.S.A", "v1.2.3"]),
        ("can't rock'n'roll 'quoted'", ["can't", "rock'n'roll", "quoted"]),
        ("1,200.50 3;4 5,x", ["1,200.50", "3;4", "5", "x"]),
        ("IL-6/IL-8 α–β", ["IL", "6", "IL", "8", "α", "β"]),
        # An underscore joins, but is no word alone; an accent of its own stays with its letter.
        ("snake_case __init__ _ ___", ["snake_case", "__init__"]),
        ("naïve cafe\u0301", ["naïve", "cafe\u0301"]),
        ("東京タワー ひら", ["東", "京", "タワー", "ひ", "ら"]),
        ("ภาษาไทย", ["ภาษาไทย"]),
        ("한국어 검색", ["한국어", "검색"]),
        # A superscript is no digit here, a pictograph is a word.
        ("m² CO₂ ½ © ™ ↔ ♂", ["m", "CO", "©", "™", "↔", "♂"]),
        ("👩\u200d👩\u200d👧 🇩🇪🇫🇷", ["👩\u200d👩\u200d👧", "🇩🇪", "🇫🇷"]),
        ("", []),
    ],
)
def test_words_are_cut_where_unicode_says(text, words):
    assert unicode_words(text) == words


LETTERS_AND_DIGITS = st.characters(codec="utf-8", categories=["L", "Nd", "P", "Zs"], exclude_characters="'")


@given(st.text(alphabet=LETTERS_AND_DIGITS, max_size=40))
def test_letters_and_digits_are_cut_as_by_an_independent_implementation(text):
    # The regex package knows word boundaries itself, but bends them at apostrophes, Thai and kana.
    if regex.search(r"[\p{LB=SA}\p{Script=Hiragana}\p{Script=Han}\p{ExtPict}]", text):
        return
    pieces = regex.split(r"(?V1w)\b", text)
    has_letter_or_digit = r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}\p{WB=Numeric}\p{WB=Katakana}]"
    assert unicode_words(text) == [piece for piece in pieces if regex.search(has_letter_or_digit, piece)]


def test_a_word_of_more_than_255_characters_is_cut_into_pieces():
    assert [len(word) for word in unicode_words("x" * 600)] == [255, 255, 90]


@pytest.mark.parametrize(
    "pattern", ["_", "_\u0301", "a'", "1,", "_a", "\u0301", "a\u0301", "©\u200d", 'א"', "ก", "."]
)
def test_long_monotonous_text_is_no_trap(pattern):
    # An expression that tries each start anew would need minutes for this: the test is that it ends.
    assert all(0 < len(word) <= 255 for word in unicode_words(pattern * 100_000))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Crohn's CROHN'S Crohn’s Crohn＇S", ["crohn"] * 4),
        ("It's the dogs'", ["dog"]),  # "it" is a stopword once its 's is gone
        ("relational RETRIEVAL biology homology", ["relat", "retriev", "biologi", "homolog"]),
        ("İ ΟΔΟΣ", ["i", "οδοσ"]),  # one character becomes one, as in Java
        ("vs 1s by", ["vs", "1s"]),  # words of two letters are not stemmed
    ],
)
def test_lucene_english_filters_in_lucenes_order(text, terms):
    assert lucene_english(text) == terms


def test_the_stemmer_is_porters_with_his_later_additions():
    # "logi" to "log" and "bli" to "ble" came after the paper of 1980; Lucene has them.
    stems = [stem(word) for word in ("morphology", "invisibly", "possibly")]
    assert stems == ["morpholog", "invis", "possibl"]


@pytest.mark.parametrize("name", ANALYZERS)
def test_an_analyzer_is_named_as_its_function_and_takes_any_text(name):
    analyzer = ANALYZERS[name]
    assert analyzer.__name__ == name
    assert analyzer("") == []
    assert analyzer("\ud800 \x00 ok")[-1] == "ok"


def test_query_and_document_meet_whatever_the_case():
    assert plain("Dogs BARK") == plain("dogs bark")


def test_scifact_has_the_number_of_terms_of_anserinis_published_index(scifact):
    assert sum(len(lucene_english(text)) for text in scifact.corpus.values()) == 838_128


ENDINGS = st.sampled_from(
    "a e i o u y b c d f g h k l m n p r s t v w x z 1 é bl iz at able ible ation ational alli abli bli logi "
    "log ize ful ness ive ement ing ed eed s ss es ies".split()
)


@given(st.lists(ENDINGS, min_size=1, max_size=6).map("".join).filter(lambda word: "yy" not in word))
def test_a_stem_is_that_of_porters_own_program(word):
    # An independent implementation in Python, with Porter's later departures; only a doubled y differs.
    assert stem(word) == PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS).stem(word, to_lowercase=False)


@given(st.text(alphabet=" ab_AB.,;:'-10(\n\u202f\xa0é", max_size=30))
def test_cutting_at_spaces_first_loses_no_word(text):
    words = map(lucene_english, unicode_words(text))
    assert lucene_english(text) == [term for terms in words for term in terms]


@given(st.text(alphabet="abAB01_.,;:' -", max_size=30))
def test_the_short_rules_for_ascii_are_the_long_rules(text):
    # A letter that is not ASCII, far away, makes the long rules answer.
    assert unicode_words(text) == unicode_words(f"{text} é")[:-1]


def test_words_that_never_come_again_are_not_remembered():
    before = analyzers._remembered_stem.cache_info().currsize, len(analyzers._TERMS_OF_PIECE)
    long = "x" * 65
    assert stem(long) == long and lucene_english(long) == [long]
    assert (analyzers._remembered_stem.cache_info().currsize, len(analyzers._TERMS_OF_PIECE)) == before
