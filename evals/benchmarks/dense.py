"""How many texts per CPU-second NumPy, PyTorch and ONNX Runtime encode with the same weights, and in how much
memory.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt
    .venv/bin/python -m course weights all-MiniLM-L6-v2
    .venv/bin/python -m course weights splade-tiny
    .venv/bin/python evals/benchmarks/dense.py

writes `dense.json` and the table `dense.md` beside this file. Each tool goes from texts to vectors with its
own tokenizer, in 32 bits, on one thread, in batches sorted by length; they take turns in one process, and CPU
seconds are counted, which on a machine with other work say more than a clock does. Peak memory is that of a
process of its own, with libraries, weights and what `helpers` imports. ONNX Runtime computes the graph that
PyTorch exports. Texts are SciFact's where it is found, else of the runbooks. A measurement, no test.
"""

import argparse
import gc
import multiprocessing
import os
import random
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import distribution
from pathlib import Path
from statistics import median

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import numpy as np  # noqa: E402
import peak  # noqa: E402
from scipy.sparse import csr_matrix, vstack  # noqa: E402
from stored import machine, store  # noqa: E402
from tqdm import tqdm  # noqa: E402

from helpers.datasets import find_beir, load_beir, load_runbooks  # noqa: E402
from helpers.encoders import bert, find_weights, load_encoder  # noqa: E402

MAX_TOKENS = 256
BATCH = {"all-MiniLM-L6-v2": 32, "splade-tiny": 8}
"""Texts a batch; the logits of 8 texts of 256 tokens take 250 MB where they are computed together."""
MODELS = {"all-MiniLM-L6-v2": "dense", "splade-tiny": "sparse"}
NEEDED = {
    "NumPy": ["numpy", "scipy"],
    "PyTorch": ["numpy", "torch", "transformers", "tokenizers", "sympy", "networkx"],
    "ONNX Runtime": ["numpy", "onnxruntime", "tokenizers"],
}
"""The packages that a tool needs at run time, as far as they are large."""
DIFFERENCE = "largest difference to PyTorch"
Encode = Callable[[Sequence[str]], np.ndarray | csr_matrix]


def texts(n_documents: int, n_queries: int) -> tuple[str, dict[str, list[str]]]:
    """The collection's name, and some of its documents and queries: the first by their ids."""
    dataset = load_beir("scifact") if find_beir("scifact") else load_runbooks()
    documents = [dataset.corpus[doc_id] for doc_id in sorted(dataset.corpus)[:n_documents]]
    queries = [dataset.queries[query_id] for query_id in sorted(dataset.queries)[:n_queries]]
    return dataset.name, {"documents": documents, "queries": queries}


def numpy_encoder(model: str) -> Encode:
    encoder = load_encoder(find_weights(model), batch_size=BATCH[model], max_tokens=MAX_TOKENS)
    return encoder.encode_documents


def torch_encoder(model: str) -> Encode:
    import torch
    from transformers import AutoModel, AutoModelForMaskedLM

    torch.set_num_threads(1)
    kind = AutoModelForMaskedLM if MODELS[model] == "sparse" else AutoModel
    network = kind.from_pretrained(find_weights(model)).eval()

    def forward(ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            found = network(input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask))[0]
            return _pooled(torch, found, torch.from_numpy(mask), model).numpy()

    return _with_tokenizers(model, forward)


def _pooled(torch: object, found: object, mask: object, model: str) -> object:
    if MODELS[model] == "sparse":
        return torch.log1p(torch.relu((found * mask[:, :, None]).amax(1)))
    means = (found * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
    return torch.nn.functional.normalize(means)


def onnx_encoder(model: str) -> Encode:
    import onnxruntime

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        # In a process of its own, so that PyTorch's memory is not counted as ONNX Runtime's.
        _in_new_process(export, model, str(path))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(path.read_bytes(), options)

    def forward(ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return session.run(None, {"ids": ids, "mask": mask})[0]

    return _with_tokenizers(model, forward)


def export(model: str, path: str) -> None:
    """Writes the model, its pooling included, as an ONNX graph for any number and length of texts."""
    import torch
    from transformers import AutoModel, AutoModelForMaskedLM

    kind = AutoModelForMaskedLM if MODELS[model] == "sparse" else AutoModel

    class Pooled(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.network = kind.from_pretrained(find_weights(model), attn_implementation="eager").eval()

        def forward(self, ids, mask):
            return _pooled(torch, self.network(input_ids=ids, attention_mask=mask)[0], mask, model)

    example = torch.ones(2, 7, dtype=torch.long)
    axes = {"ids": {0: "texts", 1: "tokens"}, "mask": {0: "texts", 1: "tokens"}, "vectors": {0: "texts"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Pooled().eval(), (example, example), path, input_names=["ids", "mask"], output_names=["vectors"],
            dynamic_axes=axes, dynamo=False, opset_version=17,
        )  # fmt: skip


def _with_tokenizers(model: str, forward: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Encode:
    """From texts to vectors around a forward pass: the `tokenizers` package, batches sorted by length."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(find_weights(model) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)

    def encode(some: Sequence[str]) -> np.ndarray | csr_matrix:
        ids = [tokenizer.encode(text).ids for text in some]
        places, rows = [], []
        for batch, numbers, mask in _batches(ids, BATCH[model]):
            vectors = forward(numbers, mask)
            places.extend(batch)
            rows.append(csr_matrix(vectors) if MODELS[model] == "sparse" else vectors)
        back = np.argsort(places)
        return (vstack(rows).tocsr() if MODELS[model] == "sparse" else np.concatenate(rows))[back]

    return encode


def _batches(ids: list[list[int]], size: int) -> Iterator[tuple[list[int], np.ndarray, np.ndarray]]:
    order = sorted(range(len(ids)), key=lambda i: -len(ids[i]))
    for start in range(0, len(order), size):
        batch = order[start : start + size]
        longest = len(ids[batch[0]])
        mask = np.array([[1] * len(ids[i]) + [0] * (longest - len(ids[i])) for i in batch])
        yield batch, np.array([ids[i] + [0] * (longest - len(ids[i])) for i in batch]), mask


TOOLS = {"NumPy": numpy_encoder, "PyTorch": torch_encoder, "ONNX Runtime": onnx_encoder}


def speeds(model: str, some: Sequence[str], rounds: int, label: str) -> dict[str, dict]:
    """Of each tool texts per CPU-second (median, slowest and fastest round) and the distance to PyTorch's."""
    encoders = {name: make(model) for name, make in TOOLS.items()}
    vectors = {name: encode(some) for name, encode in encoders.items()}  # warms up
    taken: dict[str, list[float]] = {name: [] for name in TOOLS}
    for number in tqdm(range(rounds), desc=label, unit="round", disable=None):
        order = list(TOOLS)
        random.Random(number).shuffle(order)
        for name in order:
            gc.collect()
            started = time.process_time()
            encoders[name](some)
            taken[name].append(len(some) / (time.process_time() - started))
    beside = median(taken["PyTorch"])
    return {
        name: {
            "texts per CPU-second": median(taken[name]),
            "slowest": min(taken[name]),
            "fastest": max(taken[name]),
            "ratio to PyTorch": median(taken[name]) / beside,
            DIFFERENCE: float(abs(vectors[name] - vectors["PyTorch"]).max()),
        }
        for name in TOOLS
    }


def peak_mebibytes(model: str, tool: str, some: Sequence[str]) -> float:
    """The most that a new process held, from its start to the vectors."""
    return _in_new_process(_peak, model, tool, some)


def _peak(model: str, tool: str, some: Sequence[str]) -> float:
    encode = TOOLS[tool](model)
    encode(some)
    return peak.so_far() / 2**20


def _in_new_process(function: Callable, *arguments: object) -> object:
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned) as pool:  # such a process may have one of its own
        return pool.submit(function, *arguments).result()


def parts(model: str, some: Sequence[str]) -> dict[str, float]:
    """Where NumPy's CPU time goes: milliseconds a text by step of the forward pass."""
    encode, spent, running = numpy_encoder(model), {}, []
    steps = ("linear", "gelu", "softmax", "normalize")
    whole = {name: getattr(bert, name) for name in steps} | {"attend": bert.Bert._attend}

    def timed(name: str, function: Callable) -> Callable:
        def run(*given: object) -> object:
            started, inside = time.process_time(), len(running)
            running.append(0.0)
            result = function(*given)
            took = time.process_time() - started
            spent[name] = spent.get(name, 0.0) + took - running.pop()
            if inside:
                running[-1] += took  # is no own time of the step that called it
            return result

        return run

    try:
        for name in steps:
            setattr(bert, name, timed(name, whole[name]))
        bert.Bert._attend = timed("attend", whole["attend"])
        started = time.process_time()
        encode(some)
        total = time.process_time() - started
    finally:
        for name in steps:
            setattr(bert, name, whole[name])
        bert.Bert._attend = whole["attend"]
    names = {
        "linear": "matrix products with weights", "attend": "products of attention", "softmax": "softmax",
        "gelu": "GELU", "normalize": "layer normalisation",
    }  # fmt: skip
    found = {said: 1000 * spent.get(name, 0.0) / len(some) for name, said in names.items()}
    return found | {"tokens, embeddings, pooling, the rest": 1000 * total / len(some) - sum(found.values())}


def torch_parts(model: str, some: Sequence[str]) -> dict[str, float]:
    """The same of PyTorch: its CPU time, shared out as its profiler finds it."""
    from torch.profiler import ProfilerActivity, profile

    encode = torch_encoder(model)
    encode(some)
    started = time.process_time()
    encode(some)
    total = 1000 * (time.process_time() - started) / len(some)
    with profile(activities=[ProfilerActivity.CPU]) as watched:
        encode(some)
    whole = sum(row.self_cpu_time_total for row in watched.key_averages())
    names = {
        "aten::addmm": "matrix products with weights", "aten::mm": "matrix products with weights",
        "aten::_scaled_dot_product_flash_attention_for_cpu": "products of attention and softmax",
        "aten::gelu": "GELU", "aten::native_layer_norm": "layer normalisation",
    }  # fmt: skip
    found = dict.fromkeys(names.values(), 0.0)
    for row in watched.key_averages():
        if row.key in names:
            found[names[row.key]] += total * row.self_cpu_time_total / whole
    return found | {"tokens, embeddings, pooling, the rest": total - sum(found.values())}


def installed_mib(packages: Sequence[str]) -> float:
    """What the packages' files take on the disk."""
    found = [file.locate() for name in packages for file in distribution(name).files or []]
    return sum(path.stat().st_size for path in map(Path, found) if path.is_file()) / 2**20


def table(found: dict) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in found["machine"]["versions"].items())
    lines = [
        "# Encoders: speed, memory, and how equal they are",
        "",
        f"Texts of {found['collection']} to vectors, cut at {MAX_TOKENS} tokens, one thread, 32 bits, "
        "batches of 32 texts (all-MiniLM-L6-v2) or 8 (splade-tiny) sorted by length, each tool with its own "
        f"tokenizer. Median of {found['rounds']} rounds in turns after one that warms up, in CPU seconds. "
        "Peak memory is of a process of its own, with libraries and weights. On the disk are the packages "
        "that a tool needs, without weights (87 MiB and 17 MiB).",
        "",
        f"Measured on {found['machine']['cpus']} cores with Python {found['machine']['python']}: {versions}. "
        "Written by `dense.py`, which says how.",
        "",
        "| model | texts | tool | per CPU-second | slowest–fastest | ratio to PyTorch | peak memory, MiB | "
        "packages, MiB | largest difference to PyTorch |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for model, kinds in found["models"].items():
        for kind, tools in kinds.items():
            for tool, row in tools.items():
                memory = f"{row['peak MiB']:,.0f}" if "peak MiB" in row else ""
                cells = [model, f"{found['texts'][kind]} {kind}", tool]
                cells += [f"{row['texts per CPU-second']:.1f}", f"{row['slowest']:.1f}–{row['fastest']:.1f}"]
                cells += [f"{row['ratio to PyTorch']:.2f}", memory, f"{found['packages MiB'][tool]:,.0f}"]
                lines.append(f"| {' | '.join([*cells, f'{row[DIFFERENCE]:.1e}'])} |")
    lines += ["", "Where the CPU time of a document goes with all-MiniLM-L6-v2, in milliseconds:", ""]
    lines += ["| step | NumPy | PyTorch |", "|---|--:|--:|"]
    ours, theirs = found["milliseconds a document"]["NumPy"], found["milliseconds a document"]["PyTorch"]
    both = {**ours, **theirs}
    lines += [f"| {step} | {_number(ours, step)} | {_number(theirs, step)} |" for step in both]
    return "\n".join(lines) + "\n"


def _number(values: dict[str, float], key: str) -> str:
    return f"{values[key]:.1f}" if key in values else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=64)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    collection, some = texts(chosen.documents, chosen.queries)
    found: dict = {"collection": collection, "rounds": chosen.rounds, "models": {}}
    found["texts"] = {kind: len(listed) for kind, listed in some.items()}
    for model in MODELS:
        found["models"][model] = {
            kind: speeds(model, listed, chosen.rounds, f"{model}, {kind}") for kind, listed in some.items()
        }
        for tool, row in found["models"][model]["documents"].items():
            row["peak MiB"] = peak_mebibytes(model, tool, some["documents"])
    first = next(iter(MODELS))
    found["milliseconds a document"] = {
        "NumPy": parts(first, some["documents"]), "PyTorch": torch_parts(first, some["documents"])
    }  # fmt: skip
    found["packages MiB"] = {tool: installed_mib(packages) for tool, packages in NEEDED.items()}
    found["machine"] = machine(("numpy", "scipy", "torch", "transformers", "tokenizers", "onnxruntime"))
    store("dense", found, table(found))


if __name__ == "__main__":
    main()
