"""A small valid catalog, written file by file, for tests that break one thing in it."""

from datetime import date
from pathlib import Path
from textwrap import dedent

TODAY = date(2026, 11, 30)

FILES = {
    "sources/maker-page": """\
        id: maker-page
        title: Product page
        publisher: Maker
        url: https://example.com/cards/a1
        """,
    "sources/shop": """\
        id: shop
        title: Price list
        publisher: Shop
        url: https://shop.example.com/prices?card=a1
        note: a reseller
        """,
    "sources/seen-once": """\
        id: seen-once
        title: A page whose address was not kept
        publisher: unnamed
        unlocated: true
        """,
    "accelerators/card-a1": """\
        id: card-a1
        name: Card A1
        vendor: Maker
        ecosystem: CUDA
        form_factor: PCIe
        memory: {value: 24, unit: GB, source: maker-page, read: 2026-11-30, kind: datasheet}
        power: {value: 300, unit: W, source: maker-page, read: 2026-11-30, kind: datasheet}
        memory_bandwidth:
          value: 900
          unit: GB/s
          source: maker-page
          read: 2026-11-30
          kind: datasheet
          others:
            - {value: 700, source: shop, read: 2026-11-29, note: older revision}
          why: the maker's own page
        street_price: {value: 1500, unit: USD, source: seen-once, read: 2026-11-30, kind: quoted, confirmed: false}
        peaks:
          - precision: bf16
            sparse: false
            accumulate: fp32
            rate: {value: 100, unit: TFLOPS, source: maker-page, read: 2026-11-30, kind: datasheet}
          - precision: bf16
            sparse: true
            accumulate: fp32
            rate: {value: 200, unit: TFLOPS, source: maker-page, read: 2026-11-30, kind: datasheet}
          - precision: fp8
            sparse: false
            accumulate: fp32
            rate: {value: 200, unit: TFLOPS, source: maker-page, read: 2026-11-30, kind: datasheet}
        released: 2024-05
        flags: [modified, no-vendor-warranty]
        aliases: [A1, A1 24G]
        note: 'Sold as "A1": a card'
        note_zh: 一张卡
        """,
    "accelerators/card-b2": """\
        id: card-b2
        name: Card B2
        vendor: Maker
        ecosystem: CUDA
        form_factor: SXM
        memory: {value: 80, unit: GiB, source: maker-page, read: 2026-11-30, kind: datasheet}
        """,
    "models/dense-7b": """\
        id: dense-7b
        name: Dense 7B
        publisher: Lab
        architecture:
          hidden_size: 4096
          num_hidden_layers: 32
          vocab_size: 32000
          num_attention_heads: 32
          num_key_value_heads: 8
          intermediate_size: 11008
          tie_word_embeddings: false
        source: maker-page
        read: 2026-11-30
        published_parameters: {value: 6738415616, unit: parameters, source: maker-page, read: 2026-11-30, kind: derived}
        """,
    "models/experts-20b": """\
        id: experts-20b
        name: Experts 20B
        publisher: Lab
        architecture:
          hidden_size: 2048
          num_hidden_layers: 24
          vocab_size: 100000
          num_attention_heads: 16
          intermediate_size: 8192
          num_experts: 64
          num_experts_per_tok: 6
          moe_intermediate_size: 1408
          n_shared_experts: 2
          first_k_dense_replace: 1
          kv_lora_rank: 512
          qk_nope_head_dim: 128
          qk_rope_head_dim: 64
          v_head_dim: 128
        source: maker-page
        read: 2026-11-30
        """,
    "models/hybrid-8b": """\
        id: hybrid-8b
        name: Hybrid 8B
        publisher: Lab
        architecture:
          hidden_size: 4096
          num_hidden_layers: 32
          vocab_size: 150000
          num_attention_heads: 16
          num_key_value_heads: 2
          head_dim: 256
          intermediate_size: 12288
          linear_layers: 24
          linear_num_key_heads: 16
          linear_key_head_dim: 128
          linear_num_value_heads: 32
          linear_value_head_dim: 128
          linear_conv_kernel_dim: 4
        source: maker-page
        read: 2026-11-30
        """,
    "models/sliding-4b": """\
        id: sliding-4b
        name: Sliding 4B
        publisher: Lab
        architecture:
          hidden_size: 2560
          num_hidden_layers: 34
          vocab_size: 262208
          num_attention_heads: 8
          num_key_value_heads: 4
          head_dim: 256
          intermediate_size: 10240
          tie_word_embeddings: true
          qk_norm: head
          norms_per_layer: 4
          sliding_window: 1024
          sliding_layers: 29
        source: maker-page
        read: 2026-11-30
        """,
    "servers/box-8": """\
        id: box-8
        name: Box 8
        vendor: Maker
        accelerator: card-a1
        accelerator_count: 8
        power: {value: 4.5, unit: kW, source: maker-page, read: 2026-11-30, kind: datasheet}
        """,
    "offers/shop-a1-hour": """\
        id: shop-a1-hour
        provider: Shop
        accelerator: card-a1
        accelerator_count: 8
        amount: 40
        currency: CNY
        per: hour
        commitment: on-demand
        bare_metal: false
        source: shop
        date: 2026-07
        read: 2026-11-30
        kind: quoted
        """,
    "offers/shop-a1-buy": """\
        id: shop-a1-buy
        provider: Shop
        accelerator: card-a1
        accelerator_count: 1
        amount: 1500
        currency: USD
        per: once
        commitment: purchase
        bare_metal: true
        source: shop
        date: 2026-11-01
        read: 2026-11-30
        kind: quoted
        tax: included
        """,
    "exchange_rates/usd-cny-2026-11-27": """\
        id: usd-cny-2026-11-27
        base: USD
        quote: CNY
        rate: 7.1
        date: 2026-11-27
        source: shop
        read: 2026-11-30
        kind: quoted
        """,
    "exchange_rates/usd-cny-2026-06-30": """\
        id: usd-cny-2026-06-30
        base: USD
        quote: CNY
        rate: 7.2
        date: 2026-06-30
        source: shop
        read: 2026-11-28
        kind: quoted
        """,
    "claims/shop-table": """\
        id: shop-table
        title: Prices of a shop
        title_zh: 一家店的价格
        currency: CNY
        date: 2026-07
        source: shop
        read: 2026-11-30
        rows:
          - {accelerator: card-a1, label: A1, memory: 24G, hourly: 5, rating: good}
          - {accelerator: card-b2, label: B2, memory: 80G, hourly: 20, month_8: 60000}
        """,
}


def write(root: Path) -> Path:
    """The sample catalog under `root`."""
    for name, text in FILES.items():
        file = root / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
    return root
