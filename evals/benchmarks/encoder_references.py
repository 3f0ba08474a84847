"""What the reference implementations give for 500 texts and two tiny models: makes `tests/data/encoders/`.

    .venv/bin/pip install -e ".[dense]"
    .venv/bin/python evals/benchmarks/encoder_references.py

`texts.json`: texts of every length and script, with their tokens by `tokenizers`, whole, cut at 64, and as
pairs, with the vocabulary of splade-tiny-cut. `splade_tiny_cut.npz`: PyTorch's SPLADE weights for them, and
mean vectors. `tiny_bert` and `tiny_cross_encoder`: random models written by the reference libraries, with
what PyTorch makes of made-up batches in `outputs.npz`. Tests compare ours without any of these libraries.
"""

import json
import random
from pathlib import Path

import numpy as np

from helpers.base import files

DATA = files.ROOT / "tests" / "data" / "encoders"
MODEL = files.BUNDLED_MODELS / "splade-tiny-cut"
SCRIPTS = {
    "latin": "node drain café naïve Ångström ﬁle straße İstanbul TCP/IP v1.28.3-rc.1 user@host.example $HOME",
    "greek and cyrillic": "ΑΣΣ ς όχι Ὀδυσσεύς Привет ёлка Й й",
    "right to left": "مرحبا بالعالم שָׁלוֹם ١٢٣ \u200fabc\u200e",
    "south and south-east asia": "हिन्दी में ক্ষ ไทยแลนด์ ភាសាខ្មែរ தமிழ்",
    "east asia": "東京都 日本語のテスト 한국어 각 简体字 繁體字 𠀀𪜀 豈 カタカナ ｆｕｌｌｗｉｄｔｈ",
    "emoji and signs": "👩‍👩‍👧 🎉 ✅ → ∑∫√ € £ ¥ © ½ ① ² ☎️ 🇩🇪 ‘quotes’ “double” … — –",
    "white space and control": "a\tb\r\nc\u00a0d\u3000e\x00f\ufffdg\x7fh\x85i\u200bj\u2028k \ufeff",
    "special tokens": "[CLS] [SEP] a[MASK]b [mask] [ SEP ] [[UNK]] [PAD][PAD] ##ing ## [MASK",
    "since Unicode 8": "a؝b ⹕x⹖ 𞤀𞥄 ᭽ 🫠 \U0001ebff ⿰ ꟊ \U00011938",
    "code": "kubectl get pods -n kube-system | grep -v Running && echo $? # 100%_done; x[i]=='\\n'",
}


def texts() -> list[str]:
    """500: odd ones by hand, jumbled words of all scripts, stretches of pages from one word to 600."""
    rng = random.Random(19)
    odd = [
        "",
        " ",
        "\n\t ",
        "a",
        ".",
        "é",
        "e\u0301",
        "東",
        "🎉",
        "x" * 100,
        "x" * 101,
        "é" * 101,
        "e\u0301" * 101,
    ]
    odd += ["日本語" * 60, "ing " * 300, "a-b_c/d.e" * 12, "0123456789" * 9, *SCRIPTS.values()]
    pages = [path.read_text(encoding="utf-8").split(" ") for path in sorted(files.RUNBOOKS.glob("*.md"))]
    lengths = [1, 2, 3, 5, 8, 13, 21, 34, 55] * 25 + [89] * 12 + [144] * 8 + [300] * 3 + [600] * 2
    stretches = []
    for length in lengths:
        page = rng.choice([page for page in pages if len(page) >= min(length, 400)])
        start = rng.randrange(max(1, len(page) - length))
        stretches.append(" ".join(page[start : start + length]))
    words = [word for text in SCRIPTS.values() for word in text.split(" ")]
    while len(odd) + len(stretches) < 500:
        odd.append(
            "".join(
                rng.choice(words) + rng.choice(["", " ", " ", "  "]) for _ in range(rng.choice([2, 5, 15]))
            )
        )
    return odd + stretches


def reference_tokenizer(vocabulary: list[str]):
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

    numbers = {piece: number for number, piece in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [("[SEP]", numbers["[SEP]"]), ("[CLS]", numbers["[CLS]"])]
    tokenizer.post_processor = processors.BertProcessing(*ends)
    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return tokenizer


def tokens(some: list[str]) -> dict:
    """Numbers of the pieces: whole, cut at 64, and of pairs with their types, cut at several lengths."""
    tokenizer = reference_tokenizer((MODEL / "vocab.txt").read_text(encoding="utf-8").split("\n")[:-1])
    whole = [tokenizer.encode(text).ids for text in some]
    tokenizer.enable_truncation(64)
    cut = [tokenizer.encode(text).ids for text in some]
    pairs = []
    for number in range(0, len(some), 5):
        most = (3, 4, 7, 16, 33, 128)[number % 6]
        tokenizer.enable_truncation(most)
        pair = tokenizer.encode(some[number], some[number - 1])
        pairs.append(
            {
                "first": number,
                "second": number - 1,
                "max_tokens": most,
                "ids": pair.ids,
                "types": pair.type_ids,
            }
        )
    return {"texts": some, "ids": whole, "cut at 64": cut, "pairs": pairs}


def splade(ids: list[list[int]]) -> dict[str, np.ndarray]:
    """Weights (as CSR parts) and mean vectors of length 1 by PyTorch, text by text, cut at 512."""
    import torch
    from transformers import BertForMaskedLM

    model = BertForMaskedLM.from_pretrained(MODEL, dtype=torch.float32).eval()
    rows, means = [], []
    with torch.inference_mode():
        for numbers in ids:
            numbers = numbers if len(numbers) <= 512 else [*numbers[:511], numbers[-1]]
            found = model(torch.tensor([numbers]), output_hidden_states=True)
            rows.append(torch.log1p(torch.relu(found.logits)).amax(1)[0].numpy())
            means.append(torch.nn.functional.normalize(found.hidden_states[-1].mean(1))[0].numpy())
    terms = [np.flatnonzero(row) for row in rows]
    return {
        "indptr": np.cumsum([0, *map(len, terms)]).astype(np.int32),
        "indices": np.concatenate(terms).astype(np.uint16),
        "data": np.concatenate([row[some] for row, some in zip(rows, terms, strict=True)]),
        "means": np.array(means),
    }


def tiny_models() -> dict[str, np.ndarray]:
    """Writes two random models as the reference libraries do, and gives what PyTorch makes of a batch."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel

    torch.manual_seed(19)
    vocabulary = "[PAD] [UNK] [CLS] [SEP] [MASK] pod node queue ##s drain is the a . , ##ed".split()
    shape = {"hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 40}
    config = BertConfig(
        vocab_size=len(vocabulary), max_position_embeddings=40, initializer_range=0.4, **shape
    )
    config.num_labels = 1
    ids = torch.randint(5, len(vocabulary), (7, 33))
    mask = (torch.arange(33) < torch.tensor([33, 30, 17, 16, 5, 2, 1])[:, None]).long()
    types = (torch.arange(33) > 3).long().expand(7, 33)
    out = {"ids": ids.numpy(), "mask": mask.numpy(), "types": types.numpy()}
    with torch.inference_mode():
        for name, kind in {
            "tiny_bert": BertModel,
            "tiny_cross_encoder": BertForSequenceClassification,
        }.items():
            model = kind(config).eval()
            for parameter in model.parameters():  # biases and norms too, which begin as zeros and ones
                parameter.add_(torch.randn_like(parameter) * 0.1)
            model.save_pretrained(DATA / name)
            (DATA / name / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
            found = model(ids, attention_mask=mask, token_type_ids=types)
            out[name] = (
                found.logits[:, 0] if name == "tiny_cross_encoder" else found.last_hidden_state
            ).numpy()
    return out


def main() -> None:
    DATA.mkdir(parents=True, exist_ok=True)
    found = tokens(texts())
    lines = json.dumps(found, ensure_ascii=True, separators=(",", ":"))
    (DATA / "texts.json").write_text(lines + "\n", encoding="utf-8")
    np.savez_compressed(DATA / "splade_tiny_cut.npz", **splade(found["ids"]))
    np.savez_compressed(DATA / "outputs.npz", **tiny_models())
    for path in sorted(Path(DATA).rglob("*.*")):
        print(f"{path.relative_to(DATA)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
