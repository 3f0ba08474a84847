"""A budget lets the best candidates through up to its limits, and says why every other was left out."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.budget import RULES, Cut, Item, QueryBudget, within_budget


def candidates(*described: tuple[str, int]) -> list[Item]:
    """Items of the sources and lengths given, best first: a, b, c."""
    named = zip("abcdefgh", described, strict=False)
    return [Item(name, name, source, 1.0, "x" * size, 100, 100 + size) for name, (source, size) in named]


def outcome(items: list[Item], **limits: int) -> tuple[str, dict[str, str]]:
    kept, cut = within_budget(items, QueryBudget(**limits))
    return "".join(item.item_id for item in kept), {one.item.item_id: one.reason for one in cut}


CANDIDATES = st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 5)), max_size=8).map(
    lambda found: candidates(*found)
)
BUDGETS = st.builds(
    QueryBudget,
    max_total_items=st.integers(1, 9),
    maximum_total_characters=st.none() | st.integers(1, 12),
    max_items_per_source=st.none() | st.integers(1, 3),
    offset=st.integers(0, 4) | st.just(10**12),
)


def allowed(chosen: list[Item], budget: QueryBudget) -> bool:
    sources = [item.source_uri for item in chosen]
    cap, characters = budget.max_items_per_source, budget.maximum_total_characters
    return (
        len(chosen) <= budget.max_total_items
        and (cap is None or all(sources.count(source) <= cap for source in sources))
        and (characters is None or sum(len(item.text) for item in chosen) <= characters)
    )


@given(CANDIDATES, BUDGETS)
def test_of_all_selections_within_the_limits_the_one_with_the_best_candidates_is_kept(items, budget):
    # Every subset is tried; taking a better candidate goes before whatever that costs further down.
    after = items[budget.offset :]
    subsets = (
        [item for item, taken in zip(after, choice, strict=True) if taken]
        for choice in product([1, 0], repeat=len(after))
    )
    assert within_budget(items, budget)[0] == next(chosen for chosen in subsets if allowed(chosen, budget))


@given(CANDIDATES, BUDGETS)
def test_every_candidate_is_kept_or_cut_for_the_first_rule_that_it_breaks(items, budget):
    kept, cut = within_budget(items, budget)
    reasons = {one.rank: one.reason for one in cut}
    assert [one.item for one in cut] == [items[rank - 1] for rank in reasons]
    assert kept == [item for rank, item in enumerate(items, start=1) if rank not in reasons]
    for rank, item in enumerate(items, start=1):
        before = [other for n, other in enumerate(items[: rank - 1], start=1) if n not in reasons]
        of_source = [other for other in before if other.source_uri == item.source_uri]
        broken = {
            "offset": rank <= budget.offset,
            "max_total_items": len(before) == budget.max_total_items,
            "max_items_per_source": len(of_source) == budget.max_items_per_source,
            "maximum_total_characters": sum(len(other.text) for other in [*before, item])
            > (budget.maximum_total_characters or 10**9),
        }
        assert reasons.get(rank) == next((reason for reason, holds in broken.items() if holds), None)
    assert set(reasons.values()) <= set(RULES)


@given(CANDIDATES, BUDGETS, st.data())
@pytest.mark.filterwarnings("ignore:candidate")
def test_scores_and_their_ties_change_nothing(items, budget, data):
    scores = data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=len(items), max_size=len(items)))
    scored = [Item(**(vars(item) | {"score": score})) for item, score in zip(items, scores, strict=True)]
    ids = [item.item_id for item in within_budget(scored, budget)[0]]
    assert ids == [item.item_id for item in within_budget(items, budget)[0]]


def test_candidates_that_do_not_come_best_first_are_told():
    items = [Item(name, name, name, score, "x", 0, 1) for name, score in (("a", 0.2), ("b", 0.9))]
    with pytest.warns(UserWarning, match="candidate 1 has the score 0.2, and candidate 2 0.9"):
        kept, _ = within_budget(items, QueryBudget(max_total_items=1))
    assert [item.item_id for item in kept] == ["a"]


def test_the_list_ends_when_it_is_full():
    assert outcome(candidates(("x", 1), ("y", 1), ("z", 1)), max_total_items=2) == (
        "ab",
        {"c": "max_total_items"},
    )


def test_the_offset_skips_the_first_candidates_and_fills_the_list_after_them():
    items = candidates(("x", 1), ("y", 1), ("z", 1))
    assert outcome(items, max_total_items=1, offset=1) == ("b", {"a": "offset", "c": "max_total_items"})
    assert outcome(items, max_total_items=1, offset=3) == ("", dict.fromkeys("abc", "offset"))


def test_a_source_at_its_cap_gives_way_to_others():
    items = candidates(("x", 1), ("x", 1), ("y", 1), ("x", 1))
    expected = ("ac", {"b": "max_items_per_source", "d": "max_items_per_source"})
    assert outcome(items, max_total_items=9, max_items_per_source=1) == expected


def test_what_the_offset_skips_counts_towards_no_cap():
    items = candidates(("x", 5), ("x", 5))
    assert outcome(
        items, max_total_items=1, max_items_per_source=1, maximum_total_characters=5, offset=1
    ) == (
        "b",
        {"a": "offset"},
    )


def test_an_item_too_long_is_skipped_whole_and_a_shorter_one_below_it_may_fit():
    items = candidates(("x", 4), ("y", 7), ("z", 6))
    assert outcome(items, max_total_items=9, maximum_total_characters=10) == (
        "ac",
        {"b": "maximum_total_characters"},
    )


def test_an_item_skipped_for_its_source_costs_no_characters():
    items = candidates(("x", 5), ("x", 5), ("y", 5))
    limits = {"max_total_items": 9, "max_items_per_source": 1, "maximum_total_characters": 10}
    assert outcome(items, **limits) == ("ac", {"b": "max_items_per_source"})


def test_an_item_skipped_for_its_length_counts_towards_no_cap():
    items = candidates(("x", 50), ("x", 5))
    limits = {"max_total_items": 9, "max_items_per_source": 1, "maximum_total_characters": 10}
    assert outcome(items, **limits) == ("b", {"a": "maximum_total_characters"})


def test_an_item_that_breaks_two_rules_is_cut_by_the_first():
    items = candidates(("x", 5), ("x", 50))
    limits = {"max_total_items": 9, "max_items_per_source": 1, "maximum_total_characters": 10}
    assert outcome(items, **limits) == ("a", {"b": "max_items_per_source"})


def test_an_item_of_exactly_the_characters_left_fits_and_one_without_text_always_does():
    items = candidates(("x", 10), ("y", 0), ("z", 1))
    assert outcome(items, max_total_items=9, maximum_total_characters=10) == (
        "ab",
        {"c": "maximum_total_characters"},
    )


def test_a_cut_item_keeps_its_rank_among_the_candidates():
    items = candidates(("x", 1), ("x", 1), ("y", 1), ("y", 1))
    cut = within_budget(items, QueryBudget(max_total_items=2, max_items_per_source=1))[1]
    assert cut == [Cut(items[1], 2, "max_items_per_source"), Cut(items[3], 4, "max_total_items")]


def test_no_candidates_give_no_evidence():
    assert within_budget([], QueryBudget(max_total_items=1)) == ([], [])


def test_an_item_that_stands_twice_is_refused():
    item = candidates(("x", 1))[0]
    with pytest.raises(ValueError, match="item 'a' stands 2 times among the candidates"):
        within_budget([item, item], QueryBudget(max_total_items=5))


@pytest.mark.parametrize("limit", ["max_total_items", "maximum_total_characters", "max_items_per_source"])
@pytest.mark.parametrize("value", [0, -1, True, 1.0, "5", float("nan")])
def test_a_limit_is_a_whole_number_from_1_up(limit, value):
    with pytest.raises(ValueError, match=limit):
        QueryBudget(**({"max_total_items": 5} | {limit: value}))


@pytest.mark.parametrize(
    "wrong", [{"offset": -1}, {"offset": None}, {"max_total_items": None}, {"max_items": 3}]
)
def test_a_budget_has_no_other_limits_and_no_negative_offset(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        QueryBudget(**({"max_total_items": 5} | wrong))


def test_a_budget_says_how_many_items_and_cannot_be_changed():
    with pytest.raises(ValueError, match="max_total_items"):
        QueryBudget()
    with pytest.raises(ValueError, match="stays as it was made"):
        QueryBudget(max_total_items=5).max_total_items = 6


@given(BUDGETS)
def test_a_budget_is_read_back_as_it_was_written(budget):
    assert QueryBudget.model_validate_json(budget.model_dump_json()) == budget


def test_candidates_that_come_bit_by_bit_are_the_same_candidates():
    items = candidates(("x", 1), ("y", 1), ("x", 1))
    budget = QueryBudget(max_total_items=2)
    assert within_budget((item for item in items), budget) == within_budget(items, budget)
