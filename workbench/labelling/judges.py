"""Other judges of a project: who they are, how far they agree with its own judgments, what was settled.

A second judge, a person or a model, judges the same pools in a file of its own. Only the project's own
judgments are measured with; what another said enters them one pair at a time, when somebody settles it, or
is taken over where the project has not judged, marked with the judge's name, so that nobody is compared with
themselves.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import scipy  # loads `scipy.stats` when it is first used
from pydantic import Field, ValidationError
from tabulate import tabulate

from helpers.base import (
    Strict,
    check_rng,
    check_type,
    counted,
    first_few,
    invalid_fields,
    json_object,
    refuse,
    whole_text,
    write_text,
)
from helpers.judgments import agreement
from helpers.records import Qrels
from helpers.stats import cohen_kappa, holm, prediction_powered
from workbench.labelling.judgment_files import (
    JUDGES,
    RESOLVED_FILE,
    Resolved,
    check_link,
    read_questions,
    read_resolved,
    read_verdicts,
    verdicts_path,
    write_records,
)
from workbench.systems import own_code, written_otherwise

_JUDGES_FILE = "judges.json"
_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,40}")
_NAMED = "at most 41 letters, digits, - and _, e.g. anna or llm-2"
_RESAMPLES = 2000
_TAKEN = ("judges", "resolved", "own", "other", "query_id", "doc_id", "grade")
"""No judge is called so: files and columns of our own have these names."""


class Judge(Strict):
    """A judge: a person or a model, and in words who or what, with the prompt, the version and the date.

    `program` is the function that judged, as `package.module:name`, where a draft named one; `code` is a
    checksum of what it did when it first judged.
    """

    kind: Literal["person", "model"]
    described: str = ""
    program: str = Field(default="", repr=False)
    code: str = Field(default="", repr=False)


def read_judges(folder: str | Path) -> dict[str, Judge]:
    """`{name: judge}` of a project; empty where it has none but its own. Raises ValueError for a spoilt file.

    >>> read_judges(Path("no such folder"))
    {}
    """
    path = Path(folder) / JUDGES / _JUDGES_FILE
    check_link(path)
    if not path.exists():
        return {}
    found = json_object(whole_text(path), str(path), "names and judges")
    judges, problems = {}, []
    for name, facts in found.items():
        try:
            judges[name] = Judge.model_validate(facts)
        except ValidationError as error:
            problems += [f"{name!r:.60}, {problem}" for problem in invalid_fields(error)]
    refuse(problems, path)
    return judges


def add_judge(
    folder: Path, name: str, kind: str, described: str = "", program: str = "", code: str = ""
) -> None:
    """Makes a judge known to a project; one that is known may be described anew, and keeps its kind once it
    has judged.

    Raises ValueError for a name that cannot name a file, that our own files and tables use, or that differs
    from a judge's in capitals alone, for a kind that is neither "person" nor "model", and for another kind
    than that of the judgments that are there: a model's judgments never become a person's.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> add_judge(folder, "anna", "person")
    >>> read_judges(folder)
    {'anna': Judge(kind='person', described='')}
    """
    if not _NAME.fullmatch(name):
        given = f"the judge's name is {name[:60]!r} ({len(name)} characters)"
        raise ValueError(f"{given}; needed {_NAMED}")
    if name.lower() in _TAKEN:
        ours = f"our files and tables use the names {', '.join(_TAKEN)}"
        raise ValueError(f"no judge can be called {name!r}: {ours}; take another, e.g. anna or llm-2")
    if kind not in ("person", "model"):
        raise ValueError(f"the judge {name!r} is a {kind!r}; it can be 'person' or 'model'")
    judges = read_judges(folder)
    if alike := [one for one in judges if one != name and one.casefold() == name.casefold()]:
        raise ValueError(f"there is the judge {alike[0]!r}; {name!r} differs in capitals only: write it so")
    if name in judges and judges[name].kind != kind and read_verdicts(folder, name):
        is_ = judges[name].kind
        cure = f'if it was never a {is_}, write "kind": "{kind}" for it in {JUDGES}/{_JUDGES_FILE}'
        raise ValueError(f"{name!r} is a {is_} here; give a {kind} another name; {cure}")
    old = judges.get(name, Judge(kind=kind))
    facts = {"described": described or old.described, "program": program or old.program}
    judges[name] = Judge(kind=kind, **facts, code=code or old.code)
    _write_judges(folder, judges)


def forget_judge(folder: Path, name: str) -> None:
    """Takes a judge out of a project again, unless there are judgments under the name.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> add_judge(folder, "llm-2", "model")
    >>> forget_judge(folder, "llm-2")
    >>> read_judges(folder)
    {}
    """
    judges = read_judges(folder)
    if name not in judges or read_verdicts(folder, name):
        return
    del judges[name]
    if judges:
        _write_judges(folder, judges)
    else:
        (folder / JUDGES / _JUDGES_FILE).unlink()


def _write_judges(folder: Path, judges: Mapping[str, Judge]) -> None:
    unknown = {
        one: {of for of in ("program", "code") if not getattr(judge, of)} for one, judge in judges.items()
    }
    records = {one: judge.model_dump(exclude=unknown[one]) for one, judge in judges.items()}
    write_text(folder / JUDGES / _JUDGES_FILE, json.dumps(records, ensure_ascii=False, indent=2) + "\n")


def check_judge(folder: str | Path, name: str) -> dict[str, Judge]:
    """The judges of a project. Raises ValueError unless one has this name.

    >>> check_judge(Path("no such folder"), "anna")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: there is no judge 'anna'; the project has none but its own; ...
    """
    check_type("name", name, str, "give the judge's name, as 'anna'")
    judges = read_judges(folder)
    if name in judges:
        return judges
    has = ", ".join(judges) or "none but its own"
    said = f"there is no judge {name!r}; the project has {has}"
    if re.fullmatch(r"[\w-]+", name) and verdicts_path(folder, name).is_file():
        lost = (
            f"{verdicts_path(folder, name)} is there, but {_JUDGES_FILE} beside it does not say whose it is"
        )
        said = f"{lost}; make it known again: workbench pool --judge {name} (--judge-is model for a model)"
    else:
        alike = [one for one in judges if one.casefold() == name.casefold()]
        near = alike or get_close_matches(name, judges, n=1)
        new = f"Labelling(folder).second({name!r}) makes one known, or workbench pool --judge {name}"
        if not _NAME.fullmatch(name):
            new = f"a name has {_NAMED}"
        said += f"; did you mean {near[0]!r}?" if near else f"; {new}"
    raise ValueError(said)


@dataclass(frozen=True)
class Agreement:
    """How far another judge agrees with the project's own judgments, as both were before any was settled.

    `counts` are those of `helpers.judgments.agreement`, but a kappa is nan, and not 1, where it is undefined,
    0/0: where both gave one and the same grade throughout. `low` to `high` is the 95 % interval of kappa on
    the grades, from whole queries drawn again (nan for fewer than two, and for a kappa that is undefined).
    `table` counts the pairs by both grades, `leaning` says in words who gives the higher ones, and `odd` on
    which queries the two differ far more often than on the others. The pairs that were `taken_over` from this
    judge into the project's own do not count.
    """

    judge: str
    kind: str
    counts: Mapping[str, float]
    low: float
    high: float
    table: pd.DataFrame
    leaning: str = ""
    odd: str = ""
    taken_over: int = 0

    def text(self) -> str:
        """In words: pairs, equal grades, kappa with its interval, both on relevant or not, the table, which
        way the judge leans."""
        counts = self.counts
        interval = f"95 % interval {self.low:.2f} to {self.high:.2f}"
        if np.isnan(self.low):
            interval = "no interval, which takes two queries or more"
        kappa = f"{counts['kappa, grades']:.2f} ({interval})"
        if np.isnan(counts["kappa, grades"]):
            kappa = "undefined: both gave one grade only"
        elif self.table.shape[1] == 1:
            kappa += f", which says nothing of a judge whose every grade is {self.table.columns[0]}"
        yes_no = f"{counts['kappa, relevant or not']:.2f}"
        if np.isnan(counts["kappa, relevant or not"]):
            yes_no = "undefined: both gave one answer only"
        return "\n".join(
            [
                f"{self.judge}, a {self.kind}, and the project's own judgments: "
                f"{counts['pairs judged by both']:.0f} pairs judged by both, "
                f"{counts['pairs judged by one']:.0f} by one of them only",
                f"equal grades {counts['equal grades']:.2f}; kappa of the grades {kappa}; "
                f"of relevant or not {yes_no}",
                f"relevant to both {counts['relevant to both']:.0f} of {counts['relevant to either']:.0f} "
                "relevant to either",
                self.table.to_string(),
                *filter(None, [self.leaning, self.odd, taken_over_in_words(self.judge, self.taken_over)]),
            ]
        )


def taken_over_in_words(judge: str, n: int) -> str:
    """What to say of pairs that were taken over from a judge, "" where there is none.

    >>> taken_over_in_words("dora", 73)
    "73 pairs are dora's in your own judgments too, and do not count"
    """
    if not n:
        return ""
    does = "does" if n == 1 else "do"
    return f"{counted(n, 'pair is', 'pairs are')} {judge}'s in your own judgments too, and {does} not count"


def agree(
    folder: Path,
    judge: str,
    gone: Collection[tuple[str, str]] = (),
    rng: np.random.Generator | int = 0,
    documents: Collection[str] = (),
    taken_over: int = 0,
) -> Agreement:
    """The agreement of a judge with a project's own judgments; pairs that were settled, with whatever judge,
    count as they were, and pairs that are `gone`, query or document, do not count; `taken_over` says how many
    of them are the judge's in the project's own too. `documents` are the ids of the project's own.

    Raises ValueError for a judge that there is not, and where no pair was judged by both.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> agree(folder, "anna")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: there is no judge 'anna'; the project has none but its own; ...
    """
    judges = check_judge(folder, judge)
    first, second = _without(_as_first_judged(folder), gone), _without(_qrels(folder, judge), gone)
    if not second:
        raise ValueError(f"{verdicts_path(folder, judge)} {_NONE}: workbench pool --judge {judge}")
    _check_same_pairs(folder, judge, first, second, documents)
    counts, frame = agreement(first, second), _judged_by_both(first, second)
    table = pd.crosstab(frame["own"], frame["other"], colnames=[judge])
    grades = frame[["own", "other"]].to_numpy()
    counts["kappa, grades"] = _kappa(grades)
    counts["kappa, relevant or not"] = _kappa(grades > 0)
    interval, said = _kappa_interval(frame, rng), (_leaning(judge, frame), _odd_queries(frame))
    return Agreement(judge, judges[judge].kind, counts, *interval, table, *said, taken_over)


def _judged_by_both(first: Qrels, second: Qrels) -> pd.DataFrame:
    """The query and the two grades of each pair that two judges have judged."""
    pairs = [
        (q, first[q][d], grade) for q in second for d, grade in second[q].items() if d in first.get(q, {})
    ]
    return pd.DataFrame(pairs, columns=["query_id", "own", "other"])


def agreements(
    folder: Path, left_out: Mapping[tuple[str | None, str], tuple[Collection[tuple[str, str]], int]]
) -> pd.DataFrame:
    """The agreement of judges with each other: a row for each two of `left_out`, where None is the project's
    own, with the pairs that do not count, and how many of these were taken over.

    Columns `one`, `other`, `pairs`, `equal` (the share of equal grades), `kappa` (of the grades) with its
    95 % interval from `low` to `high`, `taken_over`. Where no pair was judged by both, shares are nan.
    """
    rows = []
    for (one, other), (gone, n) in left_out.items():
        first = _as_first_judged(folder) if one is None else _qrels(folder, one)
        frame = _judged_by_both(_without(first, gone), _without(_qrels(folder, other), gone))
        grades, equal, kappa, interval = frame[["own", "other"]].to_numpy(), *[float("nan")] * 2, _NO_INTERVAL
        if len(frame):
            equal, kappa = float((grades[:, 0] == grades[:, 1]).mean()), _kappa(grades)
            interval = _kappa_interval(frame, 0)
        rows.append((one or "own", other, len(frame), equal, kappa, *interval, n))
    return pd.DataFrame(
        rows, columns=["one", "other", "pairs", "equal", "kappa", "low", "high", "taken_over"]
    )


_NO_INTERVAL = float("nan"), float("nan")


def agreements_in_words(table: pd.DataFrame) -> str:
    """The table of `agreements` for a terminal, and what of it does not count.

    >>> columns = ["one", "other", "pairs", "equal", "kappa", "low", "high", "taken_over"]
    >>> rows = [("own", "dora", 120, 0.85, 0.64, 0.5, 0.77, 73)]
    >>> print(agreements_in_words(pd.DataFrame(rows, columns=columns)))
    judges        pairs    equal    kappa    95 % interval
    own and dora  120      0.85     0.64     0.50 to 0.77
    73 pairs are dora's in your own judgments too, and do not count
    """
    heads, cells = ["judges", "pairs", "equal", "kappa", "95 % interval"], []
    for row in table.itertuples():
        shares = ["none" if np.isnan(share) else f"{share:.2f}" for share in (row.equal, row.kappa)]
        between = "none" if np.isnan(row.low) else f"{row.low:.2f} to {row.high:.2f}"
        cells.append([f"{row.one} and {row.other}", f"{row.pairs:,}", *shares, between])
    lines = [tabulate(cells, heads, tablefmt="plain", disable_numparse=True)]
    lines += [taken_over_in_words(row.other, row.taken_over) for row in table.itertuples() if row.taken_over]
    return "\n".join(lines)


def _leaning(judge: str, frame: pd.DataFrame) -> str:
    """Which of two judges gives the higher grades, in words; "" where they never differ. That one is more
    generous is said where the sign test over queries, whose pairs are judged together, has p below 0.05."""
    moved = frame["other"] - frame["own"]
    if not (n := int((moved != 0).sum())):
        return ""
    (own, other), most = (
        frame[moved != 0][["own", "other"]].value_counts().pipe(lambda c: (c.index[0], c.iloc[0]))
    )
    above, below = int((moved > 0).sum()), int((moved < 0).sum())
    said = f"of {counted(n, 'difference')}, {most} {'is' if most == 1 else 'are'} own {own} → {judge} {other}"
    said += f"; {judge} gives the higher grade in {above}, the lower in {below}"
    signs = np.sign(moved.groupby(frame["query_id"]).sum())
    ups, downs = int((signs > 0).sum()), int((signs < 0).sum())
    if ups + downs and scipy.stats.binomtest(ups, ups + downs).pvalue < _SURE:
        said += f": {judge} is {'more' if ups > downs else 'less'} generous"
    return said


def _odd_queries(frame: pd.DataFrame) -> str:
    """The queries in which at least half of the pairs differ, and far more often than in the others: by the
    hypergeometric distribution, with Holm's correction, p is below 0.01. "" where there is none."""
    differ = frame["own"] != frame["other"]
    of_query = differ.groupby(frame["query_id"]).agg(["sum", "size"])
    total, n = int(differ.sum()), len(frame)
    p = {
        q: min(1.0, float(scipy.stats.hypergeom.sf(one["sum"] - 1, n, total, one["size"])))
        for q, one in of_query.iterrows()
    }
    odd = [
        q
        for q, one in holm(p).items()
        if one < _ODD and 2 * of_query.loc[q, "sum"] >= of_query.loc[q, "size"]
    ]
    if not odd or len(odd) == len(of_query):
        return ""
    there = of_query.loc[odd].sum()
    which = first_few(f"{q} ({of_query.loc[q, 'sum']} of {of_query.loc[q, 'size']} pairs)" for q in odd)
    rest = f"in the other queries {total - there['sum']} of {n - there['size']} pairs differ"
    cure = "did both read the query alike, and were rows of a sheet moved?"
    return f"far more differences than elsewhere: {which}; {rest}; {cure}"


_SURE, _ODD = 0.05, 0.01


def disagreements(folder: Path, judge: str, gone: Collection[tuple[str, str]] = ()) -> pd.DataFrame:
    """The pairs on which a judge and the project differ and that nobody has settled, the furthest first,
    without those that are `gone`.

    Columns `query_id`, `doc_id`, `own`, `other`. Raises ValueError for a judge that there is not.
    """
    check_judge(folder, judge)
    first, second = _without(_qrels(folder), gone), _qrels(folder, judge)
    settled = {(query_id, doc_id) for query_id, doc_id, _ in read_resolved(folder)}
    rows = [
        (q, d, first[q][d], grade)
        for q, grades in second.items()
        for d, grade in grades.items()
        if d in first.get(q, {}) and first[q][d] != grade and (q, d) not in settled
    ]
    rows.sort(key=_furthest_first)
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "own", "other"])


def _furthest_first(row: tuple) -> tuple:
    query_id, doc_id, own, other = row[:4]
    return -abs(own - other), query_id, doc_id


def settled_with_others(folder: Path, judge: str, gone: Collection[tuple[str, str]] = ()) -> pd.DataFrame:
    """The pairs on which a judge differs from the grade that counts, which was settled with somebody else and
    not with this judge, the furthest first, without those that are `gone`.

    Columns `query_id`, `doc_id`, `own`, `other`, and `settled_with`, by whose name a pair is settled anew.
    Raises ValueError for a judge that there is not.
    """
    check_judge(folder, judge)
    own, second = _qrels(folder), _qrels(folder, judge)
    with_whom: dict[tuple[str, str], dict[str, int]] = {}
    for (query_id, doc_id, one), record in read_resolved(folder).items():
        with_whom.setdefault((query_id, doc_id), {})[one] = record.final
    rows = []
    for (query_id, doc_id), finals in with_whom.items():
        now, other = own.get(query_id, {}).get(doc_id), second.get(query_id, {}).get(doc_id)
        others = [one for one in finals if one != judge]
        differs = None not in (now, other) and now != other and (query_id, doc_id) not in gone
        if differs and others and finals.get(judge) != now:
            rows.append((query_id, doc_id, now, other, others[-1]))
    rows.sort(key=_furthest_first)
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "own", "other", "settled_with"])


@dataclass(frozen=True)
class Differences:
    """What became of the pairs on which a judge differs from the project: `unsettled` and `elsewhere`, as
    `disagreements` and `settled_with_others` give them; the pairs that differed before any was settled
    (`at_first`), and how many of those were `settled` with this judge, or with others and as this judge says
    (`as_said`).
    """

    judge: str
    unsettled: pd.DataFrame
    elsewhere: pd.DataFrame
    at_first: frozenset[tuple[str, str]]
    settled: int
    as_said: int

    @property
    def table(self) -> pd.DataFrame:
        """Both lists as one; `settled_with` is "" for a pair that nobody settled."""
        return pd.concat([self.unsettled.assign(settled_with=""), self.elsewhere], ignore_index=True)

    def text(self, n: int = 20) -> str:
        """In words how the numbers add up, and the first `n` of each list."""
        name, off = self.judge, counted(len(self.at_first), "pair off the diagonal", "pairs off the diagonal")
        from_here = sum(pair in self.at_first for pair in _pairs_of(self.elsewhere))
        parts = [f"{len(self.unsettled):,} not settled", f"{self.settled:,} settled with {name}"]
        if self.as_said or len(self.elsewhere):
            parts += [f"{self.as_said:,} settled with others as {name} says"]
            parts += [f"{from_here:,} settled with others otherwise"]
        lines = [f"not settled: {len(self.unsettled):,}", *_listed(name, self.unsettled, n)]
        if self.at_first:
            lines.append(f"of {off}: {', '.join(parts)}")
        if more := len(self.elsewhere) - from_here:
            said = "agreed at first, and was" if more == 1 else "agreed at first, and were"
            lines.append(f"besides, {more:,} on the diagonal {said} settled with others otherwise")
        if count := len(self.elsewhere):
            who = first_few(dict.fromkeys(self.elsewhere["settled_with"]))
            pairs = counted(count, "pair", "pairs")
            lines.append(f"{pairs} where {name} differs from the grade that counts, settled with {who}:")
            lines += _listed(name, self.elsewhere, n)
        return "\n".join(lines)


def _listed(judge: str, rows: pd.DataFrame, n: int) -> list[str]:
    """The first `n` pairs, a line each, and how many more there are."""
    lines = []
    for row in rows.head(n).to_dict("records"):
        whom = f", settled with {row['settled_with']}" if "settled_with" in row else ""
        lines.append(f"  {row['query_id']}  {row['doc_id']}  own {row['own']}, {judge} {row['other']}{whom}")
    return lines + [f"  and {len(rows) - n:,} more"] * (len(rows) > n)


def _pairs_of(rows: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(rows["query_id"], rows["doc_id"], strict=True))


def differences(folder: Path, judge: str, gone: Collection[tuple[str, str]] = ()) -> Differences:
    """What became of the pairs on which a judge and the project differ; those that are `gone` do not count.

    Raises ValueError for a judge that there is not.
    """
    unsettled, elsewhere = disagreements(folder, judge, gone), settled_with_others(folder, judge, gone)
    first, second = _without(_as_first_judged(folder), gone), _without(_qrels(folder, judge), gone)
    at_first = {
        (q, d)
        for q, grades in second.items()
        for d, grade in grades.items()
        if first.get(q, {}).get(d, grade) != grade
    }
    rest = at_first - {*_pairs_of(unsettled), *_pairs_of(elsewhere)}
    records = read_resolved(folder)
    settled = sum((*pair, judge) in records for pair in rest)
    return Differences(judge, unsettled, elsewhere, frozenset(at_first), settled, as_said=len(rest) - settled)


def settle(folder: Path, judge: str, query_id: str, doc_id: str, final: int, why: str = "") -> None:
    """Notes on which grade two judges settled. Settled anew, a pair keeps the reasons that were given before.

    Raises ValueError for a judge that there is not, and for a pair that they did not both judge.
    """
    check_judge(folder, judge)
    first, second = _as_first_judged(folder), _qrels(folder, judge)
    pair = [qrels.get(query_id, {}).get(doc_id) for qrels in (first, second)]
    if None in pair:
        who = "the project" if pair[0] is None else repr(judge)
        alike = written_otherwise(doc_id, list(second.get(query_id, {}))).removesuffix(": ")
        what = alike or "there is nothing to settle"
        if pair[0] is None and pair[1] is not None:
            what = "judge it first, in 1_label.ipynb or by a sheet (workbench pool), or take over all that "
            what += f"{judge} judged and the project has not: workbench settle {judge} --rest"
        raise ValueError(f"{who} has not judged {doc_id!r} for {query_id!r}; {what}")
    if pair[0] == pair[1]:
        cure = "to change your own, change its line in judgments.jsonl, or judge it anew in 1_label.ipynb"
        others = [one for q, d, one in read_resolved(folder) if (q, d) == (query_id, doc_id)]
        if others:
            cure = f"it was settled with {others[0]!r}: settle it anew with {others[0]!r}"
        raise ValueError(f"both say grade {pair[0]} for {query_id!r}, {doc_id!r}: nothing to settle; {cure}")
    records = read_resolved(folder)
    key = (query_id, doc_id, judge)
    facts = {
        "first": pair[0],
        "second": pair[1],
        "final": final,
        "why": _reasons(records.get(key), final, why),
    }
    records.pop(key, None)  # what was settled last stands last
    records[key] = Resolved(query_id=query_id, doc_id=doc_id, judge=judge, **facts)
    write_records(folder / JUDGES / RESOLVED_FILE, records.values())


def _reasons(before: Resolved | None, final: int, why: str) -> str:
    """The reason for a grade, after those given before; one for another grade says for which it was."""
    old = before.why if before else ""
    if old and before.final != final:
        old = f"before, for grade {before.final}: {old}"
    return "; ".join([old] * bool(old) + [why] * bool(why and why not in old.split("; ")))


@dataclass(frozen=True)
class Corrected:
    """The mean of a metric over all queries that a model judged, corrected by those that people judged too.

    `model` is the mean by the model's judgments alone over all `n` queries; `mean`, with its 95 % interval
    from `low` to `high`, adds what people's judgments of `both` queries differ by.
    """

    model: float
    mean: float
    low: float
    high: float
    n: int
    both: int


def corrected_mean(by_model: Mapping[str, float], by_people: Mapping[str, float]) -> Corrected:
    """What people would find in the mean, from a model's score of every query and people's of some of them.

    `helpers.stats.prediction_powered`, tuned, for scores by query. The queries that people judged must be
    drawn at random from all: only then does what they differ by hold for the others. Raises ValueError for
    fewer than two queries of both, with its id for one that the model has not judged, and where fewer than
    two are left to the model alone.

    >>> by_model = {"q1": 1.0, "q2": 0.5, "q3": 0.9, "q4": 0.8}
    >>> found = corrected_mean(by_model, {"q1": 0.8, "q2": 0.3})
    >>> round(found.model, 2), found.low < found.mean < found.high
    (0.8, True)
    """
    by_model, by_people = dict(by_model), dict(by_people)
    for name, scores in (("by_model", by_model), ("by_people", by_people)):
        for query_id, score in scores.items():
            if isinstance(score, bool) or not isinstance(score, Real) or not isfinite(score):
                cure = "leave the query out, or score it"
                raise ValueError(f"{name}, query {query_id!r}: {score!r:.40} is no finite number; {cure}")
    if unknown := [query_id for query_id in by_people if query_id not in by_model]:
        said = f"people judged {first_few(map(repr, unknown))}, which the model has not judged"
        raise ValueError(f"{said}; it must have judged every query: corrected_mean(by_model, by_people)")
    if len(by_people) < 2:
        both = counted(len(by_people), "query was", "queries were")
        raise ValueError(f"{both} judged by people and model; needed two or more")
    if (left := len(by_model) - len(by_people)) < 2:
        alone = counted(left, "query is", "queries are")
        raise ValueError(
            f"{alone} left to the model alone; needed two or more, else take the mean of people's"
        )
    verdicts = [by_model[query_id] for query_id in by_people]
    more = [score for query_id, score in by_model.items() if query_id not in by_people]
    found = prediction_powered(list(by_people.values()), verdicts, more)
    model = float(np.mean([*verdicts, *more]))
    return Corrected(model, found["estimate"], found["low"], found["high"], len(by_model), len(by_people))


def graded(judge: Callable, query: str, text: str, where: str) -> tuple[int, str]:
    """What a judge, any function of a query and a text, says: a grade, and the words that it quotes or "".

    It gives 0, 1 or 2, or a pair of such a grade and a quote. Raises ValueError, with `where`, for anything
    else: a judge that answers "relevant" must be told in code what that is. Words that do not stand in the
    text are given as they came; they are for the caller to refuse.

    >>> graded(lambda query, text: 2 if query in text else 0, "key", "Use the key.", "")
    (2, '')
    """
    with own_code(where, "your judge"):
        found = judge(query, text)
    grade, quote = found if isinstance(found, tuple | list) and len(found) == 2 else (found, "")
    whole = isinstance(grade, Integral) and not isinstance(grade, bool)
    if not whole or grade not in (0, 1, 2) or not isinstance(quote, str):
        said = "; needed 2 (answers), 1 (helps) or 0, or such a grade and a quote"
        if isinstance(grade, str) and grade.strip() in ("0", "1", "2"):
            said = f", which is text; needed the number: int({grade!r})"
        raise ValueError(f"{where}: the judge said {found!r:.80}{said}")
    return int(grade), quote


def _qrels(folder: Path, judge: str | None = None) -> Qrels:
    found: Qrels = {}
    for (query_id, doc_id), verdict in read_verdicts(folder, judge).items():
        found.setdefault(query_id, {})[doc_id] = verdict.grade
    return found


def _without(qrels: Qrels, gone: Collection[tuple[str, str]]) -> Qrels:
    kept = {q: {d: grade for d, grade in grades.items() if (q, d) not in gone} for q, grades in qrels.items()}
    return {query_id: grades for query_id, grades in kept.items() if grades}


_NONE = "holds no judgment, or is not there; judge some of the same pairs"


def _check_same_pairs(
    folder: Path, judge: str, first: Qrels, second: Qrels, documents: Collection[str]
) -> None:
    """Raises ValueError where the project's own judgments are gone, or no pair is among both, with one of
    each, and asks whether the judge's are another project's where it has no such query or document.
    """
    if not first:
        raise ValueError(f"{verdicts_path(folder)} {_NONE}: workbench pool")
    if any(grades.keys() & first.get(query_id, {}).keys() for query_id, grades in second.items()):
        return
    own, other = (
        next((query_id, doc_id) for query_id, grades in qrels.items() for doc_id in grades)
        for qrels in (first, second)
    )
    said = f"no pair of query and document was judged by both: {judge} judged e.g. {other}, the project {own}"
    if other[0] in read_questions(folder) and other[1] in documents:
        cure = f"workbench pool --judge {judge} --out sheet.csv has what {judge} has not judged yet"
        raise ValueError(f"{said}; have {judge} judge the same pairs: {cure}")
    raise ValueError(f"{said}; is {verdicts_path(folder, judge)} of another project?")


def _as_first_judged(folder: Path) -> Qrels:
    """The project's own judgments with those that were settled put back to what they were before the first
    settlement: what was settled with one judge is no independent judgment beside another."""
    own, settled = _qrels(folder), set()
    for (query_id, doc_id, _), one in read_resolved(folder).items():
        if doc_id in own.get(query_id, {}) and (query_id, doc_id) not in settled:
            settled.add((query_id, doc_id))
            own[query_id][doc_id] = one.first
    return own


def _kappa(pairs: np.ndarray) -> float:
    """Kappa of pairs of grades; nan where all are one and the same, of which it says nothing."""
    return float("nan") if (pairs == pairs[0, 0]).all() else cohen_kappa(*pairs.T.tolist())


def _kappa_interval(frame: pd.DataFrame, rng: np.random.Generator | int) -> tuple[float, float]:
    """The 95 % percentile interval of kappa: pairs of one query are judged together and drawn together.

    Draws in which kappa is undefined are left out.
    """
    groups = [group[["own", "other"]].to_numpy() for _, group in frame.groupby("query_id")]
    if len(groups) < 2 or np.isnan(_kappa(np.concatenate(groups))):
        return _NO_INTERVAL
    n = len(groups)
    draws = check_rng(rng).integers(n, size=(_RESAMPLES, n)) + n * np.arange(_RESAMPLES)[:, None]
    times = np.bincount(draws.ravel(), minlength=n * _RESAMPLES).reshape(_RESAMPLES, n)
    found = _kappas(np.tensordot(times, _tables(groups), axes=1))
    low, high = np.nanquantile(found, [0.025, 0.975])
    return float(low), float(high)


def _tables(groups: Sequence[np.ndarray]) -> np.ndarray:
    """How often the two judges gave which two grades, a table for each group of pairs."""
    grades, codes = np.unique(np.concatenate(groups), return_inverse=True)
    first, second = codes.reshape(-1, 2).T
    tables = np.zeros((len(groups), len(grades), len(grades)), int)
    np.add.at(tables, (np.repeat(np.arange(len(groups)), list(map(len, groups))), first, second), 1)
    return tables


def _kappas(tables: np.ndarray) -> np.ndarray:
    """Kappa of each of many tables; nan where all pairs are one and the same grade."""
    n, chance = tables.sum(axis=(1, 2)), (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    observed, expected = np.trace(tables, axis1=1, axis2=2) / n, chance / n**2
    found = np.full(len(tables), np.nan)
    return np.divide(observed - expected, 1 - expected, out=found, where=chance != n**2)
