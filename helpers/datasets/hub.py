"""Collections of the Hugging Face hub: MIRACL, mMARCO and the MS MARCO passages.

The repositories' own files are read (TSV and JSONL): their scripts no longer run with `datasets` 4 and later.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from helpers.base import check_option, fetch, files, json_object, progress, text_field, text_lines
from helpers.datasets.assembly import Rows, texts_by_id, with_corpus
from helpers.datasets.beir import read_beir_qrels, tab_columns
from helpers.datasets.trec import read_qrels
from helpers.records import Dataset

MMARCO_LANGUAGES = (
    "arabic chinese dutch english french german hindi indonesian italian japanese portuguese russian spanish "
    "vietnamese"
).split()
"""English is MS MARCO's own text, the others are translations by machine."""
MSMARCO_PASSAGES = 8_841_823

_MIRACL, _MIRACL_CORPUS = "miracl/miracl", "miracl/miracl-corpus"
_MMARCO, _MSMARCO_QRELS = "unicamp-dl/mmarco", "BeIR/msmarco-qrels"
_LFS_POINTER = b"version https://git-lfs"
_DATA = Path(__file__).parent / "data"


def miracl_languages() -> pd.DataFrame:
    """The 18 languages of MIRACL by code: name, passages, corpus files, labelled queries in train and in dev.

    >>> int(miracl_languages().loc["sw", "passages"])
    131924
    """
    return pd.read_csv(_DATA / "miracl.csv", index_col="lang", keep_default_na=False)


def load_miracl(
    lang: str = "en", split: str = "dev", max_docs: int | None = None, folder: str | Path | None = None
) -> Dataset:
    """MIRACL in one of 18 languages: passages of Wikipedia, queries by native speakers, judgments by hand.

    `split` is "dev", on which figures are published (nDCG@10, Recall@100), or "train", which German and
    Yoruba do not have. The labels of test-a and test-b are hidden. A passage that was judged and found not
    relevant has grade 0 in the qrels: it is judged, and it is not relevant. The text is title, a space, text.

    English has 33 million passages, French and German half as many: more than most computers can hold.
    `max_docs=n` keeps every judged passage and the first others up to n, and says so in the dataset's name;
    `stream_miracl_corpus` gives all, one at a time. `folder` is a local copy of the files of `miracl/miracl`
    and `miracl/miracl-corpus` (see `hub_file`).

    Raises ValueError for another language or split and for spoilt lines (file and line), `fetch.Unavailable`
    where the files cannot be had. Judged ids that the topics or the corpus lack are counted in a warning.
    Source: Zhang et al. (2023), MIRACL, TACL 11.
    """
    _check_miracl(lang, split)
    version = f"miracl-v1.0-{lang}"
    topics = hub_file(_MIRACL, f"{version}/topics/topics.{version}-{split}.tsv", folder)
    judgments = hub_file(_MIRACL, f"{version}/qrels/qrels.{version}-{split}.tsv", folder)
    queries, qrels = texts_by_id(read_texts(topics), "query"), read_qrels(judgments)
    source = _source(folder, _MIRACL, _MIRACL_CORPUS)
    dataset = Dataset(f"miracl-{lang}", split, {}, queries, qrels, source)
    n_passages = int(miracl_languages().loc[lang, "passages"])
    documents = _with_progress(_miracl_documents(lang, folder), dataset.name, n_passages)
    return with_corpus(dataset, documents, judgments, max_docs)


def stream_miracl_corpus(lang: str, folder: str | Path | None = None) -> Iterator[tuple[str, str]]:
    """`(doc_id, text)` of every passage of one language, file after file, one line in memory at a time.

    A file is downloaded when its turn comes. Raises as `load_miracl` does, but repeated ids go unnoticed.
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

    Ids are the same in all 14 languages, so queries of one language can be put to documents of another.

    `split` is "dev" or "train". "dev" are the 6,980 queries of MS MARCO's dev.small, on which mMARCO's and
    the leaderboard's figures are computed (MRR@10); the full dev set has 101,093 queries, many of them
    unjudged. "train" are the 502,939 training queries that are judged. mMARCO judged nothing itself: its
    repository carries a copy of MS MARCO's dev labels, and those of "train" are read from
    `BeIR/msmarco-qrels`. MS MARCO's eval labels are hidden.

    `max_docs`, `folder` (files of `unicamp-dl/mmarco`, for "train" also of `BeIR/msmarco-qrels`) and what is
    raised: see `load_miracl`. A collection is a file of 2.7 to 7.7 GB.
    Source: Bonifacio et al. (2021), mMARCO, arXiv 2108.13897.
    """
    check_option("doc_lang", doc_lang, MMARCO_LANGUAGES)
    check_option("query_lang", query_lang, MMARCO_LANGUAGES)
    deep_learning = "for TREC Deep Learning 2019 use load_beir('msmarco', 'test')"
    _check_split(split, f"MS MARCO's eval labels are hidden; {deep_learning}")
    ending = {"dev": "dev.small", "train": "train"}[split]
    topics = hub_file(_MMARCO, f"data/google/queries/{split}/{query_lang}_queries.{ending}.tsv", folder)
    queries = texts_by_id(read_texts(topics), "query")
    if split == "dev":
        judgments, source = hub_file(_MMARCO, "data/qrels.dev.small.tsv", folder), _source(folder, _MMARCO)
        qrels = read_qrels(judgments)
    else:
        judgments = hub_file(_MSMARCO_QRELS, "train.tsv", folder)
        qrels, source = read_beir_qrels(judgments), _source(folder, _MMARCO, _MSMARCO_QRELS)
    name = f"mmarco-{doc_lang}" if doc_lang == query_lang else f"mmarco-{doc_lang}, {query_lang} queries"
    documents = _with_progress(_mmarco_documents(doc_lang, folder), name, MSMARCO_PASSAGES)
    return with_corpus(Dataset(name, split, {}, queries, qrels, source), documents, judgments, max_docs)


def stream_mmarco_collection(doc_lang: str, folder: str | Path | None = None) -> Iterator[tuple[str, str]]:
    """`(doc_id, text)` of the 8,841,823 passages of one language, one line in memory at a time.

    Raises as `load_mmarco` does, except that repeated ids are not noticed.
    """
    check_option("doc_lang", doc_lang, MMARCO_LANGUAGES)
    return ((doc_id, text) for _, doc_id, text in _mmarco_documents(doc_lang, folder))


def load_msmarco(
    split: str = "dev", max_docs: int | None = None, folder: str | Path | None = None
) -> Dataset:
    """MS MARCO's 8,841,823 passages in English: mMARCO's English files, as `load_mmarco` reads them.

    The default split is "dev", unlike the "test" of other BEIR sets: MS MARCO's eval labels are hidden, and
    the published BEIR figures for MS MARCO are those of the 6,980 dev queries. What BEIR's zip calls its test
    split are the 43 queries of TREC Deep Learning 2019, graded 0 to 3: see `load_beir("msmarco", "test")`.
    Source: Bajaj et al. (2016), MS MARCO, arXiv 1611.09268; Thakur et al. (2021), BEIR, table 1.
    """
    dataset = load_mmarco(split=split, max_docs=max_docs, folder=folder)
    return replace(dataset, name=dataset.name.replace("mmarco-english", "msmarco"))


def hub_file(repository: str, name: str, folder: str | Path | None = None) -> Path:
    """The path of one file of a dataset repository, in a local copy or downloaded once into the cache.

    `folder` holds the repository's files under their own names, or a subfolder with the repository's name
    that does (clones side by side). Nothing is downloaded then, and FileNotFoundError says what it lacks.
    Without it the library huggingface_hub downloads, so that a transfer that broke off continues and HF_TOKEN
    is used. Raises `fetch.Unavailable`, with the cure, where library, network or permission is missing.
    """
    if folder is None:
        return _downloaded(repository, name)
    copy = repository.split("/")[1]
    found = next((path for path in (Path(folder, name), Path(folder, copy, name)) if path.is_file()), None)
    if found is None:
        lacking = f"neither {name} nor {copy}/{name}, a file of the hub's repository {repository}"
        raise FileNotFoundError(f"{folder} has {lacking}")
    with open(found, "rb") as file:
        if file.read(len(_LFS_POINTER)) == _LFS_POINTER:
            cure = "run `git lfs pull` in its repository"
            raise ValueError(f"{found}: a Git LFS pointer stands here in place of the file; {cure}")
    return found


def read_passages(path: Path) -> Rows:
    """A JSONL file with docid, title and text; the text is title, a space, text."""
    for where, line in text_lines(path):
        passage = json_object(line, where, "docid, title and text")
        title, text = text_field(passage, "title", where, ""), text_field(passage, "text", where)
        yield where, _id(text_field(passage, "docid", where), where), f"{title} {text}".strip()


def read_texts(path: Path) -> Rows:
    """A file of lines `id<TAB>text` without a header; the text without white space around it."""
    for where, line in text_lines(path):
        id_, text = tab_columns(line, ["id", "text"], where)
        yield where, _id(id_, where), text.strip()


def _miracl_documents(lang: str, folder: str | Path | None) -> Rows:
    for number in range(miracl_languages().loc[lang, "corpus_files"]):
        name = f"miracl-corpus-v1.0-{lang}/docs-{number}.jsonl.gz"
        yield from read_passages(hub_file(_MIRACL_CORPUS, name, folder))


def _mmarco_documents(doc_lang: str, folder: str | Path | None) -> Rows:
    yield from read_texts(hub_file(_MMARCO, f"data/google/collections/{doc_lang}_collection.tsv", folder))


def _with_progress(documents: Rows, name: str, n_documents: int) -> Rows:
    yield from progress(documents, total=n_documents, desc=name, unit=" documents")


def _downloaded(repository: str, name: str) -> Path:
    local = f"give folder=, a local copy of the files of {repository}"
    try:
        from huggingface_hub import hf_hub_download, hf_hub_url  # an optional library
        from huggingface_hub.utils import RepositoryNotFoundError
    except ImportError as error:
        missing = "downloaded with huggingface_hub, which is not installed: pip install huggingface_hub"
        raise fetch.Unavailable(f"{repository} is {missing}; or {local}") from error
    cache = files.cache_dir() / "hub"
    request = {"repo_id": repository, "filename": name, "repo_type": "dataset", "cache_dir": cache}
    try:
        try:  # first without a question to the network
            return Path(hf_hub_download(**request, local_files_only=True))
        except FileNotFoundError:
            fetch.check_reachable(hf_hub_url(repository, name, repo_type="dataset"))
            return Path(hf_hub_download(**request))
    except Exception as error:  # the errors of the library's transports have no class in common
        reason = str(error).strip().partition("\n")[0]
        if not isinstance(error, fetch.Unavailable):
            reason = f"{type(error).__name__}: {reason}"
        cure = local
        if isinstance(error, RepositoryNotFoundError):  # also the answer where conditions are not accepted
            page = f"https://huggingface.co/datasets/{repository}"
            cure = f"accept the conditions on {page} and set HF_TOKEN to a token of your account; or {local}"
        raise fetch.Unavailable(f"{name} of {repository} cannot be had ({reason}); {cure}") from error


def _id(text: str, where: str) -> str:
    if not text.strip():
        raise ValueError(f"{where}: the id is empty")
    return text


def _check_miracl(lang: str, split: str) -> None:
    languages = miracl_languages()
    check_option("lang", lang, languages.index)
    _check_split(split, "MIRACL's test-a and test-b labels are hidden")
    if split == "train" and languages.loc[lang, "train_queries"] == 0:
        language = f"{lang!r} ({languages.loc[lang, 'name']})"
        raise ValueError(f"MIRACL has no train split for {language}; use split='dev'")


def _check_split(split: str, hidden: str) -> None:
    if str(split).startswith(("test", "eval")):
        raise ValueError(f"split is {split!r}: {hidden}. Labels are public for split='dev' and split='train'")
    check_option("split", split, ["train", "dev"])


def _source(folder: str | Path | None, *repositories: str) -> str:
    hub = f"the Hugging Face hub: {', '.join(repositories)}"
    return hub if folder is None else f"a local copy in {folder}"
