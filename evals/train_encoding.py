"""Learns the bundled token encoding from the course's own texts and writes its ranks, in tiktoken's file
format.

Run once, by hand: `python evals/train_encoding.py`. The ranks are kept when documents change, so that stored
results stay comparable; nothing at run time imports this file. The method is byte-pair encoding: start from
the 256 bytes, then again and again make a token of the pair that stands side by side most often (Sennrich et
al., 2016).
"""

import base64
from collections import Counter

import regex

from helpers.base import files, write_text
from helpers.text import tokens

SIZE = 4096


def learn_ranks(text: str, size: int = SIZE) -> dict[bytes, int]:
    """`{token: rank}` with `size` tokens. Among pairs that are equally frequent the first in byte order is
    merged.

    >>> ranks = learn_ranks("low lower lowest low", size=258)
    >>> sorted(ranks, key=ranks.get)[256:]
    [b'lo', b'low']
    """
    # 1. Words as tuples of single bytes, which are the first 256 tokens.
    words: Counter = Counter()
    for word in regex.findall(tokens.STAND_IN_PATTERN, text):
        words[tuple(bytes([byte]) for byte in word.encode())] += 1
    ranks = {bytes([byte]): byte for byte in range(256)}
    while len(ranks) < size:
        # 2. How often does each pair of tokens stand side by side?
        pairs: Counter = Counter()
        for word, count in words.items():
            for pair in zip(word, word[1:], strict=False):
                pairs[pair] += count
        # 3. The most frequent pair is the next token, in every word that has it.
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        ranks[b"".join(best)] = len(ranks)
        words = Counter({_merged(word, best): count for word, count in words.items()})
    return ranks


def _merged(word: tuple[bytes, ...], pair: tuple[bytes, bytes]) -> tuple[bytes, ...]:
    if pair[0] not in word:
        return word
    out: list[bytes] = []
    for piece in word:
        if out and (out[-1], piece) == pair:
            out[-1] = out[-1] + piece
        else:
            out.append(piece)
    return tuple(out)


if __name__ == "__main__":
    corpus = [*sorted(files.RUNBOOKS.glob("*.md")), files.BUNDLED_BEIR / "everyday-science" / "corpus.jsonl"]
    learnt = learn_ranks("\n".join(path.read_text(encoding="utf-8") for path in corpus))
    lines = (f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in learnt.items())
    write_text(tokens.STAND_IN_RANKS, "".join(lines))
