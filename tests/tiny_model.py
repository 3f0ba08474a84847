"""A model of the true file layout that is made in a moment: BERT of one layer, eight numbers a word piece."""

import json
from pathlib import Path

import numpy as np

from helpers.encoders import write_safetensors

WORDS = "[PAD] [UNK] [CLS] [SEP] cats dogs birds and sleep bark sing a b c ##s queue node drain".split()
WIDTH, WIDER = 8, 16


def write_model(folder: Path, sparse: bool = False, seed: int = 0) -> Path:
    """Writes config.json, vocab.txt and model.safetensors; `sparse` adds the head for masked words."""
    rng = np.random.default_rng(seed)
    parts = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
    dense = {f"encoder.layer.0.{part}": (WIDTH, WIDTH) for part in parts}
    dense["encoder.layer.0.intermediate.dense"] = WIDER, WIDTH
    dense["encoder.layer.0.output.dense"] = WIDTH, WIDER
    norms = ["embeddings.LayerNorm"] + [
        f"encoder.layer.0.{part}LayerNorm" for part in ("attention.output.", "output.")
    ]
    if sparse:
        dense["cls.predictions.transform.dense"] = WIDTH, WIDTH
        norms.append("cls.predictions.transform.LayerNorm")
    sizes = {"word": len(WORDS), "position": 32, "token_type": 2}
    tensors = {
        f"embeddings.{name}_embeddings.weight": rng.normal(size=(n, WIDTH)) for name, n in sizes.items()
    }
    tensors |= {f"{name}.weight": rng.normal(size=shape) for name, shape in dense.items()}
    tensors |= {f"{name}.bias": rng.normal(size=shape[0]) for name, shape in dense.items()}
    tensors |= {
        f"{name}.{part}": np.full(WIDTH, one) for name in norms for part, one in (("weight", 1), ("bias", 0))
    }
    if sparse:
        tensors["cls.predictions.bias"] = np.full(len(WORDS), -3.0)  # so that most weights are zero
    config = {
        "hidden_size": WIDTH,
        "intermediate_size": WIDER,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "max_position_embeddings": 32,
        "type_vocab_size": 2,
        "vocab_size": len(WORDS),
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "model_type": "bert",
    }
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    write_safetensors(
        {name: one.astype(np.float32) for name, one in tensors.items()}, folder / "model.safetensors"
    )
    return folder
