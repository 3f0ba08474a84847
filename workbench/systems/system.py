"""A search over one corpus, whoever runs it. Every verb that is told of a system asks `open_system`."""

import ast
import inspect
import os
import re
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from numbers import Number
from pathlib import Path

from helpers.base import check_flag, check_k, check_type, counted, first_few, folded
from helpers.records import Queries, Run
from workbench.backends import BACKENDS
from workbench.budget import Item
from workbench.corpus import CorpusFolder
from workbench.snapshots import Snapshot, build_snapshot, load_snapshot
from workbench.systems.answers import (
    Hits,
    as_documents,
    as_hits,
    aside,
    check_takes,
    in_short,
    own_code,
    taken,
    unknown_ids,
)
from workbench.systems.hits_file import by_text, hits_notes, hits_texts, read_hits
from workbench.systems.importing import PROGRAM, imported

DEPTH = 100
"""So many results a program is asked for, where nobody needs more: enough to tell a rank from no rank."""
_DEEPEST = 10_000
"""What OpenSearch and Elasticsearch give at most."""
_EVERY_FORM = (
    "needed a file of results (a TREC run, or JSON lines), package.module:function, a backend "
    f"({', '.join(BACKENDS)}) or the id of a snapshot"
)
_OBJECTS = "a function f(query, k), or an object with search(queries, k)"
_SNAPSHOT_ID = re.compile("[0-9a-f]{4,16}")
_ADDRESS = re.compile(r"(?!file:)[a-z][\w+.-]*://|[\w.-]+:\d+(/|$)", re.I)


@dataclass(eq=False)
class SearchSystem:
    """One search over a corpus: `candidates` are what it ranks for one query, `search` makes a run.

    `kind` is "snapshot", "run file" or "function". `ask(query_id, text, k)` gives a ranking of whatever the
    search calls its hits; of a snapshot it is None. `answered` are the queries that a file has results for,
    `notes` what is odd about it, `texts` those that a file gives beside its query ids. `built_on` is the
    fingerprint of the documents that an index was made of, None of a file and of a function. `folded` counts
    hits that were pieces of a document that stood above them, `unknown` ids of no document; `limited` says of
    a query how a program answered worse when it was asked for more, `gave` how many hits it gave at first.

    >>> import tempfile
    >>> from workbench.corpus import SourceDocument
    >>> corpus = CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets")
    >>> _ = corpus.add([SourceDocument("a.md", "", "Cats purr.", "a.md")])
    >>> mine = open_system(lambda query, k: ["a.md#1", "a.md#0"], corpus)
    >>> mine.search({"q1": "a cat?"}, k=10), mine.folded
    ({'q1': [('a.md', -1.0)]}, 1)
    """

    name: str
    kind: str
    corpus: CorpusFolder
    ask: Callable[[str, str, int], Hits] | None = None
    snapshot: Snapshot | None = None
    answered: frozenset[str] | None = None
    notes: tuple[str, ...] = ()
    allow_unknown: bool = False
    built_on: str | None = None
    folded: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    limited: dict[str, str] = field(default_factory=dict)
    gave: dict[str, int] = field(default_factory=dict)

    def candidates(self, query_id: str, query: str, k: int = DEPTH, least: int | None = None) -> list[Item]:
        """What is ranked, best first: all that a snapshot finds, or the documents of k hits or more.

        A program is asked for more, up to 10,000 hits, until there are `least` different documents (k where
        nothing else is said), or all of the corpus, or it has no more; where it answers worse when it is
        asked for more, or fails, its answer before that counts. Raises ValueError for an answer that is none,
        and for ids of no document unless they are allowed.
        """
        if self.snapshot is not None:
            return self.snapshot.candidates(query)
        documents = self._documents(query_id, query, check_k(k), k if least is None else least)
        return [self._item(doc_id, score) for doc_id, score in documents]

    def search(self, queries: Queries, k: int, least: int | None = None) -> Run:
        """`{query_id: [(doc_id, score), ...]}`: of a document that comes in pieces the best counts. A program
        is asked as `candidates` asks it."""
        found = {}
        for query_id, query in queries.items():
            best: dict[str, float] = {}
            for item in self.candidates(query_id, query, k, least):
                best.setdefault(item.doc_id, item.score)
            found[query_id] = list(best.items())[: check_k(k)]
        return found

    def missing(self, queries: Queries) -> list[str]:
        """The queries that a file of results does not answer; none where a program does."""
        if self.answered is None:
            return []
        return [q for q, text in queries.items() if not {q, by_text(text)} & self.answered]

    def more(self, queries: Queries) -> list[str]:
        """The queries that a file of results answers and that are not among these; none of a program."""
        texts = set(map(by_text, queries.values()))
        return sorted(key for key in self.answered or () if key not in queries and key not in texts)

    def close(self) -> None:
        """Closes the index of a snapshot; nothing can be searched after that."""
        if self.snapshot is not None:
            self.snapshot.close()

    def _documents(self, query_id: str, query: str, k: int, least: int) -> Hits:
        asked = k
        hits = self.ask(query_id, query, asked)
        self.gave[query_id] = len(hits)
        while True:
            documents, unknown = as_documents(hits, self.corpus.sources)
            there = sum(doc_id in self.corpus.sources for doc_id, _ in documents)
            enough = len(documents) >= least or there == len(self.corpus.sources)
            if self.answered is not None or len(hits) < asked or enough or asked >= _DEEPEST:
                break
            before = f"{len(documents)} when asked for {asked}"
            asked = min(4 * asked, _DEEPEST)
            more = self._more(query_id, query, asked, len(documents), before)
            if more is None:
                break
            hits = more
        if unknown and not self.allow_unknown:
            where = f"corpus {self.corpus.name!r}"
            n_ids = len({name for name, _ in hits})
            says = unknown_ids(self.name, unknown, n_ids, list(self.corpus.sources), where)
            raise ValueError(f"{says} (query {query_id!r})" if self.answered is None else says)
        self.folded += len(hits) - len(documents)
        self.unknown |= dict.fromkeys(unknown, 1)
        return documents

    def _more(self, query_id: str, query: str, asked: int, n_documents: int, before: str) -> Hits | None:
        """The answer to a question for more hits; None where it is worse than the one before."""
        try:
            hits = self.ask(query_id, query, asked)
        except (RuntimeError, ValueError) as error:
            named = isinstance(error, RuntimeError)  # which says what it was asked for
            self.limited[query_id] = f"{error}" if named else f"when asked for {asked} hits, {error}"
            return None
        found = len(as_documents(hits, self.corpus.sources)[0])
        if found >= n_documents:
            return hits
        of = f"for {query_id!r} it gave {counted(found, 'document')} when asked for {asked} hits"
        self.limited[query_id] = f"{of}, and {before}"
        return None

    def _item(self, doc_id: str, score: float) -> Item:
        text = self.corpus.corpus.get(doc_id, "")
        return Item(doc_id, doc_id, self.corpus.sources.get(doc_id, doc_id), score, text, 0, len(text))


def open_system(
    spec: object, corpus: CorpusFolder, allow_unknown: bool = False, home: str | Path = ""
) -> SearchSystem:
    """The search that a text, or an object, names, over these documents.

    A text is, in this order: a file of results (a TREC run or JSON lines, `read_hits`), a program
    `package.module:name`, a backend, which is built with its defaults, or the id of a snapshot. A program, or
    an object given from Python, is a function `f(query, k)` that gives the best k hits, best first, as ids or
    `(id, score)` pairs; an object with `search(queries, k)`, which gives `{query_id: hits}`; or a class,
    which is made with `{doc_id: text}` first. Files and modules are looked for in `home`, the working folder.

    Raises ValueError, with what was given and what is needed, for what is none of these, as None and a corpus
    in place of a search, for a snapshot, or a
    system that was opened before, of other documents than these are now, for a file whose ids no document has
    (unless `allow_unknown`), and whatever the program raises when it is imported; a program
    that is not there is a ValueError too.

    >>> import tempfile
    >>> corpus = CorpusFolder.init(Path(tempfile.mkdtemp()) / "pets")
    >>> open_system("csr-bm52", corpus)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: no system 'csr-bm52'; did you mean csr-bm25? needed a file of results ...
    """
    check_flag("allow_unknown", allow_unknown)
    check_spec("spec", spec)
    check_type("corpus", corpus, CorpusFolder, "CorpusFolder.open(path) gives one")
    if isinstance(spec, SearchSystem):
        _check_same_corpus(spec, corpus)
        return spec
    if isinstance(spec, Snapshot):
        system = SearchSystem(spec.snapshot_id, "snapshot", corpus, snapshot=spec)
        _check_same_corpus(system, corpus)
        return system
    home = Path(home)
    if home != Path() and not home.is_dir():
        raise ValueError(f"home is {str(home)!r}, and no folder is there; needed the folder of your program")
    if isinstance(spec, Path) and spec.suffix == ".py":
        spec = str(spec)  # no file of results, and what to write is said below
    if isinstance(spec, Path) or (isinstance(spec, str) and _is_file(spec, home)):
        return _from_file(str(spec), home, corpus, allow_unknown)
    if not isinstance(spec, str):
        name = getattr(spec, "__qualname__", type(spec).__name__)
        return _from_program(spec, name, corpus, allow_unknown)
    if PROGRAM.fullmatch(spec) and not _of_a_file(spec, home):
        return _from_program(imported(spec, home), spec, corpus, allow_unknown)
    if spec in BACKENDS:
        return SearchSystem(spec, "snapshot", corpus, snapshot=build_snapshot(corpus, spec))
    if _SNAPSHOT_ID.fullmatch(spec):
        return SearchSystem(spec, "snapshot", corpus, snapshot=load_snapshot(corpus, spec))
    near = get_close_matches(spec.lower(), BACKENDS, n=1, cutoff=0.5)
    maybe = f"did you mean {near[0]}? " if near else ""
    raise ValueError(f"no system {spec!r}; {maybe or _of_a_module(spec, home)}{_EVERY_FORM}")


def check_spec(name: str, spec: object) -> None:
    """Raises ValueError for what can be no search, by the name of its argument: nothing, a number, a corpus.

    >>> check_spec("spec", None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: spec is None; needed a file of results ..., in Python also a function f(query, k), or an ...
    """
    if isinstance(spec, CorpusFolder):
        raise ValueError(f"{name} is the corpus, and names no search; open_system takes (spec, corpus)")
    if spec is None or isinstance(spec, Number | bytes):
        raise ValueError(f"{name} is {spec!r:.60}; {_EVERY_FORM}, in Python also {_OBJECTS}")


def _check_same_corpus(system: SearchSystem, corpus: CorpusFolder) -> None:
    """Raises ValueError for a system over other documents than a corpus holds now."""
    this, changed = f"corpus {corpus.name!r}", "is another, or has changed since"
    if system.snapshot is not None:
        built_on = system.snapshot.manifest.corpus
        if built_on.fingerprint != corpus.fingerprint:
            corpus.check_current()
            what = f"snapshot {system.snapshot.snapshot_id} was built on corpus {built_on.name!r}"
            now = f"{this} {changed} ({corpus.fingerprint})"
            raise ValueError(f"{what} ({built_on.fingerprint}), and {now}; build a snapshot of it")
        return
    here = system.corpus is corpus or system.corpus.fingerprint == corpus.fingerprint
    if not here or system.built_on not in (None, corpus.fingerprint):
        corpus.check_current()
        what = f"{system.name} was opened on corpus {system.corpus.name!r}"
        raise ValueError(f"{what}, and {this} {changed}; open it again with open_system, over this corpus")


def _of_a_file(spec: str, home: Path) -> bool:
    """Whether a program is named by its file, as `my_search.py:search`."""
    module = spec.partition(":")[0]
    return module.endswith(".py") and (home / module).is_file()


def _of_a_module(spec: str, home: Path) -> str:
    """What to write for a text that names a file of Python, or a module, and no function of it."""
    module, _, name = spec.removesuffix("()").partition(":")
    if not name and not (home / module).is_file() and (home / f"{module.rpartition('.')[0]}.py").is_file():
        module, _, name = module.rpartition(".")  # my_search.search
    module = os.path.normpath(module)
    plain = module.removesuffix(".py")
    if re.fullmatch(r"[\w-]+", plain) and not plain.isidentifier() and (home / f"{plain}.py").is_file():
        how = "with _ in place of -" if "-" in plain else "so that it begins with a letter"
        return f"{module} is no name of a module: rename the file, {how}. In general "
    path = home / (module if module.endswith(".py") else f"{module.replace('.', os.sep)}.py")
    if not re.fullmatch(r"[\w./]+", module) or not path.is_file():
        return ""
    elsewhere = module.startswith((os.sep, ".."))
    dotted = path.stem if elsewhere else module.removesuffix(".py").replace(os.sep, ".")
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        tree = ast.Module([])
    has = [one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)]
    name = found[0] if (found := re.search(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", name)) else ""
    names = [name] if name else ["search"] if "search" in has else has
    write = (
        f"write {dotted}:{names[0]}" if len(names) == 1 else f"write {dotted}: and the name of its function"
    )
    others = f" ({first_few(names)})" if len(names) > 1 else ""
    inside = f"go to {path.parent}, and " if elsewhere else ""
    return f"{path.name} is there: {inside}{write}{others}. In general "


def _is_file(spec: str, home: Path) -> bool:
    """Whether a text names a file. Raises ValueError for a path to nothing, for an address, and for a folder
    of which nothing else has the name."""
    if not spec.strip() or "\0" in spec:
        raise ValueError(f"{spec!r} names no system; {_EVERY_FORM}")
    path = home / Path(spec).expanduser()
    if path.is_file() and path.suffix != ".py":
        return True
    if path.is_symlink() and not path.exists():
        raise ValueError(f"{spec} is a link that leads nowhere, or in a circle; mend it")
    if PROGRAM.fullmatch(spec) or spec in BACKENDS or _SNAPSHOT_ID.fullmatch(spec):
        return False  # though there may be a folder of this name: a folder is never a run
    if _ADDRESS.match(spec):
        cure = "write a function that asks it, e.g. my_search:search (recipes.md: an HTTP endpoint)"
        raise ValueError(f"{spec} is an address and no system; {cure}. In general {_EVERY_FORM}")
    looks_so = os.sep in spec or path.suffix in (".run", ".jsonl", ".json", ".gz", ".txt", ".trec")
    if path.is_dir() or (looks_so and not _of_a_module(spec, home)):
        plain = spec.replace("\\", "/")
        if plain != spec and (home / plain).is_file():
            raise ValueError(
                f"{spec} is not there, and {plain} is: write / in place of \\, which Windows takes too"
            )
        there = "is a pipe or a device and no file" if path.exists() else f"is not there ({path.resolve()})"
        what = "is a folder" if path.is_dir() else there
        raise ValueError(f"{spec} {what}; {_EVERY_FORM}")
    return False


def _from_file(name: str, home: Path, corpus: CorpusFolder, allow_unknown: bool) -> SearchSystem:
    with warnings.catch_warnings():  # what is odd about the order of a run is in its notes, below
        warnings.filterwarnings("ignore", ".*(scores of each query count 1|scores rise with the rank)")
        found = read_hits(home / Path(name).expanduser())
    # Every id is looked at now, so that a file of other documents is refused before any work is done.
    ids = list(dict.fromkeys(doc_id for hits in found.values() for doc_id, _ in hits))
    _, unknown = as_documents([(doc_id, 0.0) for doc_id in ids], corpus.sources)
    if unknown and (not allow_unknown or len(unknown) == len(ids)):
        where = f"corpus {corpus.name!r}"
        raise ValueError(unknown_ids(name, unknown, len(ids), list(corpus.sources), where, allow_unknown))

    texts = hits_texts(home / Path(name).expanduser())

    def ask(query_id: str, query: str, k: int) -> Hits:
        theirs = texts.get(query_id, query)
        if folded(theirs) != folded(query):
            cure = "leave the text out where it was only reworded"
            raise ValueError(f"{name}: {query_id!r} is {theirs!r:.60} there and {query!r:.60} here; {cure}")
        if query_id in found and by_text(query) in found:
            both = f"{query_id!r} is there by its id, and by its text {query!r:.60}"
            raise ValueError(f"{name}: {both}; keep one of the two")
        return found.get(query_id) or found.get(by_text(query)) or []

    known = {"answered": frozenset(found), "notes": tuple(hits_notes(home / Path(name).expanduser(), found))}
    return SearchSystem(name, "run file", corpus, ask, **known, allow_unknown=allow_unknown, texts=texts)


def _from_program(program: object, name: str, corpus: CorpusFolder, allow_unknown: bool) -> SearchSystem:
    built_on = corpus.fingerprint if inspect.isclass(program) else None
    if built_on:
        try:
            with aside():
                program = program(dict(corpus.corpus))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            said = f"making it with {{doc_id: text}} raised {in_short(error)}"
            raise ValueError(f"{name} is a class; {said}; {_NAME_OBJECT}") from error
    with own_code(name, "looking for its search"):
        search = getattr(program, "search", None)
    if not callable(search) and not callable(program):
        needed = f"needed {_OBJECTS}"
        what = "it" if name == type(program).__name__ else name
        if ":" not in name:
            needed += "; as text " + _EVERY_FORM.removeprefix("needed ")
        if isinstance(program, Mapping | list) or hasattr(program, "columns"):
            needed += "; results that are there already are written to a file, whose path is given: "
            needed += "helpers.datasets.trec.write_run(workbench.exchange.as_run(results), path)"
        raise ValueError(f"{what} is a {type(program).__name__}; {needed}")
    check_takes(search if callable(search) else program, _TAKES[callable(search)], name)
    method = f"name the method: {name}.search" if ":" in name else "give the method: engine.search"
    how = _NAME_OBJECT if built_on else f"where it takes one query as text, {method}"

    def ask(query_id: str, query: str, k: int) -> Hits:
        where = f"{name}, query {query_id!r}"
        asked = f"it was asked for {counted(k, 'hit')}"
        with own_code(where, cure=asked + (_one_text(search, how) if callable(search) else "")):
            found = search({query_id: query}, k) if callable(search) else taken(program(query, k), k)
            if isinstance(found, Mapping) and callable(search):
                found = {one: taken(hits, k) for one, hits in found.items()}
        with aside():  # to look at what they gave may run their code too
            if callable(search):
                found = _of_query(found, query_id, where, how)
            return as_hits(found, where)

    return SearchSystem(name, "function", corpus, ask, allow_unknown=allow_unknown, built_on=built_on)


_TAKES = {False: ("query", "k"), True: ("queries", "k")}
"""The arguments of a function, and of the method `search` of an object."""
_NAME_OBJECT = (
    "where it is made otherwise, or takes one query as text, make an object in its module, as obj = S(), "
    "and name module:obj, or module:obj.search for one query as text"
)


def _one_text(search: Callable, how: str) -> str:
    """What to say where a method raised whose first argument does not look like a dict of queries."""
    with suppress(TypeError, ValueError):  # of some functions written in C nobody knows the arguments
        first = next(iter(inspect.signature(search).parameters), "queries")
        if "queries" not in first.lower():
            return f", and given {{query_id: text}} as {first!r}; {how}"
    return ""


def _of_query(found: object, query_id: str, where: str, how: str) -> object:
    if not isinstance(found, Mapping) or (found and query_id not in found):
        what = f"search({{query_id: text}}, k) gave {str(found)[:60]!r}; needed {{query_id: hits}}"
        raise ValueError(f"{where}: {what}; {how}")
    return found.get(query_id, [])
