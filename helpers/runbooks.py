"""Reads a folder of Markdown documents with front matter, the layout of `evals/corpus/`.

One file per document, `{doc_id}.md`: five lines of facts between two lines of dashes, a blank line, the body. What makes
a test collection of them is in `labels` and `datasets`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

KINDS = ("overview", "runbook", "postmortem", "procedure", "architecture", "faq", "policy", "reference")
_KEYS = ("doc_id", "title", "kind", "service", "updated")


@dataclass(frozen=True)
class Document:
    """One page of the wiki. `text`, what a retriever sees, is the title, a space, the body."""

    doc_id: str
    title: str
    kind: str
    service: str
    updated: date
    body: str

    @property
    def text(self) -> str:
        return f"{self.title} {self.body}"


def read_documents(folder: str | Path) -> list[Document]:
    """The documents of a folder in the order of their file names.

    Raises FileNotFoundError where the folder holds no Markdown file, and ValueError with **all** problems of all files,
    one a line: broken front matter, a key that is missing or unknown, an id that is not the file's name, no body.
    """
    paths = sorted(Path(folder).glob("*.md"))
    if not paths:
        raise FileNotFoundError(f"{folder} holds no document; needed Markdown files, doc_001.md and so on")
    problems: list[str] = []
    documents = [document for path in paths for document in _read(path, problems)]
    if problems:
        raise ValueError(f"{len(problems)} problems in {folder}:\n" + "\n".join(problems))
    return documents


def _read(path: Path, problems: list[str]) -> Iterator[Document]:
    """The one document of a file, or nothing and the reasons."""
    found = list(_problems(path))
    problems += [f"{path.name}: {problem}" for problem in found]
    if not found:
        facts, body = _parts(path)
        yield Document(*(facts[key] for key in _KEYS), body)


def _problems(path: Path) -> Iterator[str]:
    try:
        facts, body = _parts(path)
    except (ValueError, yaml.YAMLError) as error:
        yield " ".join(str(error).split())
        return
    for key in sorted(set(_KEYS) ^ set(facts), key=str):
        yield f"needed the keys {', '.join(_KEYS)}; {key!r} is {'missing' if key in _KEYS else 'not one of them'}"
    for key in ("doc_id", "title", "kind", "service"):
        if key in facts and not (isinstance(facts[key], str) and facts[key].strip()):
            yield f"{key} is {facts[key]!r}; needed text (put it in quotes if it looks like a number or a date)"
    if facts.get("doc_id", path.stem) != path.stem:
        yield f"doc_id is {facts['doc_id']!r}; needed the file's own name, {path.stem!r}"
    if isinstance(facts.get("kind"), str) and facts["kind"] not in KINDS:
        yield f"kind is {facts['kind']!r}; needed one of {', '.join(KINDS)}"
    if "updated" in facts and type(facts["updated"]) is not date:
        yield f"updated is {facts['updated']!r}; needed a date, 2026-10-16"
    if not body:
        yield "the body is empty"


def _parts(path: Path) -> tuple[dict, str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not valid UTF-8 (byte {error.start + 1} of the file)") from None
    _, opening, rest = text.partition("---\n")
    head, closing, body = rest.partition("\n---\n")
    if not text.startswith("---\n") or not closing:
        raise ValueError("needed front matter between two lines of three dashes at the top of the file")
    facts = yaml.safe_load(head)
    if not isinstance(facts, dict):
        raise ValueError(f"the front matter is {facts!r}; needed lines of the form 'key: value'")
    return facts, body.strip("\n")
