"""What the catalog knows, as frozen records.

In: plain data (dicts and lists, from YAML by `catalog.load`, or from the compiled JSON in a browser).
Out: one immutable `Catalog`, indexed by id. Standard library only: the same bytes run in CPython, in the
command line, in the tests and in the reader's browser.

Every field's `Rule` (unit, range, reference, choices, meaning) is written here once; the loader's checks, the JSON
Schema and the contributor's tables derive from it. Unknown is absent (`None` or an empty tuple), never 0.
"""

import json
from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin

from catalog.diffusion import DiffusionComponent, DiffusionModel
from catalog.fact import FACT_KINDS, Fact, Observation, Rule, known
from catalog.region import Region

__all__ = ["FACT_KINDS", "Fact", "Observation", "Rule"]

PRECISIONS = ("fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "fp6", "fp4", "int8", "int4")
ACCUMULATORS = ("fp32", "fp16", "int32", "unstated")
COMMITMENTS = ("on-demand", "spot", "day", "month", "1-year", "3-year", "purchase")
TAX = ("included", "excluded", "not-stated")
CURRENCIES = ("CNY", "USD")
FLAGS = (
    "no-vendor-warranty",
    "modified",
    "export-controlled",
    "cloud-only",
    "sub-model-unknown",
    "discontinued",
    "domestic-cn",
)


@dataclass(frozen=True, slots=True)
class Peak:
    """A compute peak: meaningless without precision, sparsity and accumulator."""

    precision: str = known("number format of the inputs", choices=PRECISIONS)
    sparse: bool = known("true: only reached with 2:4 structured sparsity")
    accumulate: str = known("accumulator of the products", choices=ACCUMULATORS)
    rate: Fact = known("operations a second", units=("TFLOPS", "TOPS"), low=0.1, high=40000)
    matrix: bool = known("false: vector units, not tensor/matrix units", True)
    accumulate_source: str = known(
        "who states the accumulator, where that is not the source of the rate", "", refers_to="sources"
    )


@dataclass(frozen=True, slots=True)
class Source:
    """Who says so."""

    id: str = known("file name without .yaml")
    title: str = known("title of the page or file")
    publisher: str = known("who publishes it")
    url: str = known("public address; empty only when `unlocated` is true", "", url=True)
    unlocated: bool = known("true: read once, but no public address was recorded; every value of it is unconfirmed", False)
    published: str = known("date or year of the source, as it says", "")
    licence: str = known("licence of the data, where stated", "")
    note: str = known("what kind of source it is and how far to trust it", "")


@dataclass(frozen=True, slots=True)
class Accelerator:
    """A GPU, NPU or TPU: one product that can be rented or bought."""

    id: str = known("file name without .yaml")
    name: str = known("the maker's name of it")
    vendor: str = known("who makes it")
    ecosystem: str = known("software stack: CUDA, ROCm, CANN …")
    form_factor: str = known("PCIe, SXM5, OAM …")
    memory: Fact = known("memory on the card", units=("GB", "GiB"), low=0.1, high=1024)
    name_zh: str = known("Chinese name, where it differs", "")
    memory_type: str = known("HBM3, GDDR6X …", "")
    memory_bandwidth: Fact | None = known("memory bandwidth", None, units=("GB/s",), low=50, high=100000)
    power: Fact | None = known("board power limit", None, units=("W",), low=10, high=3000)
    peaks: tuple[Peak, ...] = known("compute peaks", ())
    interconnect: str = known("card-to-card and host links, as text", "")
    link_bandwidth: Fact | None = known(
        "card-to-card bandwidth, both directions together", None, units=("GB/s",), low=1, high=10000
    )
    launch_price: Fact | None = known("maker's price at launch", None, units=CURRENCIES, low=10, high=1_000_000)
    street_price: Fact | None = known("dealers' price, new or used as noted", None, units=CURRENCIES, low=10, high=1_000_000)
    released: str = known("YYYY, YYYY-MM or YYYY-MM-DD", "", partial_date=True)
    flags: tuple[str, ...] = known("what a buyer must be warned of", (), choices=FLAGS)
    aliases: tuple[str, ...] = known("other names that readers type", ())
    note: str = known("remarks, English", "")
    note_zh: str = known("remarks, Chinese", "")

    def peak(self, precision: str = "bf16", *, sparse: bool = False, accumulate: str = "fp32") -> Peak | None:
        """The matrix peak on one stated basis, or None. `unstated` accumulators count as FP32 only as a last resort."""
        found = [p for p in self.peaks if p.precision == precision and p.sparse == sparse and p.matrix]
        for wanted in (accumulate, "unstated"):
            for p in found:
                if p.accumulate == wanted:
                    return p
        return None


@dataclass(frozen=True, slots=True)
class Architecture:
    """The numbers of a transformer's `config.json` that decide its memory, under their usual names.

    Counts are integers; 0 or None = this part is absent. Layers of different kinds are counted, not listed:
    `num_hidden_layers` = full-attention + `sliding_layers` + `linear_layers` (+ layers that share another's KV).
    """

    hidden_size: int = known("width of the residual stream", low=16, high=65536)
    num_hidden_layers: int = known("transformer blocks", low=1, high=1000)
    vocab_size: int = known("rows of the embedding table", low=16, high=2_000_000)
    num_attention_heads: int = known("query heads", 0, low=1, high=1024)
    num_key_value_heads: int = known("key/value heads; equal to query heads for MHA, 1 for MQA", 0, low=1, high=1024)
    head_dim: int = known("width of a head; default hidden_size / num_attention_heads", 0, low=8, high=1024)
    intermediate_size: int = known("FFN width of dense layers", 0, low=16, high=1_000_000)
    tie_word_embeddings: bool = known("the head reuses the embedding table", False)
    attention_bias: bool = known("biases on q, k and v", False)
    attention_out_bias: bool = known("bias on the attention output", False)
    qk_norm: str = known("norm on queries and keys: per head, or over the full width", "", choices=("", "head", "full"))
    attention_sinks: bool = known("one learned sink per query head (gpt-oss)", False)
    norms_per_layer: int = known(
        "norms of hidden width per block; 1 where attention and FFN stand in parallel", 2, low=0, high=8
    )
    norm_bias: bool = known("norms carry a bias (LayerNorm)", False)
    embedding_norm: bool = known("a norm right after the embedding (BERT, BLOOM)", False)
    no_final_norm: bool = known("no norm before the head (BERT)", False)
    mlp_plain: bool = known("FFN without a gate: up and down only, dense and in experts", False)
    mlp_bias: bool = known("biases in the dense FFN", False)
    lm_head_bias: bool = known("bias on the head", False)
    rotary_inv_freq_saved: bool = known("the checkpoint stores rotary inv_freq buffers (Llama 2)", False)
    rope_freqs: int = known("rope factor tensor length in GGUF files (Llama 3.1: 64)", 0, low=0, high=4096)
    # mixture of experts
    num_experts: int = known("routed experts per MoE layer", 0, low=0, high=4096)
    num_experts_per_tok: int = known("experts that each token visits", 0, low=0, high=128)
    moe_intermediate_size: int = known("FFN width of one routed expert", 0, low=0, high=65536)
    n_shared_experts: int = known("experts that every token visits", 0, low=0, high=64)
    shared_expert_intermediate_size: int = known(
        "FFN width of a shared expert, if not moe_intermediate_size", 0, low=0, high=65536
    )
    shared_expert_gate: bool = known("a learned gate on the shared expert", False)
    router_bias: bool = known("one correction bias per expert", False)
    expert_bias: bool = known("biases inside experts and on the router (gpt-oss)", False)
    first_k_dense_replace: int = known("leading layers that stay dense", 0, low=0, high=1000)
    dense_beside_experts: bool = known("a dense FFN beside the experts of each MoE layer (Gemma 4)", False)
    moe_latent_size: int = known("width that experts work in, where it is not hidden_size (Nemotron 3)", 0, low=0, high=65536)
    # multi-head latent attention
    kv_lora_rank: int = known("width of the MLA latent", 0, low=0, high=8192)
    q_lora_rank: int = known("width of the compressed query; 0 = not compressed", 0, low=0, high=16384)
    qk_nope_head_dim: int = known("MLA key width without position", 0, low=0, high=1024)
    qk_rope_head_dim: int = known("MLA key width with position", 0, low=0, high=1024)
    v_head_dim: int = known("MLA value width", 0, low=0, high=1024)
    index_n_heads: int = known("heads of the sparse-attention indexer (DeepSeek-V3.2)", 0, low=0, high=1024)
    index_head_dim: int = known("width of an indexer head", 0, low=0, high=1024)
    index_layers: int = known("layers with an indexer of their own, if not all", 0, low=0, high=1000)
    # sliding window and layers that differ
    sliding_window: int = known("window of the sliding layers, tokens", 0, low=0, high=1_000_000)
    sliding_layers: int = known("how many layers slide", 0, low=0, high=1000)
    num_kv_shared_layers: int = known("last layers that reuse an earlier layer's KV (Gemma 3n/4)", 0, low=0, high=1000)
    sliding_kv_shared_layers: int = known("how many of those slide", 0, low=0, high=1000)
    global_head_dim: int = known("head width of full-attention layers where it differs (Gemma 4)", 0, low=0, high=1024)
    num_global_key_value_heads: int = known("KV heads of full-attention layers where they differ", 0, low=0, high=1024)
    global_k_is_v: bool = known("full-attention layers store one tensor as K and V", False)
    sliding_sinks: bool = known("sinks on the sliding layers only", False)
    layer_pattern: str = known(
        "kinds of the layers in order, two letters each, a period is repeated: attention f(ull) s(liding) l(inear) n(one), "
        "then FFN d(ense) m(oE) n(one)",
        "",
    )
    attention_free_layers: int = known("layers with neither attention nor a recurrent state", 0, low=0, high=1000)
    # linear attention: Gated DeltaNet, unless linear_kind names another
    linear_kind: str = known(
        "what a linear layer is; empty: Gated DeltaNet", "", choices=("", "mamba1", "mamba2", "short_conv", "kda", "lightning")
    )
    linear_dt_rank: int = known("width of Mamba-1's time-step projection", 0, low=0, high=65536)
    linear_dt_norm: bool = known("norms on Mamba-1's time step, B and C (Jamba)", False)
    linear_bias: bool = known("biases on a linear layer's projections", False)
    linear_conv_bias: bool = known("bias on the short convolution", False)
    linear_layers: int = known("layers with a recurrent state instead of a KV cache", 0, low=0, high=1000)
    linear_num_key_heads: int = known("key heads of a linear layer", 0, low=0, high=1024)
    linear_key_head_dim: int = known("key width of a linear layer", 0, low=0, high=1024)
    linear_num_value_heads: int = known("value heads of a linear layer", 0, low=0, high=65536)
    linear_value_head_dim: int = known("value width of a linear layer", 0, low=0, high=1024)
    linear_conv_kernel_dim: int = known("short convolution of a linear layer", 0, low=0, high=64)
    attention_output_gate: bool = known("a gate as wide as the queries, from the same projection (Qwen3-Next)", False)
    # further parts
    num_nextn_predict_layers: int = known("multi-token-prediction modules in the file", 0, low=0, high=16)
    mtp_own_embedding: bool = known("each such module stores its own embedding and head", False)
    vision_tower: str = known("vision encoder in the same checkpoint", "", choices=("", "siglip896"))
    family: str = known("classic block shapes with their own count", "", choices=("", "gpt2", "bloom", "neox"))
    n_positions: int = known("learned positions (GPT-2, BERT)", 0, low=0, high=1_000_000)
    token_types: int = known("rows of the token-type table (BERT)", 0, low=0, high=1024)
    headless: bool = known("no head: the checkpoint ends with the last hidden state", False)
    encoder: bool = known("bidirectional: no KV cache (embedding models, rerankers)", False)
    vision_parameters: int = known("vision tower and projector, counted from their config", 0, low=0, high=10**12)
    audio_parameters: int = known("audio tower and projector, counted from their config", 0, low=0, high=10**12)
    other_parameters: int = known("parts with no group of their own: poolers, scalars, classifiers", 0, low=0, high=10**12)
    max_position_embeddings: int = known("longest context that the config states, tokens", 0, low=0, high=100_000_000)

    @property
    def kv_heads(self) -> int:
        """Key/value heads, equal to query heads where the config names none."""
        return self.num_key_value_heads or self.num_attention_heads

    @property
    def head_width(self) -> int:
        """`head_dim` when the config has it, else hidden_size / heads. Never derived any other way."""
        return self.head_dim or (self.hidden_size // self.num_attention_heads if self.num_attention_heads else 0)

    @property
    def attention(self) -> str:
        """The kind of attention in the field's words: hybrid, MLA, SWA, MHA, MQA or GQA."""
        if self.linear_layers:
            return "hybrid"
        if self.kv_lora_rank:
            return "MLA"
        if self.sliding_layers:
            return "SWA"
        if self.kv_heads == self.num_attention_heads:
            return "MHA"
        return "MQA" if self.kv_heads == 1 else "GQA"


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """An open-weight language model."""

    id: str = known("file name without .yaml")
    name: str = known("the publisher's name of it")
    publisher: str = known("who published it")
    architecture: Architecture = known("the numbers of its config.json")
    source: str = known("where the config was read: id in catalog/sources/", refers_to="sources")
    read: str = known("the day it was read", date=True)
    url: str = known("the model's public page", "", url=True)
    licence: str = known("licence of the weights", "")
    released: str = known("YYYY, YYYY-MM or YYYY-MM-DD", "", partial_date=True)
    published_parameters: Fact | None = known(
        "the count that the hub states, to compare with ours", None, units=("parameters", "elements"), low=1e6, high=1e14
    )
    confirmed: bool = known("false: the config was not read on a public page; the guide marks it", True)
    note: str = known("remarks, English", "")
    note_zh: str = known("remarks, Chinese", "")


@dataclass(frozen=True, slots=True)
class Server:
    """A server or rack that is sold as one thing."""

    id: str = known("file name without .yaml")
    name: str = known("the maker's name of it")
    vendor: str = known("who makes it")
    accelerator: str = known("id in catalog/accelerators/", refers_to="accelerators")
    accelerator_count: int = known("how many", low=1, high=10000)
    power: Fact | None = known("largest power draw of the whole thing", None, units=("kW",), low=0.1, high=2000)
    host_memory: Fact | None = known("RAM of the host", None, units=("GB", "GiB"), low=8, high=1_000_000)
    cpu_cores: Fact | None = known("physical cores", None, units=("cores",), low=1, high=100_000)
    nvme: Fact | None = known("local NVMe", None, units=("TB",), low=0.1, high=100_000)
    network: str = known("network ports, as text", "")
    rack_units: Fact | None = known("height in the rack", None, units=("U",), low=1, high=60)
    price: Fact | None = known("price of the whole thing", None, units=CURRENCIES, low=100, high=1e9)
    note: str = known("remarks, English", "")
    note_zh: str = known("remarks, Chinese", "")


@dataclass(frozen=True, slots=True)
class Offer:
    """One price, as one provider stated it on one day."""

    id: str = known("file name without .yaml")
    provider: str = known("who sells")
    accelerator: str = known("id in catalog/accelerators/", refers_to="accelerators")
    accelerator_count: int = known("accelerators in the unit that is priced", low=1, high=10000)
    amount: float = known("the price of the whole unit, not per accelerator", low=0.001, high=1e9)
    currency: str = known("ISO code", choices=CURRENCIES)
    per: str = known("what the amount buys", choices=("hour", "day", "month", "year", "once"))
    commitment: str = known("what the buyer is bound to", choices=COMMITMENTS)
    bare_metal: bool = known("a whole physical machine")
    source: str = known("id in catalog/sources/", refers_to="sources")
    date: str = known("the day or month the price held, YYYY, YYYY-MM or YYYY-MM-DD, as the source says", partial_date=True)
    read: str = known("the day it was read", date=True)
    kind: str = known("how the source came by it", choices=FACT_KINDS)
    tax: str = known("is tax in the amount?", "not-stated", choices=TAX)
    instance: str = known("the provider's name of it", "")
    region: str = known("where", "")
    billing_step: str = known("smallest unit billed, as text", "")
    confirmed: bool = known("false: no public page was found that confirms it", True)
    note: str = known("remarks", "")

    def per_accelerator_hour(self, hours_per_month: float = 730.0) -> float | None:
        """The amount for one accelerator and hour; None for a purchase."""
        hours = {"hour": 1.0, "day": 24.0, "month": hours_per_month, "year": 8760.0}.get(self.per)
        return None if hours is None else self.amount / self.accelerator_count / hours


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """How many units of `quote` one unit of `base` bought on a day."""

    id: str = known("file name without .yaml")
    base: str = known("ISO code", choices=CURRENCIES)
    quote: str = known("ISO code", choices=CURRENCIES)
    rate: float = known("units of quote for one of base", low=0.0001, high=100_000)
    date: str = known("the day the rate held", date=True)
    source: str = known("id in catalog/sources/", refers_to="sources")
    read: str = known("the day it was read", date=True)
    kind: str = known("how the source came by it", choices=FACT_KINDS)
    confirmed: bool = known("false: no public page was found that confirms it", True)
    note: str = known("remarks", "")


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One row of somebody's price table, as printed."""

    accelerator: str = known("id in catalog/accelerators/", refers_to="accelerators")
    label: str = known("the row's own label")
    memory: str = known("memory, as printed")
    hourly: float | None = known("hourly price of one card", None, low=0.01, high=1e6)
    month_8: float | None = known("monthly price of eight cards, bare metal", None, low=1, high=1e9)
    day_8: float | None = known("daily price of eight cards, bare metal", None, low=1, high=1e9)
    per_tflops_month: float | None = known("cost per TFLOPS and month, as printed", None, low=0.001, high=1e6)
    rating: str = known("rating, as printed", "")


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """Somebody's price table: quoted as a claim, recomputed by the guide."""

    id: str = known("file name without .yaml")
    title: str = known("what the table is, English")
    title_zh: str = known("what the table is, Chinese")
    currency: str = known("ISO code", choices=CURRENCIES)
    date: str = known("when the prices held, as the source says", partial_date=True)
    source: str = known("id in catalog/sources/", refers_to="sources")
    read: str = known("the day it was read", date=True)
    rows: tuple[ClaimRow, ...] = known("the rows, in the order of the source")


COLLECTIONS: dict[str, type] = {
    "sources": Source,
    "accelerators": Accelerator,
    "models": LanguageModel,
    "diffusion_components": DiffusionComponent,
    "diffusion_models": DiffusionModel,
    "servers": Server,
    "offers": Offer,
    "exchange_rates": ExchangeRate,
    "claims": ClaimTable,
    "regions": Region,
}
"""Folder under catalog/ and key of the compiled JSON -> record type."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """All records, by id, in file-name order. `version` is the content's hash, `date` the newest day read."""

    version: str
    date: str
    sources: Mapping[str, Source]
    accelerators: Mapping[str, Accelerator]
    models: Mapping[str, LanguageModel]
    servers: Mapping[str, Server]
    offers: Mapping[str, Offer]
    exchange_rates: Mapping[str, ExchangeRate]
    claims: Mapping[str, ClaimTable]
    diffusion_components: Mapping[str, DiffusionComponent] = field(default_factory=dict)
    diffusion_models: Mapping[str, DiffusionModel] = field(default_factory=dict)
    regions: Mapping[str, Region] = field(default_factory=dict)

    def convert(self, amount: float, currency: str, to: str) -> float:
        """Amount in another currency at the newest dated rate. Raises LookupError where the catalog has no rate."""
        if currency == to:
            return amount
        rate = self.rate(currency, to)
        return amount * rate.rate if rate.base == currency else amount / rate.rate

    def rate(self, a: str, b: str) -> ExchangeRate:
        """The newest rate between two currencies, in whichever direction it is recorded."""
        found = [r for r in self.exchange_rates.values() if {r.base, r.quote} == {a, b}]
        if not found:
            raise LookupError(f"no exchange rate between {a} and {b} in catalog/exchange_rates/")
        return max(found, key=lambda r: r.date)


_PLANS: dict[type, list[tuple[str, Callable[[Any], Any]]]] = {}


def _same(value: Any) -> Any:
    return value


def _converter(kind: Any) -> Callable[[Any], Any]:
    if isinstance(kind, UnionType):
        inner = next(a for a in get_args(kind) if a is not NoneType)
        make = _converter(inner)
        return make if make is _same else lambda v: None if v is None else make(v)
    if get_origin(kind) is tuple:
        make = _converter(get_args(kind)[0])
        return lambda vs: tuple(vs) if make is _same else tuple(make(v) for v in vs)
    if is_dataclass(kind) and isinstance(kind, type):
        return lambda v: record(kind, v)
    return _same


def record[T](cls: type[T], data: Mapping[str, Any]) -> T:
    """Plain data -> a record. Trusts its input: `catalog.load` has checked it."""
    plan = _PLANS.get(cls)
    if plan is None:
        plan = _PLANS[cls] = [(f.name, _converter(f.type)) for f in fields(cast(Any, cls))]
    return cls(**{name: make(data[name]) for name, make in plan if name in data})


def plain(value: Any) -> Any:
    """A record -> plain data without the fields that stand at their default."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(v) for f in fields(value) if (v := getattr(value, f.name)) != f.default}
    if isinstance(value, tuple):
        return [plain(v) for v in value]
    return value


def to_json(catalog: Catalog) -> str:
    """The compiled catalog: what the browser reads and what the site publishes."""
    data: dict[str, Any] = {"version": catalog.version, "date": catalog.date}
    for name in COLLECTIONS:
        data[name] = [plain(r) for r in getattr(catalog, name).values()]
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class Records[T](Mapping[str, T]):
    """One collection of the compiled JSON: a record is made when it is first read, all of them when they are first listed.

    One answer reads few collections whole; a browser waits for what is made before its first answer.
    """

    __slots__ = ("_cls", "_made", "_raw", "_whole")

    def __init__(self, cls: type[T], rows: list[dict[str, Any]]) -> None:
        """Makes no record yet."""
        self._cls, self._raw = cls, {row["id"]: row for row in rows}
        self._made: dict[str, T] = {}
        self._whole = False

    def __getitem__(self, id: str) -> T:
        """The record of that id. Raises KeyError."""
        found = self._made.get(id)
        if found is None:
            found = self._made[id] = record(self._cls, self._raw[id])
        return found

    def __iter__(self) -> Iterator[str]:
        """The ids, in file-name order."""
        return iter(self._raw)

    def __len__(self) -> int:
        """How many records."""
        return len(self._raw)

    def values(self) -> ValuesView[T]:
        """All records."""
        return self._all().values()

    def items(self) -> ItemsView[str, T]:
        """All records with their ids."""
        return self._all().items()

    def _all(self) -> dict[str, T]:
        if not self._whole:  # in the files' order, whatever was read first
            self._made, self._whole = {id: self[id] for id in self._raw}, True
        return self._made


def from_json(text: str) -> Catalog:
    """The compiled JSON -> a catalog. The inverse of `to_json`."""
    data = json.loads(text)
    parts: dict[str, Any] = {name: Records(cls, data[name]) for name, cls in COLLECTIONS.items()}
    return Catalog(version=data["version"], date=data["date"], **parts)
