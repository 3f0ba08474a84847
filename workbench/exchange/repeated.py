"""Judgments that come in under one name and are another's: a judge beside themselves has a kappa of 1."""

from collections import Counter
from collections.abc import Mapping

from helpers.base import counted, warn
from workbench.labelling import Labelling, SavedJudgment, read_judges, read_verdicts

_FEWEST, _NEARLY_ALL = 20, 0.9
_QUOTES = 10
_CAREFUL, _RARE = 0.9, 0.001

Judged = Mapping[tuple[str, str], SavedJudgment]


def warn_if_repeated(lab: Labelling, added: Judged) -> None:
    """Warns where nearly all judgments that were added repeat those of somebody else in the project.

    The project's own that were taken over from this judge, or that come in as another's, are no such case.
    """
    whom, added = lab.judge_name, {pair: one for pair, one in added.items() if not one.by}
    for name in (None, *read_judges(lab.folder)):
        if name == whom:
            continue
        theirs = read_verdicts(lab.folder, name)
        n = repeats(added, {pair: one for pair, one in theirs.items() if not (whom and one.by == whom)}, lab)
        if n:
            warn(_said(n, added, whom, name))
            return


def repeats(added: Judged, theirs: Judged, lab: Labelling) -> int:
    """How many judgments are those of another judge, where nearly all are; 0 where they may be one's own.

    Nearly all of at least 20 pairs have to be among those of the other, with the same grade and the same
    quote, where there are quotes. Two who judge apart may agree in so many grades. They seldom copy the same
    words out of a document, so ten equal quotes tell, of documents that are longer than the quote; without
    them all grades have to be equal, and so many that two judges with a kappa of 0.9 would agree in all of
    them in fewer than one of a thousand cases.
    """
    both = added.keys() & theirs.keys()
    if len(both) < _FEWEST or len(both) < _NEARLY_ALL * len(added):
        return 0
    quoted = any(one.quote for one in added.values())
    same = [pair for pair in both if _is_same(added[pair], theirs[pair], quoted)]
    if len(same) < _NEARLY_ALL * len(both):
        return 0
    words = {pair: " ".join(added[pair].quote.split()) for pair in same}
    if (
        sum(bool(said) and said != " ".join(lab.texts[d].split()) for (_, d), said in words.items())
        >= _QUOTES
    ):
        return len(same)
    by_chance = sum((n / len(both)) ** 2 for n in Counter(theirs[pair].grade for pair in both).values())
    equal = _CAREFUL + (1 - _CAREFUL) * by_chance
    return len(same) if len(same) == len(both) and equal ** len(both) < _RARE else 0


def _is_same(one: SavedJudgment, other: SavedJudgment, quoted: bool) -> bool:
    """Whether two judgments of a pair say the same, of the same text."""
    other_text = one.checksum and other.checksum and one.checksum != other.checksum
    same_quote = not quoted or one.quote.split() == other.quote.split()
    return one.grade == other.grade and same_quote and not other_text


def _said(n: int, added: Judged, whom: str | None, name: str | None) -> str:
    """What to say of judgments that came in for `whom` and repeat those of `name`, None the project's own."""
    of_rows = f"{n:,} of the {counted(len(added), 'judgment')} that were added repeat"
    path = f"judges/{whom}.jsonl" if whom else "judgments.jsonl"
    undo = f"take the last {counted(len(added), 'line')} out of {path} again"
    if whom is None:
        so = f"as your own they would count as equal in workbench agreement {name}"
        cure = f"{undo}, and take them over: workbench settle {name} --rest"
        return f"{of_rows} what {name} judged, whose judgments are apart here; {so}; to keep it true {cure}"
    if name is None:
        same = "a judge who agrees with themselves has a kappa of 1"
        cure = f"{undo}, and import only what {whom} judged; if all are {whom}'s, take them out of "
        cure += f"judgments.jsonl instead, then workbench settle {whom} --rest"
        return f"{of_rows} the project's own; {same}: {cure}"
    return f"{of_rows} what {name} judged; is it {name}'s file? If so, {undo}"
