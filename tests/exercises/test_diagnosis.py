"""What is recognised behind a wrong answer: mistakes that can be made everywhere, and several at once."""

import math
import re
from collections import Counter
from functools import cache

import numpy as np
import pytest
from answers import in_a_cell

from course.exercises import contents, general, pairs, sections, session
from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def best(scores, k):
    order = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(doc_id, score / len(scores)) for doc_id, score in order[:k]]


SCORES = {"d1": 1.0, "d2": 4.0, "d3": 2.0}
BEST = Exercise(
    name="BEST",
    task="",
    reference=best,
    cases=(
        Case((SCORES, 2), "the best comes first"),
        Case((SCORES, 9), "there may be fewer than k"),
        Case(({"d1": 0.25, "d2": 0.25, "d3": 0.75}, 3), "equal ones by name"),
        Case(({"a": 1.0}, 1), "one is the best of one"),
        Case(({}, 3), "nothing in, nothing out"),
    ),
    hints=("", " ", "  "),
)


@BEST.mistake("worst first")
def worst_first(scores, k):
    """You put the worst first."""
    order = sorted(scores.items(), key=lambda pair: (pair[1], pair[0]))
    return [(doc_id, score / len(scores)) for doc_id, score in order[:k]]


@BEST.mistake("not divided")
def not_divided(scores, k):
    """You do not divide."""
    return [(doc_id, score * len(scores)) for doc_id, score in best(scores, k)]


@cache
def shares():
    """An exercise whose result is a dictionary with two fixed keys."""

    def shares_of(values):
        n = len(values) or 1
        return {"share_of_hits": sum(values) / n, "share_of_misses": 1 - sum(values) / n}

    cases = [Case((values,), "") for values in ([1, 0, 0], [1, 1], [0, 1], [1, 1, 0, 1, 0, 0, 0])]
    return Exercise("SHARES", "", shares_of, tuple(cases), ("", " ", "  "))


def verdict(source, exercise=BEST, **names):
    """The verdict on a cell that defines the exercise's function."""
    known = in_a_cell(source, {"np": np, "Counter": Counter, "__name__": "__main__"} | names)
    return exercise.verdict(known[exercise.reference.__name__])


ORDER = "    order = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:k]\n    n = len(scores)\n"
GENERAL = {
    "rounded": "    return [(d, round(s / n, 2)) for d, s in order]",
    "pair turned round": "    return [(s / n, d) for d, s in order]",
    "only the first of each pair": "    return [d for d, s in order]",
    "only the second of each pair": "    return [s / n for d, s in order]",
    "integer division": "    return [(d, s // n) for d, s in order]",
    "in per cent": "    return [(d, 100 * s / n) for d, s in order]",
    "sign turned round": "    return [(d, -s / n) for d, s in order]",
    "single precision": "    return [(d, float(np.float32(s / n))) for d, s in order]",
    "order turned round": "    return [(d, s / n) for d, s in order][::-1]",
    "generator": "    return ((d, s / n) for d, s in order)",
    "another container": "    return {d: s / n for d, s in order}",
    "printed, not returned": "    print([(d, s / n) for d, s in order])",
    "return inside the loop": """\
    found = []
    for d, s in order:
        found.append((d, s / n))
        return found
    return found""",
    "dependence on a global": "    return [(d, s / n) for d, s in sorted(SCORES.items())]",
    "a parameter is not used": "    return [(d, 0.5) for d in sorted(scores)]",
    "another kind of value": "    return 0.5",
    "nothing returned on one way": "    if n:\n        return [(d, s / n) for d, s in order]",
    "stops with an error": "    return [(d, s / n) for d, s in order] if order[0] else []",
    "a name without a value": "    return [(d, s / total) for d, s in order]",
    "off by one": "    return [(d, s / n) for d, s in order[1 - 1 : k + 1 - 2 + 0]]",
}


@pytest.mark.parametrize("name", GENERAL)
def test_a_mistake_that_can_be_made_everywhere_is_named_without_being_listed(name):
    code = (
        ORDER.replace("(-pair[1], pair[0]))[:k]", "(-pair[1], pair[0]))") if "k]" in GENERAL[name] else ORDER
    )
    code = code.replace("[:k]", "") if name in ("off by one", "a parameter is not used") else code
    found = verdict(f"def best(scores, k):\n{code}{GENERAL[name]}\n", SCORES={"d1": 0.5, "d7": 0.25})
    assert found.status == "not right yet"
    assert found.mistakes == (name,), found.text


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ('{"hits": sum(values) / len(values), "misses": 1 - sum(values) / len(values)}', "wrong key"),
        ('{"share_of_hits": sum(values) / len(values)}', None),
    ],
)
def test_a_wrong_key_is_told_from_a_missing_one(body, name):
    found = verdict(f"def shares_of(values):\n    return {body}\n", shares())
    assert found.mistakes == ((name,) if name else ())
    if name:
        assert 'Not asked for: "hits", "misses". Missing: "share_of_hits", "share_of_misses".' in " ".join(
            found.text.split()
        )


def test_an_argument_that_is_changed_is_named_where_results_are_right_and_where_they_are_not():
    right = "    scores.update({d: s / n for d, s in order}); return [(d, s / n) for d, s in order]"
    wrong = "    scores.clear(); return [(d, s / (n or 1)) for d, s in order if d != 'd3']"
    for code, status in ((right, ". Its results are right"), (wrong, ", in")):
        found = verdict(f"def best(scores, k):\n{ORDER}{code}\n")
        assert "argument changed" in found.mistakes
        assert f"not right yet{status}" in found.text and "It changes `scores`" in found.text


def test_none_of_these_refuses_a_right_answer():
    """It divides with //, rounds, reads a variable of the notebook, and has a return inside its loop."""
    source = f"""
def best(scores, k):
{ORDER}    half, nothing = round(n // 2), LIST[n:]
    for d, s in order:
        return [(d, s / n) for d, s in order]
    return nothing
"""
    assert verdict(source, LIST=[]).status == "right"


def test_a_known_mistake_is_named_in_another_container_and_with_numbers_of_single_precision():
    for code in (
        "tuple([d, np.float32(s)] for d, s in order)",
        "np.array([(d, s) for d, s in order], dtype=object)",
        "{d: s for d, s in order}",
    ):
        found = verdict(f"def best(scores, k):\n{ORDER}    return {code}\n")
        assert found.mistakes == ("not divided",), found.text


def test_a_known_mistake_and_one_that_can_be_made_everywhere_are_both_named():
    found = verdict(f"def best(scores, k):\n{ORDER}    return [(s, d) for d, s in order]\n")
    assert set(found.mistakes) == {"not divided", "pair turned round"}
    # Of one entry the best score is its own share: only the pair is turned round there.
    assert (
        "two mistakes. The first: You give pairs" in found.text
        and "call     best({'a': 1.0}, 1)" in found.text
    )
    assert "\nThe second: You do not divide." in found.text


def test_of_a_mistake_and_a_slip_beside_it_only_the_mistake_is_named():
    body = "order = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))"
    off = verdict(f"def best(scores, k):\n    {body}\n    return [pair for pair in order[:k - 1]]\n")
    assert off.mistakes == ("not divided",), off.text
    assert "Among other things: You do not divide." in off.text and "Off by one" not in off.text


def test_no_sentence_beside_another_mistake_says_that_all_else_is_right():
    besides = [change.beside_another().message for change in general.CHANGES if not change.only_alone]
    known = [one.message for exercise in contents.EXERCISES.values() for one in exercise.mistakes]
    assert [message for message in known if re.match(r"(All|Your) [\w ]*(is|are) right\b", message)] == []
    assert [message for message in besides if "right one" in message] == []
    # With the other mistake the numbers are not the right ones times 1.44.
    idf = contents.EXERCISES["IDF"]
    source = """
def idf(term, documents):
    n = sum(document.count(term) for document in documents)
    return math.log2(1 + (len(documents) - n + 0.5) / (n + 0.5))
"""
    found = verdict(source, idf, math=math)
    said = " ".join(found.text.split())
    assert "That is the collection frequency" in said and "the right ones" not in said, found.text


def test_two_known_mistakes_are_both_named():
    source = """
def label_problems(queries, corpus_ids):
    seen, problems = set(), []
    for query in queries:
        if query["query_id"] in seen:
            problems.append((query["query_id"], "repeated query id"))
        seen.add(query["query_id"])
        for doc_id in query["labels"]:
            if not any(doc_id in known for known in corpus_ids):
                problems.append((query["query_id"], f"unknown document {doc_id}"))
    return problems
"""
    found = verdict(source, contents.EXERCISES["LABEL_PROBLEMS"])
    assert set(found.mistakes) == {"a part of an id is taken for it", "empty labels missed"}


def _mean(values):
    return sum(values) / len(values)


def _of_two(values):
    return _mean(values[:2])


def _twice(values):
    return 2 * sum(values) / len(values)


def _without_the_last(values):
    return sum(values[:-1]) / len(values)


def _with(values, first=0, last=None, power=1):
    return sum(value**power for value in values[first:last])


def _from_the_second(values):
    return _with(values, first=1)


def _squared(values):
    return _with(values, power=2)


def test_of_two_mistakes_a_function_is_put_together_that_makes_both():
    (in_terms_of_the_reference,) = pairs.together(_mean, _of_two, _twice)
    assert in_terms_of_the_reference([1.0, 3.0, 100.0]) == 4.0
    (of_one_text,) = pairs.together(_mean, _twice, _without_the_last)
    assert of_one_text([1.0, 3.0, 4.0, 100.0]) == 4.0
    (of_one_helper,) = pairs.together(_mean, _from_the_second, _squared)
    assert of_one_helper([5, 2, 3]) == 13
    assert pairs.together(_mean, _from_the_second, _twice) == []


def test_what_is_done_with_nothing_and_what_is_done_with_the_rest_are_named_apart():
    source = "def best(scores, k):\n" + ORDER + "    return [(d, s) for d, s in order] if order[0] else []\n"
    assert verdict(source).mistakes == ("not divided", "stops with an error")


def calls_below(text):
    """The sentences of a pair, each with the call that is printed below it."""
    first, second = text.split("The second: ")
    return [part.partition("  call     ")[2].partition("\n")[0] for part in (first, second)]


def test_each_of_two_mistakes_is_shown_by_a_call_of_its_own():
    source = "def best(scores, k):\n" + ORDER + "    return [(d, s) for d, s in order] if order[0] else []\n"
    assert calls_below(verdict(source).text) == ["best({'d1': 1.0, 'd2': 4.0, 'd3': 2.0}, 2)", "best({}, 3)"]
    source = """
def masked_mean(vectors, mask):
    if len(vectors) != len(mask):
        raise ValueError
    shown = [vector for vector, one in zip(vectors, mask) if one]
    return [sum(column) / len(vectors) for column in zip(*shown)] if shown else [0.0] * 2
"""
    found = verdict(source, contents.EXERCISES["MASKED_MEAN"])
    for part in found.text.split("The second: "):
        assert ("wants an error" in part) <= ("needed   ValueError" in part), found.text


def test_two_mistakes_at_once_are_put_together_with_no_third():
    for exercise in contents.EXERCISES.values():
        for pair in pairs.pairs_of(exercise.reference, exercise.mistakes[:4], exercise.cases):
            assert not pairs.is_two(pair.one) and not pairs.is_two(pair.other)


SIZES = Exercise(
    name="SIZES",
    task="",
    reference=lambda words: {"size": len(words) + max(map(len, words))},
    cases=tuple(Case((words,), "") for words in (["a"], ["b", "cde"], ["fg", "h", "i"], ["jklm"], ["n"] * 5)),
    hints=("", " ", "  "),
)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("n = len(words) + 1\n    return {'size': n + max(map(len, words))}", ("off by one",)),
        ("n = len(words) + 1\n    m = 3 + max(map(len, words))\n    return {'size': n + m - 3}", ()),
    ],
)
def test_where_several_places_could_be_mended_none_is_called_the_wrong_one(body, names):
    function = in_a_cell(f"def sizes(words):\n    {body}\n", {})["sizes"]
    assert SIZES.verdict(function).mistakes == names


def test_a_condition_that_parts_nothing_is_no_border():
    source = "def best(scores, k):\n" + ORDER + "    return [(d, s / n) for d, s in order if s > 0.25]\n"
    assert verdict(source).mistakes == ("a condition too many",)


def test_a_mistake_among_others_explains_the_case_that_is_shown_and_half_of_what_is_wrong():
    wrong = "[(d, 7.0 if d == 'a' else s) for d, s in order]"
    found = verdict(f"def best(scores, k):\n{ORDER}    return {wrong}\n")
    assert found.mistakes == ("not divided",) and "Among other things: You do not divide." in found.text
    shown = found.text.partition("  call     best(")[2].partition(")")[0]
    assert shown and "'a'" not in shown


def test_a_right_function_that_calls_a_wrong_one_is_told_which():
    source = """
def dcg_at_k(ranking, grades, k=10):
    return sum(grades.get(doc_id, 0) for doc_id in ranking[:k])
def ndcg_at_k(ranking, grades, k=10):
    ideal = sorted(grades, key=grades.get, reverse=True)
    best = dcg_at_k(ideal, grades, k)
    return dcg_at_k(ranking, grades, k) / best if best else 0.0
"""
    found = verdict(source, contents.EXERCISES["NDCG"])
    assert found.mistakes == ("built on a function that is not right",)
    assert "it calls your `dcg_at_k`" in found.text


def test_what_may_be_left_out_of_a_call_must_have_a_value():
    source = "def dcg_at_k(ranking, grades, k):\n    return own(ranking, grades, k)\n"
    code = contents.EXERCISES["DCG"].source().replace("def dcg_at_k", "def own")
    found = verdict(f"from math import log2\n{code}\n{source}", contents.EXERCISES["DCG"])
    assert found.mistakes == ("no default",) and "`dcg_at_k(ranking, grades, k=10)`" in found.text


def test_a_name_that_another_cell_defines_is_looked_up_in_the_notebook(tmp_path, monkeypatch):
    import nbformat

    cells = [
        nbformat.v4.new_markdown_cell("# Lesson\n\n## 4 Totals"),
        nbformat.v4.new_code_cell("%matplotlib inline\ntotal = 3"),
        nbformat.v4.new_code_cell("best = 7"),
        nbformat.v4.new_markdown_cell("## 5 Later"),
        nbformat.v4.new_code_cell("later = 1"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "lesson.ipynb")
    monkeypatch.setattr(session.Cell, "notebook", tmp_path / "lesson.ipynb")
    monkeypatch.setattr(session.Cell, "source", "best = 7")
    found = verdict(f"def best(scores, k):\n{ORDER}{GENERAL['a name without a value']}\n")
    assert 'defined in code cell 1, under "4 Totals", which has not been run' in " ".join(found.text.split())
    assert sections.where_defined("later").endswith("further down than this one.")
    assert sections.where_defined("best") == "" == sections.where_defined("nothing")


BY_HEART = """
def best(scores, k):
    order = sorted(scores.items(), key=lambda pair: ({key}, pair[0]))
    return [(doc_id, score / len({by})) for doc_id, score in order[:{end}] if {kept}]
"""
SLIPS = {
    "off by one": ("-pair[1]", "scores", "k - 1", "True"),
    "a condition too many": ("-pair[1]", "scores", "k", "score > 0.5"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_of_one_place_is_found_by_mending_it(name):
    places = dict(zip(("key", "by", "end", "kept"), SLIPS[name], strict=True))
    assert verdict(BY_HEART.format(**places)).mistakes == (name,)


LISTED = Exercise(
    name="LISTED",
    task="",
    reference=lambda words: sorted(set(words)),
    cases=tuple(Case((list(words),), "") for words in ("ab", "cab", "bcab", "dcbaa", "a")),
    hints=("", " ", "  "),
)
IN_ANOTHER_SHAPE = {
    "entries repeated": "sorted(words)",
    "another order": "sorted(set(words), key='cadb'.index)",
    "goes on after the end": "sorted(set(words)) + ['x']",
}


@pytest.mark.parametrize("name", IN_ANOTHER_SHAPE)
def test_a_list_with_the_right_entries_is_told_what_else_is_wrong_with_it(name):
    function = in_a_cell(f"def listed(words):\n    return {IN_ANOTHER_SHAPE[name]}\n", {})["listed"]
    assert LISTED.verdict(function).mistakes == (name,)


AVERAGE = Exercise(
    name="AVERAGE",
    task="",
    reference=lambda values: sum(values) / len(values),
    cases=tuple(Case((values,), "") for values in ([1, 2], [0.5], [3, 1, 5], [2, 2, 0, 1], [4, 4])),
    hints=("", " ", "  "),
)


def test_what_numbers_are_divided_by_is_seen_in_the_size_of_what_is_given():
    function = in_a_cell("def average(values):\n    return sum(values)\n", {})["average"]
    assert AVERAGE.verdict(function).mistakes == ("divided by something else",)


def test_a_result_of_0_says_nothing_against_a_wrong_divisor():
    cases = (*AVERAGE.cases, Case(([0, 0],), ""))
    exercise = Exercise("AVERAGE", "", AVERAGE.reference, cases, ("", " ", "  "))
    function = in_a_cell("def average(values):\n    return sum(values)\n", {})["average"]
    assert exercise.verdict(function).mistakes == ("divided by something else",)


def test_exact_comparison_of_floats_is_named_by_the_right_functions_that_it_refuses():
    source = """
def wrong_ndcgs(variants):
    cases = [(["x", "a", "b"], {"a": 1, "b": 2, "c": 1, "d": 2}, 2), (["a"], {"a": 0}, 1),
             (["x", "a", "b", "c"], {"a": 1, "b": 2, "c": 2, "d": 2}, 4)]
    result = []
    for i, f in enumerate(variants):
        for r, g, k in cases:
            if f(r, g, k) != ndcg_at_k(r, g, k):
                result.append(i)
                break
    return result
"""
    ndcg = contents.EXERCISES["NDCG"].reference
    found = verdict(source, contents.EXERCISES["WRONG_NDCGS"], ndcg_at_k=ndcg)
    assert len(found.mistakes) == 1 and found.mistakes[0].startswith("compared"), found.text
    assert "Let differences up to 1e-9 pass" in " ".join(found.text.split())


def test_an_entry_that_an_inner_loop_appends_again_is_shown_where_it_stands():
    source = (
        "def listed(words):\n    found = []\n    for word in sorted(set(words)):\n"
        "        for other in words:\n            if word <= other:\n                found.append(word)\n"
        "    return found\n"
    )
    found = LISTED.verdict(in_a_cell(source, {})["listed"])
    assert found.mistakes == ("entries repeated",)
    assert "`found.append(word)` stands in an inner loop" in " ".join(found.text.split())


def test_a_value_compared_with_place_minus_one_is_not_called_a_wrong_factor():
    source = """
def holm(p_values):
    names, m = sorted(p_values, key=p_values.get), len(p_values)
    raw = [(m - place) * p_values[name] for place, name in enumerate(names)]
    for i in range(m):
        raw[i] = max(raw[i], raw[i - 1])
    return dict(zip(names, raw))
"""
    found = verdict(source, contents.EXERCISES["HOLM"])
    assert set(found.mistakes) == {"the first raised to the last", "above 1"}, found.text
