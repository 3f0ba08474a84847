"""What is known of the BEIR datasets without having them: sizes, splits, checksums, parts, published figures.

Two tables in `data/`, nothing measured here.
"""

from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

import pandas as pd

from helpers.base import counted, warn

BASELINE = "BM25 (Anserini, flat)"
"""Title and text as one field: the BM25 that this course reproduces. "Multifield" indexes them apart."""
_FORUMS = "android english gaming gis mathematica physics programmers stats tex unix webmasters wordpress"
FORUMS = tuple(f"cqadupstack-{forum}" for forum in _FORUMS.split())
_DATA = Path(__file__).parent / "data"


def beir_catalogue() -> pd.DataFrame:
    """The 19 BEIR datasets by name: splits, sizes, relevant documents per query, whether public, MD5 of zip.

    >>> beir_catalogue().loc["scifact", "splits"]
    'train test'
    """
    return _table("beir_catalogue.csv").set_index("name")


def published_figures(dataset: str) -> pd.DataFrame:
    """What others have published for a BEIR dataset, one row per figure: system, metric, value, source.

    Nothing here was measured by us. A dataset without published figures gives an empty frame; warns of a name
    that is nearly one that has some.

    >>> published_figures("scifact")["system"].unique().tolist()[:2]
    ['BM25 (Anserini, flat)', 'BM25 (Anserini, multifield)']
    """
    figures = _table("published.csv")
    known = sorted(set(figures["dataset"]))
    near = get_close_matches(str(dataset).casefold(), known, n=1, cutoff=0.8)
    if near and _catalogued(dataset) not in known and _catalogued(dataset) not in beir_catalogue().index:
        warn(f"there is no dataset {dataset!r} of BEIR; did you mean {near[0]!r}?")
    return figures[figures["dataset"] == _catalogued(dataset)].drop(columns="dataset").reset_index(drop=True)


def published(dataset: str, system: str) -> dict[str, float]:
    """The published figures of one system on one dataset, `{metric: value}`; empty where there are none.

    Those of cqadupstack are the plain means over its twelve forums. Warns of a system that no figure is of.

    >>> published("scifact", BASELINE)["nDCG@10"], published("everyday-science", BASELINE)
    (0.6789, {})
    """
    figures = _table("published.csv")
    if system not in (known := list(dict.fromkeys(figures["system"]))):
        near = [one for one in known if str(system).casefold() in one.casefold()] or known
        warn(f"there is no published figure of a system {system!r}; there are {', '.join(map(repr, near))}")
    figures = figures[figures["dataset"].isin(parts(dataset)) & (figures["system"] == system)]
    values = figures.groupby("metric", sort=False)["value"]
    complete = values.count() == len(parts(dataset))
    return {metric: round(mean, 4) for metric, mean in values.mean()[complete].items()}


def other_size(name: str, n_documents: int, n_queries: int) -> str:
    """In words that a collection with BEIR's name has not the size of BEIR's, so that published figures are
    not of it; "" where it has, and for a name that the catalogue does not have.

    >>> other_size("scifact", 12, 4)
    "scifact has 12 documents and 4 queries here, BEIR's has 5K and 300"
    >>> other_size("scifact", 5183, 300), other_size("mine", 12, 4)
    ('', '')
    """
    catalogue, known = beir_catalogue(), _catalogued(name)
    if known not in catalogue.index:
        return ""
    size, n_asked = str(catalogue.loc[known, "corpus_size"]), int(catalogue.loc[known, "test_queries"])
    unit = {"K": 1_000, "M": 1_000_000}[size[-1]]
    decimals = len(size[:-1].partition(".")[2])
    # The sizes are rounded: within one of their last digit it is the same collection.
    if abs(n_documents / unit - float(size[:-1])) < 10**-decimals and n_queries == n_asked:
        return ""
    here = f"{name} has {counted(n_documents, 'document')} and {counted(n_queries, 'query')} here"
    return f"{here}, BEIR's has {size} and {n_asked:,}"


def parts(dataset: str) -> tuple[str, ...]:
    """The collections that a dataset is searched as: itself, or for cqadupstack its twelve forums.

    Each forum has its own corpus. The figure of the whole is the mean over forums, not over their queries.

    >>> len(parts("cqadupstack")), parts("scifact")
    (12, ('scifact',))
    """
    dataset = _catalogued(dataset)
    return FORUMS if dataset == "cqadupstack" else (dataset,)


def default_split(dataset: str) -> str:
    """The split on which figures are published: "test", but "dev" for msmarco.

    MS MARCO's own test labels are hidden, and its figures are those of the 6,980 dev queries. What BEIR's
    files call its test split are the 43 queries of TREC Deep Learning 2019.

    >>> default_split("msmarco"), default_split("MSMARCO"), default_split("scifact")
    ('dev', 'dev', 'test')
    """
    return "dev" if _catalogued(dataset) == "msmarco" else "test"


def _catalogued(dataset: str) -> str:
    """A name as the catalogue has it, if that differs in capitals alone (BEIR's authors write "MSMARCO") or
    is the hub's, as "BeIR/scifact"."""
    known = (*beir_catalogue().index, *FORUMS)
    asked = str(dataset).casefold().removeprefix("beir/")
    return next((name for name in known if name.casefold() == asked), dataset)


def datasets_table() -> pd.DataFrame:
    """The catalogue as `workbench datasets` prints it, with the nDCG@10 of Anserini's two BM25s.

    >>> list(map(str, datasets_table().loc["scifact"]))
    ['5K', '300', '1.1', 'train test', 'yes', '0.6789', '0.6647']
    """
    shown = ["corpus_size", "test_queries", "relevant_per_query", "splits", "public_download"]
    table = beir_catalogue()[shown].copy()
    table.columns = ["documents", "queries", "relevant/query", "splits", "public"]
    table["relevant/query"] = table["relevant/query"].astype(str)
    for field in ("flat", "multifield"):
        figures = [published(name, f"BM25 (Anserini, {field})") for name in table.index]
        table[f"BM25 {field}"] = [figure.get("nDCG@10") for figure in figures]
    return table


@lru_cache
def _table(file: str) -> pd.DataFrame:
    """One of the two tables, read once; only copies leave this module, so that nobody changes it for all."""
    return pd.read_csv(_DATA / file, keep_default_na=False)
