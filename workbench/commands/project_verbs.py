"""The verbs of a project: `systems`, `import`, `pool`, `measure`, `agreement`, `settle`, `draft`,
`export`."""

import argparse
import io
import re
import warnings
from collections import Counter
from contextlib import redirect_stdout
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.arguments import (
    check_output,
    existing_file,
    number_or_zero,
    pasted,
    path_type,
    shown,
    whole_number,
)
from workbench.commands.command_line import Answer, Verb, given_options, one_line, refuse_options

if TYPE_CHECKING:
    from workbench.exchange import BroughtIn
    from workbench.labelling import Labelling

FORMATS = ("beir", "biblicus", "csv", "hub", "trec")
"""Held to `workbench.exchange` by a test: `--help` must need nothing installed."""


def _add_project(parser: argparse.ArgumentParser, judge: bool = False) -> None:
    where = "the project's folder, made with new (default: this folder)"
    parser.add_argument("--project", type=path_type, default=Path(), metavar="DIR", help=where)
    if judge:
        who = "another judge than the project's own; the judgments stand apart"
        parser.add_argument("--judge", metavar="NAME", help=who)
        kind = "what a new judge is (default: person)"
        parser.add_argument("--judge-is", choices=("person", "model"), default="person", help=kind)


def _lab(chosen: argparse.Namespace) -> "Labelling":
    from workbench.labelling import Labelling, read_judges

    judge = getattr(chosen, "judge", None)
    lab = Labelling(chosen.project)
    if judge is None:
        if "judge_is" in given_options(chosen):
            cure = "name the judge, for without a name the judgments become the project's own"
            raise ValueError(f"--judge-is has no effect without --judge NAME; {cure}")
        return lab
    known = read_judges(chosen.project)
    if judge in known and "judge_is" not in given_options(chosen):
        return lab.second(judge, known[judge].kind)
    if judge.strip() != judge:
        raise ValueError(f"the judge's name is {judge!r}; needed it without the blank at its end")
    is_new = judge.casefold() not in map(str.casefold, known)  # in other capitals it is refused below
    if is_new and (near := get_close_matches(judge, known, n=1, cutoff=0.6)):
        said = f"new judge {judge!r}; there is {near[0]!r}"
        warnings.warn(f"{said}: if that was meant, delete {judge!r} from judges/judges.json", stacklevel=2)
    return lab.second(judge, chosen.judge_is)


def _new_judge(chosen: argparse.Namespace) -> list[str]:
    """A line for a judge whom the project does not know yet: it may be a slip of the pen."""
    from workbench.labelling import read_judges

    if chosen.judge is None or not (chosen.project / "corpus").is_dir():
        return []
    known = read_judges(chosen.project)
    others = f", beside {', '.join(known)}" if known else ""
    return [] if chosen.judge in known else [f"{chosen.judge} is a new judge, a {chosen.judge_is}{others}"]


def _same(chosen: argparse.Namespace) -> str:
    """The options with which the next command is about the same project and judge."""
    project = f" --project {pasted(chosen.project)}" if "project" in given_options(chosen) else ""
    judge = f" --judge {chosen.judge}" if "judge_is" in chosen and chosen.judge else ""
    return judge + project


def _systems_arguments(parser: argparse.ArgumentParser) -> None:
    _add_project(parser)
    add = "measure this too: a file of results, package.module:function, a backend, a snapshot's id"
    one = {"action": "append", "default": []}
    parser.add_argument("--add", **one, type=_named_system, metavar="NAME=SYSTEM", help=add)
    parser.add_argument("--remove", **one, metavar="NAME", help="measure this no longer")


def _named_system(text: str) -> tuple[str, str]:
    name, equals, spec = text.partition("=")
    if not (name.strip() and equals and spec.strip()):
        needed = "NAME=SYSTEM, e.g. mine=my_search:search"
        raise argparse.ArgumentTypeError(f"{text!r} names no system; needed {needed}")
    if not name.strip().isprintable():
        raise argparse.ArgumentTypeError(
            f"the name {name!r:.40} holds a line break or its like; leave it out"
        )
    if len(name.strip()) > 80:
        raise argparse.ArgumentTypeError(
            f"the name {name[:30]!r}… has {len(name)} characters; needed 80 at most"
        )
    return name.strip(), spec.strip()


def _systems(chosen: argparse.Namespace) -> Answer:
    from workbench.labelling import read_systems
    from workbench.systems import DEPTH

    lab = _lab(chosen)
    systems = read_systems(chosen.project)
    if unknown := [name for name in chosen.remove if systems.pop(name, None) is None]:
        raise ValueError(f"there is no system {unknown[0]!r}; the project measures {', '.join(systems)}")
    for name, spec in chosen.add:
        if systems.get(name, spec) != spec:
            cure = f"take another name, or take that one away: --remove {name}"
            raise ValueError(f"--add {name}={spec}: {name!r} is {systems[name]} already; {cure}")
        systems[name] = spec
    if not systems:
        raise ValueError("no system would be left; add one in the same command: --add NAME=SYSTEM")
    if chosen.add or chosen.remove:
        lab.measure(systems)
    first = next(iter(lab.questions().items()), None)
    lines = []
    for name, system in lab.systems.measured.items():
        lines.append(f"{one_line(name)}: {one_line(systems[name])}")
        lines += [f"  note: {one_line(note)}" for note in system.notes]
        if chosen.json:  # whose answer is what systems.json has
            for note in system.notes:
                warnings.warn(f"{name}: {note}", stacklevel=2)
        if first:
            found = system.search({first[0]: first[1].query}, DEPTH)[first[0]]
            shown_ids = ", ".join(one_line(doc_id) for doc_id, _ in found[:3]) or "nothing"
            lines.append(f"  {first[0]}, {one_line(first[1].query, 60)}: {shown_ids}")
    return Answer("\n".join(lines), systems)


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("queries", "judgments"), help="what the file holds")
    file = "CSV, JSON lines, a log, TREC, BEIR; your own ids of queries are in a column or field query_id"
    parser.add_argument("file", type=existing_file, metavar="FILE", help=file)
    _add_project(parser, judge=True)
    parser.add_argument(
        "--column", metavar="NAME", help="queries: the column, or the parameter of a log, that holds them"
    )
    n = "queries: take N searches at random and not all; how often each was drawn is kept; a larger N of the "
    n += "same log extends the sample that the project has"
    parser.add_argument("--sample", type=whole_number, metavar="N", help=n)
    parser.add_argument(
        "--seed",
        type=number_or_zero,
        default=0,
        metavar="N",
        help="of the sample, and the same when it is extended (default: 0)",
    )
    parser._negative_number_matcher = re.compile(r"-\d+(=\d+)?$")  # else -1=0 would be an option
    other = "judgments: what another grade becomes, e.g. 3=2 or yes=2; write it after FILE"
    parser.add_argument("--grades", nargs="+", default=[], type=_mapped, metavar="OLD=NEW", help=other)
    unknown = "judgments: leave out, and count, those of queries and documents that are not here"
    parser.add_argument("--allow-unknown", action="store_true", help=unknown)


def _mapped(text: str) -> tuple[int | str, int]:
    """A grade and what it becomes; one that is a word in small letters."""
    if not (found := re.fullmatch(r"\s*(.*\S)\s*=([012])", text)):
        needed = "needed OLD=NEW, NEW 0, 1 or 2"
        cure = "" if "=" in text else "; where it is the file, write --grades after it"
        raise argparse.ArgumentTypeError(f"{text!r} is no pair of grades; {needed}{cure}")
    if re.search(r"=[012]\s*,", found[1]):
        raise argparse.ArgumentTypeError(f"{text!r} are several pairs of grades; write blanks between them")
    whole = re.fullmatch(r"(-?[0-9]{1,9})(?:\.0)?", found[1])  # as pandas and spreadsheets write it too
    old = int(whole[1]) if whole else found[1].casefold()
    return old, int(found[2])


def _import(chosen: argparse.Namespace) -> Answer:
    from helpers.base import counted, first_few
    from workbench.exchange import bring_in_queries, read_queries, sample_searches
    from workbench.labelling import forget_judge, read_judges

    _check_import(chosen)
    said = _new_judge(chosen)
    lab = _lab(chosen)
    if chosen.what == "queries":
        queries = read_queries(chosen.file, chosen.column)
        searches = counted(sum(query.frequency for query in queries), "search", "searches")
        said.append(f"{shown(chosen.file)}: {searches}, {counted(len(queries), 'different query')}")
        if (typed := sum(query.forms for query in queries)) > len(queries):
            said[-1] += (
                f", of {typed:,} as they were typed: capitals and blanks apart, one form of each is asked"
            )
            said[-1] += ", the most frequent"
        if chosen.sample:
            queries = sample_searches(queries, chosen.sample, chosen.seed)
            n = sum(query.drawn for query in queries)
            drawn = f"{counted(n, 'search was', 'searches were')} drawn, "
            drawn += counted(len(queries), "different query")
            said.append(drawn if n == chosen.sample else f"{drawn}: there are no more than that")
        found, noun = bring_in_queries(lab, queries), "query"
    else:
        try:
            found, noun = _import_judgments(chosen, lab), "judgment"
        except Exception:
            if said:  # the judge is new, and would stay without a judgment
                forget_judge(chosen.project, chosen.judge)
            raise
    others = [] if chosen.judge or noun == "query" else list(read_judges(chosen.project))
    to = f" to the project's own (other judges: {first_few(others)})" if others else ""
    said.append(f"added {counted(found.added, noun)}{to}, {found.known:,} were there already")
    said += [f"note: {one_line(note)}" for note in found.notes]
    if noun == "judgment" and found.added:
        verb = f"agreement {pasted(chosen.judge)}" if chosen.judge else "measure"
        project = f" --project {pasted(chosen.project)}" if "project" in given_options(chosen) else ""
        said.append(f"next: workbench {verb}{project}")
    return Answer("\n".join(said), {"added": found.added, "known": found.known, "notes": found.notes})


def _import_judgments(chosen: argparse.Namespace, lab: "Labelling") -> "BroughtIn":
    from workbench.exchange import bring_in_judgments, read_judgments

    _check_whose(chosen)
    texts = {query_id: one.query for query_id, one in lab.questions().items()}
    pages = {doc_id: (page.title, page.text) for doc_id, page in lab.documents.items()}
    words = {old: new for old, new in chosen.grades if isinstance(old, str)}
    numbers = {old: new for old, new in chosen.grades if isinstance(old, int)}
    qrels, quotes = read_judgments(chosen.file, lab.corpus.sources, texts, pages, words)
    given = {grade for grades in qrels.values() for grade in grades.values()}
    if unused := sorted(numbers.keys() - given):
        has = ", ".join(map(str, sorted(given)))
        raise ValueError(f"--grades: no judgment has the grade {unused[0]}; {shown(chosen.file)} has {has}")
    return bring_in_judgments(lab, qrels, quotes, numbers, chosen.allow_unknown)


def _check_whose(chosen: argparse.Namespace) -> None:
    """Raises ValueError for the file of another judge, whose judgments would become one's own."""
    name = chosen.file.stem
    if chosen.file.parent.name == "judges" and chosen.file.suffix == ".jsonl":
        if name == "resolved":
            said = f"{shown(chosen.file)} says which differences between judges were settled"
            raise ValueError(
                f"{said}, and is no file of judgments; their grades are in judgments.jsonl already"
            )
        if chosen.judge is not None:
            return
        said = f"{shown(chosen.file)} holds what {name} judged"
        cure = f"with --judge {name} it stays apart; then workbench agreement {name} says how far to trust it"
        cure += f", and workbench settle {name} --rest takes over what you have not judged"
        raise ValueError(f"{said}, and not you: it would count as yours, and agree with itself; {cure}")


def _check_import(chosen: argparse.Namespace) -> None:
    """Refuses what is written and would have no effect, and a grade that is to become two."""
    if chosen.what == "queries":
        refuse_options(chosen, ["judge", "judge_is", "grades", "allow_unknown"], "on queries")
        if not chosen.sample:
            refuse_options(chosen, ["seed"], "without --sample")
    else:
        refuse_options(chosen, ["column", "sample", "seed"], "on judgments")
    old = [grade for grade, _ in chosen.grades]
    if twice := [grade for grade in old if old.count(grade) > 1]:
        raise ValueError(f"--grades says twice what {twice[0]} becomes; say it once")
    if any(isinstance(one, str) for one in old) and (again := sorted({0, 1, 2} & set(old), key=str)):
        cure = f"beside words 0, 1 and 2 stay as they are, so leave out {again[0]}="
        raise ValueError(f"--grades: words become 0, 1 or 2; {cure}")


def _pool_arguments(parser: argparse.ArgumentParser) -> None:
    _add_project(parser, judge=True)
    out = "write what is left to judge as a sheet for a spreadsheet; `import judgments` reads it back"
    parser.add_argument("--out", type=path_type, metavar="FILE.csv", help=out)


def _pool(chosen: argparse.Namespace) -> Answer:
    from helpers.base import counted, first_few
    from workbench.exchange import write_sheet
    from workbench.labelling import nothing_found_in_words

    if chosen.out:
        check_output(chosen.out, ".csv")
    new_judge = _new_judge(chosen)
    lab = _lab(chosen)
    lab.check_pooled()
    progress, rows, before = lab.progress(), lab.unread(), lab.before()
    queries, left = counted(len(progress), "query"), counted(len(rows) - len(before), "document")
    lines = [*new_judge, f"{queries}; {left} of their pools not judged"]
    lines += [f"{q}: {n} left, {one_line(text, 80)}" for q, n, text in _left(progress)]
    again = Counter(query_id for query_id, _ in before)
    if before:
        lines[len(new_judge)] += f"; {len(before):,} judged of a text that has changed since"
        lines.append(f"to read again: {first_few(f'{q}: {n}' for q, n in again.items())}")
    if not chosen.judge and (nothing := lab.nothing_found()):
        lines.append(nothing_found_in_words(nothing))
    lines += [f"warning: {said}" for said in ([] if chosen.judge else lab.doubts())]
    if chosen.out and rows:
        stale = lab.stale()
        judged = {pair: (one.grade, one.quote) for pair, one in lab.verdicts().items() if pair not in stale}
        write_sheet(chosen.out, rows, judged, before)
        lines.append(f"wrote {shown(chosen.out)}; fill in the grades (2 answers, 1 helps, 0 neither), then")
        lines.append(f"next: workbench import judgments {pasted(chosen.out)}{_same(chosen)}")
    elif rows:
        lines.append(f"next: workbench pool --out sheet.csv{_same(chosen)}, or 1_label.ipynb")
    elif chosen.out:
        lines.append(f"nothing is left to judge, so {shown(chosen.out)} was not written")
    left_of = {q: int(n) for q, n, _ in _left(progress)}
    data = {"left": left_of, "again": dict(again), "wrote": chosen.out if rows else None}
    return Answer("\n".join(lines), data)


def _left(progress) -> list[tuple[str, int, str]]:
    open_ones = progress[progress["left"] > 0]
    return list(zip(open_ones.index, open_ones["left"], open_ones["query"], strict=True))


def _measure_arguments(parser: argparse.ArgumentParser) -> None:
    _add_project(parser)


def _measure(chosen: argparse.Namespace) -> Answer:
    from workbench.projects import baseline_system, keep_baseline, measure_project

    lab, exported = _lab(chosen), io.StringIO()
    with redirect_stdout(exported):  # what `export` prints belongs to the answer
        found = measure_project(lab)
    first, baseline = next(iter(found.reports)), baseline_system(lab.folder, found.reports)
    kept = keep_baseline(lab.folder, found.reports[baseline])
    pages = [path for path in found.files if path.suffix != ".json"]
    lines = [exported.getvalue(), found.text(), "", f"baseline for {one_line(baseline)}: {kept}"]
    lines += [f"wrote {shown(page)}" for page in pages]
    saved = [path for path in found.files if path.suffix == ".json"]
    own = [path for path, one in zip(saved, found.reports.values(), strict=True) if one.search]
    if len(own) > 1:
        against = " ".join(pasted(path) for path in own)
        lines.append(f"your own searches with each other: workbench compare {against}")
    metrics = {name: one.metrics for name, one in found.reports.items()}
    answers = {name: one.answer for name, one in found.against_first.items()}
    data = {"metrics": metrics, "against": first, "answers": answers, "searches": found.searches}
    warned = {name: one.warnings for name, one in found.reports.items() if one.warnings}
    said = {"warnings": warned, "dataset": exported.getvalue().splitlines(), "baseline": kept}
    segments = {"by_segment": found.by_segment, "on_segments": found.on_segments}
    return Answer("\n".join(lines), data | said | segments | {"wrote": found.files})


def _agreement_arguments(parser: argparse.ArgumentParser) -> None:
    who = "the other judge (default: all judges, two by two)"
    parser.add_argument("name", nargs="?", metavar="JUDGE", help=who)
    _add_project(parser)
    out = "write where the two differ as a sheet for a spreadsheet; `settle JUDGE FILE.csv` takes it filled"
    parser.add_argument("--out", type=path_type, metavar="FILE.csv", help=out)


def _agreement(chosen: argparse.Namespace) -> Answer:
    from workbench.exchange import write_differences
    from workbench.projects import by_judges

    if chosen.name is None:
        return _agreement_of_all(chosen)
    if chosen.out:
        check_output(chosen.out, ".csv")
    lab = _lab(chosen)
    found, differ = lab.agreement(chosen.name), lab.differences(chosen.name)
    would = by_judges(lab, chosen.name)
    lines = [found.text(), "", differ.text(), "", would.text()]
    n = write_differences(chosen.out, lab, chosen.name) if chosen.out else len(differ.table)
    if chosen.out and n:
        lines.append(f"wrote {shown(chosen.out)}; fill in the column settled (2, 1 or 0) where you know it")
        lines.append(f"next: workbench settle {chosen.name} {pasted(chosen.out)}{_same(chosen)}")
    elif chosen.out:
        none = "nothing is left to settle" if differ.at_first else "the two differ nowhere"
        lines.append(f"{none}, so {shown(chosen.out)} was not written")
    elif n:
        row = differ.table.iloc[0]
        whom = row["settled_with"] if (row["query_id"], row["doc_id"]) not in differ.at_first else chosen.name
        pair = f"{pasted(row['query_id'])} {pasted(row['doc_id'])}"
        lines.append(f"next: workbench settle {whom} {pair} GRADE{_same(chosen)}")
        if n > 1:
            lines.append(
                f"or all in a sheet: workbench agreement {chosen.name} --out FILE.csv{_same(chosen)}"
            )
    data = {"counts": found.counts, "kappa_interval": [found.low, found.high]}
    data |= {"leaning": found.leaning, "odd": found.odd, "differ": differ.unsettled.to_dict("records")}
    data |= {"settled_with_others": differ.elsewhere.to_dict("records"), "by_judges": would.data()}
    data |= {"taken_over": found.taken_over}
    return Answer("\n".join(lines), data | {"wrote": chosen.out if chosen.out and n else None})


def _agreement_of_all(chosen: argparse.Namespace) -> Answer:
    from workbench.labelling import agreements_in_words

    refuse_options(chosen, ["out"], "without JUDGE, whose differences it writes")
    table = _lab(chosen).agreements()
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    more = f"one of them in full: workbench agreement JUDGE{_same(chosen)}"
    return Answer(f"{agreements_in_words(table)}\n{more}", {"agreements": rows})


def _settle_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="JUDGE", help="the other judge")
    query = "the id of the query; or, alone, the filled sheet of `agreement JUDGE --out FILE.csv`"
    parser.add_argument("query_id", nargs="?", metavar="QUERY", help=query)
    parser.add_argument("doc_id", nargs="?", metavar="DOCUMENT", help="the id of the document")
    meaning = "what it is settled on: 2 answers the query, 1 helps, 0 neither"
    parser.add_argument("grade", nargs="?", choices=("2", "1", "0"), metavar="GRADE", help=meaning)
    quote = "the words of the document that say so (default: those that were quoted before)"
    parser.add_argument("--quote", default="", metavar="TEXT", help=quote)
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, which is kept beside it")
    rest = "take over all that this judge has judged and the project has not, marked with the judge's name"
    parser.add_argument("--rest", action="store_true", help=rest)
    _add_project(parser)


def _settle(chosen: argparse.Namespace) -> Answer:
    from workbench.labelling import check_judge, read_judges

    lab = _lab(chosen)
    judges = read_judges(chosen.project)
    if chosen.name not in judges and chosen.name in lab.questions():
        judge = next(iter(judges), "JUDGE")
        words = [word for word in (chosen.name, chosen.query_id, chosen.doc_id, chosen.grade) if word]
        right = f"workbench settle {judge} {' '.join(map(pasted, words))}{_same(chosen)}"
        raise ValueError(f"{chosen.name!r} is a query, and the judge comes first: {right}")
    check_judge(chosen.project, chosen.name)
    if chosen.rest:
        return _settle_rest(chosen, lab)
    if chosen.query_id is None:
        needed = "needed QUERY DOCUMENT GRADE, or a filled sheet, or --rest for what you have not judged"
        raise ValueError(f"settle {chosen.name}: nothing to settle is named; {needed}")
    if chosen.doc_id is None:
        return _settle_sheet(chosen, lab)
    if chosen.grade is None:
        needed = "needed the query, the document and the grade (2, 1 or 0), or a filled sheet alone"
        raise ValueError(f"settle {chosen.name} {chosen.query_id} {chosen.doc_id}: no grade; {needed}")
    lab.resolve(chosen.name, chosen.query_id, chosen.doc_id, int(chosen.grade), chosen.quote, chosen.why)
    left = len(lab.disagreements(chosen.name))
    said = f"{chosen.query_id}  {one_line(chosen.doc_id)}  is settled on grade {chosen.grade}"
    return Answer(f"{said}; not settled: {left:,}", {"grade": int(chosen.grade), "left": left})


def _settle_rest(chosen: argparse.Namespace, lab: "Labelling") -> Answer:
    from helpers.base import counted

    if chosen.query_id is not None:
        raise ValueError(f"--rest takes over all, and {chosen.query_id!r} is given too; leave one out")
    refuse_options(chosen, ["quote", "why"], "with --rest")
    found, name = lab.take_over(chosen.name), chosen.name
    left = len(lab.disagreements(name))
    said = f"{counted(found['taken'], 'judgment is', 'judgments are')} taken over from {name}, and marked so"
    if found["renewed"]:
        said += f"; {found['renewed']:,} taken over before renewed, for {name} judged anew"
    if found["gone"]:
        said += f"; {found['gone']:,} left behind, whose query, document or quote is gone"
    lines = [f"{said}; not settled: {left:,}"]
    if left:
        lines.append(f"next: workbench agreement {name} --out differences.csv{_same(chosen)}")
    return Answer("\n".join(lines), found | {"left": left})


def _settle_sheet(chosen: argparse.Namespace, lab: "Labelling") -> Answer:
    from helpers.base import counted
    from workbench.exchange import settle_sheet

    refuse_options(chosen, ["quote", "why"], "on a sheet, which has a column why")
    path = Path(chosen.query_id)
    if not path.is_file():
        needed = (
            "needed QUERY DOCUMENT GRADE, or the sheet of workbench agreement JUDGE --out FILE.csv, filled"
        )
        raise ValueError(f"there is no file {chosen.query_id}; {needed}")
    found = settle_sheet(lab, chosen.name, path)
    left = len(lab.disagreements(chosen.name))
    said = (
        f"{counted(found['settled'], 'pair is', 'pairs are')} settled, {found['known']:,} were so already; "
    )
    said += f"{counted(found['empty'], 'row has', 'rows have')} no grade and stay; not settled: {left:,}"
    return Answer(said, found | {"left": left})


def _draft_arguments(parser: argparse.ArgumentParser) -> None:
    what = "a function of a query and a text that gives 2, 1 or 0: package.module:function"
    parser.add_argument("judge", metavar="FUNCTION", help=what)
    parser.add_argument("--name", required=True, help="what this judge is called in the project")
    words = "its name, version, prompt and date, for those who read its judgments"
    parser.add_argument("--described", default="", metavar="TEXT", help=words)
    where = "the project's folder (default: this folder)"
    parser.add_argument("--project", type=path_type, default=Path(), metavar="DIR", help=where)


def _draft(chosen: argparse.Namespace) -> Answer:
    from helpers.base import counted
    from workbench.labelling import Labelling

    n = Labelling(chosen.project).draft(chosen.judge, chosen.name, chosen.described)
    said = f"{chosen.name} judged {counted(n, 'document')}; its judgments stand apart, unmeasured"
    return Answer(f"{said}\nnext: workbench agreement {chosen.name}{_same(chosen)}", {"judged": n})


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=path_type, metavar="FOLDER", help="the folder to make")
    parser.add_argument("--format", choices=FORMATS, required=True, help="for which tools")
    _add_project(parser)


def _export(chosen: argparse.Namespace) -> Answer:
    from workbench.exchange import export_project

    written = export_project(_lab(chosen), chosen.format, chosen.out)
    return Answer("\n".join(f"wrote {shown(path)}" for path in written), {"wrote": written})


VERBS = [
    Verb(
        "systems",
        "say which searches a project measures: ours, a file of results, a program of yours",
        "Lists the systems of a project and, with a query there, what each finds first. Everything that is "
        "measured is pooled: what it finds is read before its numbers are believed.",
        "systems --add mine=my_search:search --add opensearch=runs/opensearch.run",
        _systems_arguments,
        _systems,
    ),
    Verb(
        "import",
        "bring queries (a table, JSON lines, a search log) or judgments into a project",
        "Queries come from CSV, JSON lines, plain text or the log of a web server; frequencies are kept, and "
        "what looks like personal data is named. A column or field segment (or category) says which segment "
        "of your own a query is in, as how-to or error codes, and measure shows figures for each. Judgments "
        "come from TREC, BEIR, a sheet of `pool`, JSON lines or a dataset file. What has no counterpart in "
        "the project is an error, or left out with --allow-unknown; but the queries of a file from a project "
        "that numbers them otherwise, as its judgments.jsonl, are known by their texts, and judgments of "
        "those that are not here are left out.",
        "import queries searches.log --sample 200",
        _import_arguments,
        _import,
    ),
    Verb(
        "pool",
        "show what is left to judge, and write it as a sheet",
        "For each query the documents that any system of the project has among its first ten, or a search "
        "by meaning that is read besides, and that the judge has not judged. What was judged when its query "
        "or its page read otherwise is offered again, last, with its grade in a column of its own: it counts "
        "meanwhile, and is settled by a new grade, be it the same.",
        "pool --out sheet.csv",
        _pool_arguments,
        _pool,
    ),
    Verb(
        "measure",
        "measure all systems of a project, with how much of each was judged",
        "Measures every system of the project on its judgments, writes a report and a page for each, says of "
        "each whether it is worse than the first (worse, not worse, cannot tell), and keeps a baseline.",
        "measure --project my-eval",
        _measure_arguments,
        _measure,
    ),
    Verb(
        "agreement",
        "say how far judges agree, each two of them, or one with the project's own judgments",
        "Counts pairs that both judged, equal grades, kappa with its interval, and lists where they differ, "
        "from grades that were settled with somebody else too. Where the project was measured it says what "
        "each search would be by the other judge's grades, and whether its errors lean toward one of them. "
        "Without JUDGE a table of all judges and the project's own, each beside each. What was taken over "
        "from a judge does not count beside that judge.",
        "agreement anna",
        _agreement_arguments,
        _agreement,
    ),
    Verb(
        "settle",
        "settle a pair on which two judges differ: the grade becomes the project's own",
        "Writes the grade on which two judges agreed in the end into the project's judgments. What each of "
        "them had said is kept, with the reason. Many at once: fill in the sheet of `agreement anna --out "
        "FILE.csv`, and give it alone: `settle anna FILE.csv`. `settle anna --rest` takes over what anna has "
        "judged and the project has not, marked with the name, so that nobody is compared with themselves.",
        "settle anna q01 guide/doors.md 2",
        _settle_arguments,
        _settle,
    ),
    Verb(
        "draft",
        "let a function of yours, e.g. a language model, judge the pools, apart from your judgments",
        "Asks a function of a query and a document's text for a grade of every pooled document. Its "
        "judgments stand apart, under its name; `agreement` says how far they can be trusted.",
        "draft my_judge:grade --name llm --described my-model-prompt-3-2026-11",
        _draft_arguments,
        _draft,
    ),
    Verb(
        "export",
        "write a project's queries, judgments and documents as other tools read them",
        "TREC, BEIR, Biblicus, tables, or the layout of the hub of Hugging Face.",
        "export out --format trec",
        _export_arguments,
        _export,
    ),
]
