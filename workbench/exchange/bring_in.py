"""Queries and judgments of other tools, brought into a project."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral, Real

from helpers.base import check_type, counted, first_few, folded, refuse
from helpers.records import Qrels
from workbench.exchange.queries_in import AskedQuery, warn_of_personal_data
from workbench.labelling import (
    QUERIES_FILE,
    Labelling,
    Question,
    SavedJudgment,
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
    """Adds queries to a project; one with a text that is known stays as it is.

    An id is kept where there is one, else the next number is given. Frequencies are kept. Texts that look as
    if they held personal data are named in the notes, and are kept as they are. Raises ValueError, and adds
    nothing, for an id that another query has, here or in the file.

    >>> BroughtIn(2, 0).added
    2
    """
    queries = list(queries)  # they are gone through twice
    for number, query in enumerate(queries):
        check_type(f"queries[{number}]", query, AskedQuery, "e.g. AskedQuery('reset password')")
        check_type(f"queries[{number}].text", query.text, str)
    known = lab.questions()
    by_text = {folded(one.query): query_id for query_id, one in known.items()}
    added: dict[str, Question] = {}
    problems, again, more_often, again_drawn, other_ids, other_kinds = [], 0, [], [], {}, []
    number, theirs = lab.next_number(), {query.query_id for query in queries}
    of_id: dict[str, str] = {}
    for query in queries:
        key = folded(query.text)
        if query.query_id is not None and folded(of_id.setdefault(query.query_id, query.text)) != key:
            other = of_id[query.query_id]
            problems.append(_two_texts(query.query_id, other, query.text))
            continue
        if key in by_text:
            again += 1
            if query.query_id not in (None, by_text[key]):
                other_ids[query.query_id] = by_text[key]
            again_drawn += [by_text[key]] if query.drawn and by_text[key] in known else []
            if query.frequency not in (1, known.get(by_text[key], query).frequency):
                more_often.append(by_text[key])
            if query.kind not in (None, known.get(by_text[key], query).kind):
                other_kinds.append(by_text[key])
            continue
        query_id = query.query_id
        if query_id is None:
            while (query_id := f"q{number:02d}") in theirs:
                number += 1
            number += 1
        if query_id in known or query_id in added:
            problems.append(_two_texts(query_id, (known | added)[query_id].query, query.text))
            continue
        by_text[key] = query_id
        counts = {"frequency": query.frequency, "drawn": query.drawn} if query.drawn else {}
        if query.kind:
            counts["kind"] = query.kind
        if query.frequency > 1:
            counts["frequency"] = query.frequency
        added[query_id] = Question(query_id=query_id, query=query.text, **counts)
    refuse(problems, "the queries")
    write_records(lab.folder / QUERIES_FILE, [*known.values(), *added.values()])
    notes = warn_of_personal_data({query_id: one.query for query_id, one in added.items()})
    if notes:
        notes.append("look at them before anybody else gets this folder; take one out by deleting its line")
    return BroughtIn(len(added), again, [*notes, *_kept(other_ids, more_often, again_drawn, other_kinds)])


def _two_texts(query_id: str, first: str, second: str) -> str:
    return f"{query_id!r} is the id of {first!r:.60} already, and of {second!r:.60}"


def _kept(
    other_ids: Mapping[str, str],
    more_often: Sequence[str],
    again_drawn: Sequence[str],
    other_kinds: Sequence[str],
) -> Iterator[str]:
    """What is said of queries that are here already, with another id, frequency or kind."""
    if other_ids:
        pairs = first_few(f"{query_id} is {here}" for query_id, here in other_ids.items())
        yield f"queries that are here already keep the id that they have: {pairs}"
    if more_often:
        said = f"{counted(len(more_often), 'query')} of another frequency than before keep the old one"
        yield f"{said}: {first_few(more_often)}; to change it, write it in {QUERIES_FILE}"
    if other_kinds:
        said = f"{counted(len(other_kinds), 'query')} of another kind than before keep the old one"
        yield f"{said}: {first_few(other_kinds)}; to change it, write it in {QUERIES_FILE}"
    if again_drawn:
        said = "drawn again and not counted again, so this sample and the one before are not one"
        cure = "for a larger sample import the log anew, with a larger --sample, into a new project"
        who = counted(len(again_drawn), "query was", "queries were")
        yield f"{who} {said}: {first_few(again_drawn)}; {cure}"


def bring_in_judgments(
    lab: Labelling,
    qrels: Qrels,
    quotes: Mapping[tuple[str, str], str] | None = None,
    grades: Mapping[int, int] | None = None,
) -> BroughtIn:
    """Adds judgments to those of a project's own judge, or of the judge that `lab` is for.

    A project grades 2, 1 and 0; `grades` says what others become, as `{3: 2, -1: 0}`. A quote that does not
    stand in its document is dropped and noted. Raises ValueError, and adds nothing, for queries and documents
    that the project does not have, with examples of both sides, for a grade without a counterpart, and for a
    pair that was judged otherwise before.
    """
    _check_quotes(quotes)
    _check_mapped(grades)
    questions, quotes, mapped = lab.questions(), quotes or {}, {0: 0, 1: 1, 2: 2} | dict(grades or {})
    pairs = [(query_id, doc_id, grade) for query_id, of in qrels.items() for doc_id, grade in of.items()]
    refuse(list(_no_grades(pairs)), "the judgments")
    refuse(_strangers(pairs, questions, lab.documents, mapped), "the judgments")
    before, dropped = lab.verdicts(), []
    added, conflicts, known = {}, [], 0
    for query_id, doc_id, grade in pairs:
        quote, text = " ".join(quotes.get((query_id, doc_id), "").split()), lab.texts[doc_id]
        if quote and quote not in text:
            dropped.append(f"{query_id} {doc_id}")
            quote = ""
        verdict = SavedJudgment(query_id=query_id, doc_id=doc_id, grade=mapped[grade], quote=quote)
        old = before.get((query_id, doc_id))
        if old is not None and old.grade != verdict.grade:
            conflicts.append(f"{query_id!r}, {doc_id!r}: grade {old.grade}, now {verdict.grade}")
        known += old is not None
        if old is None:
            added[query_id, doc_id] = verdict
    path = verdicts_path(lab.folder, lab.judge_name)
    cure = f"to correct one, change its line in {path.relative_to(lab.folder).as_posix()}"
    if lab.judge_name is None:
        cure += ", or judge it anew in 1_label.ipynb; those of another judge come in with --judge NAME"
    refuse(conflicts, f"the judgments, which contradict earlier ones; {cure}")
    write_records(path, (before | added).values())
    left_out = f"{counted(len(dropped), 'quote')} did not stand in the document, and left out"
    notes = [f"{left_out}: {first_few(dropped)}"] if dropped else []
    return BroughtIn(len(added), known, notes)


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
        raise ValueError(f"grades is {grades!r:.60}; needed what grades become, as {{3: 2, -1: 0}}")


def _no_grades(pairs: Sequence[tuple[str, str, object]]) -> Iterator[str]:
    """A problem for each judgment whose grade is no whole number, as nan, a gap in a table."""
    for query_id, doc_id, grade in pairs:
        if not isinstance(grade, Real) or not float(grade).is_integer():
            needed = "needed a whole number; leave out what nobody judged"
            yield f"query {query_id!r}, document {doc_id!r}: grade {grade!r:.40}; {needed}"


def _strangers(
    pairs: Sequence[tuple[str, str, int]], questions: Mapping, documents: Mapping, mapped: Mapping[int, int]
) -> list[str]:
    """What of the judgments has no counterpart in the project, with examples of both sides."""
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
            problems.append(f"{said}. {alike}" if alike else said)
    if others := sorted({grade for _, _, grade in pairs} - mapped.keys()):
        scale, note = others, ""
        if (most := max(others)) > 3:  # a scale of five, say: its 1 and 2 are not ours
            scale = sorted({grade for _, _, grade in pairs})
            note = "; 2 answers the query, 1 helps, 0 neither, and what you do not name stays as it is"
        become = {grade: 0 if grade <= 0.4 * most else 1 if grade <= 0.6 * most else 2 for grade in scale}
        example = " ".join(f"{grade}={become[grade]}" for grade in scale)
        found = ", ".join(map(str, others))
        python = ", ".join(f"{grade}: {become[grade]}" for grade in scale)
        said = f"grades {found}: say what they become, e.g. --grades {example}{note}"
        problems.append(f"{said}; in Python grades={{{python}}}")
    return problems
