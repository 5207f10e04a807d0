"""Each rule between fields or files: one breach, one finding, with its message, its mend and its line."""

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from catalog.load import check
from tests.catalog.sample import FILES, TODAY, write

A1, B2 = "accelerators/card-a1", "accelerators/card-b2"
DENSE, EXPERTS, HYBRID, SLIDING = "models/dense-7b", "models/experts-20b", "models/hybrid-8b", "models/sliding-4b"
HOUR, BUY = "offers/shop-a1-hour", "offers/shop-a1-buy"
RATE, CLAIMS = "exchange_rates/usd-cny-2026-11-27", "claims/shop-table"
FACT = "unit: TFLOPS, source: maker-page, read: 2026-11-30, kind: datasheet"


@dataclass(frozen=True)
class Breach:
    """`old` becomes `new` in `file` (or `new` is a whole new file, where `old` is empty). `at`: on the blamed line."""

    cause: str
    file: str
    old: str
    new: str
    at: str
    message: str
    mend: str


def _peak(precision: str, rate: float, *, sparse: bool = False, accumulate: str = "fp32", unit: str = "TFLOPS") -> str:
    flag = str(sparse).lower()
    fact = FACT.replace("TFLOPS", unit)
    return (
        f"  - {{precision: {precision}, sparse: {flag}, accumulate: {accumulate}, rate: {{value: {rate}, {fact}}}}}\nreleased: "
    )


def _extra(name: str, **changes: str) -> str:
    """A further file: a sample file under another id, with fields changed."""
    lines = dedent(FILES[name]).splitlines()
    return "\n".join(f"{key}: {changes[key]}" if (key := line.partition(":")[0]) in changes else line for line in lines) + "\n"


BREACHES = (
    # references and origin
    Breach("unknown source, nearly right", A1, "GB, source: maker-page", "GB, source: makers-page", "memory: {", "`memory.source` makers-page has no file", "Did you mean `maker-page`?"),
    Breach("unknown source", A1, "GB, source: maker-page", "GB, source: zzz", "memory: {", "zzz has no file in catalog/sources/", "Add catalog/sources/zzz.yaml"),
    Breach("unknown source of another value", A1, "source: shop, read: 2026-11-29", "source: zzz, read: 2026-11-29", "- {value: 700", "`memory_bandwidth.others[1].source` zzz has no file", "Add catalog/sources/zzz.yaml"),
    Breach("unknown accelerator", "servers/box-8", "accelerator: card-a1", "accelerator: card-a2", "accelerator: card", "`accelerator` card-a2 has no file in catalog/accelerators/", "Did you mean `card-"),
    Breach("claim about an unknown accelerator", CLAIMS, "accelerator: card-b2", "accelerator: gpu-x", "gpu-x", "`rows[2].accelerator` gpu-x has no file", "Add catalog/accelerators/gpu-x.yaml"),
    Breach("unused source", "sources/spare", "", "id: spare\ntitle: T\npublisher: P\nurl: https://example.org/x\n", "id: spare", "no value cites the source spare", "delete the file"),
    Breach("source without address", "sources/shop", "url: https://shop.example.com/prices?card=a1\n", "", "id: shop", "the source shop has no `url`", "write `unlocated: true`"),
    Breach("unlocated source with address", "sources/seen-once", "unlocated: true", "unlocated: true\nurl: https://example.net/a", "unlocated: true", "is marked `unlocated`, but has a `url`", "Delete `unlocated`"),
    Breach("one page as two sources", "sources/shop", "https://shop.example.com/prices?card=a1", "https://example.com/cards/a1", "url:", "`url` is the address of the source maker-page too", "Cite maker-page"),
    Breach("unlocated fact as confirmed", A1, "kind: quoted, confirmed: false", "kind: quoted", "street_price:", "`street_price` comes from seen-once, whose page was not located", "Add `confirmed: false`"),
    Breach("unlocated record as confirmed", HOUR, "source: shop", "source: seen-once", "source: seen-once", "this record comes from seen-once", "Add `confirmed: false`"),
    Breach("disagreement without reason", A1, "  why: the maker's own page\n", "", "- {value: 700", "`memory_bandwidth` is 900, but shop says 700: more than 5% apart", "Add `why:`"),
    # names
    Breach("name taken", B2, "name: Card B2", "name: card  a1", "name:", "`name` card  a1 is taken by card-a1", "Say in the name what sets it apart"),
    Breach("model's name taken", HYBRID, "name: Hybrid 8B", "name: Dense 7B", "name:", "`name` Dense 7B is taken by dense-7b", "merge it into dense-7b"),
    Breach("alias is its own name", A1, "[A1, A1 24G]", "[card-a1]", "aliases:", "the alias card-a1 is the card's own name", "Delete the alias"),
    Breach("alias is another's name", A1, "[A1, A1 24G]", "[A1, Card B2]", "aliases:", "the alias Card B2 already leads to card-b2", "what sets it apart"),
    Breach("alias is another's alias", B2, "form_factor: SXM", "form_factor: SXM\naliases: [a1]", "aliases:", "the alias a1 already leads to card-a1", "memory size"),
    # hardware
    Breach("modified with warranty", A1, "[modified, no-vendor-warranty]", "[modified]", "flags:", "`modified` without `no-vendor-warranty`", "Add `no-vendor-warranty`"),
    Breach("two peaks on one basis", A1, "released: ", _peak("fp8", 190), "- {precision: fp8", "peaks 3 and 4 stand on one basis: fp8 dense matrix, accumulator fp32", "move the other's value to its `others`"),
    Breach("sparse below dense", A1, f"value: 200, {FACT}", f"value: 50, {FACT}", "value: 50", "the sparse bf16 peak 50 is below the dense one, 100", "Swap the two"),
    Breach("sparse gains too much", A1, f"value: 200, {FACT}", f"value: 400, {FACT}", "value: 400", "the sparse bf16 peak 400 is more than twice the dense one, 100", "one accumulator"),
    Breach("narrower format slower", A1, "released: ", _peak("fp4", 100), "precision: fp4", "the dense fp4 peak 100 is below the fp8 one, 200", "a narrower format is never slower"),
    Breach("shorter accumulator slower", A1, "released: ", _peak("bf16", 50, accumulate="fp16"), "accumulate: fp16", "accumulates in fp16, 50, is below the fp32 one, 100", "Swap the two accumulators"),
    Breach("integer peak in TFLOPS", A1, "released: ", _peak("int8", 200, accumulate="int32"), "precision: int8", "`peaks[4].rate` of int8 is in TFLOPS, not in TOPS", "Write `unit: TOPS`"),
    Breach("floating peak in TOPS", A1, "released: ", _peak("fp4", 400, unit="TOPS"), "precision: fp4", "`peaks[4].rate` of fp4 is in TOPS, not in TFLOPS", "Write `unit: TFLOPS`"),
    Breach("integer peak with floating accumulator", A1, "released: ", _peak("int8", 200, unit="TOPS"), "precision: int8", "accumulate` fp32 does not go with int8", "Write int32, or unstated"),
    Breach("floating peak with integer accumulator", A1, "released: ", _peak("fp16", 100, accumulate="int32"), "precision: fp16", "accumulate` int32 does not go with fp16", "Write fp32 or fp16, or unstated"),
    Breach("accumulator stated by nobody", A1, "accumulate: fp32", "accumulate: unstated\n    accumulate_source: maker-page", "accumulate_source", "`peaks[1].accumulate_source` maker-page states an accumulator, `accumulate` is unstated", "Write the accumulator that it states"),
    Breach("server below its cards", "servers/box-8", "value: 4.5", "value: 1.5", "power:", "`power` 1.5 kW is below the board power of 8 Card A1, 2.4 kW", "typical instead of largest"),
    # architectures
    Breach("experts in part", EXPERTS, "  moe_intermediate_size: 1408\n", "", "num_experts: 64", "mixture of experts: `num_experts`, `num_experts_per_tok` without `moe_intermediate_size`", "Copy moe_intermediate_size"),
    Breach("more experts visited than there are", EXPERTS, "num_experts_per_tok: 6", "num_experts_per_tok: 65", "num_experts_per_tok: 65", "`num_experts_per_tok` 65 is above `num_experts` 64", "swapped"),
    Breach("latent attention in part", EXPERTS, "  v_head_dim: 128\n", "", "kv_lora_rank", "latent attention (MLA):", "Copy v_head_dim from config.json"),
    Breach("window without layers", SLIDING, "  sliding_layers: 29\n", "", "sliding_window", "sliding window: `sliding_window` without `sliding_layers`", "or delete sliding_window"),
    Breach("linear attention in part", HYBRID, "  linear_conv_kernel_dim: 4\n", "", "linear_layers", "without `linear_conv_kernel_dim`", "Copy linear_conv_kernel_dim"),
    Breach("shared experts without experts", DENSE, "  intermediate_size", "  n_shared_experts: 1\n  intermediate_size", "n_shared_experts", "`n_shared_experts` has no effect without `num_experts`", "Add `num_experts`"),
    Breach("compressed query without latent", DENSE, "  intermediate_size", "  q_lora_rank: 1536\n  intermediate_size", "q_lora_rank", "no effect without `kv_lora_rank`", "delete `q_lora_rank`"),
    Breach("no heads", DENSE, "  num_attention_heads: 32\n  num_key_value_heads: 8\n", "", "architecture:", "`num_attention_heads` is missing", "Copy it from config.json"),
    Breach("heads do not divide", DENSE, "num_key_value_heads: 8", "num_key_value_heads: 7", "num_key_value_heads", "`num_key_value_heads` 7 does not divide `num_attention_heads` 32", "Check both"),
    Breach("head width unknown", DENSE, "hidden_size: 4096", "hidden_size: 4100", "hidden_size", "4100 is not a multiple of `num_attention_heads` 32", "Copy `head_dim`"),
    Breach("linear heads do not divide", HYBRID, "linear_num_value_heads: 32", "linear_num_value_heads: 24", "linear_num_value_heads", "24 is not a multiple of 16 key heads", "swapped"),
    Breach("too many sliding layers", SLIDING, "sliding_layers: 29", "sliding_layers: 40", "sliding_layers", "`sliding_layers` 40 + `linear_layers` 0 > `num_hidden_layers` 34", "full-attention layers are the rest"),
    Breach("all layers dense", EXPERTS, "first_k_dense_replace: 1", "first_k_dense_replace: 24", "first_k_dense_replace", "`first_k_dense_replace` 24 leaves none", "Check both counts"),
    Breach("shared KV beyond the layers", SLIDING, "  sliding_window", "  num_kv_shared_layers: 10\n  sliding_kv_shared_layers: 11\n  sliding_window", "sliding_kv_shared_layers", "`sliding_kv_shared_layers` 11 is above", "Count the sliding layers"),
    Breach("no FFN width", DENSE, "  intermediate_size: 11008\n", "", "architecture:", "`intermediate_size` is missing: the dense layers", "Copy it"),
    Breach("no FFN width of leading layers", EXPERTS, "  intermediate_size: 8192\n", "", "architecture:", "the leading dense layers have an FFN", "Copy it"),
    Breach("GPT-2 without positions", DENSE, "  intermediate_size", "  family: gpt2\n  intermediate_size", "family", "`family: gpt2` without `n_positions`", "Add `n_positions`"),
    Breach("positions of no GPT-2", DENSE, "  intermediate_size", "  n_positions: 1024\n  intermediate_size", "n_positions", "`n_positions` only counts for `family: gpt2`", "Delete it"),
    # prices
    Breach("price after it was read", HOUR, "date: 2026-07", "date: 2026-12", "date:", "`date` 2026-12 lies after `read` 2026-11-30", "read then or later"),
    Breach("once without purchase", HOUR, "per: hour", "per: once", "per:", "`per: once` with `commitment: on-demand`", "Write `commitment: purchase`"),
    Breach("purchase by the hour", BUY, "per: once", "per: hour", "per:", "`commitment: purchase` with `per: hour`", "Write `per: once`"),
    Breach("price of one as of the whole", HOUR, "amount: 40", "amount: 0.2", "amount:", "`amount` 0.2 CNY makes 0.025 an accelerator and hour, outside 0.05 to 1500", "`accelerator_count`"),
    Breach("monthly price by the hour", HOUR, "amount: 40", "amount: 40000", "amount:", "makes 5000 an accelerator and hour", "`per` and `currency`"),
    Breach("purchase for nothing", BUY, "amount: 1500", "amount: 15", "amount:", "`amount` 15 USD makes 15 an accelerator, outside 20", "decimal point"),
    Breach("offer twice", "offers/shop-again", "", _extra(HOUR, id="shop-again", amount="41"), "id: shop-again", "this offer repeats shop-a1-hour", "Delete one"),
    Breach("one currency", RATE, "quote: CNY", "quote: USD", "quote:", "`base` and `quote` are both USD", "Name the two"),
    Breach("rate the wrong way round", RATE, "rate: 7.1", "rate: 0.1408", "rate:", "puts the dollar at 0.1408 yuan, outside 4 to 12", "swap `base` and `quote`"),
    Breach("rate twice", "exchange_rates/usd-cny-again", "", _extra(RATE, id="usd-cny-again", rate="7.09"), "date:", "usd-cny-2026-11-27 already gives the rate of USD and CNY on 2026-11-27", "one rate a day"),
    Breach("claim without price", CLAIMS, "hourly: 20, month_8: 60000", "rating: good", "card-b2", "row 2, B2, has no price", "Add the price"),
    Breach("claim twice", CLAIMS, "accelerator: card-b2, label: B2", "accelerator: card-a1, label: A1", "hourly: 20", "row 2 repeats the row A1", "Delete one"),
)  # fmt: skip


@pytest.mark.parametrize("breach", BREACHES, ids=lambda b: b.cause)
def test_breach(tmp_path: Path, breach: Breach) -> None:
    root = write(tmp_path)
    file = root / f"{breach.file}.yaml"
    text = dedent(FILES[breach.file]) if breach.old else breach.new
    if breach.old:
        assert breach.old in text, "the sample no longer has what this case edits"
        text = text.replace(breach.old, breach.new, 1)
    file.write_text(text, encoding="utf-8")
    found = check(root, TODAY)
    line = next(i for i, line in enumerate(text.splitlines(), 1) if breach.at in line)
    expected = [(file.as_posix(), line, True, True)]
    assert [(p.path, p.line, breach.message in p.message, breach.mend in p.mend) for p in found] == expected, found


def test_each_rule_has_a_message_and_a_mend_of_its_own() -> None:
    assert len({b.cause for b in BREACHES}) == len(BREACHES) >= 40
    assert len({b.message for b in BREACHES}) == len(BREACHES)


def test_a_rate_may_be_recorded_in_either_direction(tmp_path: Path) -> None:
    root = write(tmp_path)
    file = root / f"{RATE}.yaml"
    text = file.read_text(encoding="utf-8").replace("base: USD", "base: CNY").replace("quote: CNY", "quote: USD")
    file.write_text(text.replace("rate: 7.1", "rate: 0.1408"), encoding="utf-8")
    assert check(root, TODAY) == []


def test_sources_within_five_per_cent_need_no_reason(tmp_path: Path) -> None:
    root = write(tmp_path)
    file = root / f"{A1}.yaml"
    text = file.read_text(encoding="utf-8").replace("value: 700", "value: 860").replace("  why: the maker's own page\n", "")
    file.write_text(text, encoding="utf-8")
    assert check(root, TODAY) == []
