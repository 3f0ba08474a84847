"""Reads a folder of Markdown documents with front matter, the layout of `evals/corpus/`.

One file per document, `{doc_id}.md`: five lines of facts between two lines of dashes, a blank line, the body.
A sixth and seventh may say that the document is `status: superseded`, and `superseded_by` which other one.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

from helpers.base import refuse

DOCUMENT_KINDS = (
    "overview runbook postmortem procedure architecture faq policy reference ticket chat stub".split()
)
_KEYS = ("doc_id", "title", "kind", "service", "updated")
_OPTIONAL = ("status", "superseded_by")


@dataclass(frozen=True)
class Document:
    """One page of the wiki. `text`, what a retriever sees, is the title, a space, the body.

    `superseded_by` is the id of the page that took its place, empty for a page that is in force.
    """

    doc_id: str
    title: str
    kind: str
    service: str
    updated: date
    body: str
    superseded_by: str = ""

    @property
    def text(self) -> str:
        return f"{self.title} {self.body}"


def read_documents(folder: str | Path) -> list[Document]:
    """The documents of a folder in the order of their file names.

    Raises FileNotFoundError where there is no folder or no Markdown file in it, and ValueError with **all**
    problems of all files, one a line: broken front matter, a key that is missing, unknown or repeated, an id
    that is not the file's name, no body.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder} is no folder; needed one that holds the documents, doc_001.md and so on"
        )
    paths = sorted(folder.glob("*.md"))
    if not paths:
        needed = "Markdown files, doc_001.md and so on, directly in it"
        raise FileNotFoundError(f"{folder} holds no document; needed {needed}")
    problems: list[str] = []
    documents = [document for path in paths for document in _read(path, problems)]
    known = {path.stem for path in paths}
    for one in documents:
        if one.superseded_by and one.superseded_by not in known - {one.doc_id}:
            needed = "needed the id of another document"
            problems.append(f"{one.doc_id}.md: superseded_by is {one.superseded_by!r}; {needed}")
    refuse(problems, folder)
    return documents


def _read(path: Path, problems: list[str]) -> Iterator[Document]:
    """The one document of a file, or nothing and the reasons."""
    try:
        facts, body = _parts(path)
    except (ValueError, OSError, RecursionError) as error:
        problems.append(f"{path.name}: {' '.join(str(error).split())}")
        return
    found = list(_problems(path.stem, facts, body))
    problems += [f"{path.name}: {problem}" for problem in found]
    if not found:
        yield Document(*(facts[key] for key in _KEYS), body, facts.get("superseded_by", ""))


def _problems(name: str, facts: dict, body: str) -> Iterator[str]:
    for key in sorted(set(_KEYS) ^ set(facts) - set(_OPTIONAL), key=str):
        wrong = "missing" if key in _KEYS else "not one of them"
        yield f"needed the keys {', '.join(_KEYS)}; {key!r} is {wrong}"
    if set(_OPTIONAL) & set(facts) and not (
        facts.get("status") == "superseded" and isinstance(facts.get("superseded_by"), str)
    ):
        yield "needed 'status: superseded' and 'superseded_by: ID' together, or neither"
    for key in ("doc_id", "title", "kind", "service"):
        if key in facts and not (isinstance(facts[key], str) and facts[key].strip()):
            cure = "put it in quotes if it looks like a number or a date"
            yield f"{key} is {facts[key]!r}; needed text ({cure})"
    if facts.get("doc_id", name) != name:
        yield f"doc_id is {facts['doc_id']!r}; needed the file's own name, {name!r}"
    if isinstance(facts.get("kind"), str) and facts["kind"] not in DOCUMENT_KINDS:
        yield f"kind is {facts['kind']!r}; needed one of {', '.join(DOCUMENT_KINDS)}"
    if "updated" in facts and type(facts["updated"]) is not date:
        yield f"updated is {facts['updated']!r}; needed a date, 2026-10-16"
    if not body.strip():
        yield "the body is empty"


def _parts(path: Path) -> tuple[dict, str]:
    """The front matter as a dictionary, and the body."""
    if not path.is_file():
        raise ValueError("this is no file that can be read; remove it or rename it")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not valid UTF-8 (byte {error.start + 1} of the file)") from None
    found = re.match(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)", text, re.DOTALL)
    if not found:
        raise ValueError("needed front matter between two lines of three dashes at the top of the file")
    return _facts(found[1]), text[found.end() :].strip("\n")


def _facts(head: str) -> dict:
    """The front matter as a dictionary. Raises ValueError for what YAML would misread without a word."""
    try:
        facts = _safe_load(head)
    except (yaml.YAMLError, ValueError) as error:
        reason, cure = " ".join(str(error).split()), "dates as 2026-10-16, text with ': ' in quotes"
        raise ValueError(f"the front matter cannot be read ({reason}); {cure}") from None
    if not isinstance(facts, dict):
        raise ValueError(f"the front matter is {facts!r}; needed lines of the form 'key: value'")
    lines = re.findall(r"^(\w+):[ \t]*(.*?)[ \t]*$", head, re.MULTILINE)
    for key, times in Counter(key for key, _ in lines).items():
        if times > 1:
            raise ValueError(f"the key {key!r} stands there {times} times")
    for key, raw in lines:
        if isinstance(facts.get(key), str) and raw[:1] not in ("'", '"') and raw != facts[key]:
            raise ValueError(f"{key} is read as {facts[key]!r} from {raw!r}; put it in quotes")
    return facts


def _safe_load(text: str) -> object:
    """`yaml.safe_load`, by its loader in C where there is one: ten times as fast, and short in its errors."""
    try:
        return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return yaml.safe_load(text)
