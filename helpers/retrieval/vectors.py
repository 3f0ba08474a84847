"""Sparse vectors: texts counted, or encodings packed, into a CSR matrix; its document frequencies.

Rows are documents (or queries), columns are terms. A document's number is its row.
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set, Sized
from itertools import chain, islice
from operator import index
from unicodedata import is_normalized

import numpy as np
from scipy.sparse import csr_matrix, issparse, vstack

from helpers.base import check_ids, check_whole, counted, progress, warn
from helpers.encoders import as_numbers
from helpers.records import Corpus, Queries
from helpers.retrieval.sparse_index import as_weights
from helpers.text import Analyzer

SparseVector = dict[int, float]
SparseVectors = Sequence[SparseVector] | csr_matrix
"""What a model of sparse vectors gives for texts: one `{dimension: value}` for each, or a row of a matrix."""


def count_terms(
    texts: Iterable[str], analyzer: Analyzer, vocabulary: dict[str, int] | None = None
) -> tuple[csr_matrix, dict[str, int]]:
    """Term counts, a CSR matrix (texts × terms, int32), and the vocabulary `{term: column}`.

    Without a vocabulary one is built in the order in which terms first occur. With one (count queries with
    that of the documents) a term outside it is dropped. A text without terms is a row of zeros. Texts are
    taken one at a time, so they may come from a file that does not fit into memory; what stays is four bytes
    for each term's occurrence.

    >>> counts, vocabulary = count_terms(["a rose is a rose", "is it"], str.split)
    >>> vocabulary, counts.toarray().tolist()
    ({'a': 0, 'rose': 1, 'is': 2, 'it': 3}, [[2, 2, 1, 0], [0, 0, 1, 1]])
    """
    check_analyzer(analyzer)
    columns = _columns(vocabulary)
    indices, indptr = array("i"), array("q", [0])
    total = len(texts) if isinstance(texts, Sized) else None
    for text in progress(_texts(texts), total=total, desc="counting words", unit="text"):
        terms = as_terms(analyzer(text), analyzer)
        try:
            if vocabulary is None:
                indices.extend(map(columns.__getitem__, terms))
            else:
                indices.extend(columns[term] for term in terms if term in columns)
        except TypeError:
            check_hashable([terms], analyzer)
            raise
        indptr.append(len(indices))
    shape = (len(indptr) - 1, len(columns))
    counts = count_columns(np.frombuffer(indices, np.int32), np.frombuffer(indptr, np.int64), shape)
    return counts, dict(columns) if vocabulary is None else vocabulary


def check_analyzer(analyzer: Analyzer) -> None:
    """Raises ValueError for what is no function of a text, such as the name of one, or a class of them."""
    is_class = isinstance(analyzer, type) and not issubclass(analyzer, Iterable)  # as `list` is
    if is_class or not callable(analyzer):
        given = f"the class {analyzer.__name__}" if is_class else f"{analyzer!r:.60}"
        cure = "give a function that makes a list of terms of a text, e.g. helpers.text.lucene_english"
        raise ValueError(f"analyzer is {given}; {cure}")


def as_terms(terms: Iterable[str], analyzer: Analyzer) -> Iterable[str]:
    """The terms as given. Raises ValueError where an analyzer gave a text, whose letters would be the terms,
    a dict, whose keys would be (as those of a tokenizer of transformers, the same for every text), a set,
    which counts no term twice, objects that equal nothing but themselves, or nothing to be gone through."""
    name = getattr(analyzer, "__name__", repr(analyzer))
    if type(terms) is list:  # as nearly all do
        if terms and type(terms[0]).__hash__ is object.__hash__:  # each object would be a term of its own
            needed = "needed texts, as [one.text for one in ...]"
            raise ValueError(f"analyzer {name} gave objects, {type(terms[0]).__name__}; {needed}")
        return terms
    if isinstance(terms, (str, bytes, Mapping, Set)) or not isinstance(terms, Iterable):
        raise ValueError(f"analyzer {name} gave {terms!r:.60} for a text; needed a list of terms")
    return terms


def check_hashable(lists: Iterable[Iterable[str]], analyzer: Analyzer) -> None:
    """Raises ValueError, with the term, where an analyzer gave one that cannot be looked up, as a list."""
    for term in chain.from_iterable(lists):
        if not isinstance(term, Hashable):
            name = getattr(analyzer, "__name__", repr(analyzer))
            raise ValueError(f"analyzer {name} gave the term {term!r:.60}; needed a list of texts")


def count_columns(columns: np.ndarray, indptr: np.ndarray, shape: tuple[int, int]) -> csr_matrix:
    """The count matrix of texts whose terms are numbers: text i is `columns[indptr[i]:indptr[i + 1]]`.

    Raises ValueError for a number outside 0 .. shape[1] − 1.

    >>> count_columns(np.array([2, 0, 2]), np.array([0, 0, 3]), shape=(2, 3)).toarray().tolist()
    [[0, 0, 0], [1, 0, 2]]
    """
    if len(columns) and not 0 <= columns.min() <= columns.max() < shape[1]:
        raise ValueError(
            f"columns run from {columns.min()} to {columns.max()}, the matrix has {shape[1]}; a vocabulary "
            "must number its terms 0, 1, 2 and so on: after pruning, number them anew"
        )
    kind = np.int32 if max(len(columns), shape[1]) < 2**31 else np.int64
    once = np.ones(len(columns), dtype=np.int32)
    counts = csr_matrix((once, columns.astype(kind), indptr), shape)
    counts.sum_duplicates()
    return counts


def encode_to_csr(sparse_vecs: SparseVectors, sparse_dim: int) -> csr_matrix:
    """Sparse vectors `{dimension: value}` as a CSR matrix (vectors × sparse_dim, int32 indices, float32).

    A SciPy sparse matrix of that width is taken as it is, in 32 bits. An empty vector is a row of zeros. A
    value of 0 is stored as it was given (a matrix loses it) and counts as absent everywhere; values may be
    negative. Raises ValueError for a dimension outside 0 .. sparse_dim − 1, a matrix of another width, and a
    value that is no number, as text is none, or not finite in 32 bits.

    >>> encode_to_csr([{0: 2.0}, {}, {2: 1.0}], sparse_dim=3).toarray().tolist()
    [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    check_whole("sparse_dim", sparse_dim, least=0, of="dimensions")
    if issparse(sparse_vecs):
        if sparse_vecs.ndim != 2 or sparse_vecs.shape[1] != sparse_dim:
            found = f"a matrix of the shape {sparse_vecs.shape}"
            raise ValueError(f"{found}; needed {sparse_dim} columns (sparse_dim), one a dimension")
        return as_weights(sparse_vecs, "the matrix of vectors")
    sparse_vecs = sparse_vecs if isinstance(sparse_vecs, Sequence) else list(sparse_vecs)
    indptr = np.cumsum([0] + [len(vector) for vector in sparse_vecs])
    dims = (_whole(dim) for vector in sparse_vecs for dim in vector)
    indices = np.fromiter(dims, dtype=np.int64, count=indptr[-1])
    given = _values(sparse_vecs)
    with np.errstate(over="ignore"):  # what does not fit becomes infinite, and is refused in the next line
        values = given.astype(np.float32)
    bad = np.flatnonzero((indices < 0) | (indices >= sparse_dim) | ~np.isfinite(values))
    if len(bad):
        row = int(np.searchsorted(indptr, bad[0], side="right")) - 1
        raise ValueError(
            f"vector {row}: dimension {indices[bad[0]]} with value {given[bad[0]]}; dimensions run from 0 to "
            f"{sparse_dim - 1} (sparse_dim = {sparse_dim}) and values are finite 32-bit floats"
        )
    # int32 where it can hold every position in the arrays too, else int64: SciPy wants one type for both.
    kind = np.int32 if max(indptr[-1], sparse_dim) < 2**31 else np.int64
    shape = (len(sparse_vecs), sparse_dim)
    matrix = csr_matrix((values, indices.astype(kind), indptr.astype(kind)), shape)
    matrix.sort_indices()
    return matrix


def encode_corpus_batched(
    texts: Iterable[str],
    encode_fn: Callable[[list[str]], SparseVectors],
    sparse_dim: int,
    batch_size: int = 512,
) -> csr_matrix:
    """Texts as a CSR matrix (texts × sparse_dim), `batch_size` of them at a time through `encode_fn`.

    `encode_fn` takes a list of texts and gives one `{dimension: value}` for each, in their order, or a sparse
    matrix with a row for each; only one batch of them is held at a time. Shows a progress bar. Raises
    ValueError where it gives more or fewer vectors than texts, and for what `encode_to_csr` refuses.

    >>> def lengths(texts):
    ...     return [{len(text): 1.0} for text in texts]
    >>> encode_corpus_batched(["a", "", "bb"], lengths, sparse_dim=3, batch_size=2).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    check_whole("batch_size", batch_size, of="texts")
    total = len(texts) if isinstance(texts, Sequence) else None
    done, matrices = 0, [encode_to_csr([], sparse_dim)]
    with progress(total=total, desc="encoding", unit="text") as bar:
        for batch in _batches(_texts(texts), batch_size):
            vectors = as_vectors(encode_fn(batch))
            if (n_vectors := count_vectors(vectors)) != len(batch):
                found = f"encode_fn gave {n_vectors} vectors for {len(batch)}"
                raise ValueError(f"texts {done} to {done + len(batch) - 1}: {found}")
            try:
                matrices.append(encode_to_csr(vectors, sparse_dim))
            except ValueError as error:
                raise ValueError(f"in the batch that starts at text {done}: {error}") from None
            done += len(batch)
            bar.update(len(batch))
    return vstack(matrices, format="csr", dtype=np.float32)


def as_vectors(vectors: Iterable[SparseVector] | csr_matrix) -> SparseVectors:
    """Vectors that can be counted: a matrix as it is, anything else as a list."""
    return vectors if issparse(vectors) else list(vectors)


def count_vectors(vectors: SparseVectors) -> int:
    """How many vectors these are. (`len` of a sparse matrix is an error: rows or values?)

    >>> count_vectors(csr_matrix((3, 5))), count_vectors([{0: 1.0}])
    (3, 1)
    """
    return vectors.shape[0] if issparse(vectors) else len(vectors)


def document_frequency(matrix: csr_matrix) -> np.ndarray:
    """In how many rows each column is not zero (int64, one per column). A stored zero does not count.

    >>> document_frequency(csr_matrix([[2, 0, 1], [1, 0, 0]])).tolist()
    [2, 0, 1]
    """
    matrix = matrix.tocsr()
    if not matrix.has_canonical_format:  # an entry that is stored in two parts is still one document
        matrix = matrix.copy()
        matrix.sum_duplicates()
    stored = matrix.indices if matrix.data.all() else matrix.indices[matrix.data != 0]
    return np.bincount(stored, minlength=matrix.shape[1])


def check_texts(corpus: Corpus) -> None:
    """Raises ValueError, with the doc_id, for a document that is not text.

    >>> check_texts({"d1": "a cat", "d2": None})
    Traceback (most recent call last):
    ValueError: document 'd2' is of type NoneType; needed its text, "" where it has none
    """
    for doc_id, text in corpus.items():
        if not isinstance(text, str):
            raise ValueError(f"document {doc_id!r} {not_text(text)}")


def check_corpus(corpus: Corpus) -> None:
    """Raises ValueError for a corpus that is empty or no dict, and for an id or document that is not text."""
    if not isinstance(corpus, Mapping):
        raise ValueError(f"corpus is a {type(corpus).__name__}; needed a dict {{doc_id: text}}")
    if not corpus:
        raise ValueError("the corpus holds no document; there is nothing to search")
    check_ids(corpus, "corpus: doc_id")
    check_texts(corpus)


def check_query(query: str) -> None:
    """Raises ValueError for a query that is not text."""
    if not isinstance(query, str):
        raise ValueError(f"query is a {type(query).__name__}; needed the text of one query")


def check_queries(queries: Queries) -> None:
    """Raises ValueError for queries that are no dict, and for an id or a query that is not text."""
    if not isinstance(queries, Mapping):
        given = f"the text {queries!r:.60}" if isinstance(queries, str) else f"a {type(queries).__name__}"
        example = queries[:40] if isinstance(queries, str) else "reset password"
        raise ValueError(f"queries is {given}; needed a dict {{query_id: text}}: {{'q1': {example!r}}}")
    check_ids(queries, "queries: query_id")
    for query_id, query in queries.items():
        if not isinstance(query, str):
            raise ValueError(f"query {query_id!r} {not_text(query)}")


def forms_of_accents(texts: Iterable[str]) -> set[str]:
    """In which forms texts have accents: as one character with the letter (NFC), or as one after it (NFD).

    >>> sorted(forms_of_accents(["Tu\\u0308r", "T\\u00fcr", "door"]))
    ['NFC', 'NFD']
    """
    other = {"NFC": "NFD", "NFD": "NFC"}
    accented = (
        text for text in texts if isinstance(text, str) and not text.isascii()
    )  # terms may be numbers
    return {form for text in accented for form in other if not is_normalized(other[form], text)}


def warn_of_accents(queries: Queries, forms: Set[str]) -> None:
    """Warns of queries whose accents are of another form than those of all documents."""
    odd = [query_id for query_id, query in queries.items() if forms and forms_of_accents([query]) - forms]
    if odd:
        other = next(iter(forms))
        said = f"the accents of {counted(len(odd), 'query')}, e.g. {odd[0]!r}, are of another form of Unicode"
        warn(f"{said} than those of the documents, and never meet: unicodedata.normalize({other!r}, text)")


def warn_of_unmet(queries: Queries, lost: Sequence[str], analyzer: Analyzer, known: Collection[str]) -> None:
    """Warns of queries that share no term with the documents (`lost`), whose terms the `known` ones have in
    other capitals, or, in a script without blanks between words, inside of them, as parts of a sentence."""
    terms = {one: [term for term in analyzer(queries[one]) if isinstance(term, str)] for one in lost[:100]}
    terms = {one: own for one, own in terms.items() if own and not any(term in known for term in own)}
    if not terms:
        return
    forms = {term.casefold(): term for term in known if isinstance(term, str)}
    other = {one: term for one in terms for term in terms[one] if term.casefold() in forms}
    if other:
        one, term = next(iter(other.items()))
        said = f"{counted(len(other), 'query shares', 'queries share')} no term with the documents"
        example = f"{forms[term.casefold()]!r} for {term!r} of {one!r}"
        cure = "let the analyzer make all letters small: [term.lower() for term in ...]"
        warn(f"{said}, which have terms in other capitals, e.g. {example}; {cure}")
    elif 2 * len(lost) > len(queries):
        cure = "give an analyzer that parts them, or pairs of neighbouring letters"
        warn_of_sentences(terms, lambda: forms.values(), "analyzer", cure)


def warn_of_sentences(
    terms: Mapping[str, list[str]], known: Callable[[], Iterable[str]], maker: str, cure: str
) -> None:
    """Warns of documents whose terms are whole sentences, in a script that sets no blanks between words,
    where terms of queries are inside of them. `known` gives the documents' terms, which may take time."""
    asked = [(one, term) for one in terms for term in terms[one] if _UNSPACED.search(term)]
    sentences = [term for term in known() if _UNSPACED.search(term)] if asked else []
    if sum(map(len, sentences)) <= 6 * len(sentences):  # words of these scripts are shorter
        return
    pairs = ((one, term, own) for one, term in asked for own in sentences if term in own)
    if found := next(pairs, None):
        one, term, own = found
        said = f"the {maker} makes whole sentences terms, e.g. {own!r:.40}, in which {term!r:.40} of query"
        warn(f"{said} {one!r} is not found; this script has no blanks between words: {cure}")


_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Thai, Lao, Myanmar, Khmer, Hiragana, Katakana, Han."""


def not_text(found: object) -> str:
    """What an error says of a document that is no text."""
    return f'is of type {type(found).__name__}; needed its text, "" where it has none'


def _texts(texts: Iterable[str]) -> Iterable[str]:
    """The texts as given. Raises ValueError for one text, for a dict, which would give its keys, for a set,
    whose rows nobody could tell apart, and for a table, which would give the names of its columns."""
    if isinstance(texts, (str, Mapping)):
        what = "one text" if isinstance(texts, str) else "a dict, whose keys are ids"
        raise ValueError(f"texts is {what}; give a list of texts, for a corpus corpus.values()")
    if isinstance(texts, Set):
        raise ValueError(f"texts is a {type(texts).__name__}, without an order; give a list, a row for each")
    if is_table(texts):
        raise ValueError(f"texts is a table ({type(texts).__name__}); give the column that holds the texts")
    return texts


def is_table(texts: object) -> bool:
    """Whether these are rows and columns, as a DataFrame is, of which a loop sees only the names."""
    return getattr(texts, "ndim", 1) != 1


def _columns(vocabulary: dict[str, int] | None) -> dict[str, int]:
    """The vocabulary itself, or an empty one that numbers each new term when it is first asked for."""
    if vocabulary is not None:
        return vocabulary
    growing: defaultdict[str, int] = defaultdict()
    growing.default_factory = growing.__len__
    return growing


def _batches(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    remaining = iter(texts)
    while batch := list(islice(remaining, size)):
        yield batch


def _values(sparse_vecs: Sequence[SparseVector]) -> np.ndarray:
    """All values, vector by vector (float64), through an array of Python's: NumPy would read text too."""
    try:
        return np.frombuffer(array("d", (value for vector in sparse_vecs for value in vector.values())))
    except TypeError:
        for row, vector in enumerate(sparse_vecs):
            for dim, value in vector.items():
                if as_numbers([value]) is None:
                    found = f"dimension {dim} has the value {value!r:.50}, of type {type(value).__name__}"
                    raise ValueError(f"vector {row}: {found}; needed a number") from None
        raise


def _whole(dim: object) -> int:
    try:
        number = index(dim)
    except TypeError:
        raise ValueError(
            f"dimension {dim!r} is not a whole number; a sparse vector is {{column: value}}"
        ) from None
    if abs(number) >= 2**63:
        raise ValueError(f"dimension {dim} is beyond every matrix; dimensions run from 0 to sparse_dim − 1")
    return number
