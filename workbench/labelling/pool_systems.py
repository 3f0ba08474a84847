"""The systems of a project: those that it measures, whose first documents a person reads, and one more.

A pool made from one system knows nothing of what others would find. So everything that is measured is pooled,
and beside it a search that finds pages without a word of the query.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from helpers.base import json_object, refuse, whole_text, write_text
from helpers.records import Queries, Retriever, Run
from helpers.retrieval import LatentRetriever
from workbench.corpus import CorpusFolder
from workbench.dataset_files import read_json
from workbench.labelling.judgment_files import check_link
from workbench.systems import DEPTH, SearchSystem, open_system

SYSTEMS_FILE = "systems.json"
MEASURED = {name: name for name in ("csr-bm25", "sqlite-full-text-search")}
"""What a project measures that names no system of its own: two that match words differently."""
ALSO_POOLED = {"latent semantic": LatentRetriever}
"""Read and not measured: it finds pages that no search for words finds."""


def read_systems(folder: str | Path) -> dict[str, str]:
    """`{name: spec}` of `systems.json`, a spec as `open_system` takes it; `MEASURED` where there is no file.

    Raises ValueError for a file that is no object of names and texts, or an empty one.

    >>> read_systems(Path("no such folder"))
    {'csr-bm25': 'csr-bm25', 'sqlite-full-text-search': 'sqlite-full-text-search'}
    """
    path = Path(folder) / SYSTEMS_FILE
    check_link(path)
    if not path.exists():
        return dict(MEASURED)
    form = '{"mine": "my_search:search", "BM25": "csr-bm25"}'
    _, repeated = read_json(path, form)
    refuse(repeated, f"{path}; needed {form}")
    found = json_object(whole_text(path), str(path), f"names and systems, e.g. {form}")
    wrong = [
        f"{name!r}: {spec!r:.60} names no system" for name, spec in found.items() if not _named(name, spec)
    ]
    wrong += _odd_names(found)
    refuse(wrong or ([] if found else ["no system is named"]), f"{path}; needed {form}")
    return found


def write_systems(folder: str | Path, systems: Mapping[str, str]) -> Path:
    """Writes `systems.json`."""
    return write_text(
        Path(folder) / SYSTEMS_FILE, json.dumps(dict(systems), ensure_ascii=False, indent=2) + "\n"
    )


class PoolSystems:
    """The systems of a project over its corpus, to the depth k. They are opened when they are first asked;
    every answer is kept.

    `specs` is `{name: spec}`, as `read_systems` gives it; files and modules are looked for in `home`. Raises
    ValueError for a name of `ALSO_POOLED`, in whose place the system would not be pooled, and for a name that
    is empty or cannot be shown.
    """

    def __init__(self, corpus: CorpusFolder, k: int, specs: Mapping[str, str], home: Path = Path()):
        if ours := [name for name in specs if name in ALSO_POOLED]:
            said = f"the name {ours[0]!r} is that of a search which every project pools besides"
            raise ValueError(f"{said}; give your system another")
        if empty := [name for name in specs if not isinstance(name, str) or not name.strip()]:
            raise ValueError(f"the name of a system is {empty[0]!r}; needed text, e.g. 'mine'")
        refuse(_odd_names(specs), "the systems")
        self.corpus, self.k, self.specs, self.home = corpus, k, dict(specs), home
        self._answers: dict[tuple[str, str], dict[str, list[tuple[str, float]]]] = {}

    @cached_property
    def measured(self) -> dict[str, SearchSystem]:
        """`{name: system}`. Opened late: a large project must not take a minute to open."""
        found = {}
        for name, spec in self.specs.items():
            try:
                found[name] = open_system(spec, self.corpus, home=self.home)
            except (ValueError, FileNotFoundError) as error:
                raise ValueError(f"system {name!r}: {error}") from error
        return found

    @cached_property
    def retrievers(self) -> dict[str, Retriever]:
        """`{name: retriever}`: what is measured, and what is pooled besides."""
        return self.measured | {name: make(self.corpus.corpus) for name, make in ALSO_POOLED.items()}

    def pooled(self, query_id: str, query: str) -> list[str]:
        """The documents that any system has among its first k, by doc_id, which tells nothing of rank."""
        return sorted({doc_id for found in self._ask(query_id, query).values() for doc_id, _ in found})

    def nothing_found(self, queries: Queries) -> Queries:
        """Those of `{query_id: text}` for which no system finds a document of the corpus; the one that is
        pooled besides is asked first, and the others only for what it leaves. A query that a file of results
        does not answer was not asked yet, and is none of them."""
        if not queries:
            return {}
        not_asked = {q for system in self.measured.values() for q in system.missing(queries)}
        left = {q: text for q, text in queries.items() if q not in not_asked}
        for one in reversed(self.retrievers.values()):
            found = self._asked(one, left, max(self.k, DEPTH)) if left else {}
            left = {q: text for q, text in left.items() if not self._has_any(found.get(q, ()))}
        return left

    def _has_any(self, found: Iterable[tuple[str, float]]) -> bool:
        return any(doc_id in self.corpus.sources for doc_id, _ in found)

    def runs(self, queries: Queries) -> dict[str, Run]:
        """`{system: run}` for `{query_id: text}`, k documents a query."""
        answers = {query_id: self._ask(query_id, query) for query_id, query in queries.items()}
        return {name: {q: found[name] for q, found in answers.items()} for name in self.retrievers}

    def _ask(self, query_id: str, query: str) -> dict[str, list[tuple[str, float]]]:
        if (query_id, query) not in self._answers:
            # As deep as what is measured is asked: what comes first may depend on how much is asked for.
            depth = max(self.k, DEPTH)
            self._answers[query_id, query] = {
                name: self._asked(one, {query_id: query}, depth)[query_id][: self.k]
                for name, one in self.retrievers.items()
            }
        return self._answers[query_id, query]

    def _asked(self, retriever: Retriever, queries: Queries, depth: int) -> Run:
        if isinstance(retriever, SearchSystem):
            return retriever.search(queries, depth, least=self.k)
        return retriever.search(queries, depth)


def _odd_names(systems: Iterable[str]) -> list[str]:
    """Problems of names that would not be the same on a terminal, or in a file's name."""
    return [
        f"the name {name!r:.80} begins or ends with a blank, or cannot be shown; write it without"
        for name in systems
        if name.strip() and (name != name.strip() or not name.isprintable())
    ]


def _named(name: str, spec: object) -> bool:
    return bool(name.strip()) and isinstance(spec, str) and bool(spec.strip())
