"""What a row of a dataset expects of a corpus and its snapshot, and where it was lost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from helpers.base import counted
from helpers.records import Corpus
from workbench.budget import Cut, Item, QueryBudget, within_budget
from workbench.dataset_files import EvaluationDataset, EvaluationQuery


@dataclass(frozen=True)
class Expectation:
    """A row, the documents of the corpus that would answer it, and whether any text of theirs can be found.

    >>> row = EvaluationQuery(query_id="q1", query_text="disk full", expected_item_id="d1", kind="gold")
    >>> item = Item("d1#0", "d1", "d1.md", 1.0, "the disk is full", 0, 16)
    >>> Expectation(row, ("d1",), has_text=True).met_by(item)
    True
    """

    row: EvaluationQuery
    documents: tuple[str, ...]
    has_text: bool

    def met_by(self, item: Item) -> bool:
        """Whether an item is what the row expects: of its source or document, or the piece that is named.

        An id that is both a document's and a chunk's is the document's.
        """
        wanted = self.row.expected_item_id
        if wanted is None:
            return item.source_uri == self.row.expected_source_uri
        return wanted == (item.doc_id if wanted in self.documents else item.item_id)

    @property
    def name(self) -> str:
        """The expected item or source, for a sentence."""
        wanted = self.row.expected_item_id
        return f"source {self.row.expected_source_uri!r}" if wanted is None else repr(wanted)


def expectations(
    dataset: EvaluationDataset, texts: Corpus, sources: Mapping[str, str], document_of: Mapping[str, str]
) -> list[Expectation]:
    """What each row expects, in the order of the dataset.

    `texts` is `{doc_id: text}`, `sources` `{doc_id: source_uri}`, `document_of` `{item_id: doc_id}` for the
    items of the snapshot. An expected item may be a document or a piece of one; what nobody knows has no
    document.

    >>> row = EvaluationQuery(query_id="q1", query_text="disk", expected_item_id="d1#0", kind="gold")
    >>> dataset = EvaluationDataset(schema_version=1, name="toy", description="", queries=(row,))
    >>> expectations(dataset, {"d1": "the disk"}, {"d1": "d1.md"}, {"d1#0": "d1"})[0].documents
    ('d1',)
    """
    of_source: dict[str, list[str]] = {}
    for doc_id, source in sources.items():
        of_source.setdefault(source, []).append(doc_id)
    of_item = {item_id: [doc_id] for item_id, doc_id in document_of.items()} | {
        doc_id: [doc_id] for doc_id in texts
    }
    findable = {doc_id for doc_id in document_of.values() if texts[doc_id].strip()}
    found = []
    for row in dataset.queries:
        if row.expected_source_uri is not None:
            documents = of_source.get(row.expected_source_uri, [])
        else:
            documents = of_item.get(row.expected_item_id, [])
        found.append(Expectation(row, tuple(documents), not findable.isdisjoint(documents)))
    return found


def miss_cause(
    expected: Expectation,
    candidates: Sequence[Item],
    kept: Sequence[Item],
    cut: Iterable[Cut],
    budget: QueryBudget,
) -> tuple[str | None, str]:
    """The cause of a miss (None for a hit), one of `MISS_CAUSES`, and one sentence about it.

    `kept` and `cut` are what the budget made of the candidates. The causes are asked from the corpus to the
    evidence, and the first that holds is the only one. A document far down, which a limit of characters
    skipped too, is ranked too low: without that limit the items would have run out before its rank.

    >>> row = EvaluationQuery(query_id="q1", query_text="disk full", expected_item_id="d1", kind="gold")
    >>> miss_cause(Expectation(row, ("d1",), has_text=True), [], [], [], QueryBudget(max_total_items=5))
    ('not retrieved', "'d1' is in the corpus, and the backend found nothing for this query.")
    """
    # A hit has no cause.
    for rank, item in enumerate(kept, start=1):
        if expected.met_by(item):
            return None, f"{item.item_id!r} is at rank {rank} of {len(kept)}."
    # Is what the row expects in the corpus?
    if not expected.documents:
        is_source = expected.row.expected_item_id is None
        where = "in the corpus" if is_source else "in the corpus and not an item of the snapshot"
        so = "so it is stale, mistyped or of another corpus"
        return "not in the corpus", f"{expected.name} is not {where}, {so}."
    # Has it any text?
    if not expected.has_text:
        return "no text", f"{expected.name} is in the corpus, and holds no text that could be found."
    # Did the backend find it?
    best = next((one for one in cut if expected.met_by(one.item)), None)
    if best is None:
        found = counted(len(candidates), "other item") if candidates else "nothing for this query"
        return "not retrieved", f"{expected.name} is in the corpus, and the backend found {found}."
    # Did the items run out before its rank, as they are or without the rule that skipped it?
    if best.reason == "max_total_items":
        return "ranked too low", _too_low(best, candidates, kept)
    skipped = f"{best.item.item_id!r} is candidate {best.rank} and was skipped by {best.reason}"
    if _too_low_anyway(best, candidates, budget):
        slots = "the only place" if budget.max_total_items == 1 else f"all {budget.max_total_items:,} places"
        return "ranked too low", f"{skipped}; without that rule {slots} would go to candidates above it."
    # Then that rule alone kept it out.
    return "cut by the budget", f"{skipped}: {_rule(best, budget)}."


def _too_low_anyway(best: Cut, candidates: Sequence[Item], budget: QueryBudget) -> bool:
    """Whether the items would run out before a candidate if the rule that skipped it were not there."""
    if best.reason == "offset":  # what it skips stands above all that is kept
        return False
    _, cut = within_budget(candidates, budget.model_copy(update={best.reason: None}))
    return any(one.rank == best.rank and one.reason == "max_total_items" for one in cut)


def _too_low(best: Cut, candidates: Sequence[Item], kept: Sequence[Item]) -> str:
    last = kept[-1]
    slot = "the only place" if len(kept) == 1 else f"the last of {len(kept)} places"
    holder = f"{last.item_id!r}, candidate {1 + candidates.index(last)}"
    scores = f"{last.score:.4g} against {best.item.score:.4g}"
    return f"{best.item.item_id!r} is candidate {best.rank}; {slot} went to {holder} ({scores})."


def _rule(best: Cut, budget: QueryBudget) -> str:
    """What a rule did to an item, in words."""
    if best.reason == "offset":
        return f"the budget begins after candidate {budget.offset:,}"
    if best.reason == "max_items_per_document":
        return f"{counted(budget.max_items_per_document, 'item')} of {best.item.doc_id!r} stood above it"
    if best.reason == "max_items_per_source":
        return f"{counted(budget.max_items_per_source, 'item')} of {best.item.source_uri!r} stood above it"
    size = counted(len(best.item.text), "character")
    return f"its {size} would have brought the evidence above {budget.maximum_total_characters:,}"
