"""Queries and judgments of other tools, brought into a project."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import count
from numbers import Integral, Real
from os import PathLike

from helpers.base import (
    check_flag,
    check_mapping,
    check_type,
    check_whole,
    counted,
    first_few,
    folded,
    one_at_a_time,
    refuse,
)
from helpers.records import Qrels
from workbench.exchange.asked_queries import AskedQuery, each_once, key_of
from workbench.exchange.odd_queries import warn_of_personal_data
from workbench.exchange.repeated import warn_if_repeated
from workbench.labelling import (
    QUERIES_FILE,
    Labelling,
    Question,
    SavedJudgment,
    alike_segments,
    as_segment,
    judged_queries,
    quoted_in,
    read_resolved,
    verdicts_path,
    write_records,
)
from workbench.systems import written_otherwise


@dataclass(frozen=True)
class BroughtIn:
    """How many records were added, how many were there already, and what to look at."""

    added: int
    known: int
    notes: list[str] = field(default_factory=list)


def bring_in_queries(lab: Labelling, queries: Iterable[AskedQuery]) -> BroughtIn:
    """Adds queries to a project; one with a text that is known stays as it is, but for the first sample of a
    log, which gives it its frequency and how often it was drawn, and a larger one that holds it, and for a
    segment where it has none.

    An id is kept where there is one, else the next number is given. Frequencies are kept. A sample with all
    searches that were drawn before and more, as the same log and seed give it, takes the place of the one
    before; the queries of any other one are added without their draws. Texts that look as if they held
    personal data are named in the notes, and are kept as they are; so are new queries whose id has judgments
    already, and those of another sample, and how to be rid of searches that programs made. Of texts that
    differ only in capitals, blanks or the encoding of accents the most frequent form is added. Raises
    ValueError, and adds nothing, for an id that another query has, here or in the file, or had when its
    judgments were measured.

    >>> BroughtIn(2, 0).added
    2
    """
    queries = _checked(queries)
    with one_at_a_time(lab.folder):
        return _bring_in_queries(lab, queries)


def _bring_in_queries(lab: Labelling, queries: list[AskedQuery]) -> BroughtIn:
    """`bring_in_queries`, while nobody else writes into the project."""
    known = lab.questions()
    added, again, problems = _new_and_known(queries, known, lab.next_number())
    named = _named(again, known)
    drawn = {query_id: query for query_id, query in again if query.drawn and query_id in known}
    how = _beside_the_one_before(drawn, added, known)
    sampled = _sampled(again, known | named) if how in ("the first", "larger") else {}
    taken_over, judged = _judged_before(lab, added)
    refuse([*problems, *taken_over], "the queries")
    counts = how in ("the first", "larger")  # a mean over two samples would be one of neither log
    kept = [one if counts else one.model_copy(update={"drawn": None}) for one in added.values()]
    write_records(lab.folder / QUERIES_FILE, [*(known | named | sampled).values(), *kept])
    notes = warn_of_personal_data({query_id: one.query for query_id, one in added.items()})
    if notes:
        notes.append("look at them before anybody else gets this folder; take one out by deleting its line")
    notes += [*judged, *_of_samples(how, drawn, added, known), *_kept(again, known, sampled)]
    notes += [*_count_once(queries), *_of_programs(lab, queries, added)]
    notes += [*_segments_kept(again, now := known | named | added, list(named))]
    notes += alike_segments(one.segment for one in now.values() if one.segment)
    return BroughtIn(len(added), len(again), notes)


def _checked(queries: Iterable[AskedQuery]) -> list[AskedQuery]:
    if isinstance(queries, str | PathLike):
        raise ValueError(f"queries is the path {str(queries)!r:.60}; read_queries(path) reads the file")
    queries = list(queries)
    for number, query in enumerate(queries):
        check_type(f"queries[{number}]", query, AskedQuery, "e.g. AskedQuery('reset password')")
        check_type(f"queries[{number}].text", query.text, str)
        check_whole(f"the frequency of {query.text!r:.60}", query.frequency, of="searches")
        if query.segment is not None:
            as_segment(query.segment)
    return each_once(queries, lambda one: (key_of(one.text), one.query_id, one.kind, one.segment))


def _new_and_known(
    queries: Sequence[AskedQuery], known: Mapping[str, Question], number: int
) -> tuple[dict[str, Question], list[tuple[str, AskedQuery]], list[str]]:
    """The new queries by id, those whose text is known, each with the id that it has, and the problems."""
    added: dict[str, Question] = {}
    again, problems = [], []
    by_text = {folded(one.query): query_id for query_id, one in known.items()}
    of_id = {query.query_id: query for query in reversed(queries) if query.query_id is not None}
    free = (one for n in count(number) if (one := f"q{n:02d}") not in of_id)
    for query in queries:
        key, first = folded(query.text), of_id.get(query.query_id, query)
        if folded(first.text) != key:
            both = f"{query.query_id!r} is {_at(first)}, and {_at(query)}"
            problems.append(f"{both}; give one of the two another id")
        elif key in by_text:
            again.append((by_text[key], query))
        elif query.query_id in known:
            here = f"{known[query.query_id].query!r:.60} in {QUERIES_FILE}"
            cure = f"give the new text another id, or, if the query was reworded, write it in {QUERIES_FILE}"
            problems.append(f"{query.query_id!r} is {here}, and {_at(query)}; {cure}")
        else:
            query_id = next(free) if query.query_id is None else query.query_id
            by_text[key], added[query_id] = query_id, _question(query_id, query)
    return added, again, problems


def _question(query_id: str, query: AskedQuery) -> Question:
    """A query as the project writes it, without what is as it is for every query."""
    said = {"kind": query.kind} if query.kind else {}
    said["segment"] = query.segment
    if query.drawn or query.frequency > 1:
        said["frequency"] = query.frequency
    if query.drawn:
        said["drawn"] = query.drawn
    try:
        return Question(query_id=query_id, query=query.text, **said)
    except ValueError as error:
        raise ValueError(f"the query {_at(query)}: {str(error).removeprefix('Question: ')}") from None


def _sampled(again: Iterable[tuple[str, AskedQuery]], known: Mapping[str, Question]) -> dict[str, Question]:
    """The known queries that a sample drew, with what it says of how often they are asked and were drawn."""
    sampled: dict[str, Question] = {}
    for query_id, query in again:
        if query.drawn and query_id in known:
            counts = {"frequency": query.frequency, "drawn": query.drawn}
            sampled.setdefault(query_id, Question(**known[query_id].model_dump() | counts))
    return sampled


def _named(again: Iterable[tuple[str, AskedQuery]], known: Mapping[str, Question]) -> dict[str, Question]:
    """The known queries without a segment that come with one, with it."""
    named: dict[str, Question] = {}
    for query_id, query in again:
        if query.segment and query_id in known and known[query_id].segment is None:
            named.setdefault(query_id, Question(**known[query_id].model_dump() | {"segment": query.segment}))
    return named


def _segments_kept(
    again: Iterable[tuple[str, AskedQuery]], now: Mapping[str, Question], named: Sequence[str]
) -> Iterator[str]:
    """What is said of queries that are here already and have a segment now, or keep another one."""
    if named:
        who = counted(len(named), "query that had no segment has", "queries that had no segment have")
        yield f"{who} one now: {first_few(named)}"
    others = [
        query_id
        for query_id, query in again
        if query.segment and as_segment(query.segment) != now[query_id].segment
    ]
    if others:
        said = f"{counted(len(others), 'query')} of another segment than before keep the old one"
        yield f"{said}: {first_few(others)}; to change it, write it in {QUERIES_FILE}"


def _at(query: AskedQuery) -> str:
    """A query's text, and the line that it was read from."""
    return f"{query.text!r:.60} in {query.where or 'those given'}"


def _judged_before(lab: Labelling, added: Mapping[str, Question]) -> tuple[list[str], list[str]]:
    """Problems, and notes, of new queries whose id has judgments already: of a query that was deleted, which
    may have been another one."""
    before = lab.judged_texts()
    judged = sorted(judged_queries(lab.folder) & added.keys())
    others = [one for one in judged if one in before and folded(before[one]) != folded(added[one].query)]
    cure = "give it another id, or delete those judgments"
    problems = [
        f"{one!r} has judgments made for {before[one]!r:.60}, and is {added[one].query!r:.60} here; {cure}"
        for one in others
    ]
    if not (unsure := [one for one in judged if one not in before]):
        return problems, []
    said = f"{counted(len(unsure), 'new query has', 'new queries have')} judgments already, by the id"
    cure = "if they were made for another text, delete them, or give the new query another id"
    return problems, [f"{said}: {first_few(unsure)}; {cure}"]


def _count_once(queries: Sequence[AskedQuery]) -> list[str]:
    """What is said of queries that are asked more and less often, and were not drawn: all count alike."""
    if len({query.frequency for query in queries}) < 2 or any(query.drawn for query in queries):
        return []
    said = "each query counts once in the means, however often it was asked"
    cure = "--sample N (in Python sample_searches) draws searches, which count as often as they are asked"
    return [f"{said}; {cure}"]


def _of_programs(lab: Labelling, queries: Sequence[AskedQuery], added: Collection[str]) -> list[str]:
    """What is said of searches that programs made and that were brought in with those of people: how to have
    those of people alone."""
    if not added or not any(query.by_programs for query in queries):
        return []
    now = lab.questions()
    drawn = [query_id for query_id, one in now.items() if one.drawn]
    of_sample = not set(added).isdisjoint(drawn)
    gone = drawn if of_sample else list(added)
    if judged_queries(lab.folder).isdisjoint(gone):
        n, which = counted(len(gone), "line"), ' that have "drawn"' if of_sample else ""
        lines = f"the {'' if of_sample else 'last '}{n} of {QUERIES_FILE}{which}"
        where = QUERIES_FILE if len(gone) == len(now) else lines
        cure = f"delete {where}, for nothing of that is judged yet, and import the log without their lines"
    else:
        cure = "import the log without their lines into a new project, and there the judgments of this one: "
        cure += "workbench import judgments OLD/judgments.jsonl --allow-unknown"
    return [f"searches of programs are among these; where people count, {cure}"]


def _beside_the_one_before(
    drawn: Mapping[str, AskedQuery], added: Mapping[str, Question], known: Mapping[str, Question]
) -> str:
    """What a sample is beside the one that is here: `the first`, `larger` and with all searches of that one,
    `within` it, drawn from a log in which what both have is `as frequent`, or `another`. `drawn` are the
    queries of the sample that are known."""
    before = {query_id: one for query_id, one in known.items() if one.drawn}
    if not before:
        return "the first"
    both = [(before[one], query) for one, query in drawn.items() if one in before]
    if not both or any(old.frequency not in (None, query.frequency) for old, query in both):
        return "another"
    is_new = len(drawn) > len(both) or any(one.drawn for one in added.values())
    if not is_new and all(query.drawn <= old.drawn for old, query in both):
        return "within"
    is_whole = len(both) == len(before) and all(query.drawn >= old.drawn for old, query in both)
    return "larger" if is_whole else "as frequent"


def _of_samples(
    how: str, drawn: Mapping[str, AskedQuery], added: Mapping[str, Question], known: Mapping[str, Question]
) -> Iterator[str]:
    """What is said of a sample that is not the first."""
    new = {query_id: one.drawn for query_id, one in added.items() if one.drawn}
    if how == "larger":
        before = {query_id: one.drawn for query_id, one in known.items() if one.drawn}
        n, m = sum(before.values()), sum(new.values()) + sum(query.drawn for query in drawn.values())
        grown = sum(drawn[one].drawn > times for one, times in before.items())
        more = f"{counted(len(new), 'query')} more, {counted(grown, 'known one')} drawn again"
        yield f"the sample of {counted(n, 'search', 'searches')} is now one of {m:,}: {more}"
    elif how != "the first" and (new or drawn):
        said = []
        if new:
            who = f"{counted(len(new), 'query')} of another sample than before added: {first_few(new)}"
            said.append(f"{who}; the mean over searches stays that of the first sample, without them")
        if drawn:
            who = counted(len(drawn), "query was", "queries were")
            said.append(f"{who} drawn again and not counted again: {first_few(drawn)}")
        yield f"{'. '.join(said)}. {_of_one_log(how, len(new))}"


def _of_one_log(how: str, n_new: int) -> str:
    """What to do for one sample, where two are here."""
    if how == "within":
        return "This sample is in the one before; for a larger one give the same log a larger --sample"
    if how == "as frequent":
        undo = f"delete the last {counted(n_new, 'line')} of {QUERIES_FILE}, and " if n_new else ""
        cure = f"{undo}import it with the seed of the first (0 where none was given) and a larger --sample"
        same = (
            "What both samples drew is as frequent as before: if both are of one log and only the --seed is"
        )
        return f"{same} another, {cure}, which extends that one"
    cure = "import both logs as one file (or one log that has grown since) with --sample, into a new project"
    return f"For one mean, {cure}, and there the judgments of this one: workbench import judgments"


def _kept(
    again: Iterable[tuple[str, AskedQuery]], known: Mapping[str, Question], sampled: Collection[str]
) -> Iterator[str]:
    """What is said of queries that are here already, with another id, frequency or kind, or are counted."""
    other_ids, more_often, other_kinds = {}, [], []
    counted_in, again = set(sampled), list(again)
    untold = 1 if all(query.frequency == 1 for _, query in again) else None  # of a file without counts
    for query_id, query in again:
        if query.query_id not in (None, query_id):
            other_ids[query.query_id] = query_id
        if query.drawn and query_id in counted_in:
            counted_in.remove(query_id)
            continue
        here = known.get(query_id, query)
        more_often += [query_id] * (query.frequency not in (untold, here.frequency))
        other_kinds += [query_id] * (query.kind not in (None, here.kind))
    if other_ids:
        pairs = first_few(f"{query_id} is {here}" for query_id, here in other_ids.items())
        yield f"queries that are here already keep the id that they have: {pairs}"
    if more_often:
        said = f"{counted(len(more_often), 'query')} of another frequency than before keep the old one"
        yield f"{said}: {first_few(more_often)}; to change it, write it in {QUERIES_FILE}"
    if first := [one for one in sampled if not known[one].drawn]:
        who = counted(len(first), "query that was here already is", "queries that were here already are")
        yield f"{who} counted in this sample, with the frequency of this file: {first_few(first)}"
    if other_kinds:
        said = f"{counted(len(other_kinds), 'query')} of another kind than before keep the old one"
        yield f"{said}: {first_few(other_kinds)}; to change it, write it in {QUERIES_FILE}"


def bring_in_judgments(
    lab: Labelling,
    qrels: Qrels,
    quotes: Mapping[tuple[str, str], str] | None = None,
    grades: Mapping[int, int] | None = None,
    allow_unknown: bool = False,
) -> BroughtIn:
    """Adds judgments to those of a project's own judge, or of the judge that `lab` is for.

    Queries are known by their ids; of a file that numbers them otherwise `read_judgments` gives the ids of
    here, if it has the project's texts as `queries`. A project grades 2, 1 and 0; `grades` says what others
    become, as `{3: 2, -1: 0}`. A quote may differ from its document in blanks and line breaks; one that does
    not stand there is dropped and noted. A judgment that no longer holds (`Labelling.stale`) is replaced,
    unless its old quote comes again, and one without a quote gets the new one; one whose document or query
    read otherwise (`Labelling.before`) is confirmed by the same grade and replaced by another one, unless its
    row shows an older text (`read_judgments`), which never replaces a judgment of the text of now. All of
    this is noted. Whose a judgment is that was taken over (`Labelling.take_over`) is kept, and a judge gets
    none that a file marks as another's. Warns where nearly all that is added repeats another judge's, or the
    project's own: nobody is to be compared with themselves.

    Raises ValueError, and adds nothing, for queries and documents that the project does not have, with
    examples of both sides, unless `allow_unknown`, with which their judgments are left out and noted, as long
    as others are left; for a grade without a counterpart, and for a pair that was judged otherwise before, of
    the same text.
    """
    if isinstance(qrels, tuple) and len(qrels) == 2:
        given = "qrels is both parts that read_judgments gives"
        raise ValueError(f"{given}; give them apart: qrels, quotes = read_judgments(path)")
    check_mapping("qrels", qrels, "{query_id: {doc_id: grade}}; as_qrels makes it of a table")
    _check_quotes(quotes)
    _check_mapped(grades)
    check_flag("allow_unknown", allow_unknown)
    questions, mapped = lab.questions(), {0: 0, 1: 1, 2: 2} | dict(grades or {})
    quotes = {} if quotes is None else quotes
    pairs = [(query_id, doc_id, grade) for query_id, of in qrels.items() for doc_id, grade in of.items()]
    refuse(list(_no_grades(pairs)), "the judgments")
    strange, notes = _strangers(pairs, questions, lab.documents), []
    here = [one for one in pairs if one[0] in questions and one[1] in lab.documents]
    if strange and here and allow_unknown:
        notes = [f"{counted(len(pairs) - len(here), 'judgment')} left out: {'; '.join(strange)}"]
        pairs, strange = here, []
    elif strange:
        cure = "to leave out their judgments: --allow-unknown (in Python allow_unknown=True)"
        strange[-1] += f"; {cure}" if here else "; no judgment would be left without them"
    refuse([*strange, *_other_grades(pairs, mapped)], "the judgments")
    pairs, of_others = _without_others(lab.judge_name, pairs, getattr(quotes, "by", {}))
    notes += of_others
    with one_at_a_time(lab.folder):
        found = _bring_in_judgments(lab, pairs, quotes, mapped, questions)
    return replace(found, notes=[*notes, *found.notes])


def _without_others(
    judge: str | None, pairs: Sequence[tuple[str, str, int]], by: Mapping[tuple[str, str], str]
) -> tuple[Sequence[tuple[str, str, int]], list[str]]:
    """The judgments of a judge without those that a file marks as another's, and what to say of these. Raises
    ValueError where no other is left."""
    others = dict.fromkeys((q, doc_id) for q, doc_id, _ in pairs if by.get((q, doc_id), judge) != judge)
    if judge is None or not others:
        return pairs, []
    whose = first_few(dict.fromkeys(by[pair] for pair in others))
    said = f"{counted(len(others), 'judgment is', 'judgments are')} marked as those of {whose}, not {judge}'s"
    kept = [(q, doc_id, grade) for q, doc_id, grade in pairs if (q, doc_id) not in others]
    if not kept:
        raise ValueError(f"{said}; no judgment would be left without them; give what {judge} judged")
    return kept, [f"{said}, and left out"]


def _bring_in_judgments(
    lab: Labelling,
    pairs: Sequence[tuple[str, str, int]],
    quotes: Mapping[tuple[str, str], str],
    mapped: Mapping[int, int],
    questions: Mapping[str, Question],
) -> BroughtIn:
    """`bring_in_judgments`, while nobody else writes into the project."""
    before, stale = lab.verdicts(), lab.stale()
    found = _Compared(settled=_settled(lab), earlier=lab.before())
    shown_older, checksums = getattr(quotes, "of_older_text", set()), getattr(quotes, "checksums", {})
    by = getattr(quotes, "by", {}) if lab.judge_name is None else {}
    for query_id, doc_id, grade in pairs:
        said = " ".join(quotes.get((query_id, doc_id), "").split())
        quote = quoted_in(said, lab.texts[doc_id])
        verdict = lab.verdict(query_id, questions[query_id].query, doc_id, mapped[grade], quote or "")
        judged = checksums.get((query_id, doc_id), verdict.checksum)
        of_older = (query_id, doc_id) in shown_older or verdict.checksum not in (None, judged)
        if verdict.checksum and of_older:  # so that everybody sees it has changed
            verdict = verdict.model_copy(update={"checksum": judged})
        verdict = verdict.model_copy(update={"by": by.get((query_id, doc_id))})
        old = before.get((query_id, doc_id))
        as_before = old is not None and quote is None and said == " ".join(old.quote.split())
        renew = (query_id, doc_id) in stale and not as_before
        found.take(verdict, old, renew, of_older)
        if quote is None:
            found.not_there.append(f"{query_id} {doc_id}")
    path = verdicts_path(lab.folder, lab.judge_name)
    cure = f"to correct one, change its line in {path.relative_to(lab.folder).as_posix()}"
    if lab.judge_name is None:
        cure += ", or judge it anew in 1_label.ipynb; those of another judge come in with --judge NAME"
    refuse(found.conflicts, f"the judgments, which contradict earlier ones; {cure}")
    write_records(path, (before | found.saved).values())
    warn_if_repeated(lab, {pair: one for pair, one in found.saved.items() if pair not in before})
    known = sum((query_id, doc_id) in before for query_id, doc_id, _ in pairs)
    return BroughtIn(len(pairs) - known, known, list(found.notes()))


@dataclass
class _Compared:
    """What becomes of judgments that come in, beside those that are there."""

    saved: dict[tuple[str, str], SavedJudgment] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    renewed: list[str] = field(default_factory=list)
    reworded: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)
    other_quotes: list[str] = field(default_factory=list)
    not_there: list[str] = field(default_factory=list)
    confirmed: list[str] = field(default_factory=list)
    older: list[str] = field(default_factory=list)
    still_theirs: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    settled: Mapping[tuple[str, str], str] = field(default_factory=dict)
    earlier: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The pairs whose judgment is of another wording of the query, or another text of the page."""

    def take(self, new: SavedJudgment, old: SavedJudgment | None, renew: bool, of_older: bool) -> None:
        """Saves a judgment that is new, or takes the place of one that no longer holds or is of another text,
        or adds a quote, or confirms one for the text of now, unless it is itself `of_older` text."""
        pair = f"{new.query_id} {new.doc_id}"
        is_earlier = (new.query_id, new.doc_id) in self.earlier
        if old and old.by and old.grade == new.grade and not renew:  # may be that judge's file, once more
            self.still_theirs += [pair] * (new.by is None)
            new = new.model_copy(update={"by": old.by})
        if old is None or renew:
            self.renewed += [pair] * renew
            self.older += [pair] * (of_older and new.checksum is not None)
            self.saved[new.query_id, new.doc_id] = new
        elif old.grade != new.grade and is_earlier and not of_older:
            self.replaced.append(f"{pair} ({old.grade}, now {new.grade})")
            self.saved[new.query_id, new.doc_id] = new
        elif old.grade != new.grade and of_older and not is_earlier and (old.quote or old.checksum):
            self.outdated.append(pair)
        elif old.grade != new.grade:
            said = f"{new.query_id!r}, {new.doc_id!r}: grade {old.grade}, now {new.grade}"
            if judge := self.settled.get((new.query_id, new.doc_id)):
                said += f"; the {old.grade} was settled with {judge}: leave the row out, or settle it anew; "
                rest = f"workbench settle {judge} --rest takes over what you have not judged"
                said += f"if these are {judge}'s, {rest}"
            self.conflicts.append(said)
        elif old.query and folded(old.query) != folded(new.query or ""):
            self.reworded.append(pair)
            kept = {} if new.quote or not old.quote else {"quote": old.quote, "checksum": None}
            self.saved[new.query_id, new.doc_id] = new.model_copy(update=kept)
        elif new.quote and not old.quote:
            self.quoted.append(pair)
            self.saved[new.query_id, new.doc_id] = new
        elif new.quote and new.quote.split() != old.quote.split():
            self.other_quotes.append(pair)
        elif old.checksum not in (None, new.checksum) and not (old.quote or of_older):
            self.confirmed.append(pair)
            self.saved[new.query_id, new.doc_id] = new

    def notes(self) -> Iterator[str]:
        """What is said of judgments that were changed, and of quotes that were not kept."""
        was = ("judgment was", "judgments were")
        older = "made before the document changed (until it is read again, measure names it)"
        held_no_longer = ("judgment that no longer held is", "judgments that no longer held are")
        for pairs, who, what in (
            (self.renewed, held_no_longer, "replaced"),
            (self.replaced, ("grade", "grades"), "of an earlier text replaced"),
            (self.outdated, ("grade", "grades"), "of an earlier text left out, for that of now stays"),
            (self.reworded, was, "made for another wording, and given again for this one"),
            (self.older, was, older),
            (self.confirmed, was, "confirmed for the text of now"),
            (self.quoted, ("judgment that had no quote has", "judgments that had no quote have"), "one now"),
            (self.still_theirs, was, "taken over from another judge, and still that judge's"),
            (self.other_quotes, ("judgment keeps its", "judgments keep their"), "old quote, not the new one"),
        ):
            if pairs:
                yield f"{counted(len(pairs), *who)} {what}: {first_few(pairs)}"
        if n := len(self.not_there):
            said = f"quotes that are not in their documents are left out ({n})"
            yield f"{said}: {first_few(self.not_there)}"


def _settled(lab: Labelling) -> dict[tuple[str, str], str]:
    """The judge with whom a pair of the project's own judgments was settled."""
    if lab.judge_name is not None:
        return {}
    return {(query_id, doc_id): judge for query_id, doc_id, judge in read_resolved(lab.folder)}


def _near(unknown: Sequence[str], have: Sequence[str]) -> str:
    """What the first of these ids may be a misspelling of; "" where nothing is near, and where only a number
    is another."""
    for one in unknown[:3]:
        near = get_close_matches(one, have, n=1, cutoff=0.8)
        if near and re.sub("[0-9]+", "", near[0]) != re.sub("[0-9]+", "", one):
            return f"Is {one!r} {near[0]!r}?"
    return ""


def _by_text(text: str, questions: Mapping[str, Question]) -> str | None:
    """The id of the query with this text."""
    return next((one.query_id for one in questions.values() if folded(one.query) == folded(text)), None)


def _check_quotes(quotes: object) -> None:
    pairs = isinstance(quotes, Mapping) and all(isinstance(key, tuple) and len(key) == 2 for key in quotes)
    if quotes is not None and not pairs:
        needed = "needed {(query_id, doc_id): words of the document}; what grades become is grades="
        raise ValueError(f"quotes is {quotes!r:.60}; {needed}")


def _check_mapped(grades: object) -> None:
    numbers = isinstance(grades, Mapping) and all(
        isinstance(one, Integral) and not isinstance(one, bool) for pair in grades.items() for one in pair
    )
    if grades is not None and not (numbers and set(grades.values()) <= {0, 1, 2}):
        needed = "needed what grades become, as {3: 2, -1: 0}; those of a project are 2, 1 and 0"
        raise ValueError(f"grades is {grades!r:.60}; {needed}")


def _no_grades(pairs: Sequence[tuple[str, str, object]]) -> Iterator[str]:
    """A problem for each judgment whose grade is no whole number, as nan, a gap in a table."""
    for query_id, doc_id, grade in pairs:
        if not isinstance(grade, Real) or not float(grade).is_integer():
            needed = "needed a whole number; leave out what nobody judged"
            yield f"query {query_id!r}, document {doc_id!r}: grade {grade!r:.40}; {needed}"


def _strangers(pairs: Sequence[tuple[str, str, int]], questions: Mapping, documents: Mapping) -> list[str]:
    """Which queries and documents of the judgments the project does not have, with examples of both sides."""
    problems = []
    for what, have, ids in (
        ("queries", list(questions), {query_id for query_id, _, _ in pairs}),
        ("documents", list(documents), {doc_id for _, doc_id, _ in pairs}),
    ):
        if unknown := sorted(ids - set(have)):
            examples = first_few(map(repr, unknown), 3)
            has = ", ".join(map(repr, have[:3])) or "none yet"
            said = f"{len(unknown)} of {len(ids)} {what} are not here, e.g. {examples}; here are {has}"
            alike = written_otherwise(unknown[0], have).removesuffix(": ")
            alike = alike or _near(unknown, have)
            if what == "queries" and (own := _by_text(unknown[0], questions)):
                alike = f"{unknown[0]!r:.60} is the text of {own!r}; write the ids into a column query_id"
            if what == "queries" and all(re.fullmatch("q[0-9]+", one) for one in [*unknown, *have[:1]]):
                alike = alike or "If another project numbers so, import its judgments.jsonl"
            problems.append(f"{said}. {alike}" if alike else said)
    return problems


def _other_grades(pairs: Sequence[tuple[str, str, int]], mapped: Mapping[int, int]) -> Iterator[str]:
    """A problem where grades are none of a project's, with what they may become.

    In a scale that goes to 3 or more 1 and 2 are not ours either, so all that there are are named.
    """
    given = {grade for _, _, grade in pairs}
    if not (others := sorted(given - mapped.keys())):
        return
    scale = sorted(given) if (most := max(others)) > 2 else others
    become = {grade: 0 if grade <= 0.4 * most else 1 if grade <= 0.6 * most else 2 for grade in scale}
    if most == 3:
        become = {grade: min(max(0, (grade + 1) // 2), 2) for grade in scale}
    example = " ".join(f"{grade}={become[grade]}" for grade in scale)
    python = ", ".join(f"{grade}: {become[grade]}" for grade in scale)
    note = "2 answers the query, 1 helps, 0 neither, and what you do not name stays as it is"
    said = f"grades {', '.join(map(str, others))}: say what they become, e.g. --grades {example}; {note}"
    lines = "; where a grade below 0 means that nobody judged, delete its lines: 0 would be a judgment"
    yield f"{said}; in Python grades={{{python}}}{lines if others[0] < 0 else ''}"
