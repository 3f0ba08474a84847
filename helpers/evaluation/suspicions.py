"""What is refused of a run and its judgments before they are joined, and what looks like another thing.

Refused is what cannot be counted. What can be, and probably is not what it is given for (ranks or distances
as scores, the two in exchanged places, ids written in another way), is told in a warning.
"""

import re
from array import array
from collections.abc import Collection, ItemsView, Iterator, Mapping
from itertools import islice, pairwise
from numbers import Integral, Real

from helpers.base import GRADES_BELOW, check_blanks, check_ids, counted, cure_of_grade, warn
from helpers.evaluation.conventions import Conventions
from helpers.evaluation.fast_metrics import JudgedRanks
from helpers.evaluation.rankings import Results, as_scores
from helpers.records import Qrels

_TOO_MANY_IDS, _TOO_MANY_QUERIES, _MANY_QUERIES, _A_RANKING = 10, 5, 10, 3
"""From so many on, what looks odd is no accident."""
_A_CUT, _NEARLY_ALL = 5, 0.8
"""Lists are taken to be cut that have so many documents, in such a share of the queries."""

_SWAPPED = "have the two changed places? The run comes first, then the qrels"


def check_inputs(run: Mapping, qrels: Qrels, conventions: Conventions) -> None:
    """Raises ValueError for a run or judgments of another form, and for a run of other queries; warns of
    ids of queries in another form, and of scores that are all the same, as given or as 32-bit floats."""
    if not isinstance(conventions, Conventions):
        raise ValueError(f"conventions is {conventions!r}; give Conventions(...), or TREC")
    for name, value in (("run", run), ("qrels", qrels)):
        if not isinstance(value, Mapping):
            kind = type(value).__name__
            raise ValueError(f"{name} is a {kind}; give a dict with an entry for each query_id")
        check_ids(value, f"{name}: query_id")
    if not qrels:
        raise ValueError("the qrels hold no query; there is nothing to evaluate")
    try:
        for query_id, grades in qrels.items():
            _check_grades(query_id, grades, GRADES_BELOW[conventions.gain])
    except ValueError as error:
        if not _is_graded(run):
            raise
        raise ValueError(f"{error}; {_SWAPPED}") from None
    if not run:
        raise ValueError("the run holds no query: nothing was searched, or its file was empty")
    check_blanks(qrels, run, "query")
    if not any(query_id in qrels for query_id in run):
        if all(isinstance(value, Real) for value in run.values()):
            name, value = next(iter(run.items()))
            made = "is it an evaluation? Give the run that it was made of"
            raise ValueError(f"run holds numbers in the place of results, {name!r}: {value!r:.20}; {made}")
        inner = {one for grades in qrels.values() for one in grades}
        turned = "the judgments hold these inside: needed {query_id: {doc_id: grade}}"
        raise ValueError(
            f"none of the run's {len(run)} queries (e.g. {next(iter(run))!r}) is among the {len(qrels)} "
            f"judged ones (e.g. {next(iter(qrels))!r}): {turned if run.keys() <= inner else 'wrong split?'}"
        )
    _warn_of_query_ids(run, qrels)
    if conventions.ties == "doc_id down" and (equal := what_is_equal(run)):
        so = "so its documents are ordered by their ids, and not as given; give scores that fall"
        warn(f"{equal}, {so}, or Conventions(ties='as given')")


def _warn_of_query_ids(run: Mapping, qrels: Qrels) -> None:
    """Warns of judged queries that the run has under an id with other zeros or capitals, and where most of
    them are missing and as many others are there."""
    missing, others = qrels.keys() - run.keys(), run.keys() - qrels.keys()
    forms = {_form(query_id): query_id for query_id in others}
    pairs = [(one, forms[_form(one)]) for one in missing if _form(one) in forms]
    most = len(missing) >= _TOO_MANY_QUERIES and 2 * len(missing) > len(qrels)
    if pairs:
        one, other = min(pairs)
        what = counted(len(pairs), "judged query is", "judged queries are")
        cure = "write the ids alike (a spreadsheet drops zeros: read the column as text)"
        warn(
            f"{what} missing in the run, which has the id in another form, e.g. {other!r} for {one!r}; {cure}"
        )
    elif most and len(others) >= len(missing):
        said = f"{len(missing)} of {len(qrels)} judged queries are missing in the run, e.g. {min(missing)!r}"
        cure = "are the ids written otherwise, or is it another split?"
        warn(f"{said}, and it has {len(others)} that are not judged, e.g. {min(others)!r}; {cure}")


def _form(id_: str) -> str:
    """An id in small letters, without the zeros before a number."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", id_.casefold())


def _check_grades(query_id: str, grades: Mapping[str, int], highest: int) -> None:
    where = f"qrels, query {query_id!r}"
    if not isinstance(grades, Mapping):
        raise ValueError(f"{where}: {type(grades).__name__} in place of a dict {{doc_id: grade}}")
    if not grades:
        raise ValueError(f"{where}: no judgment at all; leave the query out, or judge a document")
    check_ids(grades, f"{where}: doc_id")
    # Asking each grade takes ten times as long as asking for the types and the extremes.
    lowest, values = -(10**9), grades.values()
    if set(map(type, values)) == {int} and lowest < min(values) and max(values) < highest:
        return
    for doc_id, grade in grades.items():
        of = f"{where}, document {doc_id!r}: grade {grade!r}"
        if not isinstance(grade, Integral):
            parts = [one for one in values if isinstance(one, float) and one % 1]
            grade = parts[0] if parts and isinstance(grade, float) else grade  # int() spoils 0.5
            raise ValueError(f"{of} is not a whole number{cure_of_grade(grade)}")
        if not lowest < grade < highest:
            raise ValueError(f"{of} is out of range; needed one below {highest:,}")


# Scores that look like something else


def check_joined(run: Mapping[str, Results], qrels: Qrels, judged: JudgedRanks) -> None:
    """Raises ValueError where run and judgments have no document in common; warns of what they look like when
    they are joined: scores of which the smallest is best, one list for all queries, ids in another
    form."""
    if not judged.n_relevant.any():
        said = f"no judged document of the {counted(len(qrels), 'query')} is relevant, so every system gets 0"
        warn(f"{said}; were the grades filled in?")
        return
    _warn_of_scores(run, qrels, judged)
    _warn_of_one_list(run, qrels)
    if not len(judged.found.query):
        _check_ids_meet(run, qrels)
        return
    is_short = judged.relevant.per_query() < judged.n_relevant
    short = [query_id for query_id, missed in zip(qrels, is_short, strict=True) if missed]
    _warn_of_other_forms(run, {query_id: qrels[query_id] for query_id in short}, qrels)


def check_depth(run: Mapping[str, Results], judged: JudgedRanks, ranks: Mapping[str, int]) -> None:
    """Warns of metrics, given with their ranks, that count deeper than the lists go: they were cut, for
    nearly all of them are of one length, which is not that of the whole corpus."""
    longest = cut_at(run, judged)
    if below := [name for name, k in ranks.items() if longest is not None and k > longest]:
        said = f"the lists of the run end at rank {longest}, and {below[0]} counts to rank {ranks[below[0]]}"
        warn(f"{said}: whatever lies deeper counts as not found; search deeper, or take @{longest}")


def cut_at(run: Mapping[str, Results], judged: JudgedRanks) -> int | None:
    """The rank at which the lists of a run were cut: nearly all are of that length, which is not that of all
    the documents that were found; None where they were not."""
    lengths = judged.n_retrieved[judged.n_retrieved > 0]
    if len(lengths) < _TOO_MANY_QUERIES or judged.conventions.unjudged == "condensed":
        return None
    longest = int(lengths.max())
    if longest < _A_CUT or (lengths == longest).mean() < _NEARLY_ALL:
        return None
    found: set[str] = set()
    for results in run.values():
        found.update(_ids(results))
        if len(found) > longest:
            return longest
    return None


def _warn_of_scores(run: Mapping[str, Results], qrels: Qrels, judged: JudgedRanks) -> None:
    """Warns of a run and judgments in exchanged places, and of scores that look like ranks or distances, of
    which the smallest is best: by their form where the relevant documents do not contradict it, and in
    whatever form where all of ten queries or more have them in the lower half."""
    higher, lower = _halves(judged)
    if _is_graded(run) and _holds_grades(run) and _is_scored(qrels):
        said = "all scores of the run are whole numbers, and the grades of a query are nearly all different"
        warn(f"{said}; {_SWAPPED}")
    elif higher > lower:
        return
    elif _holds_ranks(run):
        said = (
            "the scores of every query are 1, 2, 3 and so on, as ranks are, but the highest score is the best"
        )
        warn(f"{said}; if they are ranks, give each document -rank as its score")
    elif _holds_distances(run):
        said = "in every query the scores rise from the first document to the last"
        warn(f"{said}; if they are distances, nearest first, give each document -distance as its score")
    elif lower >= _MANY_QUERIES and not higher:
        said = f"in all {lower} queries the relevant documents found are in the lower half of the ranking"
        warn(f"{said}; if the scores are ranks or distances, give each document minus that as its score")


def _halves(judged: JudgedRanks) -> tuple[int, int]:
    """How many queries have the relevant documents found in the upper half, and how many in the lower."""
    relevant, n = judged.relevant, judged.n_retrieved
    found = relevant.per_query()
    some = (found > 0) & (found < n) & (n >= _A_RANKING)
    from_middle = relevant.per_query(relevant.rank)[some] / found[some] - (n[some] + 1) / 2
    return int((from_middle < 0).sum()), int((from_middle > 0).sum())


def _holds_ranks(run: Mapping[str, Results]) -> bool:
    """Whether a run looks like `{doc_id: rank}`: in each of several queries the numbers from 1 (or 0) on, one
    each. Scores that were made of ranks, the best of which are the highest, come highest first."""
    if not _are_dicts_of_scores(run) or not all(_are_ranks(one) for one in run.values() if len(one) > 1):
        return False
    each = (list(results.values()) for results in run.values())
    return any(scores != sorted(scores, reverse=True) for scores in each)


def _holds_distances(run: Mapping[str, Results]) -> bool:
    """Whether a run looks like `{doc_id: distance}`: scores rise throughout in each of several queries."""
    several = [results for results in run.values() if _is_mapping(results) and len(results) > 1]
    if not _are_dicts_of_scores(run) or all(map(_are_ranks, several)):
        return False
    try:
        scores = [[*map(float, results.values())] for results in several]
    except (TypeError, ValueError):
        return False
    return all(one == sorted(one) and one[0] < one[-1] for one in scores)


def _warn_of_one_list(run: Mapping[str, Results], qrels: Qrels) -> None:
    """Warns of one and the same list, scores included, for all of several queries that were judged
    differently."""
    lists = (run[query_id] for query_id in qrels if query_id in run)
    if (first := next(lists, None)) is None or len(_ids(first)) < 2:
        return
    n, kept = 1, _pairs(first)
    for results in lists:
        if _pairs(results) != kept:
            return
        n += 1
    if n >= _TOO_MANY_QUERIES and any(one != other for one, other in pairwise(qrels.values())):
        said = f"all {n} queries have the same {len(kept)} documents with the same scores"
        warn(f"{said}; did the text of each query reach the search?")


def what_is_equal(run: Mapping[str, Results]) -> str:
    """What to say where in each of several queries with several documents all scores are the same, or nine
    in ten of those that differ from the next are not told from it in 32 bits; "" elsewhere, and where the
    order of the ids, which then counts, is the one that was given."""
    several = rounded = 0
    is_lost = False
    for results in run.values():
        pairs = _pairs(results)
        falls = [(one, next_) for (_, one), (_, next_) in pairwise(pairs) if one != next_]
        if falls and 10 * sum(map(_differ_in_32_bits, falls)) > len(falls):
            return ""
        several, rounded = several + (len(pairs) > 1), rounded + bool(falls)
        is_lost = is_lost or any(str(one) < str(next_) for (one, _), (next_, _) in pairwise(pairs))
    if several < _TOO_MANY_QUERIES or not is_lost:
        return ""
    if rounded:
        return "nearly all scores of a query are equal as 32-bit floats, which trec_eval compares"
    return "all scores of a query are equal"


def _differ_in_32_bits(pair: tuple[object, object]) -> bool:
    try:
        one, other = array("f", pair)
    except (TypeError, ValueError, OverflowError):  # what is no number is named where it is compared
        return True
    return one != other


def _pairs(results: Results) -> list[tuple]:
    """Ids and scores of one query, of whatever form its results are; what is no pair is left out."""
    if _are_arrays(results):
        return list(zip(results[0].tolist(), results[1].tolist(), strict=False))
    pairs = results.items() if _is_mapping(results) else results
    pairs = pairs if isinstance(pairs, list | tuple | ItemsView) else []
    return [pair for pair in pairs if isinstance(pair, tuple | list) and len(pair) == 2]


def _are_dicts_of_scores(run: Mapping[str, Results]) -> bool:
    """Whether these are dicts, in several queries of two documents or more, and some of them rankings."""
    if not all(map(_is_mapping, run.values())):
        return False
    lengths = [len(results) for results in run.values() if len(results) > 1]
    return len(lengths) >= _TOO_MANY_QUERIES and max(lengths) >= _A_RANKING


def _are_ranks(results: Mapping[str, object]) -> bool:
    n = len(results)
    try:
        return set(results.values()) in (set(range(1, n + 1)), set(range(n)))
    except TypeError:  # what cannot be looked up is no rank
        return False


def _is_graded(run: Mapping[str, Results]) -> bool:
    """Whether a run looks like judgments: `{doc_id: whole number}` throughout."""
    return any(map(_is_mapping, run.values())) and all(
        _is_mapping(results) and results and all(isinstance(score, Integral) for score in results.values())
        for results in run.values()
    )


def _is_mapping(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_scored(qrels: Qrels) -> bool:
    """Whether judgments look like a run: of several documents hardly two of a query have one grade, and of
    few none."""
    n = sum(map(len, qrels.values()))
    several = len(qrels) >= _TOO_MANY_QUERIES and max(map(len, qrels.values())) >= _A_RANKING
    different = sum(len(set(grades.values())) for grades in qrels.values())
    several = several or max(map(len, qrels.values())) >= 5
    few = n >= 2 * _A_RANKING and len(qrels) < n
    return (several and different > 0.8 * n) or (few and different == n)


def _holds_grades(run: Mapping[str, Results]) -> bool:
    """Whether the scores of a run are those of judgments: 0 among them, one twice in a query, or hardly any
    that differ at all."""
    scores = [list(results.values()) for results in run.values()]
    twice = any(0 in one or len(set(one)) < len(one) for one in scores)
    return twice or len({score for one in scores for score in one}) <= 2


# Ids that never meet


def _check_ids_meet(run: Mapping[str, Results], qrels: Qrels) -> None:
    """Raises ValueError where no id of the run is judged for any query: ids of another form, no bad search.

    Of few ids or queries that is said in a warning: a search may well find nothing for three queries. So is
    a run in which nothing was found at all.
    """
    retrieved = dict.fromkeys(doc_id for query_id in run for doc_id in as_scores(query_id, run[query_id]))
    known = dict.fromkeys(doc_id for grades in qrels.values() for doc_id in grades)
    if not retrieved:
        queries = counted(len(run), "query", "queries")
        warn(f"the run holds no document for any of its {queries}: is the index empty, or was it not asked?")
        return
    if not known.keys().isdisjoint(retrieved):
        return
    examples = f"e.g. {next(iter(retrieved))!r} in the run and {next(iter(known))!r} in the qrels"
    cure = "write them alike on both sides; if they are alike, judge what was found first"
    said = f"none of the run's {counted(len(retrieved), 'document id')} is judged, {examples}; {cure}"
    if len(retrieved) >= _TOO_MANY_IDS and sum(map(bool, run.values())) >= _TOO_MANY_QUERIES:
        raise ValueError(said)
    warn(said)


def _warn_of_other_forms(run: Mapping[str, Results], short: Qrels, qrels: Qrels) -> None:
    """Warns of relevant documents that are missed where the run has their id in other capitals, with \\ for
    /, with or without a path before it or an ending, or with the number of a chunk: a part of an index was
    named anew, or cut. `short` are the judgments of the queries in which something is missed.

    An id that is judged itself is never taken for another. One that the run has in both forms is where a part
    of the queries was searched elsewhere: several are needed for that, and no query may have found both. So
    it is with a number that is not said to be a chunk's by a sign of its own, as in `d1-3`: it may be a part
    of the name.
    """
    found = [
        pair for query_id in run.keys() & short.keys() for pair in _alike(run[query_id], short[query_id])
    ]
    if not found:
        return
    judged = {doc_id for grades in qrels.values() for doc_id in grades}
    retrieved = {doc_id for results in run.values() for doc_id in _ids(results)}
    found = [(one, other) for one, other in found if other not in judged]
    twice = {(one, other) for one, other in found if one in retrieved or _is_numbered(one, other)}
    if len({one for one, _ in twice}) < _TOO_MANY_QUERIES or _are_found_together(twice, run, judged):
        found = [pair for pair in found if pair not in twice]
    if found:
        said = counted(len(found), "relevant document is", "relevant documents are")
        one, other = min(found)
        cure = "if they are one document, write them alike"
        is_chunk = "#" in other or _is_numbered(one, other)
        cure += "; hits of chunks (doc_id#number) become documents by to_documents" if is_chunk else ""
        example = f"e.g. {other!r} in the run and {one!r} in the qrels"
        warn(f"{said} missed where the run has the id in another form, {example}; {cure}")


_NUMBERED = re.compile(r"(?:[_-](?:c|v|chunk[_-]?)?|::)\d+$", re.IGNORECASE)
"""The end of an id that may be the number of a chunk or a version: `_3`, `-3`, `_c3`, `-v2`, `_chunk_3`,
`-chunk-3`, `::3`."""


def _is_numbered(one: str, other: str) -> bool:
    """Whether an id is another one with a number behind it."""
    return bool(_NUMBERED.fullmatch(other.casefold().partition(one.casefold())[2]))


_MORE = re.compile(rf"|/|#.*|\.\w{{1,5}}|{_NUMBERED.pattern}", re.IGNORECASE)


def _are_found_together(
    pairs: Collection[tuple[str, str]], run: Mapping[str, Results], judged: Collection[str]
) -> bool:
    """Whether any query has found, or the judgments hold, an id in both forms of such pairs, so that they are
    two documents."""
    shapes = {tuple(other.split(one, 1)) for one, other in pairs if one in other}
    plain = {(before, after) for before, after in shapes if not _NUMBERED.fullmatch(after)}
    numbered = shapes != plain
    if numbered and _holds_numbered(judged):
        return True
    for results in run.values():
        doc_ids = set(_ids(results))
        if any(f"{before}{doc_id}{after}" in doc_ids for before, after in plain for doc_id in doc_ids):
            return True
        if numbered and _holds_numbered(doc_ids):
            return True
    return False


def _holds_numbered(doc_ids: Collection[str]) -> bool:
    """Whether any of the ids is another one with a number behind it, whatever the number."""
    parts = ((doc_id, _NUMBERED.search(doc_id)) for doc_id in doc_ids)
    return any(found and doc_id[: found.start()] in doc_ids for doc_id, found in parts)


def _alike(results: Results, grades: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """A missed relevant document of one query and the id in its results that may stand for it."""
    doc_ids = _ids(results)
    missed = {doc_id for doc_id, grade in grades.items() if grade > 0} - set(doc_ids)
    text = "\n".join(["", *doc_ids, ""]).casefold().replace("\\", "/")
    for doc_id in sorted(missed)[:_LOOKED_AT]:
        line = _line_alike(doc_id.casefold().replace("\\", "/"), text)
        if line is not None and line < len(doc_ids):
            yield doc_id, doc_ids[line]


_LOOKED_AT = 20
"""So many documents of a query, and places of a text, are looked at: all would take longer than the rest."""


def _line_alike(wanted: str, text: str) -> int | None:
    """The number of the line that is the id but for a path, an ending, a slash behind it or a chunk's number;
    None where none is."""
    for found in islice(re.finditer(re.escape(wanted), text), _LOOKED_AT):
        begin, end = text.rindex("\n", 0, found.start() + 1) + 1, text.index("\n", found.end())
        before, after = text[begin : found.start()], text[found.end() : end]
        if (not before or before.endswith("/")) and _MORE.fullmatch(after):
            return text.count("\n", 0, begin) - 1
    if any(map(str.isdigit, wanted)):  # with the zeros before a number, or without them
        parts = re.split(r"(?<!\d)0*(\d+)", wanted)
        zeros = "".join(f"0*{part}" if n % 2 else re.escape(part) for n, part in enumerate(parts))
        if found := re.search(rf"\n{zeros}(?=\n)", text):
            return text.count("\n", 0, found.start())
    stem, name = re.sub(r"\.\w{1,5}$", "", wanted), wanted.rpartition("/")[2]
    for shorter in {stem, name, wanted.rstrip("/")} - {wanted, ""}:
        if (at := text.find(f"\n{shorter}\n")) >= 0:
            return text.count("\n", 0, at)
    return None


def _are_arrays(results: Results) -> bool:
    return isinstance(results, tuple) and len(results) == 2 and all(hasattr(one, "tolist") for one in results)


def _ids(results: Results) -> list[str]:
    if _are_arrays(results):
        return results[0].tolist()
    return [*results] if _is_mapping(results) else [doc_id for doc_id, _ in results]
