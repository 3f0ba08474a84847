"""Encoders, file by file in the order in which a text becomes a vector: `wordpiece` cuts it into the pieces
that a model knows, `safetensors` reads the model's weights, `settings` the small files beside them, `bert` is
the forward pass, `pooling` makes one vector of many, `encode` does all of it in batches; `models` knows
models by name, `downloads` gets them.
"""

from helpers.base import name_wrong_types
from helpers.encoders import pooling
from helpers.encoders.asking import (
    as_numbers,
    as_rows,
    as_texts,
    check_16_bits,
    encoded,
    model_fingerprint,
    model_name,
    model_similarity,
)
from helpers.encoders.bert import Bert
from helpers.encoders.encode import CrossEncoder, DenseEncoder, SparseEncoder, load_encoder
from helpers.encoders.kept import kept_vectors, load_vectors
from helpers.encoders.known import (
    BUNDLED_MODEL,
    KnownVectors,
    UnknownText,
    bundled_model,
    bundled_vectors,
    read_known,
    text_keys,
    write_known,
)
from helpers.encoders.models import (
    CATALOGUE,
    ModelCard,
    card_lines,
    find_weights,
    model_card,
    models_table,
    obtain_weights,
    where_from,
)
from helpers.encoders.safetensors import read_safetensors, write_safetensors
from helpers.encoders.wordpiece import WordPiece

name_wrong_types(globals())
