"""Full-text search, under `SqliteFTS5` and `SubstringScan`: SQLite's FTS5 in a file, and a scan of words.

How such a file is written and checked, and a query put to it so that it neither fails nor takes for ever.
"""

import errno
import re
import zlib
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
import regex

from helpers.base import check_path, progress, replaced

try:
    import sqlite3
except ImportError:  # a Python that was compiled without it; every other retriever still works there
    sqlite3 = None

TOKENIZER = "porter unicode61 remove_diacritics 2"
"""Words by Unicode's classes, without case and accents, reduced to Porter's stem."""
APPLICATION_ID = 0x4D46_0001
"""In the header of each of our files: whose file it is (the first half), and in which format."""
TERMS_AT_A_TIME = 64
"""FTS5 takes any number of terms joined by OR, but looks at each of them wherever any of them stands."""
_UNFIT = re.compile("[\0\ud800-\udfff]")
"""NUL ends a text in C, and UTF-8 cannot hold half of a surrogate pair."""
_SQLITE = b"SQLite format 3\0"
_ID_AT, _CHECKSUM_AT = 68, 60
"""Where SQLite's header has application_id and user_version, both left to us; the second is our checksum."""
LONGEST_SEARCH = 1_000
"""In characters; what is longer is a text, which FTS5 would take minutes for if its terms were phrases."""
_WORD = r"[\p{L}\p{M}\p{N}\p{Co}]+"


def build(path: str | Path, texts: Mapping[str, str], tokenizer: str = TOKENIZER) -> Path:
    """Writes the FTS5 index of `{doc_id: text}` to one file, complete or not at all, and gives its path.

    The texts are not in it, only their terms and positions. The same texts give the same bytes, in whatever
    order they come, with the same version of SQLite. An index or an empty file that is there is replaced.
    Raises ValueError for a file of anything else and for a tokenizer that SQLite refuses, OSError where the
    disk does not allow it, RuntimeError where this Python's SQLite has no FTS5.

    >>> import tempfile
    >>> path = build(Path(tempfile.mkdtemp()) / "index.sqlite", {"d1": "a cat", "d2": "a dog"})
    >>> with closing(open_file(path)) as connection:
    ...     contents(connection)
    (['d1', 'd2'], 'porter unicode61 remove_diacritics 2')
    """
    _check_ours(path)
    with replaced(path) as beside:
        beside.touch()  # where that is not allowed, the system says so better than SQLite would
        with closing(_connect(beside)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")  # what fails is thrown away, nobody goes back to it
            _fill(connection, texts, tokenizer)
        with open(beside, "r+b") as file:
            checksum = _checksum(file.read())
            file.seek(_CHECKSUM_AT)
            file.write(checksum)
    return Path(path)


def in_memory(texts: Mapping[str, str], tokenizer: str = TOKENIZER) -> "sqlite3.Connection":
    """The same index without a file. Raises as `build` does.

    >>> with closing(in_memory({"d1": "a cat", "d2": "a dog", "d3": "a bird"})) as connection:
    ...     scores(connection, "cats", 3).round(2).tolist()
    [0.51, 0.0, 0.0]
    """
    connection = _connect(":memory:")
    _fill(connection, texts, tokenizer)
    return connection


def open_file(path: str | Path) -> "sqlite3.Connection":
    """A file that `build` wrote, opened for reading only; nothing is written to it or beside it.

    Raises FileNotFoundError where there is none, ValueError for a file of something else and for one that is
    not, byte for byte, as it was written; RuntimeError where this Python's SQLite has no FTS5.

    >>> open_file("no/such/index.sqlite")
    Traceback (most recent call last):
    FileNotFoundError: no/such/index.sqlite does not exist; write an index there first
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; write an index there first")
    if problem := _problem(path):
        raise ValueError(f"{path} is {problem}")
    # immutable: without locks, so that a folder that cannot be written will do.
    connection = _connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1")
    try:
        connection.execute("SELECT rowid FROM texts WHERE texts MATCH 'a' LIMIT 1").fetchall()
    except sqlite3.Error as error:
        connection.close()
        _check_fts5(error)
        said = f"{path} cannot be read by SQLite {sqlite3.sqlite_version}: {error}"
        raise ValueError(f"{said}; write the index again") from error
    return connection


def contents(connection: "sqlite3.Connection") -> tuple[list[str], str]:
    """The ids of the indexed documents, in order, and the tokenizer.

    >>> with closing(in_memory({"d2": "a dog", "d1": "a cat"}, "unicode61")) as connection:
    ...     contents(connection)
    (['d1', 'd2'], 'unicode61')
    """
    rows = connection.execute("SELECT doc_id FROM documents ORDER BY number")
    doc_ids = [doc_id.decode("utf-8", "surrogatepass") for (doc_id,) in rows]
    return doc_ids, connection.execute("SELECT tokenizer FROM about").fetchone()[0]


def vocabulary(connection: "sqlite3.Connection") -> list[str]:
    """The terms of the indexed documents, as the tokenizer made them.

    >>> with closing(in_memory({"d1": "a cat", "d2": "two dogs"})) as connection:
    ...     vocabulary(connection)
    ['a', 'cat', 'dog', 'two']
    """
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, texts, row)")
    return [term for (term,) in connection.execute("SELECT term FROM temp.vocabulary")]


def match_expression(query: str) -> str:
    """A query as an FTS5 expression: its terms, in double quotes, joined by OR; "" where it has none.

    A term is what stands between white space. In quotes nothing is an operator. Where the tokenizer finds
    several words in a term (`checkout-api`), they must stand together in a document; a query of more than
    1,000 characters is a text, and of that each word is a term. A term that stands twice counts once,
    whatever its case. NUL and halves of a surrogate pair, which SQLite cannot take, separate terms.

    Source: SQLite FTS5 Extension, section 3, Full-text Query Syntax, and section 4.3.1 for what a word is.

    >>> match_expression('the checkout-api "no" AND The')
    '"the" OR "checkout-api" OR \"""no\""" OR "AND"'
    """
    return " OR ".join(_terms(query))


def scores(
    connection: "sqlite3.Connection", query: str, n_documents: int, strict: bool = False
) -> np.ndarray:
    """Each document's BM25 for a query (float64, higher is better), 0 for those that do not match.

    The query is taken as `match_expression` makes it, or with `strict` as an FTS5 expression. FTS5 has k1 =
    1.2 and b = 0.75, and takes 1e-6 for an idf ln((N − df + 0.5) / (df + 0.5)) that is not above zero. Raises
    ValueError, with the query and SQLite's words, for what is no expression. Of trigrams, a word that is
    longer than every document is not looked for.

    Source: SQLite FTS5 Extension, section 5.1.1, The bm25() function.

    >>> with closing(in_memory({"d1": "a cat", "d2": "a dog", "d3": "a bird"})) as connection:
    ...     scores(connection, "cats", 3).round(2).tolist()
    ...     scores(connection, "ca* OR dog", 3, strict=True).round(2).tolist()
    [0.51, 0.0, 0.0]
    [0.51, 0.51, 0.0]
    """
    summed = np.zeros(n_documents)
    terms = [term for term in _terms(query) if not _is_too_long(connection, term)]
    parts = [" OR ".join(terms[i : i + TERMS_AT_A_TIME]) for i in range(0, len(terms), TERMS_AT_A_TIME)]
    if strict and query.strip():
        parts = [] if _is_too_long(connection, query.strip()) else [_UNFIT.sub(" ", query)]
    for expression in parts:
        if found := _matches(connection, expression):
            numbers, values = np.array(found).T
            summed[numbers.astype(np.int64) - 1] += values  # BM25 is a sum over terms, so the parts add up
    return summed


def folded_words(text: str) -> list[str]:
    """The pieces between white space, without their case; punctuation stays.

    >>> folded_words("What's in v2.X?")
    ["what's", 'in', 'v2.x?']
    """
    return text.casefold().split()


def occurrences(words: Collection[str], terms: Collection[str]) -> np.ndarray:
    """For each word how often the different terms occur in it (int64); those of one term do not overlap.

    >>> occurrences(["banana", "pan", "fig"], ["an", "ana", "an"]).tolist()
    [3, 1, 0]
    """
    terms, lengths = set(terms), {len(term) for term in terms}
    found = (_occurrences_in(word, terms, lengths) for word in words)
    return np.fromiter(found, dtype=np.int64, count=len(words))


def _occurrences_in(word: str, terms: set[str], lengths: set[int]) -> int:
    # Whichever is quicker: to look up the pieces of the word, or to look for each term in it.
    if len(word) * len(lengths) < len(terms) * (1 + len(word) / 100):
        pieces = (word[i : i + n] for n in lengths for i in range(len(word) - n + 1))
        found = {piece for piece in pieces if piece in terms}
    else:
        found = {term for term in terms if term in word}
    return sum(map(word.count, found))


def _terms(query: str) -> list[str]:
    query = _UNFIT.sub(" ", query)
    long = len(query) > LONGEST_SEARCH
    terms = regex.findall(_WORD, query) if long else query.split()
    different: dict[str, str] = {}
    for term in terms:
        different.setdefault(term.lower(), term)
    return ['"' + term.replace('"', '""') + '"' for term in different.values()]


def _is_too_long(connection: "sqlite3.Connection", term: str) -> bool:
    """Whether a word, in quotes or not, has more trigrams than any document, and so is in none.

    FTS5 would look at each of them: for a million letters, and documents that hold the same, a minute.
    """
    if len(term) <= LONGEST_SEARCH or not regex.fullmatch(rf'("?){_WORD}\1', term):
        return False
    asked = "SELECT tokenizer, sz FROM about, texts_docsize ORDER BY length(sz) DESC, sz DESC LIMIT 1"
    try:
        tokenizer, size = connection.execute(asked).fetchone() or ("", b"")
    except sqlite3.Error:
        return False  # who searches next says what is wrong with the index
    most = 0
    for byte in size:  # a varint: how many trigrams the longest document has
        most = most << 7 | byte & 0x7F
    # Marks are not counted, for the tokenizer may drop them.
    n_letters = len(regex.sub(r"\p{M}+", "", term.strip('"')))
    return tokenizer.lower().split()[:1] == ["trigram"] and n_letters - 2 > most


def _matches(connection: "sqlite3.Connection", expression: str) -> list[tuple[int, float]]:
    try:
        if expression.startswith("*"):
            raise sqlite3.OperationalError("what begins with * is a command to FTS5")
        asked = "SELECT rowid, -bm25(texts) FROM texts WHERE texts MATCH ?"
        return connection.execute(asked, [expression]).fetchall()
    except sqlite3.ProgrammingError as error:
        raise ValueError(
            f"the index was closed, and nothing can be searched in it ({error}); open it again"
        ) from None
    except sqlite3.OperationalError as error:
        cure = "write words with a hyphen or another mark in double quotes, or search without strict"
        said = f"{expression!r:.200} is no FTS5 expression ({cure}), SQLite says: {error}"
        raise ValueError(said) from error
    except sqlite3.DatabaseError as error:  # above are those of its kinds that have another reason
        cure = "was it written over while it was open? Write and open it again"
        raise ValueError(f"the index cannot be read any more, SQLite says: {error}; {cure}") from error


def _fill(connection: "sqlite3.Connection", texts: Mapping[str, str], tokenizer: str) -> None:
    _create(connection, tokenizer)
    numbered = list(enumerate(sorted(texts), start=1))
    shown = progress(numbered, desc="indexing", unit="document")
    ids = ((number, doc_id.encode("utf-8", "surrogatepass")) for number, doc_id in numbered)
    rows = ((number, _UNFIT.sub(" ", texts[doc_id])) for number, doc_id in shown)
    try:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE about AS SELECT ? AS tokenizer", (tokenizer,))
        connection.execute("CREATE TABLE documents (number INTEGER PRIMARY KEY, doc_id BLOB)")
        connection.executemany("INSERT INTO documents VALUES (?, ?)", ids)
        connection.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", rows)
        connection.execute("INSERT INTO texts (texts) VALUES ('optimize')")
        connection.execute("COMMIT")
        connection.execute("VACUUM")
    except sqlite3.OperationalError as error:
        raise _unwritten(connection, error) from error


def _unwritten(connection: "sqlite3.Connection", error: Exception) -> OSError:
    """What to raise where SQLite cannot write: with the number of a full disk, and the file."""
    said = f"the index cannot be written, SQLite says: {error}"
    _, _, path = connection.execute("PRAGMA database_list").fetchone()
    number = errno.ENOSPC if "is full" in str(error) else errno.EIO
    return OSError(number, said, path or "the index in memory")


def _create(connection: "sqlite3.Connection", tokenizer: str) -> None:
    quoted = str(tokenizer).replace("'", "''")
    try:
        connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='{quoted}')")
    # A Warning is Python 3.10's for half of a surrogate pair.
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        _check_fts5(error)
        if re.search("is full|disk I/O|readonly|unable to open", str(error)):
            raise _unwritten(connection, error) from error
        said = f"tokenizer {tokenizer!r:.200} is refused by SQLite: {error}"
        raise ValueError(f"{said}; try {TOKENIZER!r}") from error


def _connect(where: str | Path) -> "sqlite3.Connection":
    """In autocommit mode, and free of its thread: the garbage collector may close it from another."""
    if sqlite3 is None:
        _check_fts5("no such module: fts5")
    return sqlite3.connect(where, isolation_level=None, uri=isinstance(where, str), check_same_thread=False)


def _check_fts5(error: object) -> None:
    if str(error) == "no such module: fts5":
        cure = "use the Python of python.org or conda-forge, or another retriever"
        raise RuntimeError(f"this Python's SQLite has no FTS5; {cure}")


def _check_ours(path: str | Path) -> None:
    """Raises ValueError for a file that is neither empty nor an index of ours, in whatever format."""
    if not (path := check_path(path, "the name of a file for the index")).is_file():
        return
    with open(path, "rb") as file:
        header = file.read(_ID_AT + 4)
    ours = header.startswith(_SQLITE) and header[_ID_AT:][:2] == APPLICATION_ID.to_bytes(4, "big")[:2]
    if header and not ours:
        what = "an SQLite database, but no index" if header.startswith(_SQLITE) else "no index"
        cure = "give a path that is new, or delete the file if nobody needs it"
        raise ValueError(f"{path} is {what} of this package, and would be lost; {cure}")


def _problem(path: Path) -> str:
    """Why this is no file of ours, or not as we wrote it; "" where it is."""
    content = path.read_bytes()
    if not content.startswith(_SQLITE):
        return "no SQLite file; give the path of an index"
    if content[_ID_AT : _ID_AT + 4] != APPLICATION_ID.to_bytes(4, "big"):
        what = "an SQLite file, but no index of this version of the package"
        return f"{what}; write the index again, to another path"
    if content[_CHECKSUM_AT : _CHECKSUM_AT + 4] != _checksum(content):
        return "damaged: its bytes are not those that were written; write the index again"
    return ""


def _checksum(content: bytes) -> bytes:
    """CRC-32 of a file without the four bytes that hold it."""
    return zlib.crc32(content[_CHECKSUM_AT + 4 :], zlib.crc32(content[:_CHECKSUM_AT])).to_bytes(4, "big")
