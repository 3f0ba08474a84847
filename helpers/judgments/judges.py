"""Judges: anything that says how well a passage answers a query. Two that compute, and one that asks a model.

A judge is a function from pairs `(query, passage)` to a verdict each. What any of them is worth is measured
(`verdict_table`, `helpers.stats.prediction_powered`), not assumed.
"""

import http.client
import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from math import isfinite, log
from numbers import Real
from typing import Protocol

import numpy as np
import pandas as pd

from helpers.base import check_mapping, check_whole, first_few, warn
from helpers.records import Corpus
from helpers.retrieval import Encoder, unit_vectors
from helpers.stats import check_in_order, cohen_kappa, in_one_order
from helpers.text import Analyzer, lucene_english

Pairs = Sequence[tuple[str, str]]
"""`(query, passage)`, both as text."""

PROMPT = """\
You are given a query to the search of a company's operations wiki, and one passage from it. Say how far the \
passage answers the query:
2: the passage states what the asker needs, or an essential part of it, so that they could act on it without \
opening another page.
1: it does not answer, but states something true for this very situation that helps: a figure, a limit, an \
owner, a condition.
0: anything else. Sharing words, the same service, or the same kind of trouble elsewhere is not help.
Judge only what the passage says. Answer with the one digit.

Query: {query}

Passage: {passage}"""
"""What the recorded verdicts of a language model were made with (`load_verdicts`), and `ChatJudge` asks."""

_NUMBER = r"(?<![\w.])[-\u2212]?\d+(?:[.,]\d+)*(?!\w|[.,]\d)"
_FIRST = re.compile(_NUMBER)
_NAMED = re.compile(rf"(?:grade|verdict)\W*[:=]\W*?({_NUMBER})", re.I)
_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.I)


class Judge(Protocol):
    """Any function that gives a verdict for each pair, in their order; higher means a better passage.

    Those here raise ValueError, with the pair's number, for what is no list of pairs of two texts.
    """

    def __call__(self, pairs: Pairs) -> list[float]: ...


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)


def as_pairs(pairs: Pairs, judge: object, *more: object) -> list[tuple[str, str]]:
    """The pairs as a list. Raises ValueError, with the judge and the pair's number, for what is no pair of
    two texts: a row with more columns, a dict, whose loop gives its keys, one pair that is not in a list; and
    for `more` than one argument, such as queries and passages in a list each. Warns of passages that look
    like ids.

    >>> as_pairs([("lost badge", "Call security"), ("outage", None)], CosineJudge(None))
    Traceback (most recent call last):
    ValueError: CosineJudge: pair 1 is ('outage', None); needed a list of (query, passage), both of them text
    """
    name, needed = type(judge).__name__, "needed a list of (query, passage), both of them text"
    if more:
        raise ValueError(
            f"{name} was given {1 + len(more)} arguments; {needed}: list(zip(queries, passages))"
        )
    if isinstance(pairs, pd.DataFrame):
        given = f"pairs are a table with the columns {first_few(pairs.columns)}"
        raise ValueError(f"{name}: {given}; {needed}: list(zip(table['query'], table['passage']))")
    if isinstance(pairs, (str, Mapping, Set)) or not isinstance(pairs, Iterable):
        raise ValueError(f"{name}: pairs are a {type(pairs).__name__}; {needed}")
    listed = [tuple(pair) if isinstance(pair, (list, np.ndarray)) else pair for pair in pairs]
    for number, pair in enumerate(listed):
        if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
            raise ValueError(f"{name}: pair {number} is {pair!r:.80}; {needed}")
    passages = [passage for _, passage in listed]
    if len(passages) > 1 and all(map(_ID.fullmatch, passages)):
        warn(f"{name}: every passage is one word with a number, as {passages[0]!r}: are these ids? {needed}")
    return listed


_ID = re.compile(r"(?=\D*\d)[!-~]{1,80}")
"""What may be an id and is hardly a passage: one word of ASCII with a digit."""


class CosineJudge:
    """The cosine of query and passage, by any encoder: near is not the same as right.

    >>> class Letters:
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> CosineJudge(Letters())([("a", "aa"), ("a", "b")])
    [1.0, 0.0]
    """

    def __init__(self, encoder: Encoder):
        self.encoder = encoder

    def __call__(self, pairs: Pairs, *more: object) -> list[float]:
        pairs = as_pairs(pairs, self, *more)
        if not pairs:
            return []
        queries = unit_vectors(self.encoder, [query for query, _ in pairs], "query")
        passages = unit_vectors(self.encoder, [passage for _, passage in pairs], "document")
        return [round(float(value), 6) for value in (queries * passages).sum(axis=1)]


class OverlapJudge:
    """The share of a query's terms that a passage has, each counted by its idf in `corpus`.

    Pairs are `(query, passage)` in this order: of `(passage, query)` it is the share of the passage's terms.
    A query without a term gets 0. Raises ValueError for a corpus without a document.

    >>> judge = OverlapJudge({"d1": "restart the relay", "d2": "restart the hub"})
    >>> [round(verdict, 2) for verdict in judge([("restart relay", "the relay"), ("restart relay", "lunch")])]
    [0.61, 0.0]
    """

    def __init__(self, corpus: Corpus, analyzer: Analyzer = lucene_english):
        check_mapping("corpus", corpus, "{doc_id: text}")
        if not corpus:
            raise ValueError("corpus holds no document, so there is no idf to count terms by")
        self.analyzer, self.n = analyzer, len(corpus)
        self.df = Counter(term for text in corpus.values() for term in set(analyzer(text)))

    def __call__(self, pairs: Pairs, *more: object) -> list[float]:
        return [self._share(query, passage) for query, passage in as_pairs(pairs, self, *more)]

    def _share(self, query: str, passage: str) -> float:
        idf = {term: log(1 + self.n / max(self.df[term], 1)) for term in set(self.analyzer(query))}
        held = set(self.analyzer(passage))
        return sum(idf[term] for term in sorted(idf) if term in held) / sum(idf.values()) if idf else 0.0


class ChatJudge:
    """A language model behind an address that speaks the protocol of OpenAI's chat completions.

    `url` is the server's base, such as `http://localhost:8000/v1`. `prompt` has `{query}` and `{passage}` in
    it. The verdict, from 0 to `highest`, is the number after the last `Grade:` or `Verdict:` of the answer,
    so that a model may number its steps first, else the first number that stands by itself. What it thinks,
    from `<think>` to `</think>`, is no part of the answer. `key` names the environment variable with the key,
    where one is needed. Every pair is one request with temperature 0. `requests`, `seconds`, `prompt_tokens`
    and `answer_tokens` are counted as they come, and `cost` is theirs at `prices`, per million tokens of
    prompt and of answer: not a number, after a warning, where the server does not count them. A request that
    is refused for now (status 429 or 5xx), times out or is broken off is tried three times in all.

    Raises ValueError for an address that is none, a prompt without both fields, prices that are not two
    numbers, a key that cannot be sent, what is no pair of texts, and an answer without a verdict, cut off
    before it, or with a number beyond `highest`, and OSError where the server cannot be reached, the last
    three with the pair's number. Verdicts that were given are kept (`answered`), so a second call with the
    same pairs goes on where the first broke off.
    """

    tries, pause = 3, 1.0
    """How often a request is made, and how many seconds lie between (doubled each time)."""

    def __init__(
        self,
        url: str,
        model: str,
        prompt: str = PROMPT,
        highest: int = 2,
        key: str = "",
        prices: tuple[float, float] = (0.0, 0.0),
        timeout: float = 60,
    ):
        if "{query}" not in prompt or "{passage}" not in prompt:
            raise ValueError("the prompt lacks {query} or {passage}; both texts must be put into it")
        _check_url(url)
        if not isinstance(model, str) or not model.strip():
            raise ValueError(f"model is {model!r:.60}; needed the name by which the server knows it")
        if timeout is not None and (not _is_number(timeout) or not timeout > 0):
            raise ValueError(f"timeout is {timeout!r:.60}; needed a number of seconds, above 0")
        pair = isinstance(prices, (tuple, list)) and len(prices) == 2
        if not pair or not all(_is_number(price) and price >= 0 for price in prices):
            needed = "needed two numbers, for a million tokens of prompt and of answer: (0.15, 0.60)"
            raise ValueError(f"prices are {prices!r:.60}; {needed}")
        self.url, self.model, self.prompt = f"{url.rstrip('/')}/chat/completions", model, prompt
        self.highest, self.key = check_whole("highest", highest, of="a verdict"), key
        self.prices, self.timeout = prices, timeout
        self.requests, self.seconds, self.prompt_tokens, self.answer_tokens = 0, 0.0, 0, 0
        self._uncounted = False
        self.answered: dict[tuple[str, str], float] = {}

    @property
    def cost(self) -> float:
        """What the tokens cost so far, in the currency of `prices`, nan where some were not counted."""
        if self._uncounted and any(self.prices):
            return float("nan")
        return (self.prompt_tokens * self.prices[0] + self.answer_tokens * self.prices[1]) / 1e6

    def __call__(self, pairs: Pairs, *more: object) -> list[float]:
        pairs = as_pairs(pairs, self, *more)
        for number, pair in enumerate(pairs):
            if pair not in self.answered:
                self.answered[pair] = self._verdict(*pair, where=f"pair {number}")
        return [self.answered[pair] for pair in pairs]

    def _verdict(self, query: str, passage: str, where: str) -> float:
        # One by one and not by `format`, so that braces inside a passage stay what they are.
        parts = re.split(r"(\{query\}|\{passage\})", self.prompt)
        asked = "".join({"{query}": query, "{passage}": passage}.get(part, part) for part in parts)
        body = {"model": self.model, "temperature": 0, "messages": [{"role": "user", "content": asked}]}
        answer = self._post(json.dumps(body).encode("utf-8"), where)
        try:
            choice = answer["choices"][0]
            said, ended = choice["message"]["content"], choice.get("finish_reason")
            self._count(answer.get("usage") or {})
        except (LookupError, TypeError, ValueError, AttributeError):
            raise ValueError(f"{where}: {self.url} sent no chat completion: {answer!r:.200}") from None
        number = _number_in(said if isinstance(said, str) else "", cut=ended == "length")
        if not number.isdecimal() or int(number) > self.highest:
            needed = f"needed a digit from 0 to {self.highest}"
            if number.isdecimal():
                needed += f", and its number is {number}: does the prompt ask for more? Give highest="
            elif not number and ended and ended != "stop":
                needed += f"; it ended by {ended!r}" + (": let it answer longer" if ended == "length" else "")
            elif not number and isinstance(said, str) and _THOUGHT.search(said):
                needed += " after what it thinks: let it answer longer"
            refusal = choice["message"].get("refusal")
            words = f"refused: {refusal!r:.80}" if refusal and not said else f"said {said!r:.80}"
            raise ValueError(f"{where}: {self.model} {words}; {needed}")
        return float(int(number))

    def _count(self, usage: Mapping) -> None:
        """Adds the tokens of an answer. Warns once where they have a price and the server does not count."""
        self.prompt_tokens += int(usage.get("prompt_tokens") or 0)
        self.answer_tokens += int(usage.get("completion_tokens") or 0)
        if not (usage.get("prompt_tokens") and usage.get("completion_tokens")) and not self._uncounted:
            self._uncounted = True
            if any(self.prices):
                said = f"{self.url} does not say how many tokens were used, so that the cost is unknown"
                warn(f"{said} (nan); see the server's own account of them")

    def _post(self, body: bytes, where: str) -> object:
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {_key_of(self.key, self.url)}"
        begun = time.perf_counter()
        try:
            for attempt in range(1, self.tries + 1):
                self.requests += 1
                try:
                    request = urllib.request.Request(self.url, body, headers)
                    with urllib.request.urlopen(request, timeout=self.timeout) as reply:
                        return _json(reply.read(), f"{where}: {self.url}")
                except urllib.error.HTTPError as error:
                    problem, again = f"status {error.code}", error.code == 429 or error.code >= 500
                except http.client.InvalidURL as error:
                    problem, again = str(error), False
                except (OSError, http.client.HTTPException) as error:
                    said = str(getattr(error, "reason", error)).strip()
                    problem, again = said or type(error).__name__, True
                if not again or attempt == self.tries:
                    cure = "is the address that of the server, up to /v1?"
                    raise OSError(f"{where}: {self.url} gave no answer ({problem}); {cure}")
                time.sleep(self.pause * 2 ** (attempt - 1))
        finally:
            self.seconds += time.perf_counter() - begun


def _number_in(said: str, cut: bool) -> str:
    """The number of an answer that is its verdict, as it is written; "" where there is none.

    Of an answer that was cut off it is the number that is named, or that it begins with: another is one of
    what came before the verdict.

    >>> _number_in("1. It names a relay. Grade: 0", cut=False), _number_in("Is it 1 or 2? I thi", cut=True)
    ('0', '')
    """
    marks = list(_THOUGHT.finditer(said))
    if marks:  # the opening one may be a part of the prompt
        said = said[marks[-1].end() :] if marks[-1][1] else said[: marks[0].start()]
    if named := _NAMED.findall(said):
        return named[-1]
    first = _FIRST.search(said)
    if not first or cut and re.search(r"\w", said[: first.start()]):
        return ""
    return first[0]


def _check_url(url: str) -> None:
    """Raises ValueError for what is no address of a server."""
    try:
        parts = urllib.parse.urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.path.isascii()
        fine = fine and parts.port != 0  # asking raises where it is no number
    except ValueError:
        fine = False
    if not fine or re.search(r"\s", url):
        needed = "needed one that begins so: http://localhost:8000/v1, and without a blank"
        raise ValueError(f"url is {url!r:.80}; {needed}")


def _json(answer: bytes, where: str) -> object:
    try:
        return json.loads(answer)
    except ValueError:
        raise ValueError(f"{where} sent no JSON but {answer[:60]!r}") from None


def _key_of(variable: str, url: str) -> str:
    """The key that the environment has under this name. Raises ValueError, which does not show it, where it
    has none, and for one with a character that cannot be sent."""
    key = os.environ.get(variable)
    if not key:
        raise ValueError(f"{_no_variable(variable)} set it to the key of {url}")
    if not key.isascii() or not key.isprintable() or " " in key:
        odd = "a blank, the end of a line, or a character beyond ASCII, such as a long dash"
        raise ValueError(f"the key in {variable} holds what no key has: {odd}; copy it anew")
    return key


def _no_variable(key: str) -> str:
    """That there is none of this name, which is shown only where it cannot be the secret itself."""
    if re.fullmatch(r"[A-Z]+(_[A-Z]+)*", key):
        return f"the environment has no {key};"
    return (
        "the environment has no variable of the name that was given as key. key= takes the name of a "
        "variable, such as OPENAI_API_KEY, and never the key itself;"
    )


def verdict_table(gold: Sequence[int], verdicts: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    """A judge against labels: counts of verdicts (columns) by gold grade (rows), and what they come to.

    `kappa` is over the grades as they are. Then with every grade from 1 up as yes: `kappa yes/no`, `found`
    (the share of relevant items that the judge calls so), `wrong` (the share of the others that it calls
    relevant), and `says` and `truth`, the share of relevant items by the judge and by the labels. Where there
    is no item of a kind its share is not a number. Two Series are paired by their index. Raises ValueError
    for empty or unequal lists, Series of different items, a set or table, and for a grade that is no whole
    number.

    >>> counts, found = verdict_table([2, 1, 0, 0], [2, 0, 1, 0])
    >>> counts.to_numpy().tolist(), found["found"], found["wrong"]
    ([[1, 1, 0], [1, 0, 0], [0, 0, 1]], 0.5, 0.5)
    """
    verdicts = in_one_order(gold, verdicts, "gold", "verdicts")
    gold, verdicts = _grades(gold, "gold"), _grades(verdicts, "verdicts")
    kappa = cohen_kappa(gold.tolist(), verdicts.tolist())  # refuses unequal and empty lists
    grades = sorted({*gold, *verdicts})
    counts = pd.crosstab(gold, verdicts).reindex(index=grades, columns=grades, fill_value=0)
    relevant, called = gold > 0, verdicts > 0
    return counts.rename_axis(index="gold", columns="verdict"), {
        "kappa": kappa,
        "kappa yes/no": cohen_kappa(relevant.tolist(), called.tolist()),
        "found": float(called[relevant].mean()),
        "wrong": float(called[~relevant].mean()),
        "says": float(called.mean()),
        "truth": float(relevant.mean()),
    }


def _grades(values: Sequence[int], name: str) -> pd.Series:
    if isinstance(values, Mapping):
        raise ValueError(f"{name} is a dict; needed a list of grades, in one order with the other list")
    check_in_order(values, f"the grades of {name}")
    values = list(values)
    for i, value in enumerate(values):
        try:
            whole = int(value) == float(value)
        except (TypeError, ValueError, OverflowError):
            whole = False
        if not whole:
            cure = "leave it out; of words and scores make grades first"
            raise ValueError(f"{name}, item {i}: {value!r} is no grade; needed a whole number; {cure}")
    return pd.Series(values, dtype=int)
