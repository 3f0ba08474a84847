"""MIRACL, mMARCO and the MS MARCO passages: which files of the Hugging Face hub make each collection, and how they are joined.

The repositories' own files are read (TSV and JSONL): their loading scripts no longer run with `datasets` 4 and later.
Getting a file and reading its lines is done in `hub_files`, choosing a part of a corpus in `truncation`, BEIR's sets are in
`datasets`.
"""

import warnings
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from helpers.base import check_option
from helpers.datasets.beir import read_beir_qrels
from helpers.datasets.hub_files import hub_file, read_passages, read_queries, read_texts
from helpers.datasets.trec import read_qrels
from helpers.datasets.truncation import kept_documents, truncated_name
from helpers.records import Corpus, Dataset, Qrels, Queries

MMARCO_LANGUAGES = "arabic chinese dutch english french german hindi indonesian italian japanese portuguese russian spanish vietnamese".split()
"""English is MS MARCO's own text, the others are translations by machine."""
MSMARCO_PASSAGES = 8_841_823

_MIRACL, _MIRACL_CORPUS = "miracl/miracl", "miracl/miracl-corpus"
_MMARCO, _MSMARCO_QRELS = "unicamp-dl/mmarco", "BeIR/msmarco-qrels"
_DATA = Path(__file__).parent / "data"

Documents = Iterator[tuple[str, str, str]]


def miracl_languages() -> pd.DataFrame:
    """The 18 languages of MIRACL by code: name, passages, files of the corpus, labelled queries in train and in dev.

    >>> int(miracl_languages().loc["sw", "passages"])
    131924
    """
    return pd.read_csv(_DATA / "miracl.csv", index_col="lang", keep_default_na=False)


def load_miracl(
    lang: str = "en", split: str = "dev", max_docs: int | None = None, folder: str | Path | None = None
) -> Dataset:
    """MIRACL in one of 18 languages: passages of Wikipedia, queries by native speakers, judgments by hand.

    `split` is "dev", on which figures are published (nDCG@10, Recall@100), or "train", which German and Yoruba do not have.
    The labels of test-a and test-b are hidden. A passage that was judged and found not relevant has grade 0 in the qrels:
    it is judged, and it is not relevant. The text is title, a space, text.

    English has 33 million passages, French and German half as many: more than most computers can hold. `max_docs=n`
    keeps every judged passage and the first others up to n, and says so in the dataset's name; `stream_miracl_corpus`
    gives all, one at a time. `folder` is a local copy of the files of `miracl/miracl` and `miracl/miracl-corpus` (see
    `hub_files.hub_file`).

    Raises ValueError for another language or split and for spoilt lines (file and line), `fetch.Unavailable` where the
    files cannot be had. Judged ids that the topics or the corpus lack are counted in a warning.
    Source: Zhang et al. (2023), MIRACL, TACL 11.
    """
    _check_miracl(lang, split)
    name = f"miracl-v1.0-{lang}"
    topics = hub_file(_MIRACL, f"{name}/topics/topics.{name}-{split}.tsv", folder)
    labels = hub_file(_MIRACL, f"{name}/qrels/qrels.{name}-{split}.tsv", folder)
    documents, n_passages = _miracl_documents(lang, folder), int(miracl_languages().loc[lang, "passages"])
    parts = read_queries(topics), read_qrels(labels), documents
    return _joined(
        f"miracl-{lang}", split, parts, n_passages, max_docs, _source(folder, _MIRACL, _MIRACL_CORPUS)
    )


def stream_miracl_corpus(lang: str, folder: str | Path | None = None) -> Iterator[tuple[str, str]]:
    """`(doc_id, text)` of every passage of one language, file after file, one line in memory at a time.

    A file is downloaded when its turn comes. Raises as `load_miracl` does, except that repeated ids are not noticed.
    """
    _check_miracl(lang, "dev")
    return ((doc_id, text) for _, doc_id, text in _miracl_documents(lang, folder))


def load_mmarco(
    doc_lang: str = "english",
    query_lang: str = "english",
    split: str = "dev",
    max_docs: int | None = None,
    folder: str | Path | None = None,
) -> Dataset:
    """MS MARCO's passages and queries in translation (Google's, mMARCO v2), with MS MARCO's judgments.

    Ids are the same in all 14 languages, so queries of one language can be asked to documents of another.

    `split` is "dev" or "train". "dev" are the 6,980 queries of MS MARCO's dev.small, on which mMARCO's and the leaderboard's
    figures are computed (MRR@10); the full dev set has 101,093 queries, many of them unjudged. "train" are the 502,939
    training queries that are judged. mMARCO judged nothing itself: its repository carries a copy of MS MARCO's dev labels,
    and those of "train" are read from `BeIR/msmarco-qrels`. MS MARCO's eval labels are hidden.

    `max_docs`, `folder` (files of `unicamp-dl/mmarco`, for "train" also of `BeIR/msmarco-qrels`) and what is raised: see
    `load_miracl`. A collection is a file of 2.7 to 7.7 GB. Source: Bonifacio et al. (2021), mMARCO, arXiv 2108.13897.
    """
    name = f"mmarco-{doc_lang}" if doc_lang == query_lang else f"mmarco-{doc_lang}, {query_lang} queries"
    return _load_msmarco(name, doc_lang, query_lang, split, max_docs, folder)


def stream_mmarco_collection(doc_lang: str, folder: str | Path | None = None) -> Iterator[tuple[str, str]]:
    """`(doc_id, text)` of the 8,841,823 passages of one language, one line in memory at a time.

    Raises as `load_mmarco` does, except that repeated ids are not noticed.
    """
    check_option("doc_lang", doc_lang, MMARCO_LANGUAGES)
    return ((doc_id, text) for _, doc_id, text in _mmarco_documents(doc_lang, folder))


def load_msmarco(
    split: str = "dev", max_docs: int | None = None, folder: str | Path | None = None
) -> Dataset:
    """MS MARCO's 8,841,823 passages in English, read from mMARCO's English files: as `load_mmarco`, under MS MARCO's name.

    The default split is "dev", unlike the "test" of other BEIR sets: MS MARCO's eval labels are hidden, and the published
    BEIR figures for MS MARCO are those of the 6,980 dev queries. What BEIR's zip calls its test split are the 43 queries of
    TREC Deep Learning 2019, with grades from 0 to 3: `datasets.load_beir("msmarco", "test")` reads it.
    Source: Bajaj et al. (2016), MS MARCO, arXiv 1611.09268; Thakur et al. (2021), BEIR, table 1.
    """
    return _load_msmarco("msmarco", "english", "english", split, max_docs, folder)


def _load_msmarco(
    name: str, doc_lang: str, query_lang: str, split: str, max_docs: int | None, folder: str | Path | None
) -> Dataset:
    check_option("doc_lang", doc_lang, MMARCO_LANGUAGES)
    check_option("query_lang", query_lang, MMARCO_LANGUAGES)
    _check_split(
        split,
        "MS MARCO's eval labels are hidden; for TREC Deep Learning 2019 use load_beir('msmarco', 'test')",
    )
    ending = {"dev": "dev.small", "train": "train"}[split]
    queries = read_queries(
        hub_file(_MMARCO, f"data/google/queries/{split}/{query_lang}_queries.{ending}.tsv", folder)
    )
    repositories = [_MMARCO]
    if split == "dev":
        qrels = read_qrels(hub_file(_MMARCO, "data/qrels.dev.small.tsv", folder))
    else:
        qrels = read_beir_qrels(hub_file(_MSMARCO_QRELS, "train.tsv", folder))
        repositories.append(_MSMARCO_QRELS)
    parts = queries, qrels, _mmarco_documents(doc_lang, folder)
    return _joined(name, split, parts, MSMARCO_PASSAGES, max_docs, _source(folder, *repositories))


def _miracl_documents(lang: str, folder: str | Path | None) -> Documents:
    for number in range(miracl_languages().loc[lang, "corpus_files"]):
        yield from read_passages(
            hub_file(_MIRACL_CORPUS, f"miracl-corpus-v1.0-{lang}/docs-{number}.jsonl.gz", folder)
        )


def _mmarco_documents(doc_lang: str, folder: str | Path | None) -> Documents:
    yield from read_texts(hub_file(_MMARCO, f"data/google/collections/{doc_lang}_collection.tsv", folder))


def _joined(
    name: str,
    split: str,
    parts: tuple[Queries, Qrels, Documents],
    n_passages: int,
    max_docs: int | None,
    source: str,
) -> Dataset:
    """The dataset of the judged queries, its corpus whole or truncated, and then named so."""
    queries, qrels, documents = parts
    if not qrels:
        raise ValueError(f"{name}, {split} split: the file of judgments is empty ({source})")
    judged = {doc_id for grades in qrels.values() for doc_id in grades}
    _check_known(
        f"{name}, {split} split: judged queries", set(qrels), queries, "they cannot be searched and count 0"
    )
    with tqdm(documents, total=n_passages, desc=name, unit=" documents", disable=None) as progress:
        corpus, complete = kept_documents(progress, judged, max_docs)
    _check_known(f"{name}, {split} split: judged documents", judged, corpus, "they cannot be found")
    name = name if complete else truncated_name(name, len(corpus))
    queries = {query_id: text for query_id, text in queries.items() if query_id in qrels}
    return Dataset(name, split, corpus, queries, qrels, source)


def _check_known(what: str, judged: set[str], known: Queries | Corpus, so: str) -> None:
    unknown = sorted(judged - known.keys())
    if len(unknown) == len(judged):
        raise ValueError(
            f"{what}: none of {len(judged)} (e.g. {unknown[0]!r}) is among the {len(known)} that were read"
        )
    if unknown:
        warnings.warn(
            f"{what}: {len(unknown)} of {len(judged)} have no text, e.g. {unknown[0]!r}; {so}", stacklevel=4
        )


def _check_miracl(lang: str, split: str) -> None:
    languages = miracl_languages()
    check_option("lang", lang, languages.index)
    _check_split(split, "MIRACL's test-a and test-b labels are hidden")
    if split == "train" and languages.loc[lang, "train_queries"] == 0:
        raise ValueError(
            f"MIRACL has no train split for {lang!r} ({languages.loc[lang, 'name']}); use split='dev'"
        )


def _check_split(split: str, hidden: str) -> None:
    if str(split).startswith(("test", "eval")):
        raise ValueError(f"split is {split!r}: {hidden}. Labels are public for split='dev' and split='train'")
    check_option("split", split, ["train", "dev"])


def _source(folder: str | Path | None, *repositories: str) -> str:
    return (
        f"a local copy in {folder}"
        if folder is not None
        else f"the Hugging Face hub: {', '.join(repositories)}"
    )
